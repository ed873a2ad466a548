import { describe, expect, test } from "vitest";
import { CUT_UNSEEN } from "../../docs/variants.ts";
import { type Case, fixtureCases, openCase, readAll } from "../../test/suites/fixture-cases.ts";
import { inputs } from "../../test/support/tiers.ts";
import type { Issue } from "../../transforms/model/issue.ts";
import { memoryArchive } from "../containers/memory.ts";
import type { Connector } from "../contract.ts";
import { FatalError } from "../errors.ts";
import { connectorNamed } from "../registry.ts";

// An interrupted download or a full disk leaves files that are empty or cut. Records may be lost with such a file, but never without a word: a remark,
// a rejected record or the list of files left on purpose names the file.

type Files = Readonly<Record<string, Uint8Array>>;

/** What was read, and what was said about each file. */
interface Result {
  /** The values by key. */
  readonly values: ReadonlyMap<string, string>;
  /** Remarks and rejected records as text, each with the paths of the files that it names. */
  readonly said: ReadonlyMap<string, readonly string[]>;
  readonly left: ReadonlySet<string>;
}

/** The first case of each platform, and every case in the long tier. */
const cases = fixtureCases().filter(({ connector }, index, all) => {
  const isFirst = all.findIndex((each) => each.connector === connector) === index;
  return connectorNamed(connector) !== undefined && (isFirst || inputs({ first: 0, long: 1 }) === 1);
});

/** Reads files. @returns undefined if logferry refuses the whole, which is a word */
async function resultOf(connector: Connector, files: Files): Promise<Result | undefined> {
  const left = new Set<string>();
  try {
    const leftFile = (path: string) => void left.add(path);
    const { readings, issues } = await readAll(connector, memoryArchive("export.zip", files), { leftFile });
    const remarks: Issue[] = [...issues];
    const values = new Map<string, string>();
    for (const reading of readings) {
      if ("value" in reading) values.set(reading.key, JSON.stringify(reading.value));
      else remarks.push({ ...reading.issue, origin: reading.origin });
    }
    const said = new Map(
      remarks.map((each) => [JSON.stringify(each), [each.origin?.entry ?? "", ...(each.names ?? [])]] as const),
    );
    return { values, said, left };
  } catch (error) {
    if (error instanceof FatalError && error.reason === "source") return undefined;
    throw error;
  }
}

/** The records that are lost or changed, if nothing that is new names the file. */
function lostUnsaid(usual: Result, found: Result, path: string): readonly { readonly key: string }[] {
  if (found.left.has(path)) return [];
  for (const [remark, paths] of found.said) if (!usual.said.has(remark) && paths.includes(path)) return [];
  return [...usual.values].flatMap(([key, value]) => (found.values.get(key) === value ? [] : [{ key }]));
}

/** Cuts a file in its middle. A table is cut behind the first cell of a row: a table cut behind a row or in its last cell looks whole. */
function cut(bytes: Uint8Array, path: string): Uint8Array {
  const middle = Math.floor(bytes.length / 2);
  if (!/\.(?:csv|tsv|txt)$/i.test(path)) return bytes.slice(0, middle);
  const line = bytes.lastIndexOf(10, middle) + 1;
  const cell = bytes.slice(line).findIndex((byte) => byte === 44 || byte === 59 || byte === 9);
  return bytes.slice(0, cell === -1 ? middle : line + cell);
}

const DAMAGES = { empty: () => new Uint8Array(0), cut } as const;

/** A mapping file is the person's own. */
const MAPPING = /\.map\.ya?ml$/;

/** Files in which a cut can't be seen: docs/platforms.md says why. */
function isUnseen(connector: string, path: string): boolean {
  return CUT_UNSEEN[connector]?.files.test(path) === true;
}

async function filesOf(each: Case): Promise<Files> {
  const archive = await openCase(each);
  const files: Record<string, Uint8Array> = {};
  for (const entry of archive.entries()) files[entry.path] = await archive.read(entry);
  await archive.close();
  return files;
}

/** Some files of a case, evenly spread, and all in the long tier. */
function someOf(files: Files): readonly (readonly [string, Uint8Array])[] {
  const all = Object.entries(files);
  const step = inputs({ first: Math.ceil(all.length / 2), long: 1 });
  return all.filter((_, index) => index % step === 0);
}

describe.each(cases)("$connector/$name", (each) => {
  const connector = connectorNamed(each.connector) as Connector;
  test.each(["empty", "cut"] as const)("loses nothing without a word where a file is %s", async (way) => {
    const files = await filesOf(each);
    const usual = await resultOf(connector, files);
    if (usual === undefined) throw new Error("the case itself can't be read");
    const lost: string[] = [];
    for (const [path, bytes] of someOf(files)) {
      if (way === "cut" && MAPPING.test(path)) continue;
      const found = await resultOf(connector, { ...files, [path]: DAMAGES[way](bytes, path) });
      if (found === undefined) continue;
      const unsaid = lostUnsaid(usual, found, path);
      // Where a cut can't be seen, a record may lack the values behind it, and with them its key. But no record is gone.
      const isUnseenCut = way === "cut" && isUnseen(each.connector, path);
      if (!isUnseenCut) lost.push(...unsaid.map(({ key }) => `${path}: ${key}`));
      else if (found.values.size < usual.values.size)
        lost.push(`${path}: ${usual.values.size - found.values.size} gone`);
    }
    expect(lost).toEqual([]);
  });
});

test.each(Object.keys(CUT_UNSEEN))(
  "the exception of %s is needed: a cut in one of its files is seen by nobody",
  async (platform) => {
    const connector = connectorNamed(platform) as Connector;
    const unsaid: string[] = [];
    for (const each of fixtureCases().filter((one) => one.connector === platform)) {
      const files = await filesOf(each);
      const usual = await resultOf(connector, files);
      for (const [path, bytes] of usual === undefined || unsaid.length > 0 ? [] : Object.entries(files)) {
        if (!isUnseen(platform, path)) continue;
        const found = await resultOf(connector, { ...files, [path]: cut(bytes, path) });
        if (usual !== undefined && found !== undefined && lostUnsaid(usual, found, path).length > 0) unsaid.push(path);
      }
    }
    expect(unsaid).not.toEqual([]);
  },
);

// Strict services refuse half a character, and databases can't store it.
test.each([
  [
    "runalyze",
    "b.json",
    'version=v2.5;\n{"TABLE":"runalyze_training"}\n{"9":{"time":"1400027400","s":"7200.00","distance":"20.00","comment":"x\\ud83d","sportid":"1"}}\n',
  ],
  [
    "logferry-export",
    "log.ndjson",
    '{"kind":"export","value":{"format":"logferry-export","version":1}}\n{"kind":"workout","value":{"id":"w","activityID":10,"date":"2024-01-01","notes":"x\\ud83d"}}\n{"kind":"end","value":{"records":1}}\n',
  ],
])("half a character in JSON of %s is read as U+FFFD, and said once", async (platform, name, text) => {
  const connector = connectorNamed(platform) as Connector;
  const { readings, issues } = await readAll(connector, memoryArchive("x", { [name]: Buffer.from(text) }));
  expect(readings.map((each) => "value" in each && JSON.stringify(each.value).includes('"x\ufffd"'))).toEqual([true]);
  expect(issues.filter(({ rule }) => rule === "text/half-characters")).toHaveLength(1);
});
