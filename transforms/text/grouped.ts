const GROUPED = new Intl.NumberFormat("en");

/** A whole number in groups of three digits: `12 345`. @param between stands between two groups */
export function grouped(value: number, between = " "): string {
  return GROUPED.format(value).replaceAll(",", between);
}
