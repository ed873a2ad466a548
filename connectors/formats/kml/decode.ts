/**
 * Turns KML into routes and recordings, with @xmldom/xmldom and @tmcw/togeojson. Both accept bad input. So our own strict reader reads
 * the document first. Values that togeojson would read in part (`47,1.5` as 47) are taken out before it runs. KMZ is a zip: the archive
 * reader hands over its `doc.kml`.
 *
 * A `<Placemark>` with lines is a route. If its lines (`<gx:Track>`) have times, it is a recording. Points and areas are not read.
 */
import { kml } from "@tmcw/togeojson";
import { DOMParser, ParseError } from "@xmldom/xmldom";
import type { Feature, Geometry } from "geojson";
import { defined } from "../../../transforms/model/defined.ts";
import type { Issue } from "../../../transforms/model/issue.ts";
import type { Depth, DeviceFile, Recording, Route } from "../recording.ts";
import { decodeText } from "../text.ts";
import { xmlCleaner } from "../xml/clean.ts";
import { declaredEncoding, readXml, XML_CAPS } from "../xml/reader.ts";
import { costly, Remarks } from "../xml/remarks.ts";
import { Track } from "../xml/track.ts";
import { parseDecimal, parseTime } from "../xml/values.ts";
import { believedOffset } from "../xml/written-offset.ts";
import { elementsNamed, Placemarks, type PointValues } from "./placemarks.ts";

/** The content of a KML file, in the form of a device file. Devices don't write KML. */
export type KmlFile = Omit<DeviceFile, "format"> & { readonly format: "kml" };

/** Bytes of a document. A DOM takes some forty times as much memory, and xmldom reads about 1 MB a second. */
export const KML_BYTES = 2 * 2 ** 20;

/**
 * The most tags, comments and the like. Each costs the parser 8 µs and half a kilobyte: 2 MB of empty tags took 4 s and 600 MB. A track of
 * seven hours with a point a second has as many.
 */
export const KML_TAGS = 125_000;

type Document = ReturnType<DOMParser["parseFromString"]>;

/**
 * Decodes a document.
 *
 * @param source the bytes of a .kml file, or its text
 * @returns never throws. Problems are in `issues` (see `DeviceFile`). A document that is cut or isn't well-formed is refused
 *   as a whole, unlike a GPX file.
 */
export function decodeKml(source: Uint8Array | string, depth: Depth, maxBytes: number = KML_BYTES): KmlFile {
  if (source.length > maxBytes) {
    return unusable([
      { severity: "error", rule: "kml/too-large", found: `${source.length} bytes`, expected: `at most ${maxBytes}` },
    ]);
  }
  let root: string | undefined;
  const { end, issues } = readXml(
    source,
    {
      open(name, _, path) {
        if (path.length === 0) root = name;
        return root === "kml";
      },
      close() {},
    },
    XML_CAPS,
  );
  if (root !== undefined && root !== "kml") {
    const found = `a document whose first element is <${root}>`;
    return unusable([...issues, { severity: "error", rule: "kml/not-kml", found, expected: "<kml>" }]);
  }
  if (end !== "complete") return unusable(issues);
  const parsed = parse(source);
  return "rule" in parsed ? unusable([...issues, parsed]) : read(parsed, depth, issues);
}

function unusable(issues: readonly Issue[]): KmlFile {
  return { format: "kml", device: {}, recordings: [], routes: [], issues: costly(issues) };
}

function countOf(character: string, text: string): number {
  let count = 0;
  for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1)) count++;
  return count;
}

function parse(source: Uint8Array | string): Document | Issue {
  const text = typeof source === "string" ? source : decodeText(source, declaredEncoding(source)).text;
  const cleaner = xmlCleaner();
  try {
    const cleaned = withPrefixesDeclared(cleaner.write(text) + cleaner.end());
    const tags = countOf("<", cleaned);
    if (tags > KML_TAGS) {
      const expected = `at most ${KML_TAGS}`;
      return { severity: "error", rule: "kml/too-many-tags", found: `${tags} tags and comments`, expected };
    }
    return new DOMParser({ onError: () => {} }).parseFromString(cleaned, "text/xml");
  } catch (error) {
    // xmldom throws ParseError. For names that it refuses (an undeclared prefix) it throws DOMException.
    const isItsOwn = error instanceof ParseError || (error instanceof Error && error.name === "NamespaceError");
    if (!isItsOwn) throw error;
    return { severity: "error", rule: "kml/not-well-formed", found: error.message.slice(0, 120), expected: "XML" };
  }
}

/** The most prefixes that are declared. Real files use no more. */
const MOST_PREFIXES = 32;

/** Declares missing prefixes on the root element, because xmldom refuses a document for a forgotten `gx`. */
function withPrefixesDeclared(text: string): string {
  const prefixes = new Set<string>(["xml", "xmlns"]);
  const missing: string[] = [];
  for (const [, prefix = ""] of text.matchAll(/[<\s]([A-Za-z_][\w.-]{0,30}):[A-Za-z_]/g)) {
    if (prefixes.has(prefix) || prefixes.size > MOST_PREFIXES) continue;
    prefixes.add(prefix);
    if (!text.includes(`xmlns:${prefix}`)) missing.push(` xmlns:${prefix}="urn:undeclared:${prefix}"`);
  }
  return missing.length === 0 ? text : text.replace(/<(?:[\w.-]+:)?kml(?=[\s/>])/, (root) => root + missing.join(""));
}

function read(document: Document, depth: Depth, before: readonly Issue[]): KmlFile {
  const remarks = new Remarks();
  keepWholeNumbers(document, remarks);
  const placemarks = new Placemarks(document);
  const recordings: Recording[] = [];
  const routes: Route[] = [];
  for (const feature of kml(document).features) {
    const lines = linesOf(feature.geometry);
    if (lines.length === 0) continue;
    const times = timesOf(feature, lines, remarks);
    const counts = lines.map(({ length }) => length);
    const values = placemarks.valuesOf(feature, counts, remarks);
    const { track, offsetMinutes, recordedMs } = trackOf({ lines, times, values }, depth, remarks);
    if (track.pointCount === 0) continue;
    const impossible = track.heartRateIssue("kml");
    if (impossible !== undefined) remarks.add(impossible);
    const { pointCount, positionCount, points, start } = track;
    const distance = { unit: "m", value: track.metres } as const;
    const words = { name: textOf(feature.properties?.name), notes: textOf(feature.properties?.description) };
    if (start === undefined) routes.push(defined({ ...words, distance, pointCount, points }));
    else {
      const { avgHR, maxHR, elapsed, firstPosition } = track;
      const isPaused = placemarks.isOfOpenTracks && lines.length > 1;
      recordings.push(
        defined({
          sport: placemarks.sportOf(feature),
          start,
          offsetMinutes: believedOffset(offsetMinutes, track, "kml", remarks),
          firstPosition,
          distance,
          elapsed,
          timer: isPaused ? recordedMs / 1000 : undefined,
          avgHR,
          maxHR,
          laps: [],
          ...words,
          pointCount,
          positionCount,
          points,
        }),
      );
    }
  }
  const issues = [...before, ...remarks.list()];
  if (recordings.length + routes.length === 0) {
    if (remarks.list().length > 0) return unusable(issues);
    issues.push({ severity: "info", rule: "kml/no-activity", found: "no line", expected: "a LineString or a Track" });
  }
  return { format: "kml", device: {}, recordings, routes, issues };
}

/**
 * Removes coordinates from the document if one of their parts is no number from end to end: `no`, `44x`. togeojson would leave out that part alone, and the next
 * part would move up: `no,44.1,0` would be 44.1 east, 0 north. The blanks between coordinates become single ones, because togeojson takes quadratic
 * time to trim them.
 */
function keepWholeNumbers(document: Document, remarks: Remarks): void {
  for (const element of elementsNamed(document, "coordinates")) {
    const tuples = (element.textContent ?? "").split(/\s+/).filter((tuple) => tuple !== "");
    const good = tuples.filter((tuple) => areNumbers(tuple.split(","), tuple, remarks));
    element.textContent = good.join(" ");
  }
  for (const element of elementsNamed(document, "coord")) {
    const text = (element.textContent ?? "").trim();
    // An empty coordinate stays, because its time has the same place in the list of times.
    if (text === "") continue;
    const parts = text.split(/\s+/);
    element.textContent = areNumbers(parts, text, remarks) ? parts.join(" ") : "";
  }
}

function areNumbers(parts: readonly string[], found: string, remarks: Remarks): boolean {
  const numbers = parts.map(parseDecimal);
  const [lon, lat] = numbers;
  const isPosition = lon !== undefined && lat !== undefined && Math.abs(lon) <= 180 && Math.abs(lat) <= 90;
  if (isPosition && !numbers.includes(undefined)) return true;
  remarks.add({
    severity: "warning",
    rule: "kml/bad-position",
    field: "coordinates",
    found,
    expected: "longitude, latitude and height; the point was left out",
  });
  return false;
}

type Line = readonly (readonly number[])[];

function linesOf(geometry: Geometry | null): Line[] {
  if (geometry === null) return [];
  if (geometry.type === "LineString") return [geometry.coordinates];
  if (geometry.type === "GeometryCollection") return geometry.geometries.flatMap(linesOf);
  return [];
}

/** The times of each line, if every coordinate has one. Otherwise a point could get the time of another point. */
function timesOf(
  feature: Feature<Geometry | null>,
  lines: readonly Line[],
  remarks: Remarks,
): readonly (readonly string[])[] {
  const times: unknown = feature.properties?.coordinateProperties?.times;
  if (!Array.isArray(times)) return [];
  const lists: readonly (readonly string[])[] = Array.isArray(times[0]) ? times : [times];
  if (lists.length === lines.length && lines.every((line, index) => line.length === lists[index]?.length)) return lists;
  remarks.add({
    severity: "warning",
    rule: "kml/times-unmatched",
    found: "times and coordinates of different number",
    expected: "one time a coordinate; the times were left out",
  });
  return [];
}

/** The lines of a feature, with the times and the values of their points where they have any. */
interface Lines {
  readonly lines: readonly Line[];
  readonly times: readonly (readonly string[])[];
  readonly values: readonly (readonly PointValues[])[];
}

/** @returns the track, and how long its lines were recorded: pauses between them don't count */
function trackOf({ lines, times, values }: Lines, depth: Depth, remarks: Remarks) {
  const track = new Track(depth);
  let offsetMinutes: number | undefined;
  let recordedMs = 0;
  for (const [index, line] of lines.entries()) {
    let isBreak = track.pointCount > 0;
    let [first, last]: (number | undefined)[] = [];
    for (const [at, [lon, lat, elevation]] of line.entries()) {
      const text = times[index]?.[at];
      const time = text === undefined ? undefined : parseTime(text.trim());
      if (text !== undefined && time === undefined) {
        remarks.add({
          severity: "warning",
          rule: "kml/bad-time",
          field: "when",
          found: text,
          expected: "a date and time",
        });
      }
      const offset = time?.offsetMinutes;
      offsetMinutes ??= offset;
      // OpenTracks writes a time with an empty coordinate while it has no signal (corpus other/.../example.kml).
      const position =
        Number.isFinite(lon) && Number.isFinite(lat) ? { lat: lat as number, lon: lon as number } : undefined;
      if (position === undefined && time === undefined) continue;
      const breakBefore: true | undefined = isBreak ? true : undefined;
      const { instant } = time ?? {};
      first ??= instant;
      last = instant ?? last;
      track.add(defined({ ...values[index]?.[at], instant, position, elevation, breakBefore }));
      isBreak = false;
    }
    recordedMs += Math.max(0, (last ?? 0) - (first ?? 0));
  }
  return { track, offsetMinutes, recordedMs };
}

/** The text of a name or a description. Descriptions are often HTML. */
function textOf(value: unknown): string | undefined {
  const text = typeof value === "object" && value !== null && "value" in value ? value.value : value;
  if (typeof text !== "string") return undefined;
  const plain = text
    .replace(/<[^<>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  return plain === "" ? undefined : plain;
}
