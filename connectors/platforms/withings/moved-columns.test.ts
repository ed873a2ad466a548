import { expect, test } from "vitest";
import { readAll } from "../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { identifyArchive } from "../../registry.ts";
import { withings } from "./table.ts";

// A newer export may have its columns in any order, and more of them. Each value is the right one, or the file is named and its rows wait.

type Column = readonly [name: string, ...cells: string[]];

const SPANS = {
  English: ["from", "to"],
  German: ["von", "bis"],
  "a language nobody here knows": ["de", "à"],
} as const;
type Language = keyof typeof SPANS;

const activities = (language: Language): readonly Column[] => [
  [SPANS[language][0], "2023-02-06T10:35:00+01:00", "2023-02-07T23:40:00+01:00"],
  [SPANS[language][1], "2023-02-06T11:35:00+01:00", "2023-02-08T00:10:00+01:00"],
  ["from (manual)", "", ""],
  ["to (manual)", "", ""],
  ["Timezone", "Europe/Berlin", "Europe/Berlin"],
  ["Activity type", "Running", "Walking"],
  ["Data", '{"distance":5000,"hr_average":141}', '{"distance":2100}'],
  ["GPS", "", ""],
  ["Modified", "2023-02-09T12:40:00+01:00", "2023-02-09T12:40:00+01:00"],
];

const MASSES = {
  English: ["Date", "Weight (kg)", "Fat mass (kg)", "Muscle mass (kg)", "Comments"],
  German: ["Datum", "Gewicht (kg)", "Fettmasse (kg)", "Muskelmasse (kg)", "Kommentare"],
  "a language nobody here knows": ["Jour", "Poids (kg)", "Masse grasse (kg)", "Masse musculaire (kg)", "Notes"],
} as const;

const weights = (language: Language): readonly Column[] => {
  const [date, weight, fat, muscle, comments] = MASSES[language];
  return [
    [date, "2023-02-06 07:00:00", "2023-02-07 07:00:00"],
    [weight, "70.5", "70.1"],
    [fat, "12.1", "12"],
    [muscle, "55", ""],
    [comments, "", "after a rest"],
  ];
};

const ADDED: readonly Column[] = [
  ["Uploaded", "2023-02-06T09:00:00+01:00", "2023-02-07T09:00:00+01:00"],
  ["Goal (kg)", "65", "90"],
  ["Device", "ScanWatch", "ScanWatch"],
  ["Score", "88", "71"],
];

/** Each swap of two columns, the columns backwards, and each new column at each place. */
function variants(columns: readonly Column[]): readonly (readonly Column[])[] {
  const swaps = columns.flatMap((one, first) =>
    columns.slice(first + 1).map((other, rest) => columns.with(first, other).with(first + 1 + rest, one)),
  );
  const inserted = ADDED.flatMap((column) =>
    [...columns.keys(), columns.length].map((place) => columns.toSpliced(place, 0, column)),
  );
  return [columns, [...columns].reverse(), ...swaps, ...inserted];
}

function csv(columns: readonly Column[]): string {
  const quoted = (cell: string | undefined) => `"${(cell ?? "").replaceAll('"', '""')}"`;
  return [0, 1, 2].map((row) => `${columns.map((column) => quoted(column[row])).join(",")}\n`).join("");
}

async function read(table: readonly Column[], list: readonly Column[]) {
  const { readings, issues } = await readAll(
    withings,
    memoryArchive("data.zip", { "activities.csv": csv(table), "weight.csv": csv(list) }),
  );
  const workouts = readings.flatMap((one) => (one.kind === "workout" ? [one.value] : []));
  return {
    spans: workouts.map(({ start, duration }) => `${start.date} ${"time" in start ? start.time : ""} ${duration}`),
    weights: workouts.map(({ health }) => health?.weight?.value),
    waits: readings.flatMap((one) => (one.kind === "set-aside" ? [one.issue] : [])),
    issues,
  };
}

const RIGHT = ["2023-02-06 10:35:00 3600", "2023-02-07 23:40:00 1800"];

for (const language of Object.keys(SPANS).filter((name): name is Language => name in SPANS))
  test(`activities in ${language} have the right times in any order of the columns, or wait`, async () => {
    const isKnown = language === "English" || language === "German";
    let waiting = 0;
    for (const table of variants(activities(language))) {
      const { spans, waits, issues } = await read(table, weights(language));
      const header = table.map(([name]) => name).join();
      if (isKnown || waits.length === 0) {
        expect(spans, header).toEqual(RIGHT);
        expect(
          issues.some(({ rule }) => rule === "withings/columns-by-kind"),
          header,
        ).toBe(!isKnown);
      } else {
        waiting++;
        expect(spans, header).toEqual([]);
        expect(waits[0]?.found, header).toMatch(
          /^activities\.csv: "(de|Uploaded)" and .* so none of its 2 rows can be read$/,
        );
      }
    }
    // Three columns with times: nobody can tell which of them is new.
    expect(waiting).toBe(isKnown ? 0 : activities(language).length + 1);
  });

for (const language of Object.keys(MASSES).filter((name): name is Language => name in MASSES))
  test(`weights in ${language} are right in any order of the columns, or left out by name`, async () => {
    for (const list of variants(weights(language))) {
      const { weights: found, issues } = await read(activities("English"), list);
      const header = list.map(([name]) => name).join();
      if (issues.some(({ rule }) => rule === "withings/unknown-columns")) {
        expect(language, header).toBe("a language nobody here knows");
        expect(found, header).toEqual([undefined, undefined]);
      } else expect(found, header).toEqual([70.5, 70.1]);
    }
  });

test("a table whose two unknown columns hold the earlier time in turns waits", async () => {
  const [one = [""], two = [""], ...others] = activities("a language nobody here knows");
  const table: readonly Column[] = [
    [one[0], one[1] ?? "", two[2] ?? ""],
    [two[0], two[1] ?? "", one[2] ?? ""],
    ...others,
  ];
  const { spans, waits } = await read(table, weights("English"));
  expect(spans).toEqual([]);
  expect(waits).toMatchObject([{ rule: "withings/unknown-columns" }]);
});

test("an export in an unknown language is still known as Withings'", async () => {
  const table = csv([...activities("a language nobody here knows")].reverse());
  const { connector } = await identifyArchive(memoryArchive("data.zip", { "activities.csv": table }));
  expect(connector.name).toBe("withings");
});
