/** Athletes who are taken out of a fleet's database, and the workers that still sleep with one of them. */
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { errorOf } from "../../test/support/api.ts";
import { allTables } from "../../test/support/fleet.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import type { NewLine } from "../journal/line.ts";
import { FleetAthletes } from "./athletes.ts";
import { openFleetDatabase } from "./database.ts";
import { openFleetJournal, prepareFleetJournals } from "./fleet-journal.ts";
import { forgetAthletes, removedFrom } from "./forget.ts";
import { openFleetQueue } from "./queue.ts";

const folder = temporaryFolder();
const WORKOUT: NewLine = {
  ...{ key: "a", kind: "workout", source: 0, state: "planned", action: "create", uploadMethod: "save" },
  origin: { connector: "test", archive: "a.zip", entry: "a.csv" },
  value: { activity: "run", start: { date: "2020-01-01" } },
};
const ON_HOLD = { athlete: "Ana", status: "held", at: 1, requests: 1, fingerprint: "" } as const;

test("athletes are forgotten once they are over, and a worker that slept meanwhile writes nothing of them", async () => {
  const address = await (await fetch(inject("newDatabases"))).text();
  await using database = await openFleetDatabase(address, new AbortController().signal);
  await prepareFleetJournals(database.pool);
  const queue = await openFleetQueue(database);
  const athletes = new FleetAthletes(database, queue);
  const settings: object = { folder: "/srv/club", roster: "rosters/2026.csv" };
  const put = (...keys: readonly string[]) =>
    athletes.put(
      settings,
      keys.map((key) => ({ key, athlete: { name: `The ${key}` } })),
    );
  const open = (journal: string, worker: string) =>
    openFleetJournal(database.pool, { journal, worker, folder: join(folder, worker) });
  /** A worker takes jobs until it has Ana. */
  const takeAna = async () => {
    for (const job of await queue.take(3)) {
      const taken = await athletes.take(job, "sleeping");
      if (taken?.key === "ana") return { job, taken };
    }
    throw new Error("Ana waits");
  };
  const over = () => database.query("UPDATE logferry_fleet.athletes SET step = 'done', worker = NULL");

  await put("ana", "ben");
  const slept = await takeAna();
  const sleeping = await open("ana", "sleeping");
  const run = await sleeping.journal.startPlan([], { tracks: true, activityIDs: { run: 10 }, workoutIDs: {} }, 1);
  await sleeping.journal.addLine(run, WORKOUT);
  await sleeping.journal.planReady(run, 1);
  const line = await sleeping.journal.lineWithKey(run, WORKOUT.key);
  if (line === undefined) throw new Error("it was planned");
  await database.query("INSERT INTO logferry_fleet.tokens VALUES ('ana', 'sealed')");
  await database.query("INSERT INTO logferry_fleet.memories VALUES ('1', $1)", [
    { member: { key: "ana", roster: "1" } },
  ]);

  const waiting = await errorOf(forgetAthletes(database, ["ana", "ben"]));
  expect(waiting).toMatchObject({ code: "fleet/at-work", reason: "locked" });
  expect(waiting.message).toContain("nothing was removed. The ana, The ben: waiting or worked on");
  await over();
  const held = await errorOf(forgetAthletes(database, ["ana", "ben"]));
  expect(held.message).toMatch(/a command has the journal of The ana \(sleeping\)\. Try again in \d+ s/);
  expect((await athletes.now(["ana", "ben"])).size).toBe(2);

  // A row that the roster has no more can still be named.
  const removed = (file: string) => removedFrom(database, { folder: "/srv/club", file }, ["ana"]);
  expect(await removed("2026.csv")).toEqual([{ key: "ben", name: "The ben", isOver: true }]);
  expect(await removed("2025.csv")).toEqual([]);

  await database.query("UPDATE logferry_fleet.journals SET until = clock_timestamp() - interval '1 second'");
  expect(await forgetAthletes(database, ["ana", "carl"])).toEqual({
    keys: ["ana"],
    ...{ journals: 1, memories: 1, tokens: 1, jobs: 1 },
  });
  const left = await allTables(address);
  expect([left.includes("ana"), left.includes("The ben")]).toEqual([false, true]);

  // The athlete comes again, and the sleeper wakes.
  await put("ana");
  const fresh = await open("ana", "fresh");
  expect(fresh.claim.fence).toBeGreaterThan(sleeping.claim.fence);
  expect(await errorOf(sleeping.journal.intend([line], 5))).toMatchObject({ code: "journal/claim-lost" });
  await sleeping.journal.close();
  await fresh.journal.close();
  await takeAna();
  const checked = { outcome: ON_HOLD, suspect: { athlete: "Ana", expects: {} }, wasDone: false };
  const settle = async function* () {};
  expect(await athletes.finishCheck(slept.taken, checked, settle, slept.job)).toBe(false);
  expect((await athletes.now(["ana"])).get("ana")).toMatchObject({ step: "check", outcome: undefined });
  await queue.close();
});
