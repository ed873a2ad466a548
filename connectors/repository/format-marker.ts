/**
 * The files that mark a folder as a repository, and say how to open it without logferry. What they hold follows from the mark alone, so that
 * a flipped bit in any of them is found, and found to be in that one.
 */
import { KEY_FILES } from "./keys.ts";
import { DATA, DRILLS, SNAPSHOTS, sha256 } from "./layout.ts";

/** What `repository.json` says. */
export type Mark =
  | { readonly isEncrypted: false }
  | {
      readonly isEncrypted: true;
      /** The repository's own age recipient: all of it is encrypted for this one. */
      readonly recipient: string;
      /** SHA-256 of `key.age`. */
      readonly key: string;
    };

export const MARK_FILE = "repository.json";
export const SUMS_FILE = "SHA256SUMS";

const FORMAT = '{"format":"logferry-repository"';

const ENCRYPTED =
  /^(\{"format":"logferry-repository","version":2,"encryption":"age","recipient":"(age1[0-9a-z]{58})","key":"([0-9a-f]{64})"),"sum":"([0-9a-f]{8})"\}\n$/;

/** As the file has it. That of an encrypted repository has a checksum of its own. */
export function markText(mark: Mark): string {
  if (!mark.isEncrypted) return `${FORMAT},"version":1}\n`;
  const text = `${FORMAT},"version":2,"encryption":"age","recipient":"${mark.recipient}","key":"${mark.key}"`;
  return `${text},"sum":"${sha256(text).slice(0, 8)}"}\n`;
}

/**
 * Reads a mark.
 *
 * @param sums what `SHA256SUMS` holds, where it is there: a mark of a newer version is as listed there, a damaged one isn't
 */
export function readMark(text: string, sums: string | undefined): Mark | "newer" | "damaged" {
  if (text === markText({ isEncrypted: false })) return { isEncrypted: false };
  const [, body = "", recipient = "", key = "", sum] = ENCRYPTED.exec(text) ?? [];
  if (sum !== undefined && sha256(body).slice(0, 8) === sum) return { isEncrypted: true, recipient, key };
  const version = /^\{"format":"logferry-repository","version":(\d{1,9})[,}]/.exec(text)?.[1];
  const isAsListed = sums === undefined || sums.includes(`${sha256(text)}  ${MARK_FILE}\n`);
  return version !== undefined && Number(version) > NEWEST_VERSION && isAsListed ? "newer" : "damaged";
}

const NEWEST_VERSION = 2;

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

const SEALED_README = `This folder holds encrypted backups of a training log, made by logferry. With its key, logferry is not needed to read it: the tools are
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

/** The files that say what a repository is, with what they hold; the one that makes it a repository comes last. */
export function markingFiles(mark: Mark): readonly (readonly [name: string, text: string])[] {
  const readme = mark.isEncrypted ? SEALED_README : README;
  const text = markText(mark);
  const sums = [
    ["README.txt", sha256(readme)],
    [MARK_FILE, sha256(text)],
    ...(mark.isEncrypted ? KEY_FILES.map((name) => [name, mark.key]) : []),
  ];
  return [
    ["README.txt", readme],
    [SUMS_FILE, sums.map(([name, sum]) => `${sum}  ${name}\n`).join("")],
    [MARK_FILE, text],
  ];
}

/** Names that may stand at the top of a repository, before it is one too: it may have been killed while it was made. */
export const TOP_NAMES: ReadonlySet<string> = new Set([
  "README.txt",
  SUMS_FILE,
  MARK_FILE,
  ...KEY_FILES,
  DATA,
  SNAPSHOTS,
  DRILLS,
  "tmp",
  "repository.lock",
  "repository.lock-journal",
  "repository.holder",
]);
