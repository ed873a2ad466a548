/** A record that a person fixed in the rehearsal, that was promoted, and that its owner then deleted in the log. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { jsonOf, openWorld } from "./matrix/world.ts";
import { certified } from "./support/certified.ts";
import { deleteWorkout } from "./support/delete-workout.ts";
import { runHere } from "./support/here.ts";
import { distancesOf, folderOf, outOf, promote, rehearseIn, told } from "./support/promotions.ts";
import { type SheetRun, someRuns } from "./support/small-sources.ts";

test("a fixed record that its owner deletes in the log stays out by the printed command, and the account can be closed", async () => {
  const [fast] = someRuns(1) as [SheetRun];
  await using world = await openWorld({ runs: [{ ...fast, seconds: 12 }], databaseFile: true });
  const journal = ["--journal", join(folderOf(world), "journal.db")];
  await rehearseIn(world);
  const listed = jsonOf((await runHere(world, ["quarantine", ...journal, "--json"])).out);
  const id = String(listed.find(({ type }) => type === "quarantined")?.id);
  await runHere(world, ["quarantine", "fix", id, "--allow", "implausible", ...journal]);
  await runHere(world, ["rehearse", ...outOf(world), "--no-pages"]);
  expect((await promote(world)).code).toBe(0);
  expect(await distancesOf(world)).toHaveLength(1);

  const { entries } = await world.service.store.workouts(world.userId, { limit: 1, offset: 0 }, []);
  deleteWorkout(join(world.folder, "service.db"), entries[0]?.id ?? "");
  const noticed = await promote(world, ["--yes"]);
  expect(noticed.code).toBe(3);
  const [, command = ""] = /If you deleted it yourself: logferry (quarantine drop \S+)/.exec(told(noticed)) ?? [];
  const dropped = await runHere(world, command.split(" "));
  expect(dropped.out, told(noticed)).toContain("1 record will be left out of later plans");
  const again = await promote(world);
  expect(again.code, told(again)).toBe(0);
  expect(await distancesOf(world)).toHaveLength(0);
  const { ran } = await certified(world);
  expect(told(ran)).toContain("Can the old account be closed? Yes");
});
