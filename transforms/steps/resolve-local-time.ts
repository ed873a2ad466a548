import { atOffset, inZone, type LocalDateTime, type LocalTimeBasis, offsetInZone, zoneAt } from "../calendar.ts";
import { MIDNIGHT_OR_NOON, START_IN_UTC, type Start, type Workout } from "../model/workout.ts";
import { reject, type Transform } from "./transform.ts";

/** Settings that apply to all items: the zone that a person named, and the preference's `utcOffset` in hours. */
export interface TimeSettings {
  readonly zone?: string;
  readonly utcOffset?: number;
}

/**
 * Gives every workout its local date, and its time of day if one is known. It tries in this order: the source's own local time, the
 * device's offset from UTC, the zone at the first position, the zone that a person named, the preference's fixed offset. The first position
 * overrules a device's offset of 0, because some devices write UTC when they have no local time. The item remembers which of them applied.
 * A workout without date or instant is rejected.
 */
export function resolveLocalTime(settings: TimeSettings): Transform {
  return (item) => {
    if (item.kind !== "workout") return item;
    const { start } = item.value;
    if (start.date !== undefined) {
      const timed = withTimeOfDay(item.value, settings);
      if (timed !== undefined) return { ...item, value: timed };
      return start.basis === undefined
        ? { ...item, value: { ...item.value, start: { ...start, basis: "source" } } }
        : item;
    }
    const local = start.instant === undefined ? undefined : localTimeOf(start, start.instant, settings);
    if (local === undefined) {
      return reject(item, "quarantined", {
        severity: "error",
        rule: "workout/no-date",
        field: "date",
        ...inUtc(start.instant),
        expected: start.instant === undefined ? "a date" : "a time zone for it: name one with --zone",
      });
    }
    const { instant, untimed, ...rest } = start;
    const { time: _time, ...day } = local;
    const timed: Start = { ...rest, ...(instant !== undefined && { instant }), ...local };
    const resolved: Start = isWithoutTime(untimed, local) ? { ...rest, ...day } : timed;
    return { ...item, value: { ...withDay(item.value, local.date), start: resolved } };
  };
}

/** Whether a time of day stands for none. At the log's own offset, nobody knows whether it is midnight or noon where the athlete was. */
function isWithoutTime(
  untimed: Start["untimed"],
  { time, basis }: { readonly time: string; readonly basis: LocalTimeBasis },
): boolean {
  return untimed === MIDNIGHT_OR_NOON
    ? basis === "utcOffset" || time === "00:00:00" || time === "12:00:00"
    : untimed === true;
}

/**
 * A workout with its day and an instant, with the time of day where it was; undefined if there is none on that day. The log's own offset says nothing of an
 * instant whose zone its source doesn't know.
 */
function withTimeOfDay({ unsupported, ...workout }: Workout, settings: TimeSettings): Workout | undefined {
  const { date, time, instant, untimed } = workout.start;
  if (time !== undefined || instant === undefined || untimed !== undefined) return undefined;
  const local = localTimeOf(workout.start, instant, settings);
  if (local === undefined || local.date !== date) return undefined;
  if (local.basis === "utcOffset" && unsupported?.some(({ field }) => field === START_IN_UTC)) return undefined;
  const left = unsupported?.filter(({ field }) => field !== START_IN_UTC) ?? [];
  const start: Start = { ...workout.start, ...local };
  return { ...workout, start, ...(left.length > 0 && { unsupported: left }) };
}

/** Gives a workout the weight and the resting heart rate of its day, if the source has them by day. */
function withDay({ possibleDays, ...workout }: Workout, date: string): Workout {
  const found = possibleDays?.find((day) => day.date === date);
  if (found === undefined) return workout;
  const { date: _, ...values } = found;
  return { ...workout, health: { ...values, ...workout.health } };
}

function localTimeOf(
  start: Start,
  instant: number,
  settings: TimeSettings,
): (LocalDateTime & { basis: LocalTimeBasis }) | undefined {
  const zone = start.position === undefined ? undefined : zoneAt(start.position);
  const isUnset = start.offsetMinutes === 0 && zone !== undefined && offsetInZone(instant, zone) !== 0;
  if (start.offsetMinutes !== undefined && !isUnset)
    return { ...atOffset(instant, start.offsetMinutes), basis: "device" };
  if (zone !== undefined) return { ...inZone(instant, zone), basis: "position" };
  if (settings.zone !== undefined) return { ...inZone(instant, settings.zone), basis: "named zone" };
  if (settings.utcOffset !== undefined) return { ...atOffset(instant, settings.utcOffset * 60), basis: "utcOffset" };
  return undefined;
}

/** An instant for a message. A device may have written one that is no time at all. */
function inUtc(instant: number | undefined): { readonly found?: string } {
  const date = new Date(instant ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? {} : { found: `${date.toISOString().slice(0, 16).replace("T", " ")} UTC` };
}
