import { expect, test } from "vitest";
import { textCutter } from "./long-texts.ts";

/** Cuts a text that comes in chunks of a size. */
function cut(text: string, size: number, most: number): string {
  const cutter = textCutter(most);
  let out = "";
  for (let at = 0; at < text.length; at += size) out += cutter.write(text.slice(at, at + size));
  return out;
}

test("a long text is cut, and the markup after it is whole, for any cut into chunks", () => {
  const text = `<a>${"x".repeat(40)}</a><b>short</b>${"y".repeat(30)}<c/>`;
  const expected = `<a>${"x".repeat(17)}</a><b>short</b>${"y".repeat(16)}<c/>`;
  for (const size of [1, 2, 3, 7, 19, 20, 21, 1000]) expect(cut(text, size, 20)).toBe(expected);
});

test("a text that is short enough stays as it is", () => {
  const text = `<a>${"x".repeat(17)}</a>`;
  for (const size of [1, 5, 100]) expect(cut(text, size, 20)).toBe(text);
});
