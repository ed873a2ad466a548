import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { COMMAND_NAMES } from "./commands/index.ts";
import { overview } from "./overview.ts";

const ROOT = join(import.meta.dirname, "..");

/** Tells each file that the program loads, on standard error. */
const TELLS_FILES = `data:text/javascript,${encodeURIComponent(
  `import { registerHooks } from "node:module";
   registerHooks({ load(url, context, next) { process.stderr.write(url + "\\n"); return next(url, context); } });`,
)}`;

/** The files that a command line loads, and what it prints. */
function filesOf(...words: readonly string[]) {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ["--import", TELLS_FILES, join(ROOT, "bin", "logferry.js"), ...words],
    // The variables of the tests are none of the program's.
    { encoding: "utf8", env: { PATH: process.env.PATH, HOME: "/nonexistent" } },
  );
  expect(status).toBe(0);
  return { stdout, files: stderr.split("\n").filter((url) => url.startsWith("file:")) };
}

test("status loads nothing that speaks to a log, reads backups or writes tables", () => {
  const { stdout, files } = filesOf("status", "--journal", "no-such-journal.db");
  expect(stdout).toContain("No run yet");
  const packages = files.map((url) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? "");
  for (const name of ["undici", "zod", "bottleneck", "oauth4webapi", "@fast-csv/format"])
    expect(packages).not.toContain(name);
  expect(packages).toContain("yargs");
});

describe("the list of commands", () => {
  test("names each command once, and its lines fit a terminal", () => {
    const lines = overview(80).split("\n");
    for (const name of [...COMMAND_NAMES, "completion"])
      expect(lines.filter((line) => line.startsWith(`  ${name} `))).toHaveLength(1);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });

  test("is printed without loading a command, the parser or a package", () => {
    const { stdout, files } = filesOf("--help");
    expect(stdout).toContain("logferry rehearse SOURCE");
    expect(files.some((url) => url.endsWith("/cli/overview.ts"))).toBe(true);
    expect(files.filter((url) => url.includes("/node_modules/yargs/") || url.endsWith("/cli/run-words.ts"))).toEqual(
      [],
    );
    expect(files.filter((url) => url.includes("/cli/commands/")).map((url) => url.split("/").at(-1))).toEqual([
      "index.ts",
    ]);
  });
});
