import { crc32 } from "node:zlib";
import { describe, expect, test } from "vitest";
import { growth, LINEAR } from "../../test/support/growth.ts";
import { opened, paths, rules, text } from "../../test/support/opened-zip.ts";
import { extraField, u32, zipBytes } from "../../test/support/zip-bytes.ts";

// These tests read the names of entries: their alphabets, the refused names, and names that occur twice.

describe("names", () => {
  const refused = async (name: string | Uint8Array) => {
    const archive = await opened(
      zipBytes([
        { name, content: "x" },
        { name: "good.fit", content: "y" },
      ]),
    );
    expect(paths(archive)).toEqual(["good.fit"]);
    expect(archive.issues).toHaveLength(1);
    return archive.issues[0];
  };

  // RELIABILITY B.7, Z1.
  test.each([
    "../x.fit",
    "/x.fit",
    "C:\\x.fit",
    "c:x.fit",
    "\\\\srv\\x.fit",
    "..\\x.fit",
    "a/../../b.fit",
    "a/../b.fit",
    "./x.fit",
    "a//b.fit",
    "~/x.fit",
    "~root/x.fit",
    "CON",
    "nul.fit",
    "a/com1.fit",
    "a.fit ",
    "a./b.fit",
    "",
    "in.zip!/a.fit",
  ])("%j is unsafe and refused, the rest goes on", async (name) => {
    expect(await refused(name)).toMatchObject({ severity: "error", rule: "archive/unsafe-name" });
  });

  // Z2.
  test.each([
    ["NUL", "a.fit\0.exe"],
    ["ESC", "a\x1b[2Jb.fit"],
    ["a direction override", "run\u202etif.exe"],
    ["a one-byte control", "a\u009b2J.fit"],
  ])("%s in a name is refused and never shown as it is", async (_, name) => {
    const issue = await refused(name);
    expect(issue?.rule).toBe("archive/bad-name");
    expect(JSON.stringify(Object.values({ ...issue, ...issue?.origin }))).not.toMatch(/\\u0000|\\u001b|\u009b|\u202e/);
  });

  test("a name flagged UTF-8 that isn't is refused", async () => {
    const archive = await opened(
      zipBytes([{ name: Buffer.from("\xff\xfe.fit", "latin1"), flags: 0x800, content: "x" }]),
    );
    expect(rules(archive)).toEqual(["archive/bad-name"]);
  });

  test("a name without the flag that isn't UTF-8 is code page 437", async () => {
    // "läufe" in code page 437 (0x84 is ä).
    const archive = await opened(zipBytes([{ name: Buffer.from([0x6c, 0x84, 0x75, 0x66, 0x65]), content: "x" }]));
    expect(paths(archive)).toEqual(["läufe"]);
  });

  test("Info-ZIP's name in UTF-8 counts when it belongs to the name, and not when the name was changed since", async () => {
    const raw = Buffer.from([0x94, 0x2e, 0x66]);
    const field = (of: Uint8Array) =>
      extraField(0x7075, Buffer.concat([Buffer.from([1]), u32(crc32(of)), Buffer.from("ő.f")]));
    expect(paths(await opened(zipBytes([{ name: raw, content: "x", extra: field(raw) }])))).toEqual(["ő.f"]);
    expect(paths(await opened(zipBytes([{ name: raw, content: "x", extra: field(Buffer.from("?")) }])))).toEqual([
      "ö.f",
    ]);
  });

  test("a backslash between folders is a slash", async () => {
    const archive = await opened(zipBytes([{ name: "activities\\1.fit", content: "x" }]));
    expect(await text(archive, "activities/1.fit")).toBe("x");
  });

  test.each([
    ["1,023 bytes", `${"a/".repeat(511)}b`, []],
    ["1,024 bytes", `${"a/".repeat(511)}bc`, []],
    ["1,025 bytes", `${"a/".repeat(511)}bcd`, ["archive/name-too-long"]],
    ["254 bytes in a part", "é".repeat(127), []],
    ["255 bytes in a part", `${"é".repeat(127)}a`, []],
    ["256 bytes in a part", "é".repeat(128), ["archive/name-too-long"]],
  ])("%s", async (_, name, expected) => {
    expect(rules(await opened(zipBytes([{ name, content: "x" }])))).toEqual(expected);
  });

  // Z10.
  test("a name that comes twice is read twice, the second under a name of its own, and reported", async () => {
    const archive = await opened(
      zipBytes([
        { name: "a.fit.gz", content: "first" },
        { name: "a.fit.gz", content: "second" },
        { name: "a (2).fit.gz", content: "has the name already" },
        { name: "a.fit.gz", content: "third" },
      ]),
    );
    const contents = await Promise.all(paths(archive).map((path) => text(archive, path)));
    expect(contents.sort()).toEqual(["first", "has the name already", "second", "third"]);
    expect(await text(archive, "a.fit.gz")).toBe("first");
    expect(await text(archive, "a (2).fit.gz")).toBe("second");
    expect(new Set(paths(archive)).size).toBe(4);
    expect(archive.issues.map(({ severity, rule }) => [severity, rule])).toEqual([
      ["warning", "archive/duplicate-name"],
      ["warning", "archive/duplicate-name"],
      ["warning", "archive/duplicate-name"],
    ]);
  });

  test("20,000 entries of one name cost by their number, not by its square", async () => {
    const alike = (count: number) => zipBytes(Array.from({ length: count }, () => ({ name: "a", stored: true })));
    expect(await growth(alike, opened, 10_000)).toBeLessThanOrEqual(LINEAR);
    expect(paths(await opened(alike(20_000)))).toHaveLength(20_000);
  });
});
