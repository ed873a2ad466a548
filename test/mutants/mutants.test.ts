import { describe, expect, test } from "vitest";
import { CONNECTORS } from "../../connectors/registry.ts";
import { longTest } from "../support/tier-tests.ts";
import { chosenRows, firstOf, inputs } from "../support/tiers.ts";
import { mutantOf } from "./mutate.ts";
import { OTHERS, PARSERS } from "./parsers.ts";
import { TABLES } from "./platforms.ts";
import { runParser, runTogether } from "./run.ts";

/** Inputs for each reader, and the seed they come from: `LOGFERRY_TEST_MUTANTS=1000000 LOGFERRY_TEST_SEED=7` for a longer look. */
const COUNT = Number(process.env.LOGFERRY_TEST_MUTANTS ?? inputs({ first: 2, long: 20_000 }));
const SEED = Number(process.env.LOGFERRY_TEST_SEED ?? 1);

/**
 * Inputs for each platform whose files have a format with a row of its own, which gets `COUNT` (`csv-archive`, `json-each`). What is left to the
 * platform is its columns.
 */
const OF_TABLE = Number(process.env.LOGFERRY_TEST_MUTANTS ?? 1_000);
const OF_EXPORT = 100;
const isTable = ({ name }: { readonly name: string }) => TABLES.includes(name);

/** Readers that share a process. Its start takes longer than a dozen inputs, and a share of thousands is worth one of its own. */
const TOGETHER = inputs({ first: 64, long: 1 });
const groupsOf = (parsers: readonly { readonly name: string }[], count: number) =>
  Array.from({ length: Math.ceil(parsers.length / TOGETHER) }, (_, at) => {
    const names = parsers.slice(at * TOGETHER, (at + 1) * TOGETHER).map(({ name }) => name);
    return { names, count, title: names.join(", ") };
  });

/** The readers of formats. Both tiers try them, and the long tier the platforms too, whose whole exports take longer. */
const FORMATS = groupsOf(
  PARSERS.filter((parser) => !isTable(parser)),
  COUNT,
);
const PLATFORMS = [...groupsOf(PARSERS.filter(isTable), OF_TABLE), ...groupsOf(OTHERS, OF_EXPORT)];
const GROUPS = [...FORMATS, ...chosenRows(PLATFORMS, () => false)];

describe(`damaged inputs (LOGFERRY_TEST_SEED=${SEED})`, { concurrent: true }, () => {
  test.each(GROUPS)(
    "$count for each of $title, which throw nothing but their own errors, take bounded work and 300 MB at the most, write no file, change no prototype and print nothing",
    async ({ names, count }) => {
      const outcomes = await runTogether(names, SEED, 0, count);
      expect(outcomes.flatMap(({ failures }) => failures)).toEqual([]);
      expect(outcomes.map(({ inputs: tried }) => tried)).toEqual(names.map(() => count));
    },
  );
});

test("every platform of the registry is among the readers", () => {
  const readers = [...PARSERS, ...OTHERS].map(({ name }) => name);
  // These have rows under the names of their formats.
  const ofFormats = ["csv", "device-files", "logferry-export"];
  const missing = CONNECTORS.map(({ name }) => name).filter(
    (name) => !readers.includes(name) && !ofFormats.includes(name),
  );
  expect(missing).toEqual([]);
  expect(TABLES.filter((name) => !readers.includes(name))).toEqual([]);
});

longTest("an index gives the same input again, and indices give different ones", () => {
  for (const parser of PARSERS) {
    const seeds = parser.seeds().map((bytes) => Buffer.from(bytes));
    const made = Array.from({ length: 200 }, (_, index) =>
      mutantOf(parser, seeds, SEED, index).input.toString("latin1"),
    );
    expect(mutantOf(parser, seeds, SEED, 7).input.toString("latin1"), parser.name).toBe(made[7]);
    expect(new Set(made).size, parser.name).toBeGreaterThan(100);
  }
});

const BROKEN: readonly (readonly [name: string, found: RegExp])[] = [
  ["throws", /it threw TypeError: not an error of its own/],
  ["computes", /it took \d+ ms of processor time/],
  ["never-ends", /--index 3: it never ended/],
  ["grows", /the process grew by \d+ MB/],
  ["writes", /it threw Error: Access to this API has been restricted|left files: /],
  ["leaves-a-file", /left files: left/],
  ["starts", /it threw Error: Access to this API has been restricted/],
  ["pollutes", /the prototype of Object is another/],
  ["prints", /it printed "hello/],
  ["rejects-later", /it left an error to nobody: TypeError: later/],
];

test.each(firstOf(1, BROKEN))("a reader that %s is found out", async (name, found) => {
  const { failures } = await runParser(`broken:${name}`, SEED, 0, 6);
  expect(failures.join("\n")).toMatch(found);
});
