/** Small jobs, each with the expected log at the end, typed by hand. */
import type { Item, Kind } from "../../transforms/model/item.ts";
import type { Workout } from "../../transforms/model/workout.ts";
import type { MadeRecording } from "./wire-log.ts";

/** A job. */
export interface Scenario {
  readonly name: string;
  readonly readings: readonly Item[];
  readonly files: Readonly<Record<string, readonly MadeRecording[]>>;
  /** Whether the service has a listing of workouts. */
  readonly lists: boolean;
  readonly concurrency: number;
  /** One fault is enough in the tests, since other scenarios cover the same with two. */
  readonly isAlikeToOthers?: true;
  /** Workouts that were in the log before, typed by its owner. */
  readonly there?: readonly { readonly name: string; readonly body: Record<string, unknown> }[];
  /** A job that was done before this one, without faults. */
  readonly before?: readonly Item[];
  /** Every record at the end: its owner, its kind, its words, its track or map, and the records it points at. */
  readonly log: readonly string[];
}

function item<K extends Kind>(kind: K, key: string, value: Extract<Item, { kind: K }>["value"]): Item {
  return { kind, key, value, origin: { connector: "made", archive: "made", entry: key } } as Item;
}

/** A run of 10 km on a day of May 2024, at seven. */
function row(key: string, day: number, extra: Partial<Workout> = {}): Item {
  return item("workout", key, {
    activity: "run",
    start: { date: `2024-05-0${day}`, time: "07:00:00" },
    distance: { unit: "km", value: 10 },
    duration: 3000,
    notes: key,
    ...extra,
  });
}

const AT_SEVEN = Date.parse("2024-05-01T05:00:00Z");

/** A recording in a device file, of so many kilometres, some hours after seven. */
function recording(key: string, hours: number, kilometres: number): MadeRecording {
  return { key, start: AT_SEVEN + hours * 3_600_000, metres: kilometres * 1000, seconds: kilometres * 300 };
}

/** The workouts of a device file. */
function recorded(entry: string, recordings: readonly MadeRecording[]): Item[] {
  return recordings.map(({ key, start, metres, seconds }, index) =>
    item("workout", key, {
      activity: "run",
      start: { instant: start, offsetMinutes: 120 },
      distance: { unit: "m", value: metres },
      duration: seconds,
      notes: `${key} in my words`,
      track: { entry, format: "fit", recording: index, recordings: recordings.length, sha256: "0" },
    }),
  );
}

const COMMON = { files: {}, lists: true, concurrency: 1 } as const;
const ONE_FILE = [recording("ride", 0, 12)];
const TWO_LEGS = [recording("leg 1", 0, 2), recording("leg 2", 1, 9)];
const SHOE = item("equipment", "Hoka", { activity: "run", brandName: "Hoka" });
const ROUTE = item("course", "River loop", {
  name: "River loop",
  distance: { unit: "km", value: 8 },
  map: { entry: "river.gpx", format: "gpx", line: 0, sha256: "0" },
});

const BY_HAND = {
  name: "by hand",
  body: {
    activityID: 10,
    date: "2024-05-01",
    time: "07:00:00",
    notes: "by hand",
    details: { distance: { unit: "km", value: 10 }, duration: 3000 },
  },
};

const SINGLE = { ...COMMON, readings: [row("a", 1)], log: ["a | 2024-05-01 07:00:00 10 km | a"] };
const TWO = {
  ...COMMON,
  readings: [row("a", 1), row("b", 2)],
  log: ["a | 2024-05-01 07:00:00 10 km | a", "b | 2024-05-02 07:00:00 10 km | b"],
};
const EQUAL_WORKOUTS = {
  ...COMMON,
  readings: [row("a", 1), row("b", 1)],
  log: ["a | 2024-05-01 07:00:00 10 km | a", "b | 2024-05-01 07:00:00 10 km | b"],
};

/** Every job. */
export const SCENARIOS: readonly Scenario[] = [
  { name: "a single workout", ...SINGLE },
  { name: "two different workouts", ...TWO, isAlikeToOthers: true },
  { name: "equal workouts, told apart by their words alone", ...EQUAL_WORKOUTS },
  { name: "equal workouts, sent at once", ...EQUAL_WORKOUTS, concurrency: 2 },
  {
    name: "equal workouts, and one more that was in the log before",
    ...EQUAL_WORKOUTS,
    there: [BY_HAND],
    // The first of the two is recognised as the one that is there.
    log: ["by hand | 2024-05-01 07:00:00 10 km | by hand", "b | 2024-05-01 07:00:00 10 km | b"],
  },
  {
    name: "a device file with one workout",
    ...COMMON,
    files: { "ride.fit": ONE_FILE },
    readings: recorded("ride.fit", ONE_FILE),
    log: ["ride | 2024-05-01 07:00:00 12 km | ride in my words | track"],
  },
  {
    name: "a device file with two workouts",
    ...COMMON,
    files: { "legs.fit": TWO_LEGS },
    readings: recorded("legs.fit", TWO_LEGS),
    log: [
      "leg 1 | 2024-05-01 07:00:00 2 km | leg 1 in my words | track",
      "leg 2 | 2024-05-01 08:00:00 9 km | leg 2 in my words | track",
    ],
  },
  {
    name: "a shoe, and a workout that points at it",
    ...COMMON,
    isAlikeToOthers: true,
    readings: [SHOE, row("a", 1, { equipment: ["Hoka"] })],
    log: ["Hoka | equipment | Hoka", "a | 2024-05-01 07:00:00 10 km | a | with Hoka"],
  },
  { name: "a course with a map", ...COMMON, readings: [ROUTE], log: ["River loop | course | River loop | map"] },
  {
    name: "a workout that changed at its source since it was put there",
    ...COMMON,
    before: [row("a", 1, { notes: "a" })],
    readings: [row("a", 1, { notes: "a, told better" })],
    log: ["a | 2024-05-01 07:00:00 10 km | a, told better"],
  },
  { name: "a single workout, and a service that can't list", ...SINGLE, lists: false },
  { name: "equal workouts, and a service that can't list", ...EQUAL_WORKOUTS, lists: false },
  {
    name: "a device file, and a service that can't list",
    ...COMMON,
    lists: false,
    files: { "ride.fit": ONE_FILE },
    readings: recorded("ride.fit", ONE_FILE),
    log: ["ride | 2024-05-01 07:00:00 12 km | ride in my words | track"],
  },
];
