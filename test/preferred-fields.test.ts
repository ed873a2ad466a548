import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect } from "vitest";
import { jsonLines } from "./support/cli.ts";
import { type Rehearsal, rehearse } from "./support/rehearsal.ts";
import { RUNKEEPER_GPX, type SheetRun, writeSheet } from "./support/small-sources.ts";
import { longTest, test } from "./support/tier-tests.ts";

// A person wants a field of merged workouts from another source than the usual one. By the real command line into a real log.

let rehearsal: Rehearsal;
beforeEach(async () => {
  rehearsal = await rehearse("kilometres", { database: ":memory:" });
});
afterEach(() => rehearsal.close());

const RUN: SheetRun = { date: "2024-05-01", time: "07:00", km: 10, seconds: 3_000 };
const sheet = (name: string, run: Partial<SheetRun>) =>
  writeSheet(join(rehearsal.folder, name), [{ ...RUN, ...run }], name);
const both = () => [
  sheet("first", { notes: "Hills", shoe: "Pegasus" }),
  sheet("second", { km: 10.1, seconds: 2_990, notes: "Windy", shoe: "Kinvara" }),
];

async function inLog() {
  const [{ id } = {}, ...more] = await rehearsal.listed("/rest/logs/me/workouts");
  expect(more).toEqual([]);
  const { workout } = (await rehearsal.get(`/rest/logs/me/workouts/${id}`)) as { workout: Record<string, unknown> };
  return workout;
}

/** The fields in `explain` with the file of their source and the reason. */
async function explained(record: string) {
  // The line of a sheet holds a workout and a shoe.
  const { out: matches } = await rehearsal.run(["explain", "--json", record]);
  const id = jsonLines(matches).find(({ kind }) => kind === "workout")?.id;
  const { out } = await rehearsal.run(["explain", "--json", String(id)]);
  const history = jsonLines(out).findLast(({ type }) => type === "history");
  const fields = history?.fieldSources as readonly {
    field: string;
    why: string;
    from: readonly { archive: string }[];
  }[];
  return Object.fromEntries(
    fields.map(({ field, from, why }) => [field, [...from.map(({ archive }) => archive), why].join(" ")]),
  );
}

test("fields come from the preferred sources, explain says so, and a run with other words updates the workout", async () => {
  const sources = both();
  const words = [
    "--prefer",
    `distance=${sources[1]}`,
    "--prefer",
    "notes=second.csv",
    "--prefer",
    "equipment=second.csv",
  ];
  expect(await rehearsal.run(["import", ...sources, ...words])).toMatchObject({ code: 0 });
  expect(await inLog()).toMatchObject({
    notes: "Windy",
    details: { distance: { value: 10.1 }, duration: 3000 },
    equipment: { name: "Saucony Kinvara" },
  });
  expect(await explained("first.csv line 2")).toMatchObject({
    notes: "second.csv prefer",
    distance: "second.csv prefer",
    equipment: "second.csv prefer",
    duration: "first.csv order",
  });
  const lost = join(rehearsal.folder, "loss.csv");
  const again = await rehearsal.run(["import", "--json", "--report", lost, ...sources, ...words]);
  expect(jsonLines(again.out).findLast(({ type }) => type === "summary")?.ledger).toMatchObject({
    unchanged: 3,
    updated: 0,
  });

  // The first source's own values are not lost without a word.
  const lines = readFileSync(lost, "utf8").split("\n");
  for (const value of ["distance", "notes", "Nike Pegasus"])
    expect(
      lines.filter((line) => line.includes("first.csv") && line.includes(value)),
      value,
    ).toHaveLength(1);

  const other = await rehearsal.run(["plan", "--json", ...sources]);
  const changed = jsonLines(other.out).find(({ rule }) => rule === "plan/preference-changed");
  expect(changed).toMatchObject({
    count: 1,
    example: {
      found: "you prefer other sources than in run 1 (--prefer): another distance, notes, equipment",
      origin: { archive: "first.csv", locator: "line 2" },
    },
  });
  expect(await rehearsal.run(["apply"])).toMatchObject({ code: 0 });
  expect(await inLog()).toMatchObject({ notes: "Hills\n\nWindy", details: { distance: { value: 10 } } });
});

test("a platform is a source too, and the config file may say it", async () => {
  const config = join(rehearsal.folder, "config.yaml");
  writeFileSync(config, "prefer:\n  - distance=csv\n  - notes=strava\n");
  const [first = "", second = ""] = both();
  const ran = await rehearsal.run(["import", "--json", "--config", config, second, first]);
  expect(ran.code, ran.out + ran.err).toBe(0);
  expect(await inLog()).toMatchObject({ details: { distance: { value: 10.1 } } });
  const rules = jsonLines(ran.out).filter(({ type }) => type === "issue");
  expect(rules.map(({ rule }) => rule)).toContain("plan/preferred-source-absent");
});

test("an unknown field and an unknown source are refused with what there is", async () => {
  const sources = both();
  const field = await rehearsal.run(["plan", ...sources, "--prefer", "note=second.csv"]);
  expect(field).toMatchObject({ code: 2 });
  expect(field.err).toContain('there is no field "note"; did you mean "notes"?');
  const source = await rehearsal.run(["plan", ...sources, "--prefer", "notes=secnd.csv"]);
  expect(source).toMatchObject({ code: 2 });
  expect(source.err).toContain("expected first.csv, csv, second.csv");
});

test("the whole track comes from the preferred source, and the log gets that file", async () => {
  const [watch, phone] = ["watch", "phone"].map((name) => join(rehearsal.folder, name)) as [string, string];
  mkdirSync(watch);
  mkdirSync(phone);
  writeFileSync(join(watch, "own.gpx"), RUNKEEPER_GPX);
  writeFileSync(join(phone, "run.gpx"), RUNKEEPER_GPX.replaceAll('lon="16.37"', 'lon="16.3705"'));
  const ran = await rehearsal.run(["import", watch, phone, "--prefer", "track=phone", "--sport", "=run"]);
  expect(ran.code, ran.out + ran.err).toBe(0);
  const page = await rehearsal.run(["explain", "own.gpx"]);
  expect(page.out).toMatch(/track: phone run\.gpx, you prefer it \(--prefer\)/);
});

longTest("a preferred value that can't be true is not taken, and the remark names file, row and field", async () => {
  const sources = [sheet("first", { km: 5, seconds: 900 }), sheet("second", {})];
  // The distances speak against one workout, so a person says that they are one.
  await rehearsal.run(["plan", ...sources]);
  await rehearsal.run(["plan", "review", "--answer", "first.csv:2+second.csv:2=one"]);
  const ran = await rehearsal.run(["import", "--json", ...sources, "--prefer", "distance=second.csv"]);
  expect(await inLog()).toMatchObject({ details: { distance: { value: 5 } } });
  const remark = jsonLines(ran.out).find(({ rule }) => rule === "plan/preferred-implausible");
  expect(remark?.example).toMatchObject({
    field: "distance",
    origin: { archive: "second.csv", locator: "line 2" },
    found: expect.stringContaining("you prefer this distance, and with it the workout can't be true"),
  });
});

longTest("an answer of plan review comes before --prefer", async () => {
  const sources = both();
  await rehearsal.run(["plan", ...sources, "--prefer", "distance=second.csv", "--prefer", "duration=second.csv"]);
  const said = await rehearsal.run(["plan", "review", "--answer", "first.csv:2+second.csv:2=one,distance:left"]);
  expect(said.code, said.err).toBe(0);
  await rehearsal.run(["apply"]);
  expect(await inLog()).toMatchObject({ details: { distance: { value: 10 }, duration: 2990 } });
  expect(await explained("first.csv line 2")).toMatchObject({
    distance: "first.csv answer",
    duration: "second.csv prefer",
  });
});
