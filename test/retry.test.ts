import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, expect } from "vitest";
import { jsonLines } from "./support/cli.ts";
import { type Ran, type Rehearsal, rehearse } from "./support/rehearsal.ts";
import { copyDeviceFiles, ONE_RUN, RUNKEEPER_HEADER } from "./support/small-sources.ts";
import { longTest, test } from "./support/tier-tests.ts";

// Records that a run could not put into the log are sent again as a person asks for it. The log over HTTP refuses them, loses answers, or can't list
// its records.

const MAPPING = `version: 1
dates: { order: iso }
columns:
  Day: { field: date }
  Sport: { field: activity }
  Distance: { field: distance, unit: km }
  Time: { field: duration, format: "h:mm:ss" }
  Notes: { field: notes }
`;
const SAVES = "POST /rest/logs/me/workouts";

type Json = Record<string, unknown>;

let rehearsal: Rehearsal;
afterEach(() => rehearsal.close());

/** A log with these faults, and a sheet of four runs. Two of them are alike. */
async function begin(...armed: readonly string[]): Promise<string> {
  rehearsal = await rehearse("kilometres", { faults: { armed, seed: 1 } });
  const sheet = join(rehearsal.folder, "log.csv");
  writeFileSync(join(rehearsal.folder, "log.map.yaml"), MAPPING);
  writeFileSync(
    sheet,
    "Day,Sport,Distance,Time,Notes\n2019-05-01,run,10,1:00:00,one\n2019-05-02,run,5,0:30:00,same\n2019-05-02,run,5,0:30:00,same\n2019-05-03,run,7,0:40:00,three\n",
  );
  return sheet;
}

function ledgerOf(ran: Ran): Json {
  return jsonLines(ran.out).findLast(({ type }) => type === "summary")?.ledger as Json;
}

async function days(): Promise<unknown[]> {
  return (await rehearsal.listed("/rest/logs/me/workouts")).map(({ date }) => date).sort();
}

const ALL = ["2019-05-01", "2019-05-02", "2019-05-02", "2019-05-03"];

test("what the log refused is sent again, and nothing else: equal workouts stay two", async () => {
  const sheet = await begin(
    `status-before-commit:${SAVES}:status=400,nth=3`,
    `status-before-commit:${SAVES}:status=400,nth=4`,
  );
  const first = await rehearsal.run(["import", sheet, "--json", "--concurrency", "1"]);
  expect(ledgerOf(first)).toMatchObject({ created: 2, refused: 2 });
  // Newest first: the older of the two that are alike, and the oldest of all.
  const missing = (await days()).length;
  const dry = await rehearsal.run(["retry", "--dry-run", "--quiet"]);
  expect(dry.err).toBe("");
  expect((await days()).length).toBe(missing);
  const again = await rehearsal.run(["retry", "--json"]);
  expect(again.code).toBe(0);
  expect(ledgerOf(again)).toMatchObject({ read: 2, created: 2, left: 0 });
  expect(await days()).toEqual(ALL);
  expect((await rehearsal.run(["retry"])).out).toMatch(/Run 1 has no refused or failed record/);
  expect(ledgerOf(await rehearsal.run(["import", sheet, "--json"]))).toMatchObject({ read: 4, unchanged: 4 });
  expect(await days()).toEqual(ALL);
});

test("a file that was gone when its turn came is sent once it is back", async () => {
  await begin();
  const watch = join(rehearsal.folder, "watch");
  mkdirSync(watch);
  const file = join(watch, "a.gpx");
  writeFileSync(
    file,
    `<?xml version="1.0"?><gpx version="1.1" creator="x" xmlns="http://www.topografix.com/GPX/1/1"><trk><type>run</type><trkseg>${[
      0, 1, 2,
    ]
      .map((step) => `<trkpt lat="48.20${step * 2}" lon="16.37"><time>2020-06-01T06:1${step}:00Z</time></trkpt>`)
      .join("")}</trkseg></trk></gpx>`,
  );
  const bytes = readFileSync(file);
  await rehearsal.run(["plan", watch, "--quiet"]);
  rmSync(file);
  expect(ledgerOf(await rehearsal.run(["apply", "--json"]))).toMatchObject({ failed: 1, created: 0 });
  writeFileSync(file, bytes);
  const again = await rehearsal.run(["retry", "--json"]);
  expect(ledgerOf(again)).toMatchObject({ read: 1, created: 1 });
  expect(await days()).toEqual(["2020-06-01"]);
});

test("of a device file whose values the log refuses, the run says what the log holds, and a retry completes it", async () => {
  await begin("status-before-commit:PUT /rest/logs/me/workouts/*:status=400,nth=1");
  const watch = copyDeviceFiles(join(rehearsal.folder, "watch"), [ONE_RUN]);
  const first = await rehearsal.run(["import", watch, "--zone", "Europe/Vienna", ...rehearsal.activities]);
  expect(first.code).toBe(3);
  const [made] = await rehearsal.listed("/rest/logs/me/workouts");
  expect(first.out).not.toContain("Not in the log:");
  expect(first.out).toContain("1 of 1 records are in your log, each once. 1 of them is without your values.");
  expect(first.out).toContain("Of these sources, in your log: 1 workout,");
  expect(first.out).toMatch(/In the log, but without your values:\n.*refused: api\/http-400: /);
  expect(first.out).toContain(
    `The log holds the record as ${made?.id}, with the values that the log made of the device file: its date and time may be hours off. Once the cause is mended: logferry retry`,
  );
  const again = await rehearsal.run(["retry", "--json"]);
  expect(again.code, again.err).toBe(0);
  expect(ledgerOf(again)).toMatchObject({ read: 1, updated: 1, refused: 0 });
  expect((await rehearsal.listed("/rest/logs/me/workouts")).map(({ id }) => id)).toEqual([made?.id]);
  // The history asks for nothing that is settled.
  const { out } = await rehearsal.run(["history"]);
  expect(out).toContain("1 refused (api/http-400), settled since, such as: ");
  expect(out).not.toContain("logferry retry");
});

/** A service without a listing of workouts. */
const NO_LISTING = "status-before-commit:GET /rest/logs/me/workouts:status=404";

test("of what is in doubt where nothing can be listed, a person's word is asked for, checked, and kept", async () => {
  const sheet = await begin(NO_LISTING, `reset-after-commit:${SAVES}:nth=1`, `reset-before-commit:${SAVES}:nth=4`);
  const first = await rehearsal.run(["import", sheet, "--json", "--concurrency", "1", "--settle", "0"]);
  expect(ledgerOf(first)).toMatchObject({ created: 2, inDoubt: 2 });
  const doubts = jsonLines(first.out).filter(({ type, state }) => type === "record" && state === "in-doubt");
  expect(doubts).toHaveLength(2);

  const asked = await rehearsal.run(["retry"]);
  expect(asked.code).toBe(3);
  const ids = [...asked.err.matchAll(/In doubt still: ([0-9a-f]{6}), log\.csv line (\d)/g)].map(([, id, line]) => [
    line,
    id,
  ]);
  // Newest first. Line 5 was sent and got no answer. Line 2 was never sent.
  expect(ids.map(([line]) => line).sort()).toEqual(["2", "5"]);
  const idOf = (line: string) => String(ids.find(([one]) => one === line)?.[1]);

  const made = await workoutIds();
  const three = made.find(({ date }) => date === "2019-05-03")?.id;
  const duplicate = made.find(({ date }) => date === "2019-05-02")?.id;
  const wrongDay = await rehearsal.run(["retry", "--assume-done", `${idOf("5")}=${duplicate}`]);
  expect(wrongDay).toMatchObject({ code: 2, err: expect.stringContaining("is of 2019-05-02") });
  const none = await rehearsal.run(["retry", "--assume-done", `${idOf("5")}=99999`]);
  expect(none).toMatchObject({ code: 2, err: expect.stringContaining("the log has no workout 99999") });

  // One of the answers is wrong, so none of them is kept.
  const mixed = await rehearsal.run([
    "retry",
    "--assume-absent",
    idOf("2"),
    "--assume-done",
    `${idOf("5")}=${duplicate}`,
  ]);
  expect(mixed.code).toBe(2);
  const twice = await rehearsal.run(["retry", "--assume-absent", idOf("5"), "--assume-done", `${idOf("5")}=${three}`]);
  expect(twice).toMatchObject({ code: 2, err: expect.stringContaining("is said twice") });
  const still = await rehearsal.run(["retry"]);
  expect(still.err.match(/In doubt still/g)).toHaveLength(2);

  const said = await rehearsal.run([
    "retry",
    "--json",
    "--assume-done",
    `${idOf("5")}=${three}`,
    "--assume-absent",
    idOf("2"),
  ]);
  expect(said.code, said.err + said.out).toBe(0);
  expect(ledgerOf(said)).toMatchObject({ read: 2, created: 1, updated: 1, inDoubt: 0 });
  expect((await workoutIds()).map(({ date }) => date).sort()).toEqual(ALL);
});

longTest(
  "a run of an earlier version, which read a folder whole in which this one finds two exports, is retried",
  async () => {
    rehearsal = await rehearse("kilometres", {
      faults: { armed: [`status-before-commit:${SAVES}:status=400,nth=1`], seed: 1 },
    });
    const folder = join(rehearsal.folder, "all");
    const strong = join(import.meta.dirname, "../fixtures/strong/classic/archive");
    cpSync(strong, folder, { recursive: true });
    writeFileSync(
      join(folder, "cardioActivities.csv"),
      `${RUNKEEPER_HEADER}\n2020-01-24 18:07:40,Running,,5.03,26:42,5:18,11.30,384.0,22,,,\n`,
    );
    const first = await rehearsal.run(["import", folder, ...rehearsal.activities, "--json", "--concurrency", "1"]);
    expect(ledgerOf(first)).toMatchObject({ created: 2, refused: 1, quarantined: 2 });
    changeRun({});
    const dry = await rehearsal.run(["retry", "-n"]);
    expect(dry.code, dry.err).toBe(0);
    expect(dry.out).toContain("Dry run: nothing was changed.");
    changeRun({ connector: "garmin" });
    const other = await rehearsal.run(["retry"]);
    expect(other.code, other.err).toBe(5);
    expect(other.err).toMatch(
      /^Cannot read \S+ again: version 0\.0\.1 of logferry planned it, and version \S+ finds no such export there\. Plan the source again, with logferry import$/m,
    );
  },
);

/** Makes the first run one of version 0.0.1, which read its folder as a whole. @param wrong replaces something of its sources */
function changeRun(wrong: Json): void {
  const path = join(rehearsal.folder, "journal.db");
  using database = new DatabaseSync(path);
  const row = database.prepare("SELECT sources, options FROM run WHERE id = 1").get() as Record<string, string>;
  const all: Json[] = JSON.parse(row.sources ?? "");
  const sources = all.map(({ within, ...source }) => ({ ...source, ...wrong }));
  database
    .prepare("UPDATE run SET sources = ?, options = ? WHERE id = 1")
    .run(JSON.stringify(sources), JSON.stringify({ ...JSON.parse(row.options ?? ""), version: "0.0.1" }));
  // Without its checksum, a journal may be changed by hand.
  rmSync(`${path}.seal`);
}

/** From the service's database, since this service lists nothing. */
async function workoutIds(): Promise<Json[]> {
  const database = new DatabaseSync(join(rehearsal.folder, "service.db"), { readOnly: true });
  try {
    return database.prepare("SELECT id, date FROM workouts").all();
  } finally {
    database.close();
  }
}
