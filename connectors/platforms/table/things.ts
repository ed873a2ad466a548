/** Courses and equipment that rows name: one item each, before the workouts. */
import type { Activity } from "../../../transforms/activities.ts";
import type { Equipment } from "../../../transforms/model/equipment.ts";
import type { Issue, Origin } from "../../../transforms/model/issue.ts";
import { fold } from "./columns.ts";
import type { Mapping } from "./mapping.ts";
import { RULES, type RuleFamily } from "./rule-names.ts";

/** The words of `values`, folded, ready to be looked up. */
export interface Words {
  readonly activity: ReadonlyMap<string, Activity>;
  readonly type: ReadonlyMap<string, Mapping["values"]["type"][string]>;
  readonly conditions: ReadonlyMap<string, readonly string[]>;
  readonly course: ReadonlyMap<string, string>;
  readonly equipment: ReadonlyMap<string, Mapping["values"]["equipment"][string]>;
}

/** Makes the words of a mapping ready. */
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

/** The name a course goes by: two spellings are one where the mapping says so. */
export function courseName(text: string, words: Words): string {
  return words.course.get(fold(text)) ?? text.trim().replace(/\s+/g, " ");
}

/** The key of a course. @param prefix begins every key of the table: the connector's name */
export function courseKey(name: string, prefix: string): string {
  return `${prefix}:course:${fold(name)}`;
}

/** The key of what a cell calls a piece of equipment: two names with one definition are one piece. */
export function equipmentKey(text: string, words: Words, prefix: string): string {
  const { brandName, modelName, serial, purchaseDate } = words.equipment.get(fold(text)) ?? {};
  const said = [brandName, modelName, serial, purchaseDate].filter((part) => part !== undefined).join(" ");
  return `${prefix}:equipment:${fold(said === "" ? text : said)}`;
}

/** Names met in the rows, with the place where each is first, and for equipment the activities of its rows. */
export class Named {
  readonly courses = new Map<string, { name: string; origin: Origin }>();
  readonly equipment = new Map<string, { text: string; origin: Origin; activities: Map<Activity, number> }>();

  addCourse(name: string, key: string, origin: Origin): void {
    if (!this.courses.has(key)) this.courses.set(key, { name, origin });
  }

  addEquipment(text: string, key: string, activity: Activity | undefined, origin: Origin): void {
    const use = this.equipment.get(key) ?? { text: text.trim().replace(/\s+/g, " "), origin, activities: new Map() };
    if (activity !== undefined) use.activities.set(activity, (use.activities.get(activity) ?? 0) + 1);
    this.equipment.set(key, use);
  }
}

/**
 * A piece of equipment: by the mapping's definition, else its name as the model. The activity that no definition gives is that of
 * most rows that name it (of two equally many the first in the alphabet, so that the order of the rows doesn't show).
 *
 * @returns the equipment, or why it can't be one: the log keeps equipment by activity
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
