/** Sizes in bytes as people write them: `64M` is 64 MiB. */

const UNITS = ["", "K", "M", "G", "T"] as const;

/** Writes a number of bytes, exactly: `67108864` is `64 MiB`, `67108865` is `67108865 bytes`. */
export function sizeInWords(bytes: number): string {
  let power = 0;
  let rest = bytes;
  for (; rest >= 1024 && rest % 1024 === 0 && power < UNITS.length - 1; power++) rest /= 1024;
  return power === 0 ? `${bytes} bytes` : `${rest} ${UNITS[power]}iB`;
}

/** A number of bytes, rounded for people: `830 bytes`, `83 kB`, `12.3 MB`. */
export function roughSize(bytes: number): string {
  if (bytes < 10_000) return `${bytes} bytes`;
  return bytes < 1e6 ? `${Math.round(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** Reads a size: `500`, `64M`, `1.5G`, `20 GiB`. Undefined if the text is not a size, or less than a byte. */
export function bytesOfSize(text: string): number | undefined {
  const [, number, unit = ""] = /^(\d{1,15}(?:\.\d{1,3})?) ?([kmgt]?)(?:i?b)?$/i.exec(text.trim()) ?? [];
  if (number === undefined) return undefined;
  const bytes = Math.floor(Number(number) * 1024 ** UNITS.indexOf(unit.toUpperCase() as (typeof UNITS)[number]));
  return bytes >= 1 && Number.isSafeInteger(bytes) ? bytes : undefined;
}
