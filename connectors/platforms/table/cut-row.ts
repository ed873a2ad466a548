/** A table that was cut in its last row: a download that broke off, a disk that was full. */
import type { Issue } from "../../../transforms/model/issue.ts";
import type { CsvRecord } from "../../formats/csv/read.ts";

/**
 * Sees the records of a table go by, the header first.
 *
 * @returns what is wrong with a record that the file was cut in: no line end follows it, and it has fewer cells than the header and
 * every other row. In a table with other short rows, somebody left the last cells out.
 */
export function cutRows(): (record: CsvRecord) => Issue | undefined {
  let width: number | undefined;
  let areFull = true;
  return ({ fields, isUnended }) => {
    width ??= fields.length;
    if (fields.length >= width) return undefined;
    if (isUnended && areFull) {
      return {
        severity: "error",
        rule: "csv/cut-row",
        found: `${fields.length} ${fields.length === 1 ? "cell" : "cells"} and no line end: the file seems to be cut here`,
        expected: `${width} cells, as in the header and all other rows`,
      };
    }
    areFull = false;
    return undefined;
  };
}
