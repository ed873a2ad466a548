import type { Rehearsal } from "./rehearsal.ts";

/** The workouts of a log, each as its start and kilometres: `08:00 10`. */
export async function startsInLog(rehearsal: Rehearsal): Promise<string[]> {
  const found: string[] = [];
  for (const { id } of await rehearsal.listed("/rest/logs/me/workouts")) {
    const { workout } = (await rehearsal.get(`/rest/logs/me/workouts/${id}`)) as {
      workout: { timeOfDay?: string; details: { distance: { value: number } } };
    };
    found.push(`${workout.timeOfDay?.slice(0, 5) ?? "-"} ${workout.details.distance.value}`);
  }
  return found.toSorted();
}
