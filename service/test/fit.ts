/**
 * The smallest FIT files a test needs, written by hand from the FIT protocol: a header of 14 bytes, one definition before each message,
 * and the CRC. Numbers are those of the FIT profile.
 */

/** One message: its global number, and its fields as `[number, base type, value]`. */
export interface Message {
  readonly global: number;
  readonly fields: readonly (readonly [number: number, type: keyof typeof BASE_TYPES, value: number])[];
}

/** Base type byte and size in bytes. */
const BASE_TYPES = { enum: [0x00, 1], uint8: [0x02, 1], uint16: [0x84, 2], uint32: [0x86, 4] } as const;

/** Seconds from 1970 to the FIT epoch, 1989-12-31T00:00:00Z. */
const EPOCH = 631_065_600;

/** An ISO instant as FIT counts it. */
export function fitTime(iso: string): number {
  return Date.parse(iso) / 1000 - EPOCH;
}

/** `file_id` of an activity. */
export const FILE_ID: Message = { global: 0, fields: [[0, "enum", 4]] };

/** `session`: field 5 is the sport, 7 and 8 are elapsed and timer time in milliseconds, 9 is the distance in centimetres. */
export function session(start: string, sport: number, timerS: number, metres: number): Message {
  return {
    global: 18,
    fields: [
      [253, "uint32", fitTime(start) + timerS],
      [2, "uint32", fitTime(start)],
      [5, "enum", sport],
      [7, "uint32", (timerS + 60) * 1000],
      [8, "uint32", timerS * 1000],
      [9, "uint32", metres * 100],
      [16, "uint8", 140],
      [17, "uint8", 171],
    ],
  };
}

/** A whole file of these messages. */
export function fitFile(messages: readonly Message[]): Buffer {
  const body = Buffer.concat(messages.flatMap((message) => [definitionOf(message), dataOf(message)]));
  const header = Buffer.alloc(14);
  header.set([14, 0x20]);
  header.writeUInt16LE(2132, 2);
  header.writeUInt32LE(body.length, 4);
  header.write(".FIT", 8, "latin1");
  header.writeUInt16LE(crcOf(header.subarray(0, 12)), 12);
  const file = Buffer.concat([header, body, Buffer.alloc(2)]);
  file.writeUInt16LE(crcOf(file.subarray(0, -2)), file.length - 2);
  return file;
}

function definitionOf({ global, fields }: Message): Buffer {
  const head = Buffer.from([0x40, 0, 0, global & 0xff, global >> 8, fields.length]);
  const described = fields.map(([number, type]) => {
    const [code, size] = BASE_TYPES[type];
    return Buffer.from([number, size, code]);
  });
  return Buffer.concat([head, ...described]);
}

function dataOf({ fields }: Message): Buffer {
  const values = fields.map(([, type, value]) => {
    const bytes = Buffer.alloc(BASE_TYPES[type][1]);
    bytes.writeUIntLE(value, 0, bytes.length);
    return bytes;
  });
  return Buffer.concat([Buffer.from([0]), ...values]);
}

/** CRC-16 with the reversed polynomial 0xA001, bit by bit. */
function crcOf(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >> 1) ^ 0xa001 : crc >> 1;
  }
  return crc;
}
