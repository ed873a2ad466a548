/** A certificate for every sample: whatever an export is like, each of its records is in exactly one class, and the classes add up. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openWorld } from "../matrix/world.ts";
import { runHere } from "../support/here.ts";
import { SAMPLES } from "../support/shared.ts";

/** The certificate as any program reads it. */
interface Read {
  readonly classes: readonly { readonly class: string; readonly count: number }[];
  readonly inventory: {
    readonly records: number;
    readonly sources: readonly { readonly files: number }[];
  };
  readonly isBalanced: boolean;
  readonly records: readonly { readonly class: string }[];
}

/** Spreadsheets without a mapping file make no run. test/corpus/infer-samples.test.ts has them. */
const SPREADSHEETS: readonly string[] = ["hand-kept", "peloton"];

const samples = readdirSync(SAMPLES).filter(
  (name) => statSync(join(SAMPLES, name)).isDirectory() && !SPREADSHEETS.includes(name),
);

test.each(samples)("%s: the classes of its certificate add up, and each record is in one of them", async (name) => {
  await using world = await openWorld({ runs: [] });
  const words = ["import", join(SAMPLES, name), "--zone", "Europe/Vienna", "--settle", "1", ...world.activities];
  const ran = await runHere(world, words);
  expect([0, 3], ran.out + ran.err).toContain(ran.code);
  const path = join(world.folder, "certificate.json");
  const certified = await runHere(world, ["certify", path]);
  expect([0, 3], certified.out + certified.err).toContain(certified.code);
  const { classes, inventory, isBalanced, records } = JSON.parse(readFileSync(path, "utf8")) as Read;
  expect(isBalanced).toBe(true);
  expect(classes.reduce((sum, { count }) => sum + count, 0)).toBe(inventory.records);
  const counted = Object.entries(Object.groupBy(records, (record) => record.class)).map(([of, all]) => [
    of,
    all?.length,
  ]);
  expect(Object.fromEntries(counted)).toEqual(
    Object.fromEntries(classes.filter(({ count }) => count > 0).map((row) => [row.class, row.count])),
  );
  const files = readdirSync(join(SAMPLES, name), { recursive: true, withFileTypes: true }).filter((one) =>
    one.isFile(),
  );
  expect(inventory.sources.reduce((sum, source) => sum + source.files, 0)).toBe(files.length);
});
