import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { blocksOf } from "../../test/support/blocks.ts";
import type { WorkoutItem } from "../../transforms/model/item.ts";
import type { PersonEvidence } from "../../transforms/model/owner-evidence.ts";
import { NAMELESS } from "../log/log-view.ts";
import type { LogOwner } from "../log/owner.ts";
import type { Block, Suspect } from "./block.ts";
import { notTrusted, waysOut } from "./contradictions.ts";
import { createEvidenceCollector, type OwnerEvidence } from "./evidence.ts";
import { THRESHOLDS } from "./rules/rule.ts";

// Who is held, and who is not: every row a roster of athletes with what their logs and their archives say.

/** What an archive is made of, in the words of a coach. */
interface Made {
  readonly name?: string;
  /** Keys of its workouts; `anna` is `anna 1` to `anna 20`. */
  readonly workouts?: string;
  readonly from?: number;
  readonly to?: number;
  readonly serial?: string;
  readonly maker?: string;
  readonly files?: number;
  /** A second watch, and its files. */
  readonly borrowed?: readonly [serial: string, files: number];
  /** Year in which the device recorded. */
  readonly year?: number;
  readonly person?: PersonEvidence;
  /** Files that say so: one is a profile, many are watches. */
  readonly says?: number;
  readonly kg?: number;
  readonly maxHR?: number;
  readonly home?: readonly [lat: number, lon: number];
}

interface Athlete {
  readonly name: string;
  readonly expects?: string;
  readonly owner?: LogOwner;
  readonly archives?: readonly Made[];
}

function evidenceOf(archives: readonly Made[]): OwnerEvidence {
  const collector = createEvidenceCollector();
  for (const [index, made] of archives.entries()) {
    collector.open(index, made.name ?? "export.zip");
    const { workouts = `somebody ${Math.random()}`, from = 1, to = 20, kg, maxHR, home, person, year = 2024 } = made;
    for (let number = from; number <= to; number++) {
      const item: WorkoutItem = {
        kind: "workout",
        key: `${workouts} ${number}`,
        origin: { connector: "made", archive: "made", entry: "made" },
        value: {
          activity: "run",
          start: {
            instant: Date.UTC(year, 0, number, 6),
            ...(home && { position: { lat: home[0] + number / 10_000, lon: home[1] } }),
          },
          distance: { unit: "km", value: 10 },
          duration: 3000 + number,
          health: {
            ...(kg !== undefined && { weight: { unit: "kg", value: kg } }),
            ...(maxHR !== undefined && { maxHR: maxHR - (number % 5) }),
          },
        },
      };
      collector.addReading(index, item);
    }
    for (let file = 1; file <= (made.serial === undefined ? 0 : (made.files ?? 20)); file++)
      collector.addFile(index, {
        entry: `${file}.fit`,
        instant: Date.UTC(year, 0, file),
        device: { serial: made.serial ?? "", maker: made.maker ?? "garmin", product: "3290" },
      });
    const [borrowed, times] = made.borrowed ?? ["", 0];
    for (let file = 1; file <= times; file++)
      collector.addFile(index, { entry: `borrowed ${file}.fit`, device: { serial: borrowed, maker: "garmin" } });
    for (let file = 1; file <= (person === undefined ? 0 : (made.says ?? 1)); file++)
      collector.addFile(index, {
        entry: person?.id === undefined ? `${file}.fit` : "profile.csv",
        ...(person && { person }),
      });
  }
  return collector.evidence();
}

function suspectOf({ name, expects = name, owner = { screenName: expects }, archives = [] }: Athlete): Suspect {
  return {
    athlete: name,
    expects: expects.includes("@") ? { email: expects } : { screenName: expects },
    owner,
    account: { baseUrl: "log.example", userHash: `hash of ${owner.screenName ?? owner.email}`, name },
    evidence: evidenceOf(archives),
  };
}

const ANNA: PersonEvidence = {
  id: "strava 1",
  email: "anna@example.org",
  givenName: "Anna",
  familyName: "Beispiel",
  sex: "female",
};
const BEN: PersonEvidence = {
  id: "strava 2",
  email: "ben@example.org",
  givenName: "Ben",
  familyName: "Beispiel",
  sex: "male",
};
const VIENNA = [48.21, 16.4] as const;
const GRAZ = [47.07, 15.44] as const;

const row = (what: string, athletes: readonly Athlete[], held: readonly string[]) => ({ what, athletes, held });

/** `held`: athlete and rule of each hold, and whom it points to. */
const ROWS = [
  row("an athlete alone with their own log", [{ name: "Anna", archives: [{ serial: "3925550146" }] }], []),
  row("case and blanks of a screen name", [{ name: "Anna", expects: " anna B", owner: { screenName: "AnnaB " } }], []),
  row("case of an address", [{ name: "Anna", expects: "Anna@Example.org", owner: { email: "anna@example.org" } }], []),
  row("another screen name", [{ name: "Anna", expects: "anna", owner: { screenName: "ben" } }], ["Anna other-owner!"]),
  row(
    "another address although the screen name agrees",
    [{ name: "Anna", expects: "anna@example.org", owner: { screenName: "anna", email: "ben@example.org" } }],
    ["Anna other-owner!"],
  ),
  row("a log without a name", [{ name: "Anna", expects: "anna", owner: {} }], ["Anna unknown-owner"]),
  row(
    "a log that says its screen name only, where an address is expected",
    [{ name: "Anna", expects: "anna@example.org", owner: { screenName: "anna" } }],
    ["Anna unknown-owner"],
  ),
  row(
    "two tokens of one log",
    [
      { name: "Anna", expects: "anna" },
      { name: "Ben", expects: "anna" },
    ],
    ["Anna same-log! Ben", "Ben same-log! Anna"],
  ),
  row(
    "one's token given to another as well",
    [
      { name: "Anna", expects: "anna" },
      { name: "Ben", expects: "ben", owner: { screenName: "anna" } },
    ],
    ["Ben other-owner!", "Ben same-log! Anna"],
  ),
  row(
    "the same archive for two",
    [
      { name: "Anna", archives: [{ workouts: "anna" }] },
      { name: "Ben", archives: [{ name: "other.zip", workouts: "anna" }] },
    ],
    ["Anna same-archive! Ben", "Ben same-archive! Anna"],
  ),
  row(
    "the same archive for two, one of whom it names",
    [
      { name: "Anna Beispiel", archives: [{ workouts: "anna", person: ANNA }] },
      { name: "Ben", archives: [{ name: "other.zip", workouts: "anna" }] },
    ],
    ["Ben same-archive! Anna Beispiel"],
  ),
  row(
    "the same archive for two, one of whom it names, and the other has one of their own besides",
    [
      { name: "Anna Beispiel", archives: [{ workouts: "anna", person: ANNA }] },
      {
        name: "Ben Beispiel",
        archives: [
          { workouts: "ben", person: BEN },
          { name: "other.zip", workouts: "anna" },
        ],
      },
    ],
    ["Ben Beispiel same-archive! Anna Beispiel"],
  ),
  row(
    "a part of another's archive",
    [
      { name: "Anna", archives: [{ workouts: "anna", to: 200 }] },
      { name: "Ben", archives: [{ workouts: "anna", to: 30 }] },
    ],
    ["Anna same-workouts Ben", "Ben same-workouts Anna"],
  ),
  row(
    "a part of the archive of another whose profile says so",
    [
      { name: "Anna Beispiel", archives: [{ workouts: "anna", to: 200, person: ANNA }] },
      { name: "Ben", archives: [{ workouts: "anna", to: 30 }] },
    ],
    ["Ben same-workouts Anna Beispiel"],
  ),
  row(
    "one workout in common of hundreds",
    [
      {
        name: "Anna",
        archives: [
          { workouts: "anna", to: 300 },
          { workouts: "race", to: 1 },
        ],
      },
      {
        name: "Ben",
        archives: [
          { workouts: "ben", to: 300 },
          { workouts: "race", to: 2 },
        ],
      },
    ],
    [],
  ),
  row(
    "three workouts of a hundred in common, as of a camp's sheet",
    [
      { name: "Anna", archives: [{ name: "a.csv", workouts: "camp", to: 3 }] },
      { name: "Ben", archives: [{ workouts: "camp", to: 100 }] },
      { name: "Eva", archives: [{ workouts: "camp", from: 98, to: 197 }] },
    ],
    ["Anna same-workouts Ben"],
  ),
  row(
    "archives of two swapped, with profiles",
    [
      { name: "Anna Beispiel", archives: [{ person: BEN }] },
      { name: "Ben Beispiel", archives: [{ person: ANNA }] },
    ],
    ["Anna Beispiel other-person", "Ben Beispiel other-person"],
  ),
  row(
    "archives of two swapped, where the logs say the addresses",
    [
      { name: "a", expects: "anna@example.org", owner: { email: "anna@example.org" }, archives: [{ person: BEN }] },
      { name: "b", expects: "ben@example.org", owner: { email: "ben@example.org" }, archives: [{ person: ANNA }] },
    ],
    ["a other-person b", "b other-person a"],
  ),
  row(
    "one athlete's export given to another as well, who has it in a newer form",
    [
      { name: "Anna Beispiel", archives: [{ person: ANNA }] },
      { name: "Udo", archives: [{ person: ANNA }] },
    ],
    ["Udo other-person Anna Beispiel"],
  ),
  row("a profile of the athlete's own", [{ name: "Anna Beispiel", archives: [{ person: ANNA }] }], []),
  row(
    "another address at the platform",
    [
      {
        name: "Anna Beispiel",
        owner: { screenName: "Anna Beispiel", email: "anna@work.example" },
        archives: [{ person: ANNA }],
      },
    ],
    [],
  ),
  row(
    "accents, order and case of a name",
    [{ name: "MÜLLER José", archives: [{ person: { ...BEN, givenName: "Jose", familyName: "Muller" } }] }],
    [],
  ),
  row("a first name alone", [{ name: "Anna", archives: [{ person: ANNA }] }], []),
  row("an initial", [{ name: "A. Beispiel", archives: [{ person: ANNA }] }], []),
  row("another Anna", [{ name: "Anna Huber", archives: [{ person: ANNA }] }], ["Anna Huber other-person"]),
  row("another alphabet", [{ name: "Анна", archives: [{ person: ANNA }] }], []),
  row(
    "another sex, with an address that is nobody's here",
    [{ name: "Anna Beispiel", owner: { screenName: "Anna Beispiel", gender: "male" }, archives: [{ person: ANNA }] }],
    ["Anna Beispiel other-person"],
  ),
  row(
    "watches that say another sex than the log",
    [{ name: "Anna", owner: { screenName: "Anna", gender: "F" }, archives: [{ person: { sex: "male" }, says: 20 }] }],
    ["Anna other-person"],
  ),
  row(
    "a watch that was borrowed for four days",
    [{ name: "Anna", owner: { screenName: "Anna", gender: "F" }, archives: [{ person: { sex: "male" }, says: 4 }] }],
    [],
  ),
  row(
    "a birth that is ten years off",
    [
      {
        name: "Anna",
        owner: { screenName: "Anna", birthDate: "1984-03-09" },
        archives: [{ person: { ...ANNA, born: 1994 } }],
      },
    ],
    ["Anna other-person"],
  ),
  row(
    "an age that is a year off",
    [
      {
        name: "Anna",
        owner: { screenName: "Anna", birthDate: "1984-03-09" },
        archives: [{ person: { ...ANNA, born: 1983 } }],
      },
    ],
    [],
  ),
  row(
    "one watch in two archives, and nothing says whose it is",
    [
      { name: "Anna", archives: [{ serial: "3925550146" }] },
      { name: "Ben", archives: [{ serial: "3925550146" }] },
    ],
    ["Anna shared-device Ben", "Ben shared-device Anna"],
  ),
  row(
    "one watch in two archives, of which one has its owner's profile",
    [
      { name: "Anna Beispiel", archives: [{ serial: "3925550146", person: ANNA }] },
      { name: "Ben", archives: [{ serial: "3925550146" }] },
    ],
    ["Ben shared-device Anna Beispiel"],
  ),
  row(
    "a watch that changed hands between two who both have their profiles",
    [
      { name: "Anna Beispiel", archives: [{ serial: "3925550146", year: 2019, person: ANNA }] },
      { name: "Ben Beispiel", archives: [{ serial: "3925550146", year: 2022, person: BEN }] },
    ],
    [],
  ),
  row(
    "a friend's watch, once",
    [
      { name: "Anna Beispiel", archives: [{ serial: "3925550146", person: ANNA }] },
      { name: "Eva", archives: [{ serial: "3421117702", borrowed: ["3925550146", 1] }] },
    ],
    [],
  ),
  row(
    "a friend's watch for a week",
    [
      { name: "Anna Beispiel", archives: [{ serial: "3925550146", person: ANNA }] },
      { name: "Eva", archives: [{ serial: "3421117702", borrowed: ["3925550146", 7] }] },
    ],
    ["Eva shared-device Anna Beispiel"],
  ),
  row(
    "an archive that is one file of another's watch",
    [
      { name: "Anna Beispiel", archives: [{ serial: "3925550146", person: ANNA }] },
      { name: "Eva", archives: [{ serial: "3925550146", files: 1 }] },
    ],
    ["Eva shared-device Anna Beispiel"],
  ),
  row(
    "the club's machine",
    [
      { name: "Anna", archives: [{ serial: "430012345", maker: "concept2" }] },
      { name: "Ben", archives: [{ serial: "430012345", maker: "concept2" }] },
    ],
    [],
  ),
  row(
    "a serial that writers put where there is none",
    [
      { name: "Anna", archives: [{ serial: "1234567890" }] },
      { name: "Ben", archives: [{ serial: "1234567890" }] },
    ],
    [],
  ),
  row(
    "a watch that the club lends to four",
    ["Anna", "Ben", "Eva", "Udo"].map((name) => ({ name, archives: [{ serial: "3925550146" }] })),
    [],
  ),
  row(
    "the same serial of another maker",
    [
      { name: "Anna", archives: [{ serial: "3925550146" }] },
      { name: "Ben", archives: [{ serial: "3925550146", maker: "coros" }] },
    ],
    [],
  ),
  row("a year's ten kilograms", [{ name: "Anna", archives: [{ kg: 60 }, { kg: 70 }] }], []),
  row(
    "half as heavy again in the other archive",
    [{ name: "Anna", archives: [{ kg: 60 }, { kg: 90 }] }],
    ["Anna weight"],
  ),
  row("a heart that beats 9 a minute faster", [{ name: "Anna", archives: [{ maxHR: 180 }, { maxHR: 189 }] }], []),
  row(
    "a heart that beats 30 a minute faster",
    [{ name: "Anna", archives: [{ maxHR: 170 }, { maxHR: 200 }] }],
    ["Anna heart-rate"],
  ),
  row(
    "twins of one club, with one home",
    [
      { name: "Anna", archives: [{ home: VIENNA, kg: 60, maxHR: 185, serial: "3925550146" }] },
      { name: "Eva", archives: [{ home: VIENNA, kg: 60, maxHR: 185, serial: "3925550147" }] },
    ],
    [],
  ),
  row(
    "an archive from where another lives",
    [
      { name: "Anna", archives: [{ home: VIENNA }, { home: GRAZ }] },
      { name: "Ben", archives: [{ home: GRAZ }] },
    ],
    ["Anna home Ben"],
  ),
  row(
    "an archive from where another lives, and where the athlete was before",
    [
      { name: "Anna", archives: [{ home: VIENNA }, { home: GRAZ }, { home: GRAZ, to: 2 }] },
      { name: "Ben", archives: [{ home: GRAZ }] },
    ],
    [],
  ),
  row(
    "a year somewhere where nobody of the roster lives",
    [
      { name: "Anna", archives: [{ home: VIENNA }, { home: [40.01, -105.27] }] },
      { name: "Ben", archives: [{ home: GRAZ }] },
    ],
    [],
  ),
] as const;

const words = ({ athlete, rule, final, with: other }: Block) =>
  [athlete, `${rule}${final === true ? "!" : ""}`, ...(other === undefined ? [] : [other])].join(" ");

test.each(ROWS)("$what: held are $held", async ({ athletes, held }) => {
  expect((await blocksOf(athletes.map(suspectOf))).map(words)).toEqual(held);
});

test("a hold says its numbers, and nothing of it can drive a terminal", async () => {
  const hostile = "\u001b[2J";
  const [block] = await blocksOf([
    suspectOf({ name: `Anna${hostile}`, archives: [{ serial: "3925550146", files: 34, name: `a${hostile}.zip` }] }),
    suspectOf({ name: "Ben", archives: [{ serial: "3925550146", files: 12, year: 2021 }] }),
  ]);
  expect(block?.says).toBe(
    'a\\x1b[2J.zip holds 34 files from 2024-01-01 to 2024-02-03 of the device garmin 3290 with the serial 3925550146, which recorded 12 files from 2021-01-01 to 2021-01-12 of "Ben"; should it have changed hands, that is no matter',
  );
  const all = await blocksOf([
    suspectOf({
      name: "Anna",
      owner: { screenName: hostile },
      archives: [{ person: { ...BEN, givenName: hostile, email: `${hostile}@x` } }],
    }),
  ]);
  expect(all.map(words)).toEqual(["Anna other-owner!", "Anna other-person"]);
  for (const { says } of all) expect(says).not.toContain("\u001b");
});

test("one token for two is noticed where the log has no name, and two nameless logs are two", async () => {
  const nameless = (athlete: string, tokenHash: string): Suspect => ({
    athlete,
    expects: { screenName: athlete },
    owner: {},
    account: { baseUrl: "log.example", userHash: "0", name: NAMELESS },
    tokenHash,
  });
  const rules = async (...suspects: Suspect[]) => (await blocksOf(suspects)).map(({ rule }) => rule);
  expect(await rules(nameless("Anna", "a"), nameless("Ben", "b"))).toEqual(["unknown-owner", "unknown-owner"]);
  expect(await rules(nameless("Anna", "a"), nameless("Ben", "a"))).toEqual([
    ...["unknown-owner", "same-log", "unknown-owner", "same-log"],
  ]);
});

test("what a person trusts is let through, but for what no flag lets through", async () => {
  const blocks = await blocksOf(
    ROWS.filter(({ what }) => /^(the same archive for two|another Anna|a log without)/.test(what)).flatMap(
      ({ athletes }) => athletes.map((one, index) => suspectOf({ ...one, name: `${one.name} ${index}` })),
    ),
  );
  expect(blocks.some(({ final }) => final !== true)).toBe(true);
  const names = blocks.map(({ athlete }) => ` ${athlete.toUpperCase()}`);
  expect(notTrusted(blocks, names).every(({ final }) => final === true)).toBe(true);
  expect(notTrusted(blocks, [])).toEqual(blocks);
});

test("docs/who-is-who.md has every rule that held somebody here, with its threshold", () => {
  const page = readFileSync(join(import.meta.dirname, "..", "..", "docs", "who-is-who.md"), "utf8");
  const rows = new Map([...page.matchAll(/^\| `([a-z-]+)` \| (.*) \|$/gm)].map(([, rule, says]) => [rule, says]));
  const rules = new Set(
    ROWS.flatMap(({ held }) => held.map((one) => /(?:^| )([a-z]+-[a-z]+|weight|home)\b/.exec(one)?.[1])),
  );
  // What earlier runs left holds in memory.test.ts.
  expect([...rows.keys()].toSorted()).toEqual([...rules, "other-log"].toSorted());
  const { workouts, workoutsShare, deviceFiles, deviceAthletes, birthYears, wearerFiles } = THRESHOLDS;
  for (const [rule, said] of [
    ["same-workouts", [`${workouts} or more`, `${workoutsShare * 100} %`]],
    ["shared-device", [`${deviceFiles} or more`, `${deviceAthletes} athletes or more`]],
    ["other-person", [`${birthYears} years`, `from ${wearerFiles} files`]],
    ["weight", [`${THRESHOLDS.weight} times`]],
    ["heart-rate", [`${THRESHOLDS.heartRate} beats`, `of ${THRESHOLDS.heartRateWorkouts} workouts`]],
    [
      "home",
      [`${THRESHOLDS.homeWorkouts} workouts`, `${THRESHOLDS.homeShare * 100} %`, `${THRESHOLDS.homeMetres / 1000} km`],
    ],
  ] as const)
    for (const words of said) expect(rows.get(rule)).toContain(words);
});

test("where a reason that no flag lets pass is among them, no flag is named", () => {
  const block = (rule: Block["rule"], final?: true): Block => ({
    ...{ athlete: "Ben", rule, says: "", key: "" },
    ...(final && { final }),
  });
  const trust = "If all is well with it: --trust Ben";
  expect(waysOut([block("shared-device"), block("home")])).toEqual([trust]);
  expect(waysOut([block("shared-device"), block("same-archive", true), block("home")])).toEqual([
    "Give each athlete their own archive",
  ]);
});
