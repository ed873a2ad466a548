/**
 * Reads the recorded series of a logbook. They are base64, little-endian, and have a head and then a point of fixed length for each. Of positions and
 * heart rates the layout is known. A point begins with the seconds since the start of its series, in 16 bits, which begin again after 18 hours.
 */
import { someDefined } from "../../../transforms/model/defined.ts";
import type { XmlRecord } from "../../formats/xml/each.ts";
import { membersOf } from "../../formats/xml/members.ts";
import type { RecordedTrack } from "../table/description.ts";
import { aboveZero, joinedPoints, type Measured, positionOf } from "../table/files/points.ts";

/** Series that a track is made of. */
export const READ = ["GPSRoute", "HeartRateTrack"] as const;

/** Times count from 1990-01-01T00:00:00Z. */
const EPOCH = Date.UTC(1990, 0, 1);

interface Layout {
  readonly version: string;
  /** The offset of the start in seconds, 8 bytes. The number of points stands behind it, and after 4 bytes more the first point. */
  readonly start: number;
  /** Bytes of a point. */
  readonly size: number;
  readonly part: (bytes: Buffer, at: number) => Measured[1] | undefined;
}

const LAYOUTS: Readonly<Record<(typeof READ)[number], Layout>> = {
  GPSRoute: { version: "2", start: 0, size: 14, part: placeAt },
  HeartRateTrack: {
    version: "1",
    start: 1,
    size: 3,
    part: (bytes, at) => someDefined({ heartRate: aboveZero(bytes.readUInt8(at)) }),
  },
};

/** The track of an activity. A series of another version counts as left. */
export function trackOfLogbook(activity: Readonly<Record<string, unknown>>): RecordedTrack {
  const left = Object.keys(activity).filter((name) => /(?:Track|Route)$/.test(name));
  const values: Measured[] = [];
  for (const name of READ) {
    const { version, "text()": text } = membersOf(membersOf(activity[name] as XmlRecord | undefined).TrackData);
    const found = version === LAYOUTS[name].version && typeof text === "string" ? valuesIn(text, LAYOUTS[name]) : [];
    if (found.length > 0) left.splice(left.indexOf(name), 1);
    values.push(...found);
  }
  return { points: joinedPoints(values), left };
}

function valuesIn(text: string, { start, size, part }: Layout): readonly Measured[] {
  const bytes = Buffer.from(text.trim(), "base64");
  const first = start + 16;
  if (bytes.length < first) return [];
  const begin = EPOCH + Number(bytes.readBigInt64LE(start)) * 1000;
  const count = Math.min(bytes.readInt32LE(start + 8), Math.floor((bytes.length - first) / size));
  const values: Measured[] = [];
  let [before, turns] = [0, 0];
  for (let index = 0; index < count; index++) {
    const at = first + index * size;
    const seconds = bytes.readUInt16LE(at);
    if (seconds < before) turns++;
    before = seconds;
    const measured = part(bytes, at + 2);
    if (measured !== undefined) values.push([begin + (seconds + turns * 65_536) * 1000, measured]);
  }
  return values;
}

function placeAt(bytes: Buffer, at: number): Measured[1] | undefined {
  const [lat, lon, metres] = [0, 4, 8].map((offset) => bytes.readFloatLE(at + offset));
  const position = positionOf(rounded(lat), rounded(lon));
  return position && someDefined({ position, elevation: Number.isFinite(metres) ? rounded(metres) : undefined });
}

/** Takes off the digits that a number of 32 bits doesn't have. */
function rounded(value: number | undefined): number {
  return Number(Number(value).toFixed(5));
}
