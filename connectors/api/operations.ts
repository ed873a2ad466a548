/**
 * The operations of the interface document as a table, in its order. Only this table says what a request looks like, and whether it may be
 * packed or sent twice.
 */
import { ACTIVITY_TYPES_PATH, LISTING_PATHS } from "../../transforms/assumptions.ts";

/** One operation. */
export interface Operation {
  readonly method: "GET" | "POST" | "PUT";
  /** The path below `{base_url}`. The request fills in `{id}` and `{type}`. */
  readonly path: string;
  /** For messages, after "Cannot": `save the workout`. */
  readonly action: string;
  /** "A body compressed with GZIP (course save, import, map save)": only where the document allows it. */
  readonly gzip: boolean;
  /** Whether sending it twice does no harm. True for GET and PUT. Never true for POST, which has no idempotency key. */
  readonly repeatable: boolean;
  /** True if the answer is a listing, which may be longer than a record. */
  readonly listing: boolean;
}

const PLAIN = { gzip: false, listing: false } as const;
const GET = { ...PLAIN, method: "GET", repeatable: true } as const;
const PUT = { ...PLAIN, method: "PUT", repeatable: true } as const;
const POST = { ...PLAIN, method: "POST", repeatable: false } as const;
const LIST = { ...GET, listing: true } as const;
const PACKED = { gzip: true } as const;

/** The 17 operations of the document. */
export const OPERATIONS = {
  exchangeAuthorizationToken: { ...POST, path: "/oauth2/token", action: "exchange the authorization token" },
  getUser: { ...GET, path: "/rest/users/me", action: "read the user" },
  getPreference: { ...GET, path: "/rest/users/me/preference", action: "read the preference" },
  savePreference: { ...PUT, path: "/rest/users/me/preference", action: "save the preference" },
  getWorkout: { ...GET, path: "/rest/logs/me/workouts/{id}", action: "read the workout" },
  saveNewWorkout: { ...POST, path: "/rest/logs/me/workouts", action: "save the workout" },
  saveExistingWorkout: { ...PUT, path: "/rest/logs/me/workouts/{id}", action: "save the workout" },
  importWorkouts: { ...POST, ...PACKED, path: "/rest/logs/me/workouts/{type}", action: "import the file" },
  getCourse: { ...GET, path: "/rest/logs/me/courses/{id}", action: "read the course" },
  saveNewCourse: { ...POST, ...PACKED, path: "/rest/logs/me/courses", action: "save the course" },
  saveExistingCourse: { ...PUT, ...PACKED, path: "/rest/logs/me/courses/{id}", action: "save the course" },
  saveCourseMap: { ...POST, ...PACKED, path: "/rest/logs/me/courses/{id}/{type}", action: "save the course's map" },
  getEquipment: { ...GET, path: "/rest/logs/me/equipment/{id}", action: "read the equipment" },
  saveNewEquipment: { ...POST, path: "/rest/logs/me/equipment", action: "save the equipment" },
  saveExistingEquipment: { ...PUT, path: "/rest/logs/me/equipment/{id}", action: "save the equipment" },
  listEquipment: { ...LIST, path: "/rest/logs/me/equipment", action: "list the equipment" },
  listTrainingPlans: { ...LIST, path: "/rest/logs/me/training_plans", action: "list the training plans" },
} as const satisfies Record<string, Operation>;

/** Two listings that the document mentions and doesn't show (see `LISTING_PATHS`), and one that it doesn't mention. */
export const ASSUMED_OPERATIONS = {
  listWorkouts: { ...LIST, path: LISTING_PATHS.workouts, action: "list the workouts" },
  listCourses: { ...LIST, path: LISTING_PATHS.courses, action: "list the courses" },
  listActivityTypes: { ...LIST, path: ACTIVITY_TYPES_PATH, action: "list the activity types" },
} as const satisfies Record<string, Operation>;
