import { existsSync, globSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, relative } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { COMPILED } from "./test/support/compiled.ts";
import { needsOwnProcess } from "./test/support/own-process.ts";
import { TEMPORARY_FILES } from "./test/support/temporary-files.ts";
import { IN_BOTH, LONG, LONGEST, TIER } from "./test/support/tiers.ts";

/** Files nobody here wrote lie beside the repository; a user's clone has none. */
const isSharedHere = existsSync(join(import.meta.dirname, "..", "shared", "corpus"));
if (!isSharedHere) process.stderr.write("There is no ../shared: the tests of test/corpus are left out.\n");

const DAY_MS = 86_400_000;
const INCLUDE = TIER === "long" ? Object.keys(LONG) : ["**/*.test.ts"];
const EXCLUDE = [
  "node_modules/**",
  "dist/**",
  ...(isSharedHere ? [] : ["test/corpus/**"]),
  ...(TIER === "first" ? Object.keys(LONG).filter((file) => !(file in IN_BOTH)) : []),
];

/** What only tests load. */
const isHelper = (path: string) =>
  /^(?:test|service\/test|fixtures)\/|\.test\.ts$/.test(relative(import.meta.dirname, path));

const ALONE = globSync("**/*.test.ts", { cwd: import.meta.dirname, exclude: ["node_modules", "dist"] }).filter((file) =>
  needsOwnProcess(join(import.meta.dirname, file), isHelper),
);

/**
 * Starts the files with processes of their own first: a process of several files ends where a file of the other kind is next. Of each kind the
 * longest begin, so that none of them runs alone at the end.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification) =>
      2 * Number(project.name !== "alone") + Number(!LONGEST.includes(relative(import.meta.dirname, moduleId)));
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}

// For the processes of the tests, and for those that they start with their own environment.
Object.assign(process.env, COMPILED, TEMPORARY_FILES);

export default defineConfig({
  test: {
    environment: "node",
    globalSetup: ["service/test/global-setup.ts"],
    setupFiles: ["test/support/own-home.ts"],
    pool: "forks",
    // Several processes share each core: more threads that collect garbage make nothing faster, and cost a tenth.
    execArgv: ["--single-threaded-gc"],
    // Nothing is waited for that long; a machine that others use may take as long to get there. Long runs by command have a day.
    testTimeout: ["test", "test:long", undefined].includes(process.env.npm_lifecycle_event) ? 900_000 : DAY_MS,
    hookTimeout: 900_000,
    // Suites of one file run in order; files run side by side on what cores there are.
    fileParallelism: true,
    // Most of a file's time is waiting for a service, a process or a disk: two files a core keep it busy, and a third one only costs more memory.
    maxWorkers: 2 * availableParallelism(),
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: { name: "alone", include: ALONE.filter((file) => TIER !== "long" || file in LONG), exclude: EXCLUDE },
      },
      // Loading the program anew for each of these files would take a sixth of the time of the whole run.
      { extends: true, test: { name: "together", include: INCLUDE, exclude: [...EXCLUDE, ...ALONE], isolate: false } },
    ],
  },
});
