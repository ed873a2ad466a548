import { describe, expect, test } from "vitest";
import { randomOf } from "../../test/support/random.ts";
import { assign, type Candidate } from "./assignment.ts";
import { rivalsAmong } from "./rivals.ts";

const scoresOf = (all: readonly Candidate[]) => all.map(({ one, other }) => [one, other]).toSorted();
const sumOf = (all: readonly Candidate[]) => all.reduce((sum, { score }) => sum + score, 0);

/** The highest sum, by trying everything. */
function most([first, ...rest]: readonly Candidate[]): number {
  if (first === undefined) return 0;
  const others = rest.filter(({ one, other }) => one !== first.one && other !== first.other);
  return Math.max(first.score + most(others), most(rest));
}

test("two here and two there pair up right, although the best single pair is another", () => {
  const candidates = [
    { one: 0, other: 0, score: 10 },
    { one: 0, other: 1, score: 12 },
    { one: 1, other: 1, score: 11 },
  ];
  expect(scoresOf(assign(candidates))).toEqual([
    [0, 0],
    [1, 1],
  ]);
});

test("a record that has nobody left stays alone", () => {
  const candidates = [
    { one: 3, other: 7, score: 9 },
    { one: 4, other: 7, score: 10 },
  ];
  expect(scoresOf(assign(candidates))).toEqual([[4, 7]]);
  expect(assign([])).toEqual([]);
});

test("of 500 random sets none has a better assignment, and no record is in two pairs", () => {
  const random = randomOf(20_261_124);
  const below = (count: number) => Math.floor(random() * count);
  for (let number = 0; number < 500; number++) {
    const candidates: Candidate[] = [];
    for (let one = 0; one < 5; one++)
      for (let other = 0; other < 5; other++) if (below(2) === 0) candidates.push({ one, other, score: 1 + below(20) });
    const chosen = assign(candidates);
    expect(sumOf(chosen), `set ${number}`).toBe(most(candidates));
    expect(new Set(chosen.map(({ one }) => one)).size).toBe(chosen.length);
    expect(new Set(chosen.map(({ other }) => other)).size).toBe(chosen.length);
  }
});

test("5,000 records that are all alike are paired at once", () => {
  const candidates = Array.from({ length: 5_000 }, (_, one) =>
    [0, 1, 2].map((step) => ({ one, other: one + step, score: 10 })),
  ).flat();
  expect(assign(candidates)).toHaveLength(5_000);
});

describe("the rivals of a pair", () => {
  const rivalsOf = (candidates: readonly Candidate[], at: number) => {
    const chosen = assign(candidates);
    const [pair] = chosen.filter(({ one }) => one === at);
    return pair === undefined ? undefined : scoresOf(rivalsAmong(candidates, chosen)(pair));
  };

  test("are those that would do as well: two of one score for one record", () => {
    const candidates = [
      { one: 0, other: 0, score: 10 },
      { one: 1, other: 0, score: 10 },
    ];
    expect(rivalsOf(candidates, 0)).toEqual([[1, 0]]);
  });

  test("are those with which two would only change partners", () => {
    const candidates = [0, 1].flatMap((one) => [0, 1].map((other) => ({ one, other, score: 10 })));
    expect(rivalsOf(candidates, 0)).toHaveLength(2);
  });

  test("are not those whose own partner would be lost, or that have a lower score", () => {
    const candidates = [
      { one: 0, other: 0, score: 27 },
      { one: 0, other: 1, score: 16 },
      { one: 1, other: 1, score: 16 },
      { one: 2, other: 1, score: 15 },
    ];
    expect(rivalsOf(candidates, 1)).toEqual([]);
  });
});
