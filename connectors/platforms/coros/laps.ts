/** The table of laps that COROS exports for one activity. It has no date, so it can't be a workout. */
import type { Issue } from "../../../transforms/model/issue.ts";
import type { RowSource } from "../table/description.ts";
import { csvEach } from "../table/sources/csv-source.ts";

const NO_DATE: Issue = {
  severity: "error",
  rule: "coros/laps-without-date",
  found: "a table of laps",
  expected: "the FIT file of the activity: it has the same laps, and the date that this table lacks",
};

/** Makes each table of laps a rejected row. If the archive has device files, the tables add nothing, and the source has no rows. */
export function lapTables(): RowSource {
  const laps = csvEach(/\.csv$/i, [
    "Split",
    "Time",
    "Moving Time",
    "Elev Loss",
    "Avg Moving Paces",
    "Avg Stride Length",
  ]);
  return {
    async find(archive, columns) {
      for (const { path } of archive.entries()) if (/\.(fit|gpx|kml|kmz|tcx)(\.gz)?$/i.test(path)) return undefined;
      const found = await laps.find(archive, columns);
      if (found === undefined) return undefined;
      return {
        ...found,
        async *rows(session, entry, mapping, report) {
          let isOurs = false;
          for await (const _ of found.rows(session, entry, mapping, report)) isOurs = true;
          const known = entry.path.slice(entry.path.lastIndexOf("/") + 1);
          if (isOurs) yield { origin: session.origin(entry.path), error: NO_DATE, known };
        },
      };
    },
  };
}
