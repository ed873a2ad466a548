import { expect, test } from "vitest";
import { at, parseJson } from "./json.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

test("J2 a whole number too long for a double keeps its digits", () => {
  expect(parseJson(bytes('{"id":12345678901234567890,"n":1.5,"small":7}'))).toEqual({
    kind: "json",
    value: { id: "12345678901234567890", n: 1.5, small: 7 },
  });
});

test.each([
  ["", "with nothing"],
  ["<!doctype html><p>Please sign in", "with a page, not JSON"],
  ['{"code":0', "not with JSON"],
  ['{"code":NaN}', "not with JSON"],
  ["{}{}", "not with JSON"],
  ["[1,]", "not with JSON"],
])("%j can't be read, and why is said", (text, found) => {
  expect(parseJson(bytes(text))).toEqual({ kind: "unreadable", found });
});

test("J2 64 levels are read, 65 are not", () => {
  const nested = (depth: number) => bytes("[".repeat(depth) + "]".repeat(depth));
  expect(parseJson(nested(64)).kind).toBe("json");
  expect(parseJson(nested(65))).toEqual({ kind: "unreadable", found: "its JSON is deeper than 64" });
  expect(parseJson(bytes("[".repeat(1_000_000))).kind).toBe("unreadable");
});

test("brackets inside texts are no levels", () => {
  const text = JSON.stringify({ notes: `${"[{".repeat(200)}\\"[` });
  expect(parseJson(bytes(text)).kind).toBe("json");
});

test("J1 members named like a prototype's are plain data, and a path never leaves an object's own members", () => {
  const parsed = parseJson(bytes('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'));
  expect(parsed.kind).toBe("json");
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  expect(at({}, "constructor.name")).toBeUndefined();
  expect(at({ data: { id: null } }, "data.id")).toBeUndefined();
  expect(at({ data: { n: 0 } }, "data.n")).toBe(0);
});

test.each([
  ["that ends with backslashes", '{"a":"\\\\\\\\","b":"[[["}'],
  ["that holds a quote", '{"a":"\\\\\\"[[[","b":"\\"\\"]"}'],
  ["that is empty", '{"":"","b":{"":[]}}'],
])("J2 a text %s ends where JSON ends it", (_what, text) => {
  const deep = (levels: number) => `[${text},${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}]`;
  expect(parseJson(bytes(deep(64)))).toEqual({ kind: "json", value: JSON.parse(deep(64)) });
  expect(parseJson(bytes(deep(65)))).toEqual({ kind: "unreadable", found: "its JSON is deeper than 64" });
});

test("J2 a text that does not end is not JSON, also with a long row of backslashes", () => {
  expect(parseJson(bytes(`{"a":"${"\\".repeat(200_000)}`))).toEqual({ kind: "unreadable", found: "not with JSON" });
  expect(parseJson(bytes(`{"a":"${'\\"'.repeat(200_000)}`))).toEqual({ kind: "unreadable", found: "not with JSON" });
});
