/**
 * The list of activities that the website gave from 2012 to 2015: a line that says whose it is, an empty line, and a header that begins with a blank.
 * Its dates are in words, `Fr, 25 Mai 2012 20:31`, and its numbers have no units.
 */
import { printable } from "../../../transforms/text/printable.ts";
import type { Archive, Entry } from "../../containers/archive.ts";
import { fold, namesOf } from "../table/columns/columns.ts";
import type { RowSource, WorkoutTable } from "../table/description.ts";
import { mappingEntries } from "../table/mapping/mapping-files.ts";
import { csvRows } from "../table/reading/csv-rows.ts";
import { isRecord, readTable } from "../table/reading/read-table.ts";
import { adviceFor, unitBy, WITHOUT_UNIT } from "./distances.ts";
import { number } from "./numbers.ts";
import { OTHER_SPORTS, words } from "./words.ts";

// The German names are those of a real list. The English ones are their counterparts.
const NAME = words("Activity Name, Aktivitätsname");
const TYPE = words("Activity Type, Aktivitätstyp");
const START = words("Start, Start Time");
const TIME = words("Time, Zeit");
const DISTANCE = words("Distance, Distanz");

const KNOWN_BY = [NAME, TYPE, START, TIME, DISTANCE];

/** Number of lines to search for the header. */
const FIRST_LINES = 5;

/** Most tables whose first lines are searched. */
const MOST_LOOKED_AT = 20;

interface Header {
  readonly line: number;
  readonly names: readonly string[];
}

/** Finds the header of such a list; undefined for any other table. */
async function headerOf(archive: Archive, entry: Entry): Promise<Header | undefined> {
  for await (const row of readTable(archive, entry)) {
    if (!isRecord(row) || row.line > FIRST_LINES) return undefined;
    const found = new Set(row.fields.map(fold));
    if (row.line > 1 && KNOWN_BY.every((names) => names.some((name) => found.has(fold(name)))))
      return { line: row.line, names: namesOf(row.fields) };
  }
  return undefined;
}

const source: RowSource = {
  async find(archive) {
    if (mappingEntries(archive).length > 0) return undefined;
    const tables = [...archive.entries()].filter(({ path }) => /\.csv$/i.test(path)).slice(0, MOST_LOOKED_AT);
    for (const entry of tables) {
      const header = await headerOf(archive, entry);
      if (header === undefined) continue;
      return {
        saw: `${printable(entry.path, 80)} with ${header.names.length} columns`,
        byContent: true,
        entries: [entry],
        header: header.names,
        rows: (session, each, mapping, report) =>
          csvRows(session, each, { ...mapping.file, skip: header.line - 1 }, report),
        holds: (path) => path === entry.path,
      };
    }
    return undefined;
  },
};

/** Leaves the day of the week out: `Fr, 25 Mai 2012 20:31`, `lun., 30 juin 2014 7:03`. */
const withoutWeekday = (text: string) => text.replace(/^\p{L}{1,12}\.?,? (?=\S)/u, "");

/** The activity names that stand for none. */
const named = (text: string) => (/^(unbenannt|untitled)$/i.test(text) ? undefined : text);

/** The list of the website from 2012 to 2015. */
export const oldList: WorkoutTable = {
  layout: "of 2012 to 2015",
  from: source,
  onlyAlone: true,
  dates: { order: "shown", zone: "local" },
  nulls: ["--"],
  sports: OTHER_SPORTS,
  // biome-ignore format: a table is read by its columns
  columns: [
    [NAME, "name", { read: named }],
    [TYPE, "activity"],
    [START, "datetime", { read: withoutWeekday, expected: "a day and a time in words, such as Fr, 25 Mai 2012 20:31" }],
    [TIME, "duration", { format: ["h:mm:ss", "mm:ss"] }],
    [DISTANCE, "distance", { ...number, unitBy, adviceBy: adviceFor, expected: WITHOUT_UNIT }],
    [["Avg HR", "Ø HF"], "avgHR"],
    [["Max HR", "Max. HF"], "maxHR"],
    [["Course"], "unsupported", { label: "course" }],
    [["Calories", "Kalorien"], "unsupported", { label: "calories", unit: "kcal", ...number }],
    [["Elevation Gain", "Positiver Höhenunterschied"], "unsupported", { label: "elevation gain", ...number }],
    [["Total Strokes", "Züge insgesamt"], "unsupported", { label: "strokes", ...number }],
    [["Training Effect"], "unsupported", { label: "training effect", ...number }],
    [["Max Speed(Best Pace)", "Max. Geschw.(Beste Pace)"], "unsupported", { label: "max speed or best pace", notInKey: true }],
    [["Avg Speed(Avg Pace)", "Ø Geschw(Ø Pace)"], "ignore", { why: "follows from distance and time" }],
    [["Favorite", "Favorit"], "ignore", { why: "a mark of the platform's own" }],
  ],
};
