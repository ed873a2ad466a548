/**
 * The resources as requests and answers hold them. A saved resource differs from a read one, so each has two types. `...ToSave` is exactly
 * the document's form. `...Read` (`decode.ts`) holds the answers seen from servers of this kind, in a regular form.
 */
import type { LocalDate, LocalTime } from "../../transforms/calendar.ts";

/** `{unit, value}`. When read, a known spelling becomes the unit of the table. An unknown spelling stays the server's own text. */
export type WireMeasure = { readonly unit: string; readonly value: number };

/** Flags as the document writes them: `{asphalt: true, gravel: false}`. */
export type WireFlags = Readonly<Record<string, boolean>>;

/** A reference to another record in the log. */
export type IdOnly = { readonly id: string };
/** The same with the name that the log shows beside it. */
export type IdAndName = { readonly id: string; readonly name?: string };

/**
 * Members beyond the document, and members that could not be read as their type: dotted path to the value as received. They are kept so
 * that no data is lost on the way through, and never sent back.
 */
export type Extra = Readonly<Record<string, unknown>>;

/**
 * A workout to save. It has no id and no display names, because the service ignores them. "Which fields are required in save bodies: not shown." Known H
 * for a workout: its activity and its date.
 */
export type WorkoutToSave = {
  readonly details?: { readonly distance?: WireMeasure; readonly duration?: number };
  readonly health?: {
    readonly avgHR?: number;
    readonly maxHR?: number;
    readonly restHR?: number;
    readonly weight?: WireMeasure;
  };
  readonly raceStats?: {
    readonly fieldPlacement?: number;
    readonly fieldSize?: number;
    readonly groupMaxAge?: number;
    readonly groupMinAge?: number;
    readonly groupPlacement?: number;
    readonly groupSize?: number;
  };
  readonly ratings?: { readonly effort?: number; readonly quality?: number };
  readonly activityID: number;
  readonly workoutID?: number;
  readonly date: LocalDate;
  readonly time?: LocalTime;
  readonly notes?: string;
  readonly course?: IdOnly;
  /** "The API accepts 1 piece of equipment per workout." */
  readonly equipment?: readonly [IdOnly];
  readonly intervalSet?: WireIntervalSet;
  readonly weather?: { readonly conditions?: WireFlags; readonly temperature?: WireMeasure };
};

/** One interval. `type` is the log's word: interval, rest and recovery were seen. */
export type WireInterval = { readonly distance?: WireMeasure; readonly duration?: number; readonly type?: string };

/** The intervals of a workout. The `id` is the log's own number for the set. */
export type WireIntervalSet = {
  readonly id?: string;
  readonly name?: string;
  readonly intervals?: readonly WireInterval[];
};

/** A course to save. Its map goes by an operation of its own. */
export type CourseToSave = {
  readonly name: string;
  readonly notes?: string;
  readonly distance?: WireMeasure;
  readonly surfaces?: WireFlags;
};

/** Equipment to save, without the fields that the log itself sets (id, brandID, modelID, accumulated distance). */
export type EquipmentToSave = {
  readonly activityID?: number;
  readonly brandName?: string;
  readonly modelName?: string;
  readonly serial?: string;
  readonly gender?: string;
  readonly notes?: string;
  readonly ratings?: { readonly avgRating?: number };
  readonly purchaseDate?: LocalDate;
  readonly price?: number;
};

/** The units and the offset to save. `utcOffset` is in hours. */
export type PreferenceToSave = {
  readonly utcOffset?: number;
  readonly distanceUnit?: string;
  readonly weightUnit?: string;
  readonly temperatureUnit?: string;
};

/** One page of a listing. */
export type Page<T> = {
  readonly entries: readonly T[];
  /** "Total number", over all pages; undefined if the service doesn't say. */
  readonly numEntries?: number;
  /** The evidence that a cache gave the page, and not the service. */
  readonly cachedBy?: string;
};
