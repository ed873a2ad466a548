import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addDemoUser } from "../service/demo.ts";
import { jsonLines } from "./support/cli.ts";
import { type Filled, fillLog } from "./support/logged.ts";
import { type Ran, type Rehearsal, ROOT, rehearse } from "./support/rehearsal.ts";
import { firstOf } from "./support/tiers.ts";

// `import` reads what `export` writes. A log with every field of the interface goes out of one log and into another one, by the command line alone.
// The other owner has other units and other numbers of activities. The result is the same, except for the list in
// connectors/platforms/logferry-export/README.md.

interface Json {
  readonly [member: string]: unknown;
}
interface Exported {
  readonly workouts: readonly (Json & {
    readonly course?: { id: string };
    readonly equipment?: readonly { id: string }[];
  })[];
  readonly equipment: readonly Json[];
  readonly courses: readonly Json[];
}

const schema = readFileSync(join(ROOT, "docs", "log.schema.json"), "utf8");
const isOfSchema = new Ajv2020().compile(JSON.parse(schema));
let log: Rehearsal;
let filled: Filled;

beforeAll(async () => {
  log = await rehearse("miles");
  filled = await fillLog(log);
});
afterAll(() => log.close());

/** A log without the values that its service sets or computes: ids, numbers of activities, sums. Values that no save can carry are left out too. */
function comparable({ workouts, equipment, courses }: Exported) {
  const plain = ({ id: _id, brandID: _brand, modelID: _model, distance: _sum, retired: _retired, ...rest }: Json) =>
    rest;
  const things = equipment.map(({ id, ...rest }) => [id, plain(rest)] as const);
  const lines = courses.map(({ id, ...rest }) => [id, rest] as const);
  const nameOf = new Map(workouts.map(({ activityID, activityName }) => [activityID, activityName]));
  const named = (record: Json) => ({ ...record, activityID: nameOf.get(record.activityID) ?? record.activityID });
  return {
    equipment: things.map(([, rest]) => JSON.stringify(named(rest))).toSorted(),
    courses: lines.map(([, rest]) => JSON.stringify(rest)).toSorted(),
    workouts: workouts
      .map(({ id: _id, course, equipment: pieces, intervalSet, ...rest }) => {
        const { id: _set, ...set } = (intervalSet ?? {}) as Json;
        return JSON.stringify({
          ...named(rest),
          intervalSet: set,
          course: lines.find(([id]) => id === course?.id)?.[1],
          equipment: pieces?.map((piece) => things.find(([id]) => id === piece.id)?.[1]),
        });
      })
      .toSorted(),
    // Two pairs of shoes that are alike are still two, each with its own run.
    piecesInUse: new Set(workouts.flatMap(({ equipment: pieces = [] }) => pieces.map(({ id }) => id))).size,
  };
}

async function exported(run: (words: readonly string[]) => Promise<Ran>, folder: string): Promise<Exported> {
  const ran = await run(["export", "--out", folder, "--format", "json"]);
  expect(ran).toMatchObject({ code: 0, err: "" });
  const whole = JSON.parse(readFileSync(join(folder, "log.json"), "utf8"));
  // The schema knows only the fields of the table of fields. So a field that the table forgets shows up here.
  expect(isOfSchema(whole), JSON.stringify(isOfSchema.errors)).toBe(true);
  return whole;
}

describe.each(
  firstOf(1, [
    ["CSV", ["--format", "csv"], ""],
    ["JSON", ["--format", "json,xlsx"], "log.json"],
    ["NDJSON", ["--format", "ndjson", "--gzip"], ""],
  ] as const),
)("as %s", (form, words, file) => {
  test("a log goes into another one and is the same there; once more changes nothing", async () => {
    const out = join(log.folder, form);
    expect(await log.run(["export", "--out", out, ...words])).toMatchObject({ code: 0, err: "" });
    const before = await exported(log.run, join(log.folder, `${form}-before`));

    const other = await addDemoUser(log.service, {
      units: "kilometres",
      utcOffset: 13,
      activities: ["row", "yoga", "tennis", "hike"],
      screenName: `other ${form}`,
    });
    const run = (command: readonly string[]) =>
      log.run(command, { env: { LOGFERRY_TOKEN: other.token }, journal: join(log.folder, `${form}.db`) });
    const imported = await run(["import", join(out, file), "--json"]);
    expect(imported.err).toBe("");
    const summary = jsonLines(imported.out).findLast(({ type }) => type === "summary") as {
      ledger: Json;
      balanced: boolean;
    };
    const { workouts, equipment, courses } = filled;
    expect(summary).toMatchObject({
      balanced: true,
      ledger: { created: workouts + equipment + courses, skipped: 3, quarantined: 0, refused: 0, failed: 0, merged: 0 },
    });

    const after = await exported(run, join(log.folder, `${form}-after`));
    expect(comparable(after)).toEqual(comparable(before));
    expect(comparable(after).piecesInUse).toBe(4);
    expect(after.workouts).toHaveLength(workouts);
    // The check is able to fail: the numbers of the owner's own activities do differ.
    const numbers = ({ workouts: all }: Exported) =>
      all.find(({ activityName }) => activityName === "hike")?.activityID;
    expect(numbers(after)).not.toBe(numbers(before));

    expect(await run(["verify", "--quiet"])).toMatchObject({ code: 0 });
    const again = await run(["import", join(out, file), "--json"]);
    const second = jsonLines(again.out).findLast(({ type }) => type === "summary") as { ledger: Json };
    expect(second.ledger).toMatchObject({ created: 0, updated: 0, unchanged: workouts + equipment + courses });
    expect(again.code).toBe(imported.code);
    // No log gives a track or a map back, so nobody knows whether the old one has any.
    expect(imported.out).toContain("no log gives them back");
    expect(again.out).not.toContain("no log gives them back");
    const certified = await run(["certify", join(log.folder, `${form}.json`)]);
    expect(certified.out).toContain(`${workouts + courses} workouts and courses came from an export of a log`);
    expect(certified.code).toBe(3);
  });
});

test("into the log it is of, an export brings nothing twice", async () => {
  const out = join(log.folder, "own");
  await log.run(["export", "--out", out, "--format", "ndjson"]);
  const ran = await log.run(["import", out, "--json"], { journal: join(log.folder, "own.db") });
  const { ledger } = jsonLines(ran.out).findLast(({ type }) => type === "summary") as unknown as { ledger: Json };
  expect(ledger).toMatchObject({
    created: 0,
    updated: 0,
    unchanged: filled.workouts + filled.equipment + filled.courses,
  });
  expect(await log.listed("/rest/logs/me/workouts")).toHaveLength(filled.workouts);
});
