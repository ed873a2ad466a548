/** Tells by its name which part of a download a zip is. Large exports come as several zips, with a number in each name. */

/** The name of a part. */
export interface PartName {
  /** The name without the number. It is the same for all parts. */
  readonly stem: string;
  /** From 1. */
  readonly number: number;
  /** The number of parts, if the name says it: `export (2 of 4).zip`. */
  readonly of: number | undefined;
}

/**
 * How services and people number the parts of a download, at the end of the name. A phone adds ` (1)` to the name of a second copy, which is no
 * part.
 *
 * Source: Google Takeout names its parts `takeout-20240131T101112Z-001.zip`, since 2024 `takeout-20240131T101112Z-1-001.zip`. Garmin calls
 * an account export by a UUID with a number: `0a1b2c3d-…_1.zip`.
 */
const PATTERNS: readonly { readonly ending: RegExp; readonly stem?: RegExp }[] = [
  { ending: /[ _.-]{0,3}\(?(?:part[ _.-]{0,3})?(?<number>\d{1,3})[ _-]{0,2}of[ _-]{0,2}(?<of>\d{1,3})\)?$/i },
  { ending: /[ _.-]{0,3}\(?part[ _.-]{0,3}(?<number>\d{1,3})\)?$/i },
  { ending: /-(?<number>\d{3})$/, stem: /^takeout-\d{8}T\d{6}Z(?:-\d{1,3})?$/i },
  { ending: /_(?<number>\d{1,3})$/, stem: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i },
];

/** Reads the name of a zip, without its folder; undefined if the name says nothing of parts. */
export function partNameOf(name: string): PartName | undefined {
  if (!/\.zip$/i.test(name)) return undefined;
  const bare = name.slice(0, -".zip".length);
  for (const { ending, stem: expected } of PATTERNS) {
    const found = ending.exec(bare);
    const { number, of } = found?.groups ?? {};
    const stem = bare.slice(0, found?.index);
    if (number === undefined || Number(number) === 0 || stem === "" || expected?.test(stem) === false) continue;
    return { stem: stem.toLowerCase(), number: Number(number), of: of === undefined ? undefined : Number(of) };
  }
  return undefined;
}

/** The numbers that are missing among parts: below the highest, or up to the number of parts if a name says it. */
export function missingParts(parts: readonly PartName[]): readonly number[] {
  const most = Math.max(0, ...parts.map(({ number, of }) => Math.max(number, of ?? 0)));
  const there = new Set(parts.map(({ number }) => number));
  return Array.from({ length: Math.min(most, 999) }, (_, index) => index + 1).filter((number) => !there.has(number));
}
