/**
 * What equipment and courses are told apart by, as a text to compare. Workouts have `duplicates.ts`.
 */

import type { Activity } from "../activities.ts";
import { convert, inMetres, roundTo } from "../units.ts";
import type { Course } from "./course.ts";
import type { Equipment } from "./equipment.ts";
import type { CourseItem, EquipmentItem } from "./item.ts";

/**
 * Equipment is one when activity, brand, model, serial and purchase date agree, but for case and blanks: people own several
 * pairs of one model. The activity is the log's number, so that the log's own records can be compared.
 */
export function equipmentIdentity(
  equipment: Pick<Equipment, "brandName" | "modelName" | "serial" | "purchaseDate">,
  activityID: number | undefined,
): string {
  const { brandName, modelName, serial, purchaseDate } = equipment;
  return [String(activityID ?? ""), fold(brandName), fold(modelName), fold(serial), purchaseDate ?? ""].join("\u0000");
}

/**
 * What a piece of equipment is called, but for case and blanks: its brand and its model, wherever the one ends. With it goes the activity.
 *
 * @returns undefined for one without a name, and for an activity that the log has no number for
 */
export function equipmentName(
  { brandName, modelName }: { readonly brandName?: string | undefined; readonly modelName?: string | undefined },
  activityID: number | undefined,
): string | undefined {
  const name = fold(`${brandName ?? ""}${modelName ?? ""}`).replaceAll(" ", "");
  return name === "" || name === "unnamed" || activityID === undefined ? undefined : `${activityID}\u0000${name}`;
}

/** What tells two pieces of one name apart. */
interface Distinction {
  readonly serial?: string | undefined;
  readonly purchaseDate?: string | undefined;
}

/** Whether two pieces of one name may be one: where both have a serial number or a day of purchase, it is the same. */
export function isSameEquipment(a: Distinction, b: Distinction): boolean {
  const agree = (one = "", other = "") => one === "" || other === "" || fold(one) === fold(other);
  return agree(a.serial, b.serial) && agree(a.purchaseDate, b.purchaseDate);
}

/** Courses are one when their names agree, but for case and blanks, and their lengths to the nearest 100 m. */
export function courseIdentity(course: Pick<Course, "name" | "distance">): string {
  const length = course.distance === undefined ? "" : String(Math.round(inMetres(course.distance) / 100));
  return [fold(course.name), length].join("\u0000");
}

/**
 * The identities a course may have in the log: as logferry writes it now, and rounded to 0.01 km or mi, as earlier versions wrote it.
 * A course of 1,449 m stands in such a log as 1.45 km, which rounds to another 100 m.
 */
export function courseIdentities(course: Pick<Course, "name" | "distance">): readonly string[] {
  const { name, distance } = course;
  if (distance === undefined) return [courseIdentity(course)];
  const coarse = (["km", "mi"] as const).map((unit) => {
    const { value } = convert("distance", distance, unit);
    return courseIdentity({ name, distance: { unit, value: roundTo(value, 2) } });
  });
  return [...new Set([courseIdentity(course), ...coarse])];
}

/** The identities that a piece of equipment or a course may have in a log whose activities have these numbers. */
export function identitiesOf(
  { kind, value }: Pick<EquipmentItem, "kind" | "value"> | Pick<CourseItem, "kind" | "value">,
  activityIDs: Readonly<Partial<Record<Activity, number>>>,
): readonly string[] {
  return kind === "course" ? courseIdentities(value) : [equipmentIdentity(value, activityIDs[value.activity])];
}

function fold(text: string | undefined): string {
  return (text ?? "").normalize("NFC").trim().replace(/\s+/g, " ").toLowerCase();
}
