import { expect, test } from "vitest";
import type { WorkoutLine } from "../../pipelines/journal/line.ts";
import type { ReviewedPair } from "../../pipelines/review/pairs.ts";
import { askPairs } from "./ask-pairs.ts";

/** A pair of a sheet and a watch. */
function pair(id: string, kind = "alike"): ReviewedPair {
  const side = (archive: string) =>
    ({ key: `${archive} ${id}`, origin: { connector: "csv", archive, entry: archive } }) as WorkoutLine;
  const distance = (value: number) => ({ unit: "km", value });
  const differences = { secondsApart: undefined, distanceApart: 0.05, durationApart: undefined, measured: 2 };
  return {
    ...{ id, kind, left: side("notes.csv"), right: side("wrist.csv"), answer: undefined },
    found: { one: "", other: "", verdict: "doubtful", ms: 0, differences, isClockUnproven: false, score: 5 },
    weights: [
      { of: "start", weight: 3 },
      { of: "distance", weight: 2 },
    ],
    fields: [
      { field: "sport", left: "run", right: "run", differs: false },
      { field: "distance", left: distance(10), right: distance(9.5), differs: true },
      { field: "notes", left: "slow", right: undefined, differs: true },
    ],
  };
}

/** What is decided when a person types these lines, and all that they see. */
async function typing(pairs: readonly ReviewedPair[], ...typed: readonly string[]) {
  const decided: string[] = [];
  const seen: string[] = [];
  const left = [...typed];
  const lines = { next: async () => left.shift(), close: () => undefined };
  await askPairs(pairs, { lines, say: (...all) => seen.push(...all) }, async (about, { answer, take }) => {
    if (about.some(({ id }) => id === "c") && answer === "two") return "Cannot keep the answer c=two";
    decided.push(
      `${about.map(({ id }) => id).join(" ")}: ${answer}${take === undefined ? "" : ` ${JSON.stringify(take)}`}`,
    );
    return undefined;
  });
  return { decided, seen: seen.join("\n"), left };
}

const three = [pair("a"), pair("b"), pair("c", "other")];

test("a pair is shown side by side, with a star where the two differ", async () => {
  const { seen } = await typing(three.slice(0, 1));
  expect(seen).toContain(
    [
      "Pair 1 of 1:",
      "a  score 5; 9 is enough for one",
      "              notes.csv  wrist.csv",
      "    sport     run        run",
      "  * distance  10 km      9.5 km",
      "  * notes     slow       -",
    ].join("\n"),
  );
});

test.each([
  ["same, two, and Enter for none", ["s", "two", ""], ["a: one", "b: two"]],
  ["a merge with the fields of either side", ["m", "r", "", "q"], ['a: one {"distance":"right"}']],
  ["back from the fields of a merge, to the same pair", ["m", "b", "s", "q"], ["a: one"]],
  ["all like this, which leaves out other kinds", ["a", "s", "s"], ["a b: one", "c: one"]],
  ["back, to say otherwise", ["s", "b", "t", "q"], ["a: one", "a: two"]],
  ["back at the first pair, which stays", ["b", "s", "q"], ["a: one"]],
  ["quit, which keeps what was said", ["s", "q", "s"], ["a: one"]],
  ["the end of the input", ["s"], ["a: one"]],
  ["all like this, thought better of", ["a", "", "s", "q"], ["a: one"]],
  ["a word that isn't known, which is asked again", ["yes", "s", "q"], ["a: one"]],
])("a person may type %s", async (_what, typed, decided) => {
  expect((await typing(three, ...typed)).decided).toEqual(decided);
});

test("why? gives the weights, and asks again", async () => {
  const { seen, decided } = await typing(three, "why?", "s", "q");
  expect(seen).toContain("  +3  start: the same day, and one has no time\n  +2  distance: 5.0 % apart\n  5 in all.");
  expect(decided).toEqual(["a: one"]);
});

test("of a pair with the log no fields are chosen, because the log keeps its values", async () => {
  const [first] = three as [ReviewedPair];
  const inLog = {
    ...first,
    right: { ...first.right, entry: { kind: "workout", id: "123", claimedBy: undefined } },
  } as const;
  const { seen, decided } = await typing([inLog], "m", "s");
  expect(seen).toContain("There are no fields to choose: one of the two is in your log, which keeps its values.");
  expect(decided).toEqual(["a: one"]);
});

test("an answer that can't be kept is refused with the reason, and the pair is asked about again", async () => {
  const { seen, decided, left } = await typing(three, "a", "s", "t", "s");
  expect(seen.match(/Pair 3 of 3:/g)).toHaveLength(2);
  expect(seen).toContain("Cannot keep the answer c=two.");
  expect([decided, left]).toEqual([["a b: one", "c: one"], []]);
});
