import { expect, test } from "vitest";
import { proposalFor } from "../../../../test/support/proposal.ts";
import { isOpen } from "../infer.ts";

/** Runs of every third day, by the American order of dates: miles and kilometres are both usual. */
const RUNS = ["6.2,0:45:46", "9.5,1:06:58", "12.1,1:20:52", "12.5,1:27:55", "7.4,0:50:26", "13.1,1:26:27"];

/** Some rows, again and again, with a date each. */
const dated = (rows: readonly string[], count = 30) =>
  Array.from({ length: count }, (_, at) => `${1 + (at % 12)}/${1 + (at % 28)}/2020,${rows[at % rows.length]}`);

/** The proposal for a table of these lines. */
async function infer(lines: readonly string[], answers: Readonly<Record<string, string>> = {}) {
  const told = new Map(Object.entries({ "defaults.activity": "run", ...answers }));
  const proposal = await proposalFor(`${lines.join("\n")}\n`, told);
  const { choices, draft } = proposal;
  return {
    columns: draft.columns,
    at: (place: string) => choices.find((choice) => choice.place === place),
    open: choices.filter(isOpen).map(({ place }) => place),
    rules: choices.filter(({ place }) => place.startsWith("rows.")).map(({ value }) => value),
  };
}

test.each([
  ["How far (km)?", "km"],
  ["Distance in km?", "km"],
  ["How many km?", "km"],
  ["km run today", "km"],
  ["Kilometers completed?", "km"],
  ["How far did you run (in km)?", "km"],
  ["Total distance (km) for the day", "km"],
  ["How many miles?", "mi"],
  ["Distance (mi) for the day", "mi"],
  ["¿Cuántos kilómetros corriste?", "km"],
  ["Quantas milhas hoje?", "mi"],
  ["Wie viele Kilometer heute?", "km"],
  ["Hoeveel mijl vandaag?", "mi"],
  ["Ile kilometrów dzisiaj?", "km"],
  ["今日は何キロ走った?", "km"],
])("%s says %s, also where a person said that it is the distance", async (header, unit) => {
  const place = `columns.${header}.unit`;
  const { at, open } = await infer([`Date,${header},How long?`, ...dated(RUNS)], {
    [`columns.${header}.field`]: "distance",
  });
  expect([at(place)?.value, at(place)?.why, open.includes(place)]).toEqual([unit, "the header says so", false]);
});

test.each(["Distance (km or miles)?", "How far (5 km loop)?", "Mi distancia de hoy", "How far at 6 min/km?"])(
  "%s says no unit",
  async (header) => {
    const { open } = await infer([`Date,${header},How long?`, ...dated(RUNS)], {
      [`columns.${header}.field`]: "distance",
    });
    expect(open).toContain(`columns.${header}.unit`);
  },
);

/** Runs with two heart rates and a weight. */
const MEASURED = dated(["6.2,0:43:42,132,147,170", "9.5,1:03:48,158,173,171", "12.1,1:16:50,159,174,172"]);

test.each([
  ["Date,Distance,Time,HR,HR,Weight", ",(km),(h:mm:ss),avg,max,(lbs)", "HR", "HR#2"],
  ["Date,Distance,Time,Heart rate,,Weight", "mm/dd/yyyy,km,h:mm:ss,avg bpm,max bpm,lbs", "Heart rate", ""],
  ["Date,Distance,Time,Heart rate,Max,Weight", ",km,,average,,lbs", "Heart rate", "Max"],
  ["Date,Distance (km),Time,HR,HR,Weight (lb)", ",,,max,avg,", "HR#2", "HR"],
])("the line below %s is one of units: %s", async (header, units, mean, highest) => {
  const { at, open, columns, rules } = await infer([header, units, ...MEASURED]);
  const distance = header.includes("(km)") ? "Distance (km)" : "Distance";
  expect([at(`columns.${distance}.unit`)?.value, at(`columns.${distance}.unit`)?.why]).toEqual([
    "km",
    "the header says so",
  ]);
  const fields = new Map(columns);
  expect([fields.get(mean)?.field, fields.get(highest)?.field]).toEqual(["avgHR", "maxHR"]);
  expect([open, rules]).toEqual([[], ["units"]]);
});

test("a row that begins with a word for a mean, and has numbers, is still a total", async () => {
  const { rules } = await infer([
    "Date,Distance (km),Time,HR,Max HR,Weight",
    "Average,9.3,1:01:26,149,165,171",
    ...MEASURED,
  ]);
  expect(rules).toEqual(["total"]);
});
