/** Reads values in the form of SportTracks. */
import { activityNamed } from "../../../transforms/activities.ts";
import { haversine, type Position } from "../../../transforms/geo.ts";
import type { XmlRecord, XmlSum, XmlValue } from "../../formats/xml/each.ts";
import { elementsOf, membersOf, numberOf } from "../../formats/xml/members.ts";
import type { TableLap } from "../table/mapping/fields.ts";
import { withPoints } from "./commas.ts";

/** A lap below one second means that the button was pressed twice. */
const SHORTEST_LAP = 1;

/**
 * Sums up the points of a track: `seconds` and `metres` at the last point, the mean and the largest heart rate, the first position, and the names
 * of the series. Without distances, the positions give the metres.
 */
export function trackSum(): XmlSum {
  const series = new Set<string>();
  let [seconds, distance, metres, beats, rates, most] = [0, 0, 0, 0, 0, 0];
  let first: Position | undefined;
  let last: Position | undefined;
  return {
    add(_, point) {
      const at = withPoints(membersOf(point));
      for (const name of Object.keys(at)) if (name !== "tm") series.add(name);
      seconds = Math.max(seconds, numberOf(at.tm) ?? 0);
      distance = Math.max(distance, numberOf(at.dist) ?? 0);
      const rate = numberOf(at.hr) ?? 0;
      if (rate > 0) [beats, rates, most] = [beats + rate, rates + 1, Math.max(most, rate)];
      const [lat, lon] = [numberOf(at.lat), numberOf(at.lon)];
      if (lat === undefined || lon === undefined) return;
      if (last !== undefined) metres += haversine(last, { lat, lon });
      last = { lat, lon };
      first ??= last;
    },
    result: () => ({
      seconds: String(seconds),
      metres: String(Math.round((distance > 0 ? distance : metres) * 100) / 100),
      ...(rates > 0 && { meanHR: String(beats / rates), maxHR: String(most) }),
      ...(first !== undefined && { position: `${first.lat} ${first.lon}` }),
      series: [...series].join(", "),
    }),
  };
}

/** The number of bytes before the points of a route, and of one point. */
const ROUTE = { head: 16, point: 14 } as const;

/** Takes the first position of the route of a logbook. The points are in base64: seconds, latitude, longitude and metres. */
export function routeSum(): XmlSum {
  let position: string | undefined;
  return {
    add(_, track) {
      const text = membersOf(track)["text()"];
      if (typeof text !== "string" || membersOf(track).version !== "2") return;
      const bytes = Buffer.from(text.trimStart().slice(0, 2 * (ROUTE.head + ROUTE.point)), "base64");
      if (bytes.length < ROUTE.head + ROUTE.point || bytes.readInt32LE(8) < 1) return;
      const at = ROUTE.head + 2;
      position ??= [bytes.readFloatLE(at), bytes.readFloatLE(at + 4)].map((each) => each.toFixed(5)).join(" ");
    },
    result: (): XmlRecord => (position === undefined ? {} : { position }),
  };
}

/** Seconds between two times of one form; 0 if they can't be read. */
function secondsBetween(from: XmlValue | undefined, to: XmlValue | undefined): number {
  const millis = Date.parse(`${to}`) - Date.parse(`${from}`);
  return millis > 0 ? millis / 1000 : 0;
}

/**
 * Adds members to an activity of a fitlog: `lapList`, the names of its gear, and totals of its track, in case the activity has none. The time of a
 * track includes pauses.
 */
export function withTotals(written: XmlRecord): Readonly<Record<string, unknown>> {
  const activity = withPoints(written);
  const laps = elementsOf(activity.Laps, "Lap").map((lap) => ({
    seconds: numberOf(lap.DurationSeconds) ?? 0,
    metres: numberOf(membersOf(lap.Distance).TotalMeters),
    more: lap,
  }));
  const markers = elementsOf(activity.DistanceMarkers, "Marker").flatMap(({ dist }) => numberOf(dist) ?? []);
  const total = numberOf(membersOf(activity.Distance).TotalMeters);
  const track = membersOf(activity.Track);
  const paused = elementsOf(activity.TrackClock, "Pause").reduce(
    (sum, { StartTime, EndTime }) => sum + secondsBetween(StartTime, EndTime),
    0,
  );
  const inLaps = laps.reduce((sum, { metres }) => sum + (metres ?? 0), 0);
  const active = (numberOf(track.seconds) ?? 0) - paused;
  return {
    ...activity,
    ...zeroOf(activity.Weather, "Temp", "Conditions"),
    lapList: lapsOf(laps, markers, total),
    inLaps: inLaps > 0 ? inLaps : undefined,
    secondsInLaps: laps.reduce((sum, { seconds }) => sum + seconds, 0),
    onTrack: active > 0 ? Math.round(active * 1000) / 1000 : undefined,
    gear: elementsOf(activity.EquipmentUsed, "EquipmentItem").flatMap((item) => idOfPiece(item) ?? []),
  };
}

/** A lap as the file has it. */
interface WrittenLap {
  readonly seconds: number;
  readonly metres: number | undefined;
  /** The lap with all that it has. */
  readonly more: XmlRecord;
}

/**
 * Makes laps with distances. A lap has its own distance, or the file has marks: the cumulative metres at the ends of laps. The last lap ends with
 * the workout and has no mark. If the marks don't fit the laps, the distances stay unknown.
 */
function lapsOf(written: readonly WrittenLap[], marks: readonly number[], total: number | undefined) {
  const laps = written.filter(({ seconds }) => seconds >= SHORTEST_LAP);
  const ends = marks.length === laps.length - 1 && total !== undefined ? [...marks, total] : marks;
  return laps.map(({ seconds, metres, more }, index): TableLap & { readonly more: XmlRecord } => {
    const byMarks = ends.length === laps.length ? (ends[index] ?? 0) - (ends[index - 1] ?? 0) : undefined;
    const value = metres ?? byMarks;
    return {
      ...{ timer: seconds, more },
      ...(value !== undefined && { distance: { unit: "m", value: Math.round(value * 100) / 100 } }),
    };
  });
}

/** A temperature of 0. It stands for none, unless the weather has conditions, too: then it is 0 °C. Otherwise it is counted. */
function zeroOf(weather: XmlValue | undefined, name: string, conditions: string) {
  const of = membersOf(weather);
  if (of[name] === undefined || numberOf(of[name]) !== 0) return {};
  return { [`${of[conditions] ?? ""}`.trim() === "" ? "temperature 0" : "zero degrees"]: of[name] };
}

/** The laps that `withTotals` and `withCategory` made. */
export function lapsAsMade(laps: unknown): readonly TableLap[] {
  return laps as readonly TableLap[];
}

/** The names from a category up to the root, and the id of the root. */
export interface Category {
  readonly names: readonly string[];
  readonly root: string;
}

/** All categories of a logbook by id. */
export function categoriesOf(tree: XmlRecord): ReadonlyMap<string, Category> {
  const found = new Map<string, Category>();
  const add = (category: XmlRecord, above: Category | undefined) => {
    const id = `${category.referenceId}`;
    const own: Category =
      above === undefined
        ? { names: [], root: id }
        : { names: [`${category.name ?? ""}`, ...above.names], root: above.root };
    found.set(id, own);
    for (const each of elementsOf(category.Categories, "ActivityCategory")) add(each, own);
    // Some logbooks have the categories below one another, without a list around them.
    for (const name of ["Category", "ActivityCategory"]) for (const each of elementsOf(category, name)) add(each, own);
  };
  for (const category of elementsOf(tree, "Category")) add(category, undefined);
  return found;
}

/** The root of the activities of friends: the same id in logbooks of all languages. */
const FRIENDS = "0277c86c-cf72-11db-9705-005056c00008";

/**
 * Adds members to an activity of a logbook. `sport` is the first name of a sport on the path from its category up to the root, and `kind` has the
 * names below it. If no name is a sport, `sport` is the category. `start` is a day if the activity has no time.
 */
export function withCategory(written: XmlRecord, categories: ReadonlyMap<string, Category>) {
  const activity = withPoints(written);
  const category = categories.get(`${activity.categoryId}`);
  const laps = elementsOf(activity.Laps, "Lap").map((lap) => ({
    seconds: numberOf(lap.totalTime) ?? 0,
    metres: undefined,
    more: lap,
  }));
  const marks = elementsOf(activity.DistanceMarkers, "DistanceMarker").flatMap(
    ({ distance }) => numberOf(distance) ?? [],
  );
  const tracks = Object.keys(activity).filter((name) => /(?:Track|Route)$/.test(name));
  return {
    ...Object.fromEntries(Object.entries(activity).filter(([name]) => !tracks.includes(name))),
    ...zeroOf(activity.Weather, "temperatureCelsius", "conditions"),
    start: activity.hasStartTime === "false" ? dayOf(`${activity.startTime}`) : activity.startTime,
    position: membersOf(activity.GPSRoute).position,
    lapList: lapsOf(laps, marks, numberOf(activity.totalDistance)),
    ...sportIn(category ?? { names: [`${activity.categoryName ?? ""}`], root: "" }),
    series: tracks.join(", "),
  };
}

/** The members `sport`, `kind` and `friend` of an activity by its category: see `withCategory`. */
export function sportIn({ names, root }: Category) {
  const at = names.findIndex((name) => activityNamed(name) !== undefined);
  return {
    sport: names[Math.max(at, 0)],
    kind: names.slice(0, Math.max(at, 0)).toReversed().join(" "),
    friend: root === FRIENDS ? "true" : undefined,
  };
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/**
 * Finds the day of a local midnight that is written in UTC: `2010-05-06T22:00:00Z` is 2010-05-07. From 10 to 12 o'clock UTC, it may be midnight of
 * two days, in the far east and the far west of the Pacific. Then the day stays unknown. It also does if the time can't be a midnight.
 */
export function dayOf(text: string): string {
  const instant = Date.parse(text);
  const since = ((instant % DAY) + DAY) % DAY;
  if (Number.isNaN(instant) || since % (HOUR / 4) !== 0 || (since >= 10 * HOUR && since < 12 * HOUR))
    return `day of ${text}`;
  return new Date(since < 12 * HOUR ? instant - since : instant - since + DAY).toISOString().slice(0, 10);
}

/** Adds the ids of its workouts, and the day of purchase, to a piece of gear of a logbook. */
export function withWorkouts(written: XmlRecord): Readonly<Record<string, unknown>> {
  const item = withPoints(written);
  const { datePurchased } = item;
  return {
    ...item,
    workouts: elementsOf(item.Activities, "Activity").flatMap(({ referenceId }) => referenceId ?? []),
    ...(typeof datePurchased === "string" && { datePurchased: dayOf(datePurchased) }),
  };
}

/** The id of a piece of a fitlog; its name if it has none. */
function idOfPiece({ Id, Name }: XmlRecord): string | undefined {
  return [Id, Name].find((text): text is string => typeof text === "string" && text !== "");
}

/** Splits the name of a piece of a fitlog, `ASICS - Cumulus 10`, at the first hyphen between blanks. */
export function withBrand(item: XmlRecord): Readonly<Record<string, unknown>> {
  const [, brand, model] = /^(.{1,100}?) - (.{1,200})$/.exec(`${item.Name}`) ?? [];
  return { ...item, Id: idOfPiece(item), brand, model: model ?? item.Name };
}

/** A name, unless it is only a date. */
export function nameOf(text: string): string | undefined {
  return /^\d{1,4}[-./]\d{1,2}[-./]\d{1,4}\.?$/.test(text) ? undefined : text;
}

/** Metres of descent. A logbook writes them with a minus. */
export function withoutSign(text: string): string {
  return text.replace(/^-/, "");
}

/** A price in the form of its owner's country, `89,95`. Two digits behind a mark are no thousands; any other form stays as it is, and is named. */
export function priceOf(text: string): string {
  return text.replace(/^(\d{1,7}),(\d{1,2})$/, "$1.$2");
}
