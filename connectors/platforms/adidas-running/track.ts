/** The points of an activity: a file with places and one with heart rates, a list each, with the same times. */
import { someDefined } from "../../../transforms/model/defined.ts";
import { utcOf } from "../table/cells/instants.ts";
import type { RecordedTrack } from "../table/description.ts";
import { aboveZero, joinedPoints, type Measured, positionOf } from "../table/files/points.ts";
import { isJsonRow } from "../table/sources/json-source.ts";

/** Joins the files. Their times are `2018-09-01 11:28:34 +0200`. */
export function trackOf(documents: readonly unknown[]): RecordedTrack {
  const rows = documents.flatMap((each) => (Array.isArray(each) ? each.filter(isJsonRow) : []));
  const values = rows.flatMap((row): Measured[] => {
    const { timestamp, latitude, longitude, altitude, distance, heart_rate } = row;
    const instant = typeof timestamp === "number" ? timestamp : Date.parse(utcOf(`${timestamp}`));
    const part = someDefined({
      position: positionOf(latitude, longitude),
      elevation: typeof altitude === "number" ? altitude : undefined,
      distance: typeof distance === "number" ? ({ unit: "m", value: distance } as const) : undefined,
      heartRate: aboveZero(heart_rate),
    });
    return part === undefined ? [] : [[instant, part]];
  });
  return { points: joinedPoints(values) };
}
