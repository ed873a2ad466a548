/** Detects rows that aren't whole: the last one of a table that was cut off, and one that swallowed the line below it because a quote wasn't closed. */
import type { Issue } from "../../../../transforms/model/issue.ts";
import type { CsvRecord } from "../../../formats/csv/read.ts";

/** Where a quarter of the rows is short, a person left out the last cells as a habit. */
const HABIT = 0.25;

/** Whether so few rows are an exception in their table. The header counts among `all`. */
export function areFew(some: number, all: number): boolean {
  return some < all * HABIT;
}

/**
 * Makes a function that takes the records of a table in order, beginning with the header.
 *
 * @returns the issue of a record in which the file was cut off. Such a record has no line end, and fewer cells than nearly all records before
 *   it. A last row as wide as the others counts as whole, because many files have no last line end
 */
export function cutRows(): (record: CsvRecord) => Issue | undefined {
  const counts = new Map<number, number>();
  return ({ fields: { length }, isUnended }) => {
    if (!isUnended) {
      counts.set(length, (counts.get(length) ?? 0) + 1);
      return undefined;
    }
    let all = 0;
    let asShort = 0;
    for (const [width, count] of counts) {
      all += count;
      if (width <= length) asShort += count;
    }
    if (!areFew(asShort, all)) return undefined;
    const [usual] = [...counts].reduce((most, each) => (each[1] > most[1] ? each : most), [0, 0]);
    return {
      severity: "error",
      rule: "csv/cut-row",
      found: `${length} ${length === 1 ? "cell" : "cells"} and no line end: the file seems to be cut here`,
      expected: `${usual} cells, as in nearly all rows before it`,
    };
  };
}

/**
 * The issue of a row of a program's table that has less than half of its cells, though its line has an end. A tool that mends line ends may have given it
 * one. Undefined for any other row.
 *
 * @param missing the columns that it has no cell for
 */
export function stubOf(fields: readonly string[], missing: readonly string[] = []): Issue | undefined {
  const all = fields.length + missing.length;
  if (fields.length >= all / 2) return undefined;
  return {
    severity: "error",
    rule: "csv/cut-row",
    found: `${fields.length} ${fields.length === 1 ? "cell" : "cells"}: the file seems to be cut here`,
    expected: `${all} cells, as in the header`,
  };
}

/** Marks that separate columns. */
const MARKS = [",", ";", "\t", "|"];

/** Fewer marks in a line are those of a text. */
const LEAST_MARKS = 2;

/**
 * The issue of a record that swallowed the line below it. A quote is opened and not closed, so the text goes on to the next quote, which stands in
 * another row and isn't doubled. So such a record has several lines and a stray quote. It also has more cells than the header, or one of its texts has
 * a line with the columns of a row in it. Undefined for any other record: a text may have line ends and stray quotes.
 */
export function swallowedLines({ line, lastLine, hasStrays, fields }: CsvRecord, columns: number): Issue | undefined {
  if (lastLine === undefined || hasStrays === undefined) return undefined;
  const least = Math.max(LEAST_MARKS, Math.floor((columns - 1) / 2));
  const holdsRow = fields.some((text) =>
    text
      .split(/\r\n|\r|\n/)
      .slice(1)
      .some((one) => MARKS.some((mark) => one.split(mark).length > least)),
  );
  if (fields.length <= columns && !holdsRow) return undefined;
  return {
    severity: "error",
    rule: "csv/swallowed-line",
    found: `lines ${line} to ${lastLine}, read as one row with ${fields.length} cells`,
    expected: `${columns} cells in each row: a text that begins with a quote in line ${line} has no quote at its end`,
  };
}
