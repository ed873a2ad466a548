import { afterEach, beforeEach, expect, test } from "vitest";
import { FatalError } from "../../connectors/errors.ts";
import {
  DAY,
  expectBalance,
  FIRST_START,
  inWorld,
  ROUTE,
  row,
  SHOE,
  source,
} from "../../test/support/made-workouts.ts";
import { type Fault, Killed, openWorld, type World } from "../../test/support/scripted-log.ts";
import { inputs } from "../../test/support/tiers.ts";
import type { Item } from "../../transforms/model/item.ts";

// Random faults and stops, and random edits by the owner while a run is stopped: no record is lost or there twice.

let world: World;

beforeEach(() => {
  world = openWorld();
});
afterEach(() => world.close());

const { recorded, legs, notes, workoutOf } = inWorld(() => world);

/** Marsaglia's xorshift32: the same schedule for the same seed. */
function randomOf(seed: number): (below: number) => number {
  let state = seed | 0 || 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

const ANY_FAULT: readonly Fault[] = [
  "lost before",
  "lost after",
  "busy",
  "login",
  "killed before",
  "killed after",
  "redirected",
  "done late",
  "fewer",
  "fewer, lost after",
  "unsaid",
];

const SEED = Number(process.env.LOGFERRY_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31));
const SCHEDULES = inputs({ first: 3, long: 100 });

test(`of ${SCHEDULES} random schedules of faults and stops none loses or doubles a record (LOGFERRY_TEST_SEED=${SEED})`, async () => {
  for (let number = 0; number < SCHEDULES; number++) {
    const random = randomOf(SEED + number * 7919);
    const label = `schedule ${number} of seed ${SEED}`;
    const readings: Item[] = [
      SHOE,
      ROUTE,
      row(1, { equipment: ["shoe"], course: "route" }),
      { ...row(2), key: "equal a" },
      { ...row(2), key: "equal b" },
      recorded(3, { equipment: ["shoe"] }),
      recorded(4),
      ...legs(5, 2 + random(3)),
    ];
    world.concurrency = 1 + random(4);
    let faults = 1 + random(5);
    world.log.script = () => {
      if (faults === 0 || random(6) !== 0) return undefined;
      faults--;
      return ANY_FAULT[random(ANY_FAULT.length)];
    };
    const made = [source(...readings)];
    let isPlanned = false;
    for (let tries = 0; tries < 15; tries++) {
      try {
        const summary = isPlanned && random(2) === 0 ? await world.apply() : await world.import(made);
        isPlanned = true;
        expect(summary.balanced, label).toBe(true);
        if (summary.all.left === 0 && summary.all.inDoubt === 0) break;
      } catch (error) {
        if (!(error instanceof Killed || error instanceof FatalError)) throw error;
        isPlanned = (await (await world.journal()).run()) !== undefined;
      }
    }
    world.log.script = () => undefined;
    expectBalance(await world.import(made), { read: readings.length });
    const planned = readings.filter((one) => one.kind === "workout").map(({ value }) => value.notes ?? "");
    expect(notes(), label).toEqual(planned.sort());
    expect(world.log.of("equipment"), label).toHaveLength(1);
    expect(world.log.of("course"), label).toHaveLength(1);
    const [shoe] = world.log.of("equipment");
    const [route] = world.log.of("course");
    expect(route?.maps, label).toBeGreaterThan(0);
    const pointing = { equipment: [{ id: shoe?.id }], course: { id: route?.id } };
    expect(workoutOf("run 1"), label).toMatchObject(pointing);
    const { discrepancies, claimedTwice } = await world.verify();
    expect([discrepancies.map(({ differences }) => differences), claimedTwice], label).toEqual([[], []]);
    await world.close();
    world = openWorld();
  }
});

// What its owner typed between a stop and going on, mostly in place of what they took out, so that the total tells nothing.
test(`of at least ${SCHEDULES} random edits between a stop and going on none leads to a record that is there twice (LOGFERRY_TEST_SEED=${SEED})`, async () => {
  let [stopped, refused] = [0, 0];
  // Few schedules may all be harmless, which would show nothing. There are more then.
  const isEnough = (number: number) => number >= SCHEDULES && stopped > SCHEDULES / 8 && refused > SCHEDULES / 8;
  for (let number = 0; !isEnough(number) && number < 10 * SCHEDULES; number++) {
    const random = randomOf(SEED + number * 7919);
    const label = `schedule ${number} of seed ${SEED}`;
    const slots: { readonly day: number; readonly leg: number; readonly km: number; readonly seconds: number }[] = [];
    const readings: Item[] = [];
    for (let day = 1; day <= 9; day++) {
      const kind = random(3);
      const made = kind === 0 ? legs(day, 2 + random(2)) : [kind === 1 ? recorded(day) : row(day)];
      made.forEach((_, leg) => {
        slots.push({
          day,
          leg,
          ...(kind === 0 ? { km: 2 + 3 * leg, seconds: 600 + 900 * leg } : { km: 10, seconds: 3000 }),
        });
      });
      readings.push(...made);
    }
    const old = Array.from({ length: 4 }, (_, index) => typedBy("old", -10 - index, 0, 5, 1500));
    world.concurrency = 1 + random(4);
    await world.plan([source(...readings)]);
    let calls = random(20);
    world.log.script = () =>
      calls-- === 0 ? (["killed before", "killed after", "lost after"] as const)[random(3)] : undefined;
    try {
      await world.apply();
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
      stopped++;
    }
    world.log.script = () => undefined;
    world.log.finish();
    const before = countsOf();
    const typed = new Set<string>();
    for (let edits = random(4); edits > 0; edits--) {
      const { day, leg, km, seconds } = slots[random(slots.length)] as (typeof slots)[number];
      if (typed.has(slotOf(day, leg))) continue;
      typed.add(slotOf(day, leg));
      typedBy("by hand", day, leg, km, seconds);
      if (random(4) > 0) world.log.records.delete(`workout ${old.pop()}`);
    }
    for (let tries = 0; tries < 4; tries++) {
      const { all } = await world.apply();
      refused += all.failed;
      if (all.left === 0 && all.inDoubt === 0) break;
    }
    const after = countsOf();
    for (const { day, leg } of slots) {
      const slot = slotOf(day, leg);
      // What was there already when its owner typed it is their own second one.
      const wanted = typed.has(slot) ? 1 + (before.get(slot) ?? 0) : 1;
      expect(`${slot}: ${after.get(slot)}`, label).toBe(`${slot}: ${wanted}`);
    }
    await world.close();
    world = openWorld();
  }
  expect(stopped).toBeGreaterThan(SCHEDULES / 8);
  expect(refused).toBeGreaterThan(SCHEDULES / 8);
});

/** Puts a workout there as its owner would: of a day, so many hours after seven. @returns its id */
function typedBy(text: string, day: number, leg: number, km: number, seconds: number): string {
  const [date = "", time = ""] = slotOf(day, leg).split(" ");
  const details = { distance: { unit: "km", value: km }, duration: seconds };
  return world.log.put("workout", { activityID: 10, date, time: `${time}:00:00`, details, notes: text });
}

/** The day and the hour of a leg. */
function slotOf(day: number, leg: number): string {
  const date = new Date(FIRST_START + day * DAY).toISOString().slice(0, 10);
  return `${date} ${String(7 + leg).padStart(2, "0")}`;
}

/** How many workouts the log has of each day and hour. */
function countsOf(): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { body } of world.log.of("workout")) {
    const slot = `${body.date} ${String(body.time).slice(0, 2)}`;
    counts.set(slot, (counts.get(slot) ?? 0) + 1);
  }
  return counts;
}
