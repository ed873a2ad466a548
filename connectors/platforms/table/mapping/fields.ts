/** The possible fields of a table's column, and the words that a description may add to each. */
import type { Activity } from "../../../../transforms/activities.ts";
import { type Dimension, type Measure, UNITS, type UnitOf } from "../../../../transforms/units.ts";
import type { Lap } from "../../../formats/recording.ts";
import type { Scale } from "./scale.ts";
import type { CellOf, System } from "./shown-units.ts";

/** The way numbers are written: the decimal mark, or a way that needs no mark. The other mark groups thousands. */
export type Decimal = "." | "," | "shown" | "float";

/** The words that may stand beside `field`. */
export type ColumnOption =
  | "unit"
  | "unitColumn"
  | "format"
  | "separator"
  | "label"
  | "why"
  | "scale"
  | "add"
  | "hoursBelow"
  | "each"
  | "running"
  | "proposed";

/** The words that may stand beside every field. */
export const COMMON_OPTIONS = ["also", "optional", "otherwise", "zero", "per", "decimal", "expected"] as const;

interface Field {
  readonly field: string;
  /** The dimension of its numbers. Such a field needs `unit` or `unitColumn`. */
  readonly measures?: Dimension;
  readonly allows?: readonly ColumnOption[];
  readonly needs?: readonly ColumnOption[];
  /** Several columns may have this field. */
  readonly repeats?: true;
}

/** Every field of a workout that a cell can fill. README.md describes the values of each. */
export const FIELDS = [
  { field: "id" },
  { field: "date" },
  { field: "datetime" },
  { field: "time" },
  { field: "end" },
  { field: "instant" },
  { field: "zone" },
  { field: "offset", allows: ["format"] },
  { field: "position" },
  { field: "untimed", repeats: true },
  { field: "weekday" },
  { field: "activity" },
  { field: "type", allows: ["label"] },
  { field: "file" },
  { field: "name" },
  { field: "notes", allows: ["label", "separator"], repeats: true },
  { field: "course" },
  { field: "equipment", allows: ["separator"], repeats: true },
  { field: "distance", measures: "distance", allows: ["unit", "unitColumn", "add"] },
  { field: "duration", needs: ["format"], allows: ["add", "hoursBelow"] },
  { field: "moving", needs: ["format"], allows: ["hoursBelow"] },
  { field: "elapsed", needs: ["format"], allows: ["hoursBelow"] },
  { field: "duration.hours" },
  { field: "duration.minutes" },
  { field: "duration.seconds" },
  { field: "lap", needs: ["format"], allows: ["each", "running"], repeats: true },
  { field: "avgHR" },
  { field: "maxHR" },
  { field: "restHR" },
  { field: "weight", measures: "weight", allows: ["unit", "unitColumn"] },
  { field: "temperature", measures: "temperature", allows: ["unit", "unitColumn", "label"] },
  { field: "conditions", allows: ["separator", "label"] },
  { field: "effort", allows: ["scale"] },
  { field: "quality", allows: ["scale"] },
  { field: "fieldPlacement" },
  { field: "fieldSize" },
  { field: "groupPlacement" },
  { field: "groupSize" },
  { field: "groupMinAge" },
  { field: "groupMaxAge" },
  { field: "unsupported", needs: ["label"], allows: ["unit", "proposed"], repeats: true },
  { field: "ignore", allows: ["why"], repeats: true },
] as const satisfies readonly Field[];

/** The name of a field. */
export type FieldName = (typeof FIELDS)[number]["field"];

/** The names of all fields, for messages and for checking a mapping. */
export const FIELD_NAMES: readonly FieldName[] = FIELDS.map(({ field }) => field);

/** Whether a field can stand in a mapping file. */
export function isFieldName(name: string): name is FieldName {
  return FIELD_NAMES.some((each) => each === name);
}

/** The entry of a field. */
export function fieldNamed(name: FieldName): Field {
  return FIELDS.find(({ field }) => field === name) as Field;
}

/** The units of a dimension, spelt as in a mapping. */
export function unitsOf(dimension: Dimension): readonly string[] {
  return UNITS[dimension].map(({ unit }) => unit);
}

/** The ways to write a duration: see `durations.ts`. */
export const DURATION_FORMATS = [
  "h:mm:ss",
  "h:mm",
  "mm:ss",
  "mm:ss:00",
  "h.mm.ss",
  "mm.ss",
  "h.mm",
  "hmmss",
  "clock",
  "zero-day",
  "minutes",
  "hours",
  "seconds",
  "milliseconds",
  "day-fraction",
  "text",
] as const;

/** One of these formats. */
export type DurationFormat = (typeof DURATION_FORMATS)[number];

/** Formats that no cell can distinguish. A column may have at most one of each group. */
export const INDISTINGUISHABLE: readonly (readonly DurationFormat[])[] = [
  ["h:mm", "mm:ss"],
  ...(["minutes", "hours", "mm.ss", "h.mm", "seconds", "milliseconds", "day-fraction"] as const).map(
    (other) => ["hmmss", other] as const,
  ),
  ["minutes", "hours", "mm.ss", "h.mm"],
  ["mm.ss", "h.mm", "seconds", "milliseconds"],
  ["minutes", "hours", "seconds", "milliseconds", "day-fraction"],
];

/**
 * Fields that only the tables of platforms have: the app that recorded the row, its laps, its recorded series, names of gear.
 */
export const PLATFORM_FIELDS = ["recorder", "laps", "series", "gear", "gear.bike", "gear.shoes"] as const;

/** A lap of a row. */
export type TableLap = Pick<Lap, "distance" | "timer" | "intensity">;

/** The description of one column. */
export interface ColumnSpec {
  readonly field: FieldName | (typeof PLATFORM_FIELDS)[number];
  readonly unit?: string | undefined;
  readonly unitColumn?: string | undefined;
  readonly format?: readonly DurationFormat[] | undefined;
  /** With `h:mm` and `mm:ss` together: a number before the colon that is below this one is hours. */
  readonly hoursBelow?: number | undefined;
  /** In a workbook, `mm:ss:00` alone: from 1:00:00 on, the hours of a real duration are minutes. No mapping file says it. */
  readonly hoursAreMinutes?: true;
  readonly separator?: string | undefined;
  readonly label?: string | undefined;
  /** Other names of the column. Of several columns, the first one that a row fills counts. */
  readonly also?: readonly string[] | undefined;
  /** A table may lack the column. */
  readonly optional?: true | undefined;
  /**
   * The unit of a row's value if the column has none. It follows from the row, the units that its table shows, its sport, and the units of
   * distances that a person gave. Undefined if they don't show it.
   */
  readonly unitBy?:
    | ((
        cellOf: CellOf,
        shown: System | undefined,
        activity: Activity | undefined,
        given: readonly UnitOf<"distance">[],
      ) => string | undefined)
    | undefined;
  /** What a person can do if `unitBy` doesn't know the unit of a row's value. Without it, `expected` says that for all rows. */
  readonly adviceBy?: ((cellOf: CellOf, activity: Activity | undefined) => string | undefined) | undefined;
  /** How the values of a person's own scale become those of the log. */
  readonly scale?: Scale | undefined;
  /** The columns of the field are added up. */
  readonly add?: true | undefined;
  /** The units by activity, from which `unitBy` comes. */
  readonly units?: Readonly<Partial<Record<Activity | "default", string>>> | undefined;
  /** A proposal left its values, because nobody knows what they are, and no person has said so yet. */
  readonly proposed?: true | undefined;
  /** For a lap: its distance. */
  readonly each?: Measure<"distance"> | undefined;
  /** For a lap: its time counts from the start of the workout. */
  readonly running?: true | undefined;
  /** Number of written units that make one `unit`: 100 if the numbers are centimetres and `unit` is metres. */
  readonly per?: number | undefined;
  /** The way its numbers are written, if it differs from the rest of the table. */
  readonly decimal?: Decimal | undefined;
  /** It counts only if no other column of its field has a value. */
  readonly otherwise?: true | undefined;
  /** For an id: its form. A row with another form of id is rejected. */
  readonly matches?: RegExp | undefined;
  /** For an id: two workouts may have the same one, because it is made of their start. Otherwise rows of one id and one start are one workout. */
  readonly isShared?: true | undefined;
  /** The right content, for messages. */
  readonly expected?: string | undefined;
  /** The platform writes 0 for a missing value. */
  readonly zero?: "none" | undefined;
  /** Handles special cases: turns the cell's text into a form that the field reads; undefined if the text means "none". */
  readonly read?: ((text: string) => string | undefined) | undefined;
  /** For equipment by its id: the column with its name, which counts if no list has the id. */
  readonly calledBy?: string | undefined;
  /** The patterns that take its text apart. Their groups are columns of their own. */
  readonly split?: readonly string[] | undefined;
  /** For notes: only their writer can read them on the platform. */
  readonly isPrivate?: true | undefined;
  /** It is a part of another column, which stands for it in the key of a row. */
  readonly part?: true | undefined;
  /** It is no part of the key of a row without an id, nor of a rejected row. Early versions of logferry read no such value. */
  readonly notInKey?: true | undefined;
  /** For laps: turns the value of the row into laps. */
  readonly laps?: ((value: unknown) => readonly TableLap[]) | undefined;
}
