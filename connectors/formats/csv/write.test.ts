import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readCsv } from "./read.ts";
import { type Cell, csvText, guarded, unguarded, type WriteCsvOptions } from "./write.ts";

async function written(rows: Iterable<readonly Cell[]>, options?: WriteCsvOptions): Promise<string> {
  let text = "";
  for await (const chunk of csvText(rows, options)) text += chunk;
  return text;
}

describe("csvText", () => {
  test.each<[string, Cell[][], string]>([
    [
      "plain cells",
      [
        ["a", "b"],
        ["1", "2"],
      ],
      "a,b\n1,2\n",
    ],
    [
      "cells that need quotes",
      [["a,b", 'say "hi"', "two\nlines", "cr\rhere"]],
      '"a,b","say ""hi""","two\nlines","cr\rhere"\n',
    ],
    ["numbers as they are, zero and negative ones too", [[0, -5, 4.13, 1e21]], "0,-5,4.13,1e+21\n"],
    ["nothing as an empty cell", [[undefined, "x", ""]], ",x,\n"],
    ["true and false", [[true, false]], "true,false\n"],
    ["other languages", [["Straße", "朝ラン", "🏃"]], "Straße,朝ラン,🏃\n"],
    ["no rows as a line with nothing on it, which is no record", [], "\n"],
  ])("writes %s", async (_, rows, expected) => {
    expect(await written(rows)).toBe(expected);
  });

  test.each([
    ['=HYPERLINK("http://x";"y")', `"'=HYPERLINK(""http://x"";""y"")"`],
    ["+1", "'+1"],
    ["-1", "'-1"],
    ["@SUM(A1)", "'@SUM(A1)"],
    ["\t=1", "'\t=1"],
    ["\r=1", `"'\r=1"`],
    ["\n=1", `"'\n=1"`],
    ["＝1", "'＝1"],
    ["＋1", "'＋1"],
    ["－1", "'－1"],
    ["＠x", "'＠x"],
    ["'=1", "''=1"],
    ['"=1"', '"""=1"""'],
    [" =1", " =1"],
    ["it's", "it's"],
    ["'quoted'", "'quoted'"],
    ["5-6 km", "5-6 km"],
    ["5-6", "'5-6"],
    ["007", "'007"],
    ["7", "7"],
    ["#N/A", "'#N/A"],
  ])("E1 the text %j is no formula in a spreadsheet, and nothing else than it was", async (text, cell) => {
    expect(await written([[text, "x"]])).toBe(`${cell},x\n`);
  });

  test("a number of metres stays as it is, since no spreadsheet takes it for a value", async () => {
    expect(await written([["673 m", "22.86 m", "5 pm", "-3 m"]])).toBe("673 m,22.86 m,'5 pm,'-3 m\n");
  });

  test("E1 raw text is left as it is", async () => {
    expect(await written([["=1+1", "'-"]], { raw: true })).toBe("=1+1,'-\n");
  });

  test("a mark for Excel comes first, and once", async () => {
    expect(await written([["a"], ["b"]], { byteOrderMark: true })).toBe("\ufeffa\nb\n");
  });

  test("another delimiter is quoted where a comma needs no quotes", async () => {
    expect(await written([["a,b", "c;d"]], { delimiter: ";" })).toBe('a,b;"c;d"\n');
  });

  test("any text is read back as it was, guarded or not", async () => {
    const text = fc.string({
      unit: fc.constantFrom(
        "'",
        "=",
        "-",
        "＝",
        "\t",
        "\r",
        "\n",
        '"',
        ",",
        "a",
        "é",
        "0",
        "1",
        " ",
        ".",
        "#REF!",
        "may",
        "true",
        "\u001b",
        "\\",
        "x1b",
        "x5c",
      ),
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(text, text), { maxLength: 5 }), async (rows) => {
        // The first cell is never empty, because an empty line is no record.
        const table = rows.map((row) => ["x", ...row]);
        const back: string[][] = [];
        const bytes = (async function* () {
          for await (const chunk of csvText(table)) yield Buffer.from(chunk);
        })();
        for await (const { fields } of readCsv(bytes, { delimiter: "," })) back.push(fields.map(unguarded));
        expect(back).toEqual(table);
      }),
      { numRuns: 200 },
    );
  });

  test("E1 guarding and unguarding give the text back, however often it was done", () => {
    for (const text of ["=1", "'=1", "''=1", "'", "''", "a", ""]) {
      expect(unguarded(guarded(text))).toBe(text);
      expect(unguarded(unguarded(guarded(guarded(text))))).toBe(text);
    }
  });

  test("asks for rows as they are taken, not all at once", async () => {
    let asked = 0;
    async function* endless() {
      for (;;) {
        asked += 1;
        yield [`row ${asked}`, "x".repeat(1000)];
      }
    }
    for await (const _ of csvText(endless())) if (asked > 50) break;
    expect(asked).toBeLessThan(500);
  });

  test("an error of the rows comes out", async () => {
    async function* failing() {
      yield ["a"];
      throw new Error("the log went away");
    }
    const reading = async () => {
      for await (const _ of csvText(failing()));
    };
    await expect(reading()).rejects.toThrow("the log went away");
  });
});
