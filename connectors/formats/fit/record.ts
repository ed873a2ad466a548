/**
 * Reads record messages. A file has thousands of them. So the places of the wanted fields are worked out once per
 * definition, and every record then fills the same row of numbers straight from the bytes.
 */
import type { Position } from "../../../transforms/geo.ts";
import { DEGREES, FIELD } from "./profile.ts";
import { holdsOne, integer, type Source } from "./values.ts";
import { type Definition, eachField } from "./walk.ts";

/** The place of each wanted field in the row. */
export const ROW = {
  lat: 0,
  lon: 1,
  altitude: 2,
  heartRate: 3,
  cadence: 4,
  distance: 5,
  speed: 6,
  power: 7,
  temperature: 8,
  fractionalCadence: 9,
  enhancedSpeed: 10,
  enhancedAltitude: 11,
} as const satisfies Record<keyof typeof FIELD.record, number>;

/** The stored integers of one record, by `ROW`. NaN stands for a field that is absent, empty or no integer. */
export type RecordRow = Float64Array;

/** Reads the record at a place. The next call may fill the same row anew. */
export type RecordReader = (definition: Definition, at: number) => RecordRow;

/** The place in the row for each field number of the profile; -1 for a field that isn't wanted. */
export type Wanted = Int8Array;

function wanted(names: readonly (keyof typeof ROW)[]): Wanted {
  const places = new Int8Array(256).fill(-1);
  for (const name of names) places[FIELD.record[name]] = ROW[name];
  return places;
}

/** Every field that a point has. */
export const FOR_POINTS: Wanted = wanted(Object.keys(ROW) as (keyof typeof ROW)[]);

/** The fields that are added up without keeping a point. */
export const FOR_TOTALS: Wanted = wanted(["lat", "lon", "distance", "heartRate"]);

/** The wanted fields of a definition. */
interface Layout {
  readonly definition: Definition;
  /** A field is its place in the row, its base type and its offset in one number: 4, 5 and 16 bits. */
  readonly fields: readonly number[];
  readonly row: RecordRow;
}

/** Makes a reader for one part. */
export function recordReader(source: Source, wanted: Wanted): RecordReader {
  const layouts: (Layout | undefined)[] = new Array(16).fill(undefined);
  return (definition, at) => {
    let layout = layouts[definition.local];
    if (layout?.definition !== definition) {
      layout = layoutAt(source, definition, wanted, layout);
      layouts[definition.local] = layout;
    }
    const { fields, row } = layout;
    const { littleEndian } = definition;
    for (let index = 0; index < fields.length; index++) {
      const field = fields[index] as number;
      row[field >>> 21] = integer(source, (field >>> 16) & 0x1f, at + (field & 0xffff), littleEndian);
    }
    return row;
  };
}

/** @param previous the last layout of the same slot. Its row is used again, because a file can define a slot for every record */
function layoutAt(source: Source, definition: Definition, wanted: Wanted, previous: Layout | undefined): Layout {
  const fields: number[] = [];
  eachField(source, definition, (number, size, baseType, offset) => {
    const place = wanted[number] as number;
    if (place >= 0 && holdsOne(baseType, size)) fields.push((place << 21) | ((baseType & 0x1f) << 16) | offset);
  });
  const row = previous?.row ?? new Float64Array(Object.keys(ROW).length);
  return { definition, fields, row: row.fill(Number.NaN) };
}

/** The content of a position field: a place, nothing, or numbers that are no place on Earth. */
export type FoundPosition = Position | "none" | "off the globe";

/**
 * A pair of semicircles as a place.
 *
 * @returns degrees, lat in [-90, 90], lon in [-180, 180)
 */
export function positionOf(lat = NaN, lon = NaN): FoundPosition {
  if (Number.isNaN(lat) || Number.isNaN(lon)) return "none";
  const position = { lat: lat * DEGREES, lon: lon * DEGREES };
  return Math.abs(position.lat) <= 90 ? position : "off the globe";
}
