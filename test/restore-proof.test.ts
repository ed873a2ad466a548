import { join } from "node:path";
import pg from "pg";
import { describe, expect, inject, test } from "vitest";
import { addDemoUser } from "../service/demo.ts";
import type { Workout } from "../service/model/workout.ts";
import { jsonLines } from "./support/cli.ts";
import { deleteWorkout } from "./support/delete-workout.ts";
import { type Held, heldFully } from "./support/held.ts";
import { runHere } from "./support/here.ts";
import { randomOf, SEED } from "./support/random.ts";
import { type Ran, type Rehearsal, rehearse } from "./support/rehearsal.ts";
import { requestLog } from "./support/request-log.ts";

// A log is backed up, edited, backed up, thinned out, checked, drilled and restored, into itself and into another one. The service misbehaves, with
// its data in a file or in PostgreSQL. Every command is killed at requests that are drawn beforehand, and is run again. The repository must be whole
// at every turn. At the end nothing may be lost or doubled. `npm run proof` takes 20,000 workouts.

/** `20000,3`, or `20000,3,PostgreSQL` for one database alone. */
const [size = "60", kills = "1", ...only] = (process.env.LOGFERRY_TEST_RESTORE_PROOF ?? "60,1,SQLite").split(",");
const [WORKOUTS, KILLS] = [Number(size), Number(kills)];

const SAVES = "POST /rest/logs/me/workouts";
const FAULTS: readonly string[] = [
  `reset-after-commit:${SAVES}:rate=0.01`,
  `status-after-commit:${SAVES}:status=500,rate=0.01`,
  `html-after-commit:${SAVES}:rate=0.01`,
  "reset-before-commit:* /rest/**:rate=0.01",
  "cut-body:GET /rest/**:rate=0.01",
  "status-before-commit:* /rest/**:status=429,retry-after=0,rate=0.01",
];

const random = randomOf(SEED);
const below = (most: number) => Math.floor(random() * most);

// The suite needs only a file: the laws of the store keep the databases alike.
const DATABASES = only.length > 0 ? only : ["SQLite", "PostgreSQL"];

describe.each(DATABASES)(
  `on %s, ${WORKOUTS} workouts, killed ${KILLS} times a command (LOGFERRY_TEST_SEED=${SEED})`,
  (kind) => {
    test("backup, forget, check, drill and restore end with nothing lost and nothing doubled", async () => {
      const asked = requestLog();
      const database = kind === "SQLite" ? undefined : await (await fetch(inject("newDatabases"))).text();
      const log = await rehearse("kilometres", {
        log: asked,
        faults: { armed: FAULTS, seed: SEED % 2 ** 31 },
        ...(database !== undefined && { database }),
      });
      const told: string[] = [];
      try {
        const took = async (what: string, work: () => Promise<Ended>) => {
          const [began, from] = [performance.now(), asked.all.length];
          const ended = await work();
          const seconds = ((performance.now() - began) / 1000).toFixed(1);
          told.push(`${what} ${seconds} s, ${asked.all.length - from} requests, ${ended.kills} kills`);
          if (WORKOUTS >= 1000) process.stdout.write(`${kind}: ${told.at(-1)}\n`);
          return ended.ran;
        };
        const repository = ["--repository", join(log.folder, "snapshots")];
        const own: User = { token: log.token, journal: join(log.folder, "journal.db") };
        const whole = async () => {
          const ran = await runHere(log, ["check", ...repository, "--json"]);
          // A repository that was killed while it was made may not be one yet.
          if (ran.code === 2) expect(ran.out).toContain("There is no snapshot repository");
          // A repository whose first backup was killed holds no snapshot. No check calls that good.
          else if (ran.code === 7)
            expect(jsonLines(ran.out).at(-1), ran.out).toMatchObject({ type: "repository", snapshots: 0, damaged: 0 });
          else expect(ran, `${ran.out}${ran.err}`).toMatchObject({ code: 0 });
        };
        const run = (what: string, words: readonly string[], life: Life = { requests: WORKOUTS }, user = own) =>
          took(what, () => untilDone(log, asked, [...words, ...repository, "--json"], life, user, whole));
        // A backup of an unchanged log asks only for its listings. A command without requests is killed after a while.
        const listings: Life = { requests: Math.ceil(WORKOUTS / 100) + 3 };

        const ids = await fill(log);
        await run("backup", ["backup", ...ASKING]);
        // Edits one in a hundred, and adds as many new ones.
        const some = Math.ceil(WORKOUTS / 100);
        for (let index = 0; index < some; index++) await edit(log, ids[index * 7] ?? "", `edited ${index}`);
        for (let index = 0; index < some; index++)
          ids.push(await log.service.store.addWorkout(log.userId, workoutOf(WORKOUTS + index, {})));
        await run("second backup", ["backup", ...ASKING], listings);
        await run("third backup", ["backup", ...ASKING], listings);
        await run("forget", ["forget", "--keep-last", "1"], { ms: 300 + WORKOUTS / 40 });
        const drilled = await run("check and drill", ["check", "--drill"], { ms: 1000 + 4 * WORKOUTS });
        expect(jsonLines(drilled.out).find(({ type }) => type === "drill")).toMatchObject({ differences: 0 });
        const before = await heldFully(log);
        expect(before.workouts).toHaveLength(WORKOUTS + some);

        // Into another log.
        const other = await addDemoUser(log.service, { screenName: "other", units: "kilometres" });
        const into: User = { token: other.token, journal: join(log.folder, "other.journal.db") };
        const restore = ["restore", "latest", "--settle", "2", ...ASKING];
        await run("restore into another log", [...restore, "--into", "other"], undefined, into);
        const there = await heldFully({ service: log.service, userId: other.userId });
        // The interface has no way to set that a piece is retired.
        expect(withoutRetired(there)).toEqual(withoutRetired(before));
        const from = asked.all.length;
        const again = await run("the same again", [...restore, "--into", "other"], undefined, into);
        expect(writes(asked.all.slice(from))).toEqual([]);
        expect(summaryOf(again).ledger).toMatchObject({ created: 0, updated: 0, left: 0, inDoubt: 0 });

        // Into the same log. One in a hundred was taken out, and as many were edited since.
        for (let index = 0; index < some; index++) {
          await takeOut(log, database, ids[index * 11 + 3] ?? "");
          await edit(log, ids[index * 11 + 5] ?? "", `since ${index}`);
        }
        await run("restore into the same log", restore);
        const edited = await heldFully(log);
        expect(edited.workouts).toHaveLength(WORKOUTS + some);
        expect(edited.workouts.filter((one) => one.includes('"since '))).toHaveLength(some);
        await run("restore with --overwrite", [...restore, "--overwrite"]);
        expect(await heldFully(log)).toEqual(before);
        await run("a last backup with its drill", ["backup", "--drill", ...ASKING], { ms: 1000 + 4 * WORKOUTS });
      } finally {
        const hits = log.service.faults.hits().reduce((sum, { hits: count }) => sum + count, 0);
        process.stdout.write(`restore-proof on ${kind}: seed ${SEED}; ${told.join("; ")}; ${hits} faults\n`);
        await log.close();
      }
    });
  },
);

interface Ended {
  readonly ran: Ran;
  readonly kills: number;
}

/** Flags of the commands that ask the service. They wait for it while it fails. */
const ASKING = ["--concurrency", "8", "--patience", "10m"];

/** The longest life of a command that is to be killed. */
type Life = { readonly requests: number } | { readonly ms: number };

interface User {
  readonly token: string;
  readonly journal: string;
}

/** Runs a command until it comes to its end, and kills it at requests that are drawn. After every kill the repository must be whole. */
async function untilDone(
  log: Rehearsal,
  asked: ReturnType<typeof requestLog>,
  words: readonly string[],
  life: Life,
  user: User,
  whole: () => Promise<void>,
): Promise<Ended> {
  let kills = 0;
  for (let starts = 0; starts < 20 + 4 * KILLS; starts++) {
    const ran = kills < KILLS ? await toBeKilled() : await runHere(log, words, user);
    await whole();
    if (ran.signal === "SIGKILL") kills++;
    else if (ran.code === 0) return { ran, kills };
    // A service that fails again and again ends a run, which can be resumed. The next run looks up the records in doubt.
    else expect([3, 6, 75], `${ran.out.slice(-2000)}${ran.err}`).toContain(ran.code);
  }
  throw new Error(`${words.join(" ")} never came to its end`);

  async function toBeKilled(): Promise<Ran> {
    const { child, ended } = log.start(words, { env: { LOGFERRY_TOKEN: user.token }, journal: user.journal });
    const [from, began] = [asked.all.length, performance.now()];
    const most = 1 + below("ms" in life ? life.ms : life.requests);
    const timer = setInterval(() => {
      const lived = "ms" in life ? performance.now() - began : asked.all.length - from;
      if (lived >= most) child.kill("SIGKILL");
    }, 5);
    const ran = await ended;
    clearInterval(timer);
    return ran;
  }
}

const SHOES = 12;
const COURSES = 15;

/** Fills a log past the service's routes. @returns the ids of the workouts */
async function fill({ service, userId }: Rehearsal): Promise<string[]> {
  const { store } = service;
  const shoes: string[] = [];
  for (let index = 0; index < SHOES; index++)
    shoes.push(
      await store.addEquipment(userId, { activityID: 10, brandName: "Acme", modelName: `Model ${index >> 1}` }),
    );
  for (const shoe of shoes.slice(0, 3)) await store.retireEquipment(userId, shoe);
  const courses: string[] = [];
  for (let index = 0; index < COURSES; index++)
    courses.push(
      await store.addCourse(userId, {
        name: `Course ${index >> 1}`,
        distance: { unit: "km", value: 5 + (index >> 1) },
      }),
    );
  const ids: string[] = [];
  for (let index = 0; index < WORKOUTS; index++) {
    const things = { equipment: shoes[index % 16], course: courses[index % 40] };
    // One in forty equals the one before it.
    ids.push(
      await store.addWorkout(userId, workoutOf(index % 40 === 39 ? index - 1 : index, index % 40 === 39 ? {} : things)),
    );
  }
  return ids;
}

function workoutOf(
  index: number,
  { equipment, course }: { equipment?: string | undefined; course?: string | undefined },
): Workout {
  const day = new Date(Date.UTC(1975, 0, 1) + index * 86_400_000).toISOString().slice(0, 10);
  return {
    activityID: 10 + (index % 3),
    date: day,
    ...(index % 5 > 0 && { time: `${String(6 + (index % 12)).padStart(2, "0")}:30:00` }),
    details: { distance: { unit: "km", value: 5 + (index % 300) / 10 }, duration: 1500 + (index % 900) },
    ...(index % 3 === 0 && { notes: `number ${index}`, ratings: { effort: index % 10 } }),
    ...(index % 7 === 0 && { intervalSet: { intervals: [{ type: "interval", duration: 60 + (index % 60) }] } }),
    ...(equipment !== undefined && { equipment }),
    ...(course !== undefined && { course }),
  } as Workout;
}

async function edit({ service, userId }: Rehearsal, id: string, notes: string): Promise<void> {
  const found = await service.store.workout(userId, id);
  if (found === undefined) throw new Error(`there is no workout ${id}`);
  await service.store.replaceWorkout(userId, id, { ...found.workout, notes });
}

/** The log's owner may do this, and no interface can. */
async function takeOut(log: Rehearsal, database: string | undefined, id: string): Promise<void> {
  if (database === undefined) return deleteWorkout(join(log.folder, "service.db"), id);
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  try {
    expect((await client.query("DELETE FROM workouts WHERE id = $1", [id])).rowCount).toBe(1);
  } finally {
    await client.end();
  }
}

function withoutRetired(held: Held): Held {
  return {
    ...held,
    equipment: held.equipment.map((one) => JSON.stringify({ ...JSON.parse(one), retired: undefined })).toSorted(),
  };
}

const writes = (asked: ReturnType<typeof requestLog>["all"]) =>
  asked.filter(({ method }) => method === "POST" || method === "PUT").map(({ method, path }) => `${method} ${path}`);

function summaryOf(ran: Ran): { readonly ledger: Readonly<Record<string, number>> } {
  const [last] = jsonLines(ran.out).filter(({ type }) => type === "summary");
  if (last === undefined) expect.unreachable(`${ran.out}${ran.err}`);
  return last as unknown as { readonly ledger: Readonly<Record<string, number>> };
}
