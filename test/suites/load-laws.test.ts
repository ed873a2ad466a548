/**
 * The last law of every connector: its records can be loaded into a log and read back equal, in the owner's units. Each case goes through a plan, a
 * load over real HTTP, a verification and an export. The expected export is worked out here from `expected.jsonl` alone, with factors typed here.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openConnection } from "../../connectors/api/connection.ts";
import { createSink } from "../../connectors/api/sink.ts";
import { CONNECTORS } from "../../connectors/registry.ts";
import { exportLog } from "../../pipelines/export/export.ts";
import type { Line } from "../../pipelines/journal/line.ts";
import { openJournal } from "../../pipelines/journal/sqlite.ts";
import { type RunSummary, summarise } from "../../pipelines/journal/summary.ts";
import { loadPlan } from "../../pipelines/load/load-plan.ts";
import { settle } from "../../pipelines/load/settle.ts";
import { readLogView } from "../../pipelines/log/log-view.ts";
import { createEncoder } from "../../pipelines/plan/log/encode.ts";
import { planSources } from "../../pipelines/plan/plan-sources.ts";
import { openSourceFiles } from "../../pipelines/sources/source-files.ts";
import { closeSources, openSources } from "../../pipelines/sources/sources.ts";
import { type Verification, verify } from "../../pipelines/verify/verify.ts";
import { addDemoUser } from "../../service/demo.ts";
import { type Service, startService } from "../../service/server.ts";
import type { Reading } from "../../transforms/model/item.ts";
import { chosenRows, TIER } from "../support/tiers.ts";
import { type Case, expectedLines, fixtureCases, openCase, readAll } from "./fixture-cases.ts";

type Json = Record<string, unknown>;
type Measure = { readonly unit: string; readonly value: number };
type Of<K extends Reading["kind"]> = Extract<Reading, { kind: K }>;

/** The zone a person would name for these archives. The positions in them are of the same zone. */
const ZONE = "Europe/Vienna";

/** The international mile and yard of 1959, and the avoirdupois pound. */
const METRES: Readonly<Record<string, number>> = { m: 1, km: 1000, mi: 1609.344, yd: 0.9144 };
const KILOGRAMS: Readonly<Record<string, number>> = { kg: 1, lb: 0.45359237 };

const OWNERS = {
  miles: { distance: "mi", weight: "lb", temperature: "F" },
  kilometres: { distance: "km", weight: "kg", temperature: "C" },
} as const;

type Owner = (typeof OWNERS)[keyof typeof OWNERS];

/** The owners that a case is loaded for: one or the other in turn, and by name both. */
function unitsFor(index: number): readonly (keyof typeof OWNERS)[] {
  const all = ["miles", "kilometres"] as const;
  return all.filter((_, at) => TIER === undefined || at === index % 2);
}

/** The owner whose units the log must use; undefined for an export of a log, which keeps the units it had there. */
function ownerOf({ connector }: Case, units: keyof typeof OWNERS): Owner | undefined {
  return CONNECTORS.find(({ name }) => name === connector)?.ofLog ? undefined : OWNERS[units];
}

/** The log's numbers of the activities everybody has, and of the types of runs. */
const ACTIVITY_IDS = { run: 10, bike: 11, swim: 12, weight: 13 };
const RUN_TYPE_IDS: Readonly<Record<string, number>> = { easy: 1, interval: 3, long: 4, race: 6 };
const OWN_ACTIVITIES = ["walk", "hike", "elliptical", "row", "ski", "yoga", "other"];

let service: Service;
let folder: string;
let users = 0;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "logferry-laws-"));
  service = await startService({ database: ":memory:" });
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The result of a case in a log of its own. */
interface Loaded {
  readonly summary: RunSummary;
  readonly lines: readonly Line[];
  readonly verification: Verification;
  /** `log.json` of the export. */
  readonly exported: { readonly [member: string]: readonly Json[] };
  readonly activityIDs: Readonly<Record<string, number>>;
}

async function loadCase(each: Case, units: keyof typeof OWNERS): Promise<Loaded> {
  const own = join(folder, String(++users));
  const user = await addDemoUser(service, {
    units,
    utcOffset: 1,
    activities: OWN_ACTIVITIES,
    screenName: `user ${users}`,
  });
  const activityIDs = { ...ACTIVITY_IDS, ...user.activityIDs };
  const { signal } = new AbortController();
  const connection = openConnection({ baseUrl: service.url, token: user.token, rate: undefined, inFlight: 4 });
  const sources = await openSources([archivePath(each)], undefined);
  const journal = await openJournal(join(own, "journal.db"));
  try {
    const view = await readLogView(connection, signal);
    const options = { tracks: true, activityIDs, workoutIDs: { run: RUN_TYPE_IDS } };
    const run = await planSources({
      sources,
      log: view,
      journal,
      settings: { sports: new Map(), activityIDs, preference: view.preference, time: { zone: ZONE, utcOffset: 1 } },
      options,
      signal,
      now: Date.now,
      onIssue: () => undefined,
      onProgress: () => undefined,
    });
    if (run === undefined) throw new Error("the plan was stopped");
    const sink = createSink(connection);
    const encode = createEncoder(options);
    const files = openSourceFiles(run);
    const list = view.list.bind(view);
    const sleep = async () => undefined;
    await loadPlan(run, {
      journal,
      sink,
      files,
      encode,
      settle: (stop) => settle({ journal, list, sleep, onWait: () => undefined }, stop),
      report: async () => undefined,
      onProgress: () => undefined,
      now: Date.now,
      concurrency: 4,
      signal,
    });
    await files.close();
    const lines: Line[] = [];
    for await (const line of journal.lines(run.id, {})) lines.push(line);
    const verification = await verify(run, {
      journal,
      sink,
      encode,
      list: (kind) => list(kind, signal),
      concurrency: 4,
      signal,
      onProgress: () => undefined,
    });
    const formats = ["json"] as const;
    const [onIssue, onProgress] = [() => undefined, () => undefined];
    await exportLog({ connection, folder: join(own, "log"), formats, now: Date.now, signal, onIssue, onProgress });
    const summary = await summarise(journal, (await journal.run(run.id)) ?? run);
    return {
      summary,
      lines,
      verification,
      exported: JSON.parse(readFileSync(join(own, "log", "log.json"), "utf8")),
      activityIDs,
    };
  } finally {
    await journal.close();
    await closeSources(sources);
    await connection.close();
  }
}

/** The path a person would name: the folder, or the one zip that lies in it. */
function archivePath({ folder: path }: Case): string {
  const [only = "", ...others] = readdirSync(join(path, "archive"));
  return join(path, "archive", ...(only.endsWith(".zip") && others.length === 0 ? [only] : []));
}

/** The content of the case, by its expectation. A case without an expectation is read by its connector. */
async function readingsOf(each: Case): Promise<readonly Reading[]> {
  const lines = expectedLines(each);
  if (lines !== undefined) return lines.map((line) => JSON.parse(line)).filter(({ kind }) => kind !== "issue");
  const connector = CONNECTORS.find(({ name }) => name === each.connector);
  if (connector === undefined) throw new RangeError(`no connector is called ${each.connector}`);
  const archive = await openCase(each);
  try {
    return (await readAll(connector, archive)).readings;
  } finally {
    await archive.close();
  }
}

/**
 * The first tier takes one layout of these, which have the most kinds of records and of tracks. Of the others it holds what is read
 * (connectors.test.ts), and one loader carries all of them.
 */
const IN_FIRST_TIER = [
  ...["apple-health", "csv", "device-files", "fitbit", "garmin", "logferry-export"],
  ...["polar", "runkeeper", "samsung", "strava", "strong", "tomtom"],
];

const known = fixtureCases().filter(({ connector }) => CONNECTORS.some(({ name }) => name === connector));
const isFirst = ({ connector }: Case, index: number) =>
  IN_FIRST_TIER.includes(connector) && known.findIndex((each) => each.connector === connector) === index;
const cases = chosenRows(known, isFirst);

describe.each(cases)("$connector/$name, loaded and read back", (each) => {
  test.each(unitsFor(known.indexOf(each)))("by an owner of %s, holds every value that went in", async (units) => {
    const readings = await readingsOf(each);
    const { summary, lines, verification, exported, activityIDs } = await loadCase(each, units);
    expect(summary.balanced).toBe(true);
    expect(summary.all).toMatchObject({ read: readings.length, left: 0, refused: 0, failed: 0, inDoubt: 0 });
    expect(verification.discrepancies.map(({ line, differences }) => [line.key, differences])).toEqual([]);
    expect(verification.claimedTwice).toEqual([]);

    // Read as two sources, a record of both has a line in each: the loaded one, and its copy.
    const copiesFirst = [...lines].sort((a, b) => Number(b.state === "merged") - Number(a.state === "merged"));
    const lineOf = new Map(copiesFirst.map((line) => [line.key, line]));
    const members = { workout: "workouts", equipment: "equipment", course: "courses" } as const;
    /** The exported record of a reading's key. */
    const recordOf = (kind: keyof typeof members, key: string): Json => {
      const found = exported[members[kind]]?.filter(({ id }) => id === lineOf.get(key)?.remoteId) ?? [];
      expect(found, `${kind}s in the export for ${key}`).toHaveLength(1);
      return found[0] ?? {};
    };
    const made = { workout: 0, equipment: 0, course: 0 };
    for (const reading of readings) {
      if (reading.kind === "set-aside") continue;
      const activity = reading.kind === "course" ? "run" : reading.value.activity;
      const { state, duplicateOf } = lineOf.get(reading.key) ?? {};
      const isEmpty = reading.kind === "workout" && ownerOf(each, units) !== undefined && isUntold(reading.value);
      if (activity === undefined || activityIDs[activity] === undefined || isEmpty) {
        expect(state, reading.key).toBe("quarantined");
        continue;
      }
      if (state === "merged") {
        // Of three copies, one may be merged into another that is merged itself.
        const seen = new Set<string>();
        let kept = lineOf.get(duplicateOf ?? "");
        for (; kept?.state === "merged" && !seen.has(kept.key); kept = lineOf.get(kept.duplicateOf ?? ""))
          seen.add(kept.key);
        expect(kept?.state, `the duplicate of ${reading.key}, through ${[...seen]}`).toBe("done");
        continue;
      }
      expect(state, reading.key).toBe("done");
      made[reading.kind]++;
      const record = recordOf(reading.kind, reading.key);
      const wanted = WANTED[reading.kind](reading as never, ownerOf(each, units), activityIDs);
      for (const [field, value] of Object.entries(wanted)) {
        expect(pathOf(record, field), `${field} of ${reading.key}`).toSatisfy(value, describeWanted(field, reading));
      }
      if (reading.kind !== "workout") continue;
      const { course, equipment } = reading.value;
      if (equipment?.[0] !== undefined) {
        expect((record.equipment as Json[])[0]?.id).toBe(recordOf("equipment", equipment[0]).id);
      }
      if (course !== undefined) expect((record.course as Json).id).toBe(recordOf("course", course).id);
    }
    for (const kind of ["workout", "equipment", "course"] as const) {
      expect(exported[members[kind]], `${kind}s of the export`).toHaveLength(made[kind]);
    }
  });
});

/** What platforms write by themselves. docs/plausibility.md says that a workout with nothing else is held back. */
const BY_THEMSELVES = new Set([
  "activity",
  "sport",
  "start",
  "name",
  "equipment",
  "weather",
  "unsupported",
  "recorder",
]);

function isUntold(workout: Of<"workout">["value"]): boolean {
  return Object.keys(workout).every((member) => BY_THEMSELVES.has(member));
}

/** Whether a value of the export equals the one that was loaded. */
type Wanted = (found: unknown) => boolean;

const WANTED = { workout: wantedWorkout, equipment: wantedEquipment, course: wantedCourse };

function wantedWorkout(
  { value }: Of<"workout">,
  owner: Owner | undefined,
  activityIDs: Readonly<Record<string, number>>,
): Record<string, Wanted> {
  const { health, weather, intervalSet, raceStats, ratings } = value;
  const { date, time } = localOf(value.start);
  const title = value.name?.trim() ?? "";
  const notes = value.notes ?? "";
  const wanted: Record<string, Wanted> = {
    date: same(date),
    activityID: same(activityIDs[value.activity ?? ""]),
    notes: (found) => String(found ?? "").startsWith(title) && String(found ?? "").endsWith(notes),
  };
  for (const field of ["avgHR", "maxHR", "restHR"] as const) {
    // A 0 is a source's "not measured", and no heart reaches more than 250. Where the row has no heart rate, the recording's may stand there.
    const rate = Math.round(health?.[field] ?? 0);
    if ((rate > 0 && rate <= 250) || (owner === undefined && health?.[field] !== undefined))
      wanted[`health.${field}`] = same(rate);
  }
  // An untimed workout that goes by import gets the time of its file. The cases have no such workout.
  if (time !== undefined || value.track === undefined) wanted.timeOfDay = same(time);
  if (value.type !== undefined && value.activity === "run") wanted.workoutID = same(RUN_TYPE_IDS[value.type]);
  if (value.duration !== undefined) wanted["details.duration"] = about(value.duration);
  if (value.distance !== undefined) wanted["details.distance"] = length(value.distance, owner?.distance);
  if (health?.weight !== undefined) wanted["health.weight"] = mass(health.weight, owner?.weight);
  if (weather?.temperature !== undefined) wanted["weather.temperature"] = heat(weather.temperature, owner?.temperature);
  if (weather?.conditions !== undefined) {
    wanted["weather.conditions"] = (found) =>
      String([...(found as string[])].sort()) === String([...(weather.conditions ?? [])].sort());
  }
  for (const [field, number] of Object.entries(raceStats ?? {})) wanted[`raceStats.${field}`] = same(number);
  for (const [field, number] of Object.entries(ratings ?? {})) {
    // RATING_RANGE of assumptions.ts: 1 to 10, in whole numbers.
    const whole = Math.round(number);
    wanted[`ratings.${field}`] = same((whole >= 1 && whole <= 10) || owner === undefined ? whole : undefined);
  }
  if (intervalSet !== undefined) {
    wanted["intervalSet.intervals.length"] = same(intervalSet.intervals.length);
    for (const [index, interval] of intervalSet.intervals.entries()) {
      const path = `intervalSet.intervals.${index}`;
      wanted[`${path}.type`] = same(interval.type);
      if (interval.duration !== undefined) wanted[`${path}.duration`] = about(interval.duration);
      const { distance } = interval;
      if (distance === undefined) continue;
      // 400 m is 0.25 mi, which is below one whole unit of the owner's. Such intervals stand in metres.
      const isShort = distance.value * factor(METRES, distance.unit) < factor(METRES, owner?.distance ?? "m");
      wanted[`${path}.distance`] = length(distance, isShort && owner !== undefined ? "m" : owner?.distance);
    }
  }
  return wanted;
}

function wantedEquipment(
  { value }: Of<"equipment">,
  _owner: Owner | undefined,
  activityIDs: Readonly<Record<string, number>>,
): Record<string, Wanted> {
  const { activity, brandName, modelName, serial, gender, notes, purchaseDate, price } = value;
  const plain = { brandName, modelName, serial, gender, notes, purchaseDate, price };
  return {
    activityID: same(activityIDs[activity]),
    ...Object.fromEntries(Object.entries(plain).map(([field, text]) => [field, same(text)])),
  };
}

function wantedCourse({ value }: Of<"course">, owner: Owner | undefined): Record<string, Wanted> {
  const { name, notes, distance, surfaces } = value;
  return {
    name: same(name),
    notes: same(notes),
    ...(distance !== undefined && { distance: length(distance, owner?.distance) }),
    ...(surfaces !== undefined && { surfaces: (found: unknown) => String(found) === String(surfaces) }),
  };
}

/** The wall clock at the place of the workout: the source's own, the device's distance from UTC, else the zone. */
function localOf(start: Of<"workout">["value"]["start"]): { date: string | undefined; time: string | undefined } {
  const { instant = Number.NaN, offsetMinutes } = start;
  if (start.date !== undefined) {
    if (start.time !== undefined || Number.isNaN(instant)) return { date: start.date, time: start.time };
    // The settings name a zone, and so an instant on that day gives its time.
    const [day, clock] = new Date(instant).toLocaleString("sv-SE", { timeZone: ZONE }).split(" ");
    return { date: start.date, time: day === start.date && start.untimed !== true ? clock : undefined };
  }
  if (offsetMinutes !== undefined) {
    const [date, time] = new Date(instant + offsetMinutes * 60_000).toISOString().slice(0, 19).split("T");
    // A time that stands for a day is no time.
    return { date, time: start.untimed === true ? undefined : time };
  }
  // Swedish dates have the form of ISO 8601.
  const [date, time] = new Date(instant).toLocaleString("sv-SE", { timeZone: ZONE }).split(" ");
  // A time that stands for a day is no time.
  return { date, time: start.untimed === true ? undefined : time };
}

function same(wanted: unknown): Wanted {
  return (found) => found === wanted;
}

function about(wanted: number): Wanted {
  return (found) => typeof found === "number" && Math.abs(found - wanted) <= 1e-6 * Math.max(1, wanted);
}

/** The log is written to 0.001 mi and km. Shorter distances are written to whole metres. */
function length(wanted: Measure, preferred: string | undefined): Wanted {
  if (preferred === undefined) return asItIs(wanted);
  const metres = wanted.value * factor(METRES, wanted.unit);
  const unit = metres < factor(METRES, preferred) ? "m" : preferred;
  return within(metres / factor(METRES, unit), unit, unit === "m" ? 0.5 : 0.0005);
}

/** To 0.1 lb and kg. */
function mass(wanted: Measure, unit: string | undefined): Wanted {
  if (unit === undefined) return asItIs(wanted);
  return within((wanted.value * factor(KILOGRAMS, wanted.unit)) / factor(KILOGRAMS, unit), unit, 0.05);
}

/** To 0.1 degree. */
function heat(wanted: Measure, unit: string | undefined): Wanted {
  if (unit === undefined) return asItIs(wanted);
  const celsius = wanted.unit === "C" ? wanted.value : ((wanted.value - 32) * 5) / 9;
  return within(unit === "C" ? celsius : (celsius * 9) / 5 + 32, unit, 0.05);
}

/** Unit and value, unrounded. */
function asItIs({ unit, value }: Measure): Wanted {
  return (found) => {
    const measure = (found ?? {}) as Partial<Measure>;
    return measure.unit === unit && measure.value === value;
  };
}

function within(amount: number, unit: string, half: number): Wanted {
  return (found) => {
    const measure = (found ?? {}) as Partial<Measure>;
    return measure.unit === unit && Math.abs((measure.value ?? Number.NaN) - amount) <= half + 1e-9;
  };
}

function factor(table: Readonly<Record<string, number>>, unit: string): number {
  return table[unit] ?? Number.NaN;
}

function pathOf(record: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((value, name) => (value as Json | undefined)?.[name], record);
}

function describeWanted(field: string, reading: Reading): string {
  return `to be ${field} of ${JSON.stringify("value" in reading ? reading.value : undefined)}`;
}
