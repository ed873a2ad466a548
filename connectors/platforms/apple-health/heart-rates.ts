/**
 * Heart rates of workouts without statistics. Before iOS 16 they lie among the measurements of the phone. A measurement belongs to a workout if the same
 * source made it within the workout's time. Records in a Correlation are not looked at, because each is there once more outside of it. Source: the document
 * type of the export. Memory holds a sum for each workout.
 */
import type { Archive, Entry } from "../../containers/archive.ts";
import { ArchiveError } from "../../containers/archive-error.ts";
import { streamUnpacked } from "../../containers/gzip.ts";
import { XmlError, type XmlPlace, type XmlRecord, type XmlValue, xmlEach } from "../../formats/xml/each.ts";
import { elementsOf, numberOf } from "../../formats/xml/members.ts";
import { MEASUREMENT } from "./measurement.ts";
import { millisOf } from "./values.ts";

const HEART_RATE = "HKQuantityTypeIdentifierHeartRate";

const WORKOUTS: XmlPlace = {
  path: ["HealthData", "Workout"],
  skips: ["WorkoutEvent", "WorkoutRoute", "WorkoutActivity", "MetadataEntry"],
  mostly: MEASUREMENT,
};

/** The heart rates in the times of workouts. */
const heartRatesOf = (spans: Spans): XmlPlace => ({
  path: ["HealthData", "Record"],
  where: ({ type, unit, sourceName = "", startDate = "" }) =>
    type === HEART_RATE && unit === "count/min" && around(spans.get(sourceName) ?? [], timeOf(startDate)).length > 0,
  skips: ["MetadataEntry", "HeartRateVariabilityMetadataList"],
  mostly: MEASUREMENT,
});

/** Milliseconds of four days. A workout that seems longer was never ended, and its heart rates are those of many days. */
const LONGEST = 4 * 86_400_000;

/** A workout without statistics, and the sum of its heart rates. Times in milliseconds since 1970. */
interface Span {
  readonly from: number;
  readonly until: number;
  sum: number;
  count: number;
  most: number;
}

/** The workouts without statistics by their source, sorted by their start. */
type Spans = ReadonlyMap<string, readonly Span[]>;

/** Adds the members `avgBeats` and `maxBeats` to a workout that has no statistics and whose source measured heart rates in its time. */
export type AddHeartRates = (workout: XmlRecord) => XmlRecord;

const found = new WeakMap<Archive, Map<string, Promise<AddHeartRates>>>();

/** Reads the heart rates of a file, once for all readings of its workouts. A damaged file gives those before the damage. */
export function heartRatesIn(archive: Archive, entry: Entry): Promise<AddHeartRates> {
  const known = found.get(archive) ?? new Map<string, Promise<AddHeartRates>>();
  found.set(archive, known);
  const adds = known.get(entry.path) ?? measuredIn(archive, entry);
  known.set(entry.path, adds);
  return adds;
}

async function measuredIn(archive: Archive, entry: Entry): Promise<AddHeartRates> {
  const spans = await spansIn(archive, entry);
  if (spans.size > 0)
    for await (const { sourceName, startDate, value } of elements(archive, entry, heartRatesOf(spans)))
      add(around(spans.get(textOf(sourceName)) ?? [], timeOf(startDate)), numberOf(value));
  return (workout) => {
    if (hasStatistics(workout)) return workout;
    const [from, until] = [timeOf(workout.startDate), timeOf(workout.endDate)];
    const span = spans.get(textOf(workout.sourceName))?.find((each) => each.from === from && each.until === until);
    if (span === undefined || span.count === 0) return workout;
    return { ...workout, avgBeats: String(span.sum / span.count), maxBeats: String(span.most) };
  };
}

async function spansIn(archive: Archive, entry: Entry): Promise<Spans> {
  const times: (Span & { readonly source: string })[] = [];
  for await (const workout of elements(archive, entry, WORKOUTS)) {
    const [from, until] = [timeOf(workout.startDate), timeOf(workout.endDate)];
    if (!(until >= from && until - from <= LONGEST) || hasStatistics(workout)) continue;
    times.push({ source: textOf(workout.sourceName), from, until, sum: 0, count: 0, most: 0 });
  }
  return Map.groupBy(
    times.sort((a, b) => a.from - b.from),
    ({ source }) => source,
  );
}

/** Adds a heart rate to workouts. 0 means "not measured". */
function add(spans: readonly Span[], beats: number | undefined): void {
  if (beats === undefined || !(beats > 0)) return;
  for (const span of spans) {
    span.sum += beats;
    span.count++;
    span.most = Math.max(span.most, beats);
  }
}

/** The workouts that a time lies in. */
function around(spans: readonly Span[], time: number): readonly Span[] {
  const found: Span[] = [];
  for (let at = lastBefore(spans, time); at >= 0; at--) {
    const span = spans[at];
    if (span === undefined || span.from < time - LONGEST) break;
    if (span.until >= time) found.push(span);
  }
  return found;
}

/** The index of the last workout that began at this time or earlier; -1 if there is none. */
function lastBefore(spans: readonly Span[], time: number): number {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.from ?? 0) <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The elements at a place, up to the first fault. The fault is reported with the workouts. */
async function* elements(archive: Archive, entry: Entry, place: XmlPlace): AsyncGenerator<XmlRecord> {
  const quiet = () => {};
  try {
    for await (const { record } of xmlEach(streamUnpacked(archive, entry, quiet), place, quiet))
      if (record !== undefined) yield record;
  } catch (error) {
    if (!(error instanceof XmlError) && !(error instanceof ArchiveError)) throw error;
  }
}

function hasStatistics(workout: XmlRecord): boolean {
  return elementsOf(workout, "WorkoutStatistics").some(({ type }) => type === HEART_RATE);
}

function timeOf(value: XmlValue | undefined): number {
  const text = textOf(value);
  const millis = millisOf(text);
  return Number.isNaN(millis) ? Date.parse(text) : millis;
}

function textOf(value: XmlValue | undefined): string {
  return typeof value === "string" ? value : "";
}
