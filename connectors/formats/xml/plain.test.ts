import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { growth, LINEAR } from "../../../test/support/growth.ts";
import { inputs } from "../../../test/support/tiers.ts";
import type { Issue } from "../../../transforms/model/issue.ts";
import { XmlError, type XmlPlace, xmlEach } from "./each.ts";
import { type PlainForm, plainWriter } from "./plain.ts";
import { xmlReader } from "./reader.ts";

/** Random documents. */
const RUNS = inputs({ first: 10, long: 1_000 });

const FORM: PlainForm = {
  name: "Record",
  attributes: ["type", "source", "unit", "value"],
  decidedBy: ["type", "unit"],
  parts: { Entry: ["key", "value"], Note: [] },
};

/** Reads a document in chunks: its records, all issues, and the type of each element that was decided about by its text alone. */
async function readAll(document: string | Uint8Array, place: XmlPlace, size = 1 << 16) {
  const bytes = Buffer.from(document as string);
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const records: unknown[] = [];
  const issues: Issue[] = [];
  const fromText: (string | undefined)[] = [];
  const where: XmlPlace["where"] = (attributes) => {
    // The parser gives the value, too.
    if (!("value" in attributes)) fromText.push(attributes.type);
    return attributes.type === "a" && attributes.unit !== "x";
  };
  try {
    for await (const each of xmlEach(chunks(), { ...place, where }, (issue) => issues.push(issue))) records.push(each);
  } catch (thrown) {
    if (!(thrown instanceof XmlError)) throw thrown;
    issues.push(thrown.issue);
  }
  // Where the reading ends early, repairs after its end count up to the end of a chunk.
  const isWhole = issues.every(({ rule }) => !ENDS.has(rule));
  return {
    read: JSON.stringify({ records, issues: issues.filter(({ rule }) => isWhole || !REPAIRS.has(rule)) }),
    fromText,
  };
}

const ENDS = new Set(["xml/not-well-formed", "xml/second-document", "xml/text"]);
const REPAIRS = new Set(["xml/control-characters", "xml/bare-ampersand"]);

const PLACES: readonly XmlPlace[] = [
  { path: ["log", "Record"] },
  { path: ["log", "run"] },
  { path: ["log", "*"] },
  { path: ["log"] },
  { path: ["log", "group", "Record"] },
];

const PLAIN = '<Record type="b" source="Jo’s watch" unit="x" value="&lt;1&gt;"/>';

/** What may stand in a document: sound and unwanted, wanted, of other forms, and broken. */
const PARTS = [
  PLAIN,
  `\n ${PLAIN}`,
  '\n <Record type="b" value="1">\n  <Entry key="a" value="1"/>\n <Note/>\n </Record>',
  '<Record type="b"\n\t\tunit="x"\n  value="2" />',
  '<Record type="a" unit="y" value="3"/>',
  '<Record type="a" unit="x" value="3"/>',
  '<run n="1"><Record type="b" value="1"/></run>',
  `<group>${PLAIN}<Record type="a" value="4"/></group>`,
  "<Record type='b' value='1'/>",
  '<Record value="1" type="a"/>',
  '<Record type="b" value="1" type="a"/>',
  '<Record type="b"value="1"/>',
  '<Record type="b" value="1" more="2"/>',
  '<Record type="&#97;" value="1"/>',
  '<Record type="&amp;" value="1"/>',
  '<Record type="b" value="Tom & Jerry"/>',
  '<Record type="b" value="&nbsp;&#27;&#65;"/>',
  '<Record type="b" value="\u0000"/>',
  '<Record type="b" value="a\nb\tc"/>',
  '<Record type="b" value="a > b ]]&gt; \u{1f3c3}"/>',
  '<Record type="b" value="a < b"/>',
  '<Record type="b" value="1">text</Record>',
  '<Record type="b" value="1"><Entry value="1" key="a"/></Record>',
  '<Record type="b" value="1"><Entry key="a" key="b" value="1"/></Record>',
  '<Record type="b" value="1"><Record type="a" value="1"/></Record>',
  '<n:Record type="a" value="1"/>',
  '<Records type="a" value="1"/>',
  "<Record/>",
  `<!-- ${PLAIN} -->`,
  `<![CDATA[${PLAIN}]]>`,
  `<?note ${PLAIN}?>`,
  `<?note > ${PLAIN}?>`,
  "<!-- > -->",
  "<b/>]]>",
  "]]",
  "text",
  "&",
  "&a>",
  "\r\n",
  "\r",
  "\n",
  "<run>",
  "</run>",
  "</log>",
  "<log>",
  "<",
  ">",
  '"',
  "<!--",
  "-->",
  "<![CDATA[",
  "]]>",
];

/** The parts of a document, mostly sound ones. */
const documents = fc
  .array(fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...PARTS.slice(0, 8)) }, fc.constantFrom(...PARTS)), {
    maxLength: 12,
  })
  .map((parts) => `<?xml version="1.0"?>\n<log>${parts.join("")}${parts.length % 5 === 4 ? "" : "\n</log>\n"}`);

describe("elements that are told from their text", () => {
  test("don't reach the parser, and those of another form do", async () => {
    const one = '<Record type="b" unit="x">\n <Entry key="a" value="1"/>\n</Record>';
    const wanted = '<Record type="a" unit="y" value="1"/>';
    const { read, fromText } = await readAll(
      `<log>${PLAIN}\n${PLAIN}<run/>${one}${wanted}${PLAIN.replaceAll('"', "'")}</log>`,
      { path: ["log", "Record"], mostly: FORM },
    );
    expect(fromText).toEqual(["b", "b", "b", "a"]);
    expect(JSON.parse(read)).toEqual({
      records: [{ record: { type: "a", unit: "y", value: "1" }, name: "Record", parent: "log" }],
      issues: [],
    });
  });

  test("change neither the records nor the remarks and their lines, whatever else the file holds", async () => {
    const encodings = fc.constantFrom("utf8", "utf16le", "latin1");
    const sizes = fc.constantFrom(1, 2, 7, 64, 1 << 16);
    await fc.assert(
      fc.asyncProperty(documents, encodings, sizes, fc.nat(), async (document, encoding, size, damage) => {
        const bytes = Buffer.from(document, encoding as BufferEncoding);
        // One in three has a byte that is wrong.
        if (damage % 3 === 0) bytes[damage % bytes.length] = damage % 256;
        for (const place of PLACES)
          expect((await readAll(bytes, { ...place, mostly: FORM }, size)).read).toBe(
            (await readAll(bytes, place, size)).read,
          );
      }),
      { seed: 16, numRuns: RUNS },
    );
  });

  test("one with a value that is too long is refused, as by the parser", async () => {
    const { read } = await readAll(
      `<log><Record type="b" value="${"a".repeat(2 ** 20 + 1)}"/></log>`,
      { path: ["log", "Record"], mostly: FORM },
      1 << 22,
    );
    expect(read).toContain("xml/text");
  });

  test.each([
    ["openings", (count: number) => "<Record ".repeat(count)],
    ["values that never end", (count: number) => '><Record type="'.repeat(count)],
    ["blanks", (count: number) => `<Record${" \n".repeat(count)}type="b" x`],
    ["blanks before nothing", (count: number) => `${"<Record/>".repeat(100)}${" ".repeat(count)}`],
    ["references", (count: number) => `<Record type="b" value="${"&lt;".repeat(count)}'`],
    ["parts", (count: number) => `<Record type="b">${'<Entry key="a" value="1"/>\n'.repeat(count)}<x/>`],
    ["elements within another", (count: number) => `<run>${"<Record/>".repeat(count)}</run>`],
  ])("twice as many %s cost about twice as much", async (_, inside) => {
    const read = (document: string) => {
      const reader = xmlReader({ open: () => true, close: () => {} });
      const write = plainWriter(reader, FORM, () => true);
      for (let at = 0; at < document.length; at += 1 << 16) write(document.slice(at, at + (1 << 16)));
      reader.end();
    };
    expect(await growth((count) => `<log>${inside(count)}`, read, 20_000)).toBeLessThanOrEqual(LINEAR);
  });
});
