/** A row that was rejected, in a table that was exchanged at its place since: the row is in no table any more, and not in the log. */
import { expect, test } from "vitest";
import { openWorld, type World } from "./matrix/world.ts";
import { certified } from "./support/certified.ts";
import { told } from "./support/promotions.ts";
import { type SheetRun, someRuns, writeSheet } from "./support/small-sources.ts";

/** Imports runs of which the third has a day that nobody can read, then other rows at the same path. @returns the certificate's answer */
async function answerAfter(world: World, runs: readonly SheetRun[], later: readonly SheetRun[]): Promise<string> {
  writeSheet(
    world.folder,
    runs.map((run, at) => (at === 2 ? { ...run, date: "not a day" } : run)),
  );
  expect((await world.import()).code).toBe(3);
  writeSheet(world.folder, later);
  const ran = await world.import();
  expect([0, 3], told(ran)).toContain(ran.code);
  await world.run(["verify"]);
  return told((await certified(world)).ran);
}

const STILL_OUT = "1 record that run 1 left out is still not in the log";

test.each<[string, (runs: readonly SheetRun[]) => readonly SheetRun[], string]>([
  ["the row mended", (runs) => runs, "closed? Yes"],
  ["the row taken away, and the next one in its place", (runs) => runs.toSpliced(2, 1), STILL_OUT],
  ["another table altogether", () => someRuns(6, "2023-02-01"), STILL_OUT],
])("%s at the same place", async (_, laterOf, answer) => {
  const runs = someRuns(6);
  await using world = await openWorld({ runs });
  expect(await answerAfter(world, runs, laterOf(runs))).toContain(answer);
}); // biome-ignore format: long calls
