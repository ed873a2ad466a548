import { describe, expect, test } from "vitest";
import { memoryArchive } from "../../containers/memory.ts";
import { inferMapping, isOpen } from "./infer.ts";

/** The proposal for a table of these lines: its questions with their answers in order, its rules and its columns. */
async function infer(lines: readonly string[], answers: Record<string, string> = { "defaults.activity": "run" }) {
  const archive = memoryArchive("log", { "log.csv": `${lines.join("\n")}\n` });
  const [entry] = archive.entries();
  if (entry === undefined) throw new Error("no table");
  const proposal = await inferMapping(archive, entry, new Map(Object.entries(answers)), "2026-03-01");
  if ("problem" in proposal) throw new Error(proposal.problem);
  const { choices, draft } = proposal;
  return {
    ...{ columns: Object.fromEntries(draft.columns), rules: draft.rows },
    open: Object.fromEntries(choices.filter(isOpen).map(({ place, options }) => [place, options.map(({ value }) => value)])),
    why: (place: string) => choices.find((choice) => choice.place === place)?.why,
    isUnproven: (place: string) => choices.find((choice) => choice.place === place)?.isUnproven === true,
  };
} // biome-ignore format: a helper

describe("columns in which people tick off what they did", () => {
  const table = (header: string, ticks: readonly string[]) => [
    `Date,km,${header}`,
    ...ticks.map((tick, at) => `2024-03-${at + 10},1${at},${tick}`),
  ];

  test.each([
    ["Done?", ["✓", "✗", "✓", "", "✓"], ["✗", ""], '"✗" once, nothing once; the others have "✓"'],
    ["Completed", ["Yes", "No", "Yes", "No", "Yes"], ["No"], '"No" 2 times; the others have "Yes"'],
    ["Done", ["TRUE", "FALSE", "TRUE", "TRUE", "TRUE"], ["FALSE"], '"FALSE" once'],
    ["erledigt", ["ja", "ja", "nein", "ja", "ja"], ["nein"], '"nein" once'],
    ["Done", ["x", "x", "", "x", "x"], [""], 'nothing once; the others have "x"'],
    ["Done", ["✓", "x", "✓", "✓", "✓"], ["x"], '"x" once; the others have "✓"'],
  ])("%s with %j are a question, and left out first", async (header, ticks, texts, why) => {
    const { open, rules, why: whyOf } = await infer(table(header, ticks));
    expect(open).toEqual({ "rows.0": ["not done", "workouts"] });
    expect(rules).toEqual([{ when: [{ column: header, matches: `^(?:${texts.join("|")})$` }], skip: "not done", place: "rows.0" }]);
    expect(whyOf("rows.0")).toContain(why);
  });

  test.each([
    ["Done", ["8.1", "9", "7.4", "6", "8"]],
    ["Done?", ["yes", "yes", "yes", "yes", "yes"]],
    ["Race?", ["no", "yes", "no", "no", "no"]],
  ])("%s with %j is none", async (header, ticks) => {
    expect((await infer(table(header, ticks))).rules).toEqual([]);
  });
}); // biome-ignore format: a table
