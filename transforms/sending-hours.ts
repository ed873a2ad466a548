/** Hours of the day in which requests may be sent, and the local days that a quota counts by. These functions are pure: the caller passes the time. */
import { addDays, asIfUtc, instantInZone, inZone, type LocalDate } from "./calendar.ts";

/** A part of each day by the clocks of a zone, in minutes since midnight. `until` is excluded, and may be before `from`: then midnight lies in between. */
export interface Hours {
  readonly from: number;
  readonly until: number;
}

const DAY_MINUTES = 24 * 60;
const MINUTE_MS = 60_000;

/** Reads `22:00-06:00`. `00:00-24:00` is the whole day. @returns undefined for any other text, and for a part without length */
export function parseHours(text: string): Hours | undefined {
  const [, ...digits] = /^(\d{2}):([0-5]\d)-(\d{2}):([0-5]\d)$/.exec(text.trim()) ?? [];
  if (digits.length === 0) return undefined;
  const [h1 = 0, m1 = 0, h2 = 0, m2 = 0] = digits.map(Number);
  const [from, until] = [h1 * 60 + m1, h2 * 60 + m2];
  return from >= DAY_MINUTES || until > DAY_MINUTES || from === until ? undefined : { from, until };
}

/** The length in minutes, on a day without a clock change. */
export function lengthOf({ from, until }: Hours): number {
  return until > from ? until - from : DAY_MINUTES - from + until;
}

/** Whether an instant lies in the hours. @param at milliseconds since 1970 UTC @param zone an IANA name */
export function isWithin({ from, until }: Hours, at: number, zone: string): boolean {
  const minute = minuteOf(at, zone);
  return from < until ? minute >= from && minute < until : minute >= from || minute < until;
}

/** The first instant from `at` on that lies in the hours, to the minute. A time that the clocks leap over is the first one after the gap. */
export function opensAt(hours: Hours, at: number, zone: string): number {
  return firstChange(hours, at, zone, true);
}

/** The first instant from `at` on that doesn't lie in the hours, to the minute; Infinity for the whole day. */
export function closesAt(hours: Hours, at: number, zone: string): number {
  return lengthOf(hours) === DAY_MINUTES ? Number.POSITIVE_INFINITY : firstChange(hours, at, zone, false);
}

/** The first instant of the next local day. */
export function nextDayAt(at: number, zone: string): number {
  const day = dayAt(at, zone);
  const about = instantInZone(asIfUtc({ date: addDays(day, 1) }), zone);
  return toEdge(about, at, (moment) => dayAt(moment, zone) > day);
}

/** The local day at an instant. */
export function dayAt(at: number, zone: string): LocalDate {
  return inZone(at, zone).date;
}

function firstChange(hours: Hours, at: number, zone: string, isOpen: boolean): number {
  const isThere = (moment: number) => isWithin(hours, moment, zone) === isOpen;
  if (isThere(at)) return at;
  const edge = isOpen ? hours.from : hours.until % DAY_MINUTES;
  const today = asIfUtc({ date: dayAt(at, zone) });
  const local = today + (edge > minuteOf(at, zone) ? edge : edge + DAY_MINUTES) * MINUTE_MS;
  return toEdge(instantInZone(local, zone), at, isThere);
}

/** Clock changes move an edge by an hour or two, so it is looked for minute by minute from where it should be. */
function toEdge(about: number, after: number, isThere: (moment: number) => boolean): number {
  let moment = Math.max(about, after);
  while (!isThere(moment)) moment += MINUTE_MS;
  while (moment - MINUTE_MS > after && isThere(moment - MINUTE_MS)) moment -= MINUTE_MS;
  return moment;
}

function minuteOf(at: number, zone: string): number {
  const [hour = "0", minute = "0"] = inZone(at, zone).time.split(":");
  return Number(hour) * 60 + Number(minute);
}
