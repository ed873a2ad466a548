/** Texts that identify equipment and courses, for comparing. Workouts have `duplicates.ts`. */

import type { Activity } from "../activities.ts";
import { convert, inMetres, roundTo } from "../units.ts";
import type { Course } from "./course.ts";
import type { Equipment } from "./equipment.ts";
import type { CourseItem, EquipmentItem } from "./item.ts";

/**
 * Two pieces of equipment are the same when activity, brand, model, serial and purchase date agree, ignoring case and blanks. People own
 * several pairs of one model. The activity is the log's number, so that the log's own records can be compared.
 */
export function equipmentIdentity(
  equipment: Pick<Equipment, "brandName" | "modelName" | "serial" | "purchaseDate">,
  activityID: number | undefined,
): string {
  const { brandName, modelName, serial, purchaseDate } = equipment;
  return [String(activityID ?? ""), fold(brandName), fold(modelName), fold(serial), purchaseDate ?? ""].join("\u0000");
}

/** What `equipmentIdentity` was made of: the number of the activity and the folded names. */
export function namesInIdentity(identity: string): {
  readonly activityID: number | undefined;
  readonly brandName: string | undefined;
  readonly modelName: string | undefined;
} {
  const [activityID, brandName, modelName] = identity.split("\u0000");
  return { activityID: activityID === "" ? undefined : Number(activityID), brandName, modelName };
}

/**
 * The name of a piece of equipment with its activity, ignoring case and blanks. Brand and model are joined, because sources split them at
 * different places.
 *
 * @returns undefined for equipment without a name, and for an activity without a number in the log
 */
export function equipmentName(
  { brandName, modelName }: { readonly brandName?: string | undefined; readonly modelName?: string | undefined },
  activityID: number | undefined,
): string | undefined {
  const name = fold(`${brandName ?? ""}${modelName ?? ""}`).replaceAll(" ", "");
  return name === "" || name === "unnamed" || activityID === undefined ? undefined : `${activityID}\u0000${name}`;
}

/** The values that distinguish two pieces of equipment with the same name. */
interface Distinction {
  readonly serial?: string | undefined;
  readonly purchaseDate?: string | undefined;
}

/** Whether two pieces with the same name may be the same. Serial numbers must agree if both have one, and so must days of purchase. */
export function isSameEquipment(a: Distinction, b: Distinction): boolean {
  const agree = (one = "", other = "") => one === "" || other === "" || fold(one) === fold(other);
  return agree(a.serial, b.serial) && agree(a.purchaseDate, b.purchaseDate);
}

/** Two courses are the same when their names agree, ignoring case and blanks, and their lengths agree to the nearest 100 m. */
export function courseIdentity(course: Pick<Course, "name" | "distance">): string {
  const length = course.distance === undefined ? "" : String(Math.round(inMetres(course.distance) / 100));
  return [fold(course.name), length].join("\u0000");
}

/**
 * The identities that a course may have in the log: with the distance as logferry writes it now, and rounded to 0.01 km or mi, as earlier
 * versions wrote it. Such a log has a course of 1,449 m as 1.45 km, which rounds to another 100 m.
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

/**
 * The identities that a piece of equipment or a course may have in a log.
 *
 * @param activityIDs the log's numbers of the activities
 */
export function identitiesOf(
  { kind, value }: Pick<EquipmentItem, "kind" | "value"> | Pick<CourseItem, "kind" | "value">,
  activityIDs: Readonly<Partial<Record<Activity, number>>>,
): readonly string[] {
  return kind === "course" ? courseIdentities(value) : [equipmentIdentity(value, activityIDs[value.activity])];
}

function fold(text: string | undefined): string {
  return (text ?? "").normalize("NFC").trim().replace(/\s+/g, " ").toLowerCase();
}
