/** Rows 1 to 10: the process is killed. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { atWrites } from "../support/at-write.ts";
import { startProxy } from "../support/fault-proxy.ts";
import { killAt, killed } from "../support/kills.ts";
import { randomOf, SEED } from "../support/random.ts";
import { someRuns } from "../support/small-sources.ts";
import type { Row } from "./row.ts";
import { expectDone, expectEachOnce, openWorld, type World } from "./world.ts";

const APPLY = { command: "apply" } as const;
const ONE_AT_A_TIME = ["--concurrency", "1"];

/** The saves that reached the service, and how often its workouts were listed. */
function counts({ asked }: World): { readonly saves: number; readonly listings: number } {
  return {
    saves: asked.ending("POST", "/workouts").length,
    listings: asked.ending("GET", "/workouts").length,
  };
}

/** Kills an import at a commit, resumes it, and gives the counts at the kill and at the end. */
async function killedAndResumed(spec: string, meanwhile: (world: World) => void = () => undefined) {
  await using world = await openWorld();
  const dead = await world.import({ flags: ONE_AT_A_TIME, env: killAt(spec) });
  expect(dead.signal, dead.err).toBe("SIGKILL");
  const atKill = counts(world);
  meanwhile(world);
  const resumed = await world.import(APPLY);
  expectDone([resumed]);
  await expectEachOnce(world);
  const { saves, listings } = counts(world);
  return { atKill, inAll: { saves, listings }, workouts: world.runs.length };
}

/** Kills a process when the service has done its nth write, before it answers. */
function killWhenWritten(world: World, nth: number, child: { kill(signal: NodeJS.Signals): boolean }): void {
  atWrites(world.service, {
    after: (_write, index) => {
      if (index === nth - 1) child.kill("SIGKILL");
    },
  });
}

/** How often the process is killed at random. `npm run kills` takes the matrix's own number. */
const RANDOM_KILLS = process.env.LOGFERRY_TEST_KILLS === "all" ? 200 : 10;

const ROWS: readonly Row[] = [
  {
    number: 1,
    fault: "killed before an intent is committed",
    injected: "SIGKILL in the child's SQLite, before the COMMIT",
    expected: "nothing was sent; going on sends everything",
    async run() {
      const { atKill, inAll, workouts } = await killedAndResumed("before:in-flight:1");
      expect(atKill.saves).toBe(0);
      expect(inAll.saves).toBe(workouts);
    },
  },
  {
    number: 2,
    fault: "killed after an intent, before its request leaves",
    injected: "SIGKILL in the child's SQLite, after the COMMIT",
    expected: "looked up, not there, and sent once",
    async run() {
      const { atKill, inAll, workouts } = await killedAndResumed("after:in-flight:3");
      expect(atKill.saves).toBe(2);
      expect(inAll.saves).toBe(workouts);
    },
  },
  {
    number: 3,
    fault: "killed after a request left, before the service read it",
    injected: "a proxy that swallows the request, then SIGKILL",
    expected: "looked up, not there, and sent once",
    async run() {
      await using world = await openWorld();
      let saves = 0;
      let kill: () => void = () => undefined;
      await using proxy = await startProxy(world.service.url, (method, path) => {
        if (method !== "POST" || !path.endsWith("/workouts") || ++saves !== 3) return "pass";
        kill();
        return "swallow";
      });
      const env = { LOGFERRY_URL: proxy.url };
      const { child, ended } = world.start(world.importWords({ flags: ONE_AT_A_TIME }), { env });
      kill = () => child.kill("SIGKILL");
      expect((await ended).signal).toBe("SIGKILL");
      expect(counts(world).saves).toBe(2);
      expectDone([await world.import({ ...APPLY, env })]);
      await expectEachOnce(world);
      expect(counts(world).saves).toBe(world.runs.length);
    },
  },
  {
    number: 4,
    fault: "killed after the service did it, before the answer",
    injected: "SIGKILL from inside the service's third write",
    expected: "found in the log, and not sent again",
    async run() {
      await using world = await openWorld();
      const { child, ended } = world.start(world.importWords({ flags: ONE_AT_A_TIME }));
      killWhenWritten(world, 3, child);
      expect((await ended).signal).toBe("SIGKILL");
      expectDone([await world.import(APPLY)]);
      await expectEachOnce(world);
      expect(counts(world).saves).toBe(world.runs.length);
    },
  },
  {
    number: 5,
    fault: "killed after the answer, before it is committed",
    injected: "SIGKILL in the child's SQLite, before the COMMIT",
    expected: "found in the log, and not sent again",
    async run() {
      const { atKill, inAll, workouts } = await killedAndResumed("before:done:3");
      expect(atKill.saves).toBe(3);
      expect(inAll.saves).toBe(workouts);
    },
  },
  {
    number: 6,
    fault: "power fails after a receipt that never reached the disk",
    injected: "SIGKILL after the COMMIT, and the last commit is cut off the write-ahead log",
    expected: "found in the log, and not sent again",
    async run() {
      const { atKill, inAll, workouts } = await killedAndResumed("after:done:3", ({ folder }) =>
        loseLastCommit(join(folder, "journal.db-wal")),
      );
      expect(atKill.saves).toBe(3);
      expect(inAll.saves).toBe(workouts);
    },
  },
  {
    number: 7,
    fault: "killed while it looks lost answers up, before one is settled",
    injected: "SIGKILL inside the service, then in the child's SQLite as it resumes",
    expected: "the next one comes to the same",
    async run() {
      await using world = await openWorld();
      const { child, ended } = world.start(world.importWords({ flags: ONE_AT_A_TIME }));
      killWhenWritten(world, 3, child);
      await ended;
      const dead = await world.import({ ...APPLY, env: killAt("before:planned:1") });
      expect(dead.signal, dead.err).toBe("SIGKILL");
      expectDone([await world.import(APPLY)]);
      await expectEachOnce(world);
      expect(counts(world).saves).toBe(world.runs.length);
    },
  },
  {
    number: 8,
    fault: "killed between two lost answers that are settled, of equal workouts",
    injected:
      "SIGKILL inside the service while two equal saves are under way, then in the child's SQLite as it resumes",
    expected: "each has a record of its own",
    async run() {
      const [one] = someRuns(1);
      if (one === undefined) throw new RangeError("no run");
      await using world = await openWorld({ runs: [one, one, one, ...someRuns(2, "2021-05-01")] });
      const { child, ended } = world.start(world.importWords({ flags: ["--concurrency", "4"] }));
      // The two of another day come first. The equal ones are written side by side.
      killWhenWritten(world, 4, child);
      await ended;
      const dead = await world.import({ ...APPLY, env: killAt("after:planned:1") });
      expect(dead.signal, dead.err).toBe("SIGKILL");
      expectDone([await world.import(APPLY)]);
      await expectEachOnce(world);
    },
  },
  {
    number: 9,
    fault: "killed again in each of three restarts",
    injected: "SIGKILL in the child's SQLite, at another commit each time",
    expected: "it gets there",
    async run() {
      await using world = await openWorld();
      const deaths = [
        await world.import({ env: killAt("after:in-flight:2") }),
        await world.import({ ...APPLY, env: killAt("before:planned:1") }),
        await world.import({ ...APPLY, env: killAt("after:planned:1") }),
        await world.import({ ...APPLY, env: killAt("before:done:1") }),
      ];
      expect(deaths.map(({ signal }) => signal)).toEqual(deaths.map(() => "SIGKILL"));
      expectDone([await world.import(APPLY)]);
      await expectEachOnce(world);
    },
  },
  {
    number: 10,
    fault: "killed at any instant",
    injected: `SIGKILL after a random time, ${RANDOM_KILLS} times (LOGFERRY_TEST_SEED=${SEED})`,
    expected: "nothing is lost or doubled",
    scale: "10 kills in the suite, 200 by `npm run kills`",
    async run() {
      const random = randomOf(SEED);
      let kills = 0;
      while (kills < RANDOM_KILLS) {
        await using world = await openWorld({ runs: someRuns(40) });
        const before = performance.now();
        await world.run(["status"]);
        const start = performance.now() - before;
        let words = world.importWords({ flags: ["--rate", "40"] });
        for (let lives = 0; lives < 6 && kills < RANDOM_KILLS; lives++) {
          const ran = await killed(world.start(words), start * (0.8 + 2 * random()));
          if (ran.signal === "SIGKILL") kills++;
          if (ran.code === 0) break;
          words = world.importWords({ flags: ["--rate", "40"], ...(lives % 2 === 1 && ran.signal !== null && APPLY) });
        }
        expectDone(await world.carry());
        await expectEachOnce(world);
      }
      expect(kills).toBe(RANDOM_KILLS);
    },
  },
];

/**
 * Cuts the last commit off a write-ahead log. Its frame is the last one with a non-zero byte among its fourth to eighth:
 * https://sqlite.org/fileformat2.html#walformat
 */
function loseLastCommit(path: string): void {
  const bytes = readFileSync(path);
  const frame = 24 + bytes.readUInt32BE(8);
  const salt = bytes.readUInt32BE(16);
  const commits: number[] = [];
  for (let at = 32; at + frame <= bytes.length && bytes.readUInt32BE(at + 8) === salt; at += frame) {
    if (bytes.readUInt32BE(at + 4) !== 0) commits.push(at + frame);
  }
  expect(commits.length).toBeGreaterThan(1);
  writeFileSync(path, bytes.subarray(0, commits.at(-2)));
}

/** All of them are played in the long tier. */
export const CRASHES: readonly Row[] = ROWS.map((row) => ({
  ...row,
  firstTierHas: "test/kill.test.ts: kills at some moments",
}));
