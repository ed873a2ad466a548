/** Gives an answer of the service as it came, for checks on the parts that our own reading leaves out. */
import { get } from "./call.ts";
import type { Connection } from "./connection.ts";
import { OPERATIONS } from "./operations.ts";

/** Gets a workout or a course as the service gives it, undecoded. @throws as `getWorkout` */
export function getAsGiven(
  connection: Connection,
  kind: "workout" | "course",
  id: string,
  signal: AbortSignal,
): Promise<unknown> {
  const operation = kind === "workout" ? OPERATIONS.getWorkout : OPERATIONS.getCourse;
  return get(connection, { operation, places: [`data.${kind}`, kind], decode: (value) => value }, { id }, signal);
}
