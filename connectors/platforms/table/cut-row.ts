/** Detects a table that was cut off in its last row: by an interrupted download, or a full disk. */
import type { Issue } from "../../../transforms/model/issue.ts";
import type { CsvRecord } from "../../formats/csv/read.ts";

/**
 * Makes a function that takes the records of a table in order, beginning with the header.
 *
 * @returns the issue of a record in which the file was cut off. Such a record has no line end, and fewer cells than the header and every
 *   other row. If other rows are short too, a person left out the last cells
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
