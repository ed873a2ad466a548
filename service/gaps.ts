/**
 * Where the interface document is silent, the service had to decide. Each gap has one constant here, with the gap quoted beside it. The
 * rest of the code uses the constant by name. "Known" says how sure the answer is: H several independent sources, M one working client or
 * a clear inference, L seen once. Where nothing is known, the sentence gives the reason for our choice.
 */

/**
 * "Which fields are required in save bodies: not shown." A workout's are known H, a course's name H. For equipment nothing is known.
 * Every piece needs an activity, because the listing finds it by one (`activityName`). A preference needs nothing, see `PUT_REPLACES`.
 */
export const REQUIRED = {
  workout: ["activityID", "date"],
  course: ["name"],
  equipment: ["activityID"],
  preference: [],
} as const;

/**
 * "Display-only names [...] are ignored when included in a save body" lists the ignored members. The document says nothing about any
 * other member. The service refuses unknown members by name, because a misspelt field would be lost without notice. `timeOfDay` is one of
 * them: if a save ignored it, the time of day would be lost without notice.
 */
export const UNKNOWN_MEMBERS_ARE_REFUSED = true;

/** "Save operations use POST to create and PUT with the id [...] to update": merge or replace is unknown. PUT replaces the record. */
export const PUT_REPLACES = true;

/** "Unit of duration values: not shown." Known H: decimal seconds (3277, 2112.99). */
export const DURATION_UNIT = "seconds";

/**
 * "Measure units seen": mi, km, m; lb; F. Kilogram and Celsius are known from other channels of such a service (H). The service refuses
 * all other units, because the pages couldn't add them up.
 */
export const UNITS = {
  distance: ["mi", "km", "m"],
  weight: ["lb", "kg"],
  temperature: ["F", "C"],
} as const;

/**
 * "Allowed values and ranges for ratings, heart rates, [...] gender, interval types and weather flags beyond those
 * listed: not shown." Wide enough for any living athlete, narrow enough to catch a shifted column. 0 is a value.
 */
export const RANGES = {
  heartRate: { minimum: 0, maximum: 300 },
  rating: { minimum: 0, maximum: 10 },
  count: { minimum: 0, maximum: 2 ** 31 - 1 },
} as const;

/**
 * The ranges of measures, durations and prices are not shown. These bounds lie far beyond any athlete, in every unit. They have a
 * maximum, so that the sums of a log are always numbers.
 */
export const BOUNDS = {
  distance: { minimum: 0, maximum: 1e9 },
  seconds: { minimum: 0, maximum: 1e9 },
  weight: { minimum: 0, maximum: 10_000 },
  temperature: { minimum: -1000, maximum: 1000 },
  price: { minimum: 0, maximum: 1e9 },
} as const;

/** The same gap: weather and surface flags are an open set (`partlyCloudy` is met in the wild), so any plain word is a flag. */
export const FLAG_NAME = "^[A-Za-z][A-Za-z0-9_-]{0,63}$";

/** `utcOffset`: "Offset from UTC, with fraction." Hours, fixed, without daylight saving (known H). The range is that of the world's time zones. */
export const UTC_OFFSET_HOURS = { minimum: -12, maximum: 14 } as const;

/** A preference without `utcOffset` (never set, or replaced without it) counts as UTC when a file is imported. */
export const DEFAULT_UTC_OFFSET_HOURS = 0;

/**
 * "Allowed values [...] for [...] activityID: not shown." Run and Swim known H, Bike and Weight L. `workoutID` is "Number of the
 * workout", numbered per activity: Run 1 Easy, 3 Interval, 4 Long, 6 Race known M. We chose the numbers between, and those of Bike and
 * Swim (the names are known H).
 */
export const BUILT_IN_ACTIVITIES = [
  { id: 10, name: "Run", types: ["Easy", "Fartlek", "Interval", "Long", "Hill", "Race", "Tempo"] },
  { id: 11, name: "Bike", types: ["Easy", "Fartlek", "Interval", "Long", "Hill", "Race", "Tempo"] },
  {
    id: 12,
    name: "Swim",
    types: ["Back Stroke", "Breast Stroke", "Butterfly", "Free Style", "Side Stroke", "Mixed"],
  },
  { id: 13, name: "Weight", types: [] },
] as const;

/** "Users add their own" activities (known H). The first number for them is not shown. 100 is well clear of the built-in activities. */
export const FIRST_CUSTOM_ACTIVITY_ID = 100;

/**
 * An id may point at a record that the user doesn't have (activity, workout type, course, equipment). The service refuses it, naming the
 * field and the id.
 */
export const DANGLING_IDS_ARE_REFUSED = true;

/** "Returned by get and list": the source of brandID and modelID is not shown. Both are derived from the name, so equal names share one id. */
export const BRAND_AND_MODEL_IDS = "SHA-256 of the name, 32 hexadecimal digits";

/** `distance` of equipment, "Returned by get and list (accumulated distance)": its unit is not shown. Totals in metres are known H. */
export const ACCUMULATED_DISTANCE_UNIT = "m";

/** `intervalSet.id`: its source is not shown. It is kept as saved, like any other field of the set. */
export const INTERVAL_SET_ID_IS_KEPT = true;

/**
 * "Listing workouts and listing courses are referred to, but their paths, parameters and responses are not shown." Known H: they work
 * like the equipment listing. "Behaviour when `limit` is outside 1 to 100: not shown." It is refused: a clamped limit makes a client skip
 * records.
 */
export const LISTING = { minimum: 1, maximum: 100, default: 50 } as const;

/** The service ignores parameters that it doesn't know: a client filters again on its own side (known H). */
export const UNKNOWN_PARAMETERS_ARE_IGNORED = true;

/** The form of `filters` is known H. Its fields are not shown. */
export const WORKOUT_FILTERS = ["date", "time", "activityID", "workoutID", "duration"] as const;

/** The most triplets in one listing. Nothing is known. */
export const MAX_FILTERS = 20;

/**
 * `fields` of the workout listing, "comma-separated codes" (known H): the members of an entry that each code stands for. The id is always
 * included. Codes 60 to 64 are "race placement", but the meaning of each is not shown. So they follow the document's order, both ages as
 * one.
 */
export const FIELD_CODES = {
  10: ["activityID", "activityName"],
  11: ["workoutID", "workoutName"],
  12: ["date"],
  13: ["time"],
  20: ["details.distance"],
  21: ["details.duration"],
  22: ["course"],
  23: ["equipment"],
  25: ["notes"],
  60: ["raceStats.fieldPlacement"],
  61: ["raceStats.fieldSize"],
  62: ["raceStats.groupMaxAge", "raceStats.groupMinAge"],
  63: ["raceStats.groupPlacement"],
  64: ["raceStats.groupSize"],
} as const;

/**
 * `dateMode=day|week|month|year` "sums (H)". The form of a sum is not shown. The listing has one entry for each period that has a
 * workout, the newest first. Each entry is named by the period's first day, with the number of workouts, the distance in metres and the
 * seconds. Filters apply before the sums. `limit`, `offset` and `numEntries` count periods.
 */
export const DATE_MODES = ["day", "week", "month", "year"] as const;

/** The first day of a week in `dateMode` is not shown. Monday, as in ISO 8601. */
export const FIRST_DAY_OF_WEEK = "Monday";

/**
 * `GET /rest/logs/me/activity_types` "exists on one service (M, shape unknown)". It answers like the other listings: activities by their
 * `activityID`, each with its workout types by `workoutID`.
 */
export const ACTIVITY_TYPES_PATH = "/rest/logs/me/activity_types";

/** Courses take `sortBy` 0 last used, 1 name, 2 distance (known H). The default is not shown. */
export const COURSE_ORDER = { lastUsed: 0, name: 1, distance: 2, default: 0 } as const;

/** Entries of the workout listing "are summaries" (known H). Their fields are not shown. Entries of courses and equipment have all fields. */
export const WORKOUT_SUMMARY = [
  "id",
  "activityID",
  "activityName",
  "workoutID",
  "workoutName",
  "date",
  "time",
  "course",
  "equipment",
  "details",
] as const;

/** An import "shifts a file's UTC times by the fixed utcOffset" (known M), so half of a year is an hour off. */
export const IMPORT_SHIFTS_BY_UTC_OFFSET = true;

/** The activity of an import with an unknown sport (FIT generic, GPX without a type) is not shown. Run, as in a running log. */
export const ACTIVITY_OF_AN_UNKNOWN_SPORT = 10;

/** The unit of an imported distance is not shown. The file's metres are kept: converting here would round twice. */
export const IMPORTED_DISTANCE_UNIT = "m";

/**
 * The precision of an imported total is not shown. Totals are kept in steps of a centimetre and a millisecond, as FIT counts both.
 * Anything finer is noise from adding up positions and laps.
 */
export const IMPORTED_STEPS = { metres: 100, seconds: 1000 } as const;

/**
 * A file can hold several recordings, one of them without a date, so that it can't be a workout. The service refuses the whole file. So
 * the ids always match the recordings.
 */
export const IMPORT_IS_ALL_OR_NOTHING = true;

/** "GPX versions 1.0 and 1.1 are accepted" for a course map. The answer to another version is not shown. Refused. */
export const GPX_VERSIONS = ["1.0", "1.1"] as const;

/** A second map of one course: replace or refuse is not shown. It replaces the first. */
export const A_NEW_MAP_REPLACES = true;

/** "Rate limits and maximum request size: not shown." A compressed body may unpack to the same size at most. */
export const MAX_BODY_BYTES = { json: 2 ** 20, file: 64 * 2 ** 20 } as const;

/**
 * The same gap: the most that a JSON body of that size may hold. `values` counts the entries of all its objects and arrays together.
 * `members` counts those of one object. `depth` counts objects and arrays within one another. The largest workout that fits
 * (`MOST_INTERVALS`) has 60,000 values, 17 members and a depth of 5.
 */
export const MOST_IN_A_BODY = { values: 70_000, members: 200, depth: 64 } as const;

/** The same gap: the most intervals of a workout. Six days on a track of 400 m are some 2,500 rounds. */
export const MOST_INTERVALS = 10_000;

/**
 * The same gap: the most characters in a text of a record. `text` is any text but notes. Each name is in every entry of a listing, so a
 * page repeats it up to a hundred times.
 */
export const LONGEST = { text: 500, notes: 65_536 } as const;

/** The same gap: the most flags of the weather or of a course. */
export const MOST_FLAGS = 100;

/** "The user must have granted access to private information" for the profile. The answer without this grant is not shown. */
export const PROFILE_WITHOUT_GRANT_STATUS = 403;

/**
 * "How retired equipment is marked: not shown." No field marks it. The operator retires equipment, and only the listing's `showRetired`
 * shows the result.
 */
export const RETIRED_HAS_NO_FIELD = true;

/** "Scopes: not shown." There are none. A request that names one is refused with `invalid_scope`, so that it isn't granted something else. */
export const SCOPES: readonly string[] = [];

/**
 * "An `http://localhost` address with a port" must "exactly match a registered value". An application can't know in advance which port
 * will be free, so it may register the address without one.
 */
export const LOCALHOST_PORT_IS_OPEN = true;

/** `state` is an "optional string". Its greatest length is not shown. A longer state is refused, and not given back. */
export const MAX_STATE_BYTES = 2048;

/**
 * "HTTP status codes for any endpoint: not shown." An error on the page of `urn:ietf:wg:oauth:2.0:oob` is an answer that arrived, just
 * like a redirect.
 */
export const OOB_ERROR_STATUS = 200;

/** The same gap for an error of the token endpoint: the status of RFC 6749 section 5.2. */
export const TOKEN_ERROR_STATUS = 400;

/** "The mechanism by which a user revokes a token: not shown." A page lists the grants, each with a button. Revoking takes effect at once. */
export const REVOCATION_IS_AT = "/connected";

/** A preference may leave out a unit ("which fields are required [...]: not shown"). Then the pages show the unit that appears in the document. */
export const DISPLAY_UNITS = { distance: "mi", weight: "lb", temperature: "F" } as const;
