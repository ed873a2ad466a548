/**
 * FIT files: the entry to this folder. The headline values come from the scan at both depths. `decode` adds every point.
 */
import { defined } from "../../../transforms/model/defined.ts";
import type { Depth, DeviceFile, Point, Recording } from "../recording.ts";
import { type Beat, beatsOf, withHeartRates } from "./heart-rate-stream.ts";
import { libraryPoints } from "./library.ts";
import { readPoints, type TimedPoint } from "./points.ts";
import { outlineFit, type PartOutline } from "./scan.ts";
import { sessionFinder } from "./spans.ts";
import { FIT_CAPS, type FitCaps } from "./structure.ts";
import { type Source, sourceOf } from "./values.ts";

/**
 * Decodes a FIT file, or a chain of FIT files. Never throws: problems are in the issues. Their rules begin with `fit/`.
 * `readStructure`, `readFacts` and `outlineFit` say when they report each of them.
 *
 * @param bytes the whole file, unpacked
 * @param depth `scan` keeps no point. `decode` keeps all points, and takes some thirty times as long
 * @param caps the most that a file may hold. A larger file is refused as a whole
 */
export function decodeFit(bytes: Uint8Array, depth: Depth, caps: FitCaps = FIT_CAPS): DeviceFile {
  const source = sourceOf(bytes);
  const outline = outlineFit(source, caps);
  const parts = depth === "scan" ? outline.parts : partsWithPoints(source, outline.parts);
  return {
    format: outline.issues.some(({ rule }) => NOT_FIT.has(rule)) ? undefined : "fit",
    device: outline.device,
    ...defined({ wearer: outline.wearer }),
    recordings: parts.flatMap(({ recordings }) => recordings),
    routes: parts.flatMap(({ route }) => route ?? []),
    issues: outline.issues,
  };
}

/** The rules that say the bytes are no FIT file at all. */
const NOT_FIT: ReadonlySet<string> = new Set(["fit/empty", "fit/not-fit"]);

/** Every part with its points. A strap's beats may be in another part than the records they belong to. */
function partsWithPoints(source: Source, parts: readonly PartOutline[]): readonly PartOutline[] {
  const streams = parts.filter(({ hasHeartRateStream }) => hasHeartRateStream).map(({ part }) => part);
  const beats = beatsOf(source, streams);
  return parts.map((part) => withPoints(source, part, beats));
}

function withPoints(source: Source, outline: PartOutline, beats: readonly Beat[]): PartOutline {
  const { recordings, route, starts } = outline;
  if (recordings.length === 0 && route === undefined) return outline;
  const points = pointsOf(source, outline);
  if (route !== undefined) return { ...outline, route: { ...route, points: points.map(({ point }) => point) } };

  const breaks = new Set(outline.breaks);
  const sessionOf = sessionFinder(starts);
  const bySession: Point[][] = recordings.map(() => []);
  const timed = beats.length === 0 ? points : withHeartRates(points, beats);
  for (const [index, { time, point }] of timed.entries()) {
    bySession[sessionOf(time)]?.push(breaks.has(index) ? { ...point, breakBefore: true } : point);
  }
  return {
    ...outline,
    recordings: recordings.map((recording, index): Recording => ({ ...recording, points: bySession[index] ?? [] })),
  };
}

/**
 * Larger parts go to our own reader, not to the library. The library needs 5 s and 600 MB for 864,000 records, and 4 s for
 * 60,000 definitions of 255 fields in as many records. Our reader reads the same points in a fifth of that: a test compares
 * both over the corpus. The longest file of the corpus, big_activity.fit, has 99,998 records in 2.4 MB.
 */
const LIBRARY_LIMITS = { records: 200_000, bytes: 8 * 2 ** 20 };

/**
 * The points of a part. They come from the library, except in three cases: the part is too large for it, it refuses the
 * part, or its number of records differs from ours. (It reads a message differently if the packed time and the time field
 * collide.) In these cases our own reader gives the points.
 */
function pointsOf(source: Source, { part, recordings, route }: PartOutline): readonly TimedPoint[] {
  const expected = recordings.reduce((sum, { pointCount }) => sum + pointCount, route?.pointCount ?? 0);
  const isLarge = expected > LIBRARY_LIMITS.records || part.to - part.from > LIBRARY_LIMITS.bytes;
  const points = isLarge ? undefined : libraryPoints(source, part);
  return points?.length === expected ? points : readPoints(source, part);
}
