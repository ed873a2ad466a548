/**
 * Ways to damage a file. Some know nothing of the format, and some know where its numbers, tags and headers stand. Each takes bytes and gives other
 * bytes, and leaves its input unchanged.
 */
import { crc32 } from "node:zlib";
import { bitwiseCrc } from "../support/fit-bytes.ts";
import type { Random } from "./random.ts";

/** Damages bytes. `others` are the seeds of the parser, to take pieces from. `words` are the words of its language. */
export type Operator = (bytes: Buffer, random: Random, context: Context) => Buffer;

/** The material an operator may use. */
export interface Context {
  readonly others: readonly Buffer[];
  readonly words: readonly string[];
}

/** The longest mutant. Other tests cover inputs that take long because they are long. */
export const LONGEST_MUTANT = 16 * 1024;

const changed = (bytes: Buffer, change: (copy: Buffer) => void): Buffer => {
  const copy = Buffer.from(bytes);
  change(copy);
  return copy;
};

const replaced = (bytes: Buffer, from: number, to: number, by: Uint8Array): Buffer =>
  Buffer.concat([bytes.subarray(0, from), by, bytes.subarray(to)]).subarray(0, LONGEST_MUTANT);

const lengthOf = (random: Random, most: number) => 1 + random.below(random.of([1, 4, 16, 64, Math.max(1, most)]));

const EDGES = [0, 1, 2, 0x7f, 0x80, 0xfe, 0xff] as const;
const WIDE_EDGES = [0, 1, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff] as const;

/** Damage that needs no knowledge of the format. */
export const BLIND: readonly Operator[] = [
  // A bit flipped.
  (bytes, random) => changed(bytes, (copy) => flip(copy, random)),
  // A byte at an edge of its range, in its place or from there to the end.
  (bytes, random) => changed(bytes, (copy) => void copy.fill(random.of(EDGES), at(copy, random))),
  (bytes, random) =>
    changed(bytes, (copy) => {
      if (copy.length > 0) copy[at(copy, random)] = random.of(EDGES);
    }),
  // A number of 2, 4 or 8 bytes at an edge of its range, in either order.
  (bytes, random) =>
    changed(bytes, (copy) => {
      const width = random.of([2, 4, 8]);
      if (copy.length < width) return;
      const place = random.below(copy.length - width + 1);
      const value = random.of(WIDE_EDGES);
      const isLittle = random.once(2);
      for (let index = 0; index < width; index++) {
        const shift = isLittle ? index : width - 1 - index;
        copy[place + index] = shift < 4 ? (value >>> (8 * shift)) & 0xff : value === 0xffffffff ? 0xff : 0;
      }
    }),
  // Bytes inserted, removed, repeated, or repeated many times.
  (bytes, random) => {
    const place = at(bytes, random);
    return replaced(
      bytes,
      place,
      place,
      Buffer.from(Array.from({ length: lengthOf(random, 32) }, () => random.below(256))),
    );
  },
  (bytes, random) => {
    const place = at(bytes, random);
    return replaced(bytes, place, place + lengthOf(random, bytes.length >> 1), Buffer.alloc(0));
  },
  (bytes, random) => {
    const place = at(bytes, random);
    const chunk = bytes.subarray(place, place + lengthOf(random, bytes.length >> 1));
    const times = random.of([1, 1, 1, 2, 10, 200]);
    return replaced(bytes, place, place, Buffer.concat(Array<Buffer>(times).fill(chunk)));
  },
  // A piece of another input.
  (bytes, random, { others }) => {
    const other = random.of(others);
    const from = at(other, random);
    const place = at(bytes, random);
    const end = random.once(2) ? bytes.length : place + lengthOf(random, 64);
    return replaced(bytes, place, end, other.subarray(from, from + lengthOf(random, other.length)));
  },
  // The end cut off.
  (bytes, random) => bytes.subarray(0, at(bytes, random)),
  // A word of the language, over the old bytes or between them.
  (bytes, random, { words }) => {
    const word = Buffer.from(random.of(words), "latin1");
    const place = at(bytes, random);
    return replaced(bytes, place, random.once(2) ? place : place + word.length, word);
  },
];

/** Unexpected numbers in place of digits. */
const ODD_NUMBERS = [
  "-0",
  "NaN",
  "Infinity",
  "1e999",
  "-1e-999",
  "99999999999999999999",
  "9007199254740993",
  "4294967296",
  "0x10",
  "1,5",
  "1.2.3",
  "+1",
  ".",
  "-",
  "1e",
  "00",
  "181",
  "-91",
  "9999-99-99T99:99:99Z",
  "0000-01-01",
  "١٢",
] as const;

/** Damage to text: numbers, quotes, tags. */
export const TEXT: readonly Operator[] = [
  (bytes, random) => {
    const text = bytes.toString("latin1");
    const numbers = [...text.matchAll(/\d[\d.:T-]*/g)];
    if (numbers.length === 0) return bytes;
    const number = random.of(numbers);
    return replaced(bytes, number.index, number.index + number[0].length, Buffer.from(random.of(ODD_NUMBERS)));
  },
  // A line again, elsewhere.
  (bytes, random) => {
    const lines = bytes.toString("latin1").split("\n");
    lines.splice(random.below(lines.length), random.below(2), random.of(lines));
    return Buffer.from(lines.join("\n"), "latin1").subarray(0, LONGEST_MUTANT);
  },
];

/** Damage to tags: nested, left open, closed twice, with attributes without end. */
export const XML: readonly Operator[] = [
  ...TEXT,
  (bytes, random) => {
    const tags = [...bytes.toString("latin1").matchAll(/<[^<>]{0,80}>/g)];
    if (tags.length === 0) return bytes;
    const { index, 0: tag } = random.of(tags);
    const after = index + tag.length;
    switch (random.below(5)) {
      case 0:
        return replaced(bytes, index, after, Buffer.alloc(0));
      case 1:
        return replaced(bytes, index, index, Buffer.from(tag.repeat(random.of([1, 2, 70, 2000])), "latin1"));
      case 2:
        return replaced(
          bytes,
          after - 1,
          after - 1,
          Buffer.from(Array.from({ length: random.of([1, 70]) }, (_, n) => ` a${n}="${n}"`).join("")),
        );
      case 3:
        return replaced(
          bytes,
          index,
          after,
          Buffer.from(
            tag.replace(/[a-z]+/i, random.of(["gpx", "trk", "trkpt", "Lap", "x:y", "__proto__", "constructor"])),
            "latin1",
          ),
        );
      default:
        return replaced(
          bytes,
          after,
          after,
          Buffer.from(
            random.of([
              "<![CDATA[",
              "]]>",
              "<!--",
              "-->",
              "<?x ",
              "&#27;",
              "&#xD800;",
              "&lol;",
              "<!DOCTYPE x [<!ENTITY a 'b'>]>",
            ]),
            "latin1",
          ),
        );
    }
  },
];

/** Damage to the fields that FIT definitions describe. Header and checksum are made right again half of the time, so that the reader looks inside. */
export const FIT: readonly Operator[] = [
  (bytes, random) => {
    const definitions = definitionsOf(bytes);
    if (definitions.length === 0) return bytes;
    const place = random.of(definitions);
    return changed(bytes, (copy) => {
      const fields = copy[place + 5] ?? 0;
      const field = place + 6 + 3 * random.below(Math.max(1, fields));
      const what = random.below(6);
      const target = [place + 2, place + 3, place + 5, field, field + 1, field + 2][what] as number;
      if (target < copy.length) copy[target] = random.once(2) ? random.of(EDGES) : random.below(256);
    });
  },
  (bytes, random) => (random.once(4) ? bytes : mended(bytes)),
  // A message header of another kind.
  (bytes, random) =>
    changed(bytes, (copy) => {
      if (copy.length > 14)
        copy[14 + random.below(copy.length - 14)] = random.of([0x00, 0x01, 0x0f, 0x40, 0x4f, 0x60, 0x80, 0xff]);
    }),
];

/** A FIT file with the right header and checksum. */
export function mended(bytes: Buffer): Buffer {
  const header = bytes[0] ?? 0;
  if (bytes.length < header + 2 || (header !== 12 && header !== 14)) return bytes;
  return changed(bytes, (copy) => {
    copy.writeUInt32LE(copy.length - header - 2, 4);
    copy.write(".FIT", 8, "latin1");
    if (header === 14) copy.writeUInt16LE(0, 12);
    copy.writeUInt16LE(bitwiseCrc(copy.subarray(0, -2)), copy.length - 2);
  });
}

/** The places of likely definitions, found by walking from the header. The walk ends where the bytes stop making sense. */
function definitionsOf(bytes: Buffer): number[] {
  const found: number[] = [];
  const sizes = new Map<number, number>();
  for (let place = bytes[0] ?? 0; place + 6 < bytes.length; ) {
    const header = bytes[place] as number;
    if ((header & 0xc0) !== 0x40) {
      const size = sizes.get((header & 0x80) === 0 ? header & 0x0f : (header >> 5) & 3);
      if (size === undefined) break;
      place += 1 + size;
      continue;
    }
    found.push(place);
    let size = 0;
    const fields = bytes[place + 5] as number;
    for (let field = 0; field < fields; field++) size += bytes[place + 7 + 3 * field] ?? 0;
    sizes.set(header & 0x0f, size);
    place += 6 + 3 * fields;
    if ((header & 0x20) !== 0) break;
  }
  return found;
}

/** Offsets of the numbers in the three headers of a zip, by signature. Source: PKWARE APPNOTE 4.3.7, 4.3.12, 4.3.16. */
const ZIP_HEADERS: readonly (readonly [signature: string, offsets: readonly number[]])[] = [
  ["PK\x03\x04", [4, 6, 8, 14, 18, 22, 26, 28]],
  ["PK\x01\x02", [4, 5, 6, 8, 10, 16, 20, 24, 28, 30, 32, 34, 38, 42, 46]],
  ["PK\x05\x06", [4, 6, 8, 10, 12, 16, 20]],
  ["PK\x06\x06", [4, 24, 32, 40, 48]],
  ["PK\x06\x07", [4, 8, 16]],
];

/** Damage to zips: a number in a header, or a checksum made right again after the content was damaged. */
export const ZIP: readonly Operator[] = [
  (bytes, random) => {
    const [signature, offsets] = random.of(ZIP_HEADERS);
    const places = placesOf(bytes, signature);
    if (places.length === 0) return bytes;
    const place = random.of(places) + random.of(offsets);
    return changed(bytes, (copy) => {
      const value = random.once(2) ? random.of(WIDE_EDGES) : random.below(copy.length + 50);
      if (random.once(2) && place + 4 <= copy.length) copy.writeUInt32LE(value >>> 0, place);
      else if (place + 2 <= copy.length) copy.writeUInt16LE(value & 0xffff, place);
    });
  },
  // Stored entries with changed bytes get the checksum of the new content, in both headers.
  (bytes) =>
    changed(bytes, (copy) => {
      for (const place of placesOf(copy, "PK\x01\x02")) {
        if (place + 46 > copy.length || copy.readUInt16LE(place + 10) !== 0) continue;
        const local = copy.readUInt32LE(place + 42);
        if (local + 30 > copy.length) continue;
        const start = local + 30 + copy.readUInt16LE(local + 26) + copy.readUInt16LE(local + 28);
        const crc = crc32(copy.subarray(start, start + copy.readUInt32LE(place + 20)));
        copy.writeUInt32LE(crc, place + 16);
        copy.writeUInt32LE(crc, local + 14);
      }
    }),
];

function placesOf(bytes: Buffer, signature: string): number[] {
  const places: number[] = [];
  for (
    let place = bytes.indexOf(signature, 0, "latin1");
    place !== -1;
    place = bytes.indexOf(signature, place + 1, "latin1")
  )
    places.push(place);
  return places;
}

function at(bytes: Uint8Array, random: Random): number {
  return random.below(bytes.length + 1);
}

function flip(bytes: Buffer, random: Random): void {
  if (bytes.length === 0) return;
  const place = random.below(bytes.length);
  bytes[place] = (bytes[place] as number) ^ (1 << random.below(8));
}
