import { join } from "node:path";
import { generateX25519Identity } from "age-encryption";
import { afterEach, describe, expect, test } from "vitest";
import { type Connection, openConnection } from "../connectors/api/connection.ts";
import type { Keys } from "../connectors/repository/keys.ts";
import { openRepository } from "../connectors/repository/repository.ts";
import type { Snapshot } from "../connectors/repository/snapshot.ts";
import { backUp } from "../pipelines/backup/backup.ts";
import { check, forget, type Policy } from "../pipelines/backup/snapshots.ts";
import { deleteWorkout } from "./support/delete-workout.ts";
import { randomOf, SEED } from "./support/random.ts";
import { type Rehearsal, rehearse } from "./support/rehearsal.ts";

// Two years of nights with a clock that is moved. Each night has a backup of a log that was edited since, into a repository that is opened anew, and
// a forget. A simple model says, night after night, which snapshots must be kept. Every kept snapshot must hold what the log held that night.
//
// `npm run nights` lives all of it, which takes minutes. The suite lives the nights around the changes of the calendar. In one place it also makes a
// snapshot in all other nights, of an unchanged log, and forgets now and then.

const ALL = process.env.LOGFERRY_TEST_NIGHTS === "all";

/** From a Thursday in June to the same day two years later, over the leap day of 2028. */
const FIRST_DAY = "2026-06-18";
const LAST_DAY = "2028-06-18";

const POLICY: Policy = { last: 2, daily: 7, weekly: 5, monthly: 12, yearly: 3 };

/** Places, whether their repository is encrypted, and the days around which the suite lives every night. */
const PLACES = [
  { zone: "UTC", isEncrypted: false, hasAll: true, around: ["2026-06-18", "2028-02-29", "2028-06-17"] },
  // The changes of the clock, and the leap day.
  { zone: "Pacific/Auckland", isEncrypted: false, hasAll: false, around: ["2026-09-27", "2027-04-04", "2028-02-29"] },
  { zone: "America/St_Johns", isEncrypted: true, hasAll: false, around: ["2026-11-01", "2027-03-14", "2028-02-29"] },
] as const;

const DAY_MS = 86_400_000;
const TEN_MINUTES = 600_000;

/** Days that matter in any calendar, without a time zone. */
function daysBetween(first: string, last: string): readonly string[] {
  const days = [];
  for (let at = Date.parse(first); at <= Date.parse(last); at += DAY_MS)
    days.push(new Date(at).toISOString().slice(0, 10));
  return days;
}

/** The time at which `cron` starts a job planned for 02:30 there. It is that time or, when the clock skips it, the first time after it. */
function nightOf(day: string, zone: string): number {
  const clock = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "short" });
  for (let at = Date.parse(day) - 16 * 3_600_000; ; at += TEN_MINUTES) {
    const [date = "", time = ""] = clock.format(at).split(" ");
    if (date === day && time >= "02:30") return at;
  }
}

/** The result of a night: its day, and the workouts with their notes. */
interface Night {
  readonly day: string;
  readonly workouts: string;
}

/** The model. It goes through the snapshots, newest first. A rule keeps each one that opens a new period, until it has kept enough. */
function modelKeeps(nights: readonly Night[]): readonly Night[] {
  const monday = (day: string) => {
    const date = new Date(`${day}T12:00:00Z`);
    while (date.getUTCDay() !== 1) date.setUTCDate(date.getUTCDate() - 1);
    return date.toISOString().slice(0, 10);
  };
  const rules: readonly [number | undefined, (night: Night, index: number) => string][] = [
    [POLICY.last, (_night, index) => String(index)],
    [POLICY.daily, ({ day }) => day],
    [POLICY.weekly, ({ day }) => monday(day)],
    [POLICY.monthly, ({ day }) => day.slice(0, 7)],
    [POLICY.yearly, ({ day }) => day.slice(0, 4)],
  ];
  const kept = new Set<Night>();
  for (const [most = 0, periodOf] of rules) {
    const periods: string[] = [];
    for (const [index, night] of nights.toReversed().entries()) {
      const period = periodOf(night, index);
      if (!periods.includes(period) && periods.push(period) <= most) kept.add(night);
    }
  }
  return nights.filter((night) => kept.has(night));
}

let log: Rehearsal;
let connection: Connection;
afterEach(async () => {
  await connection.close();
  await log.close();
});

async function save(body: object, id?: string): Promise<string> {
  const answer = await fetch(
    `${log.service.url}/rest/logs/me/workouts${id === undefined ? "" : `/${id}`}?access_token=${log.token}`,
    {
      method: id === undefined ? "POST" : "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    },
  );
  const { code, data } = (await answer.json()) as { code: number; data: { id: string } };
  expect(code).toBe(0);
  return data.id;
}

/** A runner's day. On some days there is a run, on some a note on another one, and now and then a run is taken out. */
async function liveThrough(
  day: string,
  held: Map<string, { date: string; notes: string }>,
  random: () => number,
): Promise<void> {
  if (random() < 0.3) {
    const notes = `run of ${day}`;
    held.set(await save({ activityID: 10, date: day, notes }), { date: day, notes });
  }
  const some = [...held][Math.floor(random() * held.size)];
  if (some === undefined) return;
  const [id, { date }] = some;
  if (random() < 0.15) {
    const notes = `said on ${day}`;
    await save({ activityID: 10, date, notes }, id);
    held.set(id, { date, notes });
  } else if (random() < 0.03) {
    deleteWorkout(join(log.folder, "service.db"), id);
    held.delete(id);
  }
}

const asText = (held: Iterable<readonly [string, string]>) =>
  [...held]
    .map(([id, notes]) => `${id} ${notes}`)
    .toSorted()
    .join("\n");

describe.each(PLACES)("two years of nights in $zone", ({ zone, isEncrypted, hasAll, around }) => {
  test(`every forget keeps exactly what the model keeps, and every snapshot what the log held (LOGFERRY_TEST_SEED=${SEED})`, async () => {
    log = await rehearse();
    connection = openConnection({ baseUrl: log.service.url, token: log.token, rate: undefined, inFlight: 4 });
    const random = randomOf(SEED);
    const root = join(log.folder, "repository");
    const keys: Keys | undefined = isEncrypted
      ? { identities: [await generateX25519Identity()], create: { recipients: [] } }
      : undefined;
    const signal = new AbortController().signal;
    const held = new Map<string, { date: string; notes: string }>();
    const isAwake = (day: string) =>
      ALL || around.some((one) => Math.abs(Date.parse(one) - Date.parse(day)) <= 2 * DAY_MS);
    const days = daysBetween(FIRST_DAY, LAST_DAY).filter((day) => hasAll || isAwake(day));
    let model: readonly Night[] = [];
    let last: Snapshot | undefined;
    for (const [index, day] of days.entries()) {
      if (last !== undefined && !isAwake(day)) {
        // As a backup of an unchanged log leaves it, without asking the log.
        const { id: _id, file: _file, ...body } = last;
        const repository = await openRepository(root, keys);
        const time = new Date(nightOf(day, zone)).toISOString();
        last = await repository.writeSnapshot({ ...body, time, day, pass: "changes" });
        model = [...model, { day, workouts: model.at(-1)?.workouts ?? "" }];
        if (index % 90 !== 0) continue;
        model = modelKeeps(model);
        const { kept } = await forget(repository, POLICY, { now: nightOf(day, zone), signal });
        expect(kept.map((one) => one.snapshot.day)).toEqual(model.map((night) => night.day));
        continue;
      }
      await liveThrough(day, held, random);
      const repository = await openRepository(root, keys);
      const now = nightOf(day, zone);
      const { snapshot } = await backUp({
        connection,
        repository,
        full: false,
        fullEvery: 7,
        version: "0.1.0",
        zone,
        now: () => now,
        signal,
        onProgress: () => undefined,
      });
      expect(snapshot.day).toBe(day);
      last = snapshot;
      const workouts = asText([...held].map(([id, { notes }]) => [id, notes] as const));
      model = modelKeeps([...model, { day, workouts }]);
      const { kept } = await forget(repository, POLICY, { now, signal });
      expect(kept.map((one) => one.snapshot.day)).toEqual(model.map((night) => night.day));
      if (index % 25 !== 0 && index !== days.length - 1) continue;
      const inRepository = [];
      for (const one of (await repository.readSnapshots()).snapshots) {
        const records = [];
        for (const chunk of one.pieces.filter(({ kind }) => kind === "workout")) {
          const read = await repository.readChunk(chunk);
          if (typeof read === "string") expect.unreachable(`${chunk.file} ${read}`);
          else records.push(...read.map(({ value }) => [String(value.id), String(value.notes)] as const));
        }
        inRepository.push({ day: one.day, workouts: asText(records) });
      }
      expect(inRepository).toEqual(model);
    }
    expect(await check(await openRepository(root, keys), { part: 1, of: 1 }, signal)).toMatchObject({
      damaged: [],
      unused: [],
    });
    if (!hasAll && !ALL) return;
    expect(days).toHaveLength(732);
    expect(days).toContain("2028-02-29");
    // 18 June 2028 is a Sunday. Seven days are kept, four Sundays before, and the last days of twelve months and of two years. One of the years' days
    // is also one of the months'.
    expect(model.map((night) => night.day)).toEqual([
      ...["2026-12-31", "2027-07-31", "2027-08-31", "2027-09-30", "2027-10-31", "2027-11-30", "2027-12-31"],
      ...["2028-01-31", "2028-02-29", "2028-03-31", "2028-04-30", "2028-05-21", "2028-05-28", "2028-05-31"],
      ...["2028-06-04", "2028-06-11", "2028-06-12", "2028-06-13", "2028-06-14", "2028-06-15", "2028-06-16"],
      ...["2028-06-17", "2028-06-18"],
    ]);
  });
});
