/** The words `layout` and `join` of a mapping file, for the table of a platform. */
import type { RowSource } from "./description.ts";
import { shapesOf } from "./layout.ts";
import type { Mapping } from "./mapping.ts";
import type { Layout } from "./mapping-layout.ts";
import { shapedBy } from "./shape.ts";
import type { Splits } from "./split-cells.ts";

/** How the rows of a platform become workouts. */
export interface LaidOut {
  readonly layout?: Omit<Layout, "sections">;
  readonly join?: Mapping["join"];
  readonly order: Mapping["dates"]["order"];
  /** The column of the date, for a layout that needs it, and the columns of texts. */
  readonly date: string;
  readonly texts?: readonly string[];
  /** Patterns by column: their groups are columns such as `Workout/distance`. */
  readonly split?: Splits;
}

/** Makes a source with rows of another form. A table that lacks one of the columns is not the platform's. */
export function laidOut(
  source: RowSource,
  { layout = {}, join = {}, order, date, texts = [], split }: LaidOut,
): RowSource {
  const shapes = shapesOf(
    {
      columns: { [date]: { field: "date" }, ...Object.fromEntries(texts.map((name) => [name, { field: "notes" }])) },
      dates: { order, zone: "local", twoDigitYearPivot: 70 },
      file: { decimal: ".", nulls: [] },
      layout,
      join,
    },
    "table",
  );
  return {
    ...(source.table && { table: source.table }),
    async find(archive, columns) {
      const found = await source.find(archive, columns);
      if (found === undefined) return undefined;
      const last = split === undefined ? [] : [(await import("./split-cells.ts")).splitCells(split, "table")];
      const shaped = shapedBy(found.header, [...shapes, ...last]);
      if ("errors" in shaped) return undefined;
      return { ...found, header: shaped.header, rows: (...given) => shaped.rows(found.rows(...given)) };
    },
  };
}
