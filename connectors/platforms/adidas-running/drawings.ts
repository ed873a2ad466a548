/** The drawing of a track in an activity since 2021: a line without times. The file in `GPS-data/` has the track, and without one the drawing is all. */
import type { RowSource } from "../table/description.ts";
import { FILE_NAME } from "../table/sources/record-source.ts";

/** The column of the drawing. */
export const DRAWING = "features[type=map]/attributes/encoded_trace";

const GPS_FILE = /(?:^|\/)GPS-data\/([^/]+?)\.(?:gpx|json)(?:\.gz)?$/i;

/** Takes the drawing from activities with a file in `GPS-data/`, so that only those of the others count as left. */
export function withoutDrawn(source: RowSource): RowSource {
  return {
    ...source,
    async find(archive, columns) {
      const found = await source.find(archive, columns);
      if (found === undefined) return undefined;
      const [drawing, name] = [found.header.indexOf(DRAWING), found.header.indexOf(FILE_NAME)];
      const tracked = new Set([...archive.entries()].flatMap(({ path }) => GPS_FILE.exec(path)?.[1] ?? []));
      return {
        ...found,
        async *rows(session, entry, mapping, report) {
          for await (const row of found.rows(session, entry, mapping, report)) {
            const stem = "fields" in row ? row.fields[name]?.replace(/\.json(?:\.gz)?$/i, "") : undefined;
            yield "fields" in row && tracked.has(stem ?? "") ? { ...row, fields: row.fields.with(drawing, "") } : row;
          }
        },
      };
    },
  };
}
