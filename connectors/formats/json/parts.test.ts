import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { JSON_CAPS, JsonError, type JsonPart, jsonParts, parsedJson } from "./parts.ts";

async function partsOf(text: string, cut = text.length): Promise<JsonPart[]> {
  async function* chunks() {
    for (let at = 0; at < text.length; at += Math.max(1, cut)) yield text.slice(at, at + Math.max(1, cut));
  }
  const parts: JsonPart[] = [];
  for await (const part of jsonParts(chunks())) parts.push(part);
  return parts;
}

/** What the parts say the object is. */
function assembled(parts: readonly JsonPart[]): Record<string, unknown> {
  const object: Record<string, unknown> = Object.create(null);
  for (const { member, index, text, line } of parts) {
    const value = parsedJson(text, line);
    if (index === undefined) object[member] = value;
    else {
      if (index === 0) object[member] = [];
      (object[member] as unknown[]).push(value);
    }
  }
  return object;
}

test("each member is a part, and each member of a list, with the line it begins on", async () => {
  const text =
    '{\n"a": {"x": [1, "}"]},\n"b": [\n{"y": "\\"]"},\n 5,"z" ,\n[true]\n], "c":null, "d" : 1.5e3,\n"e": [ ]}\n';
  expect(await partsOf(text)).toEqual([
    { member: "a", index: undefined, text: '{"x": [1, "}"]}', line: 2 },
    { member: "b", index: 0, text: '{"y": "\\"]"}', line: 4 },
    { member: "b", index: 1, text: "5", line: 5 },
    { member: "b", index: 2, text: '"z"', line: 5 },
    { member: "b", index: 3, text: "[true]", line: 6 },
    { member: "c", index: undefined, text: "null", line: 7 },
    { member: "d", index: undefined, text: "1.5e3", line: 7 },
    { member: "e", index: undefined, text: "[]", line: 8 },
  ]);
});

test("any object comes apart the same wherever it is cut, however it is laid out", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })),
      fc.integer({ min: 1, max: 40 }),
      fc.constantFrom(undefined, 1, "\t"),
      async (object, cut, indent) => {
        const text = JSON.stringify(object, undefined, indent);
        expect({ ...assembled(await partsOf(text, cut)) }).toEqual({ ...JSON.parse(text) });
      },
    ),
    { numRuns: 300 },
  );
});

describe("what is no whole object is told, with its line", () => {
  test.each([
    ["", "json/cut"],
    ["[]", "json/not-an-object"],
    ["<html>", "json/not-an-object"],
    ['{"a": 1', "json/cut"],
    ['{"a": [1, 2', "json/cut"],
    ['{"a": "b', "json/cut"],
    ['{"a": }', "json/malformed"],
    ['{"a": [,]}', "json/malformed"],
    ['{"a" 1}', "json/malformed"],
    ['{"a": 1} x', "json/malformed"],
    ['{"a": [1} ]', "json/malformed"],
    ["{a: 1}", "json/malformed"],
  ])("%j is %s", async (text, rule) => {
    for (const cut of [1, text.length]) {
      const error = await partsOf(text, cut).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(JsonError);
      expect((error as JsonError).issue).toMatchObject({ rule, severity: "error" });
    }
  });

  test("what comes before it was given", async () => {
    const given: JsonPart[] = [];
    const reading = async () => {
      for await (const part of jsonParts([`{"a": [1, 2, 3], "b": [4, `, "{"] as never)) given.push(part);
    };
    await expect(reading()).rejects.toMatchObject({ issue: { rule: "json/cut" } });
    expect(given.map(({ text }) => text)).toEqual(["1", "2", "3", "4"]);
  });

  test("whatever the bytes are, nothing but a JsonError is thrown", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: fc.constantFrom(...'{}[]",:\\1a \n') }),
        fc.integer({ min: 1, max: 9 }),
        async (text, cut) => {
          const outcome = await partsOf(`{${text}`, cut).catch((thrown: unknown) => thrown);
          if (!Array.isArray(outcome)) expect(outcome).toBeInstanceOf(JsonError);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe("caps", () => {
  const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

  test("depth", async () => {
    for (const depth of [JSON_CAPS.depth - 1, JSON_CAPS.depth]) {
      expect(await partsOf(`{"a": {"b": ${nested(depth - 1)}}}`)).toHaveLength(1);
      expect(parsedJson(nested(depth), 1)).toBeDefined();
    }
    await expect(partsOf(`{"a": {"b": ${nested(JSON_CAPS.depth)}}}`)).rejects.toMatchObject({
      issue: { rule: "json/too-deep" },
    });
    expect(() => parsedJson(nested(JSON_CAPS.depth + 1), 1)).toThrow(JsonError);
  });

  test("length of a part", async () => {
    const text = (length: number) => `"${"x".repeat(length - 2)}"`;
    for (const length of [JSON_CAPS.partLength - 1, JSON_CAPS.partLength]) {
      expect(await partsOf(`{"a": ${text(length)}}`, 65_536)).toHaveLength(1);
    }
    for (const cut of [65_536, 2 ** 30]) {
      const longer = partsOf(`{"a": ${text(JSON_CAPS.partLength + 1)}}`, cut);
      await expect(longer).rejects.toMatchObject({ issue: { rule: "json/part-too-long" } });
    }
  });
});
