/** The points of a fitlog file's track. */
import { defined } from "../../../transforms/model/defined.ts";
import type { Point } from "../../formats/recording.ts";
import type { XmlRecord } from "../../formats/xml/each.ts";
import { elementsOf, numberOf } from "../../formats/xml/members.ts";
import type { RecordedTrack } from "../table/description.ts";
import { aboveZero, positionOf } from "../table/files/points.ts";
import { withPoints } from "./commas.ts";

/** The members of a point that a track needs. */
export const POINT: readonly string[] = ["tm", "lat", "lon", "ele", "dist", "hr", "cadence", "power"];

/** The track of an activity. Each point has its seconds since the start of the track or of the activity. */
export function trackOf({ StartTime, Track }: Readonly<Record<string, unknown>>): RecordedTrack {
  const [track] = elementsOf({ Track: (Track ?? []) as XmlRecord }, "Track");
  const start = [track?.StartTime, StartTime].map((text) => instantOf(text)).find((each) => !Number.isNaN(each));
  if (start === undefined) return { points: [] };
  const points = elementsOf(track, "pt").flatMap((written): Point[] => {
    const pt = withPoints(written);
    const seconds = numberOf(pt.tm);
    if (seconds === undefined) return [];
    const metres = numberOf(pt.dist);
    const point = defined({
      position: positionOf(numberOf(pt.lat), numberOf(pt.lon)),
      elevation: numberOf(pt.ele),
      distance: metres === undefined ? undefined : ({ unit: "m", value: metres } as const),
      heartRate: aboveZero(numberOf(pt.hr)),
      cadence: aboveZero(numberOf(pt.cadence)),
      power: numberOf(pt.power),
    });
    return [{ ...point, instant: start + Math.round(seconds * 1000) }];
  });
  return { points };
}

/** Reads an instant: `2010-05-06T16:30:00Z`, or with a distance from UTC. A time without either is not an instant. */
function instantOf(text: unknown): number {
  return typeof text === "string" && /(?:Z|[-+]\d\d:?\d\d)$/.test(text) ? Date.parse(text) : Number.NaN;
}
