/**
 * Files and columns of a source that nobody read. A remark about them names them all, so that a run can say later which they were: the person may close
 * the old account by its answer.
 */
import { grouped } from "../text/grouped.ts";
import { hasUnprintable, printable } from "../text/printable.ts";
import { printablePath } from "../text/printable-path.ts";
import { shellWord } from "../text/shell.ts";
import { describeOrigin, type Issue, type Origin } from "./issue.ts";

/** Unread files, or unread columns. */
export interface Unread {
  readonly count: number;
  /** Their names as the source writes them, up to `MOST_NAMES`. */
  readonly names: readonly string[];
  /** The absolute paths or addresses of the sources that may hold them. */
  readonly sources?: readonly string[];
}

/** The most names that a remark keeps. An export may have hundreds of thousands of files. */
export const MOST_NAMES = 5_000;

/** What a remark about files of 0 bytes expects. */
export const WITHOUT_CONTENT = "files with content: these have 0 bytes";

/** What a remark about a file expects that was not read to its end. */
export const TO_THE_END = "whole files: of these, the rest can't be read";

/** Names in a sentence, and the columns of each. */
const SHOWN = { names: 5, width: 60 } as const;

/** The files of a remark, if they were not read and may hold workouts. Files of other kinds have a remark of severity `info`. */
export function unreadFiles({ rule, severity, names, found = "", count = 1 }: Issue): Unread | undefined {
  if (!rule.endsWith("/other-files") || severity === "info") return undefined;
  // A remark that an earlier version wrote into a journal names only the first files.
  return { count, names: names ?? found.replace(/ \.\.\.$/, "").split(", ") };
}

/** The columns of a remark, if logferry doesn't know them. */
export function newColumns({
  rule,
  names,
  field,
  found = "",
}: OfColumns & { readonly field?: string | undefined; readonly found?: string | undefined }): Unread | undefined {
  if (!rule.endsWith("/unknown-column")) return undefined;
  const all = names ?? [field ?? found];
  return { count: all.length, names: all };
}

/** The rule of the remark about columns that a person's mapping leaves out. Its names are these columns, each with the number of its values. */
export const LEFT_COLUMNS = "csv/left-columns";

/** The rule of the remark about columns that only a proposal left: nobody has said that they may stay out. Its names are as those of `LEFT_COLUMNS`. */
export const UNCONFIRMED_COLUMNS = "csv/unconfirmed-columns";

/** The rule of the remark about a column that a mapping file doesn't name: nobody has said that it may stay out. Its names are as those of `LEFT_COLUMNS`. */
export const UNMAPPED_COLUMN = "csv/unmapped-column";

/** A column that a mapping leaves out: its name, and the reason if the mapping has one. */
export interface LeftColumn {
  readonly words: string;
  readonly values: number;
}

/** A column in the names of a remark: `Steps: 12`. */
export function leftColumn({ words, values }: LeftColumn): string {
  return `${words}: ${values}`;
}

/** A remark, as far as it is about columns. */
interface OfColumns {
  readonly rule: string;
  readonly names?: readonly string[] | undefined;
}

/** The columns of a remark that a mapping leaves out; undefined for another remark. */
export function leftColumns(remark: OfColumns): readonly LeftColumn[] | undefined {
  return remark.rule === LEFT_COLUMNS ? columnsOf(remark) : undefined;
}

/** The columns of a remark that only a proposal left, or that no line of a mapping names; undefined for another remark. */
export function unconfirmedColumns(remark: OfColumns): readonly LeftColumn[] | undefined {
  return remark.rule === UNCONFIRMED_COLUMNS || remark.rule === UNMAPPED_COLUMN ? columnsOf(remark) : undefined;
}

/** `60 values are left out, and nobody has said that they may be: TSS 60`, without a full stop. The first columns are named. */
export function describeUnconfirmed(columns: readonly LeftColumn[]): string {
  const count = columns.reduce((sum, { values }) => sum + values, 0);
  const names = columns.map(({ words, values }) => `${words} ${grouped(values)}`);
  const are = count === 1 ? "value is left out, and nobody has" : "values are left out, and nobody has";
  return `${grouped(count)} ${are} said that ${count === 1 ? "it" : "they"} may be: ${firstOf({ count: columns.length, names })}`;
}

function columnsOf({ names = [] }: OfColumns): readonly LeftColumn[] {
  return names.map((name) => {
    const at = name.lastIndexOf(": ");
    return { words: name.slice(0, at), values: Number(name.slice(at + 2)) };
  });
}

/** The rule of the remark about the sheets of a workbook that no mapping reads, whatever they hold. Its names are `log.xlsx: Shoes`. */
export const SHEETS_LEFT = "csv/sheet-not-read";

/** Whether a remark is about such files or columns. */
export function isOfUnread(issue: Issue): boolean {
  return [unreadFiles, newColumns, leftColumns, unconfirmedColumns].some((find) => find(issue) !== undefined);
}

/** The first of two remarks of one rule, with the files or columns of both. A column that two tables have is one. Any other remark stays as it is. */
export function withNamesOf(first: Issue, second: Issue): Issue {
  const [ours, theirs] = [unreadFiles(first), unreadFiles(second)];
  if (ours !== undefined && theirs !== undefined)
    return {
      ...first,
      count: ours.count + theirs.count,
      names: [...ours.names, ...theirs.names].slice(0, MOST_NAMES),
    };
  for (const columnsIn of [leftColumns, unconfirmedColumns]) {
    const [left, alsoLeft] = [columnsIn(first), columnsIn(second)];
    if (left !== undefined && alsoLeft !== undefined) return { ...first, names: sumOfLeft([...left, ...alsoLeft]) };
  }
  const [known, more] = [newColumns(first), newColumns(second)];
  if (known === undefined || more === undefined) return first;
  return { ...first, names: [...new Set([...known.names, ...more.names])].slice(0, MOST_NAMES) };
}

/** The same columns of several tables as one each. */
function sumOfLeft(columns: readonly LeftColumn[]): readonly string[] {
  const values = new Map<string, number>();
  for (const { words, values: more } of columns) values.set(words, (values.get(words) ?? 0) + more);
  return [...values].slice(0, MOST_NAMES).map(([words, all]) => leftColumn({ words, values: all }));
}

/** Adds up files or columns; undefined for none. */
export function sumOfUnread(all: readonly (Unread | undefined)[]): Unread | undefined {
  const some = all.filter((one) => one !== undefined);
  const count = some.reduce((sum, one) => sum + one.count, 0);
  if (count === 0) return undefined;
  const sources = [...new Set(some.flatMap((one) => one.sources ?? []))];
  return { count, names: some.flatMap(({ names }) => names), ...(sources.length > 0 && { sources }) };
}

/** `2 sheets were not read: log.xlsx: Shoes, log.xlsx: Goals`, without a full stop. */
export function describeSheets({ count, names }: Unread): string {
  return `${grouped(count)} ${count === 1 ? "sheet was" : "sheets were"} not read: ${firstOf({ count, names })}`;
}

/** `2 files were not read: my runs.csv, runs.xlsx` */
export function describeFiles({ count, names }: Unread): string {
  return `${grouped(count)} ${count === 1 ? "file was" : "files were"} not read: ${firstOf({ count, names })}`;
}

/** The command that names every file, ready to paste: `logferry inspect '/home/jo/my exports' --verbose`. */
export function inspectAll({ sources }: Unread): string {
  return `logferry inspect ${sourceWords(sources)} --verbose`;
}

/** Tables that a person may have written, by their names. */
const TABLE = /^(?!.*!\/).*\.(?:csv|tsv|xlsx|xlsm|ods)$/i;

/** Archives: a file inside is no file that a command can name. */
const ARCHIVE = /\.(?:zip|tar|t?gz|7z|rar)$/i;

/**
 * The way to read the first table among the files, if one lies in a folder: `A table of your own needs a mapping file, which logferry proposes: logferry
 * map infer /home/jo/runs.csv`. Else an empty text.
 */
export function proposeTable({ names, sources = [] }: Unread): string {
  const name = names.find((one) => TABLE.test(one));
  const [folder] = sources;
  if (name === undefined || folder === undefined || sources.length > 1 || ARCHIVE.test(folder)) return "";
  const path = `${folder.replace(/\/$/, "")}/${name}`;
  return hasUnprintable(path)
    ? ""
    : `A table of your own needs a mapping file, which logferry proposes: logferry map infer ${shellWord(path)}`;
}

/** Sources as words of a command. `SOURCE` where one can't be pasted. */
export function sourceWords(sources: readonly string[] = []): string {
  return sources.length === 0 || sources.some(hasUnprintable) ? "SOURCE" : sources.map(shellWord).join(" ");
}

/** `1 new column was not read: average_heart_rate` */
export function describeColumns({ count, names }: Unread): string {
  return `${grouped(count)} new ${count === 1 ? "column was" : "columns were"} not read: ${firstOf({ count, names })}`;
}

function firstOf({ count, names }: Unread): string {
  const shown = names.slice(0, SHOWN.names);
  const safe = shown.map((name) => printablePath(printable(name, 2 * name.length + 1), SHOWN.width));
  return `${safe.join(", ")}${count > shown.length ? " ..." : ""}`;
}

/** A value that logferry can't read. */
export interface UnreadValue {
  /** `distance`, `duration`. */
  readonly field: string;
  readonly value: string;
  readonly origin: Origin;
}

/** The field of an unsupported value: a time of day that nobody can read. */
export const UNREAD_CLOCK = "time of day";

/** The fields of distances and times. */
const MEASURES: ReadonlySet<string> = new Set(["distance", "duration", UNREAD_CLOCK]);

/** `2 distances or times can't be read, such as distance "12,4,1" (log.csv line 3)`, without a full stop. The first of each kind is named. */
export function describeValues({
  count,
  examples,
}: {
  readonly count: number;
  readonly examples: readonly UnreadValue[];
}) {
  const named = examples.map(
    ({ field, value, origin }) => `${field} "${printable(value, 40)}" (${describeOrigin(origin)})`,
  );
  const together = named.length < 2 ? named.join("") : `${named.slice(0, -1).join(", ")} and ${named.at(-1)}`;
  const such = named.length === 0 ? "" : `${count === named.length ? ":" : ", such as"} ${together}`;
  const are = examples.every(({ field }) => MEASURES.has(field))
    ? ["distance or time", "distances or times"]
    : ["value", "values"];
  return `${grouped(count)} ${are[count === 1 ? 0 : 1]} can't be read${such}`;
}
