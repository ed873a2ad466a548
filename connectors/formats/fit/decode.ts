/**
 * FIT files: the entry to this folder. The headline values come from the scan at both depths. `decode` adds every point.
 */
import { defined } from "../../../transforms/model/defined.ts";
import type { Depth, DeviceFile, Point, Recording } from "../recording.ts";
import { type Beat, beatsOf, strapRates } from "./heart-rate-stream.ts";
import { type FitPoint, recordTimes } from "./points.ts";
import { outlineFit, type PartOutline } from "./scan.ts";
import { sessionFinder } from "./spans.ts";
import { FIT_CAPS, type FitCaps } from "./structure.ts";
import { type Source, sourceOf } from "./values.ts";

/**
 * Decodes a FIT file, or a chain of FIT files. Never throws: problems are in the issues. Their rules begin with `fit/`.
 * `readStructure`, `readFacts` and `outlineFit` say when they report each of them.
 *
 * @param bytes the whole file, unpacked
 * @param depth `scan` keeps no point. `decode` keeps all points, and takes some two times as long
 * @param caps the most that a file may hold. A larger file is refused as a whole
 */
export function decodeFit(bytes: Uint8Array, depth: Depth, caps: FitCaps = FIT_CAPS): DeviceFile {
  const source = sourceOf(bytes);
  const outline = outlineFit(source, caps, depth);
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
  const { part, recordings, route, starts, breaks, points = [] } = outline;
  if (route !== undefined) return { ...outline, route: { ...route, points } };
  const times = beats.length > 0 || starts.length > 1 ? recordTimes(source, part) : [];
  if (beats.length > 0) addRates(points, times, beats);
  for (const index of breaks) (points[index] as FitPoint).breakBefore = true;
  const bySession = starts.length === 1 ? [points] : divide(points, times, starts);
  return {
    ...outline,
    recordings: recordings.map((recording, index): Recording => ({ ...recording, points: bySession[index] ?? [] })),
  };
}

type Times = readonly (number | undefined)[];

function addRates(points: readonly FitPoint[], times: Times, beats: readonly Beat[]): void {
  const rateAt = strapRates(beats);
  points.forEach((point, index) => {
    const bpm = rateAt(times[index]);
    if (bpm !== undefined) point.heartRate = bpm;
  });
}

/** The points of each session. */
function divide(points: readonly Point[], times: Times, starts: readonly number[]): readonly (readonly Point[])[] {
  const sessionOf = sessionFinder(starts);
  const bySession: Point[][] = starts.map(() => []);
  points.forEach((point, index) => {
    bySession[sessionOf(times[index])]?.push(point);
  });
  return bySession;
}
