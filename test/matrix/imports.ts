/** Rows 41 to 44: device files. Some of them hold several workouts. */
import { join } from "node:path";
import { expect } from "vitest";
import { copyDeviceFiles, ONE_RUN, THREE_RUNS } from "../support/small-sources.ts";
import type { Row } from "./row.ts";
import { expectDone, expectFaultsHit, IMPORTS, issuesOf, openWorld, savesOf, type World } from "./world.ts";

/** The durations of the three runs of the file, by the fixture's expected.jsonl. */
const LEGS = ["1500 s", "2700 s", "1900 s"];

interface Loaded {
  readonly world: World;
  readonly files: number;
  readonly issues: readonly string[];
}

/** Loads one device file under faults until it is done. */
async function loaded(file: string, armed: readonly string[], check: (loaded: Loaded) => void | Promise<void>) {
  await using world = await openWorld({ armed, runs: [] });
  const folder = copyDeviceFiles(join(world.folder, "watch"), [file]);
  expectDone(await world.carry({ sources: [folder] }));
  expectFaultsHit(world);
  const files = world.asked.all.filter(({ method, path }) => method === "POST" && path.endsWith("/fit")).length;
  await check({ world, files, issues: await issuesOf(world) });
}

async function durations({ service, userId }: World): Promise<string[]> {
  const { entries } = await service.store.workouts(userId, { limit: 100, offset: 0 }, []);
  return entries.map(({ details }) => `${details?.duration} s`);
}

async function expectLegsOnce(world: World): Promise<void> {
  expect((await durations(world)).toSorted()).toEqual(LEGS.toSorted());
}

export const IMPORT_ROWS: readonly Row[] = [
  {
    number: 41,
    fault: "the file is too large for the service",
    injected: "`status-before-commit` 413 for the import",
    expected: "saved without its track, which is said",
    run: () =>
      loaded(ONE_RUN, [`status-before-commit:${IMPORTS}:status=413,nth=1`], async ({ world, files, issues }) => {
        expect(files).toBe(1);
        expect(savesOf(world)).toBe(1);
        expect(await durations(world)).toEqual(["1500 s"]);
        expect(issues).toContain("load/file-refused");
      }),
  },
  {
    number: 42,
    fault: "of a file with three workouts two are kept, then 500",
    injected: "`part-import`",
    expected: "two are found, the third goes as a file of its own, and the whole is sent once",
    run: () =>
      loaded(THREE_RUNS, ["part-import:keep=2,nth=1"], async ({ world, files }) => {
        expect(files).toBe(1);
        expect(savesOf(world)).toBe(0);
        expect(world.asked.ending("POST", "/workouts/tcx")).toHaveLength(1);
        await expectLegsOnce(world);
      }),
  },
  {
    number: 43,
    fault: "an import answers fewer ids than it made, more, or one twice",
    injected: "`import-ids`",
    expected: "each workout once, and the file is sent once",
    firstTierHas: "rows 42 and 44",
    async run() {
      for (const ids of ["fewer", "more", "repeated"]) {
        await loaded(THREE_RUNS, [`import-ids:ids=${ids},nth=1`], async ({ world, files }) => {
          expect(files).toBe(1);
          await expectLegsOnce(world);
        });
      }
    },
  },
  {
    number: 44,
    fault: "the answer to an import is lost",
    injected: "`reset-after-commit` for the import",
    expected: "every workout of the file is found, and it is sent once",
    async run() {
      const armed = [`reset-after-commit:${IMPORTS}:nth=1`];
      await loaded(THREE_RUNS, armed, async ({ world, files }) => {
        expect(files).toBe(1);
        expect(savesOf(world)).toBe(0);
        await expectLegsOnce(world);
      });
      await loaded(ONE_RUN, armed, async ({ world, files }) => {
        expect(files).toBe(1);
        expect(await durations(world)).toEqual(["1500 s"]);
      });
    },
  },
];
