/** Workouts: save, get, and the listing as it is known from clients. */
import type { Routes } from "../app.ts";
import { takes } from "../body.ts";
import { isDate, isTime } from "../calendar.ts";
import { success } from "../envelope.ts";
import { MAX_FILTERS, WORKOUT_FILTERS } from "../gaps.ts";
import { activitiesOf, refuseUnknownActivity } from "../model/activities.ts";
import { shownSummary, shownWorkout, type Workout, WorkoutBody, workoutOf } from "../model/workout.ts";
import type { Query } from "../parameters.ts";
import { quoted, Refusal } from "../refusals.ts";
import type { Store, WorkoutFilter } from "../store/store.ts";
import { missing, type OfId, sliceOf } from "./common.ts";

/** Get, save new, save existing, list. */
export const workoutRoutes: Routes = (app, store) => {
  app.get<OfId>("/rest/logs/me/workouts/:id", async ({ caller, params }) => {
    const found = await store.workout(caller.userId, params.id);
    if (found === undefined) throw missing("workout");
    return success({ workout: shownWorkout(found, activitiesOf(await store.activities(caller.userId))) });
  });

  app.post("/rest/logs/me/workouts", { ...takes("json"), schema: { body: WorkoutBody } }, async ({ caller, body }) => {
    const workout = workoutOf(body);
    await refuseDangling(store, caller.userId, workout);
    return success({ id: await store.addWorkout(caller.userId, workout) });
  });

  app.put(
    "/rest/logs/me/workouts/:id",
    { ...takes("json"), schema: { body: WorkoutBody } },
    async ({ caller, body, params }) => {
      const { id } = params as OfId["Params"];
      const workout = workoutOf(body);
      await refuseDangling(store, caller.userId, workout);
      if (!(await store.replaceWorkout(caller.userId, id, workout))) throw missing("workout");
      return success({ id });
    },
  );

  app.get("/rest/logs/me/workouts", async ({ caller, query }) => {
    const slice = sliceOf(query as Query);
    const { entries, total } = await store.workouts(caller.userId, slice, filtersOf(query as Query));
    const activities = activitiesOf(await store.activities(caller.userId));
    return success({ entries: entries.map((entry) => shownSummary(entry, activities)), numEntries: total });
  });
};

/**
 * See `DANGLING_IDS_ARE_REFUSED`.
 *
 * @throws Refusal `unknown-reference` naming the field and the id that points at nothing of the user's
 */
async function refuseDangling(store: Store, userId: string, workout: Workout): Promise<void> {
  refuseUnknownActivity(activitiesOf(await store.activities(userId)), workout.activityID, workout.workoutID);
  const { course, equipment } = workout;
  if (course !== undefined && (await store.course(userId, course)) === undefined) {
    throw new Refusal("unknown-reference", `course.id: this user has no course ${quoted(course)}`);
  }
  if (equipment !== undefined && (await store.equipment(userId, equipment)) === undefined) {
    throw new Refusal("unknown-reference", `equipment[0].id: this user has no equipment ${quoted(equipment)}`);
  }
}

/** What a value of each field must be. */
const FILTER_VALUES: Record<WorkoutFilter["field"], (value: unknown) => boolean> = {
  date: (value) => typeof value === "string" && isDate(value),
  time: (value) => typeof value === "string" && isTime(value),
  activityID: Number.isInteger,
  workoutID: Number.isInteger,
  duration: Number.isFinite,
};

const OPERATORS: readonly WorkoutFilter["operator"][] = ["eq", "ge", "le", "gt", "lt"];

/**
 * The `filters` parameter: `[["date","ge","2012-01-01"],["activityID","eq",10]]`.
 *
 * @throws Refusal `bad-parameter` naming the triplet to blame; a filter that was skipped would list too much
 */
function filtersOf(query: Query): readonly WorkoutFilter[] {
  if (query.filters === undefined) return [];
  let triplets: unknown;
  try {
    triplets = JSON.parse(query.filters as string);
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
