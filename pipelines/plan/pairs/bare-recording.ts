/** Recordings without a row: an export may hold device files that none of its rows names. */
import type { WorkoutItem } from "../../../transforms/model/item.ts";
import type { WorkoutLine } from "../../journal/line.ts";

const DEVICE_FILE = /\.(?:fit|gpx|tcx|kml|kmz)(?:\.gz)?$/i;

/** Whether a workout comes from a device file itself, in whatever archive, and not from a row that names the file. */
export function isBareRecording({ origin, value }: Pick<WorkoutItem | WorkoutLine, "origin" | "value">): boolean {
  return value.track === undefined
    ? DEVICE_FILE.test(origin.entry)
    : value.track.entry === origin.entry && value.track.made === undefined;
}
