/** Made-up workouts for the tests of the loader: the records that are sent, the faults on the way, and the expected log afterwards. */
import { expect } from "vitest";
import { FatalError } from "../../connectors/errors.ts";
import { LEDGER_COLUMNS, type RunSummary } from "../../pipelines/journal/summary.ts";
import type { Item, Kind, Reading } from "../../transforms/model/item.ts";
import type { TrackRef, Workout } from "../../transforms/model/workout.ts";
import { type Fault, Killed, type MadeSource, type Operation, type Script, type World } from "./scripted-log.ts";

export const FIRST_START = Date.parse("2024-05-01T05:00:00Z");
export const DAY = 86_400_000;

export function item<K extends Kind>(kind: K, key: string, value: Extract<Item, { kind: K }>["value"]): Item {
  return { kind, key, value, origin: { connector: "made", archive: "made", entry: key } } as Item;
}

/** A run by hand, one a day. A test finds it again by its notes. */
export function row(day: number, extra: Partial<Workout> = {}): Item {
  const date = new Date(FIRST_START + day * DAY).toISOString().slice(0, 10);
  return item("workout", `row-${day}`, {
    activity: "run",
    start: { date, time: "07:00:00" },
    distance: { unit: "km", value: 10 },
    duration: 3000 + day,
    notes: `run ${day}`,
    ...extra,
  });
}

export const TRACK: TrackRef = { entry: "", format: "fit", recording: 0, recordings: 1, sha256: "0" };

export const SHOE = item("equipment", "shoe", { activity: "run", brandName: "Hoka", modelName: "Clifton" });
export const ROUTE = item("course", "route", {
  name: "River loop",
  distance: { unit: "km", value: 8 },
  map: { entry: "river.gpx", format: "gpx", line: 0, sha256: "0" },
});

export function source(...readings: readonly Reading[]): MadeSource {
  return { name: "made", readings };
}

/** A fault at the nth call of an operation on a kind. All other calls go well. */
export function once(operation: Operation, kind: Kind, fault: Fault, nth = 1): Script {
  let calls = 0;
  return (each, of) => (each === operation && of === kind && ++calls === nth ? fault : undefined);
}

export function expectBalance({ all, balanced }: RunSummary, columns: Partial<RunSummary["all"]>): void {
  expect(balanced).toBe(true);
  expect(LEDGER_COLUMNS.reduce((sum, column) => sum + all[column], 0)).toBe(all.read);
  expect(all).toMatchObject({ left: 0, inDoubt: 0, failed: 0, refused: 0, ...columns });
}

/** Makes workouts and reads the log, in the world of a test. @param world the test's world, which may be another one later */
export function inWorld(world: () => World) {
  /** A run with a device file of its own, at the same time every day, like a commuter's. */
  function recorded(day: number, extra: Partial<Workout> = {}): Item {
    const entry = `${day}.fit`;
    const start = FIRST_START + day * DAY;
    world().files.set(entry, [{ start, metres: 10_000, seconds: 3000 + day }]);
    return row(day, {
      start: { instant: start, offsetMinutes: 120 },
      notes: `recorded ${day}`,
      track: { ...TRACK, entry },
      ...extra,
    });
  }

  /** Legs of one file, an hour apart. */
  function legs(day: number, count: number): Item[] {
    const entry = `${day}-legs.fit`;
    const made = Array.from({ length: count }, (_, leg) => ({
      start: FIRST_START + day * DAY + leg * 3_600_000,
      metres: 2000 + 3000 * leg,
      seconds: 600 + 900 * leg,
    }));
    world().files.set(entry, made);
    return made.map(({ start, metres, seconds }, leg) =>
      item("workout", `leg-${day}-${leg}`, {
        activity: "run",
        start: { instant: start, offsetMinutes: 120 },
        distance: { unit: "m", value: metres },
        duration: seconds,
        notes: `leg ${day} ${leg}`,
        track: { ...TRACK, entry, recording: leg, recordings: count },
      }),
    );
  }

  /** The notes of every workout in the log, once the server has carried out all its requests. */
  function notes(): string[] {
    world().log.finish();
    return world()
      .log.of("workout")
      .map(({ body }) => String(body.notes))
      .sort();
  }

  function workoutOf(text: string): Record<string, unknown> {
    const found = world()
      .log.of("workout")
      .filter(({ body }) => body.notes === text);
    expect(found, `workouts with the notes ${text}`).toHaveLength(1);
    return found[0]?.body ?? {};
  }

  async function expectVerified(): Promise<void> {
    const { discrepancies, claimedTwice } = await world().verify();
    expect(discrepancies.map(({ line, differences }) => [line.key, differences])).toEqual([]);
    expect(claimedTwice).toEqual([]);
  }

  /** Imports once, with a fault that may stop it. Then imports again as a person would, until it is done. */
  async function importWith(script: Script, ...readings: readonly Reading[]): Promise<RunSummary> {
    world().log.script = script;
    const made = source(...readings);
    let summary: RunSummary | undefined;
    try {
      summary = await world().import(made.readings.length === 0 ? [] : [made]);
    } catch (error) {
      if (!(error instanceof Killed || error instanceof FatalError)) throw error;
    }
    world().log.script = () => undefined;
    return summary !== undefined && summary.all.left === 0 ? summary : world().apply();
  }

  return { recorded, legs, notes, workoutOf, expectVerified, importWith };
}
