import { expect, test } from "vitest";
import type { Issue } from "../../../transforms/model/issue.ts";
import { wholeCharacters } from "./whole-characters.ts";

async function read(text: string, size: number) {
  const issues: Issue[] = [];
  async function* chunks() {
    for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
  }
  let whole = "";
  for await (const part of wholeCharacters(chunks(), (issue) => issues.push(issue))) whole += part;
  return { text: whole, counts: issues.map(({ rule, count }) => [rule, count]) };
}

test.each([
  ['"x\\ud83d y"', '"x\\ufffd y"', 1],
  ['"\\uDE00"', '"\\ufffd"', 1],
  ['"\\ud83d\\ud83d\\ude00\\ude00"', '"\\ufffd\\ud83d\\ude00\\ufffd"', 2],
  ['"\\ud83d\\u0041"', '"\\ufffd\\u0041"', 1],
  ['"\\ud83d\\ude00 \\u00e9 \\n"', undefined, 0],
  // An escaped backslash, and then plain letters.
  ['"\\\\ud83d \\\\\\\\ud83d"', undefined, 0],
  ['"\\\\\\ud83d"', '"\\\\\\ufffd"', 1],
])("%s is read as whole characters, wherever it is cut", async (text, mended = text, count) => {
  for (let size = 1; size <= text.length; size++)
    expect(await read(text, size)).toEqual({
      text: mended,
      counts: count === 0 ? [] : [["text/half-characters", count]],
    });
});
