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

/** The largest number of each file among those past a limit. */
function largest(found: readonly (readonly [file: string, size: number])[]): Map<string, number> {
  const sizes = new Map<string, number>();
  for (const [file, size] of found) sizes.set(file, Math.max(size, sizes.get(file) ?? 0));
  return sizes;
}

function filesPast(limit: number): Map<string, number> {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .map((name) => join(folder, name))
      .filter((name) => name.endsWith(".ts") && isSource(name)),
  );
  const sizes = files.map((file) => [file, readFileSync(join(ROOT, file), "utf8").split("\n").length - 1] as const);
  return largest(sizes.filter(([, size]) => size > limit));
}

interface Diagnostic {
  readonly category: string;
  readonly message: string;
  readonly location: { readonly path: string };
}

function functionsPast(): { readonly lines: Map<string, number>; readonly parameters: Map<string, number> } {
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

function past(diagnostics: readonly Diagnostic[], rule: string): Map<string, number> {
  const found = diagnostics.filter(({ category, location }) => category.endsWith(rule) && isSource(location.path));
  expect(found.length, rule).toBeGreaterThan(0);
  return largest(found.map(({ location, message }) => [location.path, Number(/\d+/.exec(message)?.[0])]));
}

/** Everything larger than the list says, and rows of the list that can shrink or go. */
function breaches(found: ReadonlyMap<string, number>, listed: readonly LargeFile[]): string[] {
  const known = new Map(listed.map(({ file, size }) => [file, size]));
  const grown = [...found]
    .filter(([file, size]) => size > (known.get(file) ?? 0))
    .map(([file, size]) => `${file} has ${size}, and may have ${known.get(file) ?? "no more than the limit"}`);
  const shrunk = listed
    .filter(({ file, size }) => (found.get(file) ?? 0) < size - SLACK)
    .map(
      ({ file, size }) =>
        `${file} has ${found.get(file) ?? "no more than the limit"}: lower ${size}, or take the row out`,
    );
  const gone = listed
    .filter(({ file }) => !found.has(file))
    .map(({ file }) => `${file} is within the limit: take its row out`);
  return [...grown, ...shrunk, ...gone];
}

test(`no source file has more than ${LIMITS.fileLines} lines, but for those that wait to be split`, () => {
  expect(breaches(filesPast(LIMITS.fileLines), LARGER.fileLines)).toEqual([]);
});

test(`no function has more than ${LIMITS.functionLines} lines or ${LIMITS.parameters} parameters, but for those that wait`, () => {
  const { lines, parameters } = functionsPast();
  expect(breaches(lines, LARGER.functionLines)).toEqual([]);
  expect(breaches(parameters, LARGER.parameters)).toEqual([]);
});

test("a function that grew, a new one, and a row that nobody needs any more are each told", () => {
  const listed = [
    { file: "a.ts", size: 70, reason: "" },
    { file: "b.ts", size: 90, reason: "" },
  ];
  const found = new Map([
    ["a.ts", 71],
    ["c.ts", 61],
  ]);
  expect(breaches(found, listed).map((line) => line.split(" ")[0])).toEqual(["a.ts", "c.ts", "b.ts", "b.ts"]);
});
