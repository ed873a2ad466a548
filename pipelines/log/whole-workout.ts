/** Reads a workout of the log in full, to find its blank fields. */
import { getWorkout } from "../../connectors/api/client.ts";
import type { Connection } from "../../connectors/api/connection.ts";
import { type LogNumbers, workoutFromWire } from "../../connectors/api/from-wire.ts";
import { unsavable, workoutToSaveFrom } from "../../connectors/api/to-wire.ts";
import { type ReadResult, type SaveBody, tryToRead } from "../../connectors/sink.ts";
import type { Workout } from "../../transforms/model/workout.ts";

/** A workout of the log with all its fields. */
export interface WholeWorkout {
  /** In the form of a save. */
  readonly body: SaveBody;
  /** In our words. */
  readonly workout: Workout;
  /** The fields with values that a save can't carry. Writing the workout back would lose them. */
  readonly unsavable: readonly string[];
}

/**
 * Reads a workout in full. The log may have removed it, or may refuse to show it.
 *
 * @throws all that `Sink.read` throws, except ItemError
 */
export function readWholeWorkout(
  connection: Connection,
  id: string,
  numbers: LogNumbers,
  signal: AbortSignal,
): Promise<ReadResult<WholeWorkout>> {
  return tryToRead(async () => {
    const read = await getWorkout(connection, id, signal);
    const { workout } = workoutFromWire(read, numbers);
    return { body: workoutToSaveFrom(read), workout, unsavable: unsavable(read) };
  });
}
