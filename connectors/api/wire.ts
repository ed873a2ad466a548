/**
 * The resources as requests and answers hold them. A saved resource differs from a read one, so each has two types. `...ToSave` is exactly
 * the document's form. `...Read` holds the answers seen from servers of this kind, in a regular form.
 */
import type { LocalDate, LocalTime } from "../../transforms/calendar.ts";

/** `{unit, value}`. When read, a known spelling becomes the unit of the table. An unknown spelling stays the server's own text. */
export type WireMeasure = { readonly unit: string; readonly value: number };

/** Flags as the document writes them: `{asphalt: true, gravel: false}`. */
export type WireFlags = Readonly<Record<string, boolean>>;

/** A reference to another record in the log. */
export type IdOnly = { readonly id: string };
export type IdAndName = { readonly id: string; readonly name?: string };

/**
 * Members beyond the document, and members that could not be read as their type: dotted path to the value as received. They are kept so
 * that no data is lost on the way through, and never sent back.
 */
export type Extra = Readonly<Record<string, unknown>>;

/** Numbers and texts of a workout that are the same when read and when saved. */
type WorkoutMeasured = {
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
};

/** One interval. `type` is the log's word: interval, rest and recovery were seen. */
export type WireInterval = { readonly distance?: WireMeasure; readonly duration?: number; readonly type?: string };

export type WireIntervalSet = {
  readonly id?: string;
  readonly name?: string;
  readonly intervals?: readonly WireInterval[];
};

/** A workout to save. It has no id and no display names, because the service ignores them. */
export type WorkoutToSave = WorkoutMeasured & {
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

/** A workout as the log gives it. A listing gives only a summary. Get the workout for all its fields. */
export type WorkoutRead = WorkoutMeasured & {
  readonly id?: string;
  readonly activityID?: number;
  readonly activityName?: string;
  readonly workoutID?: number;
  readonly workoutName?: string;
  readonly date?: LocalDate;
  /** Listings call it `time`, get calls it `timeOfDay`. Here it always has this name. */
  readonly timeOfDay?: LocalTime;
  readonly notes?: string;
  readonly course?: IdAndName;
  /** The document's get gives one piece. If an answer has several, all are kept. */
  readonly equipment?: readonly IdAndName[];
  readonly intervalSet?: WireIntervalSet;
  readonly weather?: {
    readonly conditions?: readonly string[];
    /** Flags that the service explicitly gave as false. */
    readonly falseConditions?: readonly string[];
    readonly temperature?: WireMeasure;
  };
  readonly extra?: Extra;
};

export type CourseToSave = {
  readonly name: string;
  readonly notes?: string;
  readonly distance?: WireMeasure;
  readonly surfaces?: WireFlags;
};

export type CourseRead = {
  readonly id?: string;
  readonly name?: string;
  readonly notes?: string;
  readonly distance?: WireMeasure;
  readonly surfaces?: readonly string[];
  /** Flags that the service explicitly gave as false. */
  readonly falseSurfaces?: readonly string[];
  readonly extra?: Extra;
};

type EquipmentCommon = {
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

/** Equipment to save, without the fields that the log itself sets (id, brandID, modelID, accumulated distance). */
export type EquipmentToSave = EquipmentCommon;

export type EquipmentRead = EquipmentCommon & {
  readonly id?: string;
  readonly brandID?: string;
  readonly modelID?: string;
  /** Accumulated distance: the log's own sum. */
  readonly distance?: WireMeasure;
  readonly extra?: Extra;
};

export type PreferenceToSave = {
  readonly utcOffset?: number;
  readonly distanceUnit?: string;
  readonly weightUnit?: string;
  readonly temperatureUnit?: string;
};

export type PreferenceRead = PreferenceToSave & { readonly extra?: Extra };

export type UserRead = {
  readonly screenName?: string;
  readonly person?: {
    readonly birthDate?: LocalDate;
    readonly email?: string;
    readonly givenName?: string;
    readonly familyName?: string;
    readonly gender?: string;
  };
  readonly preference?: PreferenceRead;
  readonly extra?: Extra;
};

export type TrainingPlanRead = {
  readonly id?: string;
  readonly name?: string;
  readonly beginDate?: LocalDate;
  readonly endDate?: LocalDate;
  readonly numWeeks?: number;
  /** Flags that are set: `commercial` or `private`. */
  readonly attributes?: readonly string[];
  /** Flags that the service explicitly gave as false. */
  readonly falseAttributes?: readonly string[];
  readonly extra?: Extra;
};

/** One page of a listing. */
export type Page<T> = {
  readonly entries: readonly T[];
  /** "Total number", over all pages; undefined if the service doesn't say. */
  readonly numEntries?: number;
  /** The evidence that a cache gave the page, and not the service. */
  readonly cachedBy?: string;
};
