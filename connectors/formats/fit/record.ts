/**
 * Reads record messages. A file has thousands of them. So the wanted fields are looked up once per definition, and then
 * read straight from the bytes.
 */
import type { Position } from "../../../transforms/geo.ts";
import type { Point } from "../recording.ts";
import { FIELD, heartRate, instantOf, SCALE } from "./profile.ts";
import { type Field, holdsInteger, type Source, storedInteger } from "./values.ts";
import { type Definition, readFields } from "./walk.ts";

/** The names of `FIELD.record`. */
export type RecordField = keyof typeof FIELD.record;

/** The places of the wanted fields in the records of one definition. Only fields with an integer that we can read are in it. */
export type RecordLayout = { readonly [name in RecordField]?: Field };

const NAMES: ReadonlyMap<number, RecordField> = new Map(
  Object.entries(FIELD.record).map(([name, number]) => [number, name as RecordField]),
);

/** Gives the layout of a definition. It is made once, and kept until its slot is defined anew. */
export function recordLayouts(source: Source): (definition: Definition) => RecordLayout {
  const known: { definition: Definition; layout: RecordLayout }[] = [];
  return (definition) => {
    const slot = known[definition.local];
    if (slot?.definition === definition) return slot.layout;
    const layout: { [name in RecordField]?: Field } = {};
    for (const field of readFields(source, definition)) {
      const name = NAMES.get(field.number);
      if (name !== undefined && holdsInteger(field)) layout[name] = field;
    }
    known[definition.local] = { definition, layout };
    return layout;
  };
}

/** The content of a position field: a place, nothing, or numbers that are no place on Earth. */
export type FoundPosition = Position | "none" | "off the globe";

/**
 * A pair of semicircles as a place.
 *
 * @returns degrees, lat in [-90, 90], lon in [-180, 180)
 */
export function positionOf(lat: number | undefined, lon: number | undefined): FoundPosition {
  if (lat === undefined || lon === undefined) return "none";
  const position = { lat: lat / SCALE.degrees, lon: lon / SCALE.degrees };
  return Math.abs(position.lat) <= 90 ? position : "off the globe";
}

/** The stored integer of one wanted field, unscaled. */
export function recordValue(
  source: Source,
  definition: Definition,
  field: Field | undefined,
  at: number,
): number | undefined {
  return field === undefined ? undefined : storedInteger(source, field, at, definition.littleEndian);
}

/** A record as a point. The caller adds `breakBefore` and heart rates from a stream. */
export function pointAt(
  source: Source,
  definition: Definition,
  layout: RecordLayout,
  at: number,
  timestamp: number | undefined,
): Point {
  const value = (field: Field | undefined) => recordValue(source, definition, field, at);
  const instant = instantOf(timestamp);
  const position = positionOf(value(layout.lat), value(layout.lon));
  const altitude = value(layout.enhancedAltitude) ?? value(layout.altitude);
  const distance = value(layout.distance);
  const bpm = heartRate(value(layout.heartRate));
  const cadence = value(layout.cadence);
  const fraction = value(layout.fractionalCadence) ?? 0;
  const power = value(layout.power);
  const temperature = value(layout.temperature);
  const speed = value(layout.enhancedSpeed) ?? value(layout.speed);
  return {
    ...(instant === undefined ? {} : { instant }),
    ...(typeof position === "string" ? {} : { position }),
    ...(altitude === undefined ? {} : { elevation: altitude / SCALE.altitude - SCALE.altitudeShift }),
    ...(distance === undefined ? {} : { distance: { unit: "m", value: distance / SCALE.distance } }),
    ...(bpm === undefined ? {} : { heartRate: bpm }),
    ...(cadence === undefined ? {} : { cadence: cadence + fraction / SCALE.fractionalCadence }),
    ...(power === undefined ? {} : { power }),
    ...(temperature === undefined ? {} : { temperature: { unit: "C", value: temperature } }),
    ...(speed === undefined ? {} : { speed: speed / SCALE.speed }),
  };
}
