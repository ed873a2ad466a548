/**
 * Texts of a record: the maximum length in a save, and the shortened form in a listing. A text can be longer than the maximum when it was
 * saved before there was one.
 */
import Type from "typebox";
import { LONGEST } from "../gaps.ts";

/** A name, a brand, a serial number: any text but notes. */
export const ShortText = Type.String({ maxLength: LONGEST.text });

/** Notes of a workout, a course or a piece of equipment. */
export const Notes = Type.String({ maxLength: LONGEST.notes });

/**
 * Cuts a text to a number of characters (code points, as JSON Schema counts them).
 * @returns the text itself when it is short enough, else its beginning, with `…` as the last character
 */
export function cutTo(most: number, text: string): string {
  if (text.length <= most) return text;
  // A character has two units at most, so these hold enough of them.
  const characters = Array.from(text.slice(0, 2 * most + 2));
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join("")}…`;
}

/** A record as a listing shows it. Each text of its own is at most as long as a save allows, even when the stored one is longer. */
export function listed<T extends object>(record: T): T {
  const members = Object.entries(record).map(([name, value]) => [
    name,
    typeof value === "string" ? cutTo(name === "notes" ? LONGEST.notes : LONGEST.text, value) : value,
  ]);
  return Object.fromEntries(members) as T;
}
