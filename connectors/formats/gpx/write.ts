/**
 * Writes GPX 1.1. The log takes the map of a course as GPX (versions 1.0 and 1.1, by the interface document).
 */
import type { Point } from "../recording.ts";
import { decimal, escaped } from "../xml/write.ts";

/** The texts of a written file about itself. */
export interface GpxWords {
  readonly name?: string | undefined;
  readonly notes?: string | undefined;
}

const HEAD = `<?xml version="1.0" encoding="UTF-8"?>
<gpx version="1.1" creator="logferry" xmlns="http://www.topografix.com/GPX/1/1">
<trk>
`;
const TAIL = "</trkseg>\n</trk>\n</gpx>\n";

/**
 * Writes one track as a GPX 1.1 document. Points without a position are left out. `breakBefore` begins a segment.
 *
 * @param points position in degrees, elevation in metres, instant in milliseconds since 1970 UTC. Other values are not written
 */
export function writeGpx(words: GpxWords, points: Iterable<Point>): string {
  return [...gpxChunks(words, points)].join("");
}

/** Writes the same document in chunks of one point each, for tracks that may not fit in memory. */
export function* gpxChunks(words: GpxWords, points: Iterable<Point>): Generator<string> {
  yield `${HEAD}${element("name", words.name)}${element("desc", words.notes)}<trkseg>\n`;
  let isFirst = true;
  for (const { position, elevation, instant, breakBefore } of points) {
    if (position === undefined) continue;
    if (breakBefore && !isFirst) yield "</trkseg>\n<trkseg>\n";
    isFirst = false;
    const ele = elevation === undefined ? "" : `<ele>${decimal(elevation)}</ele>`;
    const time = instant === undefined ? "" : `<time>${new Date(instant).toISOString()}</time>`;
    yield `<trkpt lat="${decimal(position.lat)}" lon="${decimal(position.lon)}">${ele}${time}</trkpt>\n`;
  }
  yield TAIL;
}

function element(name: string, text: string | undefined): string {
  return text === undefined || text === "" ? "" : `<${name}>${escaped(text)}</${name}>\n`;
}
