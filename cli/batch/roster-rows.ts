/**
 * Reads a roster's file as rows of named cells: CSV with any delimiter, byte order mark and quotes, or YAML. This file doesn't know the
 * meaning of the cells.
 */
import { readFile, stat } from "node:fs/promises";
import { extname } from "node:path";
import { isMap, isScalar, isSeq, type Node, type Pair } from "yaml";
import { sizeInWords } from "../../connectors/containers/sizes.ts";
import { type CsvRecord, type Delimiter, readCsv } from "../../connectors/formats/csv/read.ts";
import { decodeStream } from "../../connectors/formats/text.ts";
import { parseYaml, YAML_BYTES, type YamlFile } from "../../connectors/formats/yaml.ts";
import { UsageError } from "../errors/exit-codes.ts";
import { describeSystemError } from "../errors/system-errors.ts";
import { foldedField } from "./roster-fields.ts";

/** A cell and its place. */
export interface Cell {
  readonly line: number;
  /** A text from CSV, or any value from YAML. */
  readonly value: unknown;
}

/** One athlete's row. */
export interface Row {
  readonly line: number;
  /** By the folded name of the column. Empty cells are left out. */
  readonly cells: ReadonlyMap<string, Cell>;
}

/** A problem in a roster. */
export interface Problem {
  readonly line: number;
  readonly field?: string;
  readonly message: string;
}

/** A column with its folded name and its place. */
export interface Column {
  readonly field: string;
  readonly line: number;
}

/** A roster's rows, and the problems with their form. */
export interface Rows {
  /** For YAML, the keys of all athletes. */
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  readonly problems: readonly Problem[];
}

/** Most bytes of a roster: ten thousand athletes fit. */
export const ROSTER_BYTES = 4 * 1024 * 1024;

/** Reads a roster: YAML if the file's name ends so, else CSV. @throws UsageError when it can't be read at all */
export async function readRows(path: string): Promise<Rows> {
  const isYaml = /^\.ya?ml$/i.test(extname(path));
  const most = isYaml ? YAML_BYTES : ROSTER_BYTES;
  let bytes: Uint8Array;
  try {
    const { size } = await stat(path);
    if (size > most) throw new UsageError(`Cannot use ${path}: it is longer than ${sizeInWords(most)}`);
    bytes = await readFile(path);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`Cannot read the roster ${path}: ${describeSystemError(error)}`);
  }
  return isYaml ? yamlRows(await wholeText(bytes)) : csvRows(bytes);
}

async function* oneChunk(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}

async function wholeText(bytes: Uint8Array): Promise<string> {
  let text = "";
  for await (const chunk of decodeStream(oneChunk(bytes), () => undefined)) text += chunk;
  return text;
}

const DELIMITERS: readonly Delimiter[] = [",", ";", "\t"];

/** The delimiter comes from the header, because a cell may contain other delimiters. */
async function csvRows(bytes: Uint8Array): Promise<Rows> {
  let best: { readonly records: readonly CsvRecord[]; readonly problems: readonly Problem[] } | undefined;
  for (const delimiter of DELIMITERS) {
    const problems: Problem[] = [];
    const records: CsvRecord[] = [];
    const report = (issue: { readonly severity: string; readonly rule: string }, line: number) => {
      if (issue.severity === "error") problems.push({ line, message: `it is no CSV that can be read (${issue.rule})` });
    };
    for await (const record of readCsv(oneChunk(bytes), { delimiter, report })) records.push(record);
    const width = records[0]?.fields.length ?? 0;
    if (best === undefined || width > (best.records[0]?.fields.length ?? 0)) best = { records, problems };
  }
  const [header, ...records] = best?.records ?? [];
  if (header === undefined)
    return { columns: [], rows: [], problems: [{ line: 1, message: "there is no row with the names of the columns" }] };
  const problems: Problem[] = [...(best?.problems ?? [])];
  const fields = header.fields.map(foldedField);
  for (const [index, field] of fields.entries()) {
    if (field !== "" && fields.indexOf(field) < index)
      problems.push({ line: header.line, field, message: "this column is there twice" });
  }
  const rows: Row[] = [];
  for (const { line, fields: values } of records) {
    if (values.every((value) => value.trim() === "")) continue;
    const cells = new Map<string, Cell>();
    for (const [index, text] of values.entries()) {
      const value = text.trim();
      const field = fields[index];
      if (value === "") continue;
      if (field === undefined || field === "")
        problems.push({ line, message: `cell ${index + 1} stands in a column without a name` });
      else cells.set(field, { line, value });
    }
    rows.push({ line, cells });
  }
  const columns = fields.filter((field) => field !== "").map((field) => ({ field, line: header.line }));
  return { columns, rows, problems };
}

/** A list of athletes; or `athletes` with that list, and `defaults` for values that a row leaves out. */
function yamlRows(text: string): Rows {
  const file = parseYaml(text);
  const lineOf = (node: unknown) => file.lineOf((node as Node | undefined)?.range?.[0] ?? 0);
  if (file.problems.length > 0) {
    const problems = file.problems.map(({ offset, message }) => ({ line: file.lineOf(offset), message }));
    return { columns: [], rows: [], problems };
  }
  const { contents } = file.document;
  const problems: Problem[] = [];
  let list: unknown = contents;
  let defaults = new Map<string, Cell>();
  if (isMap(contents)) {
    list = undefined;
    for (const pair of contents.items) {
      const key = keyOf(pair);
      if (key === "athletes") list = pair.value;
      else if (key === "defaults" && isMap(pair.value)) defaults = cellsOf(pair.value.items, file, problems);
      else
        problems.push({
          line: lineOf(pair.key),
          field: key,
          message: 'expected "athletes" with a list, and perhaps "defaults" with keys and values',
        });
    }
  }
  if (!isSeq(list))
    return { columns: [], rows: [], problems: [...problems, { line: 1, message: "expected a list of athletes" }] };
  const rows: Row[] = [];
  for (const item of list.items) {
    if (isMap(item))
      rows.push({ line: lineOf(item), cells: new Map([...defaults, ...cellsOf(item.items, file, problems)]) });
    else problems.push({ line: lineOf(item), message: "expected an athlete's keys and values" });
  }
  const columns = rows.flatMap(({ cells }) => [...cells].map(([field, { line }]) => ({ field, line })));
  return { columns, rows, problems };
}

function keyOf({ key }: Pair): string {
  return isScalar(key) ? String(key.value) : "";
}

function cellsOf(pairs: readonly Pair[], file: YamlFile, problems: Problem[]): Map<string, Cell> {
  const cells = new Map<string, Cell>();
  for (const pair of pairs) {
    const line = file.lineOf((pair.key as Node).range?.[0] ?? 0);
    const node = pair.value as Node | null;
    let value: unknown;
    try {
      value = node?.toJS(file.document) ?? undefined;
    } catch (error) {
      // YAML aliases that multiply, or that have no target.
      if (!(error instanceof ReferenceError)) throw error;
      problems.push({ line, field: keyOf(pair), message: error.message });
    }
    cells.set(foldedField(keyOf(pair)), { line, value });
  }
  return cells;
}
