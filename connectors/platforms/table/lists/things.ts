/** The courses and the equipment that rows name: one item each, before the workouts. */
import type { Activity } from "../../../../transforms/activities.ts";
import type { Equipment } from "../../../../transforms/model/equipment.ts";
import type { Issue, Origin } from "../../../../transforms/model/issue.ts";
import { fold } from "../columns/columns.ts";
import type { Mapping } from "../mapping/mapping.ts";
import { RULES, type RuleFamily } from "../mapping/rule-names.ts";

/** The folded words of `values`, ready for lookups. */
export interface Words {
  readonly activity: ReadonlyMap<string, Activity>;
  readonly type: ReadonlyMap<string, Mapping["values"]["type"][string]>;
  readonly conditions: ReadonlyMap<string, readonly string[]>;
  readonly course: ReadonlyMap<string, string>;
  readonly equipment: ReadonlyMap<string, Mapping["values"]["equipment"][string]>;
}

/** Prepares the words of a mapping. */
export function wordsOf({ values }: Pick<Mapping, "values">): Words {
  const folded = <T>(record: Readonly<Record<string, T>>) =>
    new Map(Object.entries(record).map(([word, value]) => [fold(word), value]));
  return {
    activity: folded(values.activity),
    type: folded(values.type),
    conditions: folded(values.conditions),
    course: folded(values.course),
    equipment: folded(values.equipment),
  };
}

/** The name of a course. Two spellings are the same course if the mapping says so. */
export function courseName(text: string, words: Words): string {
  return words.course.get(fold(text)) ?? text.trim().replace(/\s+/g, " ");
}

/** The key of a course. @param prefix begins every key of the table: the connector's name */
export function courseKey(name: string, prefix: string): string {
  return `${prefix}:course:${fold(name)}`;
}

/** The key for a cell's name of a piece of equipment. Two names with the same definition are one piece. */
export function equipmentKey(text: string, words: Words, prefix: string): string {
  const { brandName, modelName, serial, purchaseDate } = words.equipment.get(fold(text)) ?? {};
  const said = [brandName, modelName, serial, purchaseDate].filter((part) => part !== undefined).join(" ");
  return `${prefix}:equipment:${fold(said === "" ? text : said)}`;
}

/** Names in the rows, with the place where each appears first; for equipment also the activities of its rows. */
export class Named {
  readonly courses = new Map<string, { name: string; origin: Origin }>();
  readonly equipment = new Map<string, { text: string; origin: Origin; activities: Map<Activity, number> }>();
  readonly placeholders = new Map<string, { text: string; origin: Origin; count: number }>();

  addCourse(name: string, key: string, origin: Origin): void {
    if (!this.courses.has(key)) this.courses.set(key, { name, origin });
  }

  addEquipment(text: string, key: string, activity: Activity | undefined, origin: Origin): void {
    const use = this.equipment.get(key) ?? { text: text.trim().replace(/\s+/g, " "), origin, activities: new Map() };
    if (activity !== undefined) use.activities.set(activity, (use.activities.get(activity) ?? 0) + 1);
    this.equipment.set(key, use);
  }

  /** Counts a word that stands for no gear. */
  addPlaceholder(text: string, origin: Origin): void {
    const { count, ...first } = this.placeholders.get(fold(text)) ?? { text, origin, count: 0 };
    this.placeholders.set(fold(text), { ...first, count: count + 1 });
  }
}

/**
 * Defines a piece of equipment by the mapping. Without a definition, its name becomes the model. If no definition gives the activity, it is the
 * most frequent one among the rows that name the piece. A tie goes to the first in the alphabet, so that the order of the rows doesn't matter.
 *
 * @returns the equipment; or the issue if there is no activity, because the log stores equipment by activity
 */
export function equipmentOf(
  { text, activities }: { text: string; activities: ReadonlyMap<Activity, number> },
  words: Words,
  fallback: Activity | undefined,
  rules: RuleFamily,
): Equipment | Issue {
  const defined = words.equipment.get(fold(text)) ?? {};
  const [most] = [...activities].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  const activity = defined.activity ?? most?.[0] ?? fallback;
  if (activity === undefined) {
    return {
      severity: "error",
      rule: RULES[rules]["equipment-without-activity"],
      found: text,
      expected: "its activity under values.equipment of the mapping, or a row with a known activity",
    };
  }
  const { brandName, modelName, serial, notes, purchaseDate, price } = defined;
  return {
    activity,
    ...(brandName !== undefined && { brandName }),
    ...(modelName !== undefined ? { modelName } : brandName === undefined && { modelName: text }),
    ...(serial !== undefined && { serial }),
    ...(notes !== undefined && { notes }),
    ...(purchaseDate !== undefined && { purchaseDate }),
    ...(price !== undefined && { price }),
  };
}
