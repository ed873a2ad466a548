/** Reads values in the form of Polar Flow. */
import { startOfNight } from "../table/cells/instants.ts";
import type { TableLap } from "../table/mapping/fields.ts";
import { isJsonRow, type JsonRow } from "../table/sources/json-source.ts";

/** The numbers of sports in new exports, by name. Sources: pcolby/bipolar, and the export's own words. */
const NUMBERS: Readonly<Record<string, readonly number[]>> = {
  running: [1],
  jogging: [4],
  "treadmill running": [17],
  "road running": [19],
  "trail running": [27],
  "track and field running": [36],
  orienteering: [84],
  "ultra run": [92],
  cycling: [2],
  "mountain biking": [5],
  "indoor cycling": [18, 135, 138],
  "road cycling": [38],
  "mountain bike orienteering": [86],
  spinning: [118],
  swimming: [23],
  "pool swimming": [103],
  "open water swimming": [105],
  walking: [3],
  "nordic walking": [9],
  hiking: [11],
  snowshoeing: [116],
  rowing: [8],
  "indoor rowing": [117],
  kayaking: [95],
  canoeing: [96],
  skiing: [6],
  "downhill skiing": [7],
  snowboarding: [22],
  "cross-country skiing": [24, 25],
  "roller skiing": [59, 60],
  "ski orienteering": [85],
  biathlon: [87],
  telemark: [112],
  "backcountry skiing": [113],
  "strength training": [15],
  "circuit training": [20],
  crossfit: [34],
  "functional training": [57],
  bootcamp: [58],
  core: [126],
  "body pump": [128],
  "grit strength": [132],
  "cross-trainer": [55],
  yoga: [33],
  "body and mind": [64],
  pilates: [65],
  stretching: [66],
  mobility: [111, 127],
  skating: [28, 29, 30],
  "racket sports": [12, 14],
  squash: [13],
  "group exercise": [32],
  golf: [35],
  soccer: [39],
  futsal: [50],
  "ball game": [40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 51],
  dancing: [52, 119, 120, 121, 122, 123, 124, 125],
  "horseback riding": [53, 54],
  climbing: [94],
  "other outdoor": [16],
  "other indoor": [83],
  triathlon: [68],
  duathlon: [69],
  "off-road triathlon": [70],
  "off-road duathlon": [71],
  multisport: [82],
};

const names = new Map(Object.entries(NUMBERS).flatMap(([name, numbers]) => numbers.map((number) => [number, name])));

/** Turns the number of a sport into its name: 27 is `trail running`, and 21 is `Polar sport 21`. */
export function sportOf(text: string): string {
  return names.get(Number(text)) ?? `Polar sport ${text}`;
}

/** Turns `PT2753.875S`, `PT1H2M3S` or `P1DT5S` into seconds. Any other text stays unchanged. */
export function secondsOf(text: string): string {
  const form = /^P(?:(\d{1,3})D)?T(?:(\d{1,5})H)?(?:(\d{1,6})M)?(?:(\d{1,9}(?:\.\d{1,9})?)S)?$/;
  const parts = form
    .exec(text)
    ?.slice(1)
    .map((part) => Number(part ?? 0));
  if (parts === undefined || text.endsWith("T")) return text;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = parts;
  return String(Math.round((days * 86_400 + hours * 3600 + minutes * 60 + seconds) * 1000) / 1000);
}

/** The laps of an exercise. An old export has one list. A new export has the laps by hand and the laps by distance together. */
export function lapsOf(value: unknown): readonly TableLap[] {
  if (Array.isArray(value)) return value.filter(isJsonRow).map(lapOf);
  const { laps, autoLaps } = isJsonRow(value) ? value : {};
  return lapsOf([laps, autoLaps].find((list) => Array.isArray(list) && list.length > 1) ?? []);
}

function lapOf(lap: Readonly<Record<string, unknown>>): TableLap {
  const metres = lap.distanceMeters ?? lap.distance;
  const seconds =
    typeof lap.durationMillis === "number" ? lap.durationMillis / 1000 : Number(secondsOf(`${lap.duration}`));
  return {
    ...(typeof metres === "number" && { distance: { unit: "m", value: metres } }),
    ...(Number.isFinite(seconds) && { timer: seconds }),
  };
}

/** The member with the calories of a session with several exercises. */
export const SESSION_CALORIES = "calories of the session";

/** Drops the calories of a session from the row of an exercise that has its own. */
export function withoutRepeatedCalories(row: JsonRow): JsonRow {
  const { exercises, ...session } = row;
  if (!isJsonRow(exercises) || !(Number(exercises.kiloCalories) > 0)) return row;
  const { kiloCalories: _, [SESSION_CALORIES]: __, ...others } = session;
  return { ...others, exercises };
}

/** Turns `NaN`, which Polar writes for a missing number, into JSON. */
export function withoutNaN(text: string): string {
  let inText = false;
  return text.replace(/\\.|"|\bNaN\b/gs, (found) => {
    if (found === '"') inText = !inText;
    return found === "NaN" && !inText ? "null" : found;
  });
}

/** The columns with the distance of a start from UTC, in minutes. */
export const OFFSETS = [
  "exercises/timezoneOffset",
  "exercises/timezoneOffsetMinutes",
  "timeZoneOffset",
  "timezoneOffsetMinutes",
] as const;

/** What makes a session the same in another export of the account: its start on the wall clock. */
export function sameStart(cellOf: (column: string) => string): string {
  const start = (cellOf("exercises/startTime") || cellOf("startTime")).slice(0, 19);
  return startOfNight(start, OFFSETS.map(cellOf).find((text) => text !== "") ?? "");
}
