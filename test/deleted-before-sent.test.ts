/** A row that an import was to send, and that its owner deleted in the sheet before it was sent. */
import { expect, test } from "vitest";
import { openWorld } from "./matrix/world.ts";
import { certified } from "./support/certified.ts";
import { runHere } from "./support/here.ts";
import { distancesOf, told } from "./support/promotions.ts";
import { someRuns, writeSheet } from "./support/small-sources.ts";

test("a row that was deleted before it was sent is named by the way that the certificate prints, and can be dropped there", async () => {
  const runs = someRuns(9);
  await using world = await openWorld({ runs });
  const stopped = await world.import({ flags: ["--max-requests", "10"] });
  expect(stopped.code, told(stopped)).toBe(75);
  const sent = await distancesOf(world);
  const deleted = runs.findLast(({ km }) => !sent.includes(km));
  writeSheet(
    world.folder,
    runs.filter((run) => run !== deleted),
  );
  expect((await world.import()).code).toBe(0);
  expect(await distancesOf(world)).toHaveLength(8);

  const open = await certified(world);
  expect(open.ran.code, told(open.ran)).toBe(3);
  const [obstacle] = open.read.verdict.obstacles;
  expect(obstacle).toMatchObject({ code: "left-by-others", count: 1 });
  const [, list = ""] = /their ids: logferry (quarantine --run \d+)/.exec(obstacle?.todo ?? "") ?? [];
  const listed = await runHere(world, list.split(" "));
  expect(listed.out).toContain("1 record: a run was to send it, and it is not in your log");
  const [, drop = ""] = /leave it out for good: logferry (quarantine drop \S+ --run \d+)/.exec(listed.out) ?? [];
  const dropped = await runHere(world, drop.split(" "));
  expect(dropped.code, told(listed)).toBe(0);
  expect((await certified(world)).read.verdict).toMatchObject({ canClose: true });
});
