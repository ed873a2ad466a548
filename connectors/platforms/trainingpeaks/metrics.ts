/** The table of metrics: a row for each value of a day. Several rows of one day may have a pulse, and the lowest is the resting heart rate. */

import type { SheetRow } from "../table/cells/sheet-row.ts";
import { fold } from "../table/columns/columns.ts";
import type { RowSource, WorkoutTable } from "../table/description.ts";
import { csvEach } from "../table/sources/csv-source.ts";

const HEADER = ["Timestamp", "Type", "Value"] as const;

/** The columns in any order. A newer table may have more. */
const isMetrics = (header: readonly string[]) => {
  const names = header.map(fold);
  return HEADER.every((name) => names.includes(fold(name)));
};
const table = csvEach(/\.csv$/i, isMetrics);

/** The name of a value that is no pulse. */
const otherName = (type: string) => (fold(type) === "weight" ? `${type} in a unit that nothing says` : type);

/** Gives a row for each day with a pulse: the day, and the lowest pulse. Any other value is a row with its name. */
export const restingPulses: RowSource = {
  async find(archive) {
    const found = await table.find(
      archive,
      HEADER.map((name) => [name, "ignore"]),
    );
    return (
      found && {
        ...found,
        header: ["day", "pulse", "other"],
        async *rows(session, entry, mapping, report) {
          const lowest = new Map<string, SheetRow & { readonly fields: readonly string[] }>();
          for await (const row of found.rows(session, entry, mapping, report)) {
            if (!("fields" in row)) {
              yield row;
              continue;
            }
            const [stamp = "", type = "", value = ""] = row.fields.map((field) => field.trim());
            const day = stamp.slice(0, 10);
            if (fold(type) !== "pulse") {
              yield { origin: row.origin, fields: ["", "", value === "" ? "" : otherName(type)] };
              continue;
            }
            const known = lowest.get(day)?.fields[1];
            if (known !== undefined && Number(known) <= Number(value)) continue;
            lowest.set(day, { origin: row.origin, fields: [day, value] });
          }
          yield* lowest.values();
        },
      }
    );
  },
};

/** The zip of metrics without the other two: no row of it is a workout, and each is counted with what it is. */
export const metricsAlone: WorkoutTable = {
  layout: "of metrics alone",
  // Anybody may have a table with these three columns, so the name counts too.
  from: csvEach(/metrics[^/]*\.csv$/i, isMetrics),
  onlyAlone: true,
  dates: { order: "iso", zone: "local" },
  columns: [
    ["Timestamp", "datetime"],
    ["Type", "ignore", { why: "says what the value is" }],
    ["Value", "ignore", { why: "no value of a workout" }],
  ],
  skips: (cellOf) => {
    const kind = cellOf("Type").toLowerCase();
    if (kind === "weight") return "a weight of a day, in a unit that nothing says";
    return kind === "pulse" ? "a pulse of a day" : "a value of a day";
  },
};
