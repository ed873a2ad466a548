import { readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { describe, expect, inject, test } from "vitest";
import { addDemoUser } from "../service/demo.ts";
import { summaryOf } from "./matrix/world.ts";
import { atWrites } from "./support/at-write.ts";
import { type Held, heldFully } from "./support/held.ts";
import { runHere } from "./support/here.ts";
import { killAt } from "./support/kills.ts";
import { SEED } from "./support/random.ts";
import { type Ran, type Rehearsal, rehearse } from "./support/rehearsal.ts";
import {
  ANOTHER_RUN,
  COURSE,
  copyDeviceFiles,
  someRuns,
  THREE_RUNS,
  TRIATHLON,
  writeSheet,
} from "./support/small-sources.ts";

// An import is killed at every commit of its journal, one after the other. It is also killed at every write of the service, before the write is done
// and before it is answered, for every kind of operation. Then it is resumed. The log must hold the same as after an import without a kill. The suite
// takes every twelfth, of a short command more, and begins at another one each time. `npm run kills` takes them all, and the moment before each
// commit too. A journal in PostgreSQL is killed at its shipments, and resumed by another worker, from PostgreSQL alone.

const TAKES_ALL = process.env.LOGFERRY_TEST_KILLS === "all";
const STEP = TAKES_ALL ? 1 : 12;
const WHICH = TAKES_ALL ? "every" : "a sample of the";

/** A command that is killed, with its sources. */
interface Scenario {
  readonly title: string;
  /** Left to `npm run kills`: test/restore-proof.test.ts has a sample of it. */
  readonly isLong?: true;
  /** Faults of the service. */
  readonly armed?: readonly string[];
  /** Makes the sources, and runs the commands that come before. @returns the words of the command that is killed */
  readonly prepare: (rehearsal: Rehearsal) => Promise<readonly string[]>;
  /** The words that resume it when the same words are refused as a mistake (exit 2). */
  readonly orElse?: readonly string[];
  /** The number of workouts the log must hold afterwards. It is typed here, so that two empty logs do not count as equal. */
  readonly workouts: number;
}

const FLAGS = ["--json", "--settle", "0.3", "--zone", "Europe/Vienna"];
const RUNS = someRuns(3).map((run, index) => ({ ...run, id: `row ${index}`, shoe: "Pegasus" }));

function writeSources({ folder }: Rehearsal): string[] {
  return [writeSheet(folder, RUNS), copyDeviceFiles(join(folder, "watch"), [ANOTHER_RUN, THREE_RUNS, COURSE])];
}

const SCENARIOS: readonly Scenario[] = [
  {
    title: "equipment, a course with its map, saves, the import of one run and of three in one file",
    prepare: async (rehearsal) => ["import", ...writeSources(rehearsal), ...FLAGS],
    workouts: RUNS.length + 4,
  },
  {
    title: "the legs of a triathlon, each as a file of its own",
    prepare: async ({ folder }) => ["import", copyDeviceFiles(join(folder, "watch"), [TRIATHLON]), ...FLAGS],
    workouts: 3,
  },
  {
    title: "a plan, then apply",
    async prepare(rehearsal) {
      await done(runHere(rehearsal, ["plan", "--json", ...writeSources(rehearsal), "--zone", "Europe/Vienna"]));
      return ["apply", "--json", "--settle", "0.3"];
    },
    workouts: RUNS.length + 4,
  },
  {
    title: "records brought up to date from a source that changed",
    async prepare(rehearsal) {
      const words = ["import", ...writeSources(rehearsal), ...FLAGS];
      await done(runHere(rehearsal, words));
      writeSheet(
        rehearsal.folder,
        RUNS.map((run, index) => ({ ...run, notes: `note ${index}` })),
      );
      return words;
    },
    workouts: RUNS.length + 4,
  },
  {
    title: "lost answers that are looked up: some there, some not",
    async prepare(rehearsal) {
      const words = ["import", ...writeSources(rehearsal), ...FLAGS];
      // Killed with four requests under way: the first two are done, the others are not.
      const { child, ended } = rehearsal.start([...words, "--concurrency", "4"]);
      let isDead = false;
      atWrites(rehearsal.service, {
        async before(_write, index) {
          if (isDead || index < 5) return;
          isDead = true;
          child.kill("SIGKILL");
          await ended;
          throw new Error("the power failed here too");
        },
      });
      await ended;
      return words;
    },
    workouts: RUNS.length + 4,
  },
  {
    title: "retry of what the log refused",
    // The first save of a workout is refused, once, and the first import.
    armed: ["code-before-commit:POST /rest/logs/me/workouts:nth=1"],
    async prepare(rehearsal) {
      const first = await runHere(rehearsal, ["import", ...writeSources(rehearsal), ...FLAGS]);
      expect(summaryOf(first).ledger).toMatchObject({ refused: 1, left: 0 });
      return ["retry", ...FLAGS];
    },
    // Killed in its middle, the run it made is resumed.
    orElse: ["apply", "--json", "--settle", "0.3"],
    workouts: RUNS.length + 4,
  },
  {
    title: "a restore into another log",
    isLong: true,
    async prepare(rehearsal) {
      const { token } = await addDemoUser(rehearsal.service, { screenName: "other", units: "kilometres" });
      const other = { journal: join(rehearsal.folder, "other.journal.db"), token };
      await done(runHere(rehearsal, ["import", ...writeSources(rehearsal), ...FLAGS], other));
      const repository = ["--repository", join(rehearsal.folder, "snapshots")];
      await done(runHere(rehearsal, ["backup", ...repository], other));
      return ["restore", "latest", "--into", "demo", ...repository, "--json", "--settle", "0.3"];
    },
    workouts: RUNS.length + 4,
  },
  {
    title: "a restore that writes over what was edited since",
    isLong: true,
    async prepare(rehearsal) {
      const words = ["import", ...writeSources(rehearsal), ...FLAGS];
      await done(runHere(rehearsal, words));
      const repository = ["--repository", join(rehearsal.folder, "snapshots")];
      await done(runHere(rehearsal, ["backup", ...repository]));
      writeSheet(
        rehearsal.folder,
        RUNS.map((run, index) => ({ ...run, notes: `note ${index}` })),
      );
      await done(runHere(rehearsal, words));
      return ["restore", "latest", ...repository, "--overwrite", "--json", "--settle", "0.3"];
    },
    workouts: RUNS.length + 4,
  },
  {
    title: "undo of a run that brought records up to date",
    async prepare(rehearsal) {
      const words = ["import", ...writeSources(rehearsal), ...FLAGS];
      await done(runHere(rehearsal, words));
      writeSheet(
        rehearsal.folder,
        RUNS.map((run, index) => ({ ...run, notes: `note ${index}` })),
      );
      await done(runHere(rehearsal, words));
      return ["undo", "2", "--json"];
    },
    workouts: RUNS.length + 4,
  },
];

async function done(running: Promise<Ran>): Promise<Ran> {
  const ran = await running;
  expect(ran.code, `${ran.out.slice(-1500)}${ran.err}`).toBe(0);
  return ran;
}

/** Where the journal of a killed command lives. */
interface Home {
  /** The environment of a command that is killed, as `killAt` gives it. */
  killAt(spec: string | undefined, log?: string): Record<string, string>;
  /** Runs a command in the place of the killed one. */
  run(rehearsal: Rehearsal, words: readonly string[]): Promise<Ran>;
}

const IN_A_FILE: Home = { killAt, run: runHere };

/** Journals in PostgreSQL under their paths. A worker has an empty folder, and so nothing but PostgreSQL. */
async function inPostgres(): Promise<Home> {
  const database = await (await fetch(inject("newDatabases"))).text();
  const preload = { NODE_OPTIONS: `--import=${join(import.meta.dirname, "support", "journal-in-postgres.ts")}` };
  const env = { ...preload, JOURNAL_DATABASE: database };
  return {
    killAt: (spec, log) => ({ ...killAt(spec, log), ...env }),
    async run(rehearsal, words) {
      // The claim of the killed worker is over by the clock of PostgreSQL.
      const client = new pg.Client({ connectionString: database });
      await client.connect();
      const over = "UPDATE logferry_fleet.journals SET until = '-infinity' WHERE journal = $1";
      await client.query(over, [join(rehearsal.folder, "journal.db")]);
      await client.end();
      return rehearsal.start(words, { env }).ended;
    },
  };
}

async function goOn(
  rehearsal: Rehearsal,
  words: readonly string[],
  orElse: Scenario["orElse"],
  home: Home,
): Promise<Ran> {
  const ran = await home.run(rehearsal, words);
  return done(ran.code === 2 && orElse !== undefined ? home.run(rehearsal, orElse) : Promise.resolve(ran));
}

/** A case, killed at the given place, then resumed until it is done. @returns what the log holds, and whether it was killed */
async function killedAt(
  scenario: Scenario,
  env: Record<string, string>,
  inside?: (
    rehearsal: Rehearsal,
    start: () => { child: { kill(signal: NodeJS.Signals): boolean }; ended: Promise<Ran> },
  ) => Promise<Ran>,
  home = IN_A_FILE,
): Promise<{ readonly held: Held; readonly wasKilled: boolean }> {
  const rehearsal = await rehearse("kilometres", { database: ":memory:", faults: { armed: scenario.armed ?? [] } });
  try {
    const words = await scenario.prepare(rehearsal);
    const start = () => rehearsal.start(words, { env });
    const dead = inside === undefined ? await start().ended : await inside(rehearsal, start);
    const wasKilled = dead.signal === "SIGKILL";
    if (!wasKilled) expect(dead.code, `${dead.out.slice(-1500)}${dead.err}`).toBe(0);
    const resumed = wasKilled ? await goOn(rehearsal, words, scenario.orElse, home) : dead;
    // Undo has no ledger: it creates no records.
    if (words[0] === "undo") return { held: await heldFully(rehearsal), wasKilled };
    const { balanced, ledger } = summaryOf(resumed);
    expect({ balanced, left: ledger.left, inDoubt: ledger.inDoubt }).toEqual({ balanced: true, left: 0, inDoubt: 0 });
    return { held: await heldFully(rehearsal), wasKilled };
  } finally {
    await rehearsal.close();
  }
}

describe.each(SCENARIOS.filter(({ isLong }) => TAKES_ALL || isLong !== true))(
  `killed with SIGKILL (LOGFERRY_TEST_SEED=${SEED}): $title`,
  (scenario) => {
    test(`at ${WHICH} ${TAKES_ALL ? "commit" : "commits"} of the journal`, async () => {
      await killAtCommits(scenario, IN_A_FILE, TAKES_ALL ? ["after", "before"] : ["after"]);
    });

    test("at every write of the service, before it is done and before it is answered", async () => {
      const { held } = await killedAt(scenario, {});
      let kills = 0;
      const inside = async (when: "before" | "after", nth: number) => {
        const found = await killedAt(scenario, {}, async (rehearsal, start) => {
          const { child, ended } = start();
          atWrites(rehearsal.service, {
            async [when](_write: string, index: number) {
              if (index !== nth) return;
              child.kill("SIGKILL");
              await ended;
              if (when === "before") throw new Error("the power failed here too");
            },
          });
          return ended;
        });
        if (found.wasKilled) kills++;
        expect(found.held, `${when} write ${nth}`).toEqual(held);
        return found.wasKilled;
      };
      const step = TAKES_ALL ? 1 : 3;
      for (let nth = 0; ; nth += 2 * step) {
        const were = await Promise.all([
          inside("before", nth),
          inside("after", nth),
          inside("before", nth + step),
          inside("after", nth + step),
        ]);
        if (were.includes(false)) break;
      }
      expect(kills).toBeGreaterThan(0);
    });
  },
);

test(`a journal in PostgreSQL, at ${WHICH} ${TAKES_ALL ? "shipment" : "shipments"} (LOGFERRY_TEST_SEED=${SEED})`, async () => {
  // An answer that has come, and is not noted yet, is lost before a shipment. An intent that was noted, and never sent, is left after one.
  await killAtCommits(SCENARIOS[0] as Scenario, await inPostgres(), ["after", "before"]);
});

/** Kills a command after some of its commits, or before them, and compares what the log holds once it was resumed. */
async function killAtCommits(scenario: Scenario, home: Home, moments: readonly ("after" | "before")[]): Promise<void> {
  const log = join(tmpdir(), `logferry-commits-${process.pid}-${home === IN_A_FILE}-${SCENARIOS.indexOf(scenario)}`);
  const { held, wasKilled } = await killedAt(scenario, home.killAt(undefined, log), undefined, home);
  const commits = readFileSync(log, "utf8").trim().split("\n").length;
  rmSync(log);
  expect(wasKilled).toBe(false);
  expect(held.workouts).toHaveLength(scenario.workouts);
  const specs: string[] = [];
  // Of a short command's commits more are taken: at least five, so that one of them may be out of reach.
  const step = commits <= STEP ? 1 : Math.min(STEP, Math.ceil(commits / 8));
  for (let n = 1 + (SEED % step); n <= commits; n += step) {
    // A sample takes the moments in turn.
    const those = TAKES_ALL ? moments : moments.slice(specs.length % moments.length).slice(0, 1);
    specs.push(...those.map((moment) => `${moment}:any:${n}`));
  }
  let kills = 0;
  await sideBySide(specs, async (spec) => {
    const found = await killedAt(scenario, home.killAt(spec), undefined, home);
    if (found.wasKilled) kills++;
    expect(found.held, spec).toEqual(held);
  });
  // The lines that share a commit depend on which worker is quicker. A second run may not reach the last commits.
  expect(kills).toBeGreaterThanOrEqual(specs.length * 0.8);
}

/** Four at a time: they mostly wait. */
async function sideBySide<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
    }),
  );
}
