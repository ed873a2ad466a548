/** Rows that lack what stands in the row above, rows that go on with it, and columns that are put together from several. */
import { namesInBraces, withCellsFor } from "../mapping/braces.ts";
import { fold } from "../mapping/fold.ts";
import { alreadyThere, noColumn } from "../mapping/header-problem.ts";
import type { IsNothing } from "./row-groups.ts";
import { eachRow, type FilledRow, indexesOf, type Shape } from "./shape.ts";

/** An empty cell of these columns stands for the cell above it. */
export function filledFromAbove(names: readonly string[], isNothing: IsNothing): Shape {
  return (header) => {
    const indexOf = indexesOf(header);
    const missing = names.filter((name) => indexOf(name) === undefined);
    if (missing.length > 0) return { errors: missing.map((name) => noColumn(["layout", "asAbove"], name, header)) };
    const columns = names.map((name) => ({ name, index: indexOf(name) ?? -1 }));
    return {
      header,
      rows: (rows) => {
        const above = new Map<number, string>();
        return eachRow((row) => {
          const fields = [...row.fields];
          for (const { name, index } of columns) {
            if (isNothing(name, fields[index] ?? "")) fields[index] = above.get(index) ?? "";
            else above.set(index, fields[index] ?? "");
          }
          return [{ ...row, fields }];
        })(rows);
      },
    };
  };
}

/** A cell with one of some texts stands for the nearest filled cell above it. */
export function dittosFromAbove(texts: readonly string[]): Shape {
  const dittos = new Set(texts.map(fold));
  return (header) => ({
    header,
    rows: (rows) => {
      const above: string[] = [];
      return eachRow((row) => {
        const fields = row.fields.map((cell, at) => (dittos.has(fold(cell)) ? (above[at] ?? cell) : cell));
        for (const [at, cell] of fields.entries()) if (cell.trim() !== "") above[at] = cell;
        return [{ ...row, fields }];
      })(rows);
    },
  });
}

/** A row without a date that has only texts goes on with the row above: its texts stand below the texts there. */
export function continued(dates: readonly string[], texts: readonly string[]): Shape {
  return (header) => {
    const indexOf = indexesOf(header);
    const dateAt = dates.flatMap((name) => indexOf(name) ?? []);
    const textAt = new Set(texts.flatMap((name) => indexOf(name) ?? []));
    const goesOn = ({ fields, cut, skip }: FilledRow) =>
      cut === undefined &&
      skip === undefined &&
      dateAt.every((index) => (fields[index] ?? "").trim() === "") &&
      fields.every((cell, index) => cell.trim() === "" || textAt.has(index));
    return {
      header,
      async *rows(rows) {
        let held: FilledRow | undefined;
        for await (const row of rows) {
          if ("fields" in row && held !== undefined && goesOn(row)) {
            held = withMore(held, row.fields);
            continue;
          }
          if (held !== undefined) yield held;
          held = "fields" in row ? row : undefined;
          if (!("fields" in row)) yield row;
        }
        if (held !== undefined) yield held;
      },
    };
  };
}

function withMore(row: FilledRow, more: readonly string[]): FilledRow {
  const width = Math.max(row.fields.length, more.length);
  const fields = Array.from({ length: width }, (_, index) =>
    [row.fields[index] ?? "", more[index] ?? ""].filter((cell) => cell.trim() !== "").join("\n"),
  );
  return { ...row, fields };
}

/** Adds columns that are put together from others. Where all of these are empty, the new one is. */
export function joined(joins: Readonly<Record<string, string>>): Shape {
  return (header) => {
    const indexOf = indexesOf(header);
    const parts = Object.entries(joins);
    const errors = parts.flatMap(([name, text]) => [
      ...alreadyThere(["join"], name, indexOf),
      ...namesInBraces(text)
        .filter((each) => indexOf(each) === undefined)
        .map((each) => noColumn(["join", name], each, header)),
    ]);
    if (errors.length > 0) return { errors };
    return {
      header: [...header, ...parts.map(([name]) => name)],
      rows: eachRow((row) => {
        const cellOf = (name: string) => (row.fields[indexOf(name) ?? -1] ?? "").trim();
        const made = parts.map(([, text]) =>
          namesInBraces(text).every((name) => cellOf(name) === "") ? "" : withCellsFor(text, cellOf).trim(),
        );
        const own = header.map((_, index) => row.fields[index] ?? "");
        return [{ ...row, fields: [...own, ...made, ...row.fields.slice(header.length)] }];
      }),
    };
  };
}
