/**
 * Computes the pause that a server asks for.
 *
 * @param header `Retry-After`: whole seconds, or an HTTP date. A date is compared with the server's own `Date`, so a clock that is an hour
 * off, here or there, changes nothing
 * @param serverDate the answer's `Date` header, if it has one
 * @param now milliseconds since 1970 UTC, used if the server sent no date
 * @returns milliseconds; 0 for a moment that has passed; undefined when there is no header or it can't be read (`soon`, `-5`)
 *
 * Source: RFC 9110 10.2.3.
 */
export function retryAfterMs(
  header: string | undefined,
  serverDate: string | undefined,
  now: number,
): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1000;
  // `Date.parse` takes a bare number such as "-5" for a year.
  if (!/^[A-Za-z]{3,9},? /.test(text)) return undefined;
  const until = Date.parse(text);
  if (Number.isNaN(until)) return undefined;
  const serverNow = serverDate === undefined ? Number.NaN : Date.parse(serverDate);
  return Math.max(0, until - (Number.isNaN(serverNow) ? now : serverNow));
}
