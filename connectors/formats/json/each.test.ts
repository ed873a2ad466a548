import fc from "fast-check";
import { expect, test } from "vitest";
import { inputs } from "../../../test/support/tiers.ts";
import { EACH_OF_OBJECT, type JsonPlace, type JsonValue, jsonEach } from "./each.ts";
import { JSON_CAPS, JsonError } from "./parts.ts";

async function valuesOf(text: string, place: JsonPlace, size = text.length): Promise<JsonValue[]> {
  async function* chunks() {
    for (let at = 0; at < text.length; at += Math.max(1, size)) yield text.slice(at, at + Math.max(1, size));
  }
  const values: JsonValue[] = [];
  for await (const value of jsonEach(chunks(), place)) values.push(value);
  return values;
}

test("the members of a list within other things are given one at a time, with their lines", async () => {
  const text =
    '[{"other": [1, {"list": [9]}], "list": [\n{"a": "]}"},\n-2.5e3 , "x\\"y"\n, [], null]}, {"list": [true]}]';
  expect(await valuesOf(text, ["*", "list", "*"])).toEqual([
    { text: '{"a": "]}"}', line: 2 },
    { text: "-2.5e3", line: 3 },
    { text: '"x\\"y"', line: 3 },
    { text: "[]", line: 4 },
    { text: "null", line: 4 },
    { text: "true", line: 4 },
  ]);
});

test("each member of an object is led to, whatever it is called", async () => {
  const text = '[{"of": {"17": [{"a": 1}, {"a": 2}], "x": [], "18": [{"a": 3}]}, "17": [{"a": 4}]}]';
  const values = await valuesOf(text, ["*", "of", "{*}", "*"]);
  expect(values.map(({ text: each }) => each)).toEqual(['{"a": 1}', '{"a": 2}', '{"a": 3}']);
});

test("however the text comes in chunks, the values are those of the language's own parser", async () => {
  const key = fc.constantFrom("list", "a", "*", 'q"');
  const document = fc.record({ list: fc.array(fc.jsonValue()), more: fc.dictionary(key, fc.jsonValue()) });
  await fc.assert(
    fc.asyncProperty(fc.array(document), fc.nat(30), fc.nat(4), async (documents, size, indent) => {
      const values = await valuesOf(JSON.stringify(documents, undefined, indent), ["*", "list", "*"], size + 1);
      const all: unknown[] = documents.flatMap(({ list }) => list);
      expect(values.map(({ text }) => JSON.parse(text))).toEqual(JSON.parse(JSON.stringify(all)));
    }),
    { seed: 7, numRuns: inputs({ first: 60, long: 300 }) },
  );
});

test.each([
  ["a file that ends early", '[{"list": [{"a": 1}, {"a"', "json/cut"],
  ["an empty file", " ", "json/cut"],
  ["brackets that do not match", '[{"list": [{"a": 1}]]', "json/malformed"],
  ["too many within one another", "[".repeat(JSON_CAPS.depth + 1), "json/too-deep"],
  ["a name too long", `[{"${"x".repeat(JSON_CAPS.partLength + (1 << 17))}": 1}]`, "json/part-too-long"],
])("%s is an error that names the line", async (_, text, rule) => {
  const error = await valuesOf(text, ["*", "list", "*"], 1 << 16).catch((each: unknown) => each);
  expect(error).toBeInstanceOf(JsonError);
  expect((error as JsonError).issue).toMatchObject({ severity: "error", rule, found: "line 1" });
});

test("a value that is too long or too deep takes none of those behind it along", async () => {
  const deep = `${'{"a": '.repeat(JSON_CAPS.depth + 3)}"]}"${"}".repeat(JSON_CAPS.depth + 3)}`;
  const values = await valuesOf(
    `{"list": [1, ${deep}, "${"x".repeat(JSON_CAPS.partLength)}",\n2]}`,
    ["list", "*"],
    70_000,
  );
  expect([values[0], values[3]]).toEqual([
    { text: "1", line: 1 },
    { text: "2", line: 2 },
  ]);
  expect(values[1]?.text).toBe(deep);
  // Of a long value only so much is held that `parsedJson` refuses it.
  expect(values[2]?.text).toHaveLength(JSON_CAPS.partLength + 1);
});

test("what came before the damage was given", async () => {
  const given: string[] = [];
  async function* text() {
    yield '[{"list": [{"a": 1}, {"a"';
  }
  await expect(
    (async () => {
      for await (const value of jsonEach(text(), ["*", "list", "*"])) given.push(value.text);
    })(),
  ).rejects.toBeInstanceOf(JsonError);
  expect(given).toEqual(['{"a": 1}']);
});

test("a value is given as soon as it has come, long before the file ends", async () => {
  let read = 0;
  async function* text() {
    yield '{"list": [';
    for (; read < 100_000; read++) yield `${read === 0 ? "" : ","}{"a": ${read}}`;
    yield "]}";
  }
  for await (const value of jsonEach(text(), ["list", "*"])) {
    expect(value.text).toBe('{"a": 0}');
    break;
  }
  expect(read).toBeLessThan(2);
});

test("every member of an object has its name, and a large one that nobody reads is not held", async () => {
  const points = "[1,2],".repeat(JSON_CAPS.partLength / 4);
  async function* text() {
    yield '[{"sport": "RUN"}, {"poi';
    yield 'nts": [';
    for (let at = 0; at < points.length; at += 64_000) yield points.slice(at, at + 64_000);
    yield '0]}, {"a": 1, "b": {"points": 2}}, 7]';
  }
  const given: unknown[] = [];
  for await (const { text: value, member } of jsonEach(text(), ["*", EACH_OF_OBJECT], ["points"]))
    given.push([member, value]);
  expect(given).toEqual([
    ["sport", '"RUN"'],
    ["points", "[]"],
    ["a", "1"],
    ["b", '{"points": 2}'],
  ]);
});
