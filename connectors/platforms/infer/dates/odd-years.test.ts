import { expect, test } from "vitest";
import { memoryArchive } from "../../../containers/memory.ts";
import { inferMapping, isOpen, writeMapping } from "../infer.ts";

const HEADER = "Date,Run km,Time";

async function propose(dates: readonly string[], answers: Record<string, string> = {}) {
  const lines = dates.map((date, at) => `${date},${8 + (at % 5)},0:5${at % 10}:00`);
  const archive = memoryArchive("log", { "log.csv": `${[HEADER, ...lines].join("\n")}\n` });
  const [table] = archive.entries();
  if (table === undefined) throw new Error("no table");
  const proposal = await inferMapping(archive, table, new Map(Object.entries(answers)), "2026-03-01");
  if ("problem" in proposal) throw new Error(proposal.problem);
  return { ...proposal, open: proposal.choices.filter(isOpen), text: writeMapping(proposal, "log.csv") };
}

/** Every third day of some months. */
const daysOf = (...months: readonly string[]) =>
  months.flatMap((month) => ["03", "06", "09", "12", "15", "18", "21", "24", "27"].map((day) => `${month}-${day}`));

const YEAR = daysOf("2024-05", "2024-06");
/** The same with some rows changed. */
const changed = (changes: Record<string, string>) => YEAR.map((day) => changes[day] ?? day);

test.each<[string, readonly string[], readonly string[]]>([
  ["in the future", changed({ "2024-05-12": "2105-05-12" }), ["2105-05-12"]],
  ["of another century", changed({ "2024-05-12": "1923-05-12" }), ["1923-05-12"]],
  ["years ago", changed({ "2024-05-12": "2015-05-12" }), ["2015-05-12"]],
  ["the year before", changed({ "2024-06-12": "2023-06-12" }), ["2023-06-12"]],
  ["in the first row", changed({ "2024-05-03": "2025-05-03" }), ["2025-05-03"]],
  ["in the last row", changed({ "2024-06-27": "2023-06-27" }), ["2023-06-27"]],
  ["in a table with the latest day first", changed({ "2024-05-12": "2015-05-12" }).toReversed(), ["2015-05-12"]],
  [
    "of a whole January",
    [...daysOf("2023-11", "2023-12"), ...daysOf("2023-01").slice(0, 4), ...daysOf("2024-02", "2024-03")],
    daysOf("2023-01").slice(0, 4),
  ],
])("a year %s is asked about, and its rows wait", async (_, dates, odd) => {
  const { open, draft, text } = await propose(dates);
  expect(open).toEqual([
    expect.objectContaining({ place: "rows.0", value: "wrong year", rows: odd.length, question: expect.any(String) }),
  ]);
  expect(open[0]?.why).toContain(JSON.stringify(odd[0]));
  expect(draft.rows).toEqual([
    { when: [{ column: "Date", matches: `^(?:${odd.join("|")})$` }], skip: "wrong year", holds: true, place: "rows.0" },
  ]);
  expect(text).toContain("    hold: ASK\n");
});

test("a person's answer leaves the rows out, or keeps them", async () => {
  const dates = changed({ "2024-05-12": "2015-05-12" });
  const left = await propose(dates, { "rows.0": "wrong year" });
  expect(left.open).toEqual([]);
  expect(left.text).toContain("    hold: wrong year\n");
  const kept = await propose(dates, { "rows.0": "workouts" });
  expect([kept.open, kept.draft.rows]).toEqual([[], []]);
});

test.each<[string, readonly string[]]>([
  ["years of rest", [...daysOf("2012-05", "2012-06"), ...daysOf("2015-05", "2015-06"), ...daysOf("2024-01")]],
  ["the latest year first", [...daysOf("2015-01", "2015-02"), ...daysOf("2014-01", "2014-02"), ...daysOf("2013-01")]],
  ["one row of another year at the end", [...daysOf("2014-01", "2014-02"), "2016-03-01"]],
  ["a race a year", ["2011-05-07", "2012-05-06", "2013-05-05", "2014-05-04", "2015-05-03", "2016-05-01"]],
  [
    "no order",
    daysOf("2012-03", "2013-08", "2014-01", "2015-11", "2016-06").toSorted((a, b) =>
      a.slice(8) < b.slice(8) ? -1 : 1,
    ),
  ],
])("nothing is asked of a table with %s", async (_, dates) => {
  expect((await propose(dates)).open).toEqual([]);
});
