/**
 * Our assumptions about the gaps of the interface document. Each gap has one constant, with the document quoted beside it, and all code
 * uses that name. If an assumption proves wrong, one line changes. "Known" says how sure it is: H several independent sources, M one
 * working client or a clear inference, L seen once.
 */
import type { Activity, WorkoutType } from "./activities.ts";
import type { UnitOf } from "./units.ts";

/** "Unit of duration values: not shown." Known H: decimal seconds (3277, 2112.99). */
export const DURATION_UNIT = "seconds";

/**
 * "Allowed values [...] for [...] activityID: not shown." Run and Swim known H, Bike and Weight L. A log's owner creates the other
 * activities: their numbers come from the config file, and a record without a number is rejected.
 */
export const ACTIVITY_IDS: Partial<Record<Activity, number>> = { run: 10, bike: 11, swim: 12, weight: 13 };

/** `workoutID` "Number of the workout" is numbered per activity. Known M: Run 1 Easy, 3 Interval, 4 Long, 6 Race. */
export const WORKOUT_IDS: Partial<Record<Activity, Partial<Record<WorkoutType, number>>>> = {
  run: { easy: 1, interval: 3, long: 4, race: 6 },
};

/** "Allowed values and ranges for ratings [...]: not shown." Small integers are seen (5, 7, 8, 9): 1 to 10. */
export const RATING_RANGE = { min: 1, max: 10 } as const;

/** "Listing workouts and listing courses are referred to, but their paths, parameters and responses are not shown." Known H: like equipment. */
export const LISTING_LIMIT = 100;

/**
 * "Listing workouts [...]: [...] parameters [...] are not shown." Known H: `fields` takes codes between commas: 10 activity, 11 workout
 * type, 12 date, 13 time, 20 distance, 21 duration, 22 course, 23 equipment, 25 notes, 60 to 64 race placement. "Off unless the server
 * shows" it.
 */
export const WORKOUT_FIELDS = "10,11,12,13,20,21,22,23,25,60,61,62,63,64";

/**
 * Courses take `sortBy` 0 last used, 1 name, 2 distance (known H). Sorted by name, the pages don't shift while logferry writes workouts.
 */
export const COURSES_BY_NAME = "1";

/**
 * "Measure units seen: mi, km, m; lb; F". Other channels of the same service write the units as words, and `unitSpelt` reads those.
 * logferry only ever writes these short units.
 */
export const UNITS_TO_WRITE = {
  distance: ["mi", "km", "m"] satisfies readonly UnitOf<"distance">[],
  weight: ["lb", "kg"] satisfies readonly UnitOf<"weight">[],
  temperature: ["F", "C"] satisfies readonly UnitOf<"temperature">[],
} as const;

/**
 * "Rate limits and maximum request size: not shown." logferry begins with this pace, which is polite to a hobby-scale server. While the service
 * refuses no request, logferry adds a tenth each minute, up to `MOST_REQUESTS_PER_SECOND`.
 */
export const REQUESTS_PER_SECOND = 10;

/** The fastest pace, in requests a second. The same gap. */
export const MOST_REQUESTS_PER_SECOND = 20;

/** The most requests that wait for their answers at the same time. The same gap. */
export const REQUESTS_IN_FLIGHT = 4;

/**
 * The time after a lost answer in which a server may still carry out the request. After that time, a listing is right. The true time is
 * unknown. A server that works through a queue for longer can double a workout, and `verify` then reports it.
 */
export const SETTLE_MS = 60_000;

/**
 * An import "shifts a file's UTC times by the fixed utcOffset" (known M). So the start of a record that a lost import made may be off by up to this
 * many hours. Offsets are whole quarter hours, so the difference is, too.
 */
export const IMPORT_SHIFT_HOURS = 26;

/** Services send numbers with float noise: 4.1299999 for 4.13 (known H). Two numbers are equal if they differ by no more than this share of them. */
export const WIRE_NOISE = 1e-6;

/**
 * "Listing workouts and listing courses are referred to, but their paths, parameters and responses are not shown." Known H:
 * both mirror the equipment listing. A server that answers them with 404 or 405 has no such listing.
 */
export const LISTING_PATHS = { workouts: "/rest/logs/me/workouts", courses: "/rest/logs/me/courses" } as const;

/**
 * "Allowed values [...] for [...] activityID: not shown." `GET /rest/logs/me/activity_types` "exists on one service (M, shape unknown)".
 * logferry reads it as another listing, and manages without it if the service has no such listing.
 */
export const ACTIVITY_TYPES_PATH = "/rest/logs/me/activity_types";

/**
 * "Listing workouts [...]: [...] parameters [...] are not shown." Known H for the form of `filters`: triplets of field, operator and value.
 * No workout is older than this day. So the answer shows whether the service applies the parameter.
 */
export const FILTERS_NOTHING_PASSES = [["date", "lt", "1900-01-01"]] as const;

/**
 * "The envelope of responses to the save and import operations: not shown." Known H: under `data`. logferry also reads other spellings that
 * services really send, in this order.
 */
export const ID_PLACES = {
  one: ["data.id", "id"],
  many: ["data.ids", "ids", "data.workoutIds", "workoutIds"],
} as const;

/**
 * "Non-zero values of `code` and the shape of error responses from data endpoints: not shown." The places that may hold the text of an
 * error.
 */
export const ERROR_TEXT_PLACES = [
  "message",
  "error",
  "error_description",
  "description",
  "data.message",
  "data.error",
] as const;

/** "Body: file content": the document doesn't show the type of a device file or a map. */
export const FILE_CONTENT_TYPE = "application/octet-stream";

/** "Object ids are opaque, case-sensitive strings" of 32 or 22 characters (known H). A longer text than this is not an id. */
export const LONGEST_ID = 64;

/**
 * Preference units: "Value seen: mi", "Value seen: lb", "Value seen: F". logferry assumes these for a preference that has no unit, or an
 * unknown one.
 */
export const UNITS_SEEN = { distance: "mi", weight: "lb", temperature: "F" } as const;
