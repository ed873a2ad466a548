/** Tables of other platforms, record by record beside an independent parser. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseString } from "fast-csv";
import { expect, test } from "vitest";
import { sniffDialect } from "../../connectors/formats/csv/dialect.ts";
import { readCsv } from "../../connectors/formats/csv/read.ts";
import { SAMPLES } from "../support/shared.ts";

const files = globSync("**/*.csv", { cwd: SAMPLES }).sort();

async function* inChunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 1000) yield bytes.subarray(at, at + 1000);
}

test("there are tables to read", () => {
  expect(files.length).toBeGreaterThan(0);
});

test.each(files)("%s: the records an independent parser finds", async (file) => {
  const bytes = readFileSync(join(SAMPLES, file));
  const ours: (readonly string[])[] = [];
  for await (const { fields } of readCsv(inChunks(bytes), {})) ours.push(fields);
  const { delimiter } = sniffDialect(bytes.toString());
  const theirs: string[][] = [];
  const parser = parseString<string[], string[]>(bytes.toString(), { delimiter, ignoreEmpty: false });
  for await (const row of parser) theirs.push(row);
  // The independent parser gives an empty line as a record without fields, or with one empty field.
  expect(ours).toEqual(theirs.filter((row) => row.length > 1 || (row[0] ?? "") !== ""));
});
