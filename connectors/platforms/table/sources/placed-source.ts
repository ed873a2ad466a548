/**
 * A CSV table with columns that are found by place. Its platform adds columns each year, gives several the same name, and translates all
 * names.
 */
import type { Issue } from "../../../../transforms/model/issue.ts";
import { printable } from "../../../../transforms/text/printable.ts";
import type { Archive, Entry } from "../../../containers/archive.ts";
import { findEntry } from "../../../containers/find.ts";
import type { AnyColumn, FoundRows, RowSource } from "../description.ts";
import { findBeside } from "../lists/beside.ts";
import { csvRows, readHeader } from "../reading/csv-rows.ts";
import { isRecord, readTable } from "../reading/read-table.ts";
import { hasHeader, onlyTableWith } from "./csv-source.ts";
import { cleanHeader, type Layout } from "./places.ts";

/** The properties that distinguish such a table. */
export interface PlacedTable {
  /** The name its platform gives it. */
  readonly file: string;
  /** Recognises its headers, by the places of the description's columns. */
  readonly layout: (header: readonly string[]) => Layout | string;
  /** If a header has at least this many known words, it is the platform's, even if other words are new. */
  readonly sure: number;
  /** Lists that lie beside it in every generation. One of them identifies a table in an unknown language, also where its values prove nothing. */
  readonly siblings: readonly string[];
  /**
   * Judges the rows by their places, where fewer than half of the header's words are known. It gives the columns whose values don't fit, for people. If
   * all fit, it gives the last canonical place up to which the values prove that no column is shifted. Above 0, they identify the table, too.
   */
  readonly judge?: (rows: AsyncIterable<readonly string[]>, indexOf: Layout["indexOf"]) => Promise<string | number>;
  /** The languages with known words, for people. */
  readonly languages: string;
}

/** Finds a table by the name that its platform gives it. Under another name, it must be the only table with its header. */
export function csvByPlace(table: PlacedTable): RowSource {
  const isSurelyOurs = (header: readonly string[]) => {
    const layout = table.layout(header);
    return typeof layout !== "string" && layout.wordsKnown >= table.sure;
  };
  return {
    table: { called: table.file },
    claims: (archive, entry) => hasHeader(archive, entry, isSurelyOurs),
    async find(archive, columns): Promise<FoundRows | undefined> {
      const named = findEntry(archive, table.file);
      const entry = named ?? (await onlyTableWith(archive, isSurelyOurs))?.entry;
      if (entry === undefined) return undefined;
      const header = (await readHeader(archive, entry)) ?? [];
      const layout = table.layout(header);
      const saw = `${printable(entry.path, 80)} with ${header.length} columns`;
      const found = {
        ...(named === undefined && { byContent: true as const }),
        entries: [entry] as const,
        header: header.map(cleanHeader),
        rows: (session, _, mapping, report) => csvRows(session, entry, mapping.file, report),
        holds: (path) => path === entry.path,
      } satisfies Omit<FoundRows, "saw">;
      const proved = typeof layout === "string" ? layout : await provedIn(archive, entry, layout, table, columns);
      if (typeof layout === "string" || typeof proved === "string") {
        const refused = { key: table.file, issue: refusal(`${proved}`) };
        return {
          ...found,
          saw: `${saw} of a form not known yet`,
          refused,
          ...unsureUnless(
            beginsLike(header, columns) || (typeof layout !== "string" && isOurs(archive, entry, layout, table)),
          ),
        };
      }
      return {
        ...found,
        saw: `${saw}, generation ${layout.generation}`,
        places: (row) => (proved.unproved.has(row) ? undefined : layout.indexOf(row)),
        unplaced: proved.unknown,
        remarks: remarksOn({ ...layout, unknown: proved.unknown }, header, table),
        ...unsureUnless(proved.isCertain || isOurs(archive, entry, layout, table)),
      };
    },
  };
}

function isOurs(archive: Archive, entry: Entry, { wordsKnown }: Layout, table: PlacedTable): boolean {
  return wordsKnown >= table.sure || hasSibling(archive, entry, table);
}

/** What the values of a table leave of its layout. */
interface Proved {
  /** Rows of the description that aren't believed. */
  readonly unproved: ReadonlySet<number>;
  /** Columns that no row of the description has, and those of `unproved`. */
  readonly unknown: Layout["unknown"];
  /** The values are those of such a table. */
  readonly isCertain: boolean;
}

/**
 * Where most words of a header are unknown, the values of its rows must fit their places. If the table may have a new column, a value goes into the log
 * only from a place that the values prove.
 */
async function provedIn(
  archive: Archive,
  entry: Entry,
  { wordsKnown, width, indexOf, unknown, isDoubtful }: Layout,
  { languages, judge }: PlacedTable,
  columns: readonly AnyColumn[],
): Promise<Proved | string> {
  const all = { unproved: new Set<number>(), unknown };
  if (judge === undefined || wordsKnown * 2 > width - unknown.length) return { ...all, isCertain: false };
  const filled = new Map<number, string>();
  const proved = await judge(cellsBelowHeader(archive, entry, filled), indexOf);
  if (typeof proved === "string")
    return `${printable(entry.path, 80)} has columns in another language than ${languages}, and by their places the values don't fit: ${proved}`;
  const isCertain = proved > 0;
  if (!isDoubtful) return { ...all, isCertain };
  const unproved = columns.flatMap(([, field], row) => {
    const index = indexOf(row) ?? -1;
    const isLoaded = field !== "unsupported" && field !== "ignore";
    return row > proved && isLoaded && filled.has(index) ? [{ row, index, name: filled.get(index) ?? "" }] : [];
  });
  return {
    isCertain,
    unproved: new Set(unproved.map(({ row }) => row)),
    unknown: [...unknown, ...unproved.map(({ index, name }) => ({ index, name }))].sort((a, b) => a.index - b.index),
  };
}

/** Gives the rows, and collects the names of columns in which any row has a value. */
async function* cellsBelowHeader(
  archive: Archive,
  entry: Entry,
  filled: Map<number, string>,
): AsyncGenerator<readonly string[]> {
  let header: readonly string[] | undefined;
  for await (const row of readTable(archive, entry)) {
    if (!isRecord(row)) continue;
    if (header !== undefined) {
      for (const [index, field] of row.fields.entries())
        if (field !== "" && !filled.has(index)) filled.set(index, cleanHeader(header[index] ?? ""));
      yield row.fields;
    }
    header ??= row.fields;
  }
}

function unsureUnless(isSure: boolean): Pick<FoundRows, "unsure"> {
  return isSure ? {} : { unsure: true };
}

function hasSibling(archive: Archive, entry: Entry, { siblings }: PlacedTable): boolean {
  const beside = findBeside(archive, entry);
  return siblings.some((name) => beside(name) !== undefined);
}

/** Whether the first two columns are ours. Then the form is new, and the table is still the platform's. */
function beginsLike(header: readonly string[], columns: readonly AnyColumn[]): boolean {
  return columns.slice(0, 2).every(([theirs], index) => {
    const [name = ""] = [theirs].flat();
    return cleanHeader(header[index] ?? "").toLowerCase() === name.toLowerCase();
  });
}

function refusal(found: string): Issue {
  const expected = "the columns of a known generation; what is new in yours has to be added to the table";
  return { severity: "error", rule: "table/unknown-columns", found, expected };
}

function remarksOn(
  { unknown, unfamiliar, wordsKnown }: Layout,
  header: readonly string[],
  { languages }: PlacedTable,
): readonly Issue[] {
  const remarks: Issue[] = [];
  const remark = (rule: string, found: string, expected: string) =>
    remarks.push({ severity: "warning", rule, found, expected });
  for (const { index, name } of unknown)
    remark("table/unplaced-column", `column ${index + 1}, ${name}`, "a known column; it was left out");
  for (const { index, name, as } of unfamiliar)
    remark("table/unfamiliar-column", `column ${index + 1}, ${name}`, `${as}, as which it was read`);
  const first = header.slice(0, 3).map(cleanHeader).join(", ");
  if (wordsKnown === 0) remark("table/unknown-language", first, `${languages}; columns were read by their place alone`);
  return remarks;
}
