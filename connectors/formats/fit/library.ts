/**
 * The points of one part by fit-file-parser 6.1.2: the best reader of FIT there is for Node, right on 183 of 186 files
 * point by point, and with gaps that its input is prepared to close. It is given a file of our own making that holds
 * the part's whole records and nothing else:
 *
 * - one part of a chain, of which it would read only the first;
 * - ended after the last whole message, with a length and checksums that hold, where it refuses a file that is shorter
 *   than its header says and reads nothing at all where the header says 0;
 * - without the descriptions of developer fields, which it lets replace native values of the same name.
 *
 * What else it lacks is seen to elsewhere: the original's checksum (`structure.ts`), heart-rate streams
 * (`heart-rate-stream.ts`), times that are no calendar date (`instantOf`).
 */
import FitParser from "fit-file-parser";
import type { Point } from "../recording.ts";
import { crc16 } from "./crc.ts";
import type { TimedPoint } from "./points.ts";
import { EPOCH_SECONDS, heartRate, instantOf, MESSAGE } from "./profile.ts";
import type { Part } from "./structure.ts";
import type { Source } from "./values.ts";
import { type Definition, walk } from "./walk.ts";

const HEADER_BYTES = 14;
const CRC_BYTES = 2;

/**
 * The records of a part as points, in file order.
 *
 * @returns undefined when the library refuses the file we made for it. It does so by throwing in the midst of a parse
 *   (not by the callback's error) for about a fifth of damaged inputs.
 */
export function libraryPoints(source: Source, part: Part): readonly TimedPoint[] | undefined {
  const file = recordsAsFile(source, part);
  let records: unknown;
  try {
    new FitParser({ force: false, mode: "list" }).parse(file, (_error, parsed) => {
      records = parsed?.records;
    });
  } catch {
    return undefined;
  }
  if (!Array.isArray(records)) return undefined;
  return records.map(pointOf);
}

/**
 * A FIT file of a part's record messages. Where times are packed into message headers the other messages stay in as
 * well, because each time goes on from the one before it, whichever message that was in.
 */
function recordsAsFile(source: Source, part: Part): ArrayBuffer {
  const { bytes } = source;
  const size = part.to - part.from;
  const file = new Uint8Array(HEADER_BYTES + size + CRC_BYTES);
  let end = HEADER_BYTES;
  const isKept = ({ global }: Definition) =>
    global === MESSAGE.record ||
    (part.compressed && global !== MESSAGE.fieldDescription && global !== MESSAGE.developerDataId);
  const copy = (from: number, to: number) => {
    file.set(bytes.subarray(from, to), end);
    // Two bits of a normal header have no meaning yet; the library throws where they are set.
    const header = bytes[from] as number;
    if ((header & 0xc0) === 0) file[end] = header & 0x0f;
    end += to - from;
  };
  const visitor = {
    definition(definition: Definition) {
      if (isKept(definition)) copy(definition.at, definition.end);
    },
    message(definition: Definition, at: number) {
      if (isKept(definition)) copy(at - 1, at + definition.size);
    },
  };
  walk(source, part.from, part.to, visitor, { maxMessages: Number.POSITIVE_INFINITY });

  const view = new DataView(file.buffer);
  file.set([HEADER_BYTES, 0x10, 0, 0, 0, 0, 0, 0, 0x2e, 0x46, 0x49, 0x54]);
  view.setUint32(4, end - HEADER_BYTES, true);
  view.setUint16(12, crc16(file, 0, 12), true);
  view.setUint16(end, crc16(file, 0, end), true);
  return file.buffer.slice(0, end + CRC_BYTES);
}

/**
 * What we read of a record of the library's, in the units it gives without being told otherwise: m, m/s, degrees, C.
 */
interface LibraryRecord {
  readonly timestamp?: unknown;
  readonly position_lat?: unknown;
  readonly position_long?: unknown;
  readonly altitude?: unknown;
  readonly enhanced_altitude?: unknown;
  readonly distance?: unknown;
  readonly heart_rate?: unknown;
  readonly cadence?: unknown;
  readonly fractional_cadence?: unknown;
  readonly power?: unknown;
  readonly temperature?: unknown;
  readonly speed?: unknown;
  readonly enhanced_speed?: unknown;
}

function pointOf(record: LibraryRecord): TimedPoint {
  const { timestamp } = record;
  const time = timestamp instanceof Date ? timestamp.getTime() / 1000 - EPOCH_SECONDS : undefined;
  const instant = instantOf(time);
  const lat = number(record.position_lat);
  const lon = number(record.position_long);
  const elevation = number(record.enhanced_altitude) ?? number(record.altitude);
  const distance = number(record.distance);
  const bpm = heartRate(number(record.heart_rate));
  const cadence = number(record.cadence);
  const power = number(record.power);
  const temperature = number(record.temperature);
  const speed = number(record.enhanced_speed) ?? number(record.speed);
  const point: Point = {
    ...(instant === undefined ? {} : { instant }),
    ...(lat === undefined || lon === undefined || Math.abs(lat) > 90 ? {} : { position: { lat, lon } }),
    ...(elevation === undefined ? {} : { elevation }),
    ...(distance === undefined ? {} : { distance: { unit: "m", value: distance } }),
    ...(bpm === undefined ? {} : { heartRate: bpm }),
    ...(cadence === undefined ? {} : { cadence: cadence + (number(record.fractional_cadence) ?? 0) }),
    ...(power === undefined ? {} : { power }),
    ...(temperature === undefined ? {} : { temperature: { unit: "C", value: temperature } }),
    ...(speed === undefined ? {} : { speed }),
  };
  return { time, point };
}

function number(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}
