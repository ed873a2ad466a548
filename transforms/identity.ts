/**
 * What equipment and courses are told apart by, as a text to compare. Workouts have `twins.ts`.
 */
import type { Course } from "./model/course.ts";
import type { Equipment } from "./model/equipment.ts";
import { inMetres } from "./units.ts";

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

/** Courses are one when their names agree, but for case and blanks, and their lengths to the nearest 100 m. */
export function courseIdentity(course: Pick<Course, "name" | "distance">): string {
  const length = course.distance === undefined ? "" : String(Math.round(inMetres(course.distance) / 100));
  return [fold(course.name), length].join("\u0000");
}

function fold(text: string | undefined): string {
  return (text ?? "").normalize("NFC").trim().replace(/\s+/g, " ").toLowerCase();
}
