/**
 * Reads ttbin, the files of TomTom's watches: a header, then records of a tag and a body. A table in the header gives the length of the records for
 * each tag. Files up to version 5 have no table, and shorter records. Numbers are little-endian. Sources: ryanbinns/ttwatch (src/ttbin.c), and for
 * version 5 the sample in shared/samples.
 */
import type { Issue } from "../../../transforms/model/issue.ts";
import { aboveZero, joinedPoints, type Measured, positionOf } from "../table/files/points.ts";
import type { TableLap } from "../table/mapping/fields.ts";

/** The data of a file about its workout. Times are seconds since 1970 UTC. */
export interface Ttbin {
  readonly start: number;
  /** The watch's local time at the start minus UTC, in seconds. It includes the error of the watch's clock. */
  readonly offset: number;
  readonly activity: number | undefined;
  readonly metres: number;
  readonly seconds: number;
  readonly calories: number;
  readonly poolMetres: number;
  readonly laps: readonly TableLap[];
  readonly measured: readonly Measured[];
}

/** The error for a file that is not ttbin, or is cut. */
export class TtbinError extends Error {
  readonly issue: Issue;
  constructor(rule: string, expected: string) {
    super(rule);
    this.issue = { severity: "error", rule, expected };
  }
}

const TAG = { header: 0x20, status: 0x21, gps: 0x22, heart: 0x25, summary: 0x27, pool: 0x2a, lap: 0x2f } as const;

/** The offsets of the header's fields. */
const HEADER = { version: 1, start: 8, offset: 112, count: 117, lengths: 118, end5: 120 } as const;

/** The last version without a table of lengths, and the lengths of its records. */
const OLD = {
  version: 5,
  lengths: new Map([
    [0x21, 7],
    [0x22, 28],
    [0x23, 20],
    [0x25, 7],
    [0x27, 17],
    [0x37, 2],
  ]),
} as const;

/** The watch writes this after it lost the satellites. */
const NO_TIME = 0xffffffff;

/**
 * Reads a file.
 *
 * @throws TtbinError `tomtom/not-ttbin`, and `tomtom/cut` for a file without its summary
 */
export function readTtbin(bytes: Uint8Array): Ttbin {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.byteLength <= HEADER.end5 || view.getUint8(0) !== TAG.header)
    throw new TtbinError("tomtom/not-ttbin", "a file of a TomTom watch");
  const isOld = view.getUint16(HEADER.version, true) <= OLD.version;
  const offset = view.getInt32(HEADER.offset, true);
  const reader = new Reader(isOld, offset);
  const lengths = isOld ? OLD.lengths : lengthsOf(view);
  const first = isOld ? HEADER.end5 : HEADER.lengths + 3 * view.getUint8(HEADER.count);
  for (let at = first; at < view.byteLength; ) {
    const tag = view.getUint8(at);
    const length = lengths.get(tag) ?? 0;
    // Without the length of a record, the next record can't be found.
    if (length < 1 || at + length > view.byteLength) break;
    reader.add(tag, new DataView(view.buffer, view.byteOffset + at + 1, length - 1));
    at += length;
  }
  return reader.result(view.getUint32(HEADER.start, true) - offset);
}

function lengthsOf(view: DataView): ReadonlyMap<number, number> {
  const lengths = new Map<number, number>();
  const count = view.getUint8(HEADER.count);
  for (let at = HEADER.lengths; at < HEADER.lengths + 3 * count && at + 3 <= view.byteLength; at += 3)
    lengths.set(view.getUint8(at), view.getUint16(at + 1, true));
  return lengths;
}

/** Fewest bytes of a record's body that hold all values we read. */
const BODY: Readonly<Record<number, number>> = {
  [TAG.gps]: 27,
  [TAG.heart]: 6,
  [TAG.summary]: 11,
  [TAG.pool]: 4,
  [TAG.lap]: 8,
};

class Reader {
  readonly #isOld: boolean;
  readonly #offset: number;
  readonly #measured: Measured[] = [];
  readonly #ends: { readonly seconds: number; readonly metres: number }[] = [];
  #summary: Pick<Ttbin, "activity" | "metres" | "seconds" | "calories"> | undefined;
  #poolMetres = 0;

  constructor(isOld: boolean, offset: number) {
    this.#isOld = isOld;
    this.#offset = offset;
  }

  add(tag: number, body: DataView): void {
    const least = BODY[tag];
    if (least === undefined || body.byteLength < least) return;
    if (tag === TAG.gps) this.#addPlace(body);
    else if (tag === TAG.heart) this.#addHeart(body);
    else if (tag === TAG.pool) this.#poolMetres = body.getInt32(0, true) / 100;
    else if (tag === TAG.lap) this.#ends.push({ seconds: body.getUint32(0, true), metres: body.getFloat32(4, true) });
    else this.#summary = this.#isOld && body.byteLength >= 16 ? oldSummary(body) : newSummary(body);
  }

  /** @throws TtbinError */
  result(start: number): Ttbin {
    if (this.#summary === undefined)
      throw new TtbinError("tomtom/cut", "the summary at the end of the file: copy the file from the watch again");
    const { metres, seconds } = this.#summary;
    return {
      ...{ start, offset: this.#offset, ...this.#summary },
      ...{ poolMetres: this.#poolMetres, laps: lapsOf(this.#ends, { seconds, metres }), measured: this.#measured },
    };
  }

  #addPlace(body: DataView): void {
    const position = positionOf(body.getInt32(0, true) / 1e7, body.getInt32(4, true) / 1e7);
    const seconds = body.getUint32(this.#isOld ? 14 : 12, true);
    if (position === undefined || seconds === 0 || seconds === NO_TIME) return;
    const metres = this.#isOld ? Number.NaN : body.getFloat32(22, true);
    const distance = metres >= 0 ? { distance: { unit: "m", value: Math.round(metres * 100) / 100 } as const } : {};
    this.#measured.push([seconds * 1000, { position, ...distance }]);
  }

  #addHeart(body: DataView): void {
    const heartRate = aboveZero(body.getUint8(0));
    const instant = (body.getUint32(2, true) - this.#offset) * 1000;
    if (heartRate !== undefined) this.#measured.push([instant, { heartRate }]);
  }
}

function newSummary(body: DataView) {
  return {
    activity: body.getUint8(0),
    metres: body.getFloat32(1, true),
    seconds: body.getUint32(5, true),
    calories: body.getUint16(9, true),
  };
}

function oldSummary(body: DataView) {
  return {
    activity: body.getUint8(0),
    metres: body.getUint32(4, true),
    seconds: body.getUint32(8, true),
    calories: body.getUint32(12, true),
  };
}

/** Makes laps from their ends, which count from the start. The last lap ends with the workout and has no record. */
function lapsOf(
  ends: readonly { readonly seconds: number; readonly metres: number }[],
  total: { readonly seconds: number; readonly metres: number },
): readonly TableLap[] {
  if (ends.length === 0) return [];
  return [...ends, total].flatMap((end, index, all): TableLap[] => {
    const before = all[index - 1] ?? { seconds: 0, metres: 0 };
    const timer = end.seconds - before.seconds;
    const metres = Math.round((end.metres - before.metres) * 10) / 10;
    return timer > 0 ? [{ timer, ...(metres > 0 && { distance: { unit: "m", value: metres } }) }] : [];
  });
}

/** The track of a file. */
export function trackOf(record: Readonly<Record<string, unknown>>) {
  return { points: joinedPoints((record as { readonly measured: readonly Measured[] }).measured) };
}
