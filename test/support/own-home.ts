/**
 * Gives a process of the tests a home of its own, in place of the home of the person who runs them. logferry settles its folders when it is loaded,
 * so this runs before every test file. Files that share a process share its home.
 */
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { inject } from "vitest";

/** The folders of a user's files, by the variables that name them. */
const FOLDERS = ["XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"];

/** Says that this process has its home, and where. */
const DONE = "LOGFERRY_TEST_HOME";

if (process.env[DONE] === undefined) {
  const home = mkdtempSync(join(inject("folder"), "home-"));
  Object.assign(process.env, Object.fromEntries([DONE, ...FOLDERS].map((name) => [name, home])));
}
