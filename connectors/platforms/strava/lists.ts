/** The small lists of the export: shoes.csv, bikes.csv and routes.csv. A list that isn't there is an empty one. */

import type { Reading } from "../../../transforms/model/item.ts";
import { contentHash } from "../../../transforms/text/canonical.ts";
import type { Archive, Entry } from "../../containers/archive.ts";
import { scanFile } from "../scan-file.ts";
import type { ReadSession } from "../session.ts";
import { isRecord, readTable } from "../table/read-table.ts";
import type { GearLine } from "./gear.ts";

/** How a list is looked for: beside activities.csv. */
export type FindBeside = (name: string) => Entry | undefined;

/** Columns are name, brand, model in every generation; what follows (default sports, since 2023) decides nothing. */
const GEAR_LISTS = [
  { entry: "shoes.csv", kind: "shoe" },
  { entry: "bikes.csv", kind: "bike" },
] as const;

/** The lines of shoes.csv and bikes.csv; a line that can't be read is reported and left. */
export async function readGearLines(session: ReadSession, beside: FindBeside): Promise<GearLine[]> {
  const lines: GearLine[] = [];
  for (const { entry: name, kind } of GEAR_LISTS) {
    for await (const { line, fields } of readListRows(session, beside(name))) {
      const [label = "", brand = "", model = ""] = fields;
      if (`${label}${brand}${model}`.trim() !== "") lines.push({ kind, name: label, brand, model, line });
    }
  }
  return lines;
}

/**
 * The routes as courses: name from the list, line and length from the route's own file, which has no times. A route without its file
 * is a course without a map.
 */
export async function* readRoutes(session: ReadSession, beside: FindBeside): AsyncGenerator<Reading> {
  const list = beside("routes.csv");
  if (list === undefined) return;
  for await (const { line, fields } of readListRows(session, list)) {
    const [name = "", filename = ""] = fields.map((field) => field.trim());
    if (`${name}${filename}` === "") continue;
    yield await readRoute(session, list, line, name, filename, beside);
  }
}

async function readRoute(
  session: ReadSession,
  list: Entry,
  line: number,
  name: string,
  filename: string,
  beside: FindBeside,
): Promise<Reading> {
  const origin = session.origin(list.path, `line ${line}`);
  const file = filename === "" ? undefined : beside(filename);
  const scanned = file === undefined ? undefined : await scanFile(session.archive, file);
  const problem =
    scanned === undefined
      ? { severity: "warning" as const, rule: "strava/missing-file", field: "Route Filename", found: filename }
      : "rule" in scanned
        ? { ...scanned, severity: "warning" as const }
        : undefined;
  if (problem !== undefined) session.report(problem, origin);
  const sound = scanned === undefined || "rule" in scanned ? undefined : scanned;
  for (const issue of sound?.file.issues ?? []) session.report(issue, session.origin(file?.path));
  // Seen as routes without times; a line with times is the same line, so a recording will do.
  const route = sound?.file.routes[0] ?? sound?.file.recordings[0];
  const format = sound?.file.format;
  const isMap = sound?.file.routes[0] !== undefined && file !== undefined && format !== undefined;
  const title = name !== "" ? name : (route?.name ?? filename);
  return {
    kind: "course",
    // The number in the file's name is its place in this export, and moves when a route is added.
    key: session.unique(`strava:course:${contentHash([title, sound?.sha256 ?? filename]).slice(0, 32)}`),
    origin,
    value: {
      name: title,
      ...(route?.notes !== undefined && { notes: route.notes }),
      ...(route?.distance !== undefined && { distance: route.distance }),
      ...(isMap && { map: { entry: file.path, format, line: 0, sha256: sound.sha256 } }),
    },
  };
}

/** The rows of a list below its header. */
export async function* readListRows(
  session: ReadSession,
  entry: Entry | undefined,
): AsyncGenerator<{ line: number; fields: readonly string[] }> {
  if (entry === undefined) return;
  let isHeader = true;
  for await (const row of readTable(session.archive, entry)) {
    if (!isRecord(row)) {
      session.report({ ...row.error, severity: "warning" }, session.origin(entry.path, `line ${row.line}`));
      continue;
    }
    if (!isHeader) yield row;
    isHeader = false;
  }
}

/** Finds entries in the folder of activities.csv, with the same capitals or, for lists, any. */
export function findBeside(archive: Archive, activities: Entry): FindBeside {
  const folder = activities.path.slice(0, activities.path.lastIndexOf("/") + 1);
  return (name) => archive.entry(folder + name);
}
