import { describe, expect, test } from "vitest";
import { proposalFor } from "../../../../test/support/proposal.ts";
import { isOpen } from "../infer.ts";

/** The proposal for a table of these lines: what its columns are, and its open questions. */
async function infer(lines: readonly string[], answers: Readonly<Record<string, string>> = {}) {
  const told = new Map(Object.entries({ "defaults.activity": "run", ...answers }));
  const proposal = await proposalFor(`${lines.join("\n")}\n`, told);
  return { columns: Object.fromEntries(proposal.draft.columns), open: proposal.choices.filter(isOpen) };
}

/** A workout of every third day from 1 January 2020 on, a Wednesday, with these words beside it. */
const beside = (words: readonly (string | number)[]) =>
  words.map(
    (word, at) =>
      `${new Date(Date.UTC(2020, 0, 1 + 3 * at)).toISOString().slice(0, 10)},${7 + (at % 3)},0:4${at % 5}:00,${word}`,
  );

/** The days of these rows: January 1, 4, 7, 10, 13, 16, 19, 22, 25, 28 and 31, February 3 and 6. */
const WEEKS = {
  "of ISO 8601": [1, 1, 2, 2, 3, 3, 3, 4, 4, 5, 5, 6, 6],
  "of a spreadsheet, from Sunday on": [1, 1, 2, 2, 3, 3, 4, 4, 4, 5, 5, 6, 6],
  "of seven days each": [1, 1, 1, 2, 2, 3, 3, 4, 4, 4, 5, 5, 6],
  "of training, from 5 on": [5, 5, 6, 6, 7, 7, 7, 8, 8, 9, 9, 10, 10],
  "left until a race": [12, 12, 11, 11, 10, 10, 10, 9, 9, 8, 8, 7, 7],
  "of two plans": [15, 15, 16, 16, 1, 1, 1, 2, 2, 3, 3, 4, 4],
  "with their year": [1, 1, 2, 2, 3, 3, 3, 4, 4, 5, 5, 6, 6].map((week) => `2020-W0${week}`),
  "with words": [1, 1, 2, 2, 3, 3, 3, 4, 4, 5, 5, 6, 6].map((week) => `KW ${week}`),
  "with one slip": [1, 1, 2, 2, 3, 3, 3, 4, 14, 5, 5, 6, 6],
  "as the dates of their Mondays": [
    ...["2019-12-30", "2019-12-30", "2020-01-06", "2020-01-06", "2020-01-13", "2020-01-13", "2020-01-13"],
    ...["2020-01-20", "2020-01-20", "2020-01-27", "2020-01-27", "2020-02-03", "2020-02-03"],
  ],
};

describe("a column of weeks", () => {
  test.each(Object.entries(WEEKS))("%s follows from the dates", async (_, weeks) => {
    const { columns, open } = await infer(["Date,km,Time,Week", ...beside(weeks)]);
    expect(open).toEqual([]);
    expect(columns).toMatchObject({ Week: { field: "ignore", why: "follows from the date" } });
  });

  test.each(["Week", "Woche", "Semaine", "Uge"])("%s with other numbers is none that anybody knows", async (header) => {
    const kilos = [60, 95, 80, 80, 60, 120, 100, 75, 90, 110, 60, 85, 95];
    const { columns } = await infer([`Date,km,Time,${header}`, ...beside(kilos)]);
    expect(columns).toMatchObject({ [header]: { field: "unsupported", label: header, proposed: true } });
  });

  test("with small numbers that jump back and forth is none that anybody knows", async () => {
    const { columns } = await infer(["Date,km,Time,Week", ...beside([3, 7, 2, 9, 4, 4, 8, 2, 6, 3, 9, 5, 7])]);
    expect(columns).toMatchObject({ Week: { field: "unsupported", proposed: true } });
  });

  test("that counts the workouts is none that anybody knows", async () => {
    const { columns } = await infer([
      "Date,km,Time,Week",
      ...beside([8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]),
    ]);
    expect(columns).toMatchObject({ Week: { field: "unsupported", proposed: true } });
  });

  test.each([
    [
      "of words",
      ["Base", "Base", "Build", "Build", "Peak", "Peak", "Peak", "Taper", "Taper", "Race", "Race", "Rest", "Rest"],
    ],
    ["with words in some rows", [1, 1, 2, 2, 3, 3, 3, 4, "race week", 5, 5, 6, 6]],
  ])("%s becomes a line of the notes", async (_, words) => {
    const { columns } = await infer(["Date,km,Time,Week", ...beside(words)]);
    expect(columns).toMatchObject({ Week: { field: "notes", label: "Week" } });
  });

  test("that a person says to be weeks stays out", async () => {
    const kilos = [60, 95, 80, 80, 60, 120, 100, 75, 90, 110, 60, 85, 95];
    const { columns } = await infer(["Date,km,Time,Woche", ...beside(kilos)], { "columns.Woche.field": "week" });
    expect(columns).toMatchObject({ Woche: { field: "ignore" } });
  });

  test("is held against the order of the dates that a person chose", async () => {
    // 1 February, 1 March and 1 April, or 2, 3 and 4 January.
    const lines = ["Date,km,Time,Week", "01/02/2020,7,0:40:00,5", "01/03/2020,8,0:44:00,9", "01/04/2020,9,0:48:00,14"];
    for (const [order, field] of [
      ["dmy", "ignore"],
      ["mdy", "unsupported"],
    ] as const)
      expect((await infer(lines, { "dates.order": order })).columns).toMatchObject({ Week: { field } });
  });
});

test.each(["Kniebeuge", "Klimmzüge"])("the German %s is no Danish week", async (header) => {
  const { columns } = await infer([`Datum,km,Zeit,${header}`, ...beside([1, 1, 2, 2, 3, 3, 3, 4, 4, 5, 5, 6, 6])]);
  expect(columns).toMatchObject({ [header]: { field: "unsupported", label: header, proposed: true } });
});
