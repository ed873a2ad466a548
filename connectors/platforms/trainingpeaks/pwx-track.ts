/** Reads the points of a PWX file. */
import { asIfUtc, instantInZone, zoneAt } from "../../../transforms/calendar.ts";
import { defined } from "../../../transforms/model/defined.ts";
import type { Point } from "../../formats/recording.ts";
import type { XmlRecord } from "../../formats/xml/each.ts";
import { elementsOf, numberOf } from "../../formats/xml/members.ts";
import type { RecordedTrack } from "../table/description.ts";
import { aboveZero, positionOf } from "../table/files/points.ts";

/** The members of a sample that a track needs. */
export const SAMPLE: readonly string[] = ["timeoffset", "hr", "pwr", "cad", "dist", "lat", "lon", "alt"];

/**
 * The track of a workout: samples with seconds since its start. In most files, the start is a local time. Then the zone of the first position gives
 * the instant. Without a position, there is no instant and no track.
 */
export function trackOf(workout: Readonly<Record<string, unknown>>): RecordedTrack {
  const samples = elementsOf(workout as XmlRecord, "sample");
  const start = startOf(workout.time, samples);
  if (start === undefined) return { points: [] };
  const points = samples.flatMap((sample): Point[] => {
    const seconds = numberOf(sample.timeoffset);
    if (seconds === undefined) return [];
    const metres = numberOf(sample.dist);
    const point = defined({
      position: placeOf(sample),
      elevation: numberOf(sample.alt),
      distance: metres === undefined ? undefined : ({ unit: "m", value: metres } as const),
      heartRate: aboveZero(numberOf(sample.hr)),
      cadence: aboveZero(numberOf(sample.cad)),
      power: numberOf(sample.pwr),
    });
    return [{ ...point, instant: start + Math.round(seconds * 1000) }];
  });
  return { points };
}

/** Milliseconds since 1970 UTC; undefined if the zone is unknown. */
function startOf(time: unknown, samples: readonly XmlRecord[]): number | undefined {
  const text = typeof time === "string" ? time.trim() : "";
  if (/(?:Z|[-+]\d\d:\d\d)$/.test(text)) return numberIn(Date.parse(text));
  const [, date = "", clock = ""] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)$/.exec(text) ?? [];
  const position = samples.map(placeOf).find((place) => place !== undefined);
  const zone = position && zoneAt(position);
  const local = date === "" ? undefined : numberIn(asIfUtc({ date, time: clock }));
  return zone === undefined || local === undefined ? undefined : instantInZone(local, zone);
}

function placeOf({ lat, lon }: XmlRecord): Point["position"] {
  return positionOf(numberOf(lat), numberOf(lon));
}

function numberIn(value: number): number | undefined {
  return Number.isNaN(value) ? undefined : value;
}
