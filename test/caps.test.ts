/**
 * Every limit of docs/limits.md, one below its edge, at it and one above it. A real limit that takes gigabytes or minutes is lowered for the test.
 * The number that holds otherwise is written out here a second time.
 */
import { describe, expect, test } from "vitest";
import { LIMIT_ROWS } from "../docs/limits.ts";
import { ARCHIVES, opened } from "./caps/archives.ts";
import { FORMATS } from "./caps/formats.ts";
import { many, type Trial, thrown } from "./caps/trial.ts";
import { WIRE } from "./caps/wire.ts";
import { longTest } from "./support/tier-tests.ts";
import { firstOf, TIER } from "./support/tiers.ts";
import { zipBytes } from "./support/zip-bytes.ts";

const TRIALS: Readonly<Record<string, Trial>> = { ...ARCHIVES, ...FORMATS, ...WIRE };

/** At these limits a trial takes seconds. The first tier has the one above alone: smaller files are imported, and lists listed, by many tests. */
const LARGE: readonly string[] = ["server-file", "listing-bytes"];

/** The sizes that must pass in this tier. */
function passing(id: string, at: number): readonly number[] {
  if (!LARGE.includes(id)) return firstOf(1, [at, at - 1]);
  return TIER === "first" ? [] : [at, at - 1];
}

test("every limit of the page is tried, and nothing else", () => {
  expect(Object.keys(TRIALS)).toEqual(LIMIT_ROWS.map(({ id }) => id));
});

describe.each(LIMIT_ROWS)("$of", ({ id, value }) => {
  const { most, at = most, said, rule } = TRIALS[id] as Trial;

  test(`is ${most}`, () => {
    expect(value).toBe(most);
  });

  test(`one below ${at} and ${at} itself pass, one above doesn't and says why`, async () => {
    for (const passes of passing(id, at)) expect(await said(passes, at)).toBeUndefined();
    expect(await said(at + 1, at)).toMatch(rule);
  });
});

longTest("100,001 files in a zip are refused in a moment, at the real limit", async () => {
  const zip = zipBytes(many(100_001, (n) => ({ name: `${n}`, stored: true })));
  expect(await thrown(() => opened(zip, {}))).toMatch(/^archive\/too-many-entries: .*more than 100000 files/);
});
