/**
 * Distances in an app's own fields. The app of a rowing machine or a pool knows metres that the watch doesn't know. The watch writes 0. The
 * app writes a developer field, and a `field_description` message describes it. Seen in RowingCIQspeed.FIT of ../shared/corpus:
 * `total_distance` is 0, and the app's "Distance" is 6,163 m.
 *
 * Source: FIT protocol, "Developer Data Fields".
 */
import { inMetres, unitSpelt } from "../../../transforms/units.ts";
import type { Message } from "./message.ts";
import { FIELD, MESSAGE } from "./profile.ts";
import { decimalAt, type Field, type Source } from "./values.ts";
import { type Definition, developerFieldsOf } from "./walk.ts";

/** A developer field that holds a distance. */
export interface DistanceField {
  readonly index: number;
  readonly number: number;
  readonly baseType: number;
  /** Turns a stored value into metres. */
  readonly toMetres: (stored: number) => number;
}

/** The native fields that hold a distance, by message. */
const DISTANCES: ReadonlyMap<number, number> = new Map([
  [MESSAGE.session, FIELD.session.distance],
  [MESSAGE.lap, FIELD.lap.distance],
  [MESSAGE.record, FIELD.record.distance],
]);

/** The names that apps use for the distance. "Distance to go" and "Stroke distance" are something else. */
const NAME = /^(?:(?:total|overall|session|workout|lap)[ _-]?)?distance$/i;

/**
 * The distance that a `field_description` describes. A description is one of a distance in two cases: it names a native field that holds a distance,
 * or it has the name of a distance and a unit of length. The name counts because apps give wrong native fields (RowingCIQspeed.FIT says
 * `session.sport`).
 *
 * @returns undefined for any other description
 */
export function distanceFieldOf(description: Message): DistanceField | undefined {
  const { fieldDescription } = FIELD;
  const index = description.number(fieldDescription.index);
  const number = description.number(fieldDescription.number);
  const baseType = description.number(fieldDescription.baseType);
  if (index === undefined || number === undefined || baseType === undefined) return undefined;
  const spelling = description.text(fieldDescription.units);
  const unit = spelling === undefined ? undefined : unitSpelt("distance", spelling);
  const native = DISTANCES.get(description.number(fieldDescription.nativeMessage) ?? MESSAGE.record);
  const isNative = native !== undefined && native === description.number(fieldDescription.nativeField);
  const isNamed = unit !== undefined && NAME.test(description.text(fieldDescription.name) ?? "");
  if (!(isNamed || (isNative && (unit !== undefined || spelling === undefined)))) return undefined;
  // 0 and "nothing here" both mean that the value is stored as it is.
  const scale = description.number(fieldDescription.scale) || 1;
  const shift = description.number(fieldDescription.shift) ?? 0;
  const toMetres = (stored: number) => inMetres({ unit: unit ?? "m", value: stored / scale - shift });
  return { index, number, baseType, toMetres };
}

/** Reads the metres of a message's developer field. */
export type DistanceReader = (definition: Definition, at: number) => number | undefined;

/**
 * Makes a reader for one part. A definition's fields are looked up once.
 *
 * @param known grows while the part is read. A description stands before the first message that uses it
 */
export function distanceReader(source: Source, known: readonly DistanceField[]): DistanceReader {
  const slots: { definition: Definition; found: { field: Field; toMetres: DistanceField["toMetres"] } | undefined }[] =
    [];
  return (definition, at) => {
    if (known.length === 0) return undefined;
    let slot = slots[definition.local];
    if (slot?.definition !== definition) {
      slot = { definition, found: findIn(source, definition, known) };
      slots[definition.local] = slot;
    }
    const { found } = slot;
    const stored = found === undefined ? undefined : decimalAt(source, found.field, at, definition.littleEndian);
    return stored === undefined ? undefined : found?.toMetres(stored);
  };
}

function findIn(source: Source, definition: Definition, known: readonly DistanceField[]) {
  for (const { index, number, size, offset } of developerFieldsOf(source, definition)) {
    // If two descriptions have one number, the last one counts: an app may start anew in a chained file.
    const described = known.findLast((each) => each.index === index && each.number === number);
    if (described === undefined) continue;
    const { baseType, toMetres } = described;
    return { field: { number, size, baseType, offset }, toMetres };
  }
  return undefined;
}
