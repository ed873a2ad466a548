import { expect, test } from "vitest";
import { linesOf } from "./lines.ts";

async function lines(texts: readonly string[], most: () => number) {
  async function* given() {
    yield* texts;
  }
  const found = [];
  for await (const line of linesOf(given(), most)) found.push(line);
  return found;
}

test("a line that comes in pieces is one line, and the last needs no end", async () => {
  expect(await lines(['{"a"', ":1}\r\n\n{", '"b":2}'], () => 100)).toEqual([
    { text: '{"a":1}', line: 1 },
    { text: "", line: 2 },
    { text: '{"b":2}', line: 3 },
  ]);
});

test("a line may be as long as it may be, and not by one more", async () => {
  expect(await lines(["12345\n123456\n1"], () => 5)).toEqual([
    { text: "12345", line: 1 },
    { text: undefined, line: 2 },
    { text: "1", line: 3 },
  ]);
});
