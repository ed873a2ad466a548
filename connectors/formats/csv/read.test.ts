import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { growth, LINEAR } from "../../../test/support/growth.ts";
import type { Issue } from "../../../transforms/model/issue.ts";
import { sniffDialect } from "./dialect.ts";
import { type CsvRecord, type ReadCsvOptions, readCsv } from "./read.ts";

interface Read {
  readonly records: readonly CsvRecord[];
  readonly issues: readonly (Issue & { line: number })[];
}

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(content: string | Uint8Array, options: ReadCsvOptions = {}, chunkBytes = 64 * 1024): Promise<Read> {
  const bytes = Buffer.from(content as string);
  const issues: (Issue & { line: number })[] = [];
  const records: CsvRecord[] = [];
  const report = (issue: Issue, line: number) => issues.push({ ...issue, line });
  for await (const record of readCsv(inChunks(bytes, chunkBytes), { ...options, report })) records.push(record);
  return { records, issues };
}

const fieldsOf = async (content: string | Uint8Array, options?: ReadCsvOptions) =>
  (await read(content, options)).records.map((record) => record.fields);
const rulesOf = ({ issues }: Read) => issues.map(({ rule }) => rule);

describe("readCsv", () => {
  test.each<[string, string, string[][]]>([
    [
      "plain fields",
      "a,b\n1,2\n",
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
    [
      "no line end at the end",
      "a,b\n1,2",
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
    [
      "an empty last field",
      "a,b\n1,",
      [
        ["a", "b"],
        ["1", ""],
      ],
    ],
    [
      "empty fields",
      ",\n,,\n",
      [
        ["", ""],
        ["", "", ""],
      ],
    ],
    ["delimiters and doubled quotes in quotes", '"a,b","say ""hi"""\n', [["a,b", 'say "hi"']]],
    ["line ends in quotes, kept as they are", '"a\nb","c\r\nd"\n', [["a\nb", "c\r\nd"]]],
    ["an empty quoted field", '"",x\n""\n', [["", "x"], [""]]],
    [
      "CR LF",
      "a,b\r\n1,2\r\n",
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
    [
      "CR alone",
      "a,b\r1,2\r",
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
    [
      "all of them mixed",
      "a,b\r\n1,2\n3,4\r5,6",
      [
        ["a", "b"],
        ["1", "2"],
        ["3", "4"],
        ["5", "6"],
      ],
    ],
    [
      "lines with nothing on them",
      "\n\na,b\n\r\n1,2\n\n",
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
    ["a quote inside a plain field", '6" snow,x\n', [['6" snow', "x"]]],
    ["blanks around a quoted field's end", '"a" ,"b"\t,c\n', [["a", "b", "c"]]],
    ["blanks that belong to a field", " a , b \n", [[" a ", " b "]]],
    ["a quote after a blank, which opens nothing", 'x, "a"\n', [["x", ' "a"']]],
    ["rows of different lengths", "a,b,c\n1\n1,2,3,4\n", [["a", "b", "c"], ["1"], ["1", "2", "3", "4"]]],
    ["an empty file", "", []],
    ["a line end alone", "\r\n", []],
  ])("reads %s", async (_, content, expected) => {
    expect(await fieldsOf(content, { delimiter: "," })).toEqual(expected);
  });

  test("reads the same wherever the bytes are cut", async () => {
    const content = 'é,"a ""q"" b"\r\n"x\r\ny", "z"\r"6" snow",€\n\n,"",\t\n';
    const whole = await read(content, { delimiter: "," });
    for (let size = 1; size < 20; size++) expect(await read(content, { delimiter: "," }, size)).toEqual(whole);
    expect(whole.records).toHaveLength(4);
  });

  test("a record knows the line it starts on, also after line ends in quotes", async () => {
    const { records } = await read('h\n\n"a\nb\r\nc\rd"\nx\r\ny\rz');
    expect(records.map(({ line, fields }) => [line, fields[0]])).toEqual([
      [1, "h"],
      [3, "a\nb\r\nc\rd"],
      [7, "x"],
      [8, "y"],
      [9, "z"],
    ]);
  });

  test("quotes in a quoted field that nobody doubled are kept, and counted", async () => {
    const outcome = await read('h,x\n"6" snow",1\n"the "long" run",2\n');
    expect(outcome.records.map(({ fields }) => fields[0])).toEqual(["h", '6" snow', 'the "long" run']);
    expect(outcome.issues).toMatchObject([{ severity: "info", rule: "csv/stray-quote", count: 3, line: 2 }]);
  });

  test("single NUL characters are left out, counted, and told with the line of the first", async () => {
    const outcome = await read("abcd\ne\0f\0\n");
    expect(outcome.records.map(({ fields }) => fields[0])).toEqual(["abcd", "ef"]);
    expect(outcome.issues).toMatchObject([{ severity: "warning", rule: "csv/nul", count: 2, line: 2 }]);
  });

  test.each<[string, string, string[][], number, string]>([
    [
      "within a cell",
      "a,b\n1,2\n3\0\0,4\n5,6\n",
      [
        ["1", "2"],
        ["5", "6"],
      ],
      3,
      "2 NUL characters in a row",
    ],
    [
      "over a line end",
      "a,b\n1,2\n3\0\0\0\0,6\n7,8\n",
      [
        ["1", "2"],
        ["7", "8"],
      ],
      3,
      "4 NUL characters in a row",
    ],
    [
      "over a quote",
      'a,b\n"1\n\0\0\0\0,4\n5,"6"\n7,8\n',
      [
        ["5", "6"],
        ["7", "8"],
      ],
      2,
      "4 NUL characters in a row in line 3",
    ],
    ["behind a quote", 'a,b\n1,\0\0"\n5,"6"\n', [["5", "6"]], 2, "2 NUL characters in a row"],
    ["up to the end", "a,b\n1,2\n\0\0\0", [["1", "2"]], 3, "3 NUL characters in a row, to the end of the file"],
    ["in the last row", "a,b\n1,2\n3,\0\0\0\0\0", [["1", "2"]], 3, "5 NUL characters in a row, to the end of the file"],
  ])(
    "a block of NUL characters %s costs its row, and the rows below are read",
    async (_, content, rows, line, found) => {
      for (const size of [1, 2, 3, 100]) {
        const outcome = await read(content, { delimiter: "," }, size);
        expect(outcome.records.slice(1).map(({ fields }) => fields)).toEqual(rows);
        expect(outcome.issues).toMatchObject([{ severity: "error", rule: "csv/nul-block", found, line }]);
      }
    },
  );

  test("what is written is read again, whatever it is", async () => {
    const field = fc.string({
      unit: fc.constantFrom("a", '"', ",", ";", "\n", "\r", " ", "\t", "é", "😀"),
      maxLength: 8,
    });
    const rows = fc.array(fc.array(field, { minLength: 2, maxLength: 4 }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(rows, fc.integer({ min: 1, max: 30 }), async (table, size) => {
        const content = table.map((row) => row.map((text) => `"${text.replaceAll('"', '""')}"`).join(",")).join("\r\n");
        const { records, issues } = await read(content, { delimiter: "," }, size);
        expect(records.map(({ fields }) => fields)).toEqual(table);
        expect(issues).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  test("names like __proto__ and constructor are only text", async () => {
    expect(await fieldsOf("__proto__,constructor\n1,2\n")).toEqual([
      ["__proto__", "constructor"],
      ["1", "2"],
    ]);
    expect(({} as Record<string, unknown>)["1"]).toBeUndefined();
  });
});

describe("encodings", () => {
  const le = (text: string) => Buffer.from(`\ufeff${text}`, "utf16le");

  test.each<[string, Uint8Array, string[][]]>([
    ["UTF-8 with a mark", Buffer.from("\ufeffStraße,b\n"), [["Straße", "b"]]],
    ["UTF-16, little end first", le("Straße\tb\n"), [["Straße", "b"]]],
    ["UTF-16, big end first", le("Straße;b\n").swap16(), [["Straße", "b"]]],
    ["Windows-1252", Buffer.from("Stra\xdfe;10 \x80\n", "latin1"), [["Straße", "10 €"]]],
  ])("%s", async (_, bytes, expected) => {
    expect(await fieldsOf(bytes)).toEqual(expected);
    expect((await read(bytes, {}, 1)).records.map(({ fields }) => fields)).toEqual(expected);
  });

  test("a file that is not UTF-8 says so", async () => {
    const outcome = await read(Buffer.from("h\nStra\xdfe\n", "latin1"));
    expect(outcome.issues).toMatchObject([{ severity: "warning", rule: "text/not-utf-8", line: 1 }]);
  });
});

describe("the delimiter", () => {
  test.each<[string, string, string]>([
    ["comma", "Date,Distance,Notes\n2024-01-01,5.2,fine\n", ","],
    ["semicolon, with decimal commas", "Datum;Strecke;Notiz\n1.1.2024;5,2;gut\n2.1.2024;6,1;a, b, c\n", ";"],
    [
      "semicolon, with one decimal comma a row",
      "Datum;Strecke, km;Zeit\n1.1.2024;5,2;30:00\n2.1.2024;6,1;31:00\n",
      ";",
    ],
    ["tab, with commas and semicolons in the text", "d\tn\n1\ta, b; c\n2\tx; y\n3\tz\n", "\t"],
    ["pipe", "a|b\n1|2\n", "|"],
    ["comma, with delimiters of other kinds in quotes", 'a,b\n"1;2;3;4",x\n"5;6",y\n', ","],
    ["comma after a title", "My running log\n\nDate,Distance\n1,2\n3,4\n", ","],
    ["comma when there is one column", "Date\n2024\n", ","],
    ["comma when there is nothing", "", ","],
    ["a header alone", "a;b;c", ";"],
  ])("%s", (_, head, expected) => {
    expect(sniffDialect(head)).toEqual({ delimiter: expected, skip: 0 });
  });

  test.each([
    ["sep=;\r\na;b,c\n", [["a", "b,c"]]],
    ["sep=|\na|b\n", [["a", "b"]]],
    ['"sep=\t"\na\tb\n', [["a", "b"]]],
  ])("%j is for Excel, believed and not given", async (content, expected) => {
    const { records } = await read(content);
    expect(records.map(({ fields }) => fields)).toEqual(expected);
    expect(records[0]?.line).toBe(2);
  });

  test("one that is given is used, and a line for Excel left out all the same", async () => {
    expect(await fieldsOf("sep=;\na;b,c\n", { delimiter: "," })).toEqual([["a;b", "c"]]);
    expect(await fieldsOf("a;b,c\n", { delimiter: "," })).toEqual([["a;b", "c"]]);
  });
});

describe("hostile files", () => {
  test("a quote that is never closed is named by the line it opened on, and nothing after it is read", async () => {
    const outcome = await read('a,b\n1,2\n3,"oops\n5,6\n7,8\n');
    expect(outcome.records.map(({ fields }) => fields)).toEqual([
      ["a", "b"],
      ["1", "2"],
    ]);
    expect(outcome.issues).toMatchObject([
      { severity: "error", rule: "csv/unclosed-quote", found: "opened at line 3", line: 3 },
    ]);
    expect(outcome.issues[0]?.expected).toBe("a closing quote before the end of the file; lines 3 to 5 were not read");
    const [cut] = (await read('a,b\n1,2\n3,"oops\n5,6')).issues;
    expect(cut?.expected).toBe("a closing quote before the end of the file; lines 3 to 4 were not read");
    const [last] = (await read('a,b\n1,2\n3,"')).issues;
    expect(last?.expected).toBe("a closing quote before the end of the file; the line was not read");
  });

  test("a quote that is never closed stops the reading after 16 mebibytes, not after the file", async () => {
    let given = 0;
    async function* endless() {
      yield Buffer.from('a,b\n1,"');
      for (; given < 600; given++) yield Buffer.alloc(64 * 1024, "x,\n");
    }
    const records: CsvRecord[] = [];
    const rules: string[] = [];
    for await (const record of readCsv(endless(), { report: ({ rule }) => rules.push(rule) })) records.push(record);
    expect(records).toHaveLength(1);
    expect(rules).toEqual(["csv/unclosed-quote"]);
    expect(given).toBeLessThan(270);
  });

  test("a quoted text of two mebibytes costs its own row, and the rows after it are read", async () => {
    const outcome = await read(`a,b\n1,2\n3,"${"x, ".repeat(700_000)}"\n5,6\n7,8\n`);
    expect(outcome.records.map(({ line }) => line)).toEqual([1, 2, 4, 5]);
    expect(outcome.issues).toMatchObject([{ severity: "error", rule: "csv/field-too-long", found: "line 3", line: 3 }]);
  });

  test("a row that is left out and holds line ends is named with all its lines", async () => {
    const outcome = await read('a,b\n1,"oops\n3,4\n5,6"\n7,8\n', { limits: { fieldLength: 8 } });
    expect(outcome.records.map(({ line }) => line)).toEqual([1, 5]);
    expect(outcome.issues).toMatchObject([{ rule: "csv/field-too-long", found: "lines 2 to 4, read as one row" }]);
  });

  test.each(['"a\n', '"a"b\n', '""""', '" "', ",", '",', "\r"])(
    "half-open quotes of %j cost by the byte",
    async (line) => {
      const filled = (bytes: number) => Buffer.alloc(bytes, line);
      const half = 250_000;
      expect(await growth(filled, (content) => read(content, { delimiter: "," }), half)).toBeLessThanOrEqual(LINEAR);
    },
  );

  test.each<[string, (size: number) => string, Partial<Record<string, number>>, string]>([
    ["characters of a field", (size) => `${"x".repeat(size)},y`, { fieldLength: 10 }, "csv/field-too-long"],
    ["characters of a quoted field", (size) => `"${"x".repeat(size)}",y`, { fieldLength: 10 }, "csv/field-too-long"],
    ["characters in quotes", (size) => `"${"x".repeat(size)}",y`, { quotedLength: 10 }, "csv/unclosed-quote"],
    ["columns", (size) => Array(size).fill("x").join(","), { columns: 10 }, "csv/too-many-columns"],
    ["characters of a record", (size) => `abc,${"x".repeat(size - 3)}`, { recordLength: 10 }, "csv/record-too-long"],
    [
      "characters of a quoted record",
      (size) => `abc,"${"x".repeat(size - 3)}"`,
      { recordLength: 10 },
      "csv/record-too-long",
    ],
  ])("%s: 9 and 10 pass under a cap of 10, 11 don't, and the records around go on", async (_, row, limits, rule) => {
    for (const size of [9, 10, 11]) {
      for (const chunkBytes of [1, 1000]) {
        const outcome = await read(`h,h\n${row(size)}\nlast\n`, { delimiter: ",", limits }, chunkBytes);
        expect(rulesOf(outcome)).toEqual(size === 11 ? [rule] : []);
        const lines = outcome.records.map(({ line }) => line);
        expect(lines).toEqual(size < 11 ? [1, 2, 3] : rule === "csv/unclosed-quote" ? [1] : [1, 3]);
        if (size === 11) expect(outcome.issues[0]).toMatchObject({ severity: "error", line: 2 });
      }
    }
  });

  const tight = { fieldLength: 12, quotedLength: 16, columns: 4, recordLength: 20 };

  test("any bytes at all are read without an error", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 60 }), fc.integer({ min: 1, max: 9 }), async (bytes, size) => {
        await read(bytes, { limits: tight }, size);
      }),
      { numRuns: 500 },
    );
  });

  test("any text gives the same records and issues wherever it is cut", async () => {
    const text = fc.string({
      unit: fc.constantFrom('"', ",", ";", "\n", "\r", "a", "\0", "é", " "),
      minLength: 4,
      maxLength: 40,
    });
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 9 }), async (content, size) => {
        expect(await read(`abcd${content}`, { limits: tight }, size)).toEqual(
          await read(`abcd${content}`, { limits: tight }),
        );
      }),
      { numRuns: 1000 },
    );
  });

  test("two million columns are one refused record", async () => {
    const outcome = await read(`a\n${",".repeat(2_000_000)}\nb\n`, { delimiter: "," });
    expect(outcome.records.map(({ fields }) => fields)).toEqual([["a"], ["b"]]);
    expect(rulesOf(outcome)).toEqual(["csv/too-many-columns"]);
  });
});

test.each([
  ["LF", "\n"],
  ["CR LF", "\r\n"],
  ["CR", "\r"],
])("reading can begin at a line, with line ends %s", async (_, end) => {
  const text = ["sep=;", "a;b", '1;"two', '3";x', "", "5;6"].join(end);
  for (const size of [1, 2, 3, 1_000]) {
    const pieces = async function* () {
      for (let at = 0; at < text.length; at += size) yield Buffer.from(text.slice(at, at + size));
    };
    const linesFrom = async (line: number) => {
      const found: unknown[] = [];
      for await (const record of readCsv(pieces(), { line })) found.push([record.line, ...record.fields]);
      return found;
    };
    expect(await linesFrom(4)).toEqual([
      [4, '3"', "x"],
      [6, "5", "6"],
    ]);
    expect(await linesFrom(6)).toEqual([[6, "5", "6"]]);
    expect(await linesFrom(7)).toEqual([]);
    expect(await linesFrom(1)).toEqual(await linesFrom(2));
  }
});
