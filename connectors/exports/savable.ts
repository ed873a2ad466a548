/** The fields of a record that the interface can save, under the names of export columns and of save bodies. */
import { type Kind, LOADING_ORDER } from "../../transforms/model/item.ts";
import { TABLES } from "./tables.ts";

/** Columns that can't be saved: ids and names that the log makes, its sums, and values that only listings give. */
const ONLY_SHOWN: Readonly<Record<Kind, readonly string[]>> = {
  equipment: ["id", "brandID", "modelID", "distance", "distanceUnit", "retired"],
  course: ["id"],
  workout: ["id", "activityName", "workoutName", "courseName", "equipmentName", "intervalSetId", "workoutId", "number"],
};

/** Paths in the save bodies of a kind, by the word that names them. `effort` means `ratings.effort`, and `ratings` means all of its members. */
export function savablePaths(kind: Kind): ReadonlyMap<string, string> {
  const paths = new Map<string, string>();
  for (const table of TABLES.filter((one) => one.kind === kind)) {
    for (const { name, path } of table.columns) {
      if (table.each === undefined && !ONLY_SHOWN[kind].includes(name)) {
        const saved = savedPath(path);
        paths.set(name, saved);
        paths.set(saved.split(".")[0] ?? saved, saved.split(".")[0] ?? saved);
      }
    }
    // The interface saves an interval set only as a whole.
    if (table.each !== undefined) paths.set(table.name, "intervalSet");
  }
  return paths;
}

/** The path of a field in the save body, which uses another name than the record for some fields. */
function savedPath(path: string): string {
  if (path === "timeOfDay") return "time";
  return path.replace(/\.(value|unit)$/, "").replace(/^(course|equipment)\..*/, "$1");
}

/** The chosen fields, and the words that match no savable field. */
export interface SavableChoice {
  /** Paths by kind. Only kinds with a chosen field are included. */
  readonly fields: Readonly<Partial<Record<Kind, readonly string[]>>>;
  readonly unknown: readonly string[];
  readonly known: readonly string[];
}

/** Finds the fields that words choose: `notes` of every kind that has it, or `workouts.notes` of one kind. */
export function savableFields(words: readonly string[]): SavableChoice {
  const fields: Partial<Record<Kind, readonly string[]>> = {};
  const known = new Set<string>();
  const met = new Set<string>();
  for (const kind of LOADING_ORDER) {
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
