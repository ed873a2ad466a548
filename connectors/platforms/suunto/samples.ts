/** Reads the samples of a log in SML or in the XML of Movescount: laps, legs, and the distance from UTC. */
import type { XmlRecord, XmlSum } from "../../formats/xml/each.ts";
import { elementsOf, membersOf, numberOf } from "../../formats/xml/members.ts";
import type { TableLap } from "../table/mapping/fields.ts";
import { namesSport } from "./values.ts";

/** Most laps and legs to keep. No watch records so many. */
const MOST_EVENTS = 10_000;

/** Members of a sample that are not series. */
const NO_SERIES = new Set(["UTC", "Time", "SampleType", "Events", "TimeISO8601"]);

/** From this many seconds on, the last stretch is a lap. */
const SHORTEST_LAP = 1;

/**
 * Sums up the samples: the laps that end in them, the names of legs, the names of the series, and the first instant with its seconds since the
 * start. Without a satellite fix, the text has no `Z`, and is the local time of the watch.
 */
export function samplesSum(): XmlSum {
  const laps: XmlRecord[] = [];
  const legs: string[] = [];
  const series = new Set<string>();
  let first: XmlRecord | undefined;
  return {
    add(_, value) {
      const sample = membersOf(value);
      for (const name of Object.keys(sample)) if (!NO_SERIES.has(name) && series.size < 100) series.add(name);
      if (typeof sample.UTC === "string" && sample.UTC.endsWith("Z"))
        first ??= { at: sample.UTC, seconds: `${sample.Time ?? 0}` };
      for (const events of elementsOf(sample, "Events")) {
        if (laps.length < MOST_EVENTS) laps.push(...elementsOf(events, "Lap"));
        if (legs.length < MOST_EVENTS) legs.push(...elementsOf(events, "Activity").map(({ Type }) => `${Type ?? "?"}`));
      }
    },
    result: () => ({
      laps,
      ...(first !== undefined && { first }),
      ...(legs.length > 1 && { legs: legs.join(", ") }),
      series: [...series].join(", "),
    }),
  };
}

/** Adds two members to a log: `offset`, in minutes from UTC, and `lapList`. @param head the name of its head */
export function withSamples(log: XmlRecord, head: string): Readonly<Record<string, unknown>> {
  const written = membersOf(log[head]);
  const { DateTime, Duration, Distance } = written;
  const { laps, first, ...samples } = membersOf(log.Samples);
  const whole = { timer: numberOf(Duration), metres: numberOf(Distance) };
  return {
    ...log,
    ...(log[head] !== undefined && { [head]: { ...written, ...poolSwim(written) } }),
    ...(log.Samples !== undefined && { Samples: samples }),
    offset: offsetOf(`${DateTime}`, membersOf(first)),
    lapList: lapsOf(elementsOf({ laps: laps ?? [] }, "laps"), whole),
  };
}

/** The number of swimming on the watch. */
const SWIMMING = "6";

/** A log with the length of a pool is a swim, though its owner gave the mode another name, and a number that names no sport. Source: GoldenCheetah SmlParser.cpp. */
function poolSwim({ ActivityType, PoolLength }: XmlRecord): XmlRecord {
  const isPool = (numberOf(PoolLength) ?? 0) > 0;
  return isPool && typeof ActivityType === "string" && !namesSport(ActivityType) ? { ActivityType: SWIMMING } : {};
}

const QUARTER = 15;
/** Most minutes that the clock of the watch may be wrong. */
const MOST_WRONG = 2;
const OFFSETS = { least: -12 * 60, most: 14 * 60 } as const;

/** Minutes from UTC, rounded to a quarter of an hour; undefined if the two times can't be the same moment. */
function offsetOf(local: string, { at, seconds }: XmlRecord): number | undefined {
  const instant = Date.parse(`${at}`) - 1000 * (numberOf(seconds) ?? 0);
  const apart = (Date.parse(`${local.replace(/Z$/, "")}Z`) - instant) / 60_000;
  const offset = Math.round(apart / QUARTER) * QUARTER + 0;
  const isOne = Math.abs(apart - offset) <= MOST_WRONG && offset >= OFFSETS.least && offset <= OFFSETS.most;
  return isOne ? offset : undefined;
}

/**
 * Makes laps from the events at their ends. The last stretch has no event, and is the rest of the whole. The log may have laps by hand and
 * automatic laps. If together they are longer than the workout, only those by hand count.
 */
function lapsOf(
  events: readonly XmlRecord[],
  whole: { readonly timer: number | undefined; readonly metres: number | undefined },
): readonly TableLap[] {
  const { timer = 0, metres } = whole;
  const ends = events.filter(({ Type }) => Type !== "Start");
  const byHand = ends.filter(({ Type }) => Type === "Manual");
  const laps = [ends, byHand].find((each) => secondsOf(each) <= timer + SHORTEST_LAP) ?? [];
  if (laps.length === 0) return [];
  const rest = Math.round((timer - secondsOf(laps)) * 1000) / 1000;
  const left =
    metres === undefined ? 0 : metres - laps.reduce((sum, { Distance }) => sum + (numberOf(Distance) ?? 0), 0);
  const all = laps.map(({ Duration, Distance }) => lapOf(numberOf(Duration), numberOf(Distance)));
  return rest >= SHORTEST_LAP ? [...all, lapOf(rest, left > 0 ? left : undefined)] : all;
}

function secondsOf(laps: readonly XmlRecord[]): number {
  return laps.reduce((sum, { Duration }) => sum + (numberOf(Duration) ?? 0), 0);
}

function lapOf(timer: number | undefined, metres: number | undefined): TableLap {
  return {
    ...(timer !== undefined && { timer }),
    ...(metres !== undefined && { distance: { unit: "m", value: Math.round(metres * 100) / 100 } }),
  };
}

/** The laps that `withSamples` made. */
export function lapsAsMade(laps: unknown): readonly TableLap[] {
  return laps as readonly TableLap[];
}
