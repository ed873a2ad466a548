/**
 * The resources as they travel. What is saved and what is got differ, so each has two types: `...ToSave` is exactly the
 * document's form; `...Read` is what any server of this kind was seen to answer, made regular.
 */
import type { LocalDate, LocalTime } from "../../transforms/calendar.ts";

/** `{unit, value}`. Read, the unit is one of the table's where a spelling is known, else the server's own text. */
export type WireMeasure = { readonly unit: string; readonly value: number };

/** Flags as the document writes them: `{asphalt: true, gravel: false}`. */
export type WireFlags = Readonly<Record<string, boolean>>;

/** A record somewhere else in the log. */
export type IdOnly = { readonly id: string };
export type IdAndName = { readonly id: string; readonly name?: string };

/**
 * What the service answered beyond the document, and what couldn't be read as what it should be: dotted path to the value as it
 * came. Kept so that nothing is lost on the way through; never sent back.
 */
export type Extra = Readonly<Record<string, unknown>>;

/** Whole numbers and texts of a workout that are the same both ways. */
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

/** One interval. `type` is the log's word: interval, rest or recovery are seen. */
export type WireInterval = { readonly distance?: WireMeasure; readonly duration?: number; readonly type?: string };

export type WireIntervalSet = {
  readonly id?: string;
  readonly name?: string;
  readonly intervals?: readonly WireInterval[];
};

/** A workout to save. Display-only names and the id are left out: the service ignores them. */
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

/** A workout as the log has it. From a listing it is a summary: get it to have it whole. */
export type WorkoutRead = WorkoutMeasured & {
  readonly id?: string;
  readonly activityID?: number;
  readonly activityName?: string;
  readonly workoutID?: number;
  readonly workoutName?: string;
  readonly date?: LocalDate;
  /** Listings say `time`, get says `timeOfDay`; here it is always this. */
  readonly timeOfDay?: LocalTime;
  readonly notes?: string;
  readonly course?: IdAndName;
  /** The document's get gives one; several are kept. */
  readonly equipment?: readonly IdAndName[];
  readonly intervalSet?: WireIntervalSet;
  readonly weather?: {
    readonly conditions?: readonly string[];
    /** Flags that are false and say so. */
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
  /** Flags that are false and say so. */
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

/** Equipment to save: without what the log gives itself (id, brandID, modelID, accumulated distance). */
export type EquipmentToSave = EquipmentCommon;

export type EquipmentRead = EquipmentCommon & {
  readonly id?: string;
  readonly brandID?: string;
  readonly modelID?: string;
  /** Accumulated: the log's own sum. */
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
  /** Flags that are false and say so. */
  readonly falseAttributes?: readonly string[];
  readonly extra?: Extra;
};

/** One page of a listing. */
export type Page<T> = {
  readonly entries: readonly T[];
  /** "Total number", over all pages; undefined where the service doesn't say. */
  readonly numEntries?: number;
  /** What shows that a cache gave the page, and not the service. */
  readonly cachedBy?: string;
};
