import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32, deflateRawSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { growth, LINEAR, NO_MORE, timesTheWork } from "../support/growth.ts";
import { inputs } from "../support/tiers.ts";
import { u16, u32, type ZipSpec, zipBytes } from "../support/zip-bytes.ts";
import { gpx, readFile, readFiles, readPath, readZip, refusalOf } from "./reading.ts";

/** The sound run of the zip is read. Each of these entries is rejected with its message. */
async function expectRejected(entries: readonly ZipSpec[], said: Readonly<Record<string, RegExp>>): Promise<void> {
  const { items, rejected } = await readZip(entries);
  expect(items.filter(({ kind }) => kind === "workout")).toHaveLength(1);
  expect(Object.keys(rejected).toSorted()).toEqual(Object.keys(said).toSorted());
  for (const [name, words] of Object.entries(said)) expect(rejected[name], name).toMatch(words);
}

test.each<[string, string, RegExp]>([
  ["../x.fit", "../x.fit", /^archive\/unsafe-name \(\.\.\/x\.fit, expected a path without \. and \.\. in it\)$/],
  ["/x.fit", "/x.fit", /expected a path inside the archive/],
  ["C:\\x.fit", "C:\\x.fit", /expected a path without a drive/],
  ["\\\\srv\\x.fit", "\\\\srv\\x.fit", /expected a path inside the archive/],
  ["..\\x.fit", "..\\x.fit", /expected a path without \. and \.\. in it/],
  ["a/../../b.fit", "a/../../b.fit", /expected a path without \. and \.\. in it/],
  ["~/x.fit", "~/x.fit", /no shell takes for a home folder/],
  ["CON.fit", "CON.fit", /no name of a Windows device/],
  ["a.fit ", "a.fit ", /no name that ends in a space or a dot/],
])("Z1 an entry called %j is refused as unsafe, and the others go on", (name, shown, said) =>
  expectRejected([{ name, content: gpx("2020-05-02") }], { [shown]: said }),
);

test.each<[string, string | Uint8Array, string]>([
  ["NUL", "a.fit\0.exe", "a.fit\\x00.exe"],
  ["ESC", "a\x1b[2Jb.fit", "a\\x1b[2Jb.fit"],
  ["a mark that turns the direction of reading", "a\u202egpx.fit", "a\\u{202e}gpx.fit"],
])("Z2 a name with %s in it is refused and shown spelt out", (_, name, shown) =>
  expectRejected([{ name, content: gpx("2020-05-02") }], {
    [shown]: /^archive\/bad-name \(.*a name without control characters\)$/,
  }),
);

test("Z2 a name that is flagged UTF-8 and isn't is refused", () =>
  expectRejected([{ name: Uint8Array.of(0x61, 0xff, 0x2e), flags: 0x800, content: "x" }], {
    "aÿ.": /^archive\/bad-name \(expected a name in UTF-8\)$/,
  }));

test.each([
  ["a link", 0o120777],
  ["a device", 0o060666],
  ["a pipe", 0o010666],
])("Z3 %s in a zip is no plain file", (what, mode) =>
  expectRejected([{ name: "a.fit", mode, content: "/etc/passwd" }], {
    "a.fit": new RegExp(`^archive/link \\(${what}, expected a plain file\\)$`),
  }),
);

test("Z3 links and pipes in a folder are not followed, and are counted", async () => {
  const folder = mkdtempSync(join(tmpdir(), "hostile-"));
  try {
    writeFileSync(join(folder, "good.gpx"), gpx());
    symlinkSync("/etc/passwd", join(folder, "a.fit"));
    execFileSync("mkfifo", [join(folder, "b.fit")]);
    const { items, rejected } = await readPath(folder);
    expect(items).toHaveLength(1);
    expect(rejected).toEqual({
      "a.fit": "archive/link (a link, expected a plain file; copy what it points at into the folder)",
      "b.fit": "archive/link (not a plain file, expected a plain file; copy what it points at into the folder)",
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("Z4 a file that unpacks to a thousand times its size is refused, and which option lets it in is said", () =>
  expectRejected([{ name: "bomb.fit", content: Buffer.alloc(20 * 2 ** 20) }], {
    "bomb.fit":
      /^archive\/ratio \(Cannot read bomb\.fit: it unpacks to 10\d\d times its size; raise --max-ratio if you trust it\)$/,
  }));

test("Z5 entries that share bytes are refused: all at one place, one quoted within another, one that reaches into the list", async () => {
  const first = { name: "a.fit", content: "x".repeat(500), stored: true };
  const said =
    /^archive\/overlap \(expected bytes that belong to no other entry; if you trust the archive, unpack it and name the folder\)$/;
  const one = zipBytes([first]).length;
  expect(one).toBeGreaterThan(500);
  const good = 30 + "good.gpx".length + deflateRawSync(gpx()).length;
  await expectRejected(
    [first, ...["b.fit", "c.fit"].map((name) => ({ ...first, name, directoryOnly: true, central: { offset: good } }))],
    { "a.fit": said, "b.fit": said, "c.fit": said },
  );
  await expectRejected([first, { ...first, name: "b.fit", directoryOnly: true, central: { offset: good + 100 } }], {
    "a.fit": said,
    "b.fit": said,
  });
  await expectRejected([{ ...first, central: { packedBytes: 5_000, sizeBytes: 5_000 } }], { "a.fit": said });
});

test("Z6 a zip more than two deep in others is refused, and so is what costs the more the deeper it is opened", async () => {
  const innermost = zipBytes([
    { name: "a.gpx", content: gpx("2020-05-02") },
    { name: "d.zip", content: zipBytes([{ name: "d.gpx", content: gpx("2020-05-04") }]) },
  ]);
  const middle = zipBytes([
    { name: "c.zip", content: innermost },
    { name: "b.gpx", content: gpx("2020-05-03") },
  ]);
  const { items, rejected } = await readZip([{ name: "b.zip", content: middle }]);
  expect(items).toHaveLength(3);
  expect(rejected).toEqual({
    "b.zip!/c.zip!/d.zip":
      "archive/nested (a zip 3 deep in others, expected at most 2 deep. Unpack it and name what it holds, or raise --nested if you trust it)",
  });
  const bombs = [zipBytes([{ name: "0.fit", content: Buffer.alloc(2 ** 20) }])];
  for (let level = 0; level < 5; level++) {
    const content = bombs.at(-1) ?? "";
    bombs.push(zipBytes(Array.from({ length: 16 }, (_, n) => ({ name: `${n}.zip`, content }))));
  }
  const open = (content: Uint8Array | undefined) => readZip([{ name: "42.zip", content: content ?? "" }]);
  const { rejected: refused } = await open(bombs[5]);
  expect(Object.keys(refused)).toHaveLength(16 * 16);
  // Unopened levels cost nothing: five of them cost as much as three.
  expect(
    await timesTheWork(
      () => open(bombs[5]),
      () => open(bombs[3]),
    ),
  ).toBeLessThanOrEqual(NO_MORE);
});

const content = Buffer.from(gpx("2020-05-02"));
test.each<[string, ZipSpec, RegExp]>([
  [
    "a wrong checksum",
    { name: "a.gpx", content, crc: 1 },
    /^archive\/crc \(Cannot read a\.gpx: its content does not match its checksum\)$/,
  ],
  [
    "a size it doesn't have",
    { name: "a.gpx", content, sizeBytes: content.length + 1 },
    /^archive\/size \(.*it does not hold the \d+ bytes it declares\)$/,
  ],
  [
    "data that ends too early",
    { name: "a.gpx", content, data: deflateRawSync(content).subarray(0, 40) },
    /^archive\/truncated \(.*ends too early\)$/,
  ],
  [
    "a password",
    { name: "a.gpx", content, flags: 1 },
    /^archive\/encrypted \(expected an archive without a password; unpack it and name the folder\)$/,
  ],
  ["the encryption of method 99", { name: "a.gpx", content, method: 99 }, /^archive\/encrypted/],
  [
    "a packing we don't know",
    { name: "a.gpx", content, method: 14 },
    /^archive\/method \(packed by method 14 \(LZMA\), expected stored or deflated; unpack the archive/,
  ],
  [
    "its data on another disk",
    { name: "a.gpx", content, disk: 3 },
    /^archive\/multi-disk \(expected an archive in one part\)$/,
  ],
  [
    "sizes in a zip64 field that isn't there",
    { name: "a.gpx", content, central: { sizeBytes: 0xffffffff } },
    /^archive\/size \(no zip64 sizes/,
  ],
])("Z7 an entry with %s is rejected, and the others go on", (_, entry, said) =>
  expectRejected([entry], { "a.gpx": said }),
);

test("Z7 a zip that can't be listed ends the command with what to do: cut short, in parts, with two ends, no zip at all", async () => {
  const zip = zipBytes([{ name: "a.gpx", content }]);
  expect(await refusalOf(readFile("x.zip", zip.subarray(0, -30)))).toBe(
    "Cannot open x.zip: the end is missing, so it was probably cut short; download or copy it again",
  );
  expect(await refusalOf(readZip([], { disk: 2 }))).toBe(
    "Cannot open x.zip: it is one part of several; join them first",
  );
  const second = zipBytes([{ name: "b.gpx", content }], { before: zip, offsetsCountBefore: true });
  const comment = second.subarray(zip.length);
  const twoEnds = Buffer.concat([zip.subarray(0, -2), u16(comment.length), comment]);
  expect(await refusalOf(readFile("x.zip", twoEnds))).toMatch(
    /^Cannot open x\.zip: (it has two ends, and each names another directory|its directory)/,
  );
  expect(await refusalOf(readZip([], { zip64: { directoryOffset: 7 }, smallEndSpeaks: true }))).toMatch(
    /^Cannot open x\.zip: its two ends name different directories/,
  );
  expect(await refusalOf(readFile("x.zip", "PK"))).toMatch(/^Cannot tell what x\.zip is/);
});

test("Z7 a zip of nothing but encrypted files says so, instead of not knowing what it is", async () => {
  const zip = zipBytes([{ name: "a.gpx", content, flags: 1 }]);
  expect(await refusalOf(readFile("x.zip", zip))).toMatch(
    /^Cannot tell what x\.zip is: nothing in it can be opened\. a\.gpx: encrypted, expected an archive without a password; unpack it/,
  );
});

/** Entries of a zip that are empty. */
const EMPTY = inputs({ first: 1_000, long: 60_000 });

test(`Z8 ${EMPTY} empty entries and a comment of 64 KiB cost by their number`, async () => {
  const withEmpty = (count: number) =>
    zipBytes(
      [
        { name: "good.gpx", content: gpx() },
        ...Array.from({ length: count }, (_, n) => ({ name: `e/${n}.txt`, stored: true })),
      ],
      { comment: "c".repeat(65_535) },
    );
  expect(await growth(withEmpty, (zip) => readFile("x.zip", zip), 2_000)).toBeLessThanOrEqual(LINEAR);
  const { items, remarks } = await readFile("x.zip", withEmpty(EMPTY));
  expect(items).toHaveLength(1);
  expect(remarks.join()).toContain(`${EMPTY} times`);
});

test.each<[string, ZipSpec]>([
  ["another name", { name: "a.gpx", content, local: { name: "b.gpx" } }],
  ["another size", { name: "a.gpx", content, local: { sizeBytes: 3 } }],
  ["another method", { name: "a.gpx", content, local: { method: 0 } }],
  ["another checksum", { name: "a.gpx", content, local: { crc: 3 } }],
])("Z9 an entry whose own header says %s than the list is rejected", (what, entry) =>
  expectRejected([entry], {
    "a.gpx": new RegExp(`^archive/header \\(.*its own header and the directory of the zip differ \\(${what}\\)\\)$`),
  }),
);

test("Z10 of two files of one name both are read, the second under another name, and that is said", async () => {
  const { items, remarks } = await readZip([{ name: "good.gpx", content: gpx("2020-05-02") }]);
  expect(items.map(({ origin }) => origin.entry)).toEqual(["good (2).gpx", "good.gpx"]);
  expect(remarks).toContainEqual(
    expect.stringMatching(/archive\/duplicate-name \(the name a second time, .*it is read as good \(2\)\.gpx\)/),
  );
});

/** A gzip file whose header holds a name. */
function namedGzip(name: string, content: string): Buffer {
  const data = deflateRawSync(content);
  return Buffer.concat([
    Buffer.from([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3]),
    Buffer.from(`${name}\0`),
    data,
    u32(crc32(content)),
    u32(content.length),
  ]);
}

test("Z11 of a packed file all members are read, what follows is remarked on, a bomb is refused, and the name in it is never looked at", async () => {
  const run = gpx("2020-05-02");
  const { items, rejected, remarks } = await readFiles({
    "good.gpx": gpx(),
    "two.gpx.gz": Buffer.concat([gzipSync(run.slice(0, 50)), gzipSync(run.slice(50))]),
    "junk.gpx.gz": Buffer.concat([gzipSync(gpx("2020-05-03")), Buffer.from("junk")]),
    "named.gpx.gz": namedGzip("../../../etc/cron.d/x", gpx("2020-05-04")),
    "bomb.fit.gz": gzipSync(Buffer.alloc(20 * 2 ** 20)),
    "empty.fit.gz": Uint8Array.of(0x1f, 0x8b, 8, 0),
  });
  expect(items.map(({ origin }) => origin.entry)).toEqual(["good.gpx", "junk.gpx.gz", "named.gpx.gz", "two.gpx.gz"]);
  expect(rejected["bomb.fit.gz"]).toMatch(
    /^archive\/ratio \(.*unpacks to more than 200 times its size; raise --max-ratio/,
  );
  expect(rejected["empty.fit.gz"]).toMatch(
    /^gzip\/damaged \(Cannot read empty\.fit\.gz: its packed data ends too early\)$/,
  );
  expect(remarks.join("\n")).toMatch(/junk\.gpx\.gz: gzip\/trailing-bytes \(4 bytes after the end\)/);
  expect(JSON.stringify([items, rejected, remarks])).not.toContain("cron");
});
