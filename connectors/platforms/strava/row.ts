/**
 * One row of activities.csv to a workout, by the table in `map.ts`. What only the row's file or the gear list knows
 * (local time, track, equipment) is added by the connector.
 */
import { type Activity, activityNamed, foldSport } from "../../../transforms/activities.ts";
import { type Fix, withFix } from "../../../transforms/model/fix.ts";
import type { Issue } from "../../../transforms/model/issue.ts";
import type { Health, UnsupportedValue, Weather, Workout } from "../../../transforms/model/workout.ts";
import type { Measure } from "../../../transforms/units.ts";
import { heartRate } from "../from-recording.ts";
import type { GearCells } from "../table/called-gear.ts";
import { cleanHeader, type Layout } from "../table/places.ts";
import { parseShownDate } from "../table/shown-dates.ts";
import { parseFloatText, parseShownNumber } from "../table/shown-numbers.ts";
import { COLUMNS, type Mapped, WEATHER } from "./map.ts";

/** A row that can be used. */
export interface MappedRow {
  /** The platform's number of the activity, as text: it has more digits than are safe in a number of some programs. */
  readonly id: string;
  readonly workout: Workout;
  /** The entry it names, from the folder of activities.csv; undefined for an entry made by hand. */
  readonly filename: string | undefined;
}

/** A header, its layout, and what the row reader needs of them. */
export interface Table {
  readonly header: readonly string[];
  readonly layout: Layout;
}

const POSITION_OF = new Map<Mapped, number>(
  COLUMNS.flatMap((column, position) => ("maps" in column ? [[column.maps, position] as const] : [])),
);

/** The activities whose displayed distance is in metres. */
const IN_METRES: readonly (Activity | undefined)[] = ["swim", "row"];

/**
 * Maps a row.
 *
 * @param report told of cells that can't be used; the value is then left out and the row goes on
 * @param fix what a person said in the place of cells
 * @returns the row, or the issue for which it can't be used at all: no id, no date, a wrong number of cells
 */
export function mapRow(
  fields: readonly string[],
  table: Table,
  sports: ReadonlyMap<string, Activity>,
  report: (issue: Issue) => void,
  fix: Fix = {},
): MappedRow | Issue {
  if (fields.length !== table.layout.width) {
    return bad("strava/row-width", `${fields.length} cells`, `${table.layout.width}, as many as the header has`);
  }
  const cells = new Cells(fields, table, report);
  const id = cells.text("id").trim();
  if (!/^\d{1,20}$/.test(id)) return cells.bad("id", "strava/bad-id", "a number of the activity");
  const instant = parseShownDate(cells.text("date"));
  if (instant === undefined && fix.date === undefined)
    return cells.bad("date", "strava/bad-date", "a date and a time of UTC");

  const sport = cells.text("sport").trim();
  const activity = sports.get(foldSport(sport)) ?? activityNamed(sport);
  const name = cells.words("name");
  const notes = [cells.words("description"), cells.words("privateNote")]
    .filter((text) => text !== undefined)
    .join("\n\n");
  const isRace = cells.flag("competition");
  const type = isRace ? "race" : cells.flag("longRun") ? "long" : undefined;
  const distance = distanceOf(cells, activity);
  const { duration, other } = durationsOf(cells, isRace);
  const health = healthOf(cells);
  const effort = effortOf(cells);
  const { weather, lost } = weatherOf(cells);
  const unsupported = [...other, ...lost, ...readUnsupported(cells)];
  const filename = cells.text("filename").trim();
  return {
    id,
    filename: filename === "" ? undefined : filename,
    workout: withFix(
      {
        ...(activity !== undefined && { activity }),
        ...(sport !== "" && { sport }),
        ...(type !== undefined && { type }),
        start: { ...(instant !== undefined && { instant }) },
        ...(name !== undefined && { name }),
        ...(notes !== "" && { notes }),
        ...(distance !== undefined && { distance }),
        ...(duration !== undefined && { duration }),
        ...(health !== undefined && { health }),
        ...(effort !== undefined && { ratings: { effort } }),
        ...(weather !== undefined && { weather }),
        ...(unsupported.length > 0 && { unsupported }),
      },
      fix,
    ),
  };
}

/** The gear cells of a row, without looking at anything else: the first of the two passes. */
export function gearCells(fields: readonly string[], table: Table): GearCells {
  const cells = new Cells(fields, table, () => {});
  const number = (name: Mapped) => /^(\d{1,20})(?:\.0*)?$/.exec(cells.text(name).trim())?.[1];
  return { text: cells.text("gear"), bike: number("bike"), shoes: number("shoes") };
}

/** The file name and the sport of a row, likewise. */
export function fileAndSport(fields: readonly string[], table: Table): { filename: string; sport: string } {
  const cells = new Cells(fields, table, () => {});
  return { filename: cells.text("filename").trim(), sport: cells.text("sport").trim() };
}

/** The metres of the second block where the file has it; else the displayed distance. 0 is how the platform says "none". */
function distanceOf(cells: Cells, activity: Activity | undefined): Measure<"distance"> | undefined {
  const metres = cells.number("distance");
  if (metres !== undefined) return metres > 0 ? { unit: "m", value: metres } : undefined;
  const shown = cells.text("displayDistance").trim();
  if (shown === "") return undefined;
  const unit = IN_METRES.includes(activity) ? "m" : "km";
  const value = parseShownNumber(shown, unit);
  if (value === undefined) {
    cells.complain("displayDistance", "strava/bad-number", unit === "km" ? "kilometres like 9.44" : "whole metres");
    return undefined;
  }
  return value > 0 ? { unit, value } : undefined;
}

/**
 * The time of the workout. Runners log the time they ran: the moving time, which is also what the platform shows. A race is the
 * exception on both counts: its clock doesn't stop. Whichever isn't used is counted as unsupported when it differs.
 */
function durationsOf(cells: Cells, isRace: boolean): { duration: number | undefined; other: UnsupportedValue[] } {
  const moving = positive(cells.number("moving"));
  const elapsed = positive(cells.number("elapsed") ?? cells.number("displayElapsed"));
  const isTooLong = moving !== undefined && elapsed !== undefined && moving > elapsed + Math.max(1, elapsed / 100);
  if (isTooLong)
    cells.complain("moving", "strava/elapsed-below-moving", `at most the ${elapsed} s that passed, which are taken`);
  const duration = isRace || isTooLong ? (elapsed ?? moving) : (moving ?? elapsed);
  const [field, other] = duration === moving ? ["elapsed time", elapsed] : ["moving time", moving];
  const differs = other !== undefined && duration !== undefined && Math.abs(other - duration) >= 1;
  return { duration, other: differs ? [{ field: String(field), value: `${other} s` }] : [] };
}

/** The first Max Heart Rate is filled far more often than the second. 0 is "not measured". */
function healthOf(cells: Cells): Health | undefined {
  const avgHR = heartRate(cells.number("avgHR"));
  const maxHR = heartRate(positive(cells.number("maxHR")) ?? cells.number("otherMaxHR"));
  const kilograms = positive(cells.number("weight"));
  const health: Health = {
    ...(avgHR !== undefined && { avgHR }),
    ...(maxHR !== undefined && { maxHR }),
    ...(kilograms !== undefined && { weight: { unit: "kg", value: kilograms } }),
  };
  return Object.keys(health).length === 0 ? undefined : health;
}

/** 0 is "not rated". */
function effortOf(cells: Cells): number | undefined {
  const exertion = cells.number("effort");
  return exertion === undefined || exertion === 0 ? undefined : Math.round(exertion);
}

/** The weather at the place, and where that is missing the sensor of the device, which the wrist warms. */
function weatherOf(cells: Cells): { weather: Weather | undefined; lost: UnsupportedValue[] } {
  const lost: UnsupportedValue[] = [];
  const code = cells.number("weather");
  const flag = code === undefined ? undefined : WEATHER[String(code)];
  if (code !== undefined && code !== 0 && flag === undefined)
    lost.push({ field: "weather condition", value: String(code) });
  const air = cells.number("temperature");
  const device = cells.number("deviceTemperature");
  const degrees = air ?? device;
  if (air !== undefined && device !== undefined)
    lost.push({ field: "temperature of the device", value: `${device} C` });
  const weather: Weather = {
    ...(flag !== undefined && { conditions: [flag] }),
    ...(degrees !== undefined && { temperature: { unit: "C", value: degrees } }),
  };
  return { weather: Object.keys(weather).length === 0 ? undefined : weather, lost };
}

/** Every other column with a value. Of most of them 0 is how the platform says "none". */
function readUnsupported(cells: Cells): UnsupportedValue[] {
  const unsupported: UnsupportedValue[] = [];
  for (const [position, column] of COLUMNS.entries()) {
    if (!("unsupported" in column)) continue;
    const text = cells.at(position).trim();
    if (text === "") continue;
    const { unsupported: field, unit, as = "number", zero } = column;
    if (as === "flag") {
      if (isSet(text)) unsupported.push({ field, value: "yes" });
      continue;
    }
    const number = as === "number" ? parseFloatText(text) : undefined;
    if (number === 0 && zero === undefined) continue;
    const value = number === undefined ? text : String(number);
    unsupported.push({ field, value: unit === undefined ? value : `${value} ${unit}` });
  }
  return unsupported;
}

/** A row's cells by what they mean. */
class Cells {
  readonly #fields: readonly string[];
  readonly #table: Table;
  readonly #report: (issue: Issue) => void;

  constructor(fields: readonly string[], table: Table, report: (issue: Issue) => void) {
    this.#fields = fields;
    this.#table = table;
    this.#report = report;
  }

  /** By canonical position; "" for a column this generation has not. */
  at(position: number): string {
    const index = this.#table.layout.indexOf(position);
    return index === undefined ? "" : (this.#fields[index] ?? "");
  }

  text(name: Mapped): string {
    return this.at(POSITION_OF.get(name) ?? -1);
  }

  /** Text somebody wrote, with plain line ends; undefined when there is none. */
  words(name: Mapped): string | undefined {
    const text = this.text(name).replaceAll("\r\n", "\n").replaceAll("\r", "\n").trim();
    return text === "" ? undefined : text;
  }

  /** Undefined for an empty cell, and for one that holds no number, which is reported. */
  number(name: Mapped): number | undefined {
    const text = this.text(name).trim();
    if (text === "") return undefined;
    const value = parseFloatText(text);
    if (value === undefined) this.complain(name, "strava/bad-number", "a number");
    return value;
  }

  flag(name: Mapped): boolean {
    return isSet(this.text(name));
  }

  complain(name: Mapped, rule: string, expected: string): void {
    this.#report({ ...this.bad(name, rule, expected), severity: "warning" });
  }

  bad(name: Mapped, rule: string, expected: string): Issue {
    const index = this.#table.layout.indexOf(POSITION_OF.get(name) ?? -1);
    const field = cleanHeader((index === undefined ? undefined : this.#table.header[index]) ?? name);
    return { ...bad(rule, this.text(name).slice(0, 100), expected), field };
  }
}

function bad(rule: string, found: string, expected: string): Issue {
  return { severity: "error", rule, found, expected };
}

/** Flags are 1.0 and 0.0 in one block, true and false in the other; a spreadsheet writes TRUE. */
function isSet(text: string): boolean {
  return /^(true|1(\.0*)?)$/i.test(text.trim());
}

function positive(value: number | undefined): number | undefined {
  return value !== undefined && value > 0 ? value : undefined;
}
