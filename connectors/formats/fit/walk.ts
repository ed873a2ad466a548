/**
 * Walks through the data of one FIT file, message by message. FIT has no index, and no marks that show where a message
 * begins. Only the definition before a message gives its length. So the walk ends at the first byte that can't begin a
 * message. Nothing is copied, and the cost grows only with the number of messages.
 */
import { FIELD } from "./profile.ts";
import type { Field, Source } from "./values.ts";

/** The form of the data messages of a local type, until the type is defined anew. */
export interface Definition {
  /** `mesg_num` of the profile. */
  readonly global: number;
  /** The slot, 0 to 15. Data messages name their definition by it. */
  readonly local: number;
  readonly littleEndian: boolean;
  /** Data bytes after the header byte, developer fields included. */
  readonly size: number;
  /** The start of field 253 in the data; -1 if there is no such field of 4 bytes. */
  readonly timestampAt: number;
  /** The place of this definition in the file: its header byte, and the first byte after it. */
  readonly at: number;
  readonly end: number;
}

/** Called for each definition and message, in file order. */
export interface Visitor {
  definition?(definition: Definition): void;
  /**
   * A data message. A message without data and without a time is passed over. It says nothing, and two million of them fit
   * in 2 MB. (antfs-dump.63.fit has a record with only a time.)
   *
   * @param at the start of its data, after the header byte. `definition.size` bytes are there
   * @param timestamp raw seconds: its field 253, or the time packed into its header; undefined if it has none
   */
  message(definition: Definition, at: number, timestamp: number | undefined): void;
}

/**
 * The reason for the end of a walk.
 * - `end`: the last message ends where the data ends.
 * - `cut`: the data ends inside a message.
 * - `next-file`: a message should begin here, and another file's header stands here (only looked for on request).
 * - `undefined-message`: the local type of a data message was never defined, so its length is unknown.
 * - `bad-definition`: the byte order of a definition is neither 0 nor 1, so the rest can't be trusted.
 * - `too-many-messages`: the cap is reached.
 */
export type WalkEnd = "end" | "cut" | "next-file" | "undefined-message" | "bad-definition" | "too-many-messages";

/** The end of a walk, and its counts. */
export interface Walked {
  readonly end: WalkEnd;
  /** The first byte after the last whole message. */
  readonly at: number;
  /** Messages, definitions included. */
  readonly messages: number;
  /** Whether any message has its time in its header. */
  readonly compressed: boolean;
}

/** The options of a walk. */
export interface WalkOptions {
  /** The most messages, definitions included. The walk then stops. A definition without fields makes messages of one byte. */
  readonly maxMessages: number;
  /** Whether to look for the header of a next file, with or without a checksum before it. For data of unknown length. */
  readonly untilNextFile?: boolean;
}

const COMPRESSED = 0x80;
const DEFINITION = 0x40;
const DEVELOPER_FIELDS = 0x20;
const CRC_BYTES = 2;

/** Fixed part of a definition: header, reserved, byte order, mesg_num (2), number of fields. */
const DEFINITION_HEAD = 6;

/**
 * Walks the messages of `[from, to)`. Never throws.
 *
 * A compressed header gives the low 5 bits of a time. They continue the last full time, and roll over every 32 s. Without
 * a full time before it the message has no time. A time field in the same message comes first.
 * Source: FIT protocol, "Record format". Compressed headers were checked on antfs-dump.63.fit.
 */
export function walk({ bytes, view }: Source, from: number, to: number, visit: Visitor, options: WalkOptions): Walked {
  const definitions: (Definition | undefined)[] = new Array(16).fill(undefined);
  let at = from;
  let messages = 0;
  let compressed = false;
  let lastTime: number | undefined;
  const ended = (end: WalkEnd): Walked => ({ end, at, messages, compressed });

  while (at < to) {
    if (options.untilNextFile && (hasSignature(bytes, at) || hasSignature(bytes, at + CRC_BYTES)))
      return ended("next-file");
    if (messages === options.maxMessages) return ended("too-many-messages");
    const header = bytes[at] as number;
    if ((header & COMPRESSED) === 0 && (header & DEFINITION) !== 0) {
      const definition = definitionAt(bytes, at, to);
      if (typeof definition === "string") return ended(definition);
      definitions[definition.local] = definition;
      visit.definition?.(definition);
      at = definition.end;
    } else {
      const isCompressed = (header & COMPRESSED) !== 0;
      const definition = definitions[isCompressed ? (header >>> 5) & 0x03 : header & 0x0f];
      if (definition === undefined) return ended("undefined-message");
      const data = at + 1;
      if (data + definition.size > to) return ended("cut");
      let time: number | undefined;
      if (definition.timestampAt !== -1) {
        const stored = view.getUint32(data + definition.timestampAt, definition.littleEndian);
        if (stored !== 0xffffffff) time = stored;
      }
      if (isCompressed) {
        compressed = true;
        if (time === undefined && lastTime !== undefined) time = lastTime + (((header & 0x1f) - lastTime) & 0x1f);
      }
      if (time !== undefined) lastTime = time;
      if (definition.size !== 0 || time !== undefined) visit.message(definition, data, time);
      at = data + definition.size;
    }
    messages++;
  }
  return ended("end");
}

/** Whether a FIT header with its signature begins here. */
export function hasSignature(bytes: Uint8Array, at: number): boolean {
  return bytes[at + 8] === 0x2e && bytes[at + 9] === 0x46 && bytes[at + 10] === 0x49 && bytes[at + 11] === 0x54;
}

/** Shows the fields of a definition in stored order: number, bytes, base type, and bytes from the start of the message's data. */
export function eachField(
  { bytes }: Source,
  { at: from }: Definition,
  show: (number: number, size: number, baseType: number, offset: number) => void,
): void {
  const first = from + DEFINITION_HEAD;
  const end = first + 3 * (bytes[first - 1] as number);
  let offset = 0;
  for (let at = first; at < end; at += 3) {
    const size = bytes[at + 1] as number;
    show(bytes[at] as number, size, bytes[at + 2] as number, offset);
    offset += size;
  }
}

/** The fields of a definition in stored order. They are read on demand, because most definitions are never used. */
export function readFields(source: Source, definition: Definition): readonly Field[] {
  const fields: Field[] = [];
  eachField(source, definition, (number, size, baseType, offset) => fields.push({ number, size, baseType, offset }));
  return fields;
}

/** A developer field of a message. `number` is its number within the app of `index`. Its type stands in its description. */
export interface DeveloperFieldPlace {
  readonly index: number;
  readonly number: number;
  readonly size: number;
  /** Bytes from the start of the message's data. */
  readonly offset: number;
}

/** The developer fields of a definition in stored order. They stand after its own fields. */
export function developerFieldsOf(source: Source, definition: Definition): readonly DeveloperFieldPlace[] {
  const { bytes } = source;
  if (((bytes[definition.at] as number) & DEVELOPER_FIELDS) === 0) return [];
  const own = readFields(source, definition);
  const places: DeveloperFieldPlace[] = [];
  let offset = own.reduce((sum, { size }) => sum + size, 0);
  for (let at = definition.at + DEFINITION_HEAD + 3 * own.length + 1; at < definition.end; at += 3) {
    const size = bytes[at + 1] as number;
    places.push({ number: bytes[at] as number, size, index: bytes[at + 2] as number, offset });
    offset += size;
  }
  return places;
}

/** The definition at a header byte, or the reason why there is none. */
function definitionAt(bytes: Uint8Array, at: number, to: number): Definition | "cut" | "bad-definition" {
  const header = bytes[at] as number;
  if (at + DEFINITION_HEAD > to) return "cut";
  const order = bytes[at + 2] as number;
  if (order > 1) return "bad-definition";
  const low = bytes[at + 3] as number;
  const high = bytes[at + 4] as number;
  let end = at + DEFINITION_HEAD + 3 * (bytes[at + 5] as number);
  if (end > to) return "cut";
  let size = 0;
  let timestampAt = -1;
  for (let field = at + DEFINITION_HEAD; field < end; field += 3) {
    const width = bytes[field + 1] as number;
    if (bytes[field] === FIELD.timestamp && width === 4) timestampAt = size;
    size += width;
  }
  if ((header & DEVELOPER_FIELDS) !== 0) {
    if (end >= to) return "cut";
    const first = end + 1;
    end = first + 3 * (bytes[end] as number);
    if (end > to) return "cut";
    for (let field = first; field < end; field += 3) size += bytes[field + 1] as number;
  }
  const littleEndian = order === 0;
  const global = littleEndian ? low | (high << 8) : (low << 8) | high;
  return { global, local: header & 0x0f, littleEndian, size, timestampAt, at, end };
}
