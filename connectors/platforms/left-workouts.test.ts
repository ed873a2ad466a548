import { expect, test } from "vitest";
import { fixtureCases, openCase, readAll } from "../../test/suites/fixture-cases.ts";
import type { Archive } from "../containers/archive.ts";
import { memoryArchive } from "../containers/memory.ts";
import type { Connector } from "../contract.ts";
import { FatalError } from "../errors.ts";
import { CONNECTORS } from "../registry.ts";
import { mayHoldWorkouts } from "./other-files.ts";

// A platform leaves files by their names and folders. A copy of its workouts may be called so or lie there, and it is never left with them in silence.

/** Platforms that are known by their only table. With two of them, logferry refuses the whole, which is no silence either. */
const ONE_TABLE: readonly string[] = ["fitnotes", "strong"];

const cases = CONNECTORS.flatMap((connector) => {
  const names = connector.summary?.leftNames.filter((name) => mayHoldWorkouts(name)) ?? [];
  return names.length === 0 ? [] : [{ name: connector.name, connector, names }];
});

/** A path that a name of left files matches: `photos/` gives `photos/copy.json`. */
function pathOf(name: string, ending: string): string {
  if (name.endsWith("/")) return `${name}copy${ending}`;
  if (name.endsWith("*")) return `${name.replace(/^\*/, "a").slice(0, -1)}1${ending}`;
  return name.replace(/^\*/, "a").replaceAll("#", "1");
}

/** The files of an archive, by path. */
async function filesOf(archive: Archive): Promise<Record<string, Uint8Array>> {
  const files: Record<string, Uint8Array> = {};
  for (const entry of archive.entries()) files[entry.path] = await archive.read(entry, 2 ** 24);
  return files;
}

/** Reads files, and says which of them were left on purpose, and which ones a record or a remark names. */
async function readingOf(connector: Connector, files: Readonly<Record<string, Uint8Array>>) {
  const left = new Set<string>();
  const leftFile = (path: string) => void left.add(path);
  const { readings, issues } = await readAll(connector, memoryArchive("export.zip", files), { leftFile });
  const unread = issues
    .filter(({ rule, severity }) => rule.endsWith("/other-files") && severity === "warning")
    .flatMap(({ names = [] }) => names);
  const entries = [...readings, ...issues].flatMap(({ origin }) => origin?.entry ?? []);
  const tables = readings.filter(({ kind }) => kind === "workout").map(({ origin }) => origin.entry);
  return { left, named: new Set([...unread, ...entries]), tables: new Set(tables) };
}

/** The files of a platform's first fixture that has a table of workouts, and the path of that table. */
async function fixtureOf(connector: Connector) {
  for (const each of fixtureCases()) {
    if (each.connector !== connector.name) continue;
    const archive = await openCase(each);
    const files = await filesOf(archive).finally(() => archive.close());
    const { tables } = await readingOf(connector, files);
    const table = [...tables].find((path) => path in files && !/\.(?:fit|gpx|tcx)(?:\.gz)?$/i.test(path));
    const content = files[table ?? ""];
    if (table !== undefined && content !== undefined) return { files, table, content };
  }
  throw new RangeError(`${connector.name} has no fixture with a table of workouts`);
}

test.each(cases)("$name leaves no workouts by the name of their file", async ({ connector, names }) => {
  const { files, table, content } = await fixtureOf(connector);
  const ending = /\.[a-z]+$/i.exec(table)?.[0] ?? "";
  const copies = names.map((each) => pathOf(each, ending)).filter((path) => path !== table);
  const withCopies = { ...files, ...Object.fromEntries(copies.map((path) => [path, content])) };
  if (ONE_TABLE.includes(connector.name)) {
    await expect(readingOf(connector, withCopies)).rejects.toThrow(FatalError);
    return;
  }
  const { left, named } = await readingOf(connector, withCopies);
  expect(copies.filter((path) => left.has(path) || !named.has(path))).toEqual([]);
});
