import { describe, expect, test } from "vitest";
import { inputs } from "../support/tiers.ts";
import { mutantOf } from "./mutate.ts";
import { PARSERS } from "./parsers.ts";
import { runParser } from "./run.ts";

/** Inputs for each reader, and the seed they come from: `LOGFERRY_TEST_MUTANTS=1000000 LOGFERRY_TEST_SEED=7` for a longer look. */
const COUNT = Number(process.env.LOGFERRY_TEST_MUTANTS ?? inputs({ first: 40, long: 20_000 }));
const SEED = Number(process.env.LOGFERRY_TEST_SEED ?? 1);

describe(`${COUNT} damaged inputs (LOGFERRY_TEST_SEED=${SEED})`, { concurrent: true }, () => {
  test.each(PARSERS)(
    "$name throws nothing but its own errors, takes bounded work and 300 MB at the most, writes no file, changes no prototype and prints nothing",
    async ({ name }) => {
      const { failures, inputs: tried } = await runParser(name, SEED, 0, COUNT);
      expect(failures).toEqual([]);
      expect(tried).toBe(COUNT);
    },
  );
});

test("an index gives the same input again, and indices give different ones", () => {
  for (const parser of PARSERS) {
    const seeds = parser.seeds().map((bytes) => Buffer.from(bytes));
    const made = Array.from({ length: 200 }, (_, index) =>
      mutantOf(parser, seeds, SEED, index).input.toString("latin1"),
    );
    expect(mutantOf(parser, seeds, SEED, 7).input.toString("latin1"), parser.name).toBe(made[7]);
    expect(new Set(made).size, parser.name).toBeGreaterThan(100);
  }
});

test.each([
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
])("a reader that %s is found out", async (name, found) => {
  const { failures } = await runParser(`broken:${name}`, SEED, 0, 6);
  expect(failures.join("\n")).toMatch(found);
});
