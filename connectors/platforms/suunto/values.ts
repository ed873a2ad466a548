/** Reads values in the form of Suunto. The units are those of physics: a heart rate is in hertz and a temperature in kelvin. */
import type { TableLap } from "../table/mapping/fields.ts";
import { isJsonRow, type JsonRow } from "../table/sources/json-source.ts";

/** The numbers of sports on the watch, by name. Source: sports-lib. */
const WATCH: Readonly<Record<number, string>> = {
  ...{ 1: "not specified", 2: "multisport", 3: "run", 4: "cycling", 5: "mountain biking", 6: "swimming", 8: "skating" },
  ...{ 9: "aerobics", 10: "yoga/pilates", 11: "trekking", 12: "walking", 13: "sailing", 14: "kayaking", 15: "rowing" },
  ...{ 16: "climbing", 17: "indoor cycling", 18: "circuit", 19: "triathlon", 20: "alpine ski", 21: "snowboard" },
  ...{ 22: "xc ski", 23: "weights", 24: "basketball", 25: "soccer", 26: "ice hockey", 27: "volleyball", 33: "tennis" },
  ...{ 34: "badminton", 37: "squash", 39: "boxing", 55: "swimrun", 56: "duathlon", 57: "aquathlon" },
  ...{ 61: "adventure racing", 64: "crosstrainer", 66: "golf", 69: "riding", 70: "ice skating", 71: "indoor rowing" },
  ...{ 74: "mountaineering", 75: "orienteering", 78: "ski touring", 81: "track and field", 82: "trail running" },
  ...{ 83: "open water swim", 84: "nordic walking", 85: "snowshoe", 87: "kettlebell", 88: "roller ski", 89: "sup" },
  ...{ 90: "crossfit", 93: "treadmill", 95: "indoor training", 96: "hiking", 97: "fishing", 98: "hunting" },
};

/** The numbers of sports in the app, which differ from those on the watch. Source: open-wearables. */
const APP: Readonly<Record<number, string>> = {
  ...{
    0: "walking",
    1: "running",
    2: "cycling",
    3: "xc ski",
    10: "mountain biking",
    11: "hiking",
    13: "downhill skiing",
  },
  ...{ 15: "rowing", 21: "swimming", 22: "trail running", 23: "gym", 24: "nordic walking", 29: "climbing" },
  ...{ 30: "snowboard", 31: "ski touring" },
};

/** The name of a sport of the watch: 82 is `trail running`, and 50 is `Suunto sport 50`. */
export function sportOfWatch(text: string): string {
  return WATCH[Number(text)] ?? `Suunto sport ${text}`;
}

/** Whether a number of the watch names a sport. 1 says that none was specified. */
export function namesSport(text: string): boolean {
  return Number(text) !== 1 && Number(text) in WATCH;
}

/** The name of a sport of the app: 22 is `trail running`, and 50 is `Suunto app sport 50`. */
export function sportOfApp(text: string): string {
  return APP[Number(text)] ?? `Suunto app sport ${text}`;
}

/** Converts hertz to beats or steps a minute: `2.483` is 148.98. */
export function perMinute(text: string): string {
  return scaled(text, (hertz) => hertz * 60);
}

/** Converts kelvin to degrees Celsius. */
export function celsius(text: string): string {
  return scaled(text, (kelvin) => kelvin - 273.15);
}

/** Converts joules to kilocalories. */
export function kilocalories(text: string): string {
  return scaled(text, (joules) => joules / 4184);
}

function scaled(text: string, scale: (value: number) => number): string {
  const value = Number(text);
  return text.trim() === "" || !Number.isFinite(value) ? text : String(Math.round(scale(value) * 100) / 100);
}

/**
 * Adds two members to a log of the watch. `move` is the window of the whole workout, with the first of its statistics. `moving` is the number of
 * seconds without pauses.
 */
export function withMove(log: JsonRow): JsonRow {
  const inner = isJsonRow(log.DeviceLog) ? log.DeviceLog : {};
  const move = windowsOf(inner.Windows).find(({ Type }) => Type === "Move") ?? {};
  const first = Object.fromEntries(Object.entries(move).map(([name, value]) => [name, [value].flat()[0]]));
  const { Duration, PauseDuration } = isJsonRow(inner.Header) ? inner.Header : {};
  const isPaused = typeof Duration === "number" && typeof PauseDuration === "number" && PauseDuration < Duration;
  const moving = isPaused && Duration > 0 ? Math.round((Duration - PauseDuration) * 1000) / 1000 : undefined;
  return { ...log, move: { HR: first.HR, Cadence: first.Cadence, Temperature: first.Temperature }, moving };
}

/** The laps of a log: those by hand, or the automatic ones if there are none. */
export function lapsOf(windows: unknown): readonly TableLap[] {
  const all = windowsOf(windows);
  const [byHand = [], automatic = []] = ["Lap", "Autolap"].map((type) => all.filter(({ Type }) => Type === type));
  return (byHand.length > 1 ? byHand : automatic).map(({ Distance, Duration }) => ({
    ...(typeof Distance === "number" && { distance: { unit: "m", value: Distance } }),
    ...(typeof Duration === "number" && { timer: Duration }),
  }));
}

function windowsOf(windows: unknown): readonly JsonRow[] {
  return (Array.isArray(windows) ? windows : [])
    .map((each: unknown) => (isJsonRow(each) ? (each.Window ?? each) : undefined))
    .filter(isJsonRow);
}
