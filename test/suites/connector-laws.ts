/**
 * The promises of every connector, tried on every case it has. A connector gets these tests by its line in `connectors/platforms/index.ts`, without a
 * call of its own.
 */
import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { test as anyTest, describe, expect } from "vitest";
import type { Archive } from "../../connectors/containers/archive.ts";
import { memoryArchive } from "../../connectors/containers/memory.ts";
import type { Connector } from "../../connectors/contract.ts";
import { FatalError } from "../../connectors/errors.ts";
import { identifyArchive } from "../../connectors/registry.ts";
import type { Reading } from "../../transforms/model/item.ts";
import { type Dimension, UNITS } from "../../transforms/units.ts";
import { test } from "../support/tier-tests.ts";
import { inputs } from "../support/tiers.ts";
import {
  type Case,
  expectedLines,
  expectedPath,
  fixtureCases,
  linesOf,
  type Outcome,
  openCase,
  readAll,
} from "./fixture-cases.ts";
import { ignoredWrongly } from "./ignored-columns.ts";
import { watched } from "./watched-archive.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const ARCHIVES = join(ROOT, "connectors", "platforms");

/** The folders that read the platforms' tables, and propose such a table. They are no platforms themselves. */
const NO_PLATFORMS: readonly string[] = ["infer", "table"];

/** Zones with daylight saving on either half of the globe, one zone of half an hour, and a language with decimal commas. */
const PLACES: readonly { TZ: string; LANG: string }[] = [
  { TZ: "America/St_Johns", LANG: "de_DE.UTF-8" },
  { TZ: "UTC", LANG: "C" },
  { TZ: "Pacific/Auckland", LANG: "en_NZ.UTF-8" },
].slice(0, inputs({ first: 1, long: 3 }));

const nameOf = ({ connector, name }: Case) => `${connector}/${name}`;

/** The laws about the set of connectors. */
export function registryLaws(connectors: readonly Connector[]): void {
  const cases = fixtureCases();
  const names = connectors.map(({ name }) => name);

  test("every folder of connectors is registered under its own name", () => {
    const folders = readdirSync(ARCHIVES, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !NO_PLATFORMS.includes(entry.name))
      .map(({ name }) => name);
    const unnamed = folders.filter((name) => !names.includes(name));
    const strange = names.filter((name) => !folders.includes(name));
    expect(unnamed.map((name) => `connectors/platforms/index.ts needs a line for ${name}`)).toEqual([]);
    expect(
      strange.map((name) => `connectors/platforms/${name}/ is missing, or the connector has another name`),
    ).toEqual([]);
  });

  test("every connector has a README and a fixture, and every fixture a connector and a reason", () => {
    const missing = [
      ...names.map((name) => join(ARCHIVES, name, "README.md")),
      ...cases.map(({ folder }) => join(folder, "WHY.md")),
    ].filter((path) => !existsSync(path));
    const untried = names.filter((name) => !cases.some(({ connector }) => connector === name));
    const unread = cases.filter(({ connector }) => !names.includes(connector));
    expect([
      ...missing.map((path) => `${relative(ROOT, path)} is missing`),
      ...untried.map((name) => `fixtures/${name}/<case>/archive/ is missing`),
      ...unread.map(({ folder, connector }) => `${relative(ROOT, folder)}: no connector is called ${connector}`),
    ]).toEqual([]);
  });

  test("a column that a platform's table ignores holds nothing that is lost without a name", () => {
    const wrong = connectors.flatMap(({ name, summary }) =>
      (summary?.ignored ?? []).flatMap((each) => {
        const reason = ignoredWrongly(each);
        return reason === undefined ? [] : [`${name}: ${each.column} (${each.why}): ${reason}`];
      }),
    );
    expect(wrong).toEqual([]);
  });

  test("no connector knows the empty archive", async () => {
    const empty = memoryArchive("empty.zip", {});
    for (const connector of connectors) expect(await connector.identify(empty), connector.name).toBeUndefined();
    await expect(identifyArchive(empty)).rejects.toMatchObject({ reason: "source" });
  });

  test("two that know an archive equally well are an error that names both", async () => {
    const [first, second] = connectors;
    if (first === undefined || second === undefined) throw new RangeError("there are not two connectors");
    const greedy = (connector: Connector): Connector => ({
      ...connector,
      identify: async () => ({ saw: "anything", strength: "exact" }),
    });
    const asked = identifyArchive(memoryArchive("a.zip", {}), [greedy(first), greedy(second)]);
    await expect(asked).rejects.toThrow(new RegExp(`${first.name}.*${second.name}`));
    await expect(asked).rejects.toBeInstanceOf(FatalError);
  });

  anyTest("the same comes out in every zone and language of the machine", async () => {
    const script = join(import.meta.dirname, "print-readings.ts");
    const ofPlatform = (name: string) => cases.filter(({ connector }) => connector === name);
    const tried = names.flatMap((name) => ofPlatform(name).slice(0, inputs({ first: 1, long: cases.length })));
    const printed = await Promise.all(
      PLACES.map(async (place) => {
        const { stdout } = await promisify(execFile)(process.execPath, [script, ...tried.map(nameOf)], {
          env: { ...process.env, ...place, LC_ALL: place.LANG },
          maxBuffer: 64 * 2 ** 20,
        });
        return stdout;
      }),
    );
    const expected = cases
      .filter((each) => tried.includes(each))
      .flatMap((each) => (expectedLines(each) ?? []).map((line) => `${nameOf(each)} ${line}\n`))
      .join("");
    expect(expected.length).toBeGreaterThan(1000);
    for (const [index, each] of printed.entries()) expect(each === expected, JSON.stringify(PLACES[index])).toBe(true);
  });
}

/**
 * The laws about one connector, for each of its cases. In the first tier, the laws of its archives are tried with one layout. The long tier tries
 * these with all layouts, and leaves the laws about records to the first tier.
 */
export function connectorLaws(connector: Connector): void {
  const own = fixtureCases().filter((each) => each.connector === connector.name);
  const ofArchives = own.slice(0, inputs({ first: 1, long: own.length }));
  describe.each(own)("$connector/$name", (each) => {
    /** The whole case as it was read once, for the laws that only look at it. */
    let whole: Outcome | undefined;
    const usual = async (): Promise<Outcome> => {
      whole ??= await using(each, (archive) => readAll(connector, archive));
      return whole;
    };

    test("is identified by it and by no other", () =>
      using(each, async (archive) => {
        expect((await identifyArchive(archive)).connector.name).toBe(connector.name);
      }));

    test("reads what expected.jsonl says (npm run golden writes a missing one)", async () => {
      const expected = expectedLines(each);
      const path = relative(ROOT, expectedPath(each));
      if (expected === undefined)
        expect.fail(`${path} is missing: write it with npm run golden, and read it line by line`);
      expect(linesOf(await usual())).toEqual(expected);
    });

    test("gives every record a key of its own, and places it", () =>
      using(each, async (archive) => {
        const { readings, issues } = await usual();
        expect(duplicates(readings.map(({ key }) => key))).toEqual([]);
        const paths = new Set([archive.name, ...[...archive.entries()].map(({ path }) => path)]);
        for (const { origin } of [...readings, ...issues]) {
          expect(origin).toMatchObject({ connector: connector.name, archive: archive.name });
          expect(paths.has(origin?.entry ?? ""), origin?.entry).toBe(true);
        }
      }));

    test("gives equipment and courses before the workouts that name them", async () => {
      const met = new Set<string>();
      for (const reading of (await usual()).readings) {
        met.add(reading.key);
        if (reading.kind !== "workout") continue;
        const { course, equipment = [] } = reading.value;
        const named = [...(course === undefined ? [] : [course]), ...equipment];
        expect(named.filter((key) => !met.has(key))).toEqual([]);
      }
    });

    test("uses only units of the table, real dates, and numbers that are some", async () => {
      for (const { value } of (await usual()).readings.filter(isItem)) checkValue(value);
    });

    if (ofArchives.includes(each)) archiveLaws(connector, each, usual);
  });

  // The tests of loading check that a connector's records can be loaded and read back: pipelines/*.test.ts over `fixtureCases`.
}

/** The laws about the archive of a case: its form, the order in which it is opened, and its damages. */
function archiveLaws(connector: Connector, each: Case, usual: () => Promise<Outcome>): void {
  anyTest("reads the same from memory, under another name, in another order and in a folder of its own", () =>
    using(each, async (archive) => {
      const { readings: asUsual } = await usual();
      const contents = Object.entries(await contentsOf(archive)).reverse();
      const renamed = memoryArchive("renamed.zip", Object.fromEntries(contents));
      expect(keysOf((await readAll(connector, renamed)).readings)).toEqual(keysOf(asUsual));
      const moved = contents.map(([path, bytes]) => [`export_1/${path}`, bytes] as const);
      const wrapped = memoryArchive("wrapped.zip", Object.fromEntries(moved));
      const { readings } = await readAll(connector, wrapped);
      expect(readings.map(({ key }) => key)).toEqual(asUsual.map(({ key }) => key));
    }),
  );

  anyTest("gives its first record before it has opened the last entry, and streams", () =>
    using(each, async (archive) => {
      const { archive: seen, opened } = watched(archive);
      let openedAtFirst = 0;
      for await (const _ of connector.read(seen, contextOf())) {
        if (openedAtFirst === 0) openedAtFirst = new Set(opened).size;
      }
      // One file, or a table and its mapping, may all be opened at first: only their bytes tell them apart.
      if (new Set(opened).size > 2) expect(openedAtFirst).toBeLessThan(new Set(opened).size);
    }),
  );

  anyTest("stops at the next record when it is told to, and closes what it opened when the reader leaves", () =>
    using(each, async (archive) => {
      const stopping = new AbortController();
      let count = 0;
      for await (const _ of connector.read(archive, { ...contextOf(), signal: stopping.signal })) {
        count++;
        stopping.abort();
      }
      expect(count).toBe(1);
      const { archive: seen, stillOpen } = watched(archive);
      for await (const _ of connector.read(seen, contextOf())) break;
      expect(stillOpen()).toBe(0);
    }),
  );

  anyTest("survives entries that are cut, emptied or damaged", () =>
    using(each, async (archive) => {
      const contents = await contentsOf(archive);
      for (const [path, damaged] of damages(contents)) {
        const spoilt = memoryArchive("spoilt.zip", { ...contents, [path]: damaged });
        const outcome = await readAll(connector, spoilt).catch((error: unknown) => error);
        // The archive as a whole may be unreadable then. Any other error is a bug.
        if (outcome instanceof FatalError) expect(outcome.reason).toBe("source");
        else if (outcome instanceof Error) throw outcome;
      }
    }),
  );
}

async function using<T>(each: Case, use: (archive: Archive) => Promise<T>): Promise<T> {
  const archive = await openCase(each);
  try {
    return await use(archive);
  } finally {
    await archive.close();
  }
}

function contextOf() {
  return { signal: new AbortController().signal, report: () => {}, sports: new Map() };
}

async function contentsOf(archive: Archive): Promise<Record<string, Uint8Array>> {
  const contents: Record<string, Uint8Array> = {};
  for (const entry of archive.entries()) contents[entry.path] = await archive.read(entry);
  return contents;
}

/** A few bytes of it are changed. */
function spoiltBytes(bytes: Uint8Array): Uint8Array {
  const changed = bytes.slice();
  for (let at = 7; at < changed.length; at += 101) changed[at] = (changed[at] ?? 0) ^ 0x55;
  return changed;
}

/** The ways an entry is damaged: emptied, cut at some places, and with a few bytes changed. The damage is the same at every run. */
const DAMAGES: readonly ((bytes: Uint8Array) => Uint8Array)[] = [
  spoiltBytes,
  ...[0.5, 0, 0.9, 0.1].map((part) => (bytes: Uint8Array) => bytes.slice(0, Math.floor(bytes.length * part))),
];

/** Each entry damaged in each way. The first tier damages a few of the entries in one way each, in turn. */
function* damages(contents: Readonly<Record<string, Uint8Array>>): Generator<[path: string, bytes: Uint8Array]> {
  const turns = inputs({ first: DAMAGES.length, long: 1 });
  const entries = Object.entries(contents);
  const step = inputs({ first: Math.ceil(entries.length / DAMAGES.length), long: 1 });
  for (const [index, [path, bytes]] of entries.filter((_, at) => at % step === 0).entries())
    for (const [way, damage] of DAMAGES.entries()) if (way % turns === index % turns) yield [path, damage(bytes)];
}

/** Key and content, without the place in the archive. The place may differ between two forms of one archive. */
function keysOf(readings: readonly Reading[]): string[] {
  return readings.map(({ kind, key }) => `${kind} ${key}`).sort();
}

function duplicates(keys: readonly string[]): string[] {
  return keys.filter((key, index) => keys.indexOf(key) !== index);
}

function isItem(reading: Reading): reading is Exclude<Reading, { kind: "set-aside" }> {
  return reading.kind !== "set-aside";
}

/** Looks through a value. Every unit must be in the table, and no number may be NaN or infinite. */
function checkValue(value: unknown, name = ""): void {
  if (typeof value === "number") expect(Number.isFinite(value), name).toBe(true);
  if (typeof value === "string" && name === "date") expect(value).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  if (typeof value === "string" && name === "time") expect(value).toMatch(/^\d{2}:\d{2}:\d{2}$/);
  if (typeof value !== "object" || value === null) return;
  if ("unit" in value) expect(unitsOf(name as Dimension)).toContain(value.unit);
  for (const [member, inner] of Object.entries(value)) checkValue(inner, Array.isArray(value) ? name : member);
}

function unitsOf(dimension: Dimension): readonly string[] {
  return UNITS[dimension].map(({ unit }) => unit);
}
