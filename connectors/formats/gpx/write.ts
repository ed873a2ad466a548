/**
 * Writes GPX 1.1: the form in which the log takes a course's map (versions 1.0 and 1.1, the interface document says).
 */
import type { Point } from "../recording.ts";

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
  return [...gpxPieces(words, points)].join("");
}

/** The same in pieces of a point each, for tracks that needn't fit in memory. */
export function* gpxPieces(words: GpxWords, points: Iterable<Point>): Generator<string> {
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

/** XML Schema's decimal has no exponent; nine decimals of a degree are a tenth of a millimetre. */
function decimal(value: number): string {
  const text = String(value);
  return text.includes("e") ? value.toFixed(9) : text;
}

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;" };

/** Text XML 1.0 can hold: markup escaped, forbidden characters left out, half surrogates replaced. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "")
    .replace(/[&<>\r]/g, (character) => ESCAPES[character] ?? character);
}
