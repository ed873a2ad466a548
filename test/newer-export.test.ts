import { mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { jsonLines } from "./support/cli.ts";
import { type Ran, type Rehearsal, rehearse } from "./support/rehearsal.ts";

// Two exports of one Strava account, a year apart. The owner changed a title, a distance and a race flag in between. By the real command line.

let rehearsal: Rehearsal;
beforeEach(async () => {
  rehearsal = await rehearse();
});
afterEach(() => rehearsal.close());

const FIXTURES = join(import.meta.dirname, "..", "fixtures", "strava");
const [HEADER = ""] = readFileSync(join(FIXTURES, "h-2025-101-columns", "archive", "activities.csv"), "utf8").split(
  "\n",
);

interface Activity {
  readonly id: number;
  /** In May 2023, in UTC. */
  readonly day: number;
  readonly title: string;
  readonly metres?: number;
  readonly isRace?: boolean;
}

const EARLIER: readonly Activity[] = [
  { id: 1, day: 4, title: "Morning" },
  { id: 2, day: 6, title: "Vienna 10 k" },
];
const LATER: readonly Activity[] = [
  { id: 1, day: 4, title: "Along the river" },
  { id: 2, day: 6, title: "Vienna 10 k", metres: 5100, isRace: true },
];

/** Writes an export. Its files have the time of the 1st of June of a year. */
function strava(name: string, activities: readonly Activity[], year: number): string {
  const folder = join(rehearsal.folder, name);
  mkdirSync(folder, { recursive: true });
  const names = HEADER.split(",");
  const rows = activities.map(({ id, day, title, metres = 5000, isRace = false }) => {
    const cells: Record<string, string> = {
      "Activity ID": String(id),
      "Activity Date": `"May ${day}, 2023, 5:00:00 AM"`,
      "Activity Name": title,
      ...{ "Activity Type": "Run", "Elapsed Time": "1800", "Moving Time": "1800", Competition: isRace ? "1.0" : "" },
    };
    return names
      .map((column, at) =>
        column === "Distance" ? (names.indexOf(column) === at ? metres / 1000 : metres) : (cells[column] ?? ""),
      )
      .join(",");
  });
  const path = join(folder, "activities.csv");
  writeFileSync(path, `${[HEADER, ...rows].join("\n")}\n`);
  utimesSync(path, new Date(`${year}-06-01T00:00:00Z`), new Date(`${year}-06-01T00:00:00Z`));
  return folder;
}

const load = (...words: string[]): Promise<Ran> =>
  rehearsal.run(["import", "--zone", "Europe/Vienna", ...rehearsal.activities, ...words]);

/** Title, kilometres and kind of each workout in the log, by day. */
async function inLog(): Promise<readonly unknown[]> {
  const all: Record<string, unknown>[] = [];
  for (const { id } of await rehearsal.listed("/rest/logs/me/workouts"))
    all.push((await rehearsal.get(`/rest/logs/me/workouts/${id}`)).workout as Record<string, unknown>);
  return all
    .sort((a, b) => (String(a.date) < String(b.date) ? -1 : 1))
    .map(({ notes, details, workoutName }) => [
      notes,
      (details as { distance: { value: number } }).distance.value,
      workoutName,
    ]);
}

const NEWER = [
  ["Along the river", 5, undefined],
  ["Vienna 10 k", 5.1, "Race"],
];

describe("two exports of one account in one command", () => {
  test.each([
    ["the older one first", false],
    ["the newer one first", true],
  ])("give the values of the newer export, %s", async (_order, isNewerFirst) => {
    const both = [strava("old", EARLIER, 2024), strava("new", LATER, 2025)];
    const ran = await load(...(isNewerFirst ? both.toReversed() : both));
    expect(ran.code, ran.out + ran.err).toBe(0);
    expect(await inLog()).toEqual(NEWER);
    expect(ran.out).toContain(
      "old activities.csv line 2: the same record as new activities.csv line 2, whose export is newer: it has another name or notes\n",
    );
    expect(ran.out).toContain(
      "old activities.csv line 3: the same record as new activities.csv line 3, whose export is newer: it has another type, distance\n",
    );
    expect(ran.out).toMatch(
      /^ {2}2 times, such as old activities\.csv line 2: another name or notes than in the newer/m,
    );
    const again = await load("--json", ...both);
    expect(jsonLines(again.out).findLast(({ type }) => type === "summary")).toMatchObject({
      ledger: { created: 0, updated: 0, unchanged: 2, merged: 2 },
    });
  });

  test("are told apart by their newest workouts first, whatever the times of their files", async () => {
    const more = [...LATER, { id: 3, day: 8, title: "One more" }];
    const both = [strava("new", more, 2024), strava("old", EARLIER, 2025)];
    const ran = await load(...both.toReversed());
    expect(ran.code, ran.out + ran.err).toBe(0);
    expect(await inLog()).toEqual([...NEWER, ["One more", 5, undefined]]);
  });

  test("say nothing of records that are the same in both", async () => {
    const ran = await load(strava("old", EARLIER, 2024), strava("new", EARLIER, 2025));
    expect(ran.out).toContain("the same record as new activities.csv line 2\n");
    expect(ran.out).not.toContain("newer");
  });
});

describe("an older export after a newer one, in a command of its own,", () => {
  const WARNING =
    "old is older than new, which run 1 loaded: 2 workouts get the older values back, expected the newer export: import it once more afterwards, or name both in one command";

  test("is named with the number of workouts that get older values back", async () => {
    await load(strava("new", LATER, 2025));
    const planned = await rehearsal.run([
      ...["plan", "--zone", "Europe/Vienna", ...rehearsal.activities],
      strava("old", EARLIER, 2024),
    ]);
    expect(planned.out).toContain(WARNING);
    expect(await inLog()).toEqual(NEWER);
  });

  test("is known by its newest workout too, and a newer export is not warned of", async () => {
    const first = await load(strava("old", EARLIER, 2025));
    expect(first.out).not.toContain("older");
    const second = await load(strava("new", [...LATER, { id: 3, day: 8, title: "One more" }], 2024));
    expect(second.out).not.toContain("older");
    expect(await inLog()).toEqual([...NEWER, ["One more", 5, undefined]]);
    const back = await load(strava("old", EARLIER, 2025));
    expect(back.out).toContain("old is older than new, which run 2 loaded: 2 workouts get the older values back");
  });
});
