/**
 * A table in sections: a title such as `2014` or `March`, a header, its rows, and again. Each section may have its columns in another order. Years and
 * months of titles complete the dates of the rows below.
 */
import type { Issue } from "../../../../transforms/model/issue.ts";
import type { SheetRow } from "../cells/sheet-row.ts";
import { fold, namesOf } from "../columns/columns.ts";
import { areOfOneYear, parseTitle, type SectionTitle } from "./complete-dates.ts";
import type { FilledRow, Shape } from "./shape.ts";

/** The names by which a header is known. */
export interface HeaderNames {
  /** The names of the date column. Each header has one of them. */
  readonly dates: readonly string[];
  /** The names of all columns of the mapping. A header has two of them, if the mapping has two. */
  readonly all: readonly string[];
}

/** Whether a row is a header. */
export function isHeader(fields: readonly string[], { dates, all }: HeaderNames): boolean {
  const cells = new Set(fields.map(fold));
  const known = all.filter((name) => cells.has(fold(name)));
  const isDated = dates.length === 0 || dates.some((name) => cells.has(fold(name)));
  return isDated && known.length >= Math.min(2, all.length);
}

/** The columns of all sections, each once. Goes through the whole table. */
export async function sectionColumns(rows: AsyncIterable<SheetRow>, names: HeaderNames): Promise<readonly string[]> {
  const columns = new Map<string, string>();
  for await (const row of rows) {
    if (!("fields" in row) || !isHeader(row.fields, names)) continue;
    for (const name of namesOf(row.fields)) if (!columns.has(fold(name))) columns.set(fold(name), name);
    if (columns.size > MOST_COLUMNS) break;
  }
  return [...columns.values()];
}

/** Most columns of all sections together. */
const MOST_COLUMNS = 20_000;

/** Leaves out headers and titles, and puts the cells of each row under the columns of the table. */
export function sectioned(names: HeaderNames): Shape {
  return (header) => {
    const keys = namesOf(header).map(fold);
    return {
      header,
      async *rows(rows) {
        let places: readonly number[] | undefined;
        let width = 0;
        let section: SectionTitle = {};
        let months: readonly number[] = [];
        for await (const row of rows) {
          if (!("fields" in row)) {
            yield row;
            continue;
          }
          if (isHeader(row.fields, names)) {
            const own = namesOf(row.fields).map(fold);
            places = keys.map((key) => own.indexOf(key));
            width = row.fields.length;
            continue;
          }
          const title = titleOf(row);
          if (title !== undefined) {
            months = [...(title.year === undefined ? months : []), ...(title.month === undefined ? [] : [title.month])];
            const isPast = title.year === undefined && section.year !== undefined && !areOfOneYear(months);
            if (isPast) yield { origin: row.origin, error: pastNewYear(row) };
            section = { ...(title.year === undefined && !isPast && { year: section.year }), ...title } as SectionTitle;
          } else if (places === undefined) yield { origin: row.origin, error: beforeHeader(row) };
          else {
            const cells = places.map((place) => row.fields[place] ?? "");
            yield { ...row, fields: [...cells, ...row.fields.slice(width)], section };
          }
        }
      },
    };
  };
}

/** What a row with one filled cell says as a title. */
function titleOf({ fields }: FilledRow): SectionTitle | undefined {
  const filled = fields.filter((cell) => cell.trim() !== "");
  return filled.length === 1 ? parseTitle(filled[0] ?? "") : undefined;
}

/** Below such a title, days have no year: that of the title before has ended. */
function pastNewYear({ fields }: FilledRow): Issue {
  const found = fields.find((cell) => cell.trim() !== "") ?? "";
  const expected = "a year in this title: the months above it go past New Year, and none of them says the next year";
  return { severity: "error", rule: "csv/title-without-year", found: found.trim().slice(0, 100), expected };
}

function beforeHeader({ fields }: FilledRow): Issue {
  const found = fields.filter((cell) => cell.trim() !== "").join(", ");
  const expected = "a title such as 2014 or March, or the header; file.skip leaves lines out";
  return { severity: "error", rule: "csv/before-header", found: found.slice(0, 100), expected };
}
