/**
 * Turns one row into a workout, as the mapping says. An unreadable date or activity rejects the row. Any other unreadable cell is reported
 * and left out.
 */
import { type Activity, activityNamed, foldSport } from "../../../../transforms/activities.ts";
import { type Fix, withFix } from "../../../../transforms/model/fix.ts";
import type { Issue } from "../../../../transforms/model/issue.ts";
import {
  type Health,
  type IntervalSet,
  MIDNIGHT_OR_NOON,
  type RaceStats,
  type Ratings,
  type Start,
  type UnsupportedValue,
  type Weather,
  type Workout,
} from "../../../../transforms/model/workout.ts";
import { COMPUTE_IT, UNCOMPUTED } from "../../../formats/sheets/sheet.ts";
import { atInstant, isOnNoClock } from "../../at-instant.ts";
import { intervalsOf } from "../../from-recording.ts";
import { dayBeforeMissing, parseDate, parseDateTime, parseTimeOfDay, toStart } from "../cells/cells.ts";
import { fold } from "../columns/columns.ts";
import { DATE_WORDS } from "../columns/date-order.ts";
import { type Cell, type CellReader, type Overrides, RowCells, split } from "../columns/row-cells.ts";
import { firstName } from "../columns/second-columns.ts";
import type { CalledGearBook, GearCells } from "../lists/called-gear.ts";
import { courseKey, courseName, type Words } from "../lists/things.ts";
import type { Conventions } from "../mapping/mapping.ts";
import { RULES } from "../mapping/rule-names.ts";
import type { GearBook, UsedGear } from "../other-records/gear.ts";
import { leftOfLaps } from "./left-of-laps.ts";
import { idOf } from "./rounded-ids.ts";
import { gearOf } from "./row-gear.ts";
import { courseOf, notesOf, typeOf } from "./row-texts.ts";
import { lapsInColumns, timesOf } from "./times.ts";
import { unreadClockIn, unreadIn, unreadNumbersIn } from "./unread-values.ts";
import { withinDay } from "./within-day.ts";
import { inItsZone } from "./zones.ts";

/** Everything needed to read a row. */
export interface RowReader extends CellReader {
  /** Begins every key: the connector's name. */
  readonly prefix: string;
  readonly mapping: Conventions;
  readonly words: Words;
  readonly sports: ReadonlyMap<string, Activity>;
  /** Finds the gear of a row by the row's id, if there is a list of uses. */
  readonly gear?: GearBook;
  /** Finds the gear that a row names by text. */
  readonly called?: CalledGearBook;
}

/** A usable row, and the names in it that lead to separate items. */
export interface MappedRow {
  /** The row's own id, if the table has a column for it. */
  readonly id: string | undefined;
  /** The text in the place of the id, if a spreadsheet program rounded it. */
  readonly rounded?: string;
  readonly workout: Workout;
  /** The name of its device file. */
  readonly file: string | undefined;
  readonly course: string | undefined;
  readonly equipment: readonly UsedGear[];
  /** Words in its cells that stand for no gear. */
  readonly placeholders: readonly string[];
  /** The names that it uses for gear, if no list has an id for it. */
  readonly called: GearCells;
}

/** Words for the weather in the log's flags and its exports. A mapping's `values` can name others. */
const FLAGS = words(`
  clear, overcast, snow, windy, rain, partlyCloudy, sunny, drizzle, fog, mist, haze, sleet, showers, thunderstorm
`);

const RACE_FIELDS = [
  "fieldPlacement",
  "fieldSize",
  "groupPlacement",
  "groupSize",
  "groupMinAge",
  "groupMaxAge",
] as const satisfies readonly (keyof RaceStats)[];

/** The advice when the table does not show whether a distance is in kilometres or in miles. */
const WITHOUT_UNIT =
  "its unit, which nothing in the table says: say the distance with its unit, or for all rows `unit: km` or `unit: mi` in a mapping file (--map)";

/** The advice when a mapping file has no unit for the sport of the row. */
function withoutUnitFor(activity: Activity | undefined, sport: string | undefined): string {
  const found = activity ?? sport ?? "rows without a sport";
  return `a unit for ${found}: say \`unit: { ${activity ?? "default"}: km }\`, or the distance with its unit`;
}

/** The reason why a row is unusable if nothing says the unit of its distance. */
function unitProblem(row: RowCells, sport: string | undefined): Issue | undefined {
  const bare = row.withoutUnit("distance", "distance");
  if (bare === undefined) return undefined;
  const advice = bare.spec?.units === undefined ? WITHOUT_UNIT : withoutUnitFor(row.activity, sport);
  const found = { name: bare.name, text: bare.written ?? bare.text };
  const own = bare.spec?.adviceBy?.((column) => row.columnText(column), row.activity);
  if (own !== undefined) return row.bad(found, "table/unit-of-row", own);
  return row.bad(found, "unknown-unit", bare.spec?.expected ?? advice);
}

/**
 * Maps a row.
 *
 * @param report receives issues about cells that are left out
 * @param fix values from a person that replace cells
 * @returns the row, or the issue that makes it unusable
 */
export function mapRow(
  fields: readonly string[],
  overrides: Overrides,
  reader: RowReader,
  report: (issue: Issue) => void,
  fix: Fix = {},
): MappedRow | Issue {
  const row = new RowCells(fields, overrides, reader, report);
  const refused = refusalOf(row, fields, reader);
  if (refused !== undefined) return refused;
  const read = onItsDay(inItsZone(startOf(row, reader), row), row);
  if ("rule" in read && fix.date === undefined) return read;
  const start = "rule" in read ? besideDay(row, reader, fix.date) : read;
  const { activity = fix.activity, sport } = activityOf(row, reader);
  row.activity = activity;
  const withoutUnit = fix.distance === undefined ? unitProblem(row, sport) : undefined;
  if (withoutUnit !== undefined) return withoutUnit;
  const type = typeOf(row, reader.words);
  const name = row.text("name");
  const notes = notesOf(row, type.line);
  const distance = fix.distance ?? distanceOf(row);
  const facts = { isRace: type.type === "race", distance, start };
  const { duration, lost: otherTime } = timesOf(row, facts, reader.mapping);
  const health = healthOf(row);
  const { intervalSet, left: ofLaps } = lapsOf(row);
  const [raceStats, ratings] = [raceStatsOf(row), ratingsOf(row)];
  const { weather, lost } = weatherOf(row, reader);
  const course = courseOf(row);
  const own = idOf(row, report);
  const recorder = row.text("recorder");
  const listed = own.id === undefined ? [] : (reader.gear?.of(own.id) ?? []);
  const called = calledIn(row);
  const known = reader.called?.keyFor(called);
  const { used: inCells, placeholders } = gearOf(row, reader, activity);
  const used = [...inCells, ...listed, ...(known ? [{ text: known, key: known }] : [])];
  // A row may name a piece, and the list of the piece may name the row too. The piece counts once.
  const pieces = used.filter(({ key }, index) => used.findIndex((each) => each.key === key) === index);
  const equipment = reader.gear?.inOrder(pieces, activity) ?? pieces;
  const kept = { distance, duration, start, fix };
  const unsupported = [...type.lost, ...otherTime, ...lost, ...ofLaps, ...readUnsupported(row, kept)];
  return {
    ...own,
    file: row.text("file"),
    course: course === undefined ? undefined : courseName(course, reader.words),
    equipment,
    placeholders,
    called,
    workout: withFix(
      {
        ...(activity !== undefined && { activity }),
        ...(sport !== undefined && { sport }),
        ...(type.type !== undefined && { type: type.type }),
        start,
        ...(name !== undefined && { name }),
        ...(notes !== undefined && { notes }),
        ...(course !== undefined && { course: courseKey(courseName(course, reader.words), reader.prefix) }),
        ...(equipment.length > 0 && { equipment: equipment.map(({ key }) => key) }),
        ...(distance !== undefined && { distance }),
        ...(duration !== undefined && { duration }),
        ...(health !== undefined && { health }),
        ...(intervalSet !== undefined && { intervalSet }),
        ...(raceStats !== undefined && { raceStats }),
        ...(ratings !== undefined && { ratings }),
        ...(weather !== undefined && { weather }),
        ...(recorder !== undefined && { recorder }),
        ...(unsupported.length > 0 && { unsupported }),
      },
      fix,
    ),
  };
}

/** The names in a row, whether or not the row is usable; undefined if its cells can't be assigned to columns. */
export function namesIn(
  fields: readonly string[],
  overrides: Overrides,
  reader: RowReader,
): (Pick<MappedRow, "id" | "file" | "called"> & { readonly activity: Activity | undefined }) | undefined {
  const row = new RowCells(fields, overrides, reader, () => {});
  if (isOfOtherWidth(fields, reader)) return undefined;
  const { activity } = activityOf(row, reader);
  return { ...idOf(row), file: row.text("file"), called: calledIn(row), activity };
}

function calledIn(row: RowCells): GearCells {
  return { text: row.text("gear") ?? "", bike: row.text("gear.bike"), shoes: row.text("gear.shoes") };
}

function isOfOtherWidth(fields: readonly string[], { columns }: RowReader): boolean {
  return columns.byPlace === true && fields.length !== columns.width;
}

/** The reason why a row is unusable with any date: its cells are in wrong places, or its id has a wrong form. */
function refusalOf(row: RowCells, fields: readonly string[], reader: RowReader): Issue | undefined {
  const { columns, width } = reader.columns;
  if (isOfOtherWidth(fields, reader)) {
    const expected = `${width}, as many as the header has`;
    return { severity: "error", rule: "table/row-width", found: `${fields.length} cells`, expected };
  }
  const column = columns.find(({ spec }) => spec.field === "id");
  const { id = "", rounded } = idOf(row);
  if (column?.spec.matches === undefined || rounded !== undefined || column.spec.matches.test(id)) return undefined;
  return row.bad({ text: id, name: column.name }, "table/bad-id", column.spec.expected ?? "an id");
}

function startOf(row: RowCells, { mapping: { dates, file }, rules }: RowReader): Start | Issue {
  const expected = DATE_WORDS[dates.order];
  const both = row.cell("datetime");
  if (both !== undefined) {
    const start = parseDateTime(both.text, dates, file.decimal);
    return start === undefined
      ? unreadDate(row, both, dates, `${expected} with a time, zone ${dates.zone}`)
      : withInstant(start, row);
  }
  const day = row.cell("date");
  const instant = day === undefined ? instantOf(row) : undefined;
  if (instant !== undefined) return { instant };
  if (day === undefined)
    return { severity: "error", rule: RULES[rules]["no-date"], field: row.nameOf("date"), found: "", expected };
  const date = parseDate(day.text, dates, file.decimal);
  if (date === undefined) return unreadDate(row, day, dates, expected);
  const clock = row.cell("time");
  if (clock === undefined) return withinDay(date, instantOf(row));
  const time = parseTimeOfDay(clock.text, dates, file.decimal);
  if (time === undefined) {
    row.complain(clock, "bad-time", "a time of day like 18:05 or 6:05 PM");
    return { date };
  }
  return toStart(date, time, undefined, dates) ?? row.bad(clock, "bad-time", `a time, zone ${dates.zone}`);
}

/** Why a date can't be read: it is written otherwise, or, in a person's own sheet, it names a day past the end of its month. */
function unreadDate(row: RowCells, cell: Cell, dates: Conventions["dates"], expected: string): Issue {
  const wanted = cell.text === UNCOMPUTED ? COMPUTE_IT : (cell.spec?.expected ?? expected);
  const bad = row.bad(cell, "bad-date", wanted);
  const last = row.rules === "csv" ? dayBeforeMissing(cell.text, dates) : undefined;
  if (last === undefined) return bad;
  return { ...bad, rule: RULES.csv["no-such-day"], expected: `a day that exists: the month ends on ${last}` };
}

const CLOCK_AT_END = /(?<![\d:])\d{1,2}:\d{2}(?::\d{2})?(?: ?[AP]M)?$/i;

/** The start of a row whose day a person said: its local time counts if it can be read, also behind a day that can't. */
function besideDay(row: RowCells, { mapping: { dates, file } }: RowReader, date: Start["date"]): Start {
  const text = row.cell("time")?.text ?? CLOCK_AT_END.exec(row.cell("datetime")?.text ?? "")?.[0];
  const time = text === undefined || dates.zone !== "local" ? undefined : parseTimeOfDay(text, dates, file.decimal);
  return date === undefined || time === undefined ? {} : { date, time };
}

/** Computes the offset from UTC from the row's local time and instant. Where no clock is so far from UTC, the instant alone counts. */
function withInstant(start: Start, row: RowCells): Start {
  const instant = instantOf(row);
  if (instant === undefined) return start;
  const cell = row.cell("datetime");
  if (cell === undefined || !isOnNoClock(start, instant)) return atInstant(start, instant, 0);
  row.complain(cell, "table/unknown-zone", "a local time from -12 h to +14 h from UTC; the row's time in UTC counts");
  return { instant };
}

/** Keeps only the day of a start, if the row says that its time means something else. */
function onItsDay(start: Start | Issue, row: RowCells): Start | Issue {
  const said = row.cell("untimed")?.text;
  if ("rule" in start || said === undefined) return start;
  if (start.date !== undefined) return { date: start.date };
  if (start.instant === undefined) return start;
  return { ...start, untimed: said === MIDNIGHT_OR_NOON ? said : true };
}

function instantOf(row: RowCells): number | undefined {
  const cell = row.cell("instant");
  if (cell === undefined) return undefined;
  const instant = parseDateTime(cell.text, { order: "iso", zone: "utc", twoDigitYearPivot: 0 }, ".")?.instant;
  if (instant === undefined) row.complain(cell, "bad-date", "an instant of UTC");
  return instant;
}

/**
 * Looks a sport up in the mapping's words, then in the owner's sports, then in the table. Without a sport, it takes the mapping's default.
 */
function activityOf(
  row: RowCells,
  { words, sports, mapping, rules }: RowReader,
): { activity: Activity | undefined; sport: string | undefined } {
  const sport = row.text("activity");
  if (sport === undefined) return { activity: mapping.defaults.activity, sport: undefined };
  // The number of a platform's sport is somebody's own code in a table of their own: 1 is a ride for Strava, and a run for them.
  const named = rules === "csv" && /^\d+$/.test(sport) ? undefined : activityNamed(sport);
  const activity = words.activity.get(fold(sport)) ?? sports.get(foldSport(sport)) ?? named;
  return { activity, sport };
}

/** The distance of a row. One below 0 is reported, and counts as a value that can't be read. */
function distanceOf(row: RowCells): Workout["distance"] {
  const distance = row.measure("distance", "distance");
  const cell = row.cell("distance");
  if (distance === undefined || cell === undefined || distance.value >= 0) return distance;
  if (row.belowZero("distance") === undefined) return distance;
  row.complain(cell, "bad-number", "a distance that is not below 0");
  return undefined;
}

function healthOf(row: RowCells): Health | undefined {
  const weight = row.measure("weight", "weight");
  const health: Health = {
    ...row.heartRate("avgHR"),
    ...row.heartRate("maxHR"),
    ...row.heartRate("restHR"),
    ...(weight !== undefined && { weight }),
  };
  return isEmpty(health) ? undefined : health;
}

/** The laps of the first cell that has at least two. */
function lapsOf(row: RowCells): { readonly intervalSet?: IntervalSet | undefined; readonly left: UnsupportedValue[] } {
  const own = lapsInColumns(row);
  if (own.laps.length > 0 || own.left.length > 0) return { intervalSet: intervalsOf(own.laps), left: [...own.left] };
  for (const { text, spec } of row.cells("laps")) {
    const value: unknown = JSON.parse(text);
    const intervalSet = intervalsOf(spec?.laps?.(value) ?? []);
    if (intervalSet !== undefined) return { intervalSet, left: [...leftOfLaps(value)] };
  }
  return { left: [] };
}

function raceStatsOf(row: RowCells): RaceStats | undefined {
  const stats: RaceStats = Object.fromEntries(
    RACE_FIELDS.flatMap((field) => {
      const value = row.whole(field);
      return value === undefined ? [] : [[field, value]];
    }),
  );
  return isEmpty(stats) ? undefined : stats;
}

function ratingsOf(row: RowCells): Ratings | undefined {
  const effort = row.number("effort");
  const quality = row.number("quality");
  const ratings: Ratings = { ...(effort !== undefined && { effort }), ...(quality !== undefined && { quality }) };
  return isEmpty(ratings) ? undefined : ratings;
}

function weatherOf(row: RowCells, { words }: RowReader): { weather: Weather | undefined; lost: UnsupportedValue[] } {
  const cell = row.cell("conditions");
  const { label: field = "weather", separator = ",", decimal } = cell?.spec ?? {};
  // If the column says how numbers are written, numbers stand for words: `3.0` means 3.
  const said = split(decimal === undefined ? cell?.text : row.number("conditions")?.toString(), separator);
  const flags = said.map(
    (word) => words.conditions.get(fold(word)) ?? FLAGS.filter((flag) => fold(flag) === fold(word).replaceAll(" ", "")),
  );
  const unknown = said.filter((_, index) => flags[index]?.length === 0).map((value) => ({ field, value }));
  const conditions = [...new Set(flags.flat())];
  const [first, ...others] = row.measures("temperature", "temperature");
  const temperature = first?.measure;
  const lost = [...unknown, ...others.flatMap(({ measure, spec }) => unused(measure, spec?.label))];
  const weather: Weather = {
    ...(conditions.length > 0 && { conditions }),
    ...(temperature !== undefined && { temperature }),
  };
  return { weather: isEmpty(weather) ? undefined : weather, lost };
}

/** If a column has a label, its value counts as unsupported when another column of the field counts. */
function unused({ value, unit }: { value: number; unit: string }, label: string | undefined): UnsupportedValue[] {
  return label === undefined ? [] : [{ field: label, value: `${value} ${unit}` }];
}

function readUnsupported(
  row: RowCells,
  { start, fix, ...read }: Parameters<typeof unreadIn>[1] & { readonly start: Start; readonly fix: Fix },
): UnsupportedValue[] {
  const unsupported = [...row.cells("unsupported"), ...row.cells("series")].map(({ text, spec }) => ({
    field: spec?.label ?? "",
    value: spec?.unit === undefined ? text : `${text} ${spec.unit}`,
  }));
  const repeats = row.repeats().map(({ name, text }) => ({ field: `another ${firstName(name)}`, value: text }));
  const isTimed = (start.time ?? start.instant ?? fix.time) !== undefined;
  return [...unsupported, ...repeats, ...unreadIn(row, read), ...unreadClockIn(row, isTimed), ...unreadNumbersIn(row)];
}

function words(list: string): readonly string[] {
  return list.split(",").map((word) => word.trim());
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0;
}
