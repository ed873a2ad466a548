/** Reads the numbers of Garmin's lists, in the form of the account's language. */

/** Reads a number with either decimal mark. A list has at most two decimals, so three digits behind a mark are a group of thousands. */
export function plain(text: string): string {
  if (/^\d{1,3}(?:[.,'’\u00a0\u202f]\d{3})+$/.test(text)) return text.replace(/\D/g, "");
  // Both marks in one number: `1.500,00`, `1,500.00`.
  const [, whole, decimals] =
    /^(\d{1,3}(?:\.\d{3})+),(\d{1,2})$/.exec(text) ?? /^(\d{1,3}(?:,\d{3})+)\.(\d{1,2})$/.exec(text) ?? [];
  if (whole !== undefined) return `${whole.replace(/\D/g, "")}.${decimals}`;
  return text.replace(/^(\d+)[.,](\d{1,2})$/, "$1.$2");
}

/** For most numbers, a list has 0 for "none". */
export const number = { read: plain, zero: "none" } as const;
