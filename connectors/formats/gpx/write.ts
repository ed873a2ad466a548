/**
 * Writes GPX 1.1: the form in which the log takes a course's map (versions 1.0 and 1.1, the interface document says).
 */
import type { Point } from "../recording.ts";
import { decimal, escaped } from "../xml/write.ts";

/** What a written file says about itself. */
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
 * One track as a GPX 1.1 document. Points without a position are left out; `breakBefore` begins a segment.
 *
 * @param points position in degrees, elevation in metres, instant in milliseconds since 1970 UTC; nothing else is written
 */
export function writeGpx(words: GpxWords, points: Iterable<Point>): string {
  return [...gpxChunks(words, points)].join("");
}

/** The same in chunks of a point each, for tracks that needn't fit in memory. */
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
