/**
 * Where the interface document is silent and the service had to decide. One constant a gap, the gap quoted beside it,
 * used by this name wherever it matters. "Known" says how sure the answer is: H several independent sources, M one
 * working client or a clear inference, L seen once. Where nothing is known the sentence says why we chose so.
 */

/**
 * "Which fields are required in save bodies: not shown." A workout's are known H, a course's name H. For equipment
 * nothing is known: an activity is what every piece needs to be found by (`activityName` of the listing).
 * A preference needs nothing, see `PUT_REPLACES`.
 */
export const REQUIRED = {
  workout: ["activityID", "date"],
  course: ["name"],
  equipment: ["activityID"],
  preference: [],
} as const;

/**
 * "Display-only names [...] are ignored when included in a save body" lists what is ignored; of any other member the
 * document says nothing. Unknown ones are refused by name, because a misspelt field that vanishes is a loss nobody sees.
 * `timeOfDay` is among them: a save that ignored it would lose the time of day without a word.
 */
export const UNKNOWN_MEMBERS_ARE_REFUSED = true;

/** "Save operations use POST to create and PUT with the id [...] to update": merge or replace is unknown. PUT replaces the record. */
export const PUT_REPLACES = true;

/** "Unit of duration values: not shown." Known H: decimal seconds (3277, 2112.99). */
export const DURATION_UNIT = "seconds";

/**
 * "Measure units seen": mi, km, m; lb; F. Kilogram and Celsius are known from other channels of such a service (H).
 * No others are taken: a unit the pages can't add up is better refused than stored.
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
 * Which values measures, durations and prices may have: not shown. Far beyond any athlete, in whatever unit; but with a most, so that
 * what a log adds up to is always a number.
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

/** `utcOffset`: "Offset from UTC, with fraction." Hours, fixed, without daylight saving (known H); the range is the earth's. */
export const UTC_OFFSET_HOURS = { minimum: -12, maximum: 14 } as const;

/** A preference without `utcOffset` (never set, or replaced without it) counts as UTC when a file is imported. */
export const DEFAULT_UTC_OFFSET_HOURS = 0;

/**
 * "Allowed values [...] for [...] activityID: not shown." Run and Swim known H, Bike and Weight L. `workoutID` is "Number
 * of the workout", numbered per activity: Run 1 Easy, 3 Interval, 4 Long, 6 Race known M; the numbers between, and those of
 * Bike and Swim, are ours (the names are known H).
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

/** "Users add their own" activities (known H); where their numbers begin is not shown. Well clear of the built-in ones. */
export const FIRST_CUSTOM_ACTIVITY_ID = 100;

/** Ids that point at nothing of the user's (activity, workout type, course, equipment): refused, naming the field and the id. */
export const DANGLING_IDS_ARE_REFUSED = true;

/** "Returned by get and list": where brandID and modelID come from is not shown. Derived from the name, so equal names share one. */
export const BRAND_AND_MODEL_IDS = "SHA-256 of the name, 32 hexadecimal digits";

/** `distance` of equipment, "Returned by get and list (accumulated distance)": its unit is not shown. Totals in metres are known H. */
export const ACCUMULATED_DISTANCE_UNIT = "m";

/** `intervalSet.id`: who gives it is not shown. Kept as saved, like any other field of the set. */
export const INTERVAL_SET_ID_IS_KEPT = true;

/** "Listing workouts and listing courses are referred to, but their paths, parameters and responses are not shown." Known H: as equipment. */
export const LISTING = { minimum: 1, maximum: 100, default: 50 } as const;

/** "Behaviour when `limit` is outside 1 to 100: not shown." Refused: a clamped limit makes a client skip records. */
export const LIMIT_OUTSIDE_IS_REFUSED = true;

/** Parameters nobody told us of are left alone: a client filters again on its own side (known H). */
export const UNKNOWN_PARAMETERS_ARE_IGNORED = true;

/** Known H for the form of `filters`; which fields it takes is not shown. */
export const WORKOUT_FILTERS = ["date", "time", "activityID", "workoutID", "duration"] as const;

/** How many triplets one listing takes; nothing is known. */
export const MAX_FILTERS = 20;

/**
 * `fields` of the workout listing, "comma-separated codes" (known H): which members of an entry each stands for. The id comes along
 * always. Codes 60 to 64 are "race placement"; which is which is not shown, so they follow the document's order, both ages as one.
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
 * `dateMode=day|week|month|year` "sums (H)"; what a sum looks like is not shown. One entry for each period that has a workout, the
 * newest first, named by its first day, with the number of workouts, the distance in metres and the seconds; filters apply
 * before, `limit` and `offset` count periods, and so does `numEntries`.
 */
export const DATE_MODES = ["day", "week", "month", "year"] as const;

/** On which day a week of `dateMode` begins is not shown. Monday, as ISO 8601 has it. */
export const FIRST_DAY_OF_WEEK = "Monday";

/**
 * `GET /rest/logs/me/activity_types` "exists on one service (M, shape unknown)". Answered like the other listings: activities by their
 * `activityID`, each with its workout types by `workoutID`.
 */
export const ACTIVITY_TYPES_PATH = "/rest/logs/me/activity_types";

/** Courses take `sortBy` 0 last used, 1 name, 2 distance (known H); which is the default is not shown. */
export const COURSE_ORDER = { lastUsed: 0, name: 1, distance: 2, default: 0 } as const;

/** Entries of the workout listing "are summaries" (known H); which fields they hold is not shown. Of courses and equipment: all. */
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

/** A sport no table knows (FIT generic, GPX without a type): which activity the import gives is not shown. Run, as a running log would. */
export const ACTIVITY_OF_AN_UNKNOWN_SPORT = 10;

/** The unit an imported distance is kept in is not shown. The file's metres: converting here would round twice. */
export const IMPORTED_DISTANCE_UNIT = "m";

/**
 * How finely an imported total is kept is not shown: in steps of a centimetre and a millisecond, as FIT counts both. What lies below is
 * the noise of adding up positions and laps.
 */
export const IMPORTED_STEPS = { metres: 100, seconds: 1000 } as const;

/** A file with several recordings of which one can't be a workout (no date): refused whole, so that ids never shift against recordings. */
export const IMPORT_IS_ALL_OR_NOTHING = true;

/** "GPX versions 1.0 and 1.1 are accepted" for a course map; what another version gets is not shown. Refused. */
export const GPX_VERSIONS = ["1.0", "1.1"] as const;

/** A second map of one course: replace or refuse is not shown. It replaces the first. */
export const A_NEW_MAP_REPLACES = true;

/** "Rate limits and maximum request size: not shown." Also the most a compressed body may unpack to. */
export const MAX_BODY_BYTES = { json: 2 ** 20, file: 64 * 2 ** 20 } as const;

/**
 * The same gap: how much a JSON body of that size may hold. `values` counts what stands in all its objects and arrays together,
 * `members` those of one object, `depth` objects and arrays within one another. The largest workout that fits (`MOST_INTERVALS`) has 60,000
 * values, 17 members and a depth of 5.
 */
export const MOST_IN_A_BODY = { values: 70_000, members: 200, depth: 64 } as const;

/** The same gap: how many intervals a workout takes. Six days on a track of 400 m are some 2,500 rounds. */
export const MOST_INTERVALS = 10_000;

/**
 * The same gap: how many characters a text of a record takes. `text` is any but notes: names stand in every entry of a listing, so
 * what one of them may have counts a hundred times in a page.
 */
export const LONGEST = { text: 500, notes: 65_536 } as const;

/** The same gap: how many flags the weather or a course takes. */
export const MOST_FLAGS = 100;

/** "The user must have granted access to private information" for the profile; what is answered otherwise is not shown. */
export const PROFILE_WITHOUT_GRANT_STATUS = 403;

/** "How retired equipment is marked: not shown." By no field: it is the operator's to set, and the listing's `showRetired` alone tells. */
export const RETIRED_HAS_NO_FIELD = true;

/** "Scopes: not shown." There are none, so a request that names one is refused with `invalid_scope` rather than granted something else. */
export const SCOPES: readonly string[] = [];

/**
 * "The user must have granted access to private information": how that is asked without scopes is not shown. By a box of its own on the
 * consent page, empty until the user ticks it; one grant of an application may have it and a later one not.
 */
export const PRIVATE_INFORMATION_IS_ASKED_FOR = true;

/** "An `http://localhost` address with a port" must "exactly match a registered value": an application can't know which port will be free, so it may register the address without one. */
export const LOCALHOST_PORT_IS_OPEN = true;

/** `state` is an "optional string", its longest not shown. Beyond this it is refused, and not given back. */
export const MAX_STATE_BYTES = 2048;

/** "HTTP status codes for any endpoint: not shown." An error on the page of `urn:ietf:wg:oauth:2.0:oob` is an answer that arrived, as a redirect would be. */
export const OOB_ERROR_STATUS = 200;

/** The same for an error of the token endpoint: as RFC 6749 section 5.2 has it. */
export const TOKEN_ERROR_STATUS = 400;

/** "Registration process: not shown." The operator registers applications (`operator.addApplication`). */
export const APPLICATIONS_ARE_REGISTERED_BY = "the operator";

/** "The mechanism by which a user revokes a token: not shown." A page lists what was granted, with a button each; it takes effect at once. */
export const REVOCATION_IS_AT = "/connected";

/** A preference that doesn't name a unit ("which fields are required [...]: not shown"): the pages show the units the document has seen. */
export const DISPLAY_UNITS = { distance: "mi", weight: "lb", temperature: "F" } as const;
