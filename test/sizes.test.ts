import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LARGER, type LargeFile, LIMITS } from "./support/sizes.ts";

// Every file and every function is short enough to be read at one go. Biome counts, by a configuration of its own.

const ROOT = join(import.meta.dirname, "..");
const FOLDERS = ["bench", "cli", "connectors", "docs", "fixtures", "pipelines", "service", "transforms"];

/** A listed number must be lowered when it is this much higher than the real one. */
const SLACK = 20;

const isSource = (path: string) => !path.endsWith(".test.ts") && !path.startsWith("service/test/");

/** What is past a limit: a file, or a function with its line. */
interface Large {
  readonly file: string;
  readonly place: string;
  readonly size: number;
}

function filesPast(limit: number): Large[] {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .map((name) => join(folder, name))
      .filter((name) => name.endsWith(".ts") && isSource(name)),
  );
  return files
    .map((file) => ({ file, place: file, size: linesOf(file).length - 1 }))
    .filter(({ size }) => size > limit);
}

function linesOf(file: string): string[] {
  return readFileSync(join(ROOT, file), "utf8").split("\n");
}

interface Diagnostic {
  readonly category: string;
  readonly message: string;
  readonly location: { readonly path: string; readonly start: { readonly line: number } };
}

function functionsPast(): { readonly lines: readonly Large[]; readonly parameters: readonly Large[] } {
  const rules = {
    noExcessiveLinesPerFunction: { level: "error", options: { maxLines: LIMITS.functionLines } },
    useMaxParams: { level: "error", options: { max: LIMITS.parameters } },
  };
  const configuration = {
    root: true,
    files: { includes: ["**/*.ts"] },
    linter: { rules: { recommended: false, complexity: rules } },
  };
  const folder = mkdtempSync(join(tmpdir(), "logferry-sizes-"));
  try {
    writeFileSync(join(folder, "biome.json"), JSON.stringify(configuration));
    const biome = join(ROOT, "node_modules/@biomejs/biome/bin/biome");
    const words = ["lint", `--config-path=${folder}`, "--max-diagnostics=none", "--reporter=json", ...FOLDERS];
    const ran = spawnSync(process.execPath, [biome, ...words], {
      cwd: ROOT,
      encoding: "utf8",
      maxBuffer: 64 * 2 ** 20,
    });
    const { summary, diagnostics } = JSON.parse(ran.stdout);
    // A rule that Biome doesn't know is an error, and would find nothing.
    expect(summary.unchanged).toBeGreaterThan(500);
    return { lines: past(diagnostics, "noExcessiveLinesPerFunction"), parameters: past(diagnostics, "useMaxParams") };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function past(diagnostics: readonly Diagnostic[], rule: string): readonly Large[] {
  const found = diagnostics.filter(({ category, location }) => category.endsWith(rule) && isSource(location.path));
  expect(found.length, rule).toBeGreaterThan(0);
  return found.map(({ location: { path, start }, message }) => ({
    file: path,
    place: `${path}:${start.line} ${nameIn(linesOf(path)[start.line - 1] ?? "")}`,
    size: Number(/\d+/.exec(message)?.[0]),
  }));
}

/** The name of the function that begins on a line. */
function nameIn(line: string): string {
  const [, name] = /function\*?\s+(\w+)/.exec(line) ?? /(\w+)\s*[(:=]/.exec(line) ?? [];
  return name ?? "a function";
}

/** Everything larger than the list says, and rows of the list that can shrink or go. @param what is counted, with its limit */
function breaches(found: readonly Large[], listed: readonly LargeFile[], what: readonly [string, number]): string[] {
  const [counted, limit] = what;
  const known = new Map(listed.map(({ file, size }) => [file, size]));
  const grown = found
    .filter(({ file, size }) => size > (known.get(file) ?? limit))
    .map(({ file, place, size }) => {
      const most = known.get(file);
      return `${place} has ${size} ${counted}, at most ${most === undefined ? limit : `${most}, by its row in test/support/sizes.ts`}`;
    });
  const loose = listed.flatMap(({ file, size }) => {
    const largest = Math.max(0, ...found.filter((one) => one.file === file).map((one) => one.size));
    if (largest === 0) return [`${file} has at most ${limit} ${counted}: take its row out of test/support/sizes.ts`];
    return largest < size - SLACK ? [`${file} has ${largest} ${counted}: lower ${size} in test/support/sizes.ts`] : [];
  });
  return [...grown, ...loose];
}

test(`no source file has more than ${LIMITS.fileLines} lines, but for those that wait to be split`, () => {
  expect(breaches(filesPast(LIMITS.fileLines), LARGER.fileLines, ["lines", LIMITS.fileLines])).toEqual([]);
});

test(`no function has more than ${LIMITS.functionLines} lines or ${LIMITS.parameters} parameters, but for those that wait`, () => {
  const { lines, parameters } = functionsPast();
  const counted = "lines without comments";
  expect(breaches(lines, LARGER.functionLines, [counted, LIMITS.functionLines])).toEqual([]);
  expect(breaches(parameters, LARGER.parameters, ["parameters", LIMITS.parameters])).toEqual([]);
});

test("a function that grew, a new one, and a row that nobody needs any more are each told", () => {
  const listed = [
    { file: "a.ts", size: 70, reason: "" },
    { file: "b.ts", size: 90, reason: "" },
    { file: "d.ts", size: 90, reason: "" },
  ];
  const found = [
    { file: "a.ts", place: "a.ts:3 read", size: 71 },
    { file: "c.ts", place: "c.ts:9 write", size: 61 },
    { file: "d.ts", place: "d.ts:1 run", size: 69 },
  ];
  expect(breaches(found, listed, ["lines", 60])).toEqual([
    "a.ts:3 read has 71 lines, at most 70, by its row in test/support/sizes.ts",
    "c.ts:9 write has 61 lines, at most 60",
    "b.ts has at most 60 lines: take its row out of test/support/sizes.ts",
    "d.ts has 69 lines: lower 90 in test/support/sizes.ts",
  ]);
});

test.each([
  ["export async function* readRows(texts: string) {", "readRows"],
  ["  async run(context) {", "run"],
  ["const textOf = (field) => {", "textOf"],
  ["  (field) => {", "a function"],
])("the name of a function is found: %s", (line, name) => {
  expect(nameIn(line)).toBe(name);
});
