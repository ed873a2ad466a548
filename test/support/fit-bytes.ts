/**
 * FIT files made byte by byte, sound ones and every kind of damage. Independent of the reader: it shares no code with
 * `connectors/formats/fit`, and its checksum is the protocol's definition, a bit at a time.
 *
 * Source: FIT protocol, "FIT File Structure".
 */

/** Base types by name: code and bytes. */
const TYPES = {
  enum: [0x00, 1],
  sint8: [0x01, 1],
  uint8: [0x02, 1],
  string: [0x07, 1],
  byte: [0x0d, 1],
  sint16: [0x83, 2],
  uint16: [0x84, 2],
  sint32: [0x85, 4],
  uint32: [0x86, 4],
  uint32z: [0x8c, 4],
  float32: [0x88, 4],
} as const;

/** A field of a message: number, base type, and how many values of it (1 when left out). */
export type FieldSpec = readonly [number: number, type: keyof typeof TYPES, count?: number];

/** The optional parts of a definition besides its fields. */
export interface DefinitionOptions {
  readonly bigEndian?: boolean;
  /** The byte that states the byte order, for values other than 0 and 1. */
  readonly order?: number;
  /** Developer fields: number, size, developer data index. */
  readonly developer?: readonly (readonly [number: number, size: number, index: number])[];
}

/** A definition message. */
export function define(
  local: number,
  global: number,
  fields: readonly FieldSpec[],
  options: DefinitionOptions = {},
): Uint8Array {
  const { bigEndian = false, developer } = options;
  const number = bigEndian ? [global >> 8, global & 0xff] : [global & 0xff, global >> 8];
  return Uint8Array.from([
    0x40 | (developer === undefined ? 0 : 0x20) | local,
    0,
    options.order ?? (bigEndian ? 1 : 0),
    ...number,
    fields.length,
    ...fields.flatMap(([field, type, count = 1]) => [field, TYPES[type][1] * count, TYPES[type][0]]),
    ...(developer === undefined ? [] : [developer.length, ...developer.flat()]),
  ]);
}

/** One value of a message: a number, a text, or the values of an array. */
export type FieldValue = number | string | readonly number[];

/** A data message under a normal header. */
export function data(
  local: number,
  fields: readonly FieldSpec[],
  values: readonly FieldValue[],
  bigEndian = false,
): Uint8Array {
  return joined([Uint8Array.of(local), payload(fields, values, bigEndian)]);
}

/** A data message whose time is the low 5 bits in its header. `local` is 0 to 3. */
export function packed(
  local: number,
  seconds: number,
  fields: readonly FieldSpec[],
  values: readonly FieldValue[],
): Uint8Array {
  return joined([Uint8Array.of(0x80 | (local << 5) | (seconds & 0x1f)), payload(fields, values, false)]);
}

/** A field with its value. Arrays and texts take as many values as they have. */
export type Filled = readonly [number: number, type: keyof typeof TYPES, value: FieldValue];

/** A definition and one message of it, for messages that come once. */
export function once(local: number, global: number, content: readonly Filled[], bigEndian = false): Uint8Array {
  const fields = content.map(([number, type, value]): FieldSpec => [number, type, countOf(value)]);
  const values = content.map(([, , value]) => value);
  return joined([define(local, global, fields, { bigEndian }), data(local, fields, values, bigEndian)]);
}

/** Values in a file's frame that may be false. */
export interface FileOptions {
  readonly headerBytes?: 12 | 14;
  /** Default the true one. */
  readonly dataSize?: number;
  /** Of the header. 0 means "not computed". Default the true one. */
  readonly headerCrc?: number;
  /** Default the true one, over whatever header there is. `null`: no checksum at all. */
  readonly crc?: number | null;
}

/** A whole FIT file of messages. */
export function fitFile(messages: readonly Uint8Array[], options: FileOptions = {}): Uint8Array {
  const { headerBytes = 14 } = options;
  const content = joined(messages);
  const header = new Uint8Array(headerBytes);
  header.set([headerBytes, 0x10, 0x43, 0x08, 0, 0, 0, 0, 0x2e, 0x46, 0x49, 0x54]);
  const view = new DataView(header.buffer);
  view.setUint32(4, options.dataSize ?? content.length, true);
  if (headerBytes === 14) view.setUint16(12, options.headerCrc ?? bitwiseCrc(header.subarray(0, 12)), true);
  const file = joined([header, content]);
  if (options.crc === null) return file;
  const crc = options.crc ?? bitwiseCrc(file);
  return joined([file, Uint8Array.of(crc & 0xff, crc >> 8)]);
}

/** CRC-16/ARC, a bit at a time. Of the text "123456789" it is 0xBB3D (the check value of every catalogue of CRCs). */
export function bitwiseCrc(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 1 ? (crc >> 1) ^ 0xa001 : crc >> 1;
  }
  return crc;
}

/** Chunks, one behind the other. */
export function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

function countOf(value: FieldValue): number {
  return typeof value === "number" ? 1 : value.length;
}

function payload(fields: readonly FieldSpec[], values: readonly FieldValue[], bigEndian: boolean): Uint8Array {
  return joined(
    fields.map(([, type, count = 1], index) => {
      const [, width] = TYPES[type];
      const bytes = new Uint8Array(width * count);
      const view = new DataView(bytes.buffer);
      const value = values[index] ?? 0;
      const list = typeof value === "string" ? [...new TextEncoder().encode(value)] : [value].flat();
      for (const [place, item] of list.slice(0, count).entries()) {
        if (width === 1) view.setUint8(place, item & 0xff);
        else if (type === "float32") view.setFloat32(place * 4, item, !bigEndian);
        else if (width === 2) view.setUint16(place * 2, item & 0xffff, !bigEndian);
        else view.setUint32(place * 4, item >>> 0, !bigEndian);
      }
      return bytes;
    }),
  );
}
