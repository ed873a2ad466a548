import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { IN_BOTH, LONG, TIER } from "./test/support/tiers.ts";

/** Files nobody here wrote lie beside the repository; a user's clone has none. */
const isSharedHere = existsSync(join(import.meta.dirname, "..", "shared", "corpus"));
if (!isSharedHere) process.stderr.write("There is no ../shared: the tests of test/corpus are left out.\n");

const DAY_MS = 86_400_000;

export default defineConfig({
  test: {
    include: TIER === "long" ? Object.keys(LONG) : ["**/*.test.ts"],
    exclude: [
      "node_modules/**",
      "dist/**",
      ...(isSharedHere ? [] : ["test/corpus/**"]),
      ...(TIER === "first" ? Object.keys(LONG).filter((file) => !IN_BOTH.includes(file)) : []),
    ],
    environment: "node",
    globalSetup: ["service/test/global-setup.ts"],
    pool: "forks",
    // Nothing is waited for that long; a machine that others use may take as long to get there. Long runs by command have a day.
    testTimeout: ["test", "test:long", undefined].includes(process.env.npm_lifecycle_event) ? 900_000 : DAY_MS,
    hookTimeout: 900_000,
    // Suites of one file run in order; files run side by side on what cores there are.
    fileParallelism: true,
    // Half of a file's time is waiting for a service, a process or a disk: two files a core keep it busy.
    maxWorkers: 2 * availableParallelism(),
  },
});
