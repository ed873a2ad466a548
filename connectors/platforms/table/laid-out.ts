/** The words `layout` and `join` of a mapping file, for the table of a platform. */
import type { RowSource } from "./description.ts";
import { shapesOf } from "./layout.ts";
import type { Mapping } from "./mapping.ts";
import type { Layout } from "./mapping-layout.ts";
import { shapedBy } from "./shape.ts";

/** How the rows of a platform become workouts. */
export interface LaidOut {
  readonly layout?: Omit<Layout, "sections" | "totals">;
  readonly join?: Mapping["join"];
  readonly order: Mapping["dates"]["order"];
  /** The column of the date, for a layout that needs it, and the columns of texts. */
  readonly date: string;
  readonly texts?: readonly string[];
}

/** Makes a source with rows of another form. A table that lacks one of the columns is not the platform's. */
export function laidOut(source: RowSource, { layout = {}, join = {}, order, date, texts = [] }: LaidOut): RowSource {
  const shapes = shapesOf({
    columns: { [date]: { field: "date" }, ...Object.fromEntries(texts.map((name) => [name, { field: "notes" }])) },
    dates: { order, zone: "local", twoDigitYearPivot: 70 },
    file: { decimal: "." },
    layout,
    join,
  });
  return {
    ...(source.table && { table: source.table }),
    async find(archive, columns) {
      const found = await source.find(archive, columns);
      if (found === undefined) return undefined;
      const shaped = shapedBy(found.header, shapes);
      if ("errors" in shaped) return undefined;
      return { ...found, header: shaped.header, rows: (...given) => shaped.rows(found.rows(...given)) };
    },
  };
}
