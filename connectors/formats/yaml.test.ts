import { expect, test } from "vitest";
import { growth, LINEAR } from "../../test/support/growth.ts";
import { firstOf, inputs } from "../../test/support/tiers.ts";
import { DEEPEST_YAML, parseYaml, YAML_BYTES } from "./yaml.ts";

const said = (text: string) => {
  const { problems, lineOf } = parseYaml(text);
  return problems.map(({ offset, message }) => `line ${lineOf(offset)}: ${message}`);
};

test("a key that stands twice in one map is told of with its line; in two maps it may", () => {
  expect(said("a: 1\nb: 2\na: 3\n")).toEqual(["line 3: a name stands here for the second time: keep one of its lines"]);
  expect(said("a: {x: 1}\nb: {x: 2}\n")).toEqual([]);
  expect(said("a:\n  __proto__: 1\n  __proto__: 2\n")).toEqual([
    "line 3: a name stands here for the second time: keep one of its lines",
  ]);
});

test("what is nested deeper than anybody writes is refused, however it is written", () => {
  const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
  expect(said(nested(DEEPEST_YAML))).toEqual([]);
  for (const depth of [2 * DEEPEST_YAML + 2, inputs({ first: 1_000, long: 30_000 })])
    expect(said(nested(depth)).join(), String(depth)).toMatch(/nested more than 64 deep|call stack/);
  expect(said("{a: ".repeat(1_000) + "}".repeat(1_000)).join()).toMatch(/nested more than 64 deep/);
  expect(said(Array.from({ length: 300 }, (_, depth) => `${" ".repeat(depth)}a:\n`).join("")).join()).toMatch(/nested/);
});

const LINES: readonly (readonly [what: string, line: (n: number) => string])[] = [
  ["keys", (n: number) => `k${n}: 1\n`],
  ["anchors", (n: number) => `- &a${n} x\n`],
  ["errors", () => "? \t@`%\n"],
  ["entries", () => "- {a: [1, 2]}\n"],
];

test.each(firstOf(1, LINES))("as many %s as a file may hold cost by their number", async (_, line) => {
  const filled = (length: number) => {
    let text = "";
    for (let n = 0; text.length < length; n++) text += line(n);
    return text;
  };
  expect(await growth(filled, parseYaml, YAML_BYTES / 2)).toBeLessThanOrEqual(LINEAR);
});

test.each([
  ["a: 6:30 run: easy\n", 1, /^a second colon in the line/],
  ["a:\n\t- b\n", 2, /^the line begins with a tab: use blanks instead$/],
  ["columns:\n  Date: { field: date\n  km: x\n", 3, /^a brace \{ is not closed: end it with \}$/],
  ["a: [1, 2\nb: 3\n", 2, /^a bracket \[ is not closed: end it with \]$/],
  ["columns:\n  km: { field: distance unit: km }\n", 2, /^a comma is missing between two words in braces/],
  ['a: "x\n', 2, /^a quotation mark is not closed/],
  ["a\nb: 1\n", 1, /^a line without a colon/],
  ["a: @x\n", 1, /^a text can't begin with @: put it in quotation marks, as in "@home"$/],
  ["- a\nb: 1\n", 2, /^a word or a mark that belongs to nothing before it/],
])("%j is told once, in line %i, in plain words", (text, line, words) => {
  const { problems, lineOf } = parseYaml(text);
  expect(problems.map(({ offset, message }) => [lineOf(offset), message])).toEqual([
    [line, expect.stringMatching(words)],
  ]);
});
