/** Decodes JSON that another program turned into UTF-7: `+ACI-` is a quotation mark. */

/** Turns UTF-7 into plain text. Text without its marks stays unchanged. */
export function plainValue(text: string): string {
  if (!/\+(?:ACI|AHs|AF8)/.test(text)) return text;
  return text.replace(/\+([A-Za-z0-9+/]{0,64})-/g, (_, letters: string) => (letters === "" ? "+" : utf16(letters)));
}

function utf16(letters: string): string {
  const bytes = Buffer.from(letters, "base64");
  return bytes
    .subarray(0, bytes.length & ~1)
    .swap16()
    .toString("utf16le");
}
