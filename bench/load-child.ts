/** Started by `load.ts` in a process of its own. It makes a journal with a plan that is partly done, or it sends workouts in a bare loop. */
import { rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { Pool } from "undici";
import { openJournal } from "../pipelines/journal/sqlite.ts";
import { toFacts } from "../transforms/duplicates.ts";
import { workout } from "./load-plan.ts";

const [what, where = "", count = "0", more = "0"] = process.argv.slice(2);
if (what === "journal") await makeJournal(where, Number(count), Number(more));
else if (what === "bare") await sendBare(where, Number(count), Number(more));
else throw new Error("usage: load-child.ts journal PATH COUNT DONE | bare URL COUNT IN-FLIGHT");

/** Makes the journal that a run of so many workouts leaves when it is killed half-way. The loaded workouts stand in `placed`. */
async function makeJournal(path: string, count: number, done: number): Promise<void> {
  const journal = await openJournal(path);
  const source = { path: "/nowhere", name: "bench", connector: "csv", saw: "" };
  const run = await journal.startPlan([source], { tracks: true, activityIDs: { run: 10 }, workoutIDs: {} }, 1);
  for (let number = 0; number < count; number++) {
    const value = workout(number);
    await journal.addLine(run, {
      key: `key-${number}`,
      kind: "workout",
      source: 0,
      origin: { connector: "csv", archive: "bench", entry: "log.csv", locator: `line ${number + 2}` },
      state: "planned",
      action: "create",
      uploadMethod: "save",
      content: `content-${number}`,
      value,
      facts: toFacts(value),
    });
  }
  await journal.planReady(run, count);
  await journal.close();
  const database = new DatabaseSync(path);
  database.exec(`
    UPDATE run SET state = 'running';
    UPDATE line SET state = 'done', remote_id = 'id-' || (${count} - seq), intended_at = 1 WHERE seq > ${count - done};
    INSERT INTO placed (key, kind, remote_id, content, sent, finished, run)
      SELECT key, kind, remote_id, content, value, 1, run FROM line WHERE state = 'done';
    INSERT INTO event (run, seq, at, "from", "to") SELECT run, seq, 1, 'in-flight', 'done' FROM line WHERE state = 'done';`);
  database.close();
  // A killed process leaves no checksum.
  rmSync(`${path}.seal`);
}

async function sendBare(url: string, count: number, inFlight: number): Promise<void> {
  const pool = new Pool(url, { connections: inFlight, pipelining: 1 });
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const body = JSON.stringify(workout(next++));
      const headers = { "content-type": "application/json" };
      const answer = await pool.request({
        method: "POST",
        path: "/rest/logs/me/workouts?access_token=bench",
        headers,
        body,
      });
      const { code } = (await answer.body.json()) as { code: number };
      if (code !== 0) throw new Error(`code ${code}`);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  await pool.close();
}
