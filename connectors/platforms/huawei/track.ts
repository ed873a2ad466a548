/** Reads the points of an activity. They are lines of text in its attribute, sorted by kind. README.md lists the kinds that are read. */
import { someDefined } from "../../../transforms/model/defined.ts";
import type { RecordedTrack } from "../table/description.ts";
import { joinedPoints, type Measured, positionOf } from "../table/files/points.ts";
import type { JsonRow } from "../table/sources/json-source.ts";
import { DETAIL } from "./values.ts";

/** Kinds of lines that become part of a point, and kinds that follow from those. */
const CARRIED: readonly string[] = ["lbs", "h-r", "alti", "alt", "cad", "rs", "p-m", "b-p-m", "s-r"];

/** `lat=90;lon=-80` is a pause. */
const PAUSE = { lat: 90, lon: -80 } as const;

/** Valid heart rates of the watch. */
const BEATS = { least: 1, most: 254 } as const;

/**
 * The track of an activity. Its times are seconds or milliseconds since 1970 UTC, or seconds since the start of its local day. A line with any other
 * time counts as left out.
 */
export function trackOf({ attribute, startTime, timeZone }: JsonRow): RecordedTrack {
  const clock = clockOf(startTime, timeZone);
  const detail = `${attribute ?? ""}`.split("&&").find((part) => part.startsWith(DETAIL)) ?? DETAIL;
  const left = new Set<string>();
  const values: Measured[] = [];
  for (const line of detail.slice(DETAIL.length).split("\n")) {
    const { tp = "", ...fields } = Object.fromEntries(line.split(";").map(memberOf));
    if (tp === "") continue;
    if (!CARRIED.includes(tp)) left.add(tp);
    const part = partOf(tp, fields);
    const instant = instantOf(Number(tp === "lbs" ? fields.t : fields.k), clock);
    if (part === undefined) continue;
    if (instant === undefined) left.add(tp);
    else values.push([instant, part]);
  }
  return { points: joinedPoints(values), left: [...left] };
}

function memberOf(text: string): readonly [string, string] {
  const at = text.indexOf("=");
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

function partOf(tp: string, { lat, lon, v }: Readonly<Record<string, string>>): Measured[1] | undefined {
  const value = Number(v);
  if (tp === "lbs") {
    const isPause = Number(lat) === PAUSE.lat && Number(lon) === PAUSE.lon;
    // Watches write the altitude 0 here. The right altitude has separate lines.
    return isPause ? undefined : someDefined({ position: positionOf(Number(lat), Number(lon)) });
  }
  if (v === undefined || !Number.isFinite(value)) return undefined;
  if (tp === "h-r") return value >= BEATS.least && value <= BEATS.most ? { heartRate: value } : undefined;
  if (tp === "alti" || tp === "alt") return { elevation: value };
  return tp === "cad" && value > 0 ? { cadence: value } : undefined;
}

/** The start of an activity, and the midnight before it on its own clock, in milliseconds since 1970 UTC. */
interface Clock {
  readonly start: number;
  readonly midnight: number;
}

function clockOf(startTime: unknown, timeZone: unknown): Clock | undefined {
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(`${timeZone}`) ?? [];
  const start = Number(startTime);
  if (hours === undefined || !Number.isFinite(start)) return undefined;
  const offset = (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
  return { start, midnight: Math.floor((start + offset) / DAY) * DAY - offset };
}

const DAY = 86_400_000;
/** A watch may find its place before the activity begins. */
const EARLY = 600_000;

/**
 * Reads a time. Seconds have 9 to 10 digits, milliseconds 12 to 13. Smaller numbers are seconds since midnight, if that is a time within a day of the
 * start.
 */
function instantOf(time: number, clock: Clock | undefined): number | undefined {
  if (time >= 1e8 && time < 1e10) return Math.round(time * 1000);
  if (time >= 1e11 && time < 1e13) return Math.round(time);
  const instant = clock === undefined || time <= 0 ? Number.NaN : clock.midnight + Math.round(time * 1000);
  return clock !== undefined && instant >= clock.start - EARLY && instant < clock.start + DAY ? instant : undefined;
}
