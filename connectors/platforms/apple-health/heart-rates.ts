/**
 * Heart rates of workouts without statistics. Before iOS 16 they lie among the measurements of the phone. A measurement belongs to a workout if it was made
 * within the workout's time: by the workout's own source, or, where that measured none, by one other, such as a strap or a watch beside an app of the phone.
 * Two sources are never mixed, since both may have written the same beats. Records in a Correlation are not looked at, because each is there once more
 * outside of it. Source: the document type of the export. Memory holds a few sums for each workout.
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
const heartRatesOf = (spans: readonly Span[]): XmlPlace => ({
  path: ["HealthData", "Record"],
  where: ({ type, unit, startDate = "" }) =>
    type === HEART_RATE && unit === "count/min" && around(spans, timeOf(startDate)).length > 0,
  skips: ["MetadataEntry", "HeartRateVariabilityMetadataList"],
  mostly: MEASUREMENT,
});

/** Milliseconds of four days. A workout that seems longer was never ended, and its heart rates are those of many days. */
const LONGEST = 4 * 86_400_000;

/** Most other sources of heart rates in one workout. A person wears one or two devices; a file made to fill the memory may name millions. */
const MOST_OTHERS = 8;

/** The heart rates of one source in a workout. */
interface Beats {
  sum: number;
  count: number;
  most: number;
}

/** A workout without statistics, and its heart rates by the source that measured them. Times in milliseconds since 1970. */
interface Span {
  readonly source: string;
  readonly from: number;
  readonly until: number;
  readonly measured: Map<string, Beats>;
}

/** Adds the members `avgBeats` and `maxBeats` to a workout that has no statistics and in whose time heart rates were measured. */
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
  if (spans.length > 0)
    for await (const { sourceName, startDate, value } of elements(archive, entry, heartRatesOf(spans)))
      for (const span of around(spans, timeOf(startDate))) add(span, textOf(sourceName), numberOf(value));
  const byKey = new Map(spans.map((span) => [keyOf(span), span]));
  return (workout) => {
    const span = hasStatistics(workout) ? undefined : byKey.get(keyOf(spanOf(workout)));
    const beats = span && beatsOf(span);
    return beats === undefined
      ? workout
      : { ...workout, avgBeats: String(beats.sum / beats.count), maxBeats: String(beats.most) };
  };
}

/** The workouts without statistics, sorted by their start. */
async function spansIn(archive: Archive, entry: Entry): Promise<readonly Span[]> {
  const spans: Span[] = [];
  for await (const workout of elements(archive, entry, WORKOUTS)) {
    const span = spanOf(workout);
    if (span.until >= span.from && span.until - span.from <= LONGEST && !hasStatistics(workout)) spans.push(span);
  }
  return spans.sort((a, b) => a.from - b.from);
}

function spanOf(workout: XmlRecord): Span {
  const { sourceName, startDate, endDate } = workout;
  return { source: textOf(sourceName), from: timeOf(startDate), until: timeOf(endDate), measured: new Map() };
}

function keyOf({ from, until, source }: Span): string {
  return `${from} ${until} ${source}`;
}

/** Adds a heart rate to a workout. 0 means "not measured". */
function add({ source, measured }: Span, by: string, beats: number | undefined): void {
  if (beats === undefined || !(beats > 0)) return;
  const known = measured.get(by);
  if (known === undefined) {
    if (by === source || measured.size < MOST_OTHERS) measured.set(by, { sum: beats, count: 1, most: beats });
    return;
  }
  known.sum += beats;
  known.count++;
  known.most = Math.max(known.most, beats);
}

/** The heart rates of a workout: those of its own source, else of the one that measured most often. */
function beatsOf({ source, measured }: Span): Beats | undefined {
  return measured.get(source) ?? [...measured.values()].sort((a, b) => b.count - a.count)[0];
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
