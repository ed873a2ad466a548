import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, expect } from "vitest";
import { jsonLines } from "./support/cli.ts";
import { type Ran, type Rehearsal, rehearse } from "./support/rehearsal.ts";
import { onTerminal } from "./support/terminal.ts";
import { longTest, test } from "./support/tier-tests.ts";

// A newcomer knows no activity numbers, but the log does. The real command line imports the sheet. The test reads the log over HTTP.

const MAPPING = `version: 1
dates: { order: iso }
columns:
  Day: { field: date }
  Sport: { field: activity }
  Distance: { field: distance, unit: km }
  Time: { field: duration, format: "h:mm:ss" }
`;

/** The service answers as one without a list of activities. */
const NO_LIST = "status-before-commit:GET /rest/logs/me/activity_types:status=404";

let rehearsal: Rehearsal;
afterEach(() => rehearsal.close());

async function begin(options: Parameters<typeof rehearse>[1] = {}): Promise<void> {
  rehearsal = await rehearse("kilometres", options);
}

/** A sheet of one workout a row: `2019-05-01 walk`. @returns its path */
function sheet(name: string, ...rows: readonly string[]): string {
  const folder = join(rehearsal.folder, name);
  mkdirSync(folder);
  writeFileSync(join(folder, "log.map.yaml"), MAPPING);
  const lines = rows.map((row, index) => `${row.replace(" ", ",")},${5 + index},0:5${index}:00`);
  writeFileSync(join(folder, "log.csv"), ["Day,Sport,Distance,Time", ...lines].join("\n"));
  return join(folder, "log.csv");
}

/** Day and the log's own name of the activity, for every workout. */
async function inLog(): Promise<string[]> {
  const workouts = await rehearsal.listed("/rest/logs/me/workouts");
  return workouts.map(({ date, activityName }) => `${date} ${activityName}`).sort();
}

function rejected({ out }: Ran): Record<string, unknown> {
  return (jsonLines(out).findLast(({ type }) => type === "summary")?.ledger as Record<string, unknown>) ?? {};
}

async function save(activityID: number, date: string): Promise<void> {
  const answer = await fetch(`${rehearsal.service.url}/rest/logs/me/workouts?access_token=${rehearsal.token}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ activityID, date }),
  });
  expect(answer.status).toBe(200);
}

test("a first import takes the numbers of activities from the log's own list", async () => {
  await begin();
  const source = sheet("first", "2019-05-01 Run", "2019-05-02 Walk", "2019-05-03 Hiking", "2019-05-04 Yoga");
  const ran = await rehearsal.run(["import", source, "--json"]);
  expect(rejected(ran)).toMatchObject({ created: 4, quarantined: 0 });
  expect(ran.code).toBe(0);
  expect(await inLog()).toEqual(["2019-05-01 Run", "2019-05-02 walk", "2019-05-03 hike", "2019-05-04 yoga"]);
});

test("where the log lists no activities, the numbers come from the names on its own workouts", async () => {
  await begin({ faults: { armed: [NO_LIST] } });
  await save(Number(rehearsal.activities[1]?.split("=")[1]), "2018-01-01");
  const ran = await rehearsal.run(["import", sheet("first", "2019-05-02 Walk", "2019-05-03 Hiking"), "--json"]);
  expect(rejected(ran)).toMatchObject({ created: 1, quarantined: 1 });
  expect(await inLog()).toEqual(["2018-01-01 walk", "2019-05-02 walk"]);
});

test("a number that the log has for another activity is not assumed", async () => {
  await begin();
  // logferry assumes 13 for weight training. In this log 13 would be the built-in activity. The owner's own number wins over it.
  const [, number] = rehearsal.activities[1]?.split("=") ?? [];
  const ran = await rehearsal.run(["import", sheet("first", "2019-05-02 Strength"), "--activity", `weight=${number}`]);
  expect(ran.code).toBe(0);
  expect(await inLog()).toEqual(["2019-05-02 walk"]);
});

test("a number that the log doesn't list is refused before anything is written, and the next run starts without it", async () => {
  await begin();
  const source = sheet("first", "2019-05-02 Walk");
  const ran = await rehearsal.run(["import", source, "--activity", "walk=999"]);
  expect(ran.code, ran.out).toBe(2);
  expect(ran.err).toContain("Cannot import: the number 999 was given for walk. The log has no such activity.");
  expect(ran.err).toContain("--activity walk=NUMBER");
  expect(await inLog()).toEqual([]);
  expect((await rehearsal.run(["import", source])).code).toBe(0);
  expect(await inLog()).toEqual(["2019-05-02 walk"]);
});

test("tennis does not become the one other activity that the log has", async () => {
  await begin({ faults: { armed: [NO_LIST] } });
  const { operator } = rehearsal.service;
  await save(await operator.addActivity(rehearsal.userId, "Golf"), "2018-01-01");
  const ran = await rehearsal.run(["import", sheet("first", "2019-05-02 Tennis", "2019-05-03 Golf"), "--json"]);
  expect(rejected(ran)).toMatchObject({ created: 0, quarantined: 2 });
  expect(await inLog()).toEqual(["2018-01-01 Golf"]);
});

test("numbers that nobody knows are asked for by one command, and remembered for the next run", async () => {
  await begin({ faults: { armed: [NO_LIST] } });
  const number = (name: string) =>
    rehearsal.activities.find((pair) => pair.startsWith(`${name}=`))?.split("=")[1] as string;
  const source = sheet("first", "2019-05-01 Run", "2019-05-02 Walk", "2019-05-03 Hiking", "2019-05-04 Walk");
  const first = await rehearsal.run(["import", source]);
  expect(first.code).toBe(3);
  const command = "logferry quarantine retry --activity walk=NUMBER --activity hike=NUMBER";
  expect(first.out.split("\n").filter((line) => line.includes(command))).toHaveLength(1);
  const words = command.split(" ").slice(1);
  const typed = words.map((word) => word.replace(/^(walk|hike)=NUMBER$/, (_, name) => `${name}=${number(name)}`));
  const second = await rehearsal.run(typed);
  expect(second).toMatchObject({ code: 0 });
  expect(second.err).toContain("Remembered");
  const later = sheet("later", "2019-06-02 Walk", "2019-06-03 Hiking");
  expect(await rehearsal.run(["import", later])).toMatchObject({ code: 0 });
  expect(await inLog()).toEqual([
    "2019-05-01 Run",
    "2019-05-02 walk",
    "2019-05-03 hike",
    "2019-05-04 walk",
    "2019-06-02 walk",
    "2019-06-03 hike",
  ]);
});

test("on a terminal the number is asked for, and the import goes on with the answer", async () => {
  await begin({ faults: { armed: [NO_LIST] } });
  const walk = rehearsal.activities.find((pair) => pair.startsWith("walk="))?.split("=")[1] as string;
  const source = sheet("first", "2019-05-01 Run", "2019-05-02 Walk", "2019-05-03 Hiking");
  // "a lot" is not a number, so logferry asks again. Enter alone leaves the hike out.
  const ran = await onTerminal(
    rehearsal,
    ["import", source],
    [
      [/number[^\n]*walk/, "a lot"],
      [/whole number/, walk],
      [/number[^\n]*hike/, ""],
    ],
  );
  expect(ran.text).toMatch(/Remembered for the profile default: walk is number \d+/);
  expect(await inLog()).toEqual(["2019-05-01 Run", "2019-05-02 walk"]);
  expect(ran.code).toBe(3);
});

longTest("on a terminal a number that the log doesn't list is asked for again", async () => {
  await begin();
  // In this log the owner never made an activity for hikes, and counts them among the walks.
  using file = new DatabaseSync(join(rehearsal.folder, "service.db"), { timeout: 60_000 });
  file.prepare("DELETE FROM activities WHERE name = 'hike'").run();
  const walk = rehearsal.activities.find((pair) => pair.startsWith("walk="))?.split("=")[1] as string;
  const source = sheet("first", "2019-05-01 Run", "2019-05-02 Hiking");
  const ran = await onTerminal(
    rehearsal,
    ["import", source],
    [
      [/number[^\n]*hike/, "999"],
      [
        /Your log has no activity with the number 999\. Type one of these: 10 Run, [^\n]*\n[^\n]*number[^\n]*hike/,
        "-3",
      ],
      [/whole number[^\n]*\n[^\n]*number[^\n]*hike/, walk],
    ],
  );
  expect(ran.text).toMatch(/Remembered for the profile default: hike is number \d+/);
  expect(await inLog()).toEqual(["2019-05-01 Run", "2019-05-02 walk"]);
  expect(ran.code).toBe(0);
});
