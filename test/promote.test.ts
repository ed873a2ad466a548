/**
 * A promotion as a nervous person does it: a rehearsal, a look, and the same in the real log. Both logs are read by the interface alone, field by
 * field, and compared here.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { expect, test } from "vitest";
import type { Next } from "../cli/guide/standing.ts";
import { openJournal } from "../pipelines/journal/sqlite.ts";
import { jsonOf, openWorld, summaryOf, type World } from "./matrix/world.ts";
import { certified, countsOf } from "./support/certified.ts";
import { runHere } from "./support/here.ts";
import { type NightClock, nightClock } from "./support/night-clock.ts";
import {
  distancesOf,
  folderOf,
  type Json,
  outOf,
  promote,
  realLog,
  rehearsedLog,
  rehearseIn,
  told,
} from "./support/promotions.ts";
import { type Ran, ROOT } from "./support/rehearsal.ts";
import { type SheetRun, someRuns, writeSheet } from "./support/small-sources.ts";
import { longTest } from "./support/tier-tests.ts";
import { typeWorkout } from "./support/typed-workout.ts";

/** The step that the guide offers next. */
async function nextIn(world: World): Promise<Next | undefined> {
  const { readStanding } = await import("../cli/guide/standing.ts");
  const journal = join(world.folder, "journal.db");
  const options = { profile: "nobody", journal, out: folderOf(world) };
  return (await readStanding({ options, environment: {}, folders: [world.folder] })).next;
}

/** What the promotion said of each record that is not as in the rehearsal. */
function differencesIn(ran: Ran) {
  return jsonOf(ran.out)
    .filter(({ type }) => type === "difference")
    .map(({ rule, origin, waits, found }) => ({
      rule,
      place: (origin as { locator?: string }).locator,
      waits,
      found: String(found),
    }));
}

/** Promotes at a terminal, where a person types. */
async function promoteAtTerminal(world: World, text: string): Promise<Ran> {
  const input = Object.assign(Readable.from([text]), { isTTY: true });
  const before = Object.getOwnPropertyDescriptor(process.stderr, "isTTY");
  Object.defineProperty(process.stderr, "isTTY", { value: true, configurable: true });
  try {
    return await runHere(world, ["promote", ...outOf(world)], { input });
  } finally {
    if (before === undefined) Reflect.deleteProperty(process.stderr, "isTTY");
    else Object.defineProperty(process.stderr, "isTTY", before);
  }
}

const inMetres = (km: number) => Math.round(km * 1000);

/** Writes the sheet of a world anew, with a change of one of its runs. */
function change(world: World, at: number, values: Partial<SheetRun>): void {
  writeSheet(
    world.folder,
    world.runs.map((run, index) => (index === at ? { ...run, ...values } : run)),
  );
}

test("two sources of the demo: the real log equals the rehearsed one, field by field", async () => {
  await using world = await openWorld({ databaseFile: true });
  const demo = ["watch", "log-2012-2015.csv"].map((name) => join(ROOT, "fixtures", "demo", name));
  await rehearseIn(world, demo, ["--since", "2015-12", "--until", "2016-01"]);
  const ran = await promote(world);
  expect(ran.code, told(ran)).toBe(3);
  const rehearsed = await rehearsedLog(folderOf(world));
  expect(rehearsed.length).toBeGreaterThan(12);
  expect(await realLog(world)).toEqual(rehearsed);
  expect(differencesIn(ran)).toEqual([]);
  const again = await promote(world, ["--json", "--yes"]);
  expect(summaryOf(again).ledger).toMatchObject({ created: 0, updated: 0, left: 0 });
  for (const name of readdirSync(folderOf(world), { recursive: true, encoding: "utf8" }))
    expect(readFileSync(join(folderOf(world), name)).includes(world.token), name).toBe(false);
  expect(told(ran) + told(again)).not.toContain(world.token);
});

test("a workout that was typed since is not sent, a changed row waits, and the rest arrives", async () => {
  const runs = someRuns(6).map((run) => ({ ...run, shoe: "Pegasus" }));
  await using world = await openWorld({ runs });
  await rehearseIn(world, [world.sheet], ["--accept", "rejected=1"]);
  const [, second, , fourth] = runs as [SheetRun, SheetRun, SheetRun, SheetRun];
  await typeWorkout(world, {
    ...{ activityID: 10, date: second.date, time: `${second.time}:00`, notes: "typed" },
    details: { distance: { unit: "km", value: second.km }, duration: second.seconds },
  });
  change(world, 3, { km: fourth.km + 1 });
  const answered = await promoteAtTerminal(world, "\n");
  expect(answered.code, told(answered)).toBe(0);
  // The rule of the rehearsal is fixed in the plan of the promotion.
  expect(answered.out).toContain("At most 1 record may stay rejected.");
  expect(answered.out).toContain("You pressed Enter alone.\nNothing was changed. To do it: logferry promote");
  expect(await distancesOf(world)).toHaveLength(1);
  const ran = await promote(world);
  expect(ran.code, told(ran)).toBe(3);
  expect(differencesIn(ran)).toEqual([
    {
      ...{ rule: "promote/changed", place: "line 5", waits: true },
      found: "the rehearsal wrote details.distance 5.03 km; now it would be details.distance 6.03 km",
    },
  ]);
  const others = runs.filter((run) => run !== fourth).map(({ km }) => km);
  expect((await distancesOf(world)).toSorted()).toEqual(others.toSorted());
  const typed = (await realLog(world)).filter((record) => record.includes("typed"));
  expect(typed).toHaveLength(1);
  // The person has a look, and it is right.
  const accepted = await promote(world, ["--json", "--yes", "--accept-differences"]);
  expect(accepted.code, told(accepted)).toBe(0);
  expect((await distancesOf(world)).toSorted()).toEqual([...others, 6.03].toSorted());
  // The guide leads on, until there is a certificate.
  expect(await nextIn(world)).toEqual({ kind: "verify", of: "log.csv" });
  expect((await runHere(world, ["verify"])).code).toBe(0);
  expect(await nextIn(world)).toEqual({ kind: "certify", of: "log.csv" });
  writeFileSync(join(world.folder, "logferry-certificate.json"), "{}");
  expect(await nextIn(world)).toBeUndefined();
});

test("what is new in a source, gone from it or perhaps in the log waits or is told, and a workout waits with its shoe", async () => {
  const runs = someRuns(6).map((run, at) => (at === 0 ? { ...run, shoe: "Kinvara" } : run));
  await using world = await openWorld({ runs });
  await rehearseIn(world);
  const [, second] = runs as [SheetRun, SheetRun];
  const typed = {
    ...{ activityID: 10, date: second.date, time: "07:09:30" },
    details: { distance: { unit: "km", value: second.km * 1.1 }, duration: second.seconds * 1.2 },
  };
  await typeWorkout(world, typed);
  // The row in the place of the sixth run is no row of a workout any more.
  const sheet = writeSheet(world.folder, [...runs.slice(0, 5), ...someRuns(2, "2021-05-05")]);
  writeFileSync(sheet, readFileSync(sheet, "utf8").replace(/^2021-05-05.*$/m, ",,,,,,,"));
  const map = join(world.folder, "log.map.yaml");
  writeFileSync(map, readFileSync(map, "utf8").replace("modelName: Kinvara", "modelName: Kinvara, notes: red"));
  const ran = await promote(world);
  expect(ran.code, told(ran)).toBe(3);
  const wrote = "the rehearsal wrote";
  expect(differencesIn(ran)).toEqual([
    {
      rule: "promote/changed",
      place: "line 2",
      waits: true,
      found: `${wrote} notes nothing; now it would be notes "red"`,
    },
    {
      ...{ rule: "promote/not-seen", place: "line 8", waits: true },
      found: "the rehearsal did not have it; now it would be new",
    },
    {
      ...{ rule: "promote/perhaps-in-log", place: "line 3", waits: true },
      found: expect.stringMatching(
        /^the rehearsal wrote it; your log may have it already: \w+ in your log, 2020-01-02 07:09 5\.511 km$/,
      ),
    },
    {
      ...{ rule: "promote/waits-for", place: "line 2", waits: true },
      found: "what it was done with waits: log.csv line 2",
    },
    {
      ...{ rule: "promote/left-out-now", place: "line 7", waits: false },
      found: "the rehearsal wrote it, and the sources no longer have it",
    },
  ]);
  expect(await distancesOf(world)).toHaveLength(1 + 3);
  const status = await runHere(world, ["quarantine"]);
  expect(status.out).toContain("it is not as the rehearsal showed it (promote/changed)");
  expect(status.out).toContain("logferry promote --accept-differences");
  expect(status.out).toContain("your log may have it already, so it waits until you say whether it does");
  expect(status.out).toContain("say whether they are one or two: logferry plan review. Then promote again");
  // The person says which run it is, in the journal of the real log.
  const [pair] = jsonOf((await runHere(world, ["plan", "review", "--list", "--json"])).out);
  const said = await runHere(world, ["plan", "review", "--answer", `${pair?.pair}=one`]);
  expect(said.out).toContain("For 1 pair it counts from the next plan on.");
  const again = differencesIn(await promote(world));
  expect(again.map(({ place }) => place)).toEqual(expect.not.arrayContaining(["line 3"]));
  expect(await distancesOf(world)).toHaveLength(1 + 3);
});

test("a duplicate of a record that stays out is not in the log either: it counts against the rule, by a drop too", async () => {
  const [first, second] = someRuns(2) as [SheetRun, SheetRun];
  await using world = await openWorld({ runs: [first, second] });
  const other = writeSheet(join(world.folder, "other"), [{ ...second, km: second.km + 0.01 }], "watch");
  await rehearseIn(world, [world.sheet, other], ["--accept", "rejected=1", "--accept", "dropped=1"]);
  // Everything is as planned in the private log, and nobody can close an account for that.
  const rehearsed = await runHere(world, ["status"], { journal: join(folderOf(world), "journal.db") });
  expect(rehearsed.out).toContain("Not yet: this was a rehearsal, and nothing of it is in your real log");
  await typeWorkout(world, {
    ...{ activityID: 10, date: second.date, time: "07:09:30" },
    details: { distance: { unit: "km", value: second.km * 1.1 }, duration: second.seconds * 1.2 },
  });
  const ran = await promote(world, ["--yes"]);
  expect(ran.out).toContain("1 of 3 records are in your log");
  const waiting = await certified(world);
  expect(waiting.ran.code, told(waiting.ran)).toBe(3);
  expect(countsOf(waiting.read)).toEqual({ created: 1, waiting: 2 });
  expect(waiting.ran.out).toContain(
    "1 record waits for your decision, and 1 record is a duplicate of one that stays out",
  );

  const id = waiting.read.records.find((record) => record.class === "waiting")?.id ?? "";
  const dropped = await runHere(world, ["quarantine", "drop", id]);
  expect(told(dropped)).toContain("1 record of the same workout stays out, too: watch.csv line 2");
  const after = await certified(world);
  expect(after.ran.code, told(after.ran)).toBe(3);
  expect(countsOf(after.read)).toEqual({ created: 1, dropped: 2 });
  // The copy is not loaded as a workout of its own, until the drop is taken back.
  expect((await promote(world, ["--yes"])).out).toContain("2 were left out");
  const back = await runHere(world, ["quarantine", "take-back", id]);
  expect(back.out.match(/is no longer dropped/g)).toHaveLength(2);
});

test("sport names, fixed records and answers about pairs of the rehearsal count in the real log", async () => {
  const [first, second, third] = someRuns(3) as [SheetRun, SheetRun, SheetRun];
  await using world = await openWorld({ runs: [first, second, third] });
  const text = readFileSync(world.sheet, "utf8");
  writeFileSync(world.sheet, text.replace(/(-03,.*?),Run/, "$1,Plogging").replace("2020-01-01", "2020-13-01"));
  // Perhaps the second run once more.
  const other = writeSheet(
    join(world.folder, "other"),
    [{ ...second, time: "07:10", km: second.km * 1.1, seconds: second.seconds * 1.2 }],
    "watch",
  );
  const journal = join(folderOf(world), "journal.db");
  const sources = [world.sheet, other];
  await rehearseIn(world, sources, ["--sport", "Plogging=walk"]);
  const lines = async (words: readonly string[]) =>
    jsonOf((await runHere(world, [...words, "--json"], { journal })).out);
  const [rejected] = (await lines(["quarantine"])).filter(({ type }) => type === "quarantined");
  await runHere(world, ["quarantine", "fix", String(rejected?.id), "--set", "date=2020-01-01"], { journal });
  const [pair] = (await lines(["plan", "review", "--list"])).filter(({ type }) => type === "pair");
  const answered = await runHere(world, ["plan", "review", "--answer", `${pair?.pair}=one`], { journal });
  expect(answered.code, told(answered)).toBe(0);
  expect(told(await promote(world))).toContain("You made 2 decisions after the rehearsal.");
  await rehearseIn(world, sources, ["--sport", "Plogging=walk"]);
  const ran = await promote(world);
  expect(ran.code, told(ran)).toBe(0);
  expect(differencesIn(ran)).toEqual([]);
  const real = await realLog(world);
  expect(real.map((record) => (JSON.parse(record) as Json).date)).toEqual(expect.arrayContaining([first.date]));
  expect(real.filter((record) => /"activityName":"walk/i.test(record))).toHaveLength(1);
  expect(real).toEqual(await rehearsedLog(folderOf(world)));
  expect(real).toHaveLength(3);
});

test("over three nights with a quota and two restarts each run arrives once, at the end that was promised", async () => {
  await using world = await openWorld({ runs: someRuns(66) });
  await rehearseIn(world);
  // Noon by the clock of this machine, as --at is.
  const begun = new Date(2026, 5, 1, 12).getTime();
  const ran: Ran[] = [];
  // Time moves only in sleeps, so what was sent since the last sleep was sent when that sleep ended.
  const sent: { readonly at: Date; readonly requests: number }[] = [];
  let [at, seen] = [begun, world.asked.all.length];
  const note = (clock: NightClock) => {
    const requests = world.asked.all.length - seen;
    if (requests > 0) sent.push({ at: new Date(at), requests });
    seen += requests;
    at = clock.now();
  };
  for (const day of [2, 3, 30]) {
    const stopAt = new Date(2026, 5, day, 12).toISOString();
    const clock = nightClock(new Date(at).toISOString(), stopAt, (_time, own) => note(own));
    const limits = ran.length === 0 ? ["--at", "22:00-06:00", "--per-day", "25"] : [];
    ran.push(await promote(world, ["--yes", "--json", ...limits], clock));
    note(clock);
    if (ran.length === 1) {
      const left = 66 - (await distancesOf(world)).length;
      seen = world.asked.all.length;
      expect(left).toBeLessThan(46);
      const status = await runHere(world, ["status"], { clock });
      // A request a record, and one to list the log in the end, as a plan counts them.
      expect(status.out).toContain(`${left} records left, ${left + 1} requests (22:00-06:00, 25 requests a day).`);
      expect(status.out).toContain(`logferry promote --out ${folderOf(world)}`);
    }
  }
  // Ctrl-C stopped it twice.
  expect(ran.map(({ code }) => code)).toEqual([75, 75, 0]);
  expect((await distancesOf(world)).map(inMetres).toSorted()).toEqual(
    world.runs.map(({ km }) => inMetres(km)).toSorted(),
  );
  const [promised] = ran.flatMap(({ out }) => jsonOf(out)).filter(({ type }) => type === "promotion");
  const [end, took] = [Date.parse(String(promised?.end)) - begun, at - begun];
  expect(took / 86_400_000).toBeGreaterThan(2);
  expect(Math.abs(took - end) / end).toBeLessThan(0.1);
  // The next promotion in the folder has limits of its own.
  expect(readFileSync(join(folderOf(world), "promotion.json"), "utf8")).not.toContain("22:00");
  const perDay = Map.groupBy(sent, ({ at: moment }) => moment.toDateString());
  for (const parts of perDay.values())
    expect(parts.reduce((sum, { requests }) => sum + requests, 0)).toBeLessThanOrEqual(25);
  // The first requests read the log for the plan.
  for (const { at: moment } of sent.slice(1)) expect([22, 23, 0, 1, 2, 3, 4, 5]).toContain(moment.getHours());
});

longTest(
  "a source that went away since the rehearsal is to be put back, and nobody is told to type less of a command without sources",
  async () => {
    await using world = await openWorld({ runs: someRuns(2) });
    const other = join(world.folder, "other");
    mkdirSync(other);
    writeSheet(other, someRuns(4).slice(2));
    await rehearseIn(world, [world.sheet, other]);
    renameSync(other, `${other}-away`);
    for (const again of [
      ["promote", "--yes"],
      ["rehearse", "--no-pages"],
    ]) {
      const ran = await world.run([...again, ...outOf(world)]);
      expect(ran.code, told(ran)).toBe(5);
      expect(ran.err).toContain(
        `Cannot open other: there is no such file or folder\nPut back what can't be read, where it was, and type the same again. Or rehearse without it, with the options that you gave before: logferry rehearse ${world.sheet} --out ${folderOf(world)}\n`,
      );
      expect(ran.err).not.toContain("without this one");
    }
    renameSync(`${other}-away`, other);
    const back = await promote(world);
    expect(back.code, told(back)).toBe(0);
    expect(await realLog(world)).toEqual(await rehearsedLog(folderOf(world)));
  },
);

test("without a rehearsal, after one that stopped half-way, and after a later decision it says what to do", async () => {
  await using world = await openWorld({ runs: someRuns(3) });
  const none = await promote(world, ["--yes"]);
  expect(none.code).toBe(2);
  expect(none.err).toContain(`There is no rehearsal in ${folderOf(world)}. Begin with: logferry rehearse SOURCE`);
  expect(existsSync(folderOf(world))).toBe(false);
  expect(await nextIn(world)).toBeUndefined();
  await rehearseIn(world);
  expect(await nextIn(world)).toEqual({ kind: "promote", of: "log.csv" });
  const unasked = await promote(world, []);
  expect(unasked).toMatchObject({ code: 2 });
  expect(unasked.err).toContain("Without a terminal add --yes");
  const dry = await promote(world, ["--dry-run"]);
  expect(dry.code, told(dry)).toBe(0);
  expect(dry.out).toContain("Gear and courses go first, then the workouts, newest first: 2020.");
  const journal = join(folderOf(world), "journal.db");
  const [row] = jsonOf((await runHere(world, ["quarantine", "--json"], { journal })).out);
  expect(row).toBeUndefined();
  const kept = join(folderOf(world), "rehearsed.json");
  const whole = JSON.parse(readFileSync(kept, "utf8")) as Json;
  expect(whole).toMatchObject({ sources: [world.sheet], options: { zone: "Europe/Vienna" }, exit: "done" });
  expect(statSync(kept).mode & 0o777).toBe(0o600);
  const asIf = (changes: Json) => writeFileSync(kept, JSON.stringify({ ...whole, ...changes }));
  asIf({ exit: "stopped" });
  const again = {
    kind: "rehearse",
    words: ["rehearse", world.sheet, "--zone", "Europe/Vienna", "--units", "metric"],
    of: "log.csv",
  };
  expect(await nextIn(world)).toMatchObject(again);
  const stopped = await promote(world);
  expect(stopped.code).toBe(2);
  expect(told(stopped)).toContain(
    `stopped before everything was imported and read back, so nothing was promoted. Finish it first: logferry rehearse --out ${folderOf(world)}`,
  );
  asIf({ sources: ["https://files.example/export.zip?"] });
  expect(await nextIn(world)).toBeUndefined();
  const secret = await promote(world);
  expect(told(secret)).toContain("logferry keeps no part of an address that may be secret");
  expect(world.asked.writes()).toEqual([]);
  asIf({});
  const decided = await openJournal(journal);
  const line = await decided.line(1, 1);
  const { key, run, seq, origin } = line as NonNullable<typeof line>;
  const drop = { decision: "dropped", issue: undefined, fix: undefined } as const;
  await decided.auditTrail.recordDecision({ key, run, seq, origin, at: Date.now() + 1000, ...drop });
  await decided.close();
  expect(told(await promote(world))).toContain(
    "You made 1 decision after the rehearsal. Rehearse once more, so that you see the result: logferry rehearse --out",
  );
  expect(await nextIn(world)).toMatchObject({ ...again, why: expect.stringContaining("You decided something") });
});
