import fc from "fast-check";
import { expect, test } from "vitest";
import { inputs } from "../../../test/support/tiers.ts";
import { withoutSeries } from "./without-series.ts";

async function shortened(text: string, members: readonly string[], size = text.length): Promise<string> {
  async function* chunks() {
    for (let at = 0; at < text.length; at += Math.max(1, size)) yield text.slice(at, at + Math.max(1, size));
  }
  let all = "";
  for await (const each of withoutSeries(chunks(), { named: members, summarised: ["numbers"] })) all += each;
  return all;
}

test("a series gives way to the names of its parts with numbers, at any depth, and the lines stay", async () => {
  const text =
    '{"a": [{"samples" :\n{"heart": [{"at": "9", "value": 1}], "speed": [],\n "way": [[NaN, 2]]}, "b": "samples"}]}';
  const short = await shortened(text, ["samples"]);
  expect(JSON.parse(short)).toEqual({ a: [{ samples: ["heart", "way"], b: "samples" }] });
  expect(short.split("\n")).toHaveLength(3);
});

test("a list of measurements gives the names of their values, and an empty one nothing", async () => {
  const text = '{"samples": [{"s": 0, "k": 1.5}, {"s": 1, "h": 90}], "routes": {"r": {}}, "r": [1]}';
  expect(JSON.parse(await shortened(text, ["samples", "routes"]))).toEqual({
    samples: ["s", "k", "h"],
    routes: null,
    r: [1],
  });
});

test("numbers are summed up where that is asked for, as other programs write them", async () => {
  const text =
    '{"numbers": [{"S": 0, "K": 1.5, "H": 0}, {"S":1e-05,"K":3.,"H":90},{"S": -2 , "H": 120, "x": [true, false, null]}]}';
  expect(JSON.parse(await shortened(text, [], 7))).toEqual({
    numbers: {
      S: { last: -2, max: 1e-5, mean: 1e-5 },
      K: { last: 3, max: 3, mean: 2.25 },
      H: { last: 120, max: 120, mean: 105 },
    },
  });
});

test("a text or a number of that name stays as it is", async () => {
  const text = '{"samples": "[1]", "b": {"samples": 3}, "c": ["samples", [1], "samples\\"", {"d": 1}]}';
  expect(await shortened(text, ["samples"])).toBe(text);
});

test("however the text comes in chunks, it is JSON with everything else unchanged", async () => {
  const name = fc.constantFrom("series", "a", 'q"', "\\");
  const inner = fc.letrec((tie) => ({
    value: fc.oneof({ depthSize: "small" }, fc.jsonValue(), fc.dictionary(name, tie("value")), fc.array(tie("value"))),
  })).value;
  await fc.assert(
    fc.asyncProperty(inner, fc.nat(20), fc.nat(2), async (value, size, indent) => {
      const short = JSON.parse(await shortened(JSON.stringify(value, undefined, indent), ["series"], size + 1));
      expect(withoutThem(short)).toEqual(withoutThem(value));
    }),
    { numRuns: inputs({ first: 60, long: 300 }) },
  );
});

function withoutThem(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, each: unknown) => (key === "series" && typeof each === "object" ? undefined : each)),
  );
}
