import type { ChildProcess } from "node:child_process";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { openWorld, type World } from "../matrix/world.ts";
import { atWrites } from "../support/at-write.ts";
import { copyOfDatabase } from "../support/database-copy.ts";
import { deleteWorkout } from "../support/delete-workout.ts";
import { SEED } from "../support/random.ts";
import type { Ran } from "../support/rehearsal.ts";
import { someRuns } from "../support/small-sources.ts";
import { startProxy } from "./proxy.ts";
import { chanceOf, ROUNDS, type Round, SETTLE_SECONDS } from "./rounds.ts";

// The command line runs as a process, with the real service. Between them a proxy does what networks and caches do. After every command an
// independent count checks the service's database: nothing is lost, nothing is there twice, and the command's last message is true. `npm run rounds`
// plays all rounds with many seeds. Here some are played once (LOGFERRY_TEST_SEED repeats one).

const [TIMES = 1, WORKOUTS = 12] = (process.env.LOGFERRY_TEST_ROUNDS ?? "1,12").split(",").map(Number);
const IS_FULL = process.env.LOGFERRY_TEST_ROUNDS !== undefined;
/** The rounds that have no counterpart elsewhere in the suite. */
const SAMPLE = [
  "saves arrive after",
  "sends saves twice",
  "say a length",
  "are deleted",
  "journal is deleted",
  "everything at once",
];
const CLOCK = join(import.meta.dirname, "..", "support", "jumping-clock.ts");

/** The content of a database: the number of workouts, and of different ones. */
function countIn(world: World): { readonly rows: number; readonly different: number } {
  using file = new DatabaseSync(join(world.folder, "service.db"), { readOnly: true });
  const [row] = file
    .prepare(
      "SELECT count(*) AS n, count(DISTINCT date || time || duration || distance_value) AS different FROM workouts",
    )
    .all();
  return { rows: Number(row?.n), different: Number(row?.different) };
}

/** Does what a round does once half of the saves are in. */
function atHalf(world: World, { half }: Round, command: () => ChildProcess | undefined): void {
  const database = join(world.folder, "service.db");
  let putBack: (() => Promise<void>) | undefined;
  let isKilled = false;
  atWrites(world.service, {
    after: async (_write, index) => {
      if (half?.putBack && index === Math.floor(WORKOUTS / 4)) putBack = await copyOfDatabase(database);
      // A command may have given up by itself, and its last requests may still reach the half. Then the next one is killed.
      if (half?.kills !== undefined && index >= WORKOUTS / 2 && !isKilled && command()?.exitCode === null)
        isKilled = command()?.kill("SIGKILL") === true;
      if (index !== WORKOUTS / 2) return;
      await putBack?.();
      if (half?.clockBack) writeFileSync(join(world.folder, "back"), "");
      if (half?.deletes === undefined) return;
      using file = new DatabaseSync(database, { readOnly: true });
      const ids = file.prepare("SELECT id FROM workouts ORDER BY id").all();
      for (const { id } of half.deletes === "all" ? ids : ids.slice(0, 3)) deleteWorkout(database, String(id));
    },
  });
}

/** Compares a command's last message with the content of the log. */
function expectTrue(world: World, { code, out, err }: Ran): void {
  const { rows, different } = countIn(world);
  const said = `exit ${code}, ${rows} rows, ${different} different\n${out.slice(-1500)}${err.slice(-500)}`;
  if (code === 0) expect({ rows, different }, said).toEqual({ rows: WORKOUTS, different: WORKOUTS });
  if (out.includes("each once")) expect(rows, said).toBe(different);
  const [, inLog] = /([\d,]+) of [\d,]+ records are in your log/.exec(out.slice(-1500)) ?? [];
  if (inLog !== undefined) expect(Number(inLog.replaceAll(",", "")), said).toBeLessThanOrEqual(different);
}

async function play(round: Round, seed: number): Promise<void> {
  await using world = await openWorld({ runs: someRuns(WORKOUTS), databaseFile: true });
  const chance = chanceOf(seed, round);
  const { fate, cache } = round;
  await using proxy = await startProxy(world.service.url, {
    ...(fate !== undefined && { fate: fate(chance) }),
    ...(cache !== undefined && { cache }),
    random: chance,
  });
  let running: ChildProcess | undefined;
  atHalf(world, round, () => running);
  const env = {
    LOGFERRY_URL: proxy.url,
    NODE_OPTIONS: `--import=${CLOCK}`,
    JUMP_WHEN: join(world.folder, "back"),
    JUMP_MS: "-3600000",
  };
  const flags = ["--concurrency", "2", "--timeout", "5", "--settle", SETTLE_SECONDS];
  const words = world.importWords({ flags }).filter((word) => word !== "--json");
  let last: Ran;
  let [times, kills] = [0, 0];
  let journal = "journal.db";
  do {
    const { child, ended } = world.start(words, { env, journal: join(world.folder, journal) });
    running = child;
    last = await ended;
    if (last.signal === "SIGKILL") {
      kills++;
      // Its last requests are still on their way when the next command begins.
      if (round.half?.kills === "and another journal is used") journal = "another.db";
      else for (const file of filesOf(world, journal)) rmSync(file);
      continue;
    }
    await proxy.settled();
    expectTrue(world, last);
  } while ((last.signal === "SIGKILL" || last.code !== 0) && round.ends === undefined && ++times < 8);
  expect(kills).toBe(round.half?.kills === undefined ? 0 : 1);
  const what = `${proxy.met.size} kinds of problems\n${last.out.slice(-1500)}${last.err.slice(-500)}`;
  const { rows, different } = countIn(world);
  if (round.ends === undefined) {
    expect(last.code, what).toBe(0);
    return;
  }
  // This can't be repaired, so the message says it.
  expect(last.code, what).not.toBe(0);
  if (round.ends === "doubled") {
    expect(rows - different, what).toBeGreaterThan(0);
    expect(last.out).toMatch(/holds [\d,]+ more than it should/);
  } else {
    expect(WORKOUTS - different, what).toBeGreaterThan(0);
    expect(last.out).toMatch(/[\d,]+ (?:is|are) no longer in the log/);
    // There is also a way back.
    const back = await world.run(["retry", "--restore-missing", "--settle", SETTLE_SECONDS], { env });
    expect(back.code, back.out + back.err).toBe(0);
    expect(countIn(world)).toEqual({ rows: WORKOUTS, different: WORKOUTS });
  }
}

/** The files of a journal. */
function filesOf({ folder }: World, journal: string): readonly string[] {
  return readdirSync(folder).flatMap((name) => (name.startsWith(journal) ? [join(folder, name)] : []));
}

const chosen = ROUNDS.filter(({ name }) => IS_FULL || SAMPLE.some((part) => name.includes(part)));
const played = Array.from({ length: TIMES }, (_, index) =>
  chosen.map((round) => [round.name, SEED + index, round] as const),
);

test.each(played.flat())(
  "%s (LOGFERRY_TEST_SEED=%d): nothing lost, nothing doubled, and what is said last is true",
  async (_name, seed, round) => {
    await play(round, seed);
  },
);
