/**
 * The tables a log is written as: one row a line, so that a person can check a column against the log with their eyes.
 * Columns are the interface document's fields under their own names; `unit` columns stand beside their values, since a unit
 * belongs to a value and not to a file.
 */

/** A column: its header, and where its value stands in the record. */
export type Column = readonly [header: string, path: string];

/** A table: the records it is made from, its file's name without ending, its columns. */
export interface Table {
  readonly name: string;
  /** What `readLog` calls the records. */
  readonly kind: "user" | "workout" | "equipment" | "course" | "training-plan";
  /** Where a list stands in the record, for a table with a row for each of its members (intervals of a workout). */
  readonly each?: string;
  readonly columns: readonly Column[];
}

/** Every table of an export. A list of texts (conditions, surfaces, attributes) is one cell, its members joined by blanks. */
export const TABLES: readonly Table[] = [
  {
    name: "workouts",
    kind: "workout",
    columns: [
      ["id", "id"],
      ["date", "date"],
      ["timeOfDay", "timeOfDay"],
      ["activityID", "activityID"],
      ["activityName", "activityName"],
      ["workoutID", "workoutID"],
      ["workoutName", "workoutName"],
      ["distance", "details.distance.value"],
      ["distanceUnit", "details.distance.unit"],
      ["duration", "details.duration"],
      ["notes", "notes"],
      ["courseId", "course.id"],
      ["courseName", "course.name"],
      ["equipmentId", "equipment.0.id"],
      ["equipmentName", "equipment.0.name"],
      ["avgHR", "health.avgHR"],
      ["maxHR", "health.maxHR"],
      ["restHR", "health.restHR"],
      ["weight", "health.weight.value"],
      ["weightUnit", "health.weight.unit"],
      ["effort", "ratings.effort"],
      ["quality", "ratings.quality"],
      ["conditions", "weather.conditions"],
      ["temperature", "weather.temperature.value"],
      ["temperatureUnit", "weather.temperature.unit"],
      ["fieldPlacement", "raceStats.fieldPlacement"],
      ["fieldSize", "raceStats.fieldSize"],
      ["groupMinAge", "raceStats.groupMinAge"],
      ["groupMaxAge", "raceStats.groupMaxAge"],
      ["groupPlacement", "raceStats.groupPlacement"],
      ["groupSize", "raceStats.groupSize"],
      ["intervalSetId", "intervalSet.id"],
      ["intervalSetName", "intervalSet.name"],
    ],
  },
  {
    name: "intervals",
    kind: "workout",
    each: "intervalSet.intervals",
    columns: [
      ["workoutId", "^.id"],
      ["date", "^.date"],
      ["number", "#"],
      ["type", "type"],
      ["distance", "distance.value"],
      ["distanceUnit", "distance.unit"],
      ["duration", "duration"],
    ],
  },
  {
    name: "equipment",
    kind: "equipment",
    columns: [
      ["id", "id"],
      ["activityID", "activityID"],
      ["brandID", "brandID"],
      ["brandName", "brandName"],
      ["modelID", "modelID"],
      ["modelName", "modelName"],
      ["serial", "serial"],
      ["gender", "gender"],
      ["notes", "notes"],
      ["avgRating", "ratings.avgRating"],
      ["distance", "distance.value"],
      ["distanceUnit", "distance.unit"],
      ["purchaseDate", "purchaseDate"],
      ["price", "price"],
      ["retired", "retired"],
    ],
  },
  {
    name: "courses",
    kind: "course",
    columns: [
      ["id", "id"],
      ["name", "name"],
      ["distance", "distance.value"],
      ["distanceUnit", "distance.unit"],
      ["surfaces", "surfaces"],
      ["notes", "notes"],
    ],
  },
  {
    name: "training_plans",
    kind: "training-plan",
    columns: [
      ["id", "id"],
      ["name", "name"],
      ["beginDate", "beginDate"],
      ["endDate", "endDate"],
      ["numWeeks", "numWeeks"],
      ["attributes", "attributes"],
    ],
  },
  {
    name: "user",
    kind: "user",
    columns: [
      ["screenName", "screenName"],
      ["givenName", "person.givenName"],
      ["familyName", "person.familyName"],
      ["birthDate", "person.birthDate"],
      ["email", "person.email"],
      ["gender", "person.gender"],
      ["utcOffset", "preference.utcOffset"],
      ["distanceUnit", "preference.distanceUnit"],
      ["weightUnit", "preference.weightUnit"],
      ["temperatureUnit", "preference.temperatureUnit"],
    ],
  },
];

/** A cell: absent is an empty one, a number stays a number (the formula guard leaves those alone). */
export type Cell = string | number | undefined;

/** The header row of a table. */
export function headersOf(table: Table): readonly string[] {
  return table.columns.map(([header]) => header);
}

/** The rows a record makes in a table: one, or one for each member of its list. */
export function rowsOf(table: Table, record: unknown): readonly (readonly Cell[])[] {
  if (table.each === undefined) return [table.columns.map(([, path]) => cellOf(valueAt(record, path)))];
  const members = valueAt(record, table.each);
  if (!Array.isArray(members)) return [];
  return members.map((member: unknown, index) =>
    table.columns.map(([, path]) => {
      if (path === "#") return index + 1;
      return cellOf(path.startsWith("^.") ? valueAt(record, path.slice(2)) : valueAt(member, path));
    }),
  );
}

function valueAt(record: unknown, path: string): unknown {
  let value = record;
  for (const name of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

function cellOf(value: unknown): Cell {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "number" || typeof value === "string") return value;
  if (typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return value.map(String).join(" ");
  return JSON.stringify(value);
}
