import { expect, test } from "vitest";
import { growth, LINEAR } from "../../test/support/growth.ts";
import { DEEPEST_YAML, parseYaml, YAML_BYTES } from "./yaml.ts";

const said = (text: string) => {
  const { problems, lineOf } = parseYaml(text);
  return problems.map(({ offset, message }) => `line ${lineOf(offset)}: ${message}`);
};

test("a key that stands twice in one map is told of with its line; in two maps it may", () => {
  expect(said("a: 1\nb: 2\na: 3\n")).toEqual(["line 3: Map keys must be unique"]);
  expect(said("a: {x: 1}\nb: {x: 2}\n")).toEqual([]);
  expect(said("a:\n  __proto__: 1\n  __proto__: 2\n")).toEqual(["line 3: Map keys must be unique"]);
});

test("what is nested deeper than anybody writes is refused, however it is written", () => {
  const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
  expect(said(nested(DEEPEST_YAML))).toEqual([]);
  for (const depth of [2 * DEEPEST_YAML + 2, 1_000, 10_000, 30_000])
    expect(said(nested(depth)).join(), String(depth)).toMatch(/nested more than 64 deep|call stack/);
  expect(said("{a: ".repeat(1_000) + "}".repeat(1_000)).join()).toMatch(/nested more than 64 deep/);
  expect(said(Array.from({ length: 300 }, (_, depth) => `${" ".repeat(depth)}a:\n`).join("")).join()).toMatch(/nested/);
});

test.each([
  ["keys", (n: number) => `k${n}: 1\n`],
  ["anchors", (n: number) => `- &a${n} x\n`],
  ["errors", () => "? \t@`%\n"],
  ["entries", () => "- {a: [1, 2]}\n"],
])("as many %s as a file may hold cost by their number", async (_, line) => {
  const filled = (length: number) => {
    let text = "";
    for (let n = 0; text.length < length; n++) text += line(n);
    return text;
  };
  expect(await growth(filled, parseYaml, YAML_BYTES / 2)).toBeLessThanOrEqual(LINEAR);
});
