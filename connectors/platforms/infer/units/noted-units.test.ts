import { expect, test } from "vitest";
import { proposalFor } from "../../../../test/support/proposal.ts";
import { isOpen } from "../infer.ts";
import { writeMapping } from "../mapping/write-mapping.ts";

// The second row is slower by the length of a mile, and its note says why.
const table = (header: string, note: string, distance = "6.2") =>
  `Date,${header},Time,Notes\n2024-03-01,10,0:52:00,easy\n2024-03-03,${distance},0:52:30,${note}\n2024-03-05,8,0:41:10,\n2024-03-07,12,1:02:00,hills\n`;

async function propose(text: string, answers: Readonly<Record<string, string>> = {}) {
  const given = new Map(Object.entries({ "defaults.activity": "run", ...answers }));
  const proposal = await proposalFor(text, given);
  return { open: proposal.choices.filter(isOpen), file: writeMapping(proposal, "log.csv"), draft: proposal.draft };
}

test.each([
  ["km", "(distance in miles today)", "miles"],
  ["Distance (km)", "in miles", "miles"],
  ["km", "miles not km", "miles"],
  ["km", "(miles)", "miles"],
  ["km", "heute in Meilen", "miles"],
  ["km", "distance en millas", "miles"],
  ["km", "dystans w milach", "miles"],
  ["km", "マイルで", "miles"],
  ["Miles", "this one in km", "kilometres"],
  ["Miles", "diesmal Kilometer", "kilometres"],
])("below %s, a note such as %s is a question that names the row", async (header, note, name) => {
  const { open } = await propose(table(header, note));
  expect(open).toMatchObject([
    {
      place: "rows.0",
      question: `Are the distances of these rows in ${name}?`,
      why: `1 row says ${name} in the column "Notes", such as ${JSON.stringify(note)}: 2024-03-03`,
    },
  ]);
});

test.each(["last 2 miles fast", "10 miles of Kiel", "splits in miles: 8:20", "in km 5 a stitch", "easy miles", "miles to go"])(
  "a note such as %s says nothing of the unit of its row",
  async (note) => {
    expect((await propose(table("km", note))).open).toEqual([]);
  },
); // biome-ignore format: a list

test("a row whose cell has its unit is no question", async () => {
  expect((await propose(table("km", "in miles", "6.2 mi"))).open).toEqual([]);
});

test("many notes, of which one alone says a unit in its own words, are held by rules that a plan can read", async () => {
  const notes = Array.from({ length: 30 }, (_, at) => `loop ${at} by the river - in miles`);
  const rows = [...notes, "in km 5 a stitch", "(miles)", "splits in miles: 8:20"].map(
    (note, at) =>
      `2024-${String(1 + Math.floor(at / 28)).padStart(2, "0")}-${String(1 + (at % 28)).padStart(2, "0")},6.2,0:52:30,${note}`,
  );
  const { draft } = await propose(`Date,km,Time,Notes\n${rows.join("\n")}\n`, { "rows.0": "other unit" });
  const patterns = draft.rows.flatMap(({ when }) => when.flatMap((one) => ("matches" in one ? [one.matches] : [])));
  expect(patterns.length).toBeGreaterThan(2);
  expect(patterns.filter((one) => one.length > 200)).toEqual([]);
});

test("the rows wait until their cells have the unit, also those that are written later, or they are workouts", async () => {
  const held = await propose(table("km", "in miles"), { "rows.0": "other unit" });
  expect(held.file).toContain('hold: "other unit"'.replaceAll('"', ""));
  expect(held.draft.rows).toMatchObject([
    { when: [{ column: "Notes", matches: expect.stringContaining("|miles?|") }, { column: "km" }], holds: true },
  ]);
  expect((await propose(table("km", "in miles"), { "rows.0": "workouts" })).draft.rows).toEqual([]);
});

test("Mi in a column of weekdays is Wednesday, and no miles", async () => {
  const days = ["04.03.2024;Mo", "05.03.2024;Di", "06.03.2024;Mi.", "07.03.2024;Do", "13.03.2024;Mi"].map(
    (day, at) => `${day};${8 + at};0:4${at}:10`,
  );
  const { open, draft } = await propose(["Datum;Tag;km;Zeit", ...days].join("\n"));
  expect(open).toEqual([]);
  expect(draft.rows).toEqual([]);
});
