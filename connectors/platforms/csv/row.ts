/**
 * One row to a workout, as the mapping says. A date or an activity that can't be read sets the row aside; any other cell that
 * can't be read is reported and left out.
 */
import { type Activity, activityNamed, foldSport } from "../../../transforms/activities.ts";
import { type Fix, withFix } from "../../../transforms/model/fix.ts";
import type { Issue } from "../../../transforms/model/issue.ts";
import type { Beyond, Health, RaceStats, Ratings, Start, Weather, Workout } from "../../../transforms/model/workout.ts";
import { type Dimension, type Measure, type UnitOf, unitSpelt } from "../../../transforms/units.ts";
import { heartRate } from "../from-recording.ts";
import {
  parseDate,
  parseDateTime,
  parseMeasure,
  parseNumber,
  parseTimeOfDay,
  parseWhole,
  placedInZone,
} from "./cells.ts";
import { type Columns, fold } from "./columns.ts";
import { parseDuration } from "./durations.ts";
import type { DurationFormat, FieldName } from "./fields.ts";
import { WORKOUT_TYPES } from "./limits.ts";
import type { ColumnSpec, Mapping } from "./mapping.ts";
import { courseKey, courseName, equipmentKey, type Words } from "./things.ts";

/** What every row is read with. */
export interface RowReader {
  readonly mapping: Mapping;
  readonly columns: Columns;
  readonly words: Words;
  readonly sports: ReadonlyMap<string, Activity>;
}

/** A row that can be used, with the names it has for things that are items of their own. */
export interface MappedRow {
  /** The row's own id, where the table has a column of them. */
  readonly id: string | undefined;
  readonly workout: Workout;
  readonly course: string | undefined;
  readonly equipment: readonly { readonly text: string; readonly key: string }[];
}

/** Text that a rule puts in the place of a cell's. */
export type Overrides = Partial<Record<FieldName, string | null | undefined>>;

/** Words for the weather that the log's flags and its exports have used; a mapping's `values` can name others. */
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

/**
 * Maps a row.
 *
 * @param report told of cells that are left out
 * @param fix what a person said in the place of cells
 * @returns the row, or the issue for which it can't be used
 */
export function mapRow(
  fields: readonly string[],
  overrides: Overrides,
  reader: RowReader,
  report: (issue: Issue) => void,
  fix: Fix = {},
): MappedRow | Issue {
  const row = new RowCells(fields, overrides, reader, report);
  const read = startOf(row, reader);
  if ("rule" in read && fix.date === undefined) return read;
  const start = "rule" in read ? {} : read;
  const { activity = fix.activity, sport } = activityOf(row, reader);
  const type = typeOf(row, reader);
  const name = row.text("name");
  const notes = notesOf(row);
  const distance = row.measure("distance", "distance");
  const duration = durationOf(row);
  const health = healthOf(row);
  const raceStats = raceStatsOf(row);
  const ratings = ratingsOf(row);
  const { weather, lost } = weatherOf(row, reader);
  const course = row.text("course");
  const equipment = equipmentOf(row, reader, activity);
  const beyond = [...type.lost, ...lost, ...beyondOf(row)];
  return {
    id: row.text("id"),
    course: course === undefined ? undefined : courseName(course, reader.words),
    equipment,
    workout: withFix(
      {
        ...(activity !== undefined && { activity }),
        ...(sport !== undefined && { sport }),
        ...(type.type !== undefined && { type: type.type }),
        start,
        ...(name !== undefined && { name }),
        ...(notes !== undefined && { notes }),
        ...(course !== undefined && { course: courseKey(courseName(course, reader.words)) }),
        ...(equipment.length > 0 && { equipment: equipment.map(({ key }) => key) }),
        ...(distance !== undefined && { distance }),
        ...(duration !== undefined && { duration }),
        ...(health !== undefined && { health }),
        ...(raceStats !== undefined && { raceStats }),
        ...(ratings !== undefined && { ratings }),
        ...(weather !== undefined && { weather }),
        ...(beyond.length > 0 && { beyond }),
      },
      fix,
    ),
  };
}

function startOf(row: RowCells, { mapping: { dates, file } }: RowReader): Start | Issue {
  const expected = DATE_WORDS[dates.order];
  const both = row.cell("datetime");
  if (both !== undefined) {
    const start = parseDateTime(both.text, dates, file.decimal);
    return start ?? row.bad(both, "csv/bad-date", `${expected} with a time, zone ${dates.zone}`);
  }
  const day = row.cell("date");
  if (day === undefined)
    return { severity: "error", rule: "csv/no-date", field: row.nameOf("date"), found: "", expected };
  const date = parseDate(day.text, dates, file.decimal);
  if (date === undefined) return row.bad(day, "csv/bad-date", expected);
  const clock = row.cell("time");
  if (clock === undefined) return { date };
  const time = parseTimeOfDay(clock.text, dates, file.decimal);
  if (time === undefined) {
    row.complain(clock, "csv/bad-time", "a time of day like 18:05 or 6:05 PM");
    return { date };
  }
  return placedInZone(date, time, undefined, dates) ?? row.bad(clock, "csv/bad-time", `a time, zone ${dates.zone}`);
}

const DATE_WORDS: Readonly<Record<Mapping["dates"]["order"], string>> = {
  iso: "year-month-day",
  dmy: "day.month.year",
  mdy: "month/day/year",
  excel: "a number of days since 1899-12-30",
  "excel-1904": "a number of days since 1904-01-01",
};

/** The mapping's words, then the owner's sports, then the table. Without a word, the mapping's default. */
function activityOf(
  row: RowCells,
  { words, sports, mapping }: RowReader,
): { activity: Activity | undefined; sport: string | undefined } {
  const sport = row.text("activity");
  if (sport === undefined) return { activity: mapping.defaults.activity, sport: undefined };
  const activity = words.activity.get(fold(sport)) ?? sports.get(foldSport(sport)) ?? activityNamed(sport);
  return { activity, sport };
}

function typeOf(row: RowCells, { words }: RowReader): { type: Workout["type"]; lost: Beyond[] } {
  const word = row.text("type");
  if (word === undefined) return { type: undefined, lost: [] };
  const type = words.type.get(fold(word)) ?? WORKOUT_TYPES.find((each) => each === fold(word));
  return { type, lost: type === undefined ? [{ field: "workout type", value: word }] : [] };
}

/** Every column of notes in the mapping's order; with a label, as a line `Label: text`. */
function notesOf(row: RowCells): string | undefined {
  const parts = row
    .cells("notes")
    .map(({ text, spec }) => (spec?.label === undefined ? text : `${spec.label}: ${text}`));
  return parts.length === 0 ? undefined : parts.join("\n");
}

function durationOf(row: RowCells): number | undefined {
  const cell = row.cell("duration");
  if (cell !== undefined) {
    const formats = cell.spec?.format ?? [];
    const duration = parseDuration(cell.text, formats, row.decimal);
    if (duration === undefined)
      row.complain(cell, "csv/bad-duration", formats.map((format) => DURATION_WORDS[format]).join(" or "));
    return duration;
  }
  const parts = DURATION_PARTS.flatMap(({ field, seconds }) => {
    const value = row.number(field);
    return value === undefined ? [] : [value * seconds];
  });
  return parts.length === 0 ? undefined : Math.round(parts.reduce((a, b) => a + b) * 1000) / 1000;
}

const DURATION_WORDS: Readonly<Record<DurationFormat, string>> = {
  "h:mm:ss": "1:02:03",
  "h:mm": "1:05",
  "mm:ss": "45:30",
  "mm:ss:00": "45:30:00",
  minutes: "minutes",
  hours: "hours",
  seconds: "seconds",
  "day-fraction": "a fraction of a day",
  text: "words like 1h 5m",
};

const DURATION_PARTS = [
  { field: "duration.hours", seconds: 3600 },
  { field: "duration.minutes", seconds: 60 },
  { field: "duration.seconds", seconds: 1 },
] as const;

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

function weatherOf(row: RowCells, { words }: RowReader): { weather: Weather | undefined; lost: Beyond[] } {
  const cell = row.cell("conditions");
  const said = split(cell?.text, cell?.spec?.separator ?? ",");
  const flags = said.map(
    (word) => words.conditions.get(fold(word)) ?? FLAGS.filter((flag) => fold(flag) === fold(word).replaceAll(" ", "")),
  );
  const lost = said.filter((_, index) => flags[index]?.length === 0).map((value) => ({ field: "weather", value }));
  const conditions = [...new Set(flags.flat())];
  const temperature = row.measure("temperature", "temperature");
  const weather: Weather = {
    ...(conditions.length > 0 && { conditions }),
    ...(temperature !== undefined && { temperature }),
  };
  return { weather: isEmpty(weather) ? undefined : weather, lost };
}

/** The default is for rows of the activity it is made for: a run doesn't wear out a bike. */
function equipmentOf(
  row: RowCells,
  { words, mapping }: RowReader,
  activity: Activity | undefined,
): MappedRow["equipment"] {
  const texts = row.cells("equipment").flatMap(({ text, spec }) => split(text, spec?.separator));
  const fallback = mapping.defaults.equipment;
  if (texts.length === 0 && fallback !== undefined) {
    const madeFor = words.equipment.get(fold(fallback))?.activity ?? mapping.defaults.activity;
    if (madeFor === undefined || madeFor === activity) texts.push(fallback);
  }
  return texts.map((text) => ({ text, key: equipmentKey(text, words) }));
}

function beyondOf(row: RowCells): Beyond[] {
  return row.cells("beyond").map(({ text, spec }) => ({
    field: spec?.label ?? "",
    value: spec?.unit === undefined ? text : `${text} ${spec.unit}`,
  }));
}

function split(text: string | undefined, separator: string | undefined): string[] {
  const parts = separator === undefined ? [text ?? ""] : (text ?? "").split(separator);
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}

function words(list: string): readonly string[] {
  return list.split(",").map((word) => word.trim());
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0;
}

/** One cell of a field. `spec` is undefined where a rule fills a field that no column has. */
interface Cell {
  readonly text: string;
  readonly name: string;
  readonly spec: ColumnSpec | undefined;
}

/** A row's cells by field. Cells that are empty, or hold one of the mapping's nulls, are absent. */
class RowCells {
  readonly decimal: Mapping["file"]["decimal"];
  readonly #fields: readonly string[];
  readonly #overrides: Overrides;
  readonly #reader: RowReader;
  readonly #report: (issue: Issue) => void;

  constructor(fields: readonly string[], overrides: Overrides, reader: RowReader, report: (issue: Issue) => void) {
    this.decimal = reader.mapping.file.decimal;
    this.#fields = fields;
    this.#overrides = overrides;
    this.#reader = reader;
    this.#report = report;
  }

  cells(field: FieldName): Cell[] {
    const columns = this.#reader.columns.columns.filter(({ spec }) => spec.field === field);
    const override = this.#overrides[field];
    if (override === null) return [];
    if (override !== undefined) return [{ text: override, name: columns[0]?.name ?? field, spec: columns[0]?.spec }];
    return columns.flatMap(({ index, name, spec }) => {
      const text = this.#textAt(index);
      return text === "" ? [] : [{ text, name, spec }];
    });
  }

  cell(field: FieldName): Cell | undefined {
    return this.cells(field)[0];
  }

  /** The name of the column a field has, for messages. */
  nameOf(field: FieldName): string {
    return this.#reader.columns.columns.find(({ spec }) => spec.field === field)?.name ?? field;
  }

  text(field: FieldName): string | undefined {
    return this.cell(field)?.text;
  }

  number(field: FieldName): number | undefined {
    return this.#parsed(field, (text) => parseNumber(text, this.decimal), "csv/bad-number", "a number");
  }

  whole(field: FieldName): number | undefined {
    return this.#parsed(field, (text) => parseWhole(text, this.decimal), "csv/bad-number", "a whole number");
  }

  /** Whole beats; 0 is "not measured". */
  heartRate<F extends "avgHR" | "maxHR" | "restHR">(field: F): Partial<Record<F, number>> {
    const read = (text: string) => {
      const value = parseNumber(text, this.decimal);
      return value === undefined || value < 0 ? undefined : (heartRate(value) ?? 0);
    };
    const beats = this.#parsed(field, read, "csv/bad-number", "beats a minute");
    return beats === undefined || beats === 0 ? {} : ({ [field]: beats } as Partial<Record<F, number>>);
  }

  measure<D extends Dimension>(field: FieldName, dimension: D): Measure<D> | undefined {
    const unit = this.#unitOf(this.cell(field)?.spec, dimension);
    const words = unit === undefined ? "a number with its unit" : `a number of ${unit}`;
    return this.#parsed(field, (text) => parseMeasure(dimension, text, unit, this.decimal), "csv/bad-number", words);
  }

  bad({ text, name }: Cell, rule: string, expected: string): Issue {
    return { severity: "error", rule, field: name, found: text.slice(0, 100), expected };
  }

  complain(cell: Cell, rule: string, expected: string): void {
    this.#report({ ...this.bad(cell, rule, expected), severity: "warning" });
  }

  #parsed<T>(field: FieldName, read: (text: string) => T | undefined, rule: string, expected: string): T | undefined {
    const cell = this.cell(field);
    if (cell === undefined) return undefined;
    const value = read(cell.text);
    if (value === undefined) this.complain(cell, rule, expected);
    return value;
  }

  #unitOf<D extends Dimension>(spec: ColumnSpec | undefined, dimension: D): UnitOf<D> | undefined {
    if (spec?.unit !== undefined) return unitSpelt(dimension, spec.unit);
    const index = spec?.unitColumn === undefined ? undefined : this.#reader.columns.indexOf(spec.unitColumn);
    return index === undefined ? undefined : unitSpelt(dimension, this.#textAt(index));
  }

  #textAt(index: number): string {
    const text = (this.#fields[index] ?? "").replaceAll("\r\n", "\n").replaceAll("\r", "\n").trim();
    return this.#reader.mapping.file.nulls.includes(text) ? "" : text;
  }
}
