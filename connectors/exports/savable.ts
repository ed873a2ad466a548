/** The fields of a record that the interface can save, by the words of an export's columns and of the save bodies. */
import { TABLES } from "./tables.ts";

/** Kinds of records that can be saved. */
const SAVED = ["equipment", "course", "workout"] as const;

/** A kind of record that can be saved. */
export type SavedKind = (typeof SAVED)[number];

/** Columns that are only shown: ids and names of the log's own making, its sums, what only listings tell. */
const ONLY_SHOWN: Readonly<Record<SavedKind, readonly string[]>> = {
  equipment: ["id", "brandID", "modelID", "distance", "distanceUnit", "retired"],
  course: ["id"],
  workout: ["id", "activityName", "workoutName", "courseName", "equipmentName", "intervalSetId", "workoutId", "number"],
};

/** Paths in the save bodies, by the word that names them, kind by kind: `effort` is `ratings.effort`, and `ratings` all of them. */
export function savablePaths(kind: SavedKind): ReadonlyMap<string, string> {
  const paths = new Map<string, string>();
  for (const table of TABLES.filter((one) => one.kind === kind)) {
    for (const { name, path } of table.columns) {
      if (table.each === undefined && !ONLY_SHOWN[kind].includes(name)) {
        const saved = savedPath(path);
        paths.set(name, saved);
        paths.set(saved.split(".")[0] ?? saved, saved.split(".")[0] ?? saved);
      }
    }
    // A set is saved whole.
    if (table.each !== undefined) paths.set(table.name, "intervalSet");
  }
  return paths;
}

/** The record calls some of it otherwise than its save body does. */
function savedPath(path: string): string {
  if (path === "timeOfDay") return "time";
  return path.replace(/\.(value|unit)$/, "").replace(/^(course|equipment)\..*/, "$1");
}

/** Words that name nothing that can be saved, and what was chosen. */
export interface SavableChoice {
  /** Paths by kind, of kinds that have any of the words. */
  readonly fields: Readonly<Partial<Record<SavedKind, readonly string[]>>>;
  readonly unknown: readonly string[];
  readonly known: readonly string[];
}

/** What words choose: `notes` of every kind that has it, `workouts.notes` of one. */
export function savableFields(words: readonly string[]): SavableChoice {
  const fields: Partial<Record<SavedKind, readonly string[]>> = {};
  const known = new Set<string>();
  const met = new Set<string>();
  for (const kind of SAVED) {
    const [table] = TABLES.filter((one) => one.kind === kind && one.each === undefined);
    const chosen = new Set<string>();
    for (const [word, path] of savablePaths(kind)) {
      known.add(word);
      for (const each of words.filter((one) => one === word || one === `${table?.name}.${word}`)) {
        met.add(each);
        chosen.add(path);
      }
    }
    if (chosen.size > 0) fields[kind] = [...chosen];
  }
  return { fields, unknown: words.filter((word) => !met.has(word)), known: [...known] };
}
