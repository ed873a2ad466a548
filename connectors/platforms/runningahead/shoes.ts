/** The shoes in the rows of the tab-delimited export. It has no list of them, so each row says all of its shoe. */
import { fold } from "../table/columns/columns.ts";
import type { RowSource } from "../table/description.ts";

/** The columns of a row that say something of its shoe. */
const OF_SHOES = ["shoe", "ShoeMake", "ShoeModel", "ShoeSerial", "Size", "System", "ShoePrice"];

/** Makes a list of shoes from a table of workouts. A shoe stands in it as often as it was used. */
export function shoesOf(source: RowSource): RowSource {
  return {
    async find(archive, columns) {
      const found = await source.find(archive, columns);
      if (found === undefined) return undefined;
      const names = found.header.map(fold);
      const places = OF_SHOES.map((name) => names.indexOf(fold(name)));
      return {
        ...found,
        header: OF_SHOES,
        async *rows(session, entry, mapping) {
          // The workouts report and reject what can't be read.
          for await (const row of found.rows(session, entry, mapping))
            if ("fields" in row) yield { origin: row.origin, fields: places.map((place) => row.fields[place] ?? "") };
        },
      };
    },
  };
}
