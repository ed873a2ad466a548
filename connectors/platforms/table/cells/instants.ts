/** Turns times given as numbers into the form that cells are read from. */

/** Largest number of milliseconds from 1970 that a date can hold. */
const LAST = 8.64e15;

/** Turns `1618093345856` into `2021-04-10T22:22:25.856Z`. Any other text stays unchanged. */
export function isoOfMillis(text: string): string {
  const millis = Number(text);
  return text.trim() === "" || !(Math.abs(millis) <= LAST) ? text : new Date(millis).toISOString();
}

/** Turns `1730000000` into `2024-10-27T03:33:20.000Z`. Any other text stays unchanged. */
export function isoOfSeconds(text: string): string {
  const seconds = Number(text);
  return text.trim() === "" || !(Math.abs(seconds) <= LAST / 1000) ? text : isoOfMillis(String(seconds * 1000));
}

const WITH_OFFSET = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?) ?(?:(Z)|([+-]\d{2}):?(\d{2}))$/;

/** Turns `2022-08-05 02:18:07+0000`, and a time with any other distance from UTC, into an instant of UTC. Any other text stays unchanged. */
export function utcOf(text: string): string {
  const [, day, time, utc, hours, minutes] = WITH_OFFSET.exec(text.trim()) ?? [];
  const millis = Date.parse(`${day}T${time}${utc ?? `${hours}:${minutes}`}`);
  return Number.isNaN(millis) ? text : new Date(millis).toISOString();
}

/** Turns a distance from UTC in milliseconds, `7200000`, into `+02:00`. Any other text stays unchanged. */
export function offsetOfMillis(text: string): string {
  const minutes = Number(text) / 60_000;
  if (text.trim() === "" || !Number.isInteger(minutes)) return text;
  const two = (value: number) => String(value).padStart(2, "0");
  return `${minutes < 0 ? "-" : "+"}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;
}

/** Turns a distance from UTC in minutes, `-210`, into `-03:30`. Any other text stays unchanged. */
export function offsetOfMinutes(text: string): string {
  if (!/^[-+]?\d{1,4}(\.0+)?$/.test(text)) return text;
  const minutes = Math.abs(Number(text));
  const two = (value: number) => String(value).padStart(2, "0");
  return `${Number(text) < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** The months in which clocks go back somewhere, on a Sunday before 3 o'clock: Europe in October, America in November, Australia in April. */
const MONTHS_OF_CLOCKS = [4, 10, 11];

/**
 * What tells a start from others where the wall clock alone does: `2023-10-28T02:15:00`. In a night when the clocks go back two workouts may begin at one
 * wall clock, so the distance from UTC belongs to it there.
 *
 * @param start `YYYY-MM-DDThh:mm:ss` on the wall clock
 * @param offset its distance from UTC, in any form
 */
export function startOfNight(start: string, offset: string): string {
  const isNight = Number(start.slice(11, 13)) < 3 && new Date(`${start.slice(0, 10)}T00:00Z`).getUTCDay() === 0;
  return isNight && MONTHS_OF_CLOCKS.includes(Number(start.slice(5, 7))) ? `${start} ${offset}` : start;
}
