/** Columns that follow from several cells of a row: a source of rows with more columns than its file. */
import { fold } from "../columns/columns.ts";
import type { RowSource } from "../description.ts";
import type { CellOf } from "../mapping/shown-units.ts";

/** Adds columns to the rows of a source. Each function gives a row's cell; "" if there is nothing to say. */
export function withCells(source: RowSource, added: Readonly<Record<string, (cellOf: CellOf) => string>>): RowSource {
  return {
    ...(source.table && { table: { ...source.table, made: [...(source.table.made ?? []), ...Object.keys(added)] } }),
    ...(source.claims && { claims: source.claims }),
    async find(archive, columns) {
      const found = await source.find(archive, columns);
      if (found === undefined) return undefined;
      const { header } = found;
      const indexes = new Map(header.map((name, index) => [fold(name), index]));
      return {
        ...found,
        header: [...header, ...Object.keys(added)],
        async *rows(session, entry, mapping, report) {
          for await (const row of found.rows(session, entry, mapping, report)) {
            if (!("fields" in row)) {
              yield row;
              continue;
            }
            const { fields } = row;
            const cellOf = (column: string) => (fields[indexes.get(fold(column)) ?? -1] ?? "").trim();
            const own = header.map((_, index) => fields[index] ?? "");
            const extra = fields.slice(header.length);
            yield { ...row, fields: [...own, ...Object.values(added).map((make) => make(cellOf)), ...extra] };
          }
        },
      };
    },
  };
}
