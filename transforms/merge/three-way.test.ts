import { expect, test } from "vitest";
import { mergeThreeWay, sameValue } from "./three-way.ts";

test("ours is written over what we sent ourselves, and what the log added is kept", () => {
  const result = mergeThreeWay(
    { notes: "a" },
    { notes: "a", health: { maxHR: 180 } } as object,
    { notes: "b" } as object,
  );
  expect(result).toEqual({ body: { notes: "b", health: { maxHR: 180 } }, kept: [] });
});

test("a field somebody edited in the log stays as they left it, and is named", () => {
  const result = mergeThreeWay({ notes: "a", n: 1 }, { notes: "edited", n: 1 }, { notes: "b", n: 2 });
  expect(result).toEqual({ body: { notes: "edited", n: 2 }, kept: ["notes"] });
});

test("a field the owner emptied is not filled again", () => {
  expect(mergeThreeWay<{ notes?: string }>({ notes: "a" }, {}, { notes: "b" })).toEqual({ body: {}, kept: ["notes"] });
});

test("without a base (the log made the record from a file) ours wins", () => {
  expect(mergeThreeWay(undefined, { date: "2024-01-01" }, { date: "2024-01-02" }).body).toEqual({ date: "2024-01-02" });
});

test("float noise is no edit", () => {
  expect(mergeThreeWay({ v: 4.13 }, { v: 4.1299999 }, { v: 5 })).toEqual({ body: { v: 5 }, kept: [] });
  expect(sameValue({ a: [1, { b: 2 }] }, { a: [1, { b: 2.0000001 }] })).toBe(true);
  expect(sameValue({ a: 1 }, { a: 1, b: undefined })).toBe(true);
  expect(sameValue([], {})).toBe(false);
  expect(sameValue(0, undefined)).toBe(false);
});
