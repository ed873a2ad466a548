/** Finds the local time of a row that has an instant, and the instant of a row that has a local time. */
import { asIfUtc, atOffset, inZone, isPlausibleOffset, isZone, offsetInZone } from "../../../transforms/calendar.ts";
import type { Issue } from "../../../transforms/model/issue.ts";
import type { Start } from "../../../transforms/model/workout.ts";
import type { RowCells } from "./row-cells.ts";

const OFFSET = /^([-+])(\d{2}):?(\d{2})$/;

/**
 * Adds the local time to an instant: in the zone that the row names, otherwise at the row's distance from UTC. A local time with a distance from
 * UTC gets its instant.
 */
export function inItsZone(read: Start | Issue, row: RowCells): Start | Issue {
  if ("rule" in read) return read;
  const start = withPosition(read, row);
  const { instant } = start;
  const zone = row.cell("zone");
  if (zone !== undefined && instant !== undefined) {
    if (isZone(zone.text))
      return { ...start, ...inZone(instant, zone.text), offsetMinutes: offsetInZone(instant, zone.text) };
    row.complain(zone, "table/unknown-zone", "a time zone like Europe/Vienna");
  }
  const offset = row.cell("offset");
  if (offset === undefined) return start;
  const offsetMinutes = minutesOf(offset.text);
  if (offsetMinutes !== undefined) return atItsOffset(start, offsetMinutes);
  row.complain(offset, "table/unknown-zone", "a distance from UTC like +05:30");
  return start;
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

/** `+05:30` or `-0800` in minutes; undefined if no clock can be so far from UTC. */
function minutesOf(text: string): number | undefined {
  const [, sign, hours, minutes] = OFFSET.exec(text) ?? [];
  const offset = (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) + 0;
  return isPlausibleOffset(offset) ? offset : undefined;
}
