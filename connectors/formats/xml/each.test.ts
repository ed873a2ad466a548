import { describe, expect, test } from "vitest";
import type { Issue } from "../../../transforms/model/issue.ts";
import { LONGEST_ELEMENT, XmlError, type XmlPlace, xmlEach } from "./each.ts";

/** Reads a document in chunks of `size` bytes: its records, the issues that were reported, and the error that ended it. */
async function readAll(document: string | Uint8Array, place: XmlPlace, size = 1 << 20) {
  const bytes = Buffer.from(document as string);
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const records: unknown[] = [];
  const remarks: Issue[] = [];
  let error: Issue | undefined;
  try {
    for await (const { record } of xmlEach(chunks(), place, (issue) => remarks.push(issue))) records.push(record);
  } catch (thrown) {
    if (!(thrown instanceof XmlError)) throw thrown;
    error = thrown.issue;
  }
  return { records, rules: remarks.map(({ rule }) => rule), error };
}

const RUNS = { path: ["log", "run"] };

const SHAPES: readonly (readonly [string, string, unknown])[] = [
  ["attributes are members", '<run km="5" at="06:10"/>', { km: "5", at: "06:10" }],
  ["so are elements, which are their text", "<run><km>5</km><note> a b </note></run>", { km: "5", note: "a b" }],
  ["several of one name are a list", "<run><lap>1</lap><lap>2</lap><lap/></run>", { lap: ["1", "2", ""] }],
  ["an element with attributes is a record", '<run><km unit="mi">5</km></run>', { km: { unit: "mi", "text()": "5" } }],
  ["prefixes don't matter", '<x:run x:km="5"><y:note>a</y:note></x:run>', { km: "5", note: "a" }],
  ["an element like its parent is a member", "<run><run><km>1</km></run></run>", { run: { km: "1" } }],
  ["names of the language are names", "<run><__proto__>1</__proto__></run>", JSON.parse('{"__proto__":"1"}')],
];

/** What is read of a document: the km of its runs, with the rule for a run that was refused, and the rule that ended it. */
async function readDamaged(document: string, size: number, mostly?: XmlPlace["mostly"]) {
  const found: unknown[] = [];
  async function* chunks() {
    const bytes = Buffer.from(document);
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  try {
    const place = { ...RUNS, ...(mostly !== undefined && { mostly }) };
    for await (const { record, issue } of xmlEach(chunks(), place, () => {})) found.push(record?.km ?? issue?.rule);
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    return { found, error: `${error.issue.rule}: ${error.issue.found}` };
  }
  return { found, error: undefined };
}

const ZEROS = "\0".repeat(9);
const OUTSIDE = "xml/nul-block: 9 NUL characters in a row, line 3 inside log";

describe("a block of NUL characters", () => {
  test.each<[string, string, readonly unknown[], string | undefined]>([
    ["from the tag of one element to that of another", `<run k${ZEROS}m="2"/>`, ["1", "xml/nul-block", "9"], undefined],
    ["from a text to another", `<run><km>2${ZEROS}</km></run>`, ["1", "xml/nul-block", "9"], undefined],
    ["between the elements", `${ZEROS}`, ["1", "9"], OUTSIDE],
    ["in an element of another kind", `<step n="1${ZEROS}"/>`, ["1", "9"], OUTSIDE],
    ["in a text of another kind", `<step>1${ZEROS}</step>`, ["1", "9"], OUTSIDE.replace("log", "step")],
  ])("%s costs what it stands in, and is told", async (_, damaged, found, error) => {
    const document = `<log>\n<run km="1"/>\n${damaged}\n<step n="5"/>\n<run km="9"/></log>`;
    for (const size of [document.length, 50]) {
      expect(await readDamaged(document, size)).toEqual({ found, error });
      expect(await readDamaged(document, size, { name: "step", attributes: ["n"], decidedBy: ["n"] })).toEqual({
        found,
        error,
      });
    }
  });
});

describe("elements of a large XML file", () => {
  test.each(SHAPES)("%s", async (_, element, record) => {
    const { records, error } = await readAll(`<log>${element}</log>`, RUNS);
    expect(error).toBeUndefined();
    expect(JSON.stringify(records)).toBe(JSON.stringify([record]));
  });

  test("are given where their attributes say so, and the others cost nothing", async () => {
    const place: XmlPlace = { ...RUNS, where: ({ kind }) => kind === "road" };
    const others = `<run kind="track"><note>${"a".repeat(1000)}</note></run>`.repeat(LONGEST_ELEMENT / 1000);
    const { records, error } = await readAll(`<log>${others}<run kind="road"><km>5</km></run><run/></log>`, place);
    expect(error).toBeUndefined();
    expect(records).toEqual([{ kind: "road", km: "5" }]);
  });

  test("are summed up where somebody asks for a sum, and none of their own elements is held", async () => {
    const point = `<pt hr="100"><note>${"a".repeat(1000)}</note></pt>`;
    const count = Math.ceil(LONGEST_ELEMENT / 1000) + 1;
    const track = `<log><run n="1"><track at="06:10">${point.repeat(count)}</track><km>5</km></run><run n="2"/></log>`;
    const sums = {
      track: () => {
        const hr: unknown[] = [];
        return {
          add: (name: string, value: unknown) => void hr.push([name, (value as { hr: string }).hr]),
          result: () => ({ points: String(hr.length), first: String(hr[0]) }),
        };
      },
    };
    const { records, error } = await readAll(track, { ...RUNS, sums });
    expect(error).toBeUndefined();
    expect(JSON.parse(JSON.stringify(records))).toEqual([
      { n: "1", track: { at: "06:10", points: String(count), first: "pt,100" }, km: "5" },
      { n: "2" },
    ]);
  });

  test("are those at the place alone, in order, wherever the bytes are cut", async () => {
    const document = `<?xml version="1.0"?><log><day><run n="0"/></day><run n="1"/>text<walk n="2"/><run n="3">é</run></log>`;
    for (const size of [1, 2, 7, 1000]) {
      const { records } = await readAll(document, RUNS, size);
      expect(JSON.stringify(records)).toBe('[{"n":"1"},{"n":"3","text()":"é"}]');
    }
    const anyChild = await readAll(document, { path: ["log", "*"] });
    expect(anyChild.records).toHaveLength(4);
  });

  test("what is skipped is left out, with all that is in it, and that is seen", async () => {
    const document = "<log><run><track><run/><p>1</p></track><km>5</km></run><run/></log>";
    const { records } = await readAll(document, { ...RUNS, skips: ["track"] });
    expect(JSON.stringify(records)).toBe('[{"track":"left out","km":"5"},{}]');
  });

  test("a document type is skipped, and nothing that it declares has an effect", async () => {
    const document = '<!DOCTYPE log [ <!ENTITY x "y"> ]><log><run note="&x;"/></log>';
    const { records, error } = await readAll(document, RUNS);
    expect([JSON.stringify(records), error]).toEqual(['[{"note":"&x;"}]', undefined]);
  });

  test("those before a cut are read, and the cut is told with its line", async () => {
    const { records, error } = await readAll('<log>\n<run n="1"/>\n<run n="2"', RUNS);
    expect(records).toHaveLength(1);
    expect(error).toMatchObject({ severity: "error", rule: "xml/truncated", found: expect.stringContaining("line 3") });
  });

  test("what stops being XML is told with its line", async () => {
    const { records, error } = await readAll('<log>\n<run n="1"/>\n</lag><run n="2"/></log>', RUNS);
    expect(records).toHaveLength(1);
    expect(error).toMatchObject({ rule: "xml/not-well-formed", found: expect.stringContaining("line 3") });
  });

  test("one that is too long has no record, and those after it are read", async () => {
    const note = `<note>${"a".repeat(500_000)}</note>`;
    const long = `<run>${note.repeat(Math.ceil(LONGEST_ELEMENT / 500_000))}</run>`;
    const { records, error } = await readAll(`<log>${long}<run n="2"/></log>`, RUNS, 65_536);
    expect([JSON.stringify(records), error]).toEqual(['[null,{"n":"2"}]', undefined]);
  });

  test("another encoding is read as the document says, and that is remarked", async () => {
    const document = Buffer.from('<?xml version="1.0" encoding="iso-8859-1"?><log><run note="Größe"/></log>', "latin1");
    const { records, rules } = await readAll(document, RUNS);
    expect(JSON.stringify(records)).toBe('[{"note":"Größe"}]');
    expect(rules).toEqual(["text/not-utf-8"]);
  });
});
