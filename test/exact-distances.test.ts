import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, describe, expect, test } from "vitest";
import { jsonLines } from "./support/cli.ts";
import { type Rehearsal, rehearse } from "./support/rehearsal.ts";

// A pool swim of 1,475 m is 59 lengths. Rounded to 1.48 km it would be 59.2.

const MAPPING = `version: 1
dates: { order: iso }
columns:
  Day: { field: date }
  At: { field: time }
  Sport: { field: activity }
  Metres: { field: distance, unit: m }
  Took: { field: duration, format: h:mm:ss }
`;

interface Swim {
  readonly day: string;
  readonly metres: number;
}

type Distance = { readonly unit: string; readonly value: number };
const METRES: Readonly<Record<string, number>> = { km: 1000, mi: 1609.344, m: 1 };

function writeSwims(rehearsal: Rehearsal, swims: readonly Swim[]): string {
  const folder = join(rehearsal.folder, "sheet");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "log.map.yaml"), MAPPING);
  const rows = swims.map(({ day, metres }) => `${day},07:00,swim,${metres},${took(metres)}`);
  writeFileSync(join(folder, "log.csv"), `Day,At,Sport,Metres,Took\n${rows.join("\n")}\n`);
  return join(folder, "log.csv");
}

/** The time a swimmer takes at a metre a second. */
function took(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(11, 19);
}

/** Days in a row, from 1 January 2020. */
function day(index: number): string {
  return new Date(Date.UTC(2020, 0, 1 + index)).toISOString().slice(0, 10);
}

function ledgerOf(out: string): Record<string, number> {
  return (jsonLines(out).findLast(({ type }) => type === "summary") as { ledger: Record<string, number> }).ledger;
}

let rehearsal: Rehearsal;
afterEach(() => rehearsal.close());

describe("a distance reaches the log as the source has it", () => {
  const swims = [1475, 32, 1650, 25, 999, 10_013].map((metres, index) => ({ day: day(index), metres }));

  test.each([
    ["kilometres", ["1.475 km", "32 m", "1.65 km", "25 m", "999 m", "10.013 km"]],
    ["miles", ["1475 m", "32 m", "1.025 mi", "25 m", "999 m", "6.222 mi"]],
  ] as const)("in a log of %s, and read back it is the same", async (units, expected) => {
    rehearsal = await rehearse(units, { database: ":memory:" });
    const sheet = writeSwims(rehearsal, swims);
    const imported = await rehearsal.run(["import", sheet, "--json"]);
    expect(imported.code, imported.err).toBe(0);
    const listed = await rehearsal.listed("/rest/logs/me/workouts");
    const distances = listed
      .map((entry) => entry as { date: string; details: { distance: Distance } })
      .toSorted((a, b) => (a.date < b.date ? -1 : 1))
      .map(({ details: { distance } }) => `${distance.value} ${distance.unit}`);
    expect(distances).toEqual(expected);
    const verified = await rehearsal.run(["verify"]);
    expect(verified.code, verified.out + verified.err).toBe(0);
    expect(ledgerOf((await rehearsal.run(["import", sheet, "--json"])).out)).toMatchObject({ created: 0, updated: 0 });
  });
});

describe("a log that an earlier logferry loaded, to the nearest 10 m", () => {
  const swims = Array.from({ length: 60 }, (_, index) => ({ day: day(index), metres: 21 + index * 17 }));

  /** Puts the log and the journal back to the distances that were written before distances were exact. */
  async function roundAll(journal: string): Promise<void> {
    const coarse = ({ unit, value }: Distance): Distance => ({
      unit: "km",
      value: Number(((value * (METRES[unit] ?? Number.NaN)) / 1000).toFixed(2)),
    });
    // The checksum beside it would show that somebody changed the journal.
    rmSync(`${journal}.seal`);
    using database = new DatabaseSync(journal);
    for (const { key, remote_id, sent } of database.prepare("SELECT key, remote_id, sent FROM placed").all()) {
      const body = JSON.parse(String(sent)) as { details: { distance: Distance } };
      body.details.distance = coarse(body.details.distance);
      const address = `${rehearsal.service.url}/rest/logs/me/workouts/${remote_id}?access_token=${rehearsal.token}`;
      const headers = { "content-type": "application/json" };
      const answer = await fetch(address, { method: "PUT", headers, body: JSON.stringify(body) });
      expect(answer.status).toBe(200);
      database.prepare("UPDATE placed SET sent = ? WHERE key = ?").run(JSON.stringify(body), String(key));
      const line = database.prepare("SELECT value FROM line WHERE key = ?").get(String(key));
      const value = { ...JSON.parse(String(line?.value)), distance: body.details.distance };
      database.prepare("UPDATE line SET value = ? WHERE key = ?").run(JSON.stringify(value), String(key));
    }
  }

  test("with its journal nothing is updated, without it nothing is doubled, and it verifies", async () => {
    rehearsal = await rehearse("kilometres", { database: ":memory:" });
    const sheet = writeSwims(rehearsal, swims);
    const journal = join(rehearsal.folder, "journal.db");
    expect((await rehearsal.run(["import", sheet], { journal })).code).toBe(0);
    await roundAll(journal);

    const again = await rehearsal.run(["import", sheet, "--json"], { journal });
    expect(again.code, again.err + again.out).toBe(0);
    expect(ledgerOf(again.out)).toMatchObject({ created: 0, updated: 0, unchanged: swims.length });
    const verified = await rehearsal.run(["verify"], { journal });
    expect(verified.code, verified.out).toBe(0);

    const lost = await rehearsal.run(["import", sheet, "--json"], { journal: join(rehearsal.folder, "new.db") });
    expect(lost.code, lost.err).toBe(0);
    expect(ledgerOf(lost.out)).toMatchObject({ created: 0, updated: 0, unchanged: swims.length });
    expect(await rehearsal.listed("/rest/logs/me/workouts")).toHaveLength(swims.length);
  });
});
