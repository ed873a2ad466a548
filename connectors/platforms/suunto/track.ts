/** Reads the points of a log of the watch. Its units are those of physics: hertz, radians, metres. README.md lists the samples in the points. */
import { defined } from "../../../transforms/model/defined.ts";
import { JsonError, parsedJson } from "../../formats/json/parts.ts";
import type { XmlRecord } from "../../formats/xml/each.ts";
import { elementsOf, numberOf } from "../../formats/xml/members.ts";
import type { RecordedTrack } from "../table/description.ts";
import { aboveZero, joinedPoints, type Measured, positionOf } from "../table/files/points.ts";
import { isJsonRow, type JsonRow } from "../table/sources/json-source.ts";

const SECONDS_A_MINUTE = 60;
const DEGREES = 180 / Math.PI;

/** Samples that become part of a point, samples that follow from those, and samples about satellites and air. */
const CARRIED: ReadonlySet<string> = new Set([
  ...["HR", "Cadence", "Latitude", "Longitude", "Altitude", "GPSAltitude", "Distance", "Power", "Speed", "GPSSpeed"],
  ...["UTC", "TimeISO8601", "Time", "Events", "SampleType", "VerticalSpeed", "GPSHeading", "EHPE", "EVPE"],
  ...["NumberOfSatellites", "Satellite5BestSNR", "SeaLevelPressure", "AbsPressure", "Depth", "EnergyConsumption"],
]);

/** The track of a log in JSON. */
export function trackOf({ DeviceLog: log }: JsonRow): RecordedTrack {
  const samples: readonly unknown[] = isJsonRow(log) && Array.isArray(log.Samples) ? log.Samples : [];
  return joinedSamples(samples.map(readSample));
}

const SUMMARY = /summary([^/]*\.json)$/i;

/** Adds the path of the file with the samples to a summary of the app. The app keeps the two as a pair, in one folder or zip. */
export function withSamplesFile(row: JsonRow, path: string): JsonRow {
  return SUMMARY.test(path) ? { ...row, "samples file": path.replace(SUMMARY, "samples$1") } : row;
}

/** The part of a sample in JSON that a track has a place for, and the names of the rest. */
export interface ReadSample {
  readonly value?: Measured;
  readonly left: readonly string[];
}

/** Reads a sample in JSON; undefined if it has nothing for a track and nothing that is left. */
export function readSample(each: unknown): ReadSample | undefined {
  if (!isJsonRow(each)) return undefined;
  const { sample, left: beside } = sampleIn(each);
  const left = [...beside];
  for (const [name, value] of Object.entries(sample))
    if (!CARRIED.has(name) && typeof value === "number") left.push(name);
  const instant = Date.parse(String(each.TimeISO8601 ?? sample.UTC ?? sample.TimeISO8601));
  const part = partOf(sample);
  if (!Number.isNaN(instant) && Object.keys(part).length > 0) return { value: [instant, part], left };
  return left.length === 0 ? undefined : { left };
}

/** The track of samples. Each has one kind of value, so the samples of one second are joined into one point. */
export function joinedSamples(samples: readonly (ReadSample | undefined)[]): RecordedTrack {
  return {
    points: joinedPoints(samples.flatMap((each): Measured[] => (each?.value === undefined ? [] : [each.value]))),
    left: [...new Set(samples.flatMap((each) => each?.left ?? []))],
  };
}

/** The members of a sample in XML that a track needs. */
export const SAMPLE: readonly string[] = [
  ...["UTC", "Time", "HR", "Cadence", "Latitude", "Longitude", "Altitude", "GPSAltitude", "Distance", "Power"],
];

/**
 * The track of a log in SML. Its samples have seconds since the start, and some have an instant. Without a satellite fix, these times have no `Z`
 * and are local. Then the real time is unknown, and there are no points.
 */
export function trackOfSml({ Samples }: Readonly<Record<string, unknown>>): RecordedTrack {
  const samples = elementsOf(Samples as XmlRecord, "Sample");
  const first = samples.find(({ UTC }) => typeof UTC === "string" && UTC.endsWith("Z"));
  const start = Date.parse(`${first?.UTC}`) - 1000 * (numberOf(first?.Time) ?? 0);
  const values = samples.flatMap((sample): Measured[] => {
    const seconds = numberOf(sample.Time);
    const numbers = Object.fromEntries(Object.keys(sample).map((name) => [name, numberOf(sample[name])]));
    const part = partOf(numbers);
    return seconds === undefined || Object.keys(part).length === 0 ? [] : [[start + seconds * 1000, part]];
  });
  return { points: joinedPoints(values) };
}

/** The content of a sample, and the names of what stands beside it. In logs of the app it lies deeper, beside its source. */
function sampleIn(each: JsonRow): { readonly sample: JsonRow; readonly left: readonly string[] } {
  const sources = parsedOf(each.Attributes);
  const inner = isJsonRow(sources) ? Object.entries(sources).find(([name]) => name.endsWith("/sml"))?.[1] : undefined;
  const members = isJsonRow(inner) ? inner : {};
  const left = [...(typeof sources === "string" ? ["Attributes"] : []), ...("R-R" in members ? ["R-R"] : [])];
  return { sample: isJsonRow(members.Sample) ? members.Sample : each, left };
}

/** The app may write JSON as a text inside of JSON. A text that isn't JSON stays as it is. */
function parsedOf(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return parsedJson(value, 1);
  } catch (error) {
    if (error instanceof JsonError) return value;
    throw error;
  }
}

/** The parts of a point in a sample, by the sample's names. */
function partOf(sample: Readonly<Record<string, unknown>>): Measured[1] {
  const { HR, Cadence, Latitude, Longitude, Altitude, GPSAltitude, Distance, Power } = sample;
  const isPlace = typeof Latitude === "number" && typeof Longitude === "number";
  return defined({
    heartRate: scaled(aboveZero(HR), SECONDS_A_MINUTE),
    cadence: scaled(aboveZero(Cadence), SECONDS_A_MINUTE),
    position: isPlace ? positionOf(degrees(Latitude), degrees(Longitude)) : undefined,
    elevation: [Altitude, GPSAltitude].find((metres) => typeof metres === "number"),
    distance: typeof Distance === "number" ? ({ unit: "m", value: Distance } as const) : undefined,
    power: typeof Power === "number" ? Power : undefined,
  }) as Measured[1];
}

function scaled(value: number | undefined, by: number): number | undefined {
  return value === undefined ? undefined : Math.round(value * by);
}

/** Converts radians to degrees, to a centimetre. */
function degrees(radians: number): number {
  return Math.round(radians * DEGREES * 1e7) / 1e7;
}
