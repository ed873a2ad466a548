/** What a coach and an athlete read about records that did not come over: by the real command, the real service and the real files. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { jsonLines } from "./support/cli.ts";
import { type Rehearsal, rehearse } from "./support/rehearsal.ts";
import { addMember, rowOf, writeRoster } from "./support/team.ts";

const MAPPING = `version: 1
dates: { order: iso }
columns:
  Day: { field: date }
  Sport: { field: activity }
  Title: { field: name }
  km: { field: distance, unit: km }
`;

let rehearsal: Rehearsal;
let folder: string;
let overview: string;
let summaries: readonly string[];
let out: string;

beforeAll(async () => {
  // The log refuses the second workout of each athlete, and also the third of the first athlete.
  rehearsal = await rehearse("kilometres", {
    faults: {
      armed: [
        "status-before-commit:POST /rest/logs/me/workouts:status=400,nth=2..3",
        "status-before-commit:POST /rest/logs/me/workouts:status=400,nth=5",
      ],
      seed: 1,
    },
  });
  const rows: Record<string, string>[] = [];
  for (const number of [1, 2]) {
    const home = join(rehearsal.folder, `sheet-${number}`);
    mkdirSync(home);
    writeFileSync(join(home, "log.map.yaml"), MAPPING);
    const lines = [1, 2, 3].map((day) => `2019-0${number}-0${day},run,Run ${number}.${day},10`);
    const odd = `2019-0${number}-10,Quidditch,Broom ${number},3\n2019-0${number}-32,run,No such day ${number},3\n`;
    writeFileSync(join(home, "log.csv"), `Day,Sport,Title,km\n${lines.join("\n")}\n${odd}`);
    const member = await addMember(rehearsal.service, join(rehearsal.folder, "team"), number);
    rows.push({ ...rowOf(member), archives: join(home, "log.csv") });
  }
  const roster = writeRoster(join(rehearsal.folder, "roster.csv"), rows);
  folder = join(rehearsal.folder, "results");
  const ran = await rehearsal.run(["batch", roster, "--report", folder, "--parallel", "1", "--concurrency", "1"]);
  expect(ran.code, ran.err).toBe(3);
  out = `${ran.out}${ran.err}`;
  overview = readFileSync(join(folder, "overview.html"), "utf8");
  summaries = readdirSync(join(folder, "athletes"))
    .toSorted()
    .map((name) => readFileSync(join(folder, "athletes", name, "summary.txt"), "utf8"));
});
afterAll(() => rehearsal.close());

test("the coach's overview names each cause once, over all athletes, with the one command for all", async () => {
  const { causes } = JSON.parse(readFileSync(join(folder, "overview.json"), "utf8"));
  const again = `logferry batch ${join(rehearsal.folder, "roster.csv")} --retry-failed`;
  const both = ["Athlete 1", "Athlete 2"];
  expect(causes).toEqual([
    {
      rule: "api/http-400",
      state: "refused",
      what: "the log refused them (Cannot save the workout: the service answered 400)",
      records: 3,
      athletes: both,
      remedy: `Send them again: ${again}`,
    },
    {
      rule: "workout/unknown-sport",
      state: "quarantined",
      what: '"Quidditch": logferry doesn\'t know this sport',
      records: 2,
      athletes: both,
      remedy: `Say which activity it is: ${again} --sport Quidditch=ACTIVITY`,
    },
    {
      rule: "csv/bad-date",
      state: "quarantined",
      what: "a date isn't written as the mapping file says",
      records: 2,
      athletes: both,
      remedy: `Mend it in the archives or their mapping files. Then: ${again}`,
    },
  ]);
  for (const { what, remedy } of causes)
    for (const words of [what, remedy]) {
      expect(overview).toContain(words.replaceAll('"', "&quot;").replaceAll("'", "&#39;"));
      expect(out).toContain(words);
    }
});

test("refused records are not said to be in quarantine: each kind has the command that is for it", () => {
  expect(overview).toMatch(/2 records rejected: logferry quarantine --journal [^<]*athlete-1/);
  expect(overview).toMatch(/2 records refused, not sent or in doubt: logferry batch [^<]*roster\.csv --retry-failed/);
  expect(overview).not.toContain("4 records");
});

test("an athlete's summary names each workout by its day and title, and says why in words they know", () => {
  const [first = "", second = ""] = summaries.map((summary) => summary.replaceAll(/\s+/g, " "));
  for (const words of [
    "A few records did not come over. They are listed below, each with the reason.",
    "What did not come over, and why",
    "- 2 January 2019, “Run 1.2”: your log did not take it",
    "- 10 January 2019, “Broom 1”: we don't know which sport “Quidditch” is for your log",
    "- log.csv, line 6: its date, “2019-01-32”, can't be read",
  ])
    expect(first).toContain(words);
  expect(first.match(/ - [^:]*: your log did not take it/g)).toHaveLength(2);
  expect(second.match(/ - [^:]*: your log did not take it/g)).toHaveLength(1);
  for (const words of ["logferry", "quarantine", "csv/", "api/", "mapping file", "Run 2."])
    expect(first).not.toContain(words);
});

test("the commands that the overview names, typed, load what they are for", async () => {
  const roster = join(rehearsal.folder, "roster.csv");
  const ran = await rehearsal.run(["batch", roster, "--retry-failed", "--sport", "Quidditch=run", "--json"]);
  const last = jsonLines(ran.out)
    .filter(({ type }) => type === "batch")
    .at(-1);
  expect(last).toMatchObject({ ledger: { refused: 0, quarantined: 2, read: 10 } });
  const [only, ...others] = jsonLines(ran.out).filter(({ type }) => type === "cause");
  expect(only).toMatchObject({ rule: "csv/bad-date", records: 2 });
  expect(others).toEqual([]);
});
