/** Workouts that somebody types into a log by another program. */
import type { Rehearsal } from "./rehearsal.ts";

/** Types a workout into the log of a rehearsal. @returns its id */
export async function typeWorkout(
  { service, token }: Pick<Rehearsal, "service" | "token">,
  workout: Record<string, unknown>,
): Promise<string> {
  const answer = await fetch(`${service.url}/rest/logs/me/workouts?access_token=${token}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(workout),
  });
  const { code, data } = (await answer.json()) as { code: number; data: { id: string } };
  if (code !== 0) throw new Error(`the log refused a workout: ${code}`);
  return data.id;
}

/** Writes over a workout in the log of a rehearsal. */
export async function changeWorkout(
  { service, token }: Pick<Rehearsal, "service" | "token">,
  id: string,
  workout: Record<string, unknown>,
): Promise<void> {
  const answer = await fetch(`${service.url}/rest/logs/me/workouts/${id}?access_token=${token}`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(workout),
  });
  const { code } = (await answer.json()) as { code: number };
  if (code !== 0) throw new Error(`the log refused a workout: ${code}`);
}
