/** Reads laps and recorded series in the form of Smashrun. */
import { defined } from "../../../transforms/model/defined.ts";
import type { Point } from "../../formats/recording.ts";
import type { RecordedTrack } from "../table/description.ts";
import { aboveZero, positionOf } from "../table/files/points.ts";
import type { TableLap } from "../table/mapping/fields.ts";
import { isJsonRow, type JsonRow } from "../table/sources/json-source.ts";

/** Series that become part of a point. */
const CARRIED = ["clock", "distance", "latitude", "longitude", "elevation", "heartRate", "cadence"];

/** The number for a value that was not measured. */
const NONE = -1;

/** The platform's words for laps, with the log's words. A general lap needs no word. */
const INTENSITIES: Readonly<Record<string, string>> = {
  work: "interval",
  recovery: "recovery",
  warmup: "warmup",
  cooldown: "cooldown",
};

/** Adds the laps to a run. Each lap gives its end in seconds and kilometres from the start. */
export function withLaps(run: JsonRow): JsonRow {
  let before = { seconds: 0, km: 0 };
  const lapList = listOf(run.laps).flatMap(({ lapType, endDuration, endDistance }): TableLap[] => {
    const end = { seconds: numberOf(endDuration), km: numberOf(endDistance) };
    if (end.seconds === undefined || end.seconds <= before.seconds) return [];
    const metres = end.km === undefined ? 0 : Math.round((end.km - before.km) * 1e6) / 1000;
    const timer = Math.round((end.seconds - before.seconds) * 1000) / 1000;
    before = { seconds: end.seconds, km: end.km ?? before.km };
    const intensity = INTENSITIES[`${lapType}`];
    return [{ timer, ...(metres > 0 && { distance: { unit: "m", value: metres } }), ...defined({ intensity }) }];
  });
  return { ...run, lapList };
}

/** The track of a run. Each series has a list of values, at the place of its name. -1 means "none". */
export function trackOf(run: JsonRow): RecordedTrack {
  const keys = Array.isArray(run.recordingKeys) ? run.recordingKeys.map(String) : [];
  const lists = Array.isArray(run.recordingValues)
    ? run.recordingValues.map((list) => (Array.isArray(list) ? list : []))
    : [];
  const start = Date.parse(`${run.startDateTimeLocal}`);
  const numberAt = (key: string, at: number) => {
    const value = numberOf(lists[keys.indexOf(key)]?.[at]);
    return value === NONE ? undefined : value;
  };
  const measured = (key: string, at: number) => aboveZero(numberAt(key, at));
  const points = (lists[keys.indexOf("clock")] ?? []).map((_, at): Point => {
    const [seconds, km] = [numberAt("clock", at), numberAt("distance", at)];
    return defined({
      instant: seconds === undefined || Number.isNaN(start) ? undefined : start + seconds * 1000,
      position: positionOf(numberAt("latitude", at), numberAt("longitude", at)),
      distance: km === undefined || km < 0 ? undefined : ({ unit: "m", value: Math.round(km * 1e6) / 1000 } as const),
      elevation: numberAt("elevation", at),
      heartRate: measured("heartRate", at),
      cadence: measured("cadence", at),
    });
  });
  return { points, left: keys.filter((key) => !CARRIED.includes(key)) };
}

function listOf(value: unknown): readonly JsonRow[] {
  return Array.isArray(value) ? value.filter(isJsonRow) : [];
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}
