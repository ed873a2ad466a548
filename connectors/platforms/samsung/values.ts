/** Reads values in the form of Samsung Health. */
import type { Activity } from "../../../transforms/activities.ts";
import { isoOfMillis } from "../table/cells/instants.ts";

/** The numbers of exercises, from the vendor's table. */
const NAMES: Readonly<Record<number, string>> = {
  ...{ 0: "custom exercise", 1001: "walking", 1002: "running", 2001: "baseball", 4003: "basketball", 4004: "soccer" },
  ...{ 6001: "squash", 6002: "tennis", 6003: "badminton", 9001: "pilates", 9002: "yoga", 10001: "stretching" },
  ...{
    10002: "jump rope",
    10003: "exercise",
    10004: "push-ups",
    10006: "sit-ups",
    10007: "circuit training",
    10010: "burpees",
  },
  ...{ 10012: "squats", 11001: "inline skating", 11005: "horseback riding", 11007: "cycling", 12001: "aerobics" },
  ...{ 13001: "hiking", 13002: "rock climbing", 13003: "backpacking", 13004: "mountain biking", 13005: "orienteering" },
  ...{
    14001: "swimming",
    14002: "water fitness",
    14003: "canoeing",
    14007: "kayaking",
    14010: "Samsung exercise 14010",
  },
  ...{ 15001: "step machine", 15002: "weights", 15003: "exercise bike", 15004: "rowing machine", 15005: "treadmill" },
  ...{
    15006: "elliptical",
    16001: "cross-country skiing",
    16002: "skiing",
    16004: "ice skating",
    16007: "snowboarding",
  },
  ...{ 16008: "alpine skiing", 16009: "snowshoeing" },
};

/** Names for ranges of numbers. */
const RANGES: readonly (readonly [first: number, last: number, name: string])[] = [
  [2001, 8999, "game, martial art or dance"],
  [10_004, 10_027, "strength training"],
  [11_001, 11_999, "sport on wheels or horses"],
  [14_001, 14_999, "water sports"],
  [16_003, 16_006, "sport on ice"],
];

/** The activities of the names above that only this platform has. */
export const SPORTS: Readonly<Record<string, Activity>> = {
  exercise: "other",
  "game, martial art or dance": "other",
  "sport on wheels or horses": "other",
  "sport on ice": "other",
  snowshoeing: "hike",
};

/** Turns the number of an exercise into its name: 1002 is `running`, and 15007 is `Samsung exercise 15007`. Words stay unchanged. */
export function sportOf(text: string): string {
  if (!/^\d{1,6}(\.0)?$/.test(text)) return text;
  const number = Number(text);
  const range = RANGES.find(([first, last]) => number >= first && number <= last);
  return NAMES[number] ?? range?.[2] ?? `Samsung exercise ${number}`;
}

/** The name of an exercise's sport. An own exercise has the number 0, and its title is the owner's name for the sport. */
export function sportIn(type: string, title: string): string {
  return /^0(\.0)?$/.test(type) && title !== "" ? title : sportOf(type);
}

/** Turns `UTC+0530` into `+0530`. */
export function offsetOf(text: string): string {
  return text.replace(/^UTC(?=[-+])/, "");
}

/** The name of a file with a series. Old exports have a 1 in its place, or a 0 if there is no file. */
export function seriesOf(text: string): string | undefined {
  return text === "0" ? undefined : text;
}

/** A humidity. -1 means "none". */
export function humidityOf(text: string): string | undefined {
  return Number(text) < 0 ? undefined : text;
}

/**
 * A temperature in degrees Celsius; "" if its scale is another one. The app numbers the scales. An export of Bogotá with 13 and 20 degrees has scale 1,
 * so 1 is Celsius. Nothing says what other numbers mean. Tables without scales are in degrees Celsius.
 */
export function celsiusOf(text: string, scale: string): string {
  return scale === "" || Number(scale) === 1 ? text : "";
}

/** A temperature in another scale, with the scale's number; "" for degrees Celsius. */
export function withoutCelsius(text: string, scale: string): string {
  return text === "" || celsiusOf(text, scale) !== "" ? "" : `${text}, scale ${scale}`;
}

/** The day of an instant on the owner's clock: `2024-05-06 22:30:00.000` with `UTC+0200` is 2024-05-07. Any other text stays unchanged. */
export function localDay(instant: string, offset: string): string {
  const [, sign, hours, minutes] = /^UTC([-+])(\d{2}):?(\d{2})$/.exec(offset) ?? [];
  const utc = Date.parse(isoOfMillis(instant).replace(/^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d{1,9})?)$/, "$1T$2Z"));
  if (hours === undefined || Number.isNaN(utc)) return instant;
  const apart = (Number(hours) * 60 + Number(minutes)) * 60_000;
  return new Date(utc + (sign === "-" ? -apart : apart)).toISOString().slice(0, 10);
}
