/**
 * What somebody with a long log waits for: one page of the listing and one workout, of 50,000. Both stores are measured, over HTTP and beside a bare
 * fastify route that sends the same bytes. `node bench/service.ts` runs this part alone.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fastify from "fastify";
import { Pool } from "undici";
import { randomFrom } from "../fixtures/make/random.ts";
import type { Workout } from "../service/model/workout.ts";
import { type Service, startService } from "../service/server.ts";
import { startPostgres } from "../service/test/postgres.ts";
import { asRatio, pairs, timed } from "./measure.ts";

const WORKOUTS = 50_000;
const PAIRS = 51;

/** Milliseconds at the median. An issue names this number. */
const PROMISED_MS = 20;

/** @returns the promises that are broken */
export async function benchService(): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "logferry-bench-"));
  const postgres = await startPostgres();
  const broken: string[] = [];
  try {
    for (const [store, database] of [
      ["SQLite", join(folder, "log.db")],
      ["PostgreSQL", await postgres.newDatabase()],
    ] as const) {
      const service = await startService({ database });
      try {
        broken.push(...(await benchStore(store, service)));
      } finally {
        await service.close();
      }
    }
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  return broken;
}

async function benchStore(store: string, service: Service): Promise<string[]> {
  const userId = await service.operator.addUser({ screenName: "bench" });
  const token = await service.operator.addToken(userId);
  const ids: string[] = [];
  const filling = await timed(async () => ids.push(...(await fill(service, userId))));
  console.log(
    `The service on ${store}, ${ids.length} workouts in one log (filled in ${(filling / 1000).toFixed(0)} s), ${PAIRS} pairs:`,
  );

  const random = randomFrom("ask");
  const list = (offset: number, more = "") => `/rest/logs/me/workouts?limit=100&offset=${offset}${more}`;
  const questions: Record<string, () => string> = {
    "the first page of the listing": () => list(0),
    "the last page of the listing": () => list(WORKOUTS - 100),
    "a page of one activity's": () => list(20_000, `&filters=${encodeURIComponent('[["activityID","eq",10]]')}`),
    "a workout": () => `/rest/logs/me/workouts/${random.pick(ids)}?`,
  };
  const client = new Pool(service.url);
  const broken: string[] = [];
  for (const [what, address] of Object.entries(questions)) {
    const askService = () => ask(client, `${address()}&access_token=${token}`);
    const answer = await askService();
    const { entries } = JSON.parse(answer).data;
    if (entries !== undefined && entries.length !== 100)
      throw new Error(`Cannot measure ${what}: it is not a full page`);
    const bare = await bareRoute(answer);
    const both = await pairs(
      PAIRS,
      () => timed(askService),
      () => timed(bare.ask),
    );
    await bare.close();
    const { median, least, most } = both.a;
    console.log(
      `  ${what}: ${median.toFixed(1)} ms (${least.toFixed(1)} to ${most.toFixed(1)}); ${asRatio(both.ratio)} the time of a bare route, ${both.b.median.toFixed(1)} ms`,
    );
    if (median > PROMISED_MS) broken.push(`${what} on ${store} takes at most ${PROMISED_MS} ms`);
  }
  await client.close();
  console.log();
  return broken;
}

/** Sends the same bytes for every request. */
async function bareRoute(bytes: string): Promise<{ ask: () => Promise<string>; close: () => Promise<void> }> {
  const app = fastify();
  app.get("/", (_request, reply) => reply.type("application/json; charset=utf-8").send(bytes));
  const client = new Pool(await app.listen({ host: "127.0.0.1", port: 0 }));
  return {
    ask: () => ask(client, "/"),
    close: async () => {
      await client.close();
      await app.close();
    },
  };
}

async function ask(client: Pool, path: string): Promise<string> {
  const { statusCode, body } = await client.request({ method: "GET", path });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`Cannot measure: the answer is ${statusCode} ${text}`);
  return text;
}

/** Twenty years of somebody who trains seven times a day, with courses, shoes and notes. */
async function fill({ store }: Service, userId: string): Promise<string[]> {
  const random = randomFrom("log");
  const courses = await Promise.all(
    Array.from({ length: 40 }, (_, index) => store.addCourse(userId, { name: `Course ${index}` })),
  );
  const shoes = await Promise.all(
    Array.from({ length: 25 }, (_, index) =>
      store.addEquipment(userId, { activityID: 10, modelName: `Shoe ${index}` }),
    ),
  );
  const workoutAt = (index: number): Workout => {
    const at = new Date(Date.UTC(2005, 0, 1) + Math.floor(index / 7) * 86_400_000).toISOString();
    return {
      activityID: random.pick([10, 10, 10, 11, 12]),
      workoutID: random.pick([1, 3, 4]),
      date: at.slice(0, 10),
      ...(random.chance(0.9) && { time: `${String(6 + (index % 14)).padStart(2, "0")}:15:00` }),
      notes: "Felt good, a little wind on the way home. ".repeat(random.whole(1, 10)),
      details: { distance: { unit: "km", value: random.between(5, 20) }, duration: random.between(1500, 6500) },
      health: { avgHR: random.whole(120, 170) },
      ...(random.chance(0.5) && { course: random.pick(courses) }),
      ...(random.chance(0.7) && { equipment: random.pick(shoes) }),
    };
  };
  const ids: string[] = [];
  for (let from = 0; from < WORKOUTS; from += 1000) {
    const recordings = Array.from({ length: 1000 }, (_, recording) => ({
      recording,
      workout: workoutAt(from + recording),
    }));
    ids.push(...(await store.addImport(userId, { format: "fit", packed: new Uint8Array(100) }, recordings)));
  }
  return ids;
}

if (import.meta.main) {
  const broken = await benchService();
  for (const promise of broken) console.log(`BROKEN: ${promise}`);
  process.exitCode = broken.length === 0 ? 0 : 1;
}
