import { describe, expect, test } from "vitest";
import { proposalFor } from "../../../../test/support/proposal.ts";
import { isOpen } from "../infer.ts";

/** The proposal for a log of runs with these columns: what its columns are, and its open questions. */
async function infer(
  columns: Readonly<Record<string, readonly number[]>>,
  answers: Readonly<Record<string, string>> = {},
) {
  const lines = [
    `Date,km,Time,${Object.keys(columns).join(",")}`,
    ...RUNS.map(
      (_, at) =>
        `2020-01-${10 + 2 * at},${8 + at},0:${42 + 2 * at}:00,${Object.values(columns)
          .map((cells) => cells[at])
          .join(",")}`,
    ),
  ];
  const told = new Map(Object.entries({ "defaults.activity": "run", ...answers }));
  const proposal = await proposalFor(`${lines.join("\n")}\n`, told);
  const fields = Object.fromEntries([...proposal.draft.columns].map(([name, { field }]) => [name, field]));
  return {
    fields,
    open: proposal.choices.filter(isOpen).map(({ place, options }) => [place, ...options.map(({ value }) => value)]),
  };
}

const MORNING = [50, 48, 52, 51, 49, 50, 47, 53];
const RUNS = [146, 148, 152, 141, 155, 149, 150, 144];
const THRESHOLD = [168, 167, 169, 168, 170, 166, 168, 169];

describe("a pulse of the morning", () => {
  test.each(["Puls morgens", "Puls früh", "Morgenpuls", "Tętno rano", "Morgonpuls", "起床時心拍数", "FC au réveil"])(
    "below %s is the heart rate at rest",
    async (header) => {
      expect(await infer({ [header]: MORNING })).toMatchObject({ fields: { [header]: "restHR" }, open: [] });
    },
  );

  test.each([
    ["Puls morgens", "Puls"],
    ["Tętno rano", "Tętno"],
    ["Morgonpuls", "Medelpuls"],
    ["起床時心拍数", "平均心拍"],
  ])("below %s stands in front of the average below %s", async (morning, mean) => {
    const { fields, open } = await infer({ [morning]: MORNING, [mean]: RUNS });
    expect([open, fields]).toMatchObject([[], { [morning]: "restHR", [mean]: "avgHR" }]);
  });

  test.each(["Puls", "HR", "Avg HR"])("below %s is a question, with the heart rate at rest first", async (header) => {
    const place = `columns.${header}.field`;
    expect((await infer({ [header]: MORNING })).open).toEqual([[place, "restHR", "unsupported", "avgHR"]]);
    expect(await infer({ [header]: MORNING }, { [place]: "avgHR" })).toMatchObject({
      fields: { [header]: "avgHR" },
      open: [],
    });
    const beside = await infer({ "Resting HR": MORNING, [header]: MORNING });
    expect(beside.open).toEqual([[place, "unsupported", "avgHR"]]);
  });

  test("beside usual heart rates is not the average, whatever its place", async () => {
    const { fields, open } = await infer({ "HR Garmin": MORNING, "HR Polar": RUNS });
    expect([open, fields]).toMatchObject([[], { "HR Garmin": "unsupported", "HR Polar": "avgHR" }]);
  });
});

describe("a heart rate", () => {
  test.each([
    "HF-Variabilität",
    "Threshold HR",
    "Schwellenpuls",
    "Erholungspuls",
    "HR limit",
    "Puls nachts",
    "Sleeping HR",
    "HR in bed",
    "Puls vor",
  ])("%s is none of a workout", async (header) => {
    expect(await infer({ [header]: THRESHOLD })).toMatchObject({ fields: { [header]: "unsupported" }, open: [] });
  });

  test.each([
    ["Threshold HR", "HR"],
    ["HR Garmin", "HR"],
  ])("%s comes behind %s", async (other, plain) => {
    const { fields } = await infer({ [other]: THRESHOLD, [plain]: RUNS });
    expect(fields).toMatchObject({ [other]: "unsupported", [plain]: "avgHR" });
  });

  test.each(["HR", "Puls", "Ø Puls", "HR Garmin", "Gns. puls", "平均心拍"])(
    "%s of workouts is the average without a question",
    async (header) => {
      expect(await infer({ [header]: RUNS })).toMatchObject({ fields: { [header]: "avgHR" }, open: [] });
    },
  );
});

test.each(["Wassertemperatur", "Temp water", "Body temp", "水温"])(
  "%s is no temperature of the air",
  async (header) => {
    const degrees = [18, 18, 19, 17, 18, 20, 19, 18];
    expect(await infer({ [header]: degrees })).toMatchObject({ fields: { [header]: "unsupported" }, open: [] });
  },
);

test.each(["Zielgewicht", "Rucksackgewicht"])("%s is no weight of the body", async (header) => {
  expect(await infer({ [header]: [70, 70, 70, 69, 69, 69, 68, 68] })).toMatchObject({
    fields: { [header]: "unsupported" },
    open: [],
  });
});
