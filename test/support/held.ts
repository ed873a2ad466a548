/** The full content of a log, as its store has it and without ids. Two logs that went through the same are compared by it. */
import type { Rehearsal } from "./rehearsal.ts";

/** Each record as JSON, sorted. */
export interface Held {
  readonly workouts: readonly string[];
  readonly equipment: readonly string[];
  readonly courses: readonly string[];
}

const ALL = { limit: 1_000_000, offset: 0 } as const;

/** Reads it. References are by name. Of tracks and maps it holds only whether there is one. */
export async function heldFully({ service, userId }: Pick<Rehearsal, "service" | "userId">): Promise<Held> {
  const { store } = service;
  const workouts: string[] = [];
  for (const { id } of (await store.workouts(userId, ALL, [])).entries) {
    const found = await store.workout(userId, id);
    const track = await store.track(userId, id);
    const { course: _course, equipment: _equipment, ...workout } = (found?.workout ?? {}) as Record<string, unknown>;
    const names = { course: found?.course?.name, equipment: found?.equipment?.name, recording: track?.recording };
    workouts.push(JSON.stringify(sorted({ ...workout, ...names, intervalSet: withoutId(workout.intervalSet) })));
  }
  const equipment = await store.equipments(userId, ALL, { activityID: undefined, showRetired: true });
  const courses: string[] = [];
  for (const { id, ...course } of (await store.courses(userId, ALL, "name")).entries) {
    courses.push(JSON.stringify({ ...course, hasMap: (await store.courseMap(userId, id)) !== undefined }));
  }
  return {
    workouts: workouts.toSorted(),
    equipment: equipment.entries.map(({ id: _id, ...rest }) => JSON.stringify(rest)).toSorted(),
    courses: courses.toSorted(),
  };
}

/** The log numbers the sets of intervals itself. */
function withoutId(set: unknown): unknown {
  if (typeof set !== "object" || set === null) return set;
  const { id: _id, ...rest } = set as Record<string, unknown>;
  return rest;
}

/** Members in the order of their names, at every depth. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  );
}
