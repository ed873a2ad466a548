import { describe, expect, test } from "vitest";
import { proposalFor } from "../../../../test/support/proposal.ts";
import { isOpen } from "../infer.ts";

/** The proposal for a table of these lines: what its columns are, and its open questions. */
async function infer(lines: readonly string[], answers: Readonly<Record<string, string>> = {}) {
  const proposal = await proposalFor(`${lines.join("\n")}\n`, new Map(Object.entries(answers)));
  const open = proposal.choices.filter(isOpen);
  return {
    columns: Object.fromEntries(proposal.draft.columns),
    open: open.map(({ place, options }) => [place, options[0]?.value]),
    why: open[0]?.why,
  };
}

const LIFTED = [60, 95, 80, 120, 60, 100, 80, 95, 120, 60];
const BODY = [81.2, 80.9, 81.4, 81.0, 80.6, 80.8, 80.5, 80.9, 80.3, 80.1];

/** A log of a gym with these columns behind the date, the sport and the duration. */
const gym = (header: string, ...columns: readonly (readonly (number | string)[])[]) => [
  `Date,Session,Duration,${header}`,
  ...LIFTED.map((_, at) => `2020-01-${10 + 2 * at},Gym,${50 + at} min,${columns.map((cells) => cells[at]).join(",")}`),
];

describe("of two weights", () => {
  test.each([
    ["Squat weight", "Body weight"],
    ["Bench (kg)", "Weight (kg)"],
    ["Top weight (kg)", "Bodyweight (kg)"],
    ["Peso sentadilla", "Peso corporal"],
    ["Working weight", "BW"],
    ["Gewicht Kniebeuge", "Körpergewicht"],
    ["Charge (kg)", "Poids du corps (kg)"],
    ["Muscle mass (kg)", "Weight"],
    ["Peso muerto", "Peso"],
    ["Thruster weight", "Weight"],
    ["Foo weight", "Morning weight"],
  ])("%s is left, and %s is the body weight", async (lifted, body) => {
    for (const lines of [gym(`${lifted},${body}`, LIFTED, BODY), gym(`${body},${lifted}`, BODY, LIFTED)]) {
      const { columns, open } = await infer(lines);
      expect(open).toEqual([]);
      expect(columns).toMatchObject({ [body]: { field: "weight", unit: "kg" } });
      expect(columns).toMatchObject({ [lifted]: { field: "unsupported", label: lifted, proposed: true } });
    }
  });
});

describe("a lone column", () => {
  test.each([
    "Max weight",
    "Top weight",
    "Hantelgewicht",
    "Bankdrücken kg",
    "Deadlift",
    "Bar weight",
    "Klimmzüge",
    "ベンチプレス(kg)",
  ])("%s is no body weight, and no heart rate", async (header) => {
    const { columns, open } = await infer(gym(header, LIFTED));
    expect(open).toEqual([]);
    expect(columns).toMatchObject({ [header]: { field: "unsupported", proposed: true } });
  });

  test.each(["Weight", "Gewicht (kg)", "kg", "Peso"])(
    "%s that jumps up and down by a fifth is a question",
    async (header) => {
      const { columns, open, why } = await infer(gym(header, LIFTED));
      const place = `columns.${header}.field`;
      expect(open).toEqual([[place, "unsupported"]]);
      expect(why).toContain("in 7 of 9 rows, up and down, such as from 120 to 60");
      expect(columns).toMatchObject({ [header]: { field: "unsupported" } });
      expect(
        (await infer(gym(header, LIFTED), { [place]: "weight", [`columns.${header}.unit`]: "kg" })).columns,
      ).toMatchObject({ [header]: { field: "weight" } });
    },
  );

  test.each(["Landmine (kg)", "Morning (kg)"])(
    "%s, with a unit of weight and no word for it, is a question",
    async (header) => {
      expect((await infer(gym(header, BODY))).open).toEqual([[`columns.${header}.field`, "unsupported"]]);
    },
  );

  test.each(["Weight", "Körpergewicht (kg)", "Morning weight", "kg", "BW", "Masa ciała", "体重", "Vikt", "Poids (kg)"])(
    "%s of a body is its weight without a question",
    async (header) => {
      const { columns, open } = await infer(gym(header, BODY));
      expect(open).toEqual([]);
      expect(columns).toMatchObject({ [header]: { field: "weight", unit: "kg" } });
    },
  );

  test.each([
    ["with a slip of the keyboard", BODY.map((value, at) => (at === 4 ? 108.6 : value))],
    [
      "with other units in some cells",
      BODY.map((value, at) => (at % 3 === 0 ? `${Math.round(value * 2.2)} lb` : value)),
    ],
    ["of another scale from a row on", BODY.map((value, at) => (at > 4 ? value * 1.25 : value))],
  ])("Weight %s is still that of a body", async (_, cells) => {
    expect((await infer(gym("Weight (kg)", cells))).columns).toMatchObject({ "Weight (kg)": { field: "weight" } });
  });
});
