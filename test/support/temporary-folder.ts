import { randomUUID } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";

/**
 * Makes an empty folder before each test and removes it, with all it holds, after the test's own hooks.
 * @param of whose folder it is: "file" makes it once, before the first test, and removes it after the last
 * @returns its path, which is the same for every test of the file
 */
export function temporaryFolder(of: "test" | "file" = "test"): string {
  const folder = join(tmpdir(), `logferry-test-${randomUUID()}`);
  const [before, after] = of === "test" ? [beforeEach, afterEach] : [beforeAll, afterAll];
  before(() => void mkdirSync(folder, { mode: 0o700 }));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
