/** Reads the points of a ride. README.md lists the samples in them. */
import { defined } from "../../../transforms/model/defined.ts";
import type { Point } from "../../formats/recording.ts";
import type { RecordedTrack } from "../table/description.ts";
import { aboveZero, positionOf } from "../table/files/points.ts";
import { isJsonRow, type JsonRow } from "../table/sources/json-source.ts";
import { utcOf } from "./values.ts";

/** Samples that become part of a point, and samples that follow from those. */
const CARRIED: readonly string[] = [
  ...["SECS", "KM", "HR", "CAD", "WATTS", "ALT", "LAT", "LON", "KPH"],
  ...["SLOPE", "HEADWIND", "NM"],
];

/** The track of a ride, with one point for each sample. Samples have the seconds since the start, and the start is UTC. */
export function trackOf({ STARTTIME, SAMPLES }: JsonRow): RecordedTrack {
  const start = Date.parse(`${utcOf(`${STARTTIME}`.trim()).replaceAll("/", "-").replace(" ", "T")}Z`);
  if (Number.isNaN(start) || !Array.isArray(SAMPLES)) return { points: [] };
  const left = new Set<string>();
  const points = SAMPLES.filter(isJsonRow).flatMap((sample): Point[] => {
    for (const [name, value] of Object.entries(sample))
      if (!CARRIED.includes(name) && typeof value === "number" && value !== 0) left.add(name);
    const { SECS, KM, HR, CAD, WATTS, ALT, LAT, LON } = sample;
    if (typeof SECS !== "number") return [];
    const position = positionOf(LAT, LON);
    const point = defined({
      position,
      distance: typeof KM === "number" ? ({ unit: "km", value: KM } as const) : undefined,
      // Without positions, programs fill in altitudes of 0.
      elevation: typeof ALT === "number" && (ALT !== 0 || position !== undefined) ? ALT : undefined,
      heartRate: aboveZero(HR),
      cadence: aboveZero(CAD),
      power: typeof WATTS === "number" && WATTS >= 0 ? WATTS : undefined,
    });
    return [{ ...point, instant: start + Math.round(SECS * 1000) }];
  });
  return { points, left: [...left] };
}

/** Repairs numbers and lists that are not JSON. The program writes `3.` for 3, and no comma between two references. */
export function mended(text: string): string {
  return text.replaceAll(/(\d)\.(?=[\s,}\]])/g, "$1").replaceAll(/\}(\s+)\{/g, "},$1{");
}
