/**
 * Numbers and text for XML writers.
 */

/** XML Schema's decimal has no exponent. Nine decimals of a degree are a tenth of a millimetre. */
export function decimal(value: number): string {
  const text = String(value);
  if (!text.includes("e")) return text;
  // From 10^21 on `toFixed` writes an exponent too. Such a number is a whole number.
  return Math.abs(value) < 1e21 ? value.toFixed(9) : BigInt(value).toString();
}

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;" };

/** Text that XML 1.0 can hold: markup escaped, forbidden characters left out, half surrogates replaced. */
export function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "")
    .replace(/[&<>\r]/g, (character) => ESCAPES[character] ?? character);
}
