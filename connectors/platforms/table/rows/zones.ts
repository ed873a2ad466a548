/** Finds the local time of a row that has an instant, and the instant of a row that has a local time. */
import {
  asIfUtc,
  atOffset,
  instantInZone,
  inZone,
  isPlausibleOffset,
  isZone,
  offsetInZone,
  utcText,
} from "../../../../transforms/calendar.ts";
import type { Issue } from "../../../../transforms/model/issue.ts";
import type { Start } from "../../../../transforms/model/workout.ts";
import { parseNumber } from "../cells/cells.ts";
import type { Cell, RowCells } from "../columns/row-cells.ts";
import type { DurationFormat } from "../mapping/fields.ts";

/** `+05:30`, `-0800`, `UTC+0530`, `GMT+1`. A number without a sign and a colon says nothing, because it may be minutes. */
const OFFSET = /^(?:utc|gmt)?\s?([-+\u2212])\s?(\d{1,2})(?::(\d{2})|(?<=\d{2})(\d{2}))?$/i;
/** A spreadsheet program takes `+05:30` for a time of day, and saves `5:30` or `05:30:00`. It leaves `-05:30` as it is. */
const UNSIGNED = /^(\d{1,2}):(\d{2})(?::00)?$/;
const AT_UTC = /^(?:utc|gmt|z)$/i;

/**
 * Adds the local time to an instant: in the zone that the row names, otherwise at the row's distance from UTC. A local time with a distance from
 * UTC gets its instant. A row's own local time stays, whatever its zone says.
 */
export function inItsZone(read: Start | Issue, row: RowCells): Start | Issue {
  if ("rule" in read) return read;
  const start = withPosition(read, row);
  const zone = row.cell("zone");
  if (zone !== undefined && (start.instant !== undefined || start.time !== undefined)) {
    if (isZone(zone.text)) return checked(start, inNamedZone(start, zone.text), zone, row);
    row.complain(zone, "table/unknown-zone", "a time zone like Europe/Vienna");
  }
  const offset = row.cell("offset");
  if (offset === undefined) return start;
  const offsetMinutes = minutesIn(offset, row);
  if (offsetMinutes !== undefined) return checked(start, atItsOffset(start, offsetMinutes), offset, row);
  row.complain(offset, "table/unknown-zone", "a distance from UTC like +05:30");
  return start;
}

/** The start in its zone; the start itself, with a remark, if its local time and its instant show another distance from UTC. */
function checked(own: Start, inZone: Start, cell: Cell, row: RowCells): Start {
  const { offsetMinutes } = own;
  if (offsetMinutes === undefined || offsetMinutes === inZone.offsetMinutes) return inZone;
  const expected = `${utcText(offsetMinutes)}, as the row's local time says; the local time counts`;
  row.complain(cell, "table/zone-differs", expected);
  return own;
}

function inNamedZone(start: Start, zone: string): Start {
  const { date, time, instant } = start;
  if (instant !== undefined) return { ...start, ...inZone(instant, zone), offsetMinutes: offsetInZone(instant, zone) };
  if (date === undefined || time === undefined) return start;
  const local = asIfUtc({ date, time });
  const began = instantInZone(local, zone);
  return { ...start, instant: began, offsetMinutes: Math.round((local - began) / 60_000) };
}

/** Adds the row's first position to an instant. The position gives the zone later. */
function withPosition(start: Start, row: RowCells): Start {
  const cell = row.cell("position");
  if (cell === undefined || start.instant === undefined) return start;
  const [lat = Number.NaN, lon = Number.NaN, ...rest] = cell.text.split(" ").map(Number);
  const isPlace = rest.length === 0 && Math.abs(lat) <= 90 && Math.abs(lon) <= 180 && (lat !== 0 || lon !== 0);
  return isPlace ? { ...start, position: { lat, lon } } : start;
}

function atItsOffset(start: Start, offsetMinutes: number): Start {
  const { date, time, instant } = start;
  if (instant !== undefined) return { ...start, ...atOffset(instant, offsetMinutes), offsetMinutes };
  if (date === undefined || time === undefined) return start;
  return { date, time, instant: asIfUtc({ date, time }) - offsetMinutes * 60_000, offsetMinutes };
}

/** The minutes of each format of a bare number. */
const MINUTES: Partial<Readonly<Record<DurationFormat, number>>> = {
  minutes: 1,
  hours: 60,
  seconds: 1 / 60,
  milliseconds: 1 / 60_000,
  "day-fraction": 1440,
};

/** Reads `+05:30`, `UTC+5:30` or `GMT`, in minutes; undefined for any other text. */
export function parseOffset(text: string): number | undefined {
  if (AT_UTC.test(text)) return 0;
  const [, sign, hours, minutes, others = "0"] = OFFSET.exec(text) ?? [];
  const unsigned = UNSIGNED.exec(text);
  if (unsigned !== null) return plausible(Number(unsigned[1]) * 60 + Number(unsigned[2]));
  const offset = (sign === "+" ? 1 : -1) * (Number(hours) * 60 + Number(minutes ?? others)) + 0;
  return plausible(offset);
}

function plausible(offset: number): number | undefined {
  return isPlausibleOffset(offset) ? offset : undefined;
}

/** The distance from UTC in minutes; undefined if no clock can be so far from UTC. */
function minutesIn({ text, spec }: Cell, row: RowCells): number | undefined {
  const [format] = spec?.format ?? [];
  if (format !== undefined) {
    const minutes = (parseNumber(text, spec?.decimal ?? row.decimal) ?? Number.NaN) * (MINUTES[format] ?? Number.NaN);
    return isPlausibleOffset(minutes) ? minutes : undefined;
  }
  return parseOffset(text);
}
