import { describe, expect, test } from "vitest";
import { hasPartIn, putBack } from "./put-back.ts";

describe("a record put back", () => {
  const was = { date: "2024-02-10", notes: "it rained", details: { duration: 600 } };

  test("has the fields it had, without those added since", () => {
    const now = { date: "2024-02-11", notes: "edited", details: { duration: 600 }, ratings: { effort: 7 } };
    expect(putBack(now, now, was)).toEqual({ body: was, kept: [] });
  });

  test("keeps what was edited after it was looked at", () => {
    const looked = { ...was, notes: "edited" };
    const now = { ...looked, notes: "edited again", ratings: { effort: 3 } };
    expect(putBack(looked, now, was)).toEqual({ body: now, kept: ["notes", "ratings"] });
  });

  test("of some fields has those alone, also one in a group, and one that it had not", () => {
    const now = {
      date: "2024-02-11",
      notes: "edited",
      details: { duration: 700, distance: 5 },
      ratings: { effort: 7 },
    };
    expect(putBack(now, now, was, ["details.duration", "ratings.effort"])).toEqual({
      body: { date: "2024-02-11", notes: "edited", details: { duration: 600, distance: 5 } },
      kept: [],
    });
    expect(putBack(now, now, { health: { avgHR: 150 } }, ["health.avgHR"]).body).toEqual({
      ...now,
      health: { avgHR: 150 },
    });
  });

  test("the noise of a float is no edit", () => {
    expect(putBack({ a: 4.13 }, { a: 4.1299999 }, { a: 5 })).toEqual({ body: { a: 5 }, kept: [] });
  });
});

test("a path has part in itself, in what it leads into and in what it is led from", () => {
  expect(
    ["details", "details.distance", "details.distance.value"].every((path) => hasPartIn(path, ["details.distance"])),
  ).toBe(true);
  expect(hasPartIn("details.duration", ["details.distance"])).toBe(false);
  expect(hasPartIn("details2", ["details"])).toBe(false);
});
