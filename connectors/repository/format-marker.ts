/**
 * The files that mark a folder as a repository, and explain how to open it without logferry. The marker alone determines their contents. So
 * a check finds a flipped bit in any of them, and names the right file.
 */
import { KEY_FILES } from "./keys.ts";
import { DATA, DRILLS, SNAPSHOTS, sha256, UNFINISHED } from "./layout.ts";
import { LIST_FILE } from "./snapshot-list.ts";

/**
 * What a repository may hold. Its next backup makes an older one into one of `NEWEST_VERSION`, and rewrites none of its chunks.
 *
 * - `1` (the file says 2 if it is encrypted): there is no list of its snapshots.
 * - `3`: there is a list. Every line of a chunk has the checksum of its record.
 * - `4`: lines may be without that checksum.
 */
export type FormatVersion = 1 | 3 | 4;

/** The version that every backup writes. */
export const NEWEST_VERSION = 4;

/** The data in `repository.json`. */
export type FormatMarker = MarkerOwner & { readonly version: FormatVersion };

/** Whether a repository is encrypted, and for which key. */
export type MarkerOwner =
  | { readonly isEncrypted: false }
  | {
      readonly isEncrypted: true;
      /** The repository's own age recipient. Everything in it is encrypted for this recipient. */
      readonly recipient: string;
      /** SHA-256 of `key.age`. */
      readonly key: string;
    };

/** The file that makes a folder a repository. */
export const MARKER_FILE = "repository.json";

/** The checksums of the explaining files, for `sha256sum --check`. */
export const SUMS_FILE = "SHA256SUMS";

const FORMAT = '{"format":"logferry-repository"';

/** Says in words that there is a list. Otherwise one flipped bit could turn version 3 into version 1, which has no list. */
const IN_MARKER = {
  1: '"version":1',
  3: `"version":3,"snapshots":"${LIST_FILE}"`,
  4: `"version":4,"snapshots":"${LIST_FILE}"`,
} as const;

const VERSIONS = [1, 3, 4] as const satisfies readonly FormatVersion[];

const ENCRYPTED =
  /^(\{"format":"logferry-repository","version":(?:2|[34],"snapshots":"snapshots\.sha256"),"encryption":"age","recipient":"(age1[0-9a-z]{58})","key":"([0-9a-f]{64})"),"sum":"([0-9a-f]{8})"\}\n$/;

/** The text of the marker file. The marker of an encrypted repository includes its own checksum. */
export function markerText(marker: FormatMarker): string {
  if (!marker.isEncrypted) return `${FORMAT},${IN_MARKER[marker.version]}}\n`;
  const version = marker.version === 1 ? '"version":2' : IN_MARKER[marker.version];
  const text = `${FORMAT},${version},"encryption":"age","recipient":"${marker.recipient}","key":"${marker.key}"`;
  return `${text},"sum":"${sha256(text).slice(0, 8)}"}\n`;
}

/**
 * Reads a marker.
 *
 * @param sums content of `SHA256SUMS`, if it exists. A marker of a newer version matches its line there, and a damaged marker doesn't
 */
export function readMarker(text: string, sums: string | undefined): FormatMarker | "newer" | "damaged" {
  for (const version of VERSIONS) {
    const plain = { isEncrypted: false, version } as const;
    if (text === markerText(plain)) return plain;
  }
  const [, body = "", recipient = "", key = "", sum] = ENCRYPTED.exec(text) ?? [];
  if (sum !== undefined && sha256(body).slice(0, 8) === sum)
    return { isEncrypted: true, version: versionIn(body), recipient, key };
  const version = /^\{"format":"logferry-repository","version":(\d{1,9})[,}]/.exec(text)?.[1];
  const isAsListed = sums === undefined || sums.includes(`${sha256(text)}  ${MARKER_FILE}\n`);
  return version !== undefined && Number(version) > NEWEST_VERSION && isAsListed ? "newer" : "damaged";
}

function versionIn(body: string): FormatVersion {
  return VERSIONS.find((one) => one !== 1 && body.includes(IN_MARKER[one])) ?? 1;
}

/**
 * The version of a repository whose marker is damaged or lost.
 *
 * @param marker what is known of the marker
 * @param sums content of `SHA256SUMS`, if it exists. It has the checksum of the lost marker
 * @param isListed whether there is a list. It decides when `SHA256SUMS` is lost too
 */
export function versionOfLost(marker: MarkerOwner, sums: string | undefined, isListed: boolean): FormatVersion {
  const written = VERSIONS.find((version) => sums?.includes(sha256(markerText({ ...marker, version }))));
  return written ?? (isListed ? NEWEST_VERSION : 1);
}

const README = `This folder holds backups of a training log, made by logferry. Everything in it is in plain formats; logferry is not needed to read it.

snapshots/  one JSON file a backup. Its "pieces" name the files that the log consisted of at that time, and how many records each holds.
data/       the records: workouts by year, the rest by kind. A file is text packed with Zstandard, one JSON object a line:
            "value" is the record in the names of the log's interface, "sum" the first 8 digits of the SHA-256 of "value" as it is written.

Every name ends in the SHA-256 of its file. On Linux or macOS:

  sha256sum data/*/*.zst snapshots/*.json     prints what the names must end in
  zstdcat data/workouts/2024-*.zst            the workouts of 2024, of every snapshot that differs
  sha256sum -c SHA256SUMS                     checks this file and repository.json

A file that no snapshot names is left over, and of no use. Files in tmp/ were never finished.
`;

/** What the READMEs say about the lines of a chunk, until version 3 and from version 4. */
const OF_SUMS = `"sum" the first 8 digits of the SHA-256 of "value" as it is written.`;
const OF_OLDER_SUMS = `"listed" tells the next backup whether it changed.
            Older lines also have "sum", the first 8 digits of the SHA-256 of "value" as it is written.`;

/** The paragraph about the list, for the READMEs. */
const OF_THE_LIST = `
${LIST_FILE} names every backup that must be here. "sha256sum -c ${LIST_FILE}" tells whether one is missing or damaged.
`;

const ENCRYPTED_README = `This folder holds encrypted backups of a training log, made by logferry. With its key, logferry is not needed to read it: the tools are
age (https://age-encryption.org) and zstd.

key.age     the key of this folder, itself encrypted: with a passphrase, or for age keys of its owner. key-copy.age is the same.
            WITHOUT THE KEY NOTHING HERE CAN BE READ. Keep a copy of key.age elsewhere, and the passphrase or the key that opens it.
snapshots/  one file a backup: JSON, encrypted. Its "pieces" name the files that the log consisted of at that time.
data/       the records: text, one JSON object a line, packed with Zstandard, encrypted.
            "value" is the record in the names of the log's interface, "sum" the first 8 digits of the SHA-256 of "value" as it is written.

On Linux or macOS:

  sha256sum data/*/*.age snapshots/*.age                       prints what the names must end in: no key is needed
  sha256sum -c SHA256SUMS                                      checks this file, repository.json and the key
  age -d key.age > ~/opened-key                                asks for the passphrase; with a key of yours: age -d -i YOUR-KEY key.age
  age -d -i ~/opened-key snapshots/2024-03-01*.age             the snapshot of that day
  age -d -i ~/opened-key data/pieces/NAME-*.age | zstdcat      the records of a piece, by its name in the snapshot
  rm ~/opened-key

A file that no snapshot names is left over, and of no use. Files in tmp/ were never finished.
`;

/** Every version has the README it was made with, to the byte. Otherwise a check would call the older ones damaged. */
function readmeOf({ isEncrypted, version }: FormatMarker): string {
  const text = isEncrypted ? ENCRYPTED_README : README;
  const ofLines = version === 4 ? text.replace(OF_SUMS, OF_OLDER_SUMS) : text;
  return `${ofLines}${version === 1 ? "" : OF_THE_LIST}`;
}

/** The files that describe a repository, with their contents. The last one turns the folder into a repository. */
export function markerFiles(marker: FormatMarker): readonly (readonly [name: string, text: string])[] {
  const readme = readmeOf(marker);
  const text = markerText(marker);
  const sums = [
    ["README.txt", sha256(readme)],
    [MARKER_FILE, sha256(text)],
    ...(marker.isEncrypted ? KEY_FILES.map((name) => [name, marker.key]) : []),
  ];
  return [
    ["README.txt", readme],
    [SUMS_FILE, sums.map(([name, sum]) => `${sum}  ${name}\n`).join("")],
    [MARKER_FILE, text],
  ];
}

/**
 * Names that are allowed at the top of a repository. They are also allowed before it is a repository, because the process may be killed
 * while it makes one.
 */
export const TOP_NAMES: ReadonlySet<string> = new Set([
  "README.txt",
  SUMS_FILE,
  MARKER_FILE,
  LIST_FILE,
  ...KEY_FILES,
  DATA,
  SNAPSHOTS,
  DRILLS,
  UNFINISHED,
  "tmp",
  "repository.lock",
  "repository.lock-journal",
  "repository.holder",
]);
