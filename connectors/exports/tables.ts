/**
 * The one table of all fields in an export. It gives every field of the interface document its name, its type and its meaning. CSV, XLSX and
 * Parquet have a column for each entry. The JSON Schema, the data package, `--fields` and the reader of exports (`archives/logferry-export`) are
 * made from it.
 *
 * Each record is one row, so that a person can compare a column with the log by eye. `...Unit` columns stand beside their values, because each
 * value has its own unit.
 */

/**
 * The type of a column. `id` is a text that joins records. `words` are the names of set flags: one text in tables, a list in JSON. `date` is
 * `YYYY-MM-DD` and `time` is `HH:MM:SS`, both floating.
 */
export type ColumnType = "text" | "id" | "integer" | "number" | "date" | "time" | "boolean" | "words";

/** A column of an exported table, which is also a member in JSON. */
export interface Column {
  /** The header in tables, and the word for `--fields`. */
  readonly name: string;
  /**
   * The path of the value in the record: `details.distance.value`, `equipment.0.id`. In a table with `each`, the path begins at the list's member,
   * `^.` begins at the record, and `#` is the member's number, from 1.
   */
  readonly path: string;
  readonly type: ColumnType;
  /** The explanation for people. */
  readonly meaning: string;
}

/** The kinds of records, under the names that `readLog` uses. */
export type RecordKind = "user" | "preference" | "equipment" | "course" | "training-plan" | "workout";

/** A table. */
export interface Table {
  /** The file name without its ending. */
  readonly name: string;
  readonly title: string;
  /** The kind of record in this table. */
  readonly kind: RecordKind;
  /** The path of a list in the record, for a table with one row for each member of the list (intervals of a workout). */
  readonly each?: string;
  readonly columns: readonly Column[];
  /** The columns that identify a row. */
  readonly key: readonly string[];
  /** Columns that hold the `id` of a row of another table. */
  readonly links: Readonly<Record<string, string>>;
}

type Row = readonly [name: string, path: string, type: ColumnType, meaning: string];

/** The two columns of a measure. */
function measure(name: string, path: string, meaning: string): readonly Row[] {
  return [
    [name, `${path}.value`, "number", meaning],
    [`${name}Unit`, `${path}.unit`, "text", `Unit of ${name}, as the log has it`],
  ];
}

const PREFERENCE = (path: string): readonly Row[] => [
  ["utcOffset", `${path}utcOffset`, "number", "Hours from UTC, with fraction; fixed, without daylight saving"],
  ["distanceUnit", `${path}distanceUnit`, "text", "Unit the owner prefers for distances"],
  ["weightUnit", `${path}weightUnit`, "text", "Unit the owner prefers for weights"],
  ["temperatureUnit", `${path}temperatureUnit`, "text", "Unit the owner prefers for temperatures"],
];

/** All tables of an export, in the order of the records. */
export const TABLES: readonly Table[] = [
  table("user", "user", "The owner of the log", [], {}, [
    ["screenName", "screenName", "text", "Name shown in the log"],
    ["givenName", "person.givenName", "text", "Given name"],
    ["familyName", "person.familyName", "text", "Family name"],
    ["birthDate", "person.birthDate", "date", "Day of birth"],
    ["email", "person.email", "text", "E-mail address"],
    ["gender", "person.gender", "text", "Gender, a letter"],
    ...PREFERENCE("preference."),
  ]),
  table("preference", "preference", "The owner's units and offset from UTC", [], {}, PREFERENCE("")),
  table("equipment", "equipment", "Shoes, bikes and other equipment", ["id"], {}, [
    ["id", "id", "id", "Id in the log"],
    ["activityID", "activityID", "integer", "Activity it is used for, by its number in the log"],
    ["brandID", "brandID", "id", "Id of the brand; the log's own"],
    ["brandName", "brandName", "text", "Brand"],
    ["modelID", "modelID", "id", "Id of the model; the log's own"],
    ["modelName", "modelName", "text", "Model"],
    ["serial", "serial", "text", "What tells two pieces of one model apart"],
    ["gender", "gender", "text", "Gender it is made for, a letter"],
    ["notes", "notes", "text", "Notes"],
    ["avgRating", "ratings.avgRating", "number", "Average rating"],
    ...measure("distance", "distance", "Distance done with it; the log's own sum"),
    ["purchaseDate", "purchaseDate", "date", "Day it was bought"],
    ["price", "price", "number", "Price, without a currency"],
    [
      "retired",
      "retired",
      "boolean",
      "Whether it is no longer in use; from the two listings, since the log has no field",
    ],
  ]),
  table("courses", "course", "Courses, without their maps", ["id"], {}, [
    ["id", "id", "id", "Id in the log"],
    ["name", "name", "text", "Name"],
    ...measure("distance", "distance", "Length"),
    ["surfaces", "surfaces", "words", "Surfaces that are set"],
    ["notes", "notes", "text", "Notes"],
    ["falseSurfaces", "falseSurfaces", "words", "Surfaces that are false and say so"],
  ]),
  table("training_plans", "training-plan", "Training plans", ["id"], {}, [
    ["id", "id", "id", "Id in the log"],
    ["name", "name", "text", "Name"],
    ["beginDate", "beginDate", "date", "First day"],
    ["endDate", "endDate", "date", "Last day"],
    ["numWeeks", "numWeeks", "integer", "Weeks it takes"],
    ["attributes", "attributes", "words", "Attributes that are set: commercial, private"],
    ["falseAttributes", "falseAttributes", "words", "Attributes that are false and say so"],
  ]),
  table("workouts", "workout", "Workouts", ["id"], { courseId: "courses", equipmentId: "equipment" }, [
    ["id", "id", "id", "Id in the log"],
    ["date", "date", "date", "Local day"],
    ["timeOfDay", "timeOfDay", "time", "Local time it began; empty where it isn't known"],
    ["activityID", "activityID", "integer", "Activity, by its number in the log"],
    ["activityName", "activityName", "text", "Activity, by its name in the log"],
    ["workoutID", "workoutID", "integer", "Kind of training, by its number within the activity"],
    ["workoutName", "workoutName", "text", "Kind of training, by its name"],
    ...measure("distance", "details.distance", "Distance"),
    ["duration", "details.duration", "number", "Duration in seconds, with fraction"],
    ["notes", "notes", "text", "Notes"],
    ["courseId", "course.id", "id", "Course it was done on"],
    ["courseName", "course.name", "text", "Name of the course"],
    ["equipmentId", "equipment.0.id", "id", "Equipment it was done with"],
    ["equipmentName", "equipment.0.name", "text", "Name of the equipment"],
    ["avgHR", "health.avgHR", "integer", "Average heart rate, beats a minute"],
    ["maxHR", "health.maxHR", "integer", "Highest heart rate, beats a minute"],
    ["restHR", "health.restHR", "integer", "Heart rate at rest, beats a minute"],
    ...measure("weight", "health.weight", "Body weight"),
    ["effort", "ratings.effort", "integer", "Effort, as rated"],
    ["quality", "ratings.quality", "integer", "Quality, as rated"],
    ["conditions", "weather.conditions", "words", "Weather conditions that are set"],
    ...measure("temperature", "weather.temperature", "Temperature"),
    ["fieldPlacement", "raceStats.fieldPlacement", "integer", "Place in the field of a race"],
    ["fieldSize", "raceStats.fieldSize", "integer", "Size of that field"],
    ["groupMinAge", "raceStats.groupMinAge", "integer", "Least age of the age group"],
    ["groupMaxAge", "raceStats.groupMaxAge", "integer", "Highest age of the age group"],
    ["groupPlacement", "raceStats.groupPlacement", "integer", "Place in the age group"],
    ["groupSize", "raceStats.groupSize", "integer", "Size of the age group"],
    ["intervalSetId", "intervalSet.id", "id", "Id of the set of intervals"],
    ["intervalSetName", "intervalSet.name", "text", "Name of the set of intervals"],
    ["falseConditions", "weather.falseConditions", "words", "Weather conditions that are false and say so"],
  ]),
  {
    ...table("intervals", "workout", "Intervals of workouts", ["workoutId", "number"], { workoutId: "workouts" }, [
      ["workoutId", "^.id", "id", "Workout it is of"],
      ["date", "^.date", "date", "Day of that workout"],
      ["number", "#", "integer", "Place in the set, from 1"],
      ["type", "type", "text", "interval, rest or recovery, or another word of the log"],
      ...measure("distance", "distance", "Distance"),
      ["duration", "duration", "number", "Duration in seconds, with fraction"],
    ]),
    each: "intervalSet.intervals",
  },
];

function table(
  name: string,
  kind: RecordKind,
  title: string,
  key: readonly string[],
  links: Readonly<Record<string, string>>,
  rows: readonly Row[],
): Table {
  const columns = rows.map(([header, path, type, meaning]) => ({ name: header, path, type, meaning }));
  return { name, kind, title, key, links, columns };
}

/** The plural name of each kind: the member of `log.json`, and the word for `--kind`. */
export const KINDS: Readonly<Record<RecordKind, { readonly member: string; readonly word: string }>> = {
  user: { member: "user", word: "user" },
  preference: { member: "preference", word: "preference" },
  equipment: { member: "equipment", word: "equipment" },
  course: { member: "courses", word: "courses" },
  "training-plan": { member: "trainingPlans", word: "training-plans" },
  workout: { member: "workouts", word: "workouts" },
};

/** Kinds with only one record in a log. */
export const SINGLE: ReadonlySet<RecordKind> = new Set(["user", "preference"]);

/** A cell. A missing value is an empty cell. A number stays a number, because the formula guard doesn't change numbers. */
export type Cell = string | number | boolean | undefined;

/** The header row of a table. */
export function toHeader(table: Table): readonly string[] {
  return table.columns.map(({ name }) => name);
}

/** The rows of a record in a table: one, or one for each member of its list. */
export function toRows(table: Table, record: unknown): readonly (readonly Cell[])[] {
  if (table.each === undefined) return [table.columns.map(({ path }) => cellOf(valueAt(record, path)))];
  const members = valueAt(record, table.each);
  if (!Array.isArray(members)) return [];
  return members.map((member: unknown, index) =>
    table.columns.map(({ path }) => {
      if (path === "#") return index + 1;
      return cellOf(path.startsWith("^.") ? valueAt(record, path.slice(2)) : valueAt(member, path));
    }),
  );
}

/** The names of the paths that were asked for. Taking a path apart for each value was a fifth of the work of writing. */
const namesOf = new Map<string, readonly string[]>();

function valueAt(record: unknown, path: string): unknown {
  let names = namesOf.get(path);
  if (names === undefined) {
    names = path.split(".");
    namesOf.set(path, names);
  }
  let value = record;
  for (const name of names) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

function cellOf(value: unknown): Cell {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "number" || typeof value === "string" || typeof value === "boolean") return value;
  if (Array.isArray(value)) return cellOfWords(value.map(String));
  return JSON.stringify(value);
}

/** Writes words as one text, joined by blanks. If a word contains a blank, the text is JSON. */
export function cellOfWords(words: readonly string[]): string {
  const isPlain = words.every((word) => /^[^\s["]\S*$/.test(word));
  return isPlain ? words.join(" ") : JSON.stringify(words);
}

/** Reads the words of such a text. `wordsOfCell(cellOfWords(words))` gives `words` back, except for an empty list. */
export function wordsOfCell(text: string): readonly string[] {
  if (text.startsWith("[")) {
    try {
      const words: unknown = JSON.parse(text);
      if (Array.isArray(words) && words.every((word) => typeof word === "string")) return words;
    } catch {
      // The text only looks like JSON. It is read as plain words.
    }
  }
  return text.split(/\s+/).filter((word) => word !== "");
}
