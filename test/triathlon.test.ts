import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterEach, describe, expect } from "vitest";
import { decodeDeviceFile } from "../connectors/formats/device-file.ts";
import type { Recording } from "../connectors/formats/recording.ts";
import { jsonLines } from "./support/cli.ts";
import { killAt } from "./support/kills.ts";
import { type Rehearsal, type RehearsalOptions, ROOT, rehearse } from "./support/rehearsal.ts";
import { longTest, rowTest, test } from "./support/tier-tests.ts";
import { firstOf } from "./support/tiers.ts";

// A triathlon is one file of five recordings: three legs and two changes of clothes. An import of the whole file would make a workout of each
// change, which a log can't delete. Each leg goes as a file of its own, and has its track.

const FILE = join(ROOT, "fixtures", "device-files", "fit-multisport", "archive", "triathlon.fit");
/** The recordings of the file that are legs, by the way fixtures/make/athlete/triathlon.ts made it: `activityID` and metres. */
const LEGS = [
  { recording: 0, activityID: 12, metres: 1500 },
  { recording: 2, activityID: 11, metres: 39_780 },
  { recording: 4, activityID: 10, metres: 9950 },
] as const;
const recordings = decodeDeviceFile(readFileSync(FILE), "decode").recordings;

let rehearsal: Rehearsal;
afterEach(() => rehearsal.close());

async function open(options: RehearsalOptions = {}): Promise<string> {
  rehearsal = await rehearse("kilometres", { database: ":memory:", ...options });
  const folder = join(rehearsal.folder, "watch");
  mkdirSync(folder);
  copyFileSync(FILE, join(folder, "triathlon.fit"));
  return folder;
}

const IMPORT = ["--json", "--settle", "0.3"];

function ledgerOf(out: string): Record<string, number> {
  return (jsonLines(out).findLast(({ type }) => type === "summary") as { ledger: Record<string, number> }).ledger;
}

/** The content of each workout in the log, in the order of the day, with the recording that its own track is. */
async function held(): Promise<{ activityID: number; metres: number; track: Recording | undefined }[]> {
  const { service, userId } = rehearsal;
  const { entries } = await service.store.workouts(userId, { limit: 100, offset: 0 }, []);
  const found = [];
  for (const { id, activityID, date, time, details } of entries) {
    const stored = await service.store.track(userId, id);
    const file = stored && decodeDeviceFile(gunzipSync(stored.packed), "decode");
    const { unit = "m", value = 0 } = details?.distance ?? {};
    const metres = Math.round(value * { m: 1, km: 1000, mi: 1609.344 }[unit]);
    found.push({ at: `${date} ${time}`, activityID, metres, track: stored && file?.recordings[stored.recording] });
  }
  return found.toSorted((a, b) => (a.at < b.at ? -1 : 1)).map(({ at: _, ...rest }) => rest);
}

/** The log holds only the three legs, once each, with every point that the watch recorded of them. */
async function expectLegs(): Promise<void> {
  const log = await held();
  expect(log.map(({ activityID, metres }) => ({ activityID, metres }))).toEqual(
    LEGS.map(({ activityID, metres }) => ({ activityID, metres })),
  );
  for (const [index, { recording }] of LEGS.entries()) {
    const leg = recordings[recording] as Recording;
    const places = (each: Recording | undefined) => each?.points?.map(({ instant, position }) => [instant, position]);
    expect(places(log[index]?.track)).toEqual(places(leg));
    expect(log[index]?.track?.pointCount).toBeGreaterThan(20);
  }
}

test("each leg has its track, the changes make nothing, it verifies, and a second import makes nothing", async () => {
  const folder = await open();
  const planned = await rehearsal.run(["plan", folder, "--json"]);
  expect(planned.code, planned.err).toBe(0);
  const imported = await rehearsal.run(["import", folder, ...IMPORT]);
  expect(imported.code, imported.err + imported.out).toBe(0);
  expect(ledgerOf(imported.out)).toMatchObject({ read: 5, created: 3, skipped: 2 });
  await expectLegs();
  const verified = await rehearsal.run(["verify"]);
  expect(verified.code, verified.out).toBe(0);
  const again = await rehearsal.run(["import", folder, ...IMPORT]);
  expect(ledgerOf(again.out)).toMatchObject({ created: 0, updated: 0, unchanged: 3 });
  // A person who lost the journal finds the legs in the log.
  const lost = await rehearsal.run(["import", folder, ...IMPORT], { journal: join(rehearsal.folder, "new.db") });
  expect(ledgerOf(lost.out)).toMatchObject({ created: 0, unchanged: 3 });
  await expectLegs();
});

test("a leg that its owner typed is left alone; the two others have their tracks", async () => {
  const folder = await open();
  const { start = 0 } = recordings[2] as Recording;
  // The fixture's device says it is two hours ahead of UTC.
  const [date, time] = new Date(start + 2 * 3_600_000).toISOString().slice(0, 19).split("T");
  const body = { activityID: 11, date, time, details: { distance: { unit: "km", value: 39.8 }, duration: 4920 } };
  const address = `${rehearsal.service.url}/rest/logs/me/workouts?access_token=${rehearsal.token}`;
  const headers = { "content-type": "application/json" };
  await fetch(address, { method: "POST", headers, body: JSON.stringify(body) });
  const imported = await rehearsal.run(["import", folder, ...IMPORT]);
  expect(ledgerOf(imported.out)).toMatchObject({ created: 2, unchanged: 1, skipped: 2 });
  expect((await held()).map(({ metres, track }) => [metres, track !== undefined])).toEqual([
    [1500, true],
    [39_800, false],
    [9950, true],
  ]);
});

describe("each leg is there once, with its track", () => {
  const LEG = "POST /rest/logs/me/workouts/tcx";

  const ANSWERS = [
    `reset-after-commit:${LEG}:nth=2`,
    `reset-before-commit:${LEG}:nth=2`,
    `status-after-commit:${LEG}:status=500,nth=1`,
    "import-ids:ids=fewer,nth=2",
  ];
  rowTest.each(firstOf(1, ANSWERS))("when the answer to a leg is %s", async (armed) => {
    const folder = await open({ faults: { armed: [armed] } });
    await rehearsal.run(["import", folder, ...IMPORT]);
    const more = await rehearsal.run(["import", folder, ...IMPORT]);
    expect(ledgerOf(more.out)).toMatchObject({ created: 0 });
    expect(rehearsal.service.faults?.hits().map(({ hits }) => hits)).toEqual([1]);
    await expectLegs();
  });

  longTest.each(["after:in-flight:1", "after:in-flight:2", "before:done:1"])("when it is killed %s", async (spec) => {
    const folder = await open();
    const killed = await rehearsal.run(["import", folder, ...IMPORT], { env: killAt(spec) });
    expect(killed.signal).toBe("SIGKILL");
    const resumed = await rehearsal.run(["import", folder, ...IMPORT]);
    expect(resumed.code, resumed.err + resumed.out).toBe(0);
    await expectLegs();
  });
});
