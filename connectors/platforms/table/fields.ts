/**
 * What a column of a table can be, and which words a description may add to it.
 */
import type { Activity } from "../../../transforms/activities.ts";
import { type Dimension, UNITS } from "../../../transforms/units.ts";
import type { CellOf, System } from "./shown-units.ts";

/** How numbers are written: the decimal mark, and the other mark groups thousands; or a way that needs no mark said. */
export type Decimal = "." | "," | "shown" | "float";

/** The words that may stand beside `field`. */
export type ColumnOption = "unit" | "unitColumn" | "format" | "separator" | "label" | "why";

interface Field {
  readonly field: string;
  /** What its numbers measure: such a field needs `unit` or `unitColumn`. */
  readonly measures?: Dimension;
  readonly allows?: readonly ColumnOption[];
  readonly needs?: readonly ColumnOption[];
  /** Several columns may have it. */
  readonly repeats?: true;
}

/** Every field of a workout that a cell can fill. README.md says what each takes. */
export const FIELDS = [
  { field: "id" },
  { field: "date" },
  { field: "datetime" },
  { field: "time" },
  { field: "activity" },
  { field: "type" },
  { field: "name" },
  { field: "notes", allows: ["label"], repeats: true },
  { field: "course" },
  { field: "equipment", allows: ["separator"], repeats: true },
  { field: "distance", measures: "distance", allows: ["unit", "unitColumn"] },
  { field: "duration", needs: ["format"] },
  { field: "duration.hours" },
  { field: "duration.minutes" },
  { field: "duration.seconds" },
  { field: "avgHR" },
  { field: "maxHR" },
  { field: "restHR" },
  { field: "weight", measures: "weight", allows: ["unit", "unitColumn"] },
  { field: "temperature", measures: "temperature", allows: ["unit", "unitColumn"] },
  { field: "conditions", allows: ["separator"] },
  { field: "effort" },
  { field: "quality" },
  { field: "fieldPlacement" },
  { field: "fieldSize" },
  { field: "groupPlacement" },
  { field: "groupSize" },
  { field: "groupMinAge" },
  { field: "groupMaxAge" },
  { field: "unsupported", needs: ["label"], allows: ["unit"], repeats: true },
  { field: "ignore", allows: ["why"], repeats: true },
] as const satisfies readonly Field[];

/** One of them. */
export type FieldName = (typeof FIELDS)[number]["field"];

/** Their names, for messages and for checking a mapping. */
export const FIELD_NAMES: readonly FieldName[] = FIELDS.map(({ field }) => field);

/** The row of a field. */
export function fieldNamed(name: FieldName): Field {
  return FIELDS.find(({ field }) => field === name) as Field;
}

/** The units a field can have, spelt as a mapping spells them. */
export function unitsOf(dimension: Dimension): readonly string[] {
  return UNITS[dimension].map(({ unit }) => unit);
}

/** How a duration can be written: see `durations.ts`. */
export const DURATION_FORMATS = [
  "h:mm:ss",
  "h:mm",
  "mm:ss",
  "mm:ss:00",
  "minutes",
  "hours",
  "seconds",
  "milliseconds",
  "day-fraction",
  "text",
] as const;

/** One of them. */
export type DurationFormat = (typeof DURATION_FORMATS)[number];

/** Formats of which no cell could tell which one it is in: at most one of each group in a column. */
export const INDISTINGUISHABLE: readonly (readonly DurationFormat[])[] = [
  ["h:mm", "mm:ss"],
  ["h:mm:ss", "mm:ss:00"],
  ["minutes", "hours", "seconds", "milliseconds", "day-fraction"],
];

/**
 * What only a platform's table names: an instant beside the local time, the zone of an instant, the app that recorded the row, its device
 * file, the time it moved and the time that passed, and what it calls its gear.
 */
export const PLATFORM_FIELDS = [
  "instant",
  "zone",
  "recorder",
  "file",
  "moving",
  "elapsed",
  "gear",
  "gear.bike",
  "gear.shoes",
] as const;

/** What a description says about one column. */
export interface ColumnSpec {
  readonly field: FieldName | (typeof PLATFORM_FIELDS)[number];
  readonly unit?: string | undefined;
  readonly unitColumn?: string | undefined;
  readonly format?: readonly DurationFormat[] | undefined;
  readonly separator?: string | undefined;
  readonly label?: string | undefined;
  /** The unit of a row's value where the column has none, by the row, what its table shows, and its sport; undefined where nothing says it. */
  readonly unitBy?:
    | ((cellOf: CellOf, shown: System | undefined, activity: Activity | undefined) => string | undefined)
    | undefined;
  /** How many of what is written make one of the unit: 100 where centimetres stand for metres. */
  readonly per?: number | undefined;
  /** How its numbers are written, where that isn't as in the rest of the table. */
  readonly decimal?: Decimal | undefined;
  /** It counts only where no other column of its field does. */
  readonly otherwise?: true | undefined;
  /** Of an id: what it looks like. A row with another one is rejected. */
  readonly matches?: RegExp | undefined;
  /** What belongs in it, for messages. */
  readonly expected?: string | undefined;
  /** 0 is how the platform says that there is none. */
  readonly zero?: "none" | undefined;
  /** What no word says: the cell's text in a form the field reads; undefined where it stands for none. */
  readonly read?: ((text: string) => string | undefined) | undefined;
}
