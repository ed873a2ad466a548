/** Reads courses that a platform keeps as records of its own: their names, lengths and surfaces, and the lines that maps are made of. */
import type { Position } from "../../../../transforms/geo.ts";
import type { Course } from "../../../../transforms/model/course.ts";
import type { Issue } from "../../../../transforms/model/issue.ts";
import type { Reading } from "../../../../transforms/model/item.ts";
import { type Measure, unitSpelt } from "../../../../transforms/units.ts";
import type { Archive } from "../../../containers/archive.ts";
import type { ReadSession } from "../../session.ts";
import { parseMeasure } from "../cells/cells.ts";
import { asWritten } from "../columns/row-cells.ts";
import type { FoundRows, RouteColumn, RouteTable } from "../description.ts";
import { courseKey, courseName, wordsOf } from "../lists/things.ts";
import type { Conventions } from "../mapping/mapping.ts";
import { RULES } from "../mapping/rule-names.ts";
import { cellReader } from "../sources/json-path.ts";
import { courseGpx, madeMap, recordAt } from "./made-course-maps.ts";

/** A list of routes, and its rows in an archive. */
export interface FoundRoutes {
  readonly table: RouteTable;
  readonly rows: FoundRows;
}

/**
 * Gives the courses of a list. Workouts name a course by its name, so a second course of one name gets a key of its own.
 *
 * @param prefix begins every key: the connector's name
 */
export async function* readRoutes(
  session: ReadSession,
  { table, rows }: FoundRoutes,
  mapping: Conventions,
  prefix: string,
): AsyncGenerator<Reading> {
  const words = wordsOf(mapping);
  for (const entry of rows.entries) {
    for await (const row of rows.rows(session, entry, mapping, session.report)) {
      const { origin } = row;
      if (!("fields" in row)) {
        yield session.reject("quarantined", `${prefix}:course:${row.error.rule}:${row.known ?? ""}`, origin, row.error);
        continue;
      }
      const text = textsOf(table, rows.header, row.fields);
      const value = courseOf(text, words);
      if (value === undefined) continue;
      const length = lengthOf(text, table);
      if (length !== undefined && "rule" in length) session.report(length, origin);
      const line = recordNumber(origin.locator);
      const gpx = gpxOf(table, lineCell(table, rows.header, row.fields));
      const map = gpx && madeMap(entry.path, line, gpx, prefix);
      const key = session.unique(courseKey(value.name, prefix));
      yield {
        kind: "course",
        key,
        origin,
        value: { ...value, ...(length !== undefined && "unit" in length && { distance: length }), ...(map && { map }) },
      };
    }
  }
}

/**
 * Makes the GPX file of one record's line.
 *
 * @param record its number in the file, from 0
 * @returns undefined if the record has no line
 */
export async function lineIn(
  table: RouteTable,
  archive: Archive,
  path: string,
  record: number,
): Promise<Uint8Array | undefined> {
  const value = await recordAt(table.from, archive, path, record);
  return value === undefined
    ? undefined
    : gpxOf(table, cellReader([lineOf(table)], { asJson: new Set([lineOf(table)]) })(value)[0]);
}

type TextOf = (field: RouteColumn[1]) => readonly string[];

function textsOf({ columns }: RouteTable, header: readonly string[], fields: readonly string[]): TextOf {
  return (field) =>
    columns.flatMap(([theirs, ours, { label, ...how } = {}]) => {
      if (ours !== field) return [];
      const cells = [theirs].flat().map((name) => fields[header.indexOf(name)]?.trim() ?? "");
      const said = cells.map((cell) => asWritten(cell, how, "float") ?? "").find((cell) => cell !== "");
      if (said === undefined) return [];
      return [label === undefined ? said : `${label}: ${said}`];
    });
}

function courseOf(text: TextOf, words: Parameters<typeof courseName>[1]): Course | undefined {
  const [name] = text("name");
  if (name === undefined) return undefined;
  const surfaces = text("surface")
    .flatMap((list) => list.split(",").map(flagOf))
    .filter((flag) => flag !== "");
  const notes = text("notes").join("\n");
  return {
    name: courseName(name, words),
    ...(notes !== "" && { notes }),
    ...(surfaces.length > 0 && { surfaces: [...new Set(surfaces)] }),
  };
}

/** The length of a course, or a remark that it can't be read. Undefined if the cell is empty, or 0. */
function lengthOf(text: TextOf, { columns }: RouteTable): Measure<"distance"> | Issue | undefined {
  const [found] = text("distance");
  if (found === undefined) return undefined;
  const [said = ""] = text("distanceUnit");
  const unit = unitSpelt("distance", said);
  const length = parseMeasure("distance", found, unit, "float");
  if (length !== undefined && length.value >= 0) return length.value > 0 ? length : undefined;
  const [theirs = ""] = columns.find(([, ours]) => ours === "distance") ?? [];
  return {
    ...{ severity: "warning", rule: RULES.table["bad-number"], field: [theirs].flat()[0] ?? "" },
    found: [found, said].join(" ").trim().slice(0, 100),
    expected: unit === undefined ? "a number with a unit of length" : `a number of ${unit}`,
  };
}

/** A surface as the log writes flags: `Dirt Road` is `dirtRoad`. */
function flagOf(word: string): string {
  const [first = "", ...rest] = word.trim().split(/[\s_-]+/);
  return [first.toLowerCase(), ...rest.map((each) => each.charAt(0).toUpperCase() + each.slice(1).toLowerCase())].join(
    "",
  );
}

function lineOf({ columns }: RouteTable): string {
  const [theirs = ""] = columns.find(([, ours]) => ours === "line") ?? [];
  return [theirs].flat()[0] ?? "";
}

function lineCell(table: RouteTable, header: readonly string[], fields: readonly string[]): string | undefined {
  return fields[header.indexOf(lineOf(table))];
}

/** The line of a route's cell as GPX; undefined for less than two places. */
function gpxOf({ line }: RouteTable, cell: string | undefined): Uint8Array | undefined {
  const places: readonly Position[] = cell === undefined || cell === "" ? [] : (line?.(JSON.parse(cell)) ?? []);
  return courseGpx(places.map((position) => ({ position })));
}

/** The number of a record in its file: 11 for `record 12`. */
function recordNumber(locator: string | undefined): number {
  return Number(/^record (\d+)$/.exec(locator ?? "")?.[1] ?? 1) - 1;
}
