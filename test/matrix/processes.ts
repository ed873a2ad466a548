/** Rows 55 to 60: other processes, the machine's clock, sources that change, signals. */
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { atWrites } from "../support/at-write.ts";
import { startProxy } from "../support/fault-proxy.ts";
import type { Ran } from "../support/rehearsal.ts";
import { copyDeviceFiles, ONE_RUN, someRuns, writeSheet } from "../support/small-sources.ts";
import type { Row } from "./row.ts";
import {
  errorsOf,
  expectDone,
  expectEachOnce,
  heldBy,
  lacking,
  markOf,
  openWorld,
  SAVES,
  savesOf,
  summaryOf,
  type World,
} from "./world.ts";

const ONE_AT_A_TIME = ["--concurrency", "1"];
const JUMPING_CLOCK = join(import.meta.dirname, "..", "support", "jumping-clock.ts");

/** Settles when the given number of writes is done. */
function writesDone(world: World, count: number): Promise<void> {
  return new Promise((resolve) => {
    atWrites(world.service, {
      after: (_write, index) => {
        if (index === count - 1) resolve();
      },
    });
  });
}

/** Starts a second run while a first one is stopped in its middle. Then the first one runs to its end. */
async function whileOneRuns(journalOfSecond: (world: World) => string): Promise<void> {
  await using world = await openWorld({ runs: someRuns(12) });
  const second = writeSheet(join(world.folder, "second"), someRuns(4, "2012-01-01"), "second");
  const middle = writesDone(world, 3);
  const first = world.start(world.importWords({ flags: ["--rate", "30"] }));
  await middle;
  first.child.kill("SIGSTOP");
  const ran = await world.import({ sources: [second], journal: journalOfSecond(world) });
  expect(ran.code, ran.err).toBe(8);
  expect(errorsOf(ran)).toHaveLength(1);
  expect(errorsOf(ran)[0]).toContain(`process ${first.child.pid}`);
  // The log must hold only the first sheet's runs: then the second one sent nothing.
  first.child.kill("SIGCONT");
  expectDone([await first.ended]);
  await expectEachOnce(world);
}

/** A run that gets a signal in its middle, and is resumed. */
async function signalled(
  signal: NodeJS.Signals,
  check: (ran: Ran, world: World, sentAtSignal: number) => void,
): Promise<void> {
  await using world = await openWorld({ runs: someRuns(40), armed: [`latency:${SAVES}:ms=40,nth=3..10`] });
  const middle = writesDone(world, 5);
  const { child, ended } = world.start(world.importWords({ flags: ["--rate", "40"] }));
  await middle;
  const sent = savesOf(world);
  child.kill(signal);
  check(await ended, world, sent);
  expectDone([await world.import({ command: "apply" })]);
  await expectEachOnce(world);
}

/**
 * A run that gets Ctrl-C twice while the service gives no answer, and is resumed. It can't finish what is under way, so only the second Ctrl-C
 * can end it. Two that come together count as one, passed on by npm: so it is sent again and again until the run has ended.
 */
async function interruptedTwice(): Promise<void> {
  await using world = await openWorld({ runs: someRuns(40) });
  const answers = Promise.withResolvers<void>();
  const middle = Promise.withResolvers<void>();
  atWrites(world.service, {
    after: async (_write, index) => {
      if (index < 5) return;
      middle.resolve();
      await answers.promise;
    },
  });
  const { child, ended } = world.start(world.importWords({ flags: ["--rate", "40"] }));
  await middle.promise;
  const again = setInterval(() => child.kill("SIGINT"), 100);
  const ran = await ended;
  clearInterval(again);
  answers.resolve();
  expect(ran.code, ran.err).toBe(130);
  expectDone([await world.import({ command: "apply" })]);
  await expectEachOnce(world);
}

export const PROCESSES: readonly Row[] = [
  {
    number: 55,
    fault: "a second process takes the same journal",
    injected: "two children",
    expected: "refused, told which process has it, exit 8, and it sends nothing",
    firstTierHas: "cli/commands.test.ts: a second run on one account is refused whatever its journal",
    run: () => whileOneRuns(({ folder }) => join(folder, "journal.db")),
  },
  {
    number: 56,
    fault: "a second process loads the same log with another journal",
    injected: "two children",
    expected: "refused, told which process has it, exit 8, and it writes nothing",
    firstTierHas: "cli/commands.test.ts: a second run on one account is refused whatever its journal",
    run: () => whileOneRuns(({ folder }) => join(folder, "another-journal.db")),
  },
  {
    number: 57,
    fault: "the process sleeps in the middle, and its connections are gone when it wakes",
    injected: "SIGSTOP, a proxy that resets everything, SIGCONT",
    expected: "what was under way is looked up",
    scale: "a moment in place of ten minutes: what it finds when it wakes is the same",
    firstTierHas: "test/kill.test.ts: what was under way is looked up",
    async run() {
      await using world = await openWorld({ runs: someRuns(12) });
      await using proxy = await startProxy(world.service.url);
      const env = { LOGFERRY_URL: proxy.url };
      const middle = writesDone(world, 4);
      const { child, ended } = world.start(world.importWords({ flags: ["--rate", "60"] }), { env });
      await middle;
      child.kill("SIGSTOP");
      proxy.resetAll();
      child.kill("SIGCONT");
      const slept = await ended;
      if (slept.code !== 0) expectDone(await world.carry({ env }));
      await expectEachOnce(world);
    },
  },
  {
    number: 58,
    fault: "the wall clock jumps by a day while an answer is given time to settle",
    injected: "a preloaded module that moves the child's Date.now",
    expected: "it waits as long as it would have",
    scale: "2 s to settle",
    firstTierHas: "test/clock-set-back.test.ts: a run goes on to its end when the clock is set back",
    async run() {
      for (const jump of [86_400_000]) {
        await using world = await openWorld({ armed: [`reset-before-commit:${SAVES}:nth=3`] });
        const mark = join(world.folder, "jump");
        atWrites(world.service, {
          after: (_write, index) => {
            if (index === world.runs.length - 2) writeFileSync(mark, "");
          },
        });
        const env = { NODE_OPTIONS: `--import=${JUMPING_CLOCK}`, JUMP_WHEN: mark, JUMP_MS: String(jump) };
        const ran = await world.import({ flags: [...ONE_AT_A_TIME, "--settle", "2"], env });
        expectDone([ran]);
        await expectEachOnce(world, false);
        const saves = world.asked.ending("POST", "/workouts");
        expect(saves).toHaveLength(world.runs.length + 1);
        // It is sent again only after the service had its time.
        expect((saves.at(-1)?.at ?? 0) - (saves[2]?.at ?? 0)).toBeGreaterThanOrEqual(2000);
      }
    },
  },
  {
    number: 59,
    fault: "a source changes, is replaced, or moves between two runs",
    injected: "the files",
    expected:
      "moved, it is the same; changed, what it changed is brought up to date; replaced after the plan, it isn't loaded",
    async run() {
      await using world = await openWorld({ runs: someRuns(6).map((run, index) => ({ ...run, id: `row ${index}` })) });
      expectDone([await world.import()]);
      const saved = savesOf(world);
      const moved = join(world.folder, "elsewhere");
      mkdirSync(moved);
      for (const end of [".csv", ".map.yaml"])
        renameSync(world.sheet.replace(".csv", end), join(moved, `training${end}`));
      const sheet = join(moved, "training.csv");
      const again = await world.import({ sources: [sheet] });
      expectDone([again]);
      expect(savesOf(world)).toBe(saved);
      expect(world.asked.writes()).toHaveLength(saved);

      // The sheet's third run gets a note. This makes one update and nothing new.
      const rows = readFileSync(sheet, "utf8").trim().split("\n");
      writeFileSync(
        sheet,
        `${rows.map((row, index) => (index === 3 ? row.replace(",,,", ",,windy,") : row)).join("\n")}\n`,
      );
      const changed = await world.import({ sources: [sheet] });
      expectDone([changed]);
      expect(summaryOf(changed).ledger).toMatchObject({ created: 0, updated: 1 });
      expect(savesOf(world)).toBe(saved);
      await expectEachOnce(world);

      // The file is planned, and changes before the plan is applied.
      await using other = await openWorld({ runs: [] });
      const watch = copyDeviceFiles(join(other.folder, "watch"), [ONE_RUN]);
      expect((await other.import({ command: "plan", sources: [watch] })).code).toBe(0);
      appendFileSync(join(watch, ONE_RUN.split("/")[1] ?? ""), "changed");
      const refused = await other.import({ command: "apply" });
      expect(refused.code).toBe(3);
      expect(summaryOf(refused)).toMatchObject({ balanced: true, ledger: { failed: 1, left: 0 } });
      expect(refused.out).toMatch(/changed/);
      expect(await heldBy(other)).toEqual([]);
    },
  },
  {
    number: 60,
    fault: "Ctrl-C once or twice, SIGTERM, SIGHUP, an output nobody reads, an input that is closed",
    injected: "signals to the child; its standard output is closed by the test",
    expected: "once: what is under way is finished, exit 130; twice: it ends at once; a closed output ends nothing",
    firstTierHas:
      "cli/commands.test.ts stops an import by Ctrl-C and finishes it, cli/serve.test.ts a service by SIGTERM, cli/bin.test.ts fails its output",
    async run() {
      const drained = (ran: Ran) => {
        expect(ran.code, ran.err).toBe(130);
        const { ledger, balanced } = summaryOf(ran);
        expect(balanced).toBe(true);
        expect(ledger.inDoubt).toBe(0);
        expect(ledger.left).toBeGreaterThan(0);
      };
      await Promise.all([
        signalled("SIGINT", drained),
        signalled("SIGTERM", drained),
        signalled("SIGHUP", drained),
        interruptedTwice(),
      ]);
      await using world = await openWorld({ runs: someRuns(20) });
      const { child, ended } = world.start(world.importWords({ flags: ["--verbose"] }));
      child.stdout?.destroy();
      child.stdin?.destroy();
      const ran = await ended;
      expect(ran.code, ran.err).toBe(0);
      expect(ran.err).not.toMatch(/bug|EPIPE/);
      await expectEachOnce(world);
      expect(lacking(world.runs.map(markOf), await heldBy(world))).toEqual([]);
      expect(existsSync(join(world.folder, "journal.db.holder"))).toBe(false);
    },
  },
];
