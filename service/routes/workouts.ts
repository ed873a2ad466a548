/** Workouts: save, get, and the listing, which is known from clients. */
import Type from "typebox";
import { DATE_MODES, FIELD_CODES, FIRST_DAY_OF_WEEK, MAX_FILTERS, WORKOUT_FILTERS } from "../gaps.ts";
import { takes } from "../http/body.ts";
import { success } from "../http/envelope.ts";
import { text, word } from "../http/parameters.ts";
import { quoted, Refusal } from "../http/refusals.ts";
import { refuseUnknownActivity } from "../model/activities.ts";
import { isDate, isTime } from "../model/calendar.ts";
import {
  type FieldCode,
  needRecord,
  ShownSum,
  ShownSummary,
  ShownWorkout,
  shownSum,
  shownWorkout,
  summariesWith,
  sumsOf,
  toWorkout,
  type Workout,
  WorkoutBody,
} from "../model/workout.ts";
import { answers, BODY_REFUSALS, envelope, listing, OF_ID, SAVED, SLICE, UNDOCUMENTED } from "../openapi/operation.ts";
import type { LogStore } from "../store/log-store.ts";
import type { WorkoutFilter } from "../store/store.ts";
import { activitiesFor, missing, sliceOf } from "./common.ts";
import type { Routes } from "./route.ts";

/** Get, save new, save existing, list. */
export const workoutRoutes: Routes = (app, store) => {
  app.get(
    "/rest/logs/me/workouts/:id",
    {
      schema: {
        operationId: "getWorkout",
        summary: "Get workout",
        params: OF_ID,
        response: answers(envelope({ workout: ShownWorkout }), ["not-found"]),
      },
    },
    async ({ caller, params }) => {
      const found = await store.workout(caller.userId, params.id);
      if (found === undefined) throw missing("workout");
      return success({ workout: shownWorkout(found, await activitiesFor(store, caller.userId, [found.workout])) });
    },
  );

  app.post(
    "/rest/logs/me/workouts",
    {
      ...takes("json"),
      schema: {
        operationId: "saveNewWorkout",
        summary: "Save new workout",
        body: WorkoutBody,
        response: answers(SAVED, [...BODY_REFUSALS, "bad-field", "unknown-reference"]),
      },
    },
    async ({ caller, body }) => {
      const workout = toWorkout(body);
      await refuseDangling(store, caller.userId, workout);
      return success({ id: await store.addWorkout(caller.userId, workout) });
    },
  );

  app.put(
    "/rest/logs/me/workouts/:id",
    {
      ...takes("json"),
      schema: {
        operationId: "saveExistingWorkout",
        summary: "Save existing workout",
        description: "Replaces the workout; the file it was imported from stays.",
        params: OF_ID,
        body: WorkoutBody,
        response: answers(SAVED, [...BODY_REFUSALS, "bad-field", "unknown-reference", "not-found"]),
      },
    },
    async ({ caller, body, params: { id } }) => {
      const workout = toWorkout(body);
      await refuseDangling(store, caller.userId, workout);
      if (!(await store.replaceWorkout(caller.userId, id, workout))) throw missing("workout");
      return success({ id });
    },
  );

  app.get(
    "/rest/logs/me/workouts",
    {
      schema: {
        operationId: "listWorkouts",
        summary: "List workouts",
        description: `${UNDOCUMENTED} Newest first.`,
        "x-undocumented": true,
        querystring: LISTING_PARAMETERS,
        response: answers(listing(Type.Union([ShownSummary, ShownSum]))),
      },
    },
    async ({ caller: { userId }, query }) => {
      const slice = sliceOf(query);
      const filters = filtersOf(query.filters);
      const codes = codesOf(query.fields);
      if (query.dateMode !== undefined) {
        if (codes !== undefined) throw new Refusal("bad-parameter", "fields: a sum has no fields to choose from");
        const sums = sumsOf(await store.days(userId, filters), query.dateMode);
        const page = sums.slice(slice.offset, slice.offset + slice.limit);
        return success({ entries: page.map(shownSum), numEntries: sums.length });
      }
      const { entries, total } = await store.workouts(userId, slice, filters, codes !== undefined && needRecord(codes));
      const activities = await activitiesFor(store, userId, entries);
      return success({ entries: entries.map(summariesWith(activities, codes)), numEntries: total });
    },
  );
};

const LISTING_PARAMETERS = Type.Object({
  ...SLICE,
  filters: text({
    description: `${UNDOCUMENTED} A JSON array of at most ${MAX_FILTERS} triplets: a field (${WORKOUT_FILTERS.join(", ")}), an operator (eq, ge, le, gt, lt) and a value; a workout is listed when it passes all.`,
    examples: ['[["date","ge","2012-01-01"],["activityID","eq",10]]'],
    "x-undocumented": true,
  }),
  fields: text({
    description: `${UNDOCUMENTED} Which members entries have besides the id, as codes between commas: ${Object.entries(
      FIELD_CODES,
    )
      .map(([code, paths]) => `${code} ${paths.join(" and ")}`)
      .join(", ")}.`,
    examples: ["12,20,21"],
    "x-undocumented": true,
  }),
  dateMode: word(DATE_MODES, {
    description: `${UNDOCUMENTED} Lists sums instead of workouts, one for each period that has a workout; a week begins on ${FIRST_DAY_OF_WEEK}.`,
    "x-undocumented": true,
  }),
});

/**
 * See `DANGLING_IDS_ARE_REFUSED`.
 *
 * @throws Refusal `unknown-reference` naming the field and the id that points at nothing of the user's
 */
async function refuseDangling(store: LogStore, userId: string, workout: Workout): Promise<void> {
  const { activityID, workoutID, course, equipment } = workout;
  refuseUnknownActivity(await activitiesFor(store, userId, [workout]), activityID, workoutID);
  if (course !== undefined && !(await store.has("courses", userId, course))) {
    throw new Refusal("unknown-reference", `course.id: this user has no course ${quoted(course)}`);
  }
  if (equipment !== undefined && !(await store.has("equipment", userId, equipment))) {
    throw new Refusal("unknown-reference", `equipment[0].id: this user has no equipment ${quoted(equipment)}`);
  }
}

/** The allowed values of each field. */
const FILTER_VALUES: Record<WorkoutFilter["field"], (value: unknown) => boolean> = {
  date: (value) => typeof value === "string" && isDate(value),
  time: (value) => typeof value === "string" && isTime(value),
  activityID: Number.isInteger,
  workoutID: Number.isInteger,
  duration: Number.isFinite,
};

const OPERATORS: readonly WorkoutFilter["operator"][] = ["eq", "ge", "le", "gt", "lt"];

/**
 * The `filters` parameter: `[["date","ge","2012-01-01"],["activityID","eq",10]]`. A skipped filter would list too much, so a bad one is
 * refused.
 * @throws Refusal `bad-parameter` naming the triplet to blame
 */
function filtersOf(given: string | undefined): readonly WorkoutFilter[] {
  if (given === undefined) return [];
  let triplets: unknown;
  try {
    triplets = JSON.parse(given);
  } catch {
    throw new Refusal("bad-parameter", "filters: is not JSON");
  }
  if (!Array.isArray(triplets) || triplets.length > MAX_FILTERS) {
    throw new Refusal("bad-parameter", `filters: must be an array of at most ${MAX_FILTERS} triplets`);
  }
  return triplets.map(filterOf);
}

function filterOf(triplet: unknown, index: number): WorkoutFilter {
  const [field, operator, value] = Array.isArray(triplet) && triplet.length === 3 ? triplet : [];
  if (!WORKOUT_FILTERS.includes(field)) {
    throw new Refusal("bad-parameter", `filters[${index}]: must begin with one of ${WORKOUT_FILTERS.join(", ")}`);
  }
  if (!OPERATORS.includes(operator)) {
    throw new Refusal("bad-parameter", `filters[${index}]: the operator must be one of ${OPERATORS.join(", ")}`);
  }
  if (!FILTER_VALUES[field as WorkoutFilter["field"]](value)) {
    throw new Refusal("bad-parameter", `filters[${index}]: the value is not a value of ${field}`);
  }
  return { field, operator, value };
}

/**
 * The `fields` parameter: `12,20,21`. An entry without a requested field would look empty, so an unknown code is refused.
 * @throws Refusal `bad-parameter` for an unknown code
 */
function codesOf(given: string | undefined): readonly FieldCode[] | undefined {
  return given?.split(",").map((code) => {
    if (!Object.hasOwn(FIELD_CODES, code)) {
      throw new Refusal(
        "bad-parameter",
        `fields: must be codes between commas, of ${Object.keys(FIELD_CODES).join(", ")}`,
      );
    }
    return Number(code) as FieldCode;
  });
}
