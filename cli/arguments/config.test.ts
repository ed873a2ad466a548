import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { emptyHome } from "../../test/support/cli.ts";
import { NO_MORE, timesTheWork } from "../../test/support/growth.ts";
import { UsageError } from "../errors/exit-codes.ts";
import { type ActivityTables, withFlags } from "./activity-tables.ts";
import { readConfig, readEnvironment } from "./config.ts";
import type { ConfigFile } from "./config-file.ts";
import { givenUnits } from "./distance-units.ts";

/** What a config file gives, or the message it is refused with; `FILE` stands for its path. */
async function config(text: string): Promise<ConfigFile | string> {
  using home = emptyHome();
  const path = join(home.path, "config.yaml");
  writeFileSync(path, text);
  return await messageOf(() => readConfig(path), path);
}

async function messageOf<T>(action: () => T | Promise<T>, path = "\u0000"): Promise<T | string> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof UsageError) return error.message.replaceAll(path, "FILE");
    throw error;
  }
}

const NO_TABLES: ActivityTables = { sports: new Map(), activityIDs: {}, workoutIDs: {} };

test("a list is in one unit: kilometres or miles, and metres or yards", async () => {
  expect(givenUnits({ distanceUnit: ["yd", "mi"] })).toEqual(["mi", "yd"]);
  expect(givenUnits({})).toBeUndefined();
  const message = "Cannot use --distance-unit km and mi: a list has one of them";
  expect(await messageOf(() => givenUnits({ distanceUnit: ["mi", "km"] }))).toBe(message);
});

test("a config file gives options by their flags' names, and the three tables", async () => {
  const read = await config(
    [
      "url: https://log.example",
      "zone: Europe/Vienna",
      "rate: 0",
      "no-tracks: true",
      "since: 2023 # a number to YAML",
      "sport: [Golf=other]",
      "activities: { bike: 21, hike: 0 }",
      "sports: { Nordic Walking: walk }",
      "workout-types: { run: { easy: 71 } }",
    ].join("\n"),
  );
  if (typeof read === "string") throw new Error(read);
  expect(read.options).toEqual({
    url: "https://log.example",
    zone: "Europe/Vienna",
    rate: 0,
    noTracks: true,
    since: "2023",
    sport: ["Golf=other"],
  });
  expect(read.tables.activityIDs).toMatchObject({ bike: 21, hike: 0, run: 10, swim: 12 });
  expect([...read.tables.sports.values()]).toEqual(["walk"]);
  expect(read.tables.workoutIDs.run).toMatchObject({ easy: 71, race: 6 });
});

test("an empty config file says nothing, and that is fine", async () => {
  for (const text of ["", "\n", "# only a remark\n"]) expect(await config(text)).toMatchObject({ options: {} });
});

test.each([
  [
    "url: https://log.example\nzoen: Europe/Vienna",
    'Cannot use FILE line 2: zoen: there is no such key; did you mean "zone"?',
  ],
  ["sprots:\n  Golf: other", 'Cannot use FILE line 1: sprots: there is no such key; did you mean "sports"?'],
  ["entirely-else: 1", "Cannot use FILE line 1: entirely-else: there is no such key"],
  ["config: other.yaml", "Cannot use FILE line 1: config: there is no such key"],
  ["token: abc", "Cannot use FILE line 1: token: there is no such key"],
  ["dry-run: true", "Cannot use FILE line 1: dry-run: it can only be a flag, --dry-run"],
  ["rate: fast", 'Cannot use FILE line 1: rate: expected a number, found "fast"'],
  ["rate: -1", "Cannot use FILE line 1: rate: expected a number that is not below 0, found -1"],
  ["\nport: 70000", "Cannot use FILE line 2: port: expected a whole number from 0 to 65535, found 70000"],
  [
    "zone: Vienna",
    'Cannot use FILE line 1: zone: expected a name such as Europe/Vienna, found "Vienna"; did you mean "Europe/Vienna"?',
  ],
  ["json: yes please", 'Cannot use FILE line 1: json: expected true or false, found "yes please"'],
  ["sport: Golf=other", 'Cannot use FILE line 1: sport: expected a list of texts, found "Golf=other"'],
  ["url:", "Cannot use FILE line 1: url: expected text, found null"],
  ["activities: [1]", "Cannot use FILE line 1: activities: expected names and values"],
  ["- url", "Cannot use FILE: expected keys and values"],
  ["just text", "Cannot use FILE: expected keys and values"],
  ["rate: 1\nrate: 2", "Cannot read FILE line 2: a name stands here for the second time: keep one of its lines"],
  ["rate: *nothing", "Cannot read FILE"],
])("the config file %j is refused with its line and what was meant", async (text, message) => {
  const found = await config(text);
  if (message === "Cannot read FILE") expect(found).toMatch(/^Cannot (read|use) FILE/);
  else expect(found).toBe(message);
});

test.each([
  ["sports:\n  Golf: golfing", /^Cannot use FILE line 2: sports\.Golf: expected one of run, bike, /],
  [
    "activities:\n  run: 10\n  golf: 7",
    /^Cannot use FILE line 3: activities\.golf: there is no such activity: expected one of run, /,
  ],
  [
    "activities: { bike: eleven }",
    /^Cannot use FILE line 1: activities\.bike: expected the activityID, a whole number/,
  ],
  ["activities: { bike: 1.5 }", /^Cannot use FILE line 1: activities\.bike: expected the activityID, a whole number/],
  [
    "workout-types:\n  run:\n    sprint: 9",
    /^Cannot use FILE line 3: workout-types\.run\.sprint: expected one of easy, /,
  ],
  ["workout-types:\n  run: 9", /^Cannot use FILE line 2: workout-types\.run: expected names and values/],
  ["workout-types: { golf: { easy: 1 } }", /^Cannot use FILE line 1: workout-types\.golf: there is no such activity/],
])("the table %j is refused with the line and path of what is wrong", async (text, message) => {
  expect(await config(text)).toMatch(message);
});

test("a config file that multiplies itself is refused before it is written out", async () => {
  const multiplied = (levels: number) => {
    const lines = ["a: &a [x, x, x, x, x, x, x, x, x]"];
    for (let level = 0; level < levels; level++) {
      const [above, here] = ["abcdefghij"[level], "abcdefghij"[level + 1]];
      lines.push(`${here}: &${here} [${Array(9).fill(`*${above}`).join(", ")}]`);
    }
    return lines.join("\n");
  };
  expect(await config(multiplied(9))).toMatch(/^Cannot use FILE/);
  // Written out, nine levels would be 729 times six.
  const [nine, six] = [multiplied(9), multiplied(6)];
  expect(
    await timesTheWork(
      () => config(nine),
      () => config(six),
    ),
  ).toBeLessThanOrEqual(NO_MORE);
});

test("a config file that was named and isn't there, or is a folder, is refused; the usual one may be absent", async () => {
  using home = emptyHome();
  const missing = join(home.path, "missing.yaml");
  expect(await messageOf(() => readConfig(missing), missing)).toBe(
    "Cannot read the config file FILE: there is no such file or folder",
  );
  expect(await messageOf(() => readConfig(home.path), home.path)).toBe(
    "Cannot read the config file FILE: it is a folder",
  );
});

test("variables give options by type; 0 is a number, false is not absent", () => {
  expect(
    readEnvironment({
      LOGFERRY_URL: "https://log.example",
      LOGFERRY_RATE: "0",
      LOGFERRY_NO_TRACKS: "false",
      LOGFERRY_QUIET: "1",
      LOGFERRY_SPORT: "Golf=other,Nordic Walking=walk",
      LOGFERRY_TOKEN: "not an option",
      LOGFERRY_SETTLE: undefined,
      PATH: "/bin",
    }),
  ).toEqual({
    url: "https://log.example",
    rate: 0,
    noTracks: false,
    quiet: true,
    sport: ["Golf=other", "Nordic Walking=walk"],
  });
});

test.each([
  ["LOGFERRY_ZOEN", "x", 'there is no such setting; did you mean "LOGFERRY_ZONE"?'],
  ["LOGFERRY_TOKN", "x", 'there is no such setting; did you mean "LOGFERRY_TOKEN"?'],
  ["LOGFERRY_ENTIRELY_ELSE", "x", "there is no such setting"],
  ["LOGFERRY_DRY_RUN", "true", "it can only be a flag, --dry-run"],
  ["LOGFERRY_RATE", "fast", 'expected a number, found "fast"'],
  ["LOGFERRY_RATE", " ", 'expected a number, found " "'],
  ["LOGFERRY_RATE", "1e999", 'expected a number, found "1e999"'],
  ["LOGFERRY_URL", "", "it is empty; unset it, or give it a value"],
  ["LOGFERRY_JSON", "yes", 'expected true or false, found "yes"'],
  ["LOGFERRY_CONCURRENCY", "65", "expected a whole number from 1 to 64, found 65"],
  ["LOGFERRY_UNTIL", "yesterday", 'expected 2023, 2023-07 or 2023-07-15, found "yesterday"'],
])("the variable %s=%j is refused by name", async (variable, value, message) => {
  expect(await messageOf(() => readEnvironment({ [variable]: value }))).toBe(
    `Cannot use the environment variable ${variable}: ${message}`,
  );
});

test("--sport and --activity add to the tables, the last word winning, without case or blanks in a sport's name", () => {
  const tables = withFlags(
    { ...NO_TABLES, activityIDs: { bike: 11 } },
    ["Nordic Walking=bike", "nordic-walking=walk", "A=B=row"],
    ["bike=21", "walk=0"],
  );
  expect(tables.activityIDs).toEqual({ bike: 21, walk: 0 });
  expect([...tables.sports.values()]).toEqual(["walk", "row"]);
});

test.each(["Golf", "Golf=", "=", "Golf=golfing", "Golf=Walk", ""])("--sport %j is refused", async (pair) => {
  expect(await messageOf(() => withFlags(NO_TABLES, [pair], []))).toMatch(
    `Cannot use --sport ${JSON.stringify(pair)}: expected NAME=ACTIVITY, the activity one of run, `,
  );
});

test.each(["bike", "bike=", "=11", "golf=11", "bike=eleven", "bike=-1", "bike=1.5", "bike=1e3", ""])(
  "--activity %j is refused",
  async (pair) => {
    expect(await messageOf(() => withFlags(NO_TABLES, [], [pair]))).toMatch(
      `Cannot use --activity ${JSON.stringify(pair)}: expected ACTIVITY=NUMBER, the activity one of run, `,
    );
  },
);
