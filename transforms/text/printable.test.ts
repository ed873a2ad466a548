import { describe, expect, test } from "vitest";
import { NO_MORE, timesTheWork } from "../../test/support/growth.ts";
import { fromPrintable, hasUnprintable, printable } from "./printable.ts";

describe("printable", () => {
  test.each([
    ["a screen is not cleared by a name", "a\x1b[2Jb.fit", "a\\x1b[2Jb.fit"],
    ["a clipboard is not written (OSC 52)", "\x1b]52;c;aGk=\x07", "\\x1b]52;c;aGk=\\x07"],
    ["a link is not made (OSC 8)", "\x1b]8;;http://x\x1b\\y", "\\x1b]8;;http://x\\x1b\\y"],
    ["a line is not overwritten", "good\rbad\nworse", "good\\x0dbad\\x0aworse"],
    ["the one-byte form of ESC [ is spelt out", "a\u009b2J", "a\\x9b2J"],
    ["the reading direction is not turned", "run\u202egpx.exe", "run\\u{202e}gpx.exe"],
    ["an isolate is spelt out", "\u2066x\u2069", "\\u{2066}x\\u{2069}"],
    ["half a surrogate pair is spelt out", "a\ud83db", "a\\u{d83d}b"],
    ["NUL and DEL are spelt out", "a\0b\x7f", "a\\x00b\\x7f"],
    ["ordinary text of any language is left alone", "Утренний бег 朝ラン 🏃 é", "Утренний бег 朝ラン 🏃 é"],
    ["an empty text stays empty", "", ""],
  ])("%s", (_, text, expected) => {
    expect(printable(text)).toBe(expected);
  });

  test("a text of exactly the width is whole, and one column more is cut", () => {
    expect(printable("abcde", 5)).toBe("abcde");
    expect(printable("abcdef", 5)).toBe("abcd…");
  });

  test("wide characters count two columns, accents written apart none", () => {
    expect(printable("朝ラン", 6)).toBe("朝ラン");
    expect(printable("朝ランx", 6)).toBe("朝ラ…");
    expect(printable("e\u0301e\u0301e\u0301", 3)).toBe("e\u0301e\u0301e\u0301");
  });

  test("ten megabytes of name cost what the shown part costs", async () => {
    const [long, short] = ["\x1b".repeat(10_000_000), "\x1b".repeat(1_000)];
    expect(printable(long, 20)).toBe("\\x1b\\x1b\\x1b\\x1b\\x1…");
    const times = await timesTheWork(
      () => printable(long, 20),
      () => printable(short, 20),
    );
    expect(times).toBeLessThanOrEqual(NO_MORE);
  });

  test("hasUnprintable is true for exactly what would be spelt out", () => {
    expect(hasUnprintable("a\x1b")).toBe(true);
    expect(hasUnprintable("朝ラン.fit")).toBe(false);
  });
});

test.each(["Distance\nrun", "\u001b[31mred", "a\u2028b", "plain", "C:\\users\\x41", "\\u{41}"])(
  "the text %j is found again behind what a terminal shows",
  (text) => expect(fromPrintable(printable(text))).toBe(text),
);
