import { execFile } from "node:child_process";
import { copyFileSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { emptyHome } from "./support/cli.ts";
import { ROOT } from "./support/rehearsal.ts";

const run = promisify(execFile);

/** The machine's own programs. A newer Node stands beside the repository's programs, and has no reason to warn. */
const OWN_PATH = (process.env.PATH ?? "")
  .split(delimiter)
  .filter((folder) => !folder.includes("node_modules"))
  .join(delimiter);

test("npm ci prints no warning, whichever Node it runs under: a newcomer's first lines are quiet", async () => {
  using home = emptyHome();
  for (const name of ["package.json", "package-lock.json", ".npmrc"])
    copyFileSync(join(ROOT, name), join(home.path, name));
  const env = { PATH: OWN_PATH, HOME: home.path };
  // The lock file says which Node each package asks for. The test fetches and writes nothing.
  const { stdout, stderr } = await run("npm", ["ci", "--dry-run", "--offline"], { cwd: home.path, env });
  expect(stdout).toMatch(/added \d+ packages/);
  expect(stderr).not.toMatch(/warn/i);
});

test("README.md, package.json and bin/logferry.js ask for the same Node", () => {
  const { engines, devDependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  expect(engines.node).toBe(">=24");
  expect(devDependencies.node).toMatch(/^24\./);
  expect(readFileSync(join(ROOT, "README.md"), "utf8")).toContain("You need npm, and Node 24 or newer.");
  expect(readFileSync(join(ROOT, "bin", "logferry.js"), "utf8")).toContain("const NEEDED = 24;");
});
