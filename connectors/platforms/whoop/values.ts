/** Reads times in the form of WHOOP. */
import type { CellOf } from "../table/mapping/shown-units.ts";

const LOCAL = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2})$/;
/** The zone of a day: `UTC-04:00`, `UTCZ`, `GMT-5`, `-05:00`. */
export const ZONE = /^(?:UTC|GMT)?(?:Z|([+-])(\d{1,2})(?::(\d{2}))?)$/;

/** The start in UTC, by the zone of its day: `UTC-04:00`, `UTCZ`, `GMT-5`, `-05:00`. "" if the time or the zone has another form. */
export function instantOf(cellOf: CellOf): string {
  const [, date, time] = LOCAL.exec(cellOf("Workout start time")) ?? [];
  const zone = ZONE.exec(cellOf("Cycle timezone"));
  const asUtc = Date.parse(`${date}T${time}Z`);
  if (zone === null || Number.isNaN(asUtc)) return "";
  const [, sign, hours = "0", minutes = "0"] = zone;
  const east = (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  return new Date(asUtc - east * 60_000).toISOString();
}

/** The whole minutes of a row without an end. */
export function lengthWithoutEnd(cellOf: CellOf): string {
  return cellOf("Workout end time") === "" ? cellOf("Duration (min)") : "";
}
