import { describe, expect, test } from "vitest";
import {
  data,
  define,
  type FieldSpec,
  type FileOptions,
  fitFile,
  joined,
  once,
} from "../../../test/support/fit-bytes.ts";
import { decodeFit } from "./decode.ts";
import { FIT_CAPS, type FitCaps } from "./structure.ts";

const T = 968_934_400;
const RECORD: readonly FieldSpec[] = [
  [253, "uint32"],
  [3, "uint8"],
];
const fileId = once(0, 0, [[0, "enum", 4]]);
const session = once(2, 18, [
  [253, "uint32", T + 5],
  [2, "uint32", T],
  [8, "uint32", 4000],
  [9, "uint32", 1000],
  [16, "uint8", 140],
  [17, "uint8", 140],
]);
const record = (i: number) => data(1, RECORD, [T + i, 140]);
const messages = [fileId, define(1, 20, RECORD), ...[0, 1, 2, 3, 4].map(record), session];
const file = (options: FileOptions = {}) => fitFile(messages, options);
const caps = (some: Partial<FitCaps>): FitCaps => ({ ...FIT_CAPS, ...some });
const read = (bytes: Uint8Array, limits = FIT_CAPS) => {
  const { recordings, issues } = decodeFit(bytes, "decode", limits);
  return {
    points: recordings.map(({ points }) => points?.length),
    issues: issues.map(({ severity, rule }) => `${severity} ${rule}`),
  };
};

describe("bytes that are no FIT file are refused by name", () => {
  test.each([
    ["nothing", new Uint8Array(0), "error fit/empty"],
    ["eleven bytes", file().subarray(0, 11), "error fit/not-fit"],
    ["a header cut at byte 13", file().subarray(0, 13), "error fit/not-fit"],
    ["zeros", new Uint8Array(500), "error fit/not-fit"],
    ["a zip", joined([new TextEncoder().encode("PK\u0003\u0004"), new Uint8Array(50)]), "error fit/not-fit"],
    ["a header of 13 bytes", joined([Uint8Array.of(13), file().subarray(1)]), "error fit/bad-header"],
    ["a header of 255 bytes", joined([Uint8Array.of(255), file().subarray(1)]), "error fit/bad-header"],
    ["a header of 0 bytes", joined([Uint8Array.of(0), file().subarray(1)]), "error fit/bad-header"],
  ])("%s", (_name, bytes, issue) => {
    expect(read(bytes)).toEqual({ points: [], issues: [issue] });
  });

  test("with no format, so that others may claim them; a damaged header is still FIT", () => {
    expect(decodeFit(new Uint8Array(500), "scan").format).toBeUndefined();
    expect(decodeFit(joined([Uint8Array.of(13), file().subarray(1)]), "scan").format).toBe("fit");
  });
});

describe("a damaged file keeps what is whole and says what is not", () => {
  // The session is 43 bytes long: 6 + 6 * 3 of definition and 1 + 18 of data. 2 bytes of checksum follow it.
  const withoutSession = file().length - 2 - 43;
  test.each([
    [
      "cut inside the session",
      file().subarray(0, file().length - 6),
      [5],
      ["warning fit/truncated", "warning fit/no-session"],
    ],
    [
      "cut behind the records",
      file().subarray(0, withoutSession),
      [5],
      ["warning fit/truncated", "warning fit/no-session"],
    ],
    [
      "cut inside the last record",
      file().subarray(0, withoutSession - 1),
      [4],
      ["warning fit/truncated", "warning fit/no-session"],
    ],
    ["without its checksum", file({ crc: null }), [5], ["warning fit/crc-missing"]],
    ["with half its checksum", file().subarray(0, file().length - 1), [5], ["warning fit/crc-missing"]],
    ["with a wrong checksum", file({ crc: 0x1234 }), [5], ["warning fit/crc-mismatch"]],
    ["with a wrong header checksum", file({ headerCrc: 0x1234 }), [5], ["warning fit/header-crc"]],
    ["whose header has no checksum", file({ headerCrc: 0 }), [5], []],
    ["never finished, length 0", file({ dataSize: 0 }), [5], ["warning fit/unfinished"]],
    ["never finished, length 0xFFFFFFFF", file({ dataSize: 0xffffffff }), [5], ["warning fit/unfinished"]],
    ["never finished and without a checksum", file({ dataSize: 0, crc: null }), [5], ["warning fit/unfinished"]],
    ["with zeros behind it", joined([file(), new Uint8Array(100)]), [5], ["info fit/trailing-bytes"]],
    [
      "with text behind it",
      joined([file(), new TextEncoder().encode("x".repeat(100))]),
      [5],
      ["info fit/trailing-bytes"],
    ],
  ])("%s", (_name, bytes, points, issues) => {
    expect(read(bytes)).toEqual({ points, issues });
  });

  test("whose length is too short warns that messages may lie behind it", () => {
    const short = file({ dataSize: fitFile([fileId, define(1, 20, RECORD), record(0)]).length - 16 });
    expect(read(short)).toEqual({
      points: [1],
      issues: ["warning fit/crc-mismatch", "warning fit/trailing-bytes", "warning fit/no-session"],
    });
  });

  test.each([
    ["a message without a definition", Uint8Array.of(9, 1, 2, 3), "warning fit/undefined-message"],
    ["a definition of no byte order we know", define(9, 20, RECORD, { order: 118 }), "warning fit/bad-definition"],
    [
      "a definition that claims more fields than there are bytes",
      Uint8Array.of(0x49, 0, 0, 20, 0, 255, 1, 1, 1),
      "warning fit/truncated",
    ],
  ])("with %s in it keeps the records before", (_name, bytes, issue) => {
    const damaged = fitFile([...messages.slice(0, 5), bytes, ...messages.slice(5)]);
    // The short definition swallows the rest of this small file. That is allowed.
    expect(read(damaged)).toEqual({ points: [3], issues: [issue, "warning fit/no-session"] });
  });

  test("cut at any byte keeps exactly the records that are whole", () => {
    const whole = file();
    // A header of 14 bytes, then the file id, then the definition. Each record is 1 + 5 bytes.
    const first = 14 + messages.slice(0, 2).reduce((sum, { length }) => sum + length, 0);
    for (let end = 14; end < withoutSession; end++) {
      const records = Math.max(0, Math.floor((end - first) / 6));
      const { points, issues } = read(whole.subarray(0, end));
      expect([end, points]).toEqual([end, records === 0 ? [] : [records]]);
      expect(issues[0]).toBe("warning fit/truncated");
    }
  });

  test("with nothing whole in it is an error", () => {
    expect(read(fitFile([Uint8Array.of(9, 1, 2, 3)]))).toEqual({
      points: [],
      issues: ["warning fit/undefined-message", "error fit/nothing-readable"],
    });
  });

  test("whose fields have sizes that fit no type reads the others", () => {
    const odd: readonly FieldSpec[] = [
      [253, "uint32"],
      [5, "uint8", 3],
      [3, "uint8"],
    ];
    const definition = define(1, 20, odd);
    // Distance: 3 bytes of a type of 4. A second field, of 0 bytes.
    definition[6 + 3 + 2] = 0x86;
    const zero = Uint8Array.from([...definition, 7, 0, 0x84]);
    zero[5] = 4;
    const bytes = fitFile([fileId, zero, data(1, odd, [T, [1, 2, 3], 140]), session]);
    expect(decodeFit(bytes, "decode").recordings[0]?.points).toEqual([
      { instant: (T + 631_065_600) * 1000, heartRate: 140 },
    ]);
  });

  test("whose definition makes several values of one leaves them out, and reads the others", () => {
    // One wrong byte in a definition makes four numbers of 8 bits of a latitude, and two of 16 bits of a power. The first of them is no latitude and no power.
    const odd: readonly FieldSpec[] = [
      [253, "uint32"],
      [0, "sint8", 4],
      [1, "sint32"],
      [7, "uint16", 2],
      [3, "uint8"],
    ];
    const definition = define(1, 20, odd);
    const bytes = fitFile([fileId, definition, data(1, odd, [T, [31, -59, -21, 49], 2 ** 28, [250, 1], 140]), session]);
    const [recording] = decodeFit(bytes, "decode").recordings;
    expect(recording?.points).toEqual([{ instant: (T + 631_065_600) * 1000, heartRate: 140 }]);
    expect(recording?.positionCount).toBe(0);
  });

  test("with field names out of a prototype leaves every other object alone", () => {
    const name = once(6, 206, [
      [0, "uint8", 0],
      [1, "uint8", 0],
      [2, "uint8", 2],
      [3, "string", "__proto__"],
    ]);
    const definition = define(1, 20, RECORD, { developer: [[0, 1, 0]] });
    read(fitFile([fileId, name, definition, joined([record(0), Uint8Array.of(1)]), session]));
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});

describe("a file that holds too much is refused whole", () => {
  // A file id, its definition, a record definition, five records, a session definition and a session.
  const count = 10;
  const chain = (files: number) => joined(Array.from({ length: files }, () => file()));
  const sessions = (n: number) =>
    fitFile([fileId, define(1, 20, RECORD), record(0), ...Array.from({ length: n }, () => session)]);

  test.each([
    ["messages", file(), { messages: count - 1 }, "fit/too-many-messages"],
    ["messages of a chain", chain(2), { messages: 2 * count - 1 }, "fit/too-many-messages"],
    ["bytes", file(), { bytes: file().length - 1 }, "fit/too-large"],
    ["files", chain(4), { files: 3 }, "fit/too-many-files"],
    ["sessions", sessions(4), { sessions: 3 }, "fit/too-many-sessions"],
  ])("%s: at the cap and below it is read, above it is not", (_name, bytes, over, rule) => {
    const [key, value] = Object.entries(over)[0] as [keyof FitCaps, number];
    expect(read(bytes, caps({ [key]: value }))).toEqual({ points: [], issues: [`error ${rule}`] });
    expect(read(bytes, caps({ [key]: value + 1 })).issues).toEqual([]);
    expect(read(bytes, caps({ [key]: value + 2 })).issues).toEqual([]);
  });

  test("two million messages of no fields in 2 MB are met at the cap, and a million of them leave nothing behind", () => {
    const bomb = (n: number) => fitFile([fileId, define(1, 20, []), new Uint8Array(n).fill(1), session]);
    expect(read(bomb(2_000_000))).toEqual({ points: [], issues: ["error fit/too-many-messages"] });
    expect(read(bomb(999_995))).toEqual({ points: [0], issues: [] });
    expect(read(bomb(999_996)).issues).toEqual(["error fit/too-many-messages"]);
  });

  test("twenty thousand empty files in a chain", () => {
    const empty = fitFile([]);
    expect(read(joined(Array.from({ length: 20_000 }, () => empty))).issues).toEqual(["error fit/too-many-files"]);
  });

  test("heart rates without end", () => {
    const beats: readonly FieldSpec[] = [
      [6, "uint8", 250],
      [10, "byte", 5],
    ];
    const stream = (n: number) =>
      fitFile([...messages, define(3, 132, beats), ...Array.from({ length: n }, () => data(3, beats, [[100], [1]]))]);
    expect(read(stream(432_000 / 250)).issues).toEqual([]);
    expect(read(stream(432_000 / 250 + 1)).issues).toEqual(["error fit/too-many-beats"]);
  });

  test("laps without end", () => {
    const lap: readonly FieldSpec[] = [[23, "enum"]];
    const laps = (n: number) =>
      fitFile([fileId, define(1, 19, lap), ...Array.from({ length: n }, () => data(1, lap, [0])), session]);
    expect(read(laps(20_001)).issues).toEqual(["error fit/too-many-laps"]);
    expect(read(laps(20_000)).issues).toEqual([]);
  });
});
