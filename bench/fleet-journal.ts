/**
 * What a journal in PostgreSQL costs beside the journal in a file. `node bench/fleet-journal.ts` starts a PostgreSQL on this machine, whose commits
 * wait for the disk as those of the file do. Each pair loads the same made-up workouts into both, without a log: an intent and a receipt for each.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openFleetJournal, prepareFleetJournals } from "../pipelines/fleet/fleet-journal.ts";
import { openFleetPool } from "../pipelines/fleet/pool.ts";
import type { Journal } from "../pipelines/journal/journal.ts";
import type { Line } from "../pipelines/journal/line.ts";
import { openJournal } from "../pipelines/journal/sqlite.ts";
import { startPostgres } from "../service/test/postgres.ts";
import { asRatio, pairs, type Spread, spread, timed } from "./measure.ts";

const WORKOUTS = 400;
const PAIRS = 7;
/** Requests under way at once. */
const AT_ONCE = [1, 4, 16] as const;

const folder = mkdtempSync(join(tmpdir(), "logferry-bench-"));
const postgres = await startPostgres({ isDurable: true });
const pool = await openFleetPool(await postgres.newDatabase());
await prepareFleetJournals(pool);
let made = 0;

try {
  const trips: number[] = [];
  for (let n = 0; n < 300; n++) trips.push(await timed(() => pool.query("SELECT 1")));
  console.log(`a question and its answer: ${spread(trips).median.toFixed(2)} ms (median of ${trips.length})`);
  console.log(
    "| requests under way | in a file, workouts/s | in PostgreSQL | times as long | shipments for a workout |",
  );
  console.log("|---|---|---|---|---|");
  for (const atOnce of AT_ONCE) await compare(atOnce);
  await measureOpening();
} finally {
  await pool.end();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function compare(atOnce: number): Promise<void> {
  const ofFleet: string[] = [];
  const { a, b, ratio } = await pairs(
    PAIRS,
    async () => {
      const name = `ana ${made++}`;
      ofFleet.push(name);
      const { journal } = await openFleetJournal(pool, { journal: name, folder, worker: "bench" });
      return timedLoad(journal, atOnce);
    },
    async () => timedLoad(await openJournal(join(folder, `journal-${made++}.db`)), atOnce),
  );
  const count = "SELECT count(*) AS count FROM logferry_fleet.journal_changes WHERE journal = $1";
  const { rows } = await pool.query(count, [ofFleet.at(-1)]);
  const perSecond = ({ median }: Spread) => ((WORKOUTS / median) * 1000).toFixed(0);
  const shipments = (Number(rows[0].count) / WORKOUTS).toFixed(2);
  console.log(`| ${atOnce} | ${perSecond(b)} | ${perSecond(a)} | ${asRatio(ratio)} | ${shipments} |`);
}

/** Loads into a new journal, and closes it. @returns the time of the load alone, in milliseconds */
async function timedLoad(journal: Journal, atOnce: number): Promise<number> {
  const run = await journal.startPlan([], { tracks: true, activityIDs: { run: 10 }, workoutIDs: {} }, 1);
  for (let n = 0; n < WORKOUTS; n++) {
    const value = {
      activity: "run",
      start: { date: "2020-01-01", time: "07:00:00" },
      notes: `morning run ${n}`,
    } as const;
    const origin = { connector: "bench", archive: "a.zip", entry: "a.csv", locator: `line ${n}` };
    const line = { key: `w${n}`, kind: "workout", source: 0, origin, state: "planned", action: "create" } as const;
    await journal.addLine(run, { ...line, uploadMethod: "save", content: `fingerprint ${n}`, value });
  }
  await journal.planReady(run, WORKOUTS);
  const lines: Line[] = [];
  for await (const line of journal.lines(run, {})) lines.push(line);
  const took = await timed(() =>
    Promise.all(
      Array.from({ length: atOnce }, async () => {
        for (let line = lines.pop(); line !== undefined; line = lines.pop()) {
          await journal.intend([line], 1);
          const remote = {
            key: line.key,
            kind: "workout",
            remoteId: line.key,
            content: "c",
            finished: true,
            run,
          } as const;
          await journal.receive(line, "done", { remoteId: line.key }, { ...remote, sent: { notes: "morning run" } });
        }
      }),
    ),
  );
  await journal.close();
  return took;
}

/** Opening a journal of one athlete, with some 800 changes, from PostgreSQL. */
async function measureOpening(): Promise<void> {
  const times: number[] = [];
  for (let n = 0; n < PAIRS; n++) {
    times.push(
      await timed(async () => {
        const { journal } = await openFleetJournal(pool, { journal: "ana 0", folder, worker: "bench" });
        await journal.close();
      }),
    );
  }
  const { median } = spread(times);
  console.log(`a journal of ${WORKOUTS} workouts with all its changes, opened and closed: ${median.toFixed(0)} ms`);
}
