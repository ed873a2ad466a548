/** Mixed fractions, as people write them by hand: `3 1/2` and `3½` are 3.5. A slash alone, as in `1/2`, may be a day, and is not read. */
import type { Decimal } from "../mapping/fields.ts";

/** The signs that stand for one fraction each. */
const SIGNS: Readonly<Record<string, number>> = {
  ...{ "½": 0.5, "¼": 0.25, "¾": 0.75, "⅓": 0.333, "⅔": 0.667 },
  ...{ "⅛": 0.125, "⅜": 0.375, "⅝": 0.625, "⅞": 0.875 },
};

/** Halves, thirds, quarters and eighths. With greater numbers below the line, `10 1/12` would be a day as well. */
const MIXED = /^(\d{1,4}) ([1-7])[/⁄]([2348])(?![\d/.,:])/;
const SIGNED = /^(\d{0,4}) ?([½¼¾⅓⅔⅛⅜⅝⅞])/;

/**
 * A text that begins with a mixed fraction, with a decimal number in its place: `3 1/2 mi` is `3.5 mi`. Any other text stays as it is. Thirds are
 * rounded to thousandths.
 *
 * @param decimal the mark of the number
 */
export function withDecimals(text: string, decimal: Decimal): string {
  const [mixed, whole = "", above = "", below = ""] = MIXED.exec(text) ?? [];
  if (mixed !== undefined)
    return Number(above) < Number(below)
      ? written(Number(whole) + Number(above) / Number(below), decimal) + text.slice(mixed.length)
      : text;
  const [signed, before = "", sign = ""] = SIGNED.exec(text) ?? [];
  if (signed === undefined) return text;
  return written(Number(before) + (SIGNS[sign] ?? 0), decimal) + text.slice(signed.length);
}

function written(value: number, decimal: Decimal): string {
  const digits = String(Math.round(value * 1000) / 1000);
  return decimal === "," ? digits.replace(".", ",") : digits;
}
