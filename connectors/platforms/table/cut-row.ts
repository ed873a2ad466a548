/** Detects a table that was cut off in its last row: by an interrupted download, or a full disk. */
import type { Issue } from "../../../transforms/model/issue.ts";
import type { CsvRecord } from "../../formats/csv/read.ts";

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
