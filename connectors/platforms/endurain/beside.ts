/** The lists beside the activities: laps, sets and recorded series, each element with the number of its activity. */
import type { Issue } from "../../../transforms/model/issue.ts";
import type { Archive } from "../../containers/archive.ts";
import { unreadRest } from "../other-files.ts";
import { fold } from "../table/columns/columns.ts";
import type { ColumnRow, FoundRows, RowSource } from "../table/description.ts";
import type { TableLap } from "../table/mapping/fields.ts";
import { json } from "../table/sources/json-source.ts";

const ACTIVITY = "activity_id";

/** The values of a lap that logferry reads. */
const LAP = ["total_distance", "total_timer_time", "intensity"] as const;

/** The values of a lap that intervals have no place for. */
const LEFT_OF_LAP = [
  ...["total_cycles", "total_calories", "avg_heart_rate", "max_heart_rate", "avg_cadence", "max_cadence", "avg_power"],
  ...["max_power", "total_ascent", "total_descent", "normalized_power", "total_work"],
];

/** A list: its files, the column that its elements become, and its large members, which are not read. */
interface Beside {
  readonly files: RegExp;
  readonly column: string;
  readonly reads: readonly string[];
  readonly drops?: readonly string[];
}

const LISTS: readonly Beside[] = [
  { files: /(^|\/)activity_laps(_\d+)?\.json$/i, column: "laps", reads: [...LAP, ...LEFT_OF_LAP] },
  { files: /(^|\/)activity_sets(_\d+)?\.json$/i, column: "sets", reads: [] },
  { files: /(^|\/)activity_workout_steps(_\d+)?\.json$/i, column: "workout steps", reads: [] },
  {
    ...{ files: /(^|\/)activity_streams(_\d+)?\.json$/i, column: "recorded series", reads: [] },
    drops: ["stream_waypoints"],
  },
];

const MORE = "more of the laps";

/** The columns of these lists. */
export const besideColumns: readonly ColumnRow[] = [
  ["laps", "laps", { laps: (value) => value as readonly TableLap[], notInKey: true }],
  ...[MORE, ...LISTS.slice(1).map(({ column }) => column)].map(
    (label): ColumnRow => [label, "unsupported", { label, notInKey: true }],
  ),
];

/** Endurain converts the time of an activity into its zone. Without one it uses the zone of its server, which the export doesn't name. */
const WITHOUT_ZONE: Issue = {
  severity: "warning",
  rule: "endurain/no-zone",
  field: "start_time",
  found: "an activity without a zone, whose time is the clock of Endurain's server",
  expected:
    "an activity with a zone. This time was read as yours: if the server's clock is another one, correct the start in your log, and logferry keeps that",
};

const RECORDING = /(?:^|\/)activity_files\/([^/]+)\.(?:fit|gpx|tcx)(?:\.gz)?$/i;

/**
 * Adds the lists to the activities without a file in `activity_files/`. The file of an activity has them all. A list that can't be read is reported, and
 * an activity has what was read before.
 */
export function withLists(source: RowSource): RowSource {
  return {
    ...source,
    async find(archive, columns) {
      const found = await source.find(archive, columns);
      if (found === undefined) return undefined;
      const lists = await listsIn(archive);
      const [idAt = -1, zoneAt = -1] = ["id", "timezone"].map((own) =>
        found.header.findIndex((name) => fold(name) === own),
      );
      const made = new Set(besideColumns.flatMap(([theirs]) => theirs));
      const hasFile = new Set([...archive.entries()].flatMap(({ path }) => RECORDING.exec(path)?.[1] ?? []));
      let read: ReturnType<typeof readLists> | undefined;
      return {
        ...found,
        holds: (path) => found.holds(path) || lists.some(({ rows }) => rows.holds(path)),
        async *rows(session, entry, mapping, report) {
          read ??= readLists(lists, session, mapping);
          const cells = await read;
          for await (const row of found.rows(session, entry, mapping, report)) {
            const id = "fields" in row ? (row.fields[idAt] ?? "") : "";
            if ("fields" in row && row.fields[zoneAt] === "") report?.(WITHOUT_ZONE, row.origin);
            const more = hasFile.has(id) ? undefined : cells.get(id);
            const filled = (cell: string, index: number) => {
              const name = found.header[index] ?? "";
              return made.has(name) ? cellOf(more, name) : cell;
            };
            yield "fields" in row ? { ...row, fields: row.fields.map(filled) } : row;
          }
        },
      };
    },
  };
}

interface FoundList {
  readonly list: Beside;
  readonly rows: FoundRows;
}

async function listsIn(archive: Archive): Promise<readonly FoundList[]> {
  const found: FoundList[] = [];
  for (const list of LISTS) {
    const source = json({
      ...{ files: list.files, knownBy: [ACTIVITY], lists: [["*"]] },
      ...(list.drops && { drops: list.drops }),
    });
    const rows = await source.find(archive, [[[ACTIVITY, ...list.reads], "ignore"]]);
    if (rows !== undefined) found.push({ list, rows });
  }
  return found;
}

/** What the lists have of one activity. */
interface OfActivity {
  readonly laps: TableLap[];
  /** The names of values of its laps that stay out. */
  readonly more: Set<string>;
  /** Numbers of elements, by column. */
  readonly counts: Map<string, number>;
}

async function readLists(
  lists: readonly FoundList[],
  session: Parameters<FoundRows["rows"]>[0],
  mapping: Parameters<FoundRows["rows"]>[2],
): Promise<ReadonlyMap<string, OfActivity>> {
  const all = new Map<string, OfActivity>();
  for (const { list, rows } of lists)
    for (const entry of rows.entries)
      for await (const row of rows.rows(session, entry, mapping, session.report)) {
        if (!("fields" in row)) {
          session.report({ ...row.error, severity: "warning" }, row.origin);
          if (row.endsFile) session.report(unreadRest(row.origin.connector, entry.path), row.origin);
          continue;
        }
        const [id = "", ...values] = row.fields;
        const of = all.get(id) ?? { laps: [], more: new Set(), counts: new Map() };
        all.set(id, of);
        of.counts.set(list.column, (of.counts.get(list.column) ?? 0) + 1);
        if (list.column === "laps") addLap(of, values);
      }
  return all;
}

function addLap({ laps, more }: OfActivity, values: readonly string[]): void {
  const [metres = "", timer = "", intensity = ""] = values;
  for (const [index, name] of LEFT_OF_LAP.entries()) if ((values[LAP.length + index] ?? "") !== "") more.add(name);
  laps.push({
    ...(Number(metres) > 0 && { distance: { unit: "m", value: Number(metres) } }),
    ...(Number(timer) > 0 && { timer: Number(timer) }),
    ...(intensity !== "" && { intensity }),
  });
}

function cellOf(of: OfActivity | undefined, column: string): string {
  if (of === undefined) return "";
  if (column === "laps") return of.laps.length > 0 ? JSON.stringify(of.laps) : "";
  return column === MORE ? [...of.more].join(", ") : String(of.counts.get(column) ?? "");
}
