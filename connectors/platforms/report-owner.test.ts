import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { zipBytes } from "../../fixtures/make/zip.ts";
import { emptyHome } from "../../test/support/cli.ts";
import { ROOT } from "../../test/support/rehearsal.ts";
import type { Reading } from "../../transforms/model/item.ts";
import type { FileEvidence } from "../../transforms/model/owner-evidence.ts";
import { openArchive } from "../containers/open.ts";
import { withEntries } from "../containers/overlay.ts";
import { identifyArchive } from "../registry.ts";

// Tests for the owner evidence that logferry reads beside the workouts of an archive.

async function said(path: string, added: Readonly<Record<string, string>> = {}): Promise<readonly FileEvidence[]> {
  const archive = withEntries(await openArchive(path), added);
  const all: FileEvidence[] = [];
  try {
    const { connector } = await identifyArchive(archive);
    const context = {
      signal: new AbortController().signal,
      report: () => undefined,
      sports: new Map(),
      reportOwner: (evidence: FileEvidence) => void all.push(evidence),
    };
    for await (const _ of connector.read(archive, context));
  } finally {
    await archive.close();
  }
  return all;
}

const DEMO = join(ROOT, "fixtures", "demo");
/** Several tests look at it. */
const inExport = said(join(DEMO, "export_24680135.zip"));
const filesOf = (all: readonly FileEvidence[], serial: string) =>
  all.filter(({ device }) => device?.serial === serial).length;

test("a platform's export says whose profile it is, and which watches recorded its files", async () => {
  const all = await inExport;
  expect(all.filter(({ entry }) => /^(profile|general_preferences)\.csv$/.test(entry))).toEqual([
    {
      entry: "profile.csv",
      person: {
        id: "strava 24680135",
        email: "anna@example.org",
        givenName: "Anna",
        familyName: "Beispiel",
        sex: "female",
        weight: { unit: "kg", value: 70.2 },
      },
    },
    { entry: "general_preferences.csv", person: { born: 1984, weight: { unit: "kg", value: 70.2 }, maxHR: 184 } },
  ]);
  for (const serial of ["3421117702", "3325550146", "3922033518", "3805550091"])
    expect(filesOf(all, serial), serial).toBeGreaterThan(40);
});

test("a watch is the same in FIT and TCX, and a settings file says who wears it", async () => {
  const exported = await inExport;
  const copied = await said(join(DEMO, "watch"));
  const old = [...exported, ...copied].filter(({ device }) => device?.serial === "3805550091");
  expect(old.some(({ entry }) => entry.endsWith(".tcx.gz"))).toBe(true);
  expect(old.some(({ entry }) => entry.endsWith(".fit"))).toBe(true);
  expect(new Set(old.map(({ device }) => device?.maker))).toEqual(new Set(["garmin"]));
  const worn = exported.filter(({ entry, person }) => entry.startsWith("activities/") && person !== undefined);
  expect(worn.map(({ person }) => person)).toEqual([{ sex: "male", weight: { unit: "kg", value: 70.2 } }]);
});

test("a profile of whatever language and age is read by its places, and nonsense in it is nobody's", async () => {
  using home = emptyHome();
  const row = (name: string, cells: string) => ({ name, bytes: Buffer.from(`a,b,c,d,e,f,g,h\n${cells}\n`) });
  const activities = {
    name: "activities.csv",
    bytes: Buffer.from(
      "Activity ID,Activity Date,Activity Name,Activity Type,Activity Description,Elapsed Time,Distance,Relative Effort,Commute,Activity Gear,Filename\n",
    ),
  };
  for (const [profile, preferences, expected] of [
    ["7,jo@x.example,Jo,,w,,", "", [{ id: "strava 7", email: "jo@x.example", givenName: "Jo" }]],
    ["seven,jo at x,,,,,seventy", "tomorrow,,,", []],
    [
      ",,,,,,154 lbs",
      '"9 mars 1984","70,5 kg",,300',
      [{ weight: { unit: "lb", value: 154 } }, { born: 1984, weight: { unit: "kg", value: 70.5 }, maxHR: 300 }],
    ],
    ["", "", []],
  ] as const) {
    const path = join(home.path, "export_7.zip");
    writeFileSync(
      path,
      zipBytes([activities, row("profile.csv", profile), row("general_preferences.csv", preferences)]),
    );
    expect((await said(path)).map(({ person }) => person)).toEqual(expected);
  }
});

test("who doesn't listen is told nothing, and reads the same", async () => {
  const archive = await openArchive(join(DEMO, "watch"));
  try {
    const { connector } = await identifyArchive(archive);
    const read = async (reportOwner?: (evidence: FileEvidence) => void) => {
      const context = {
        signal: new AbortController().signal,
        report: () => undefined,
        sports: new Map(),
        ...(reportOwner && { reportOwner }),
      };
      const readings: Reading[] = [];
      for await (const reading of connector.read(archive, context)) readings.push(reading);
      return readings;
    };
    const heard: FileEvidence[] = [];
    expect(await read((evidence) => void heard.push(evidence))).toEqual(await read());
    expect(heard.length).toBeGreaterThan(50);
  } finally {
    await archive.close();
  }
});

test.each(["csv", "json", "ndjson-gz"])("an export of a log, as %s, says whose log it was", async (form) => {
  const all = await said(join(ROOT, "fixtures", "logferry-export", form, "archive"));
  expect(all.map(({ person }) => person)).toEqual([
    { email: "demo@example.com", givenName: "Demo", familyName: "Runner" },
  ]);
});

// The layouts of these files are those of the notes, of a real file (adidas), or of what the programs write into files of this name. Endomondo writes
// each value into an object of its own.
const ANA = { email: "ana@example.org", givenName: "Ana", familyName: "Beispiel" };
const ANA_BORN = { ...ANA, sex: "female", born: 1984 };
const SNAKE = `{"first_name":"Ana","last_name":"Beispiel","birthday":"1984-03-09","email":"ana@example.org","gender":"F","login":"ana84"}`;
const HOME = "642bffa2-0000-4000-8000-000000000000_1/DI_CONNECT/DI-Connect-User/user_profile.json";

test.each<[platform: string, fixture: string, files: Readonly<Record<string, string>>, person: object]>([
  [
    // The list of workouts in this fixture has an address in its name.
    "Garmin",
    "garmin/account-export-in-a-folder",
    { [HOME]: `{"firstName":"Ana","lastName":"Beispiel","gender":"FEMALE","birthDate":"1984-03-09"}` },
    { ...ANA_BORN, email: "anna@example.org" },
  ],
  [
    "Garmin, by its names",
    "garmin/plain-list",
    { "ana@example.org_0_summarizedActivities.json": "[]" },
    // The list of this fixture has the number of the account.
    { email: ANA.email, id: "garmin 77" },
  ],
  [
    "Polar",
    "polar/new-layout",
    {
      "account-data-1-5e5510a0.json": `{"exportVersion":"1.0","username":"ana@example.org"}`,
      "account-profile-1-5e5510a0.json": `{"firstName":"Ana","lastName":"Beispiel","city":{"name":"Upper Town"}}`,
    },
    ANA,
  ],
  [
    "Endomondo",
    "endomondo/archive-2020",
    {
      "Profile/Profile.json": `[{"name":"Ana Beispiel"},{"email":"ana@example.org"},{"gender":"FEMALE"},{"date_of_birth":"1984-03-09 00:00:00.0"}]`,
    },
    ANA_BORN,
  ],
  ["adidas Running", "adidas-running/until-2020", { "User/user.json": SNAKE }, ANA_BORN],
  ["FitTrackee", "fittrackee/gpx-folder", { "user_data.json": SNAKE }, ANA_BORN],
  [
    "Endurain",
    "endurain/parts",
    { "data/user.json": `[{"name":"Ana Beispiel","email":"ana@example.org","birthdate":"1984-03-09"}]` },
    { ...ANA, born: 1984 },
  ],
  [
    "Google Fit",
    "google-fit/dutch",
    { "Takeout/Profile/Profile.json": `{"name":{"givenName":"Ana","familyName":"Beispiel"},"displayName":"Ana B"}` },
    { givenName: "Ana", familyName: "Beispiel" },
  ],
  [
    "Google Health",
    "fitbit/google-health-october-2026",
    {
      "Takeout/Google Health/Your Profile/Profile.csv":
        "id,full_name,first_name,last_name,email_address\n7,Ana Beispiel,firstName,lastName,ana@example.org\n",
    },
    ANA,
  ],
  [
    "SportTracks",
    "sporttracks/fitlog",
    { "a.fitlog": `<FitnessWorkbook><AthleteLog><Athlete Id="7" Name="Ana Beispiel"/></AthleteLog></FitnessWorkbook>` },
    { givenName: "Ana", familyName: "Beispiel" },
  ],
  [
    "Golden Cheetah",
    "golden-cheetah/library",
    { "activities/2010_01_01_00_00_00.json": `{"RIDE":{"TAGS":{"Athlete":"Ana Beispiel "}}}` },
    { givenName: "Ana", familyName: "Beispiel" },
  ],
  [
    "TrainingPeaks",
    "trainingpeaks/pwx",
    { "files/a.pwx": "<pwx><workout><athlete><name>Ana Beispiel</name></athlete></workout></pwx>" },
    { givenName: "Ana", familyName: "Beispiel" },
  ],
  [
    "Runalyze",
    "runalyze/backup-3",
    {
      "runalyze-backup-1.json":
        'version=4.3\n\n{"TABLE":"runalyze_account"}\n{"1":{"username":"ana84","name":"","mail":"ana@example.org"}}\n\n{"TABLE":"runalyze_sport"}\n',
    },
    { email: ANA.email },
  ],
])("%s names the owner of its export", async (_platform, fixture, files, person) => {
  const all = await said(join(ROOT, "fixtures", fixture, "archive"), files);
  const named = all.filter(({ entry }) => Object.keys(files).includes(entry));
  expect(named.map((each) => each.person)).toEqual([person]);
});

test.each([
  ["Samsung", "samsung/prefixed", "samsung demo"],
  ["Mi Fitness", "mi-fitness/data-copy", "mi-fitness 123"],
  ["Zepp", "zepp/two-exports", "zepp 1234567890"],
  ["Attackpoint", "attackpoint/log", "attackpoint 8425"],
  ["Garmin", "garmin/plain-list", "garmin 77"],
])("%s names the account of its export", async (_platform, fixture, id) => {
  const all = await said(join(ROOT, "fixtures", fixture, "archive"));
  expect(new Set(all.flatMap(({ person }) => person?.id ?? []))).toEqual(new Set([id]));
});

test("a file of another name than the platform gives names no account", async () => {
  const all = await said(join(ROOT, "fixtures", "zepp", "renamed", "archive"));
  expect(all.flatMap(({ person }) => person?.id ?? [])).toEqual([]);
});

test.each([
  ["a screen name", `{"name":"runner84","username":"runner84"}`],
  ["a list of others", `{"friends":{"list":{"all":[{"first_name":"Ben","last_name":"Huber"}]}}}`],
  ["no document", "{"],
])("an account with %s names nobody", async (_what, text) => {
  const all = await said(join(ROOT, "fixtures", "fittrackee", "gpx-folder", "archive"), { "user_data.json": text });
  expect(all.filter(({ entry }) => entry === "user_data.json")).toEqual([]);
});
