/** The distance and the time of a row that nobody can read. */
import type { Issue } from "../../../../transforms/model/issue.ts";
import { UNREAD_CLOCK } from "../../../../transforms/model/unread.ts";
import type { UnsupportedValue, Workout } from "../../../../transforms/model/workout.ts";
import { saysNone } from "../cells/none-words.ts";
import type { RowCells } from "../columns/row-cells.ts";
import type { FieldName } from "../mapping/fields.ts";
import { RULES, SHARED_VALUE } from "../mapping/rule-names.ts";
import { lacksNeeded } from "./uncomputed.ts";

/** Columns by the value that they give. */
const GIVES = { distance: ["distance"], duration: ["duration", "moving", "elapsed"] } as const;

/** Columns that give a part of the duration. */
const PARTS = ["duration.hours", "duration.minutes", "duration.seconds"];

/** Other numbers of a row that nobody can read, such as a heart rate `hoch`. Behind a formula that was never computed there is a true one. */
export function unreadNumbersIn(row: RowCells): UnsupportedValue[] {
  const whole: readonly string[] = [...Object.values(GIVES).flat(), ...PARTS];
  return row.unread
    .filter(({ field, text }) => !whole.includes(field) && !saysNone(text))
    .map(({ field, text }) => ({
      ...{ field, value: text.slice(0, 100) },
      isUnread: lacksNeeded(field, text) ? true : "minor",
    }));
}

/** The time of day of a row that has one in a form that nobody can read, such as `25:99`. A word such as `morning` is no value that is lost. */
export function unreadClockIn(row: RowCells, isRead: boolean): UnsupportedValue[] {
  const text = row.text("time") ?? "";
  return isRead || !(/[1-9]/.test(text) || lacksNeeded("time", text))
    ? []
    : [{ field: UNREAD_CLOCK, value: text.slice(0, 100), isUnread: true }];
}

/** The text of the first part of a distance or a duration that nobody can read. The other parts alone are not the whole. */
function unreadPart(row: RowCells, whole: keyof typeof GIVES): string | undefined {
  const fields: readonly string[] = whole === "distance" ? GIVES.distance : [...GIVES.duration, ...PARTS];
  return row.unread.find(({ field, text }) => fields.includes(field) && !saysNone(text))?.text;
}

/**
 * The distance and the time of a row that has them in a form that nobody can read. A cell without letters and digits above 0
 * says "none", and so do words for it. A number below 0 can't be read as a distance or a time.
 */
export function unreadIn(row: RowCells, read: Readonly<Record<keyof typeof GIVES, unknown>>): UnsupportedValue[] {
  return (["distance", "duration"] as const).flatMap((field) => {
    const textBy = (read: (column: FieldName) => string | undefined) =>
      GIVES[field].map(read).find((each) => each !== undefined);
    const below = textBy((column) => row.belowZero(column));
    const text = below ?? unreadPart(row, field) ?? textBy((column) => row.text(column)) ?? "";
    const isNone = below === undefined && (text.startsWith("-") || saysNone(text));
    return read[field] !== undefined || isNone ? [] : [{ field, value: text.slice(0, 100), isUnread: true }];
  });
}

/**
 * A workout with the values of its row that are lost although the row was read: those in columns that nobody here knows, and texts that no pattern of a
 * `split` fits. With a digit in it, such as `8 km incl. 6x400m`, a text may be the only word of the distance.
 */
export function withLost(
  workout: Workout,
  { added = [], remarks = [] }: { readonly added?: readonly UnsupportedValue[]; readonly remarks?: readonly Issue[] },
): Workout {
  const texts = remarks
    .filter(({ rule, found = "" }) => rule === RULES.csv["no-match"] && !saysNone(found))
    .flatMap(({ field = "", found = "" }): UnsupportedValue[] => {
      const isFar = workout.distance === undefined && /[1-9]/.test(found);
      // A text that became a note is not lost, though a distance in it is.
      if (!isFar && workout.notes?.includes(found)) return [];
      return [{ field: isFar ? "distance" : field, value: found, isUnread: isFar ? true : "minor" }];
    });
  // A value of all workouts of a row is in none of them. Where it is the only word of how long they were, they lack that.
  const shared = remarks
    .filter(({ rule }) => rule === SHARED_VALUE)
    .map(({ field = "", found = "" }): UnsupportedValue => {
      const isTime = workout.duration === undefined && /\d:[0-5]\d/.test(found);
      return { field: isTime ? "duration" : field, value: found.slice(0, 100), isUnread: isTime ? true : "minor" };
    });
  const lost = [...added, ...texts, ...shared];
  return lost.length === 0 ? workout : { ...workout, unsupported: [...(workout.unsupported ?? []), ...lost] };
}
