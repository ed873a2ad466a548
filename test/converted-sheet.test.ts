import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { jsonLines } from "./support/cli.ts";
import { type Rehearsal, rehearse } from "./support/rehearsal.ts";

// The owner of a sheet converts its kilometres to miles, and the mapping file still says kilometres. Every row looks like an edited one.

let rehearsal: Rehearsal;
let folder: string;
let source: string;

beforeEach(async () => {
  rehearsal = await rehearse();
  folder = join(rehearsal.folder, "sheet");
  mkdirSync(folder);
  source = join(folder, "log.csv");
  map("km");
});
afterEach(() => rehearsal.close());

function map(unit: "km" | "mi"): void {
  const columns = `  Day: { field: date }\n  Distance: { field: distance, unit: ${unit} }\n  Time: { field: duration, format: h:mm:ss }\n`;
  writeFileSync(
    join(folder, "log.map.yaml"),
    `version: 1\ndates: { order: iso }\ncolumns:\n${columns}defaults: { activity: run }\n`,
  );
}

const TIMES = ["0:52:10", "0:41:30", "1:01:00", "0:30:20"];
const KM = [10.5, 8.2, 12, 6];
// 10.5 / 1.609344 = 6.52, 8.2 / 1.609344 = 5.10, 12 / 1.609344 = 7.46, 6 / 1.609344 = 3.73
const MILES = [6.52, 5.1, 7.46, 3.73];

function sheet(distances: readonly number[]): void {
  const rows = distances.map((distance, at) => `2015-03-0${at + 1},${distance},${TIMES[at]}`);
  writeFileSync(source, ["Day,Distance,Time", ...rows].join("\n"));
}

async function load(...words: readonly string[]) {
  const { code, out, err } = await rehearsal.run([...(words.length === 0 ? ["import", source] : words), "--json"]);
  const ledger = jsonLines(out).findLast(({ type }) => type === "summary")?.ledger;
  return { code, ledger, told: `${out}${err}` };
}

/** The kilometres in the log. */
async function inLog(): Promise<readonly number[]> {
  const found: [string, number][] = [];
  for (const { id } of await rehearsal.listed("/rest/logs/me/workouts")) {
    const { workout } = await rehearsal.get(`/rest/logs/me/workouts/${id}`);
    const { date, details } = workout as { date: string; details: { distance: { value: number; unit: string } } };
    const { value, unit } = details.distance;
    found.push([date, Math.round((unit === "mi" ? value * 1.609344 : value) * 10) / 10]);
  }
  return found.sort().map(([, kilometres]) => kilometres);
}

test("the rows of a converted sheet wait, also at the next import, until the mapping file says the new unit", async () => {
  sheet(KM);
  await load();
  sheet(MILES);
  for (const _ of [1, 2]) {
    const held = await load();
    expect(held.code).toBe(3);
    expect(held.ledger).toMatchObject({ read: 4, created: 0, updated: 0, quarantined: 4 });
    expect(held.told).toContain(
      "plan/other-unit (it was 10.5 km and is 6.52 km, which is that over the length of a mile",
    );
    expect(await inLog()).toEqual(KM);
  }
  expect((await rehearsal.run(["certify", join(rehearsal.folder, "certificate.json")])).code).toBe(3);
  map("mi");
  expect(await load()).toMatchObject({ code: 0, ledger: { read: 4, created: 0 } });
  expect(await inLog()).toEqual(KM);
});

test("a person may say that the new distances are right", async () => {
  sheet(KM);
  await load();
  sheet(MILES);
  expect((await load()).code).toBe(3);
  const retried = await load("quarantine", "retry", "plan/other-unit", "--allow", "implausible");
  expect(retried).toMatchObject({ code: 0, ledger: { created: 0, updated: 4 } });
  expect(await inLog()).toEqual([6.5, 5.1, 7.5, 3.7]);
});

test("two such rows among others are edited rows, and a unit that is put right in the mapping is loaded", async () => {
  sheet(KM);
  await load();
  sheet([6.52, 5.1, 12.5, 6.4]);
  expect(await load()).toMatchObject({ code: 0, ledger: { created: 0, updated: 4 } });
  map("mi");
  expect(await load()).toMatchObject({ code: 0, ledger: { created: 0, updated: 4 } });
  // 12.5 mi are 20.1 km, 6.4 mi are 10.3 km.
  expect(await inLog()).toEqual([10.5, 8.2, 20.1, 10.3]);
});
