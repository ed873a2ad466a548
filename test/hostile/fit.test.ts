import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as fit from "../support/fit-bytes.ts";
import { growth, LINEAR } from "../support/growth.ts";
import { ROOT } from "../support/rehearsal.ts";
import { gpx, readFiles } from "./reading.ts";

const T = 1_000_000_000;
const RECORD: readonly fit.FieldSpec[] = [
  [253, "uint32"],
  [3, "uint8"],
];
const fileId = fit.once(0, 0, [
  [0, "enum", 4],
  [4, "uint32", T],
]);
const records = [0, 1, 2].map((n) => fit.data(1, RECORD, [T + n, 140 + n]));
const session = fit.once(2, 18, [
  [253, "uint32", T + 2],
  [2, "uint32", T],
  [5, "enum", 1],
  [7, "uint32", 2000],
]);
const messages = [fileId, fit.define(1, 20, RECORD), ...records, session];
const sound = Buffer.from(fit.fitFile(messages));
const changed = (change: (bytes: Buffer) => void) => {
  const copy = Buffer.from(sound);
  change(copy);
  return copy;
};

/** A hostile file beside a sound one: the sound one is read. */
async function beside(content: Uint8Array) {
  const { items, rejected, remarks } = await readFiles({ "good.gpx": gpx(), "a.fit": content });
  expect(items.filter(({ origin }) => origin.entry === "good.gpx")).toHaveLength(1);
  return {
    rejected: Object.values(rejected).join("\n"),
    remarks: remarks.filter((remark) => remark.includes("a.fit")).join("\n"),
    workouts: items.filter(({ kind, origin }) => kind === "workout" && origin.entry === "a.fit"),
  };
}

test.each<[string, Uint8Array, RegExp]>([
  [
    "a header of 0 bytes",
    changed((bytes) => bytes.writeUInt8(0, 0)),
    /^fit\/bad-header \(header size is "0", expected 12 or 14\)$/,
  ],
  ["a header of 13 bytes", changed((bytes) => bytes.writeUInt8(13, 0)), /^fit\/bad-header \(header size is "13"/],
  ["a header of 255 bytes", changed((bytes) => bytes.writeUInt8(255, 0)), /^fit\/bad-header \(header size is "255"/],
  [
    "no .FIT",
    changed((bytes) => bytes.write("FIT!", 8)),
    /^device-file\/unknown-format \(data of another kind, expected FIT, GPX or TCX\)$/,
  ],
  ["nothing in it", new Uint8Array(0), /^device-file\/unknown-format \(an empty file/],
  ["nothing but zeros", new Uint8Array(500), /^device-file\/unknown-format \(nothing but zeros/],
])("F1 a file with %s is rejected with what is wrong", async (_, bytes, said) => {
  const { rejected, workouts } = await beside(bytes);
  expect(workouts).toEqual([]);
  expect(rejected).toMatch(said);
});

test.each<[string, Uint8Array, RegExp]>([
  [
    "a data size of 0",
    changed((bytes) => bytes.writeUInt32LE(0, 4)),
    /fit\/unfinished \(data size is "0", expected a finished recording; the messages before byte \d+ are kept\)/,
  ],
  [
    "a data size of 0xFFFFFFFF",
    changed((bytes) => bytes.writeUInt32LE(0xffffffff, 4)),
    /fit\/unfinished \(data size is "0xFFFFFFFF"/,
  ],
  [
    "a data size that is too long",
    changed((bytes) => bytes.writeUInt32LE(5_000, 4)),
    /fit\/truncated \(\d+ bytes of data, expected 5000\)/,
  ],
  [
    "a data size that is too short",
    changed((bytes) => bytes.writeUInt32LE(sound.length - 14 - 2 - 20, 4)),
    /fit\/(crc-mismatch|trailing-bytes|truncated)/,
  ],
  [
    "a wrong checksum",
    changed((bytes) => bytes.writeUInt16LE(bytes.readUInt16LE(bytes.length - 2) ^ 1, bytes.length - 2)),
    /fit\/crc-mismatch \(CRC is "0x[0-9A-F]{4}", expected 0x[0-9A-F]{4}\)/,
  ],
  ["a wrong checksum of the header", changed((bytes) => bytes.writeUInt16LE(7, 12)), /fit\/header-crc/],
])("F1 a file with %s keeps what is whole, and says so", async (_, bytes, said) => {
  const { remarks, workouts } = await beside(bytes);
  expect(workouts).toHaveLength(1);
  expect(remarks).toMatch(said);
});

test.each<[string, readonly Uint8Array[], RegExp]>([
  [
    "data before its definition",
    [fileId, fit.define(1, 20, RECORD), ...records, Uint8Array.of(9, 1, 2, 3)],
    /fit\/undefined-message \(a message without a definition at byte \d+, expected whole messages; those before it are kept\)/,
  ],
  [
    "byte order 118, as a real file had",
    [fileId, fit.define(1, 20, RECORD), ...records, fit.define(3, 20, RECORD, { order: 118 }), ...records],
    /fit\/bad-definition \(a definition of unknown byte order at byte \d+/,
  ],
])("F2 %s ends the reading there: the offset is told, what came before is kept", async (_, content, said) => {
  const { remarks, workouts } = await beside(fit.fitFile(content));
  expect(workouts).toHaveLength(1);
  expect(remarks).toMatch(said);
});

test.each<[string, readonly Uint8Array[]]>([
  ["fields of 0 bytes", [fileId, fit.define(3, 20, [[3, "uint8", 0]]), Uint8Array.of(3), ...messages.slice(1)]],
  [
    "a field of 255 bytes",
    [
      fileId,
      fit.define(3, 20, [[3, "uint8", 255]]),
      fit.data(3, [[3, "uint8", 255]], [Array(255).fill(1)]),
      ...messages.slice(1),
    ],
  ],
  [
    "a size that is no multiple of its type",
    [fileId, Uint8Array.of(0x43, 0, 0, 20, 0, 1, 3, 3, 0x84), Uint8Array.of(3, 1, 2, 3), ...messages.slice(1)],
  ],
  [
    "an unknown base type",
    [fileId, Uint8Array.of(0x43, 0, 0, 20, 0, 1, 3, 1, 0x7e), Uint8Array.of(3, 1), ...messages.slice(1)],
  ],
  [
    "a developer field without a description",
    [
      fileId,
      fit.define(3, 20, [[253, "uint32"]], { developer: [[0, 1, 9]] }),
      Uint8Array.of(3, 0, 0xca, 0x9a, 0x3b, 1),
      ...messages.slice(1),
    ],
  ],
])("F2 %s cost nothing but themselves", async (_, content) => {
  const { workouts } = await beside(fit.fitFile(content));
  expect(workouts).toMatchObject([{ value: { activity: "run", duration: 2 } }]);
});

test("F3 four million messages without fields are refused at the millionth, for what two million cost", async () => {
  const bomb = (count: number) => fit.fitFile([fileId, fit.define(1, 20, []), new Uint8Array(count).fill(1), session]);
  expect(await growth(bomb, beside, 2_000_000)).toBeLessThanOrEqual(LINEAR);
  const { rejected } = await beside(bomb(2_000_000));
  expect(rejected).toBe("fit/too-many-messages (more than 1000000 messages, expected at most 1000000)");
});

test("F4 files set one behind another are each read, bytes behind them are told of, and 20,000 empty ones refused", async () => {
  const second = fit.fitFile(
    messages.map((bytes, at) =>
      at === 0
        ? fit.once(0, 0, [
            [0, "enum", 4],
            [4, "uint32", T + 86_400],
          ])
        : bytes,
    ),
  );
  const { workouts, remarks } = await beside(Buffer.concat([sound, second, Buffer.from("tail")]));
  expect(workouts).toHaveLength(2);
  expect(remarks).toMatch(
    /fit\/trailing-bytes \(4 bytes from byte \d+, expected the end of the file; they are left out\)/,
  );
  const { rejected } = await beside(Buffer.concat(Array(20_000).fill(fit.fitFile([]))));
  expect(rejected).toBe("fit/too-many-files (more than 255 files in one, expected at most 255)");
});

test("F5 odd values are read as the protocol has them: hearts of 0 and 255 and missing positions are none, two sports are two workouts", async () => {
  const field: readonly fit.FieldSpec[] = [
    [253, "uint32"],
    [3, "uint8"],
    [0, "sint32"],
    [1, "sint32"],
  ];
  const odd = [0, 255, 150].map((heart, n) =>
    fit.data(1, field, [n === 2 ? 0x7fffffff + T : T + n, heart, 0x7fffffff, 0x7fffffff]),
  );
  const { workouts } = await beside(fit.fitFile([fileId, fit.define(1, 20, field), ...odd.slice(0, 2), session]));
  expect(workouts).toHaveLength(1);
  expect(JSON.stringify(workouts)).not.toMatch(/"avgHR"|"maxHR"|firstPosition/);
  // What independent decoders say of a triathlon, of packed times and of pauses is held in test/corpus and fit/decode.test.ts.
  const triathlon = readFileSync(join(ROOT, "fixtures/device-files/fit-multisport/archive/triathlon.fit"));
  const { items } = await readFiles({ "t.fit": triathlon });
  expect(items.map((item) => item.kind === "workout" && item.value.activity)).toEqual(["swim", "bike", "run"]);
});
