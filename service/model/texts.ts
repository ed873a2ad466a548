/** Texts of a record: how long a save takes them, and how a listing shows one that was saved before there was a most. */
import Type from "typebox";
import { LONGEST } from "../gaps.ts";

/** A name, a brand, a serial number: any text but notes. */
export const ShortText = Type.String({ maxLength: LONGEST.text });

/** Notes of a workout, a course or a piece of equipment. */
export const Notes = Type.String({ maxLength: LONGEST.notes });

/**
 * A text of at most so many characters (code points, as JSON Schema counts them).
 *
 * @returns the text itself where it is no longer, else its beginning, with `…` as the last character
 */
export function cutTo(most: number, text: string): string {
  if (text.length <= most) return text;
  // No character has more than two units, so these hold enough of them.
  const characters = Array.from(text.slice(0, 2 * most + 2));
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join("")}…`;
}

/** A record as a listing shows it: no text of its own is longer than a save takes, however long it was saved once. */
export function listed<T extends object>(record: T): T {
  const members = Object.entries(record).map(([name, value]) => [
    name,
    typeof value === "string" ? cutTo(name === "notes" ? LONGEST.notes : LONGEST.text, value) : value,
  ]);
  return Object.fromEntries(members) as T;
}
