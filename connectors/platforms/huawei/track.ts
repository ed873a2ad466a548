/** Reads the points of an activity. They are lines of text in its attribute, sorted by kind. README.md lists the kinds that are read. */
import { someDefined } from "../../../transforms/model/defined.ts";
import type { RecordedTrack } from "../table/description.ts";
import type { JsonRow } from "../table/json-source.ts";
import { joinedPoints, type Measured, positionOf } from "../table/points.ts";
import { DETAIL } from "./values.ts";

/** Kinds of lines that become part of a point, and kinds that follow from those. */
const CARRIED: readonly string[] = ["lbs", "h-r", "alti", "alt", "cad", "rs", "p-m", "b-p-m", "s-r"];

/** `lat=90;lon=-80` is a pause. */
const PAUSE = { lat: 90, lon: -80 } as const;

/** Valid heart rates of the watch. */
const BEATS = { least: 1, most: 254 } as const;

/** The track of an activity. A line counts as left out if its time is neither in seconds nor in milliseconds since 1970. */
export function trackOf({ attribute }: JsonRow): RecordedTrack {
  const detail = `${attribute ?? ""}`.split("&&").find((part) => part.startsWith(DETAIL)) ?? DETAIL;
  const left = new Set<string>();
  const values: Measured[] = [];
  for (const line of detail.slice(DETAIL.length).split("\n")) {
    const { tp = "", ...fields } = Object.fromEntries(line.split(";").map(memberOf));
    if (tp === "") continue;
    if (!CARRIED.includes(tp)) left.add(tp);
    const part = partOf(tp, fields);
    const instant = instantOf(Number(tp === "lbs" ? fields.t : fields.k));
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

/** Reads a time. Seconds have 9 to 10 digits, milliseconds 12 to 13. Smaller numbers count from an unknown start. */
function instantOf(time: number): number | undefined {
  if (time >= 1e8 && time < 1e10) return Math.round(time * 1000);
  return time >= 1e11 && time < 1e13 ? Math.round(time) : undefined;
}
