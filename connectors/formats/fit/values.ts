/**
 * Reads the values inside a FIT message: the place of a field, and the meaning of its bytes. Each base type has one value
 * that stands for "nothing here". It is given as undefined.
 */

/** The place of a field in a message, and its storage. */
export interface Field {
  /** The field's number in the profile. */
  readonly number: number;
  /** Bytes. An array has several values of the base type side by side. The size may be 0, and may not fit the type. */
  readonly size: number;
  readonly baseType: number;
  /** Bytes from the start of the message's data. */
  readonly offset: number;
}

/** The bytes of a file, with a view on the same bytes. */
export interface Source {
  readonly bytes: Uint8Array;
  readonly view: DataView;
}

/** Makes the source of a file. */
export function sourceOf(bytes: Uint8Array): Source {
  return { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength) };
}

/**
 * Bytes that one value of a base type takes. Only the low five bits are the number of the type. Bit 7 repeats that the
 * type has an endianness.
 */
const SIZES = [1, 1, 1, 2, 2, 4, 4, 1, 4, 8, 1, 2, 4, 1, 8, 8, 8];

/**
 * A field of one integer.
 *
 * @param at the start of the message's data. The field must lie inside the bytes
 * @returns undefined for the type's "nothing here", for a size that isn't the size of the type (seen in
 *   coros-pace-2-cycling-misaligned-fields.fit), and for strings, floats, 64-bit and unknown types. The fields that we
 *   read don't use these types, and none of them is an array
 * Source: FIT protocol, "Base Types" (codes, sizes, invalid values).
 */
export function integerAt(source: Source, field: Field, at: number, littleEndian: boolean): number | undefined {
  const { baseType, size, offset } = field;
  return holdsOne(baseType, size) ? present(integer(source, baseType & 0x1f, at + offset, littleEndian)) : undefined;
}

/**
 * Whether a field has the size of one value of its type. Records check it once per definition, for thousands of messages. Four bytes that a damaged
 * definition calls four values of 8 bits are no latitude, and their first byte is none either.
 */
export function holdsOne(baseType: number, size: number): boolean {
  return SIZES[baseType & 0x1f] === size;
}

/**
 * A field of one number of any type, fractions included. An app may use any type.
 *
 * @returns undefined as in `integerAt`, and if the number isn't finite: a float's "nothing here" is NaN
 */
export function decimalAt(source: Source, field: Field, at: number, littleEndian: boolean): number | undefined {
  const width = FLOATS.get(field.baseType & 0x1f);
  if (width === undefined) return integerAt(source, field, at, littleEndian);
  if (field.size !== width) return undefined;
  const { view } = source;
  const place = at + field.offset;
  const value = width === 4 ? view.getFloat32(place, littleEndian) : view.getFloat64(place, littleEndian);
  return Number.isFinite(value) ? value : undefined;
}

/** Base types with fractions: code and bytes. */
const FLOATS: ReadonlyMap<number, 4 | 8> = new Map([
  [0x08, 4],
  [0x09, 8],
]);

/** Every element of an array of integers. "Nothing here" is undefined in its place. The conditions are those of `integerAt`. */
export function integersAt(
  source: Source,
  field: Field,
  at: number,
  littleEndian: boolean,
): readonly (number | undefined)[] {
  const type = field.baseType & 0x1f;
  const width = SIZES[type];
  if (width === undefined || field.size % width !== 0) return [];
  const values = [];
  for (let offset = field.offset; offset < field.offset + field.size; offset += width) {
    values.push(present(integer(source, type, at + offset, littleEndian)));
  }
  return values;
}

const utf8 = new TextDecoder();

/** A text field: UTF-8 up to the first NUL or the end (unterminated-strings.fit has no NUL). Undefined when empty. */
export function textAt(source: Source, field: Field, at: number): string | undefined {
  if ((field.baseType & 0x1f) !== 7) return undefined;
  const stored = source.bytes.subarray(at + field.offset, at + field.offset + field.size);
  const nul = stored.indexOf(0);
  const text = utf8.decode(nul === -1 ? stored : stored.subarray(0, nul)).trim();
  return text === "" ? undefined : text;
}

/**
 * One stored integer. A number stands for "nothing here" too, because records read a million of these, and one kind of result is read fastest.
 *
 * @param type a base type's low five bits
 * @returns NaN for the type's "nothing here", and for a type that holds no integer
 */
export function integer({ bytes, view }: Source, type: number, at: number, littleEndian: boolean): number {
  let value: number;
  switch (type) {
    case 0x00: // enum
    case 0x02: // uint8
    case 0x0d: // byte
      value = bytes[at] as number;
      return value === 0xff ? NaN : value;
    case 0x01: // sint8
      value = ((bytes[at] as number) << 24) >> 24;
      return value === 0x7f ? NaN : value;
    case 0x03: // sint16
      value = view.getInt16(at, littleEndian);
      return value === 0x7fff ? NaN : value;
    case 0x04: // uint16
      value = view.getUint16(at, littleEndian);
      return value === 0xffff ? NaN : value;
    case 0x05: // sint32
      value = view.getInt32(at, littleEndian);
      return value === 0x7fffffff ? NaN : value;
    case 0x06: // uint32
      value = view.getUint32(at, littleEndian);
      return value === 0xffffffff ? NaN : value;
    case 0x0a: // uint8z
      return (bytes[at] as number) || NaN;
    case 0x0b: // uint16z
      return view.getUint16(at, littleEndian) || NaN;
    case 0x0c: // uint32z
      return view.getUint32(at, littleEndian) || NaN;
    default:
      return NaN;
  }
}

function present(value: number): number | undefined {
  return Number.isNaN(value) ? undefined : value;
}
