import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { emptyHome, jsonLines, runCli } from "../support/cli.ts";
import * as fit from "../support/fit-bytes.ts";
import { type Rehearsal, rehearse } from "../support/rehearsal.ts";
import { zipBytes } from "../support/zip-bytes.ts";
import { gpx } from "./reading.ts";

/** A folder name in the path of every file that is read. It must not stand in any output. */
const CANARY = "folder-of-a-person";
const ESCAPES = "\x1b[2J\x1b]52;c;eA==\x07\u202e";

const innermost = zipBytes([{ name: "e.zip", content: zipBytes([{ name: "d.gpx", content: gpx("2020-05-06") }]) }]);
const HOSTILE_ZIP = zipBytes([
  { name: "a.gpx", content: gpx("2020-05-02") },
  { name: "../up.fit", content: "x" },
  { name: `${ESCAPES}.fit`, content: "x" },
  { name: "link.fit", mode: 0o120777, content: "/etc/passwd" },
  { name: "locked.fit", flags: 1, content: "x" },
  { name: "crc.gpx", content: gpx("2020-05-03"), crc: 7 },
  {
    name: "bomb.gpx",
    content: Buffer.from(gpx("2020-05-04").replace("</gpx>", `${"<!--x-->".repeat(2 ** 19)}</gpx>`)),
  },
  {
    name: "b.zip",
    content: zipBytes([
      { name: "c.zip", content: innermost },
      { name: "b.gpx", content: gpx("2020-05-05") },
    ]),
  },
]);
const FILES: Readonly<Record<string, string | Uint8Array>> = {
  "good.gpx": gpx("2020-05-01"),
  "hostile.zip": HOSTILE_ZIP,
  "laughs.gpx": `<!DOCTYPE gpx [<!ENTITY a "b">]>${gpx("2020-06-01")}`,
  "deep.gpx": `<gpx>${"<a>".repeat(100_000)}`,
  "zeros.fit": fit.fitFile([
    fit.once(0, 0, [[0, "enum", 4]]),
    fit.define(1, 20, []),
    new Uint8Array(1_500_000).fill(1),
  ]),
  "bomb.fit.gz": gzipSync(Buffer.alloc(20 * 2 ** 20)),
  "page.gpx": "<!doctype html><title>Sign in</title>",
};
/**
 * The number of inputs that can't be used. There are seven entries of the zip, and one of them is a zip two levels deep (the folder's own zips are
 * one level already). There are also five files.
 */
const REFUSED = 12;
const GOOD = ["2020-05-01", "2020-05-02", "2020-05-05"];

let folder = "";
let rehearsal: Rehearsal;

beforeAll(async () => {
  folder = join(mkdtempSync(join(tmpdir(), "hostile-")), CANARY);
  mkdirSync(folder);
  for (const [name, content] of Object.entries(FILES)) writeFileSync(join(folder, name), content);
  rehearsal = await rehearse();
});
afterAll(async () => {
  rmSync(join(folder, ".."), { recursive: true });
  await rehearsal.close();
});

/** The output has no terminal commands, no place of a person's folder and no bug report. */
function expectHarmless(output: string): void {
  expect(output).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
  expect(output).not.toContain(tmpdir());
  expect(output).not.toMatch(/bug in logferry|\n {4}at /);
}

test("Z1 Z4 X1 F3 T1 inspect goes on past whatever can't be read, counts it, shows names spelt out and no folder of anybody's, and ends with 3", async () => {
  using home = emptyHome();
  const { code, out, err } = await runCli(home.path, ["inspect", folder]);
  expect({ code, err }).toEqual({ code: 3, err: "" });
  expectHarmless(out);
  expect(out).toContain(`${GOOD.length} workouts`);
  expect(out).toContain(`${REFUSED} unusable`);
  expect(out).toMatch(/archive\/unsafe-name \(\.\.\/up\.fit, expected a path without \. and \.\. in it\)/);
  expect(out).toContain("\\x1b[2J");
  expect(out).toMatch(/xml\/doctype \(a document type, line 1, expected none: document types are not accepted\)/);
});

test("Z6 Z4 an archive that somebody trusts is let in by the options that the messages name", async () => {
  using home = emptyHome();
  const words = ["inspect", "--json", join(folder, "hostile.zip")];
  const sourceOf = (out: string) =>
    jsonLines(out).find(({ type }) => type === "source") as { counts: { workout: number }; quarantined: number };
  expect(sourceOf((await runCli(home.path, words)).out)).toMatchObject({ counts: { workout: 2 }, quarantined: 7 });
  const { out } = await runCli(home.path, [...words, "--max-ratio", "2000", "--nested", "3"]);
  expect(sourceOf(out)).toMatchObject({ counts: { workout: 4 }, quarantined: 5 });
  const small = await runCli(home.path, [...words, "--max-entry", "1K"], { env: { LOGFERRY_MAX_UNPACKED: "1M" } });
  expect(sourceOf(small.out)).toMatchObject({ counts: { workout: 2 } });
  expect((await runCli(home.path, [...words, "--max-entry", "lots"])).code).toBe(2);
});

test("Z1 X1 F3 an import carries what is sound, the ledger counts every refused entry and balances, and status names each with its reason", async () => {
  const { code, out, err } = await rehearsal.run(["import", folder, "--json"]);
  expect({ code, err }).toEqual({ code: 3, err: "" });
  expectHarmless(out);
  const summary = jsonLines(out).findLast(({ type }) => type === "summary");
  expect(summary).toMatchObject({
    balanced: true,
    ledger: { read: GOOD.length + REFUSED, created: GOOD.length, quarantined: REFUSED, left: 0 },
  });
  const inLog = await rehearsal.listed("/rest/logs/me/workouts");
  expect(inLog.map(({ date }) => date).toSorted()).toEqual(GOOD);
  const status = await rehearsal.run(["status", "--json"]);
  const rejected = jsonLines(status.out).filter(({ type, state }) => type === "record" && state === "quarantined");
  expect(rejected).toHaveLength(REFUSED);
  expect(rejected.map(({ reason }) => String(reason).split(" ")[0]).toSorted()).toEqual([
    "archive/bad-name",
    "archive/crc",
    "archive/encrypted",
    "archive/link",
    "archive/nested",
    "archive/ratio",
    "archive/ratio",
    "archive/unsafe-name",
    "device-file/unknown-format",
    "fit/too-many-messages",
    "xml/depth",
    "xml/doctype",
  ]);
  expectHarmless(status.out);
  const again = await rehearsal.run(["import", folder, "--json"]);
  expect(jsonLines(again.out).findLast(({ type }) => type === "summary")).toMatchObject({
    balanced: true,
    ledger: { created: 0, quarantined: REFUSED },
  });
});

test("Z7 a source that can't be opened at all ends with 5 and what to do, and nothing is sent", async () => {
  using home = emptyHome();
  const cut = join(folder, "..", "cut.zip");
  writeFileSync(cut, HOSTILE_ZIP.subarray(0, -40));
  const { code, out, err } = await runCli(home.path, ["inspect", cut]);
  expect({ code, out, err }).toEqual({
    code: 5,
    out: "",
    err: "Cannot open cut.zip: the end is missing, so it was probably cut short; download or copy it again\n",
  });
});
