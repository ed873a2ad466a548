import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { xmlCleaner } from "./clean.ts";

function clean(...chunks: readonly string[]) {
  const cleaner = xmlCleaner();
  const text = chunks.map((chunk) => cleaner.write(chunk)).join("") + cleaner.end();
  const { controlCharacters, bareAmpersands, doctype, skippedLines } = cleaner;
  return { text, controlCharacters, bareAmpersands, doctype, skippedLines };
}

const CASES = [
  ["what is sound stays", "<a>x &amp; y &#65; &#10;</a>", "<a>x &amp; y A &#10;</a>", {}],
  ["a bare ampersand is escaped", "<a>Tom & Jerry</a>", "<a>Tom &amp; Jerry</a>", { bareAmpersands: 1 }],
  ["an ampersand at the very end is escaped", "<a>Tom &", "<a>Tom &amp;", { bareAmpersands: 1 }],
  ["a reference only HTML knows is text", "<a>&nbsp;</a>", "<a>&amp;nbsp;</a>", { bareAmpersands: 1 }],
  ["a query in an attribute is escaped", '<a b="?x=1&y=2"/>', '<a b="?x=1&amp;y=2"/>', { bareAmpersands: 1 }],
  [
    "ampersands of CDATA stay",
    "<a><![CDATA[Tom & Jerry]]>&</a>",
    "<a><![CDATA[Tom & Jerry]]>&amp;</a>",
    { bareAmpersands: 1 },
  ],
  ["ampersands of comments stay", "<!-- a & b --><a/>", "<!-- a & b --><a/>", {}],
  ["ampersands of instructions stay", "<?x a & b ?><a/>", "<?x a & b ?><a/>", {}],
  ["control characters are left out", "<a>x\u0000\u001by</a>", "<a>xy</a>", { controlCharacters: 2 }],
  ["so are references to them", "<a>x&#27;&#x0;y</a>", "<a>xy</a>", { controlCharacters: 2 }],
  ["and references to nothing at all", "<a>&#xD800;&#1114112;</a>", "<a></a>", { controlCharacters: 2 }],
  ["blanks and a mark before the document go", " \ufeff\r\n\n <a/>", "<a/>", { skippedLines: 2 }],
  ["NULs before the document go", "\u0000\u0000<a/>", "<a/>", { controlCharacters: 2 }],
  [
    "nothing of a document type gets through",
    "<?xml?><!DOCTYPE a [<!ENTITY x 'y'>]><a/>",
    "<?xml?>",
    { doctype: true },
  ],
  ["nor of one in small letters", "<!doctype html><a/>", "", { doctype: true }],
  ["a document type in a comment is none", "<!-- <!DOCTYPE a> --><a/>", "<!-- <!DOCTYPE a> --><a/>", {}],
  ["half a surrogate pair is replaced", "<a>\ud83d</a>", "<a>\ufffd</a>", {}],
  ["references to markup stay references", "<a>&#60;&#38;&#x3e;</a>", "<a>&#60;&#38;&#x3e;</a>", {}],
] as const;

const NOTHING = { controlCharacters: 0, bareAmpersands: 0, doctype: false, skippedLines: 0 };

describe("XML as found becomes XML a parser reads", () => {
  test.each(CASES)("%s", (_, found, text, counts) => {
    expect(clean(found)).toEqual({ ...NOTHING, text, ...counts });
  });

  test.each(CASES)("%s, a character at a time", (_, found, text, counts) => {
    expect(clean(...found.split(/(?:)/u))).toEqual({ ...NOTHING, text, ...counts });
  });

  test("where the chunks are cut makes no difference", () => {
    const token = fc.constantFrom(
      "<",
      "!",
      "[",
      "CDATA",
      "[",
      "]",
      ">",
      "-",
      "?",
      "&",
      "amp",
      ";",
      "#",
      "27",
      "x",
      " ",
      "<!--",
      "]]>",
      "-->",
    );
    fc.assert(
      fc.property(fc.array(token, { maxLength: 30 }), fc.nat(), fc.nat(), (tokens, one, other) => {
        const whole = tokens.join("");
        const [from, to] = [one % (whole.length + 1), other % (whole.length + 1)].sort((a, b) => a - b) as [
          number,
          number,
        ];
        expect(clean(whole.slice(0, from), whole.slice(from, to), whole.slice(to))).toEqual(clean(whole));
      }),
      { seed: 20, numRuns: 3000 },
    );
  });
});
