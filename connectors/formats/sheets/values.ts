/** Writes the values of cells as text. */

/**
 * A number in its shortest form: `12.5`. Spreadsheets calculate with 15 digits, and so 10.300000000000001 is 10.3. There is no exponent, because no
 * person writes one in a log.
 */
export function numberText(value: number): string {
  const rounded = Number.isSafeInteger(value) ? value : Number(value.toPrecision(15));
  const text = String(rounded === 0 ? 0 : rounded);
  if (!text.includes("e")) return text;
  return Math.abs(rounded) < 1 ? withoutZeros(rounded.toFixed(20)) || "0" : BigInt(rounded).toString();
}

/** A time of day or a duration in milliseconds, 0 or more: `18:05:00`, `0:45:30.5`, `25:30:00`. */
export function clockText(millis: number): string {
  const seconds = Math.floor(millis / 1000);
  const two = (value: number) => String(value).padStart(2, "0");
  const fraction = (millis % 1000) / 1000;
  const rest = fraction === 0 ? "" : withoutZeros(fraction.toFixed(3).slice(1));
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}${rest}`;
}

/** The clock of a date-time, with two digits for the hour. */
export function dayClockText(millis: number): string {
  return clockText(millis)
    .padStart(8, "0")
    .replace(/^(\d:)/, "0$1");
}

/** A number without zeros at the end of its fraction, and without a mark that has nothing behind it. */
export function withoutZeros(text: string): string {
  let end = text.length;
  while (text[end - 1] === "0") end--;
  return text.slice(0, text[end - 1] === "." ? end - 1 : end);
}
