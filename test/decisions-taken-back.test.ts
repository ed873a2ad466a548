/** Decisions of a rehearsal that were carried out, and then taken back or changed: the next promotion does what the next rehearsal showed. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { jsonOf, openWorld, type World } from "./matrix/world.ts";
import { certified } from "./support/certified.ts";
import { runHere } from "./support/here.ts";
import { distancesOf, folderOf, outOf, promote, rehearsedLog, rehearseIn, told } from "./support/promotions.ts";
import { type SheetRun, someRuns, writeSheet } from "./support/small-sources.ts";

/** Runs a command on the journal of the rehearsal. */
async function decide(world: World, ...words: readonly string[]) {
  const ran = await runHere(world, [...words, "--journal", join(folderOf(world), "journal.db")]);
  expect(ran.code, told(ran)).toBe(0);
  return ran;
}

async function again(world: World): Promise<readonly number[]> {
  const ran = await runHere(world, ["rehearse", ...outOf(world), "--no-pages"]);
  expect([0, 3], told(ran)).toContain(ran.code);
  const found = await rehearsedLog(folderOf(world));
  return found.flatMap((text) => JSON.parse(text).details?.distance?.value ?? []);
}

const [SLOW, FAST] = someRuns(2) as [SheetRun, SheetRun];
/** Two runs, of which nobody runs the second so fast. */
const ONE_TOO_FAST = [SLOW, { ...FAST, seconds: 12 }];

/** Rehearses, and gives the id of the record that was rejected. */
async function rejectedIn(world: World): Promise<string> {
  await rehearseIn(world);
  const listed = jsonOf((await decide(world, "quarantine", "--json")).out);
  return String(listed.find(({ type }) => type === "quarantined")?.id);
}

const sorted = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b);

test("what was taken back or changed in the rehearsal counts in the next promotion, and what stays in the log is named", async () => {
  const [first, second, third, fast] = someRuns(4) as [SheetRun, SheetRun, SheetRun, SheetRun];
  await using world = await openWorld({ runs: [first, second, third, { ...fast, seconds: 12 }] });
  const likeSecond = { ...second, time: "07:10", km: 5.51, seconds: second.seconds * 1.2 };
  const other = writeSheet(join(world.folder, "other"), [likeSecond], "other");
  const rehearsed = await rehearseIn(world, [world.sheet, other]);
  const listed = jsonOf((await runHere(world, ["quarantine", "--journal", join(folderOf(world), "journal.db"), "--json"])).out);
  const id = String(listed.find(({ type }) => type === "quarantined")?.id);
  const pairs = jsonOf((await runHere(world, ["plan", "review", "--journal", join(folderOf(world), "journal.db"), "--json"])).out);
  const pair = String(pairs.find(({ type }) => type === "pair")?.pair);
  expect([id, pair], told(rehearsed) + JSON.stringify([listed, pairs])).toEqual([expect.stringMatching(/^\w+$/), expect.stringMatching(/^\w+\+\w+$/)]);

  await decide(world, "quarantine", "drop", id);
  await decide(world, "plan", "review", "--answer", `${pair}=one`);
  await again(world);
  const report = readFileSync(join(folderOf(world), "report.html"), "utf8");
  expect(report).toContain(`--journal ${join(folderOf(world), "journal.db")} take-back ${id}`);
  expect((await promote(world)).code).toBe(0);
  expect(await distancesOf(world)).toHaveLength(3);

  await decide(world, "quarantine", "take-back", id);
  await decide(world, "plan", "review", "--forget", pair);
  await again(world);
  await decide(world, "quarantine", "fix", id, "--allow", "implausible");
  const shown = await again(world);
  expect(shown).toHaveLength(5);
  // A log takes nothing apart by itself: what it has as one stays one until a person says that they are two.
  const promoted = await promote(world, ["--yes"]);
  const [, printed = ""] =
    /the rehearsal has two workouts; your log has them as one from before\. Answer on the rehearsal's page, or with plan review --answer (\S+)=two \(or one\)/.exec(
      told(promoted),
    ) ?? [];
  const stays = "1 record is in your log as you once decided, and not as in the rehearsal";
  expect(promoted.code).toBe(3);
  expect(told(await runHere(world, ["verify"]))).toContain(stays);
  expect(told((await certified(world)).ran)).toContain(`Not yet: ${stays}`);
  expect(sorted(await distancesOf(world))).toEqual(sorted(shown.filter((km) => km !== likeSecond.km)));
  await decide(world, "plan", "review", "--answer", `${printed}=two`);
  expect(await again(world)).toEqual(shown);
  expect((await promote(world)).code).toBe(0);
  expect(sorted(await distancesOf(world))).toEqual(sorted(shown));

  // What a rehearsal obeyed is listed with its way back, and only what is rejected can be decided about.
  const obeyed = await decide(world, "quarantine");
  expect(obeyed.out).toContain(`${id}  log.csv line 5: You keep it as it is.`);
  const refused = await runHere(world, ["quarantine", "drop", id, "--journal", join(folderOf(world), "journal.db")]);
  expect(told(refused)).toContain(`Take that back first, and read its source once more: logferry quarantine take-back ${id}`);
  await decide(world, "quarantine", "take-back", id);
  expect(await again(world)).toHaveLength(4);
  const kept = await promote(world);
  expect(kept.code).toBe(3);
  expect(jsonOf(kept.out).find(({ type }) => type === "difference")).toMatchObject({ rule: "promote/stays-in-log" });
  expect(told(await runHere(world, ["verify"]))).toContain(stays);
  expect(told((await certified(world)).ran)).toContain(`Not yet: ${stays}`);
  await decide(world, "quarantine", "drop", id);
  expect(await again(world)).toHaveLength(4);
  const left = await promote(world, ["--yes", "--accept-differences"]);
  expect(told(left)).toContain("1 record that you left out is in your log from an earlier run");
  expect(await distancesOf(world)).toHaveLength(5);
  expect(told(await runHere(world, ["verify"]))).toContain("can't delete in your log: delete them there");
  const { read } = await certified(world);
  expect(read.classes.find((one) => one.class === "dropped")?.count).toBe(1);
  const page = readFileSync(join(world.folder, "certificate.html"), "utf8");
  expect(page).toMatch(/your log has it as \w+, from run \d: delete it there/);
  expect(page).toContain("1 record that you left out is in your log from an earlier run");
}); // biome-ignore format: long calls

test("a pair that was one, and then undecided, keeps the account open until it is one or two again", async () => {
  const [first, second] = someRuns(2) as [SheetRun, SheetRun];
  await using world = await openWorld({ runs: [first, second] });
  const likeSecond = { ...second, time: "07:10", km: 5.51, seconds: second.seconds * 1.2 };
  await rehearseIn(world, [world.sheet, writeSheet(join(world.folder, "other"), [likeSecond], "other")]);
  const listed = jsonOf((await decide(world, "plan", "review", "--json")).out);
  const pair = String(listed.find(({ type }) => type === "pair")?.pair);
  await decide(world, "plan", "review", "--answer", `${pair}=one`);
  await again(world);
  expect((await promote(world)).code).toBe(0);
  await decide(world, "plan", "review", "--forget", pair);
  expect(await again(world)).toHaveLength(3);
  expect((await promote(world)).code).toBe(3);
  expect((await certified(world)).ran.code).toBe(3);
  await decide(world, "plan", "review", "--answer", `${pair}=one`);
  expect(await again(world)).toHaveLength(2);
  expect((await promote(world)).code).toBe(0);
  const { ran } = await certified(world);
  expect(told(ran)).toContain("Can the old account be closed? Yes");
  expect(await distancesOf(world)).toHaveLength(2);
});

test("a record that only an undone run brought in keeps the account open, also in the certificate of the run before", async () => {
  const runs = someRuns(3).map((run, at) => ({ ...run, id: String(at) }));
  await using world = await openWorld({ runs });
  expect((await world.import()).code).toBe(0);
  writeSheet(world.folder, runs.map((run) => (run.id === "1" ? { ...run, km: 6.5 } : run)));
  await rehearseIn(world);
  expect((await promote(world)).code).toBe(3);
  expect((await promote(world, ["--yes", "--accept-differences"])).code).toBe(0);
  await world.run(["verify", "--run", "2"]);
  const before = await certified(world, ["--run", "2"]);
  expect(before.read.classes.find((one) => one.class === "later")?.count, told(before.ran)).toBe(1);
  expect((await world.run(["undo", "3"])).code).toBe(0);
  const { ran, read } = await certified(world, ["--run", "2"]);
  expect(told(ran)).toContain("Not yet");
  expect(read.classes.find((one) => one.class === "later")?.count ?? 0).toBe(0);
}); // biome-ignore format: long calls

test("what an earlier version rehearsed is rehearsed once more, since nobody knows what was taken back there", async () => {
  await using world = await openWorld({ runs: someRuns(2) });
  await rehearseIn(world);
  const file = join(folderOf(world), "rehearsed.json");
  const { decided: _, ...older } = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(file, JSON.stringify(older));
  expect(told(await promote(world))).toContain("An earlier version of logferry rehearsed in");
  const ran = await runHere(world, ["rehearse", ...outOf(world), "--no-pages"]);
  expect(told(ran)).toContain("An earlier version of logferry rehearsed here last, so the private log begins anew.");
  expect((await promote(world)).code).toBe(0);
  expect(await distancesOf(world)).toHaveLength(2);
});

test("a value that you changed since waits as yours, and not as a change of the source alone", async () => {
  await using world = await openWorld({ runs: ONE_TOO_FAST });
  const id = await rejectedIn(world);
  await decide(world, "quarantine", "fix", id, "--set", "duration=0:30:00");
  await again(world);
  expect((await promote(world)).code).toBe(0);
  await decide(world, "quarantine", "take-back", id);
  await again(world);
  await decide(world, "quarantine", "fix", id, "--set", "duration=0:40:00");
  await again(world);
  const promoted = await promote(world, ["--yes"]);
  expect(promoted.code).toBe(3);
  expect(told(promoted)).toContain("changed at the source, or by the values that you gave, since run 1: duration");
});

test("a value that an undo put back can be promoted after all, with --again", async () => {
  await using world = await openWorld({ runs: ONE_TOO_FAST });
  const id = await rejectedIn(world);
  const fixTo = async (km: number) => {
    await runHere(world, ["quarantine", "take-back", id, "--journal", join(folderOf(world), "journal.db")]);
    await again(world);
    await decide(world, "quarantine", "fix", id, "--set", `distance=${km} km`, "--set", "duration=0:50:00");
    await again(world);
  };
  await fixTo(10);
  expect((await promote(world)).code).toBe(0);
  await fixTo(11);
  await promote(world, ["--yes", "--accept-differences"]);
  expect((await world.run(["undo", "2"])).code).toBe(0);
  expect(await distancesOf(world)).toContain(10);
  const left = await promote(world, ["--yes", "--accept-differences"]);
  expect(told(left)).toContain("--again brings it up to date");
  await promote(world, ["--yes", "--accept-differences", "--again"]);
  expect(await distancesOf(world)).toContain(11);
  expect((await certified(world)).read.verdict).toMatchObject({ canClose: true });
});
