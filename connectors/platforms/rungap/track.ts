/** The points of a workout in RunGap's own form. */
import { defined } from "../../../transforms/model/defined.ts";
import type { Point } from "../../formats/recording.ts";
import type { RecordedTrack } from "../table/description.ts";
import { aboveZero, positionOf } from "../table/files/points.ts";
import { isJsonRow, type JsonRow } from "../table/sources/json-source.ts";

const METADATA = /\.metadata\.json$/i;

/** Adds the name of the file with the points, which lies beside the metadata. */
export function withTrackFile(row: JsonRow, path: string): JsonRow {
  return { ...row, "track file": path.slice(path.lastIndexOf("/") + 1).replace(METADATA, ".rungap.json") };
}

/** The track of a workout: the points of its laps, with times in seconds since 1970 UTC. */
export function trackOf(documents: readonly unknown[]): RecordedTrack {
  const laps = documents.flatMap((each) => (isJsonRow(each) ? listOf(each.laps) : []));
  const points = laps
    .flatMap(({ points }) => listOf(points))
    .map(
      ({ lat, lon, ele, time, hr }): Point =>
        defined({
          instant: typeof time === "number" ? Math.round(time * 1000) : undefined,
          position: positionOf(lat, lon),
          elevation: typeof ele === "number" ? ele : undefined,
          heartRate: aboveZero(hr),
        }),
    );
  return { points };
}

function listOf(value: unknown): readonly JsonRow[] {
  return Array.isArray(value) ? value.filter(isJsonRow) : [];
}
