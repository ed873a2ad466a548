/** An answer about a pair that a person gives after an undo counts more than the undo: it is the later word. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { jsonOf, openWorld } from "./matrix/world.ts";
import { certified } from "./support/certified.ts";
import { runHere } from "./support/here.ts";
import { distancesOf, folderOf, outOf, promote, rehearseIn, told } from "./support/promotions.ts";
import { type SheetRun, someRuns, writeSheet } from "./support/small-sources.ts";

test("an answer that is newer than the undo waits as yours, and is sent once it is accepted", async () => {
  const [first, second] = someRuns(2) as [SheetRun, SheetRun];
  await using world = await openWorld({ runs: [first, second] });
  const likeSecond = { ...second, time: "07:10", km: 5.51, seconds: second.seconds * 1.2 };
  const journal = ["--journal", join(folderOf(world), "journal.db")];
  await rehearseIn(world, [world.sheet, writeSheet(join(world.folder, "other"), [likeSecond], "other")]);
  const listed = jsonOf((await runHere(world, ["plan", "review", ...journal, "--json"])).out);
  const pair = String(listed.find(({ type }) => type === "pair")?.pair);
  const answer = async (take: string) => {
    const said = await runHere(world, ["plan", "review", "--answer", `${pair}=one,${take}`, ...journal]);
    expect(said.code, told(said)).toBe(0);
    await runHere(world, ["rehearse", ...outOf(world), "--no-pages"]);
  };
  await answer("distance:left");
  expect((await promote(world)).code).toBe(0);
  await answer("distance:right");
  await promote(world, ["--yes", "--accept-differences"]);
  const [sent] = (await distancesOf(world)).filter((km) => km !== first.km);
  expect((await world.run(["undo", "2"])).code).toBe(0);
  const [putBack] = (await distancesOf(world)).filter((km) => km !== first.km);
  expect([putBack, sent].toSorted()).toEqual([second.km, likeSecond.km]);

  await answer("distance:right,duration:right");
  const waits = await promote(world, ["--yes"]);
  expect(waits.code, told(waits)).toBe(3);
  expect(told(waits)).toContain("undone of run 2, and you decided since");
  expect((await certified(world)).read.verdict).toMatchObject({ canClose: false });
  expect((await promote(world, ["--yes", "--accept-differences"])).code).toBe(0);
  expect(await distancesOf(world)).toContain(sent);
  expect((await certified(world)).read.verdict).toMatchObject({ canClose: true });
});
