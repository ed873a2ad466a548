/** The cost of one sender's bodies for all other senders. The service has one thread, and while it works for one sender it answers no other. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { timesTheWork } from "../../test/support/growth.ts";
import type { Service } from "../server.ts";
import { type Person, person, service } from "./client.ts";

const WORKOUTS = "/rest/logs/me/workouts";
const RUN = { activityID: 10, date: "2020-01-01" };
const HEADERS = { "content-type": "application/json" };
const TWICE = 2;
/** Just below the limit of a JSON body. */
const MEGABYTE = 1_000_000;

let log: Service;
let ann: Person;

beforeAll(async () => {
  log = await service();
  ann = await person(log);
});
afterAll(() => log.close());

const numbered = <V>(count: number, name: (index: number) => string, value: V) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [name(index), value]));

/** A good body of about a megabyte that is one text, in a field that is ignored. */
const TEXT = JSON.stringify({ ...RUN, activityName: 'commas, and "quotes"; '.repeat(MEGABYTE / 24) });

/** Bodies of about a megabyte made of very many small things, and the field to blame. */
const BAD: readonly (readonly [string, string, string])[] = [
  ["500,000 zeros for equipment", JSON.stringify({ ...RUN, equipment: Array(500_000).fill(0) }), "equipment"],
  ["90,000 unknown members", JSON.stringify({ ...RUN, ...numbered(90_000, (n) => `m${n}`, 0) }), "body"],
  [
    "60,000 flags",
    JSON.stringify({ ...RUN, weather: { conditions: numbered(60_000, (n) => `flag${n}`, true) } }),
    "weather",
  ],
  [
    "300,000 empty intervals",
    JSON.stringify({ ...RUN, intervalSet: { intervals: Array(300_000).fill({}) } }),
    "intervalSet",
  ],
  ["400,000 values in a field that is ignored", JSON.stringify({ ...RUN, id: Array(400_000).fill(0) }), "id"],
  ["500,000 arrays in each other", `{"activityID":10,"notes":${"[".repeat(500_000)}`, "notes"],
  [
    "as many objects with as many members as there may be",
    JSON.stringify({ ...RUN, equipment: Array.from({ length: 400 }, (_, n) => numbered(190, (m) => `${n}m${m}`, 0)) }),
    "equipment",
  ],
];

/** Milliseconds of processor time that this process takes for something. It is the least of several tries, so that other work doesn't count. */
async function work(something: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 5; round++) {
    const before = process.cpuUsage();
    await something();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

describe("a bad body of a megabyte", () => {
  test.each(BAD)(
    "of %s is refused by name, for no more work than a good one of that size",
    async (_what, body, field) => {
      const sending = (text: string) => () => ann.send("POST", WORKOUTS, { body: text, headers: HEADERS });
      const answer = await sending(body)();
      expect([answer.status, answer.json.message.split(/[:[.]/)[0]]).toEqual([400, field]);
      const [good, bad] = [await work(sending(TEXT)), await work(sending(body))];
      expect(bad / good).toBeLessThan(5);
    },
  );

  test("is cut short where it is too much: what a record can hold is taken", async () => {
    const flags = numbered(100, (n) => `flag${n}`, true);
    const intervals = Array(10_000).fill({ distance: { unit: "m", value: 400 }, duration: 90.5, type: "interval" });
    const id = await ann.save(WORKOUTS, { ...RUN, weather: { conditions: flags }, intervalSet: { intervals } });
    const { workout } = (await ann.send("GET", `${WORKOUTS}/${id}`)).json.data;
    expect([workout.intervalSet.intervals.length, Object.keys(workout.weather.conditions).length]).toEqual([
      10_000, 100,
    ]);
    for (const [body, message] of [
      [{ intervalSet: { intervals: Array(10_001).fill({}) } }, "intervalSet.intervals: takes at most 10000"],
      [{ weather: { conditions: { ...flags, more: true } } }, "weather.conditions: takes at most 100"],
    ] as const) {
      expect((await ann.send("POST", WORKOUTS, { body: { ...RUN, ...body } })).json).toEqual({ code: 3, message });
    }
  });

  test("that counts as too much for its brackets or commas is judged by those outside texts alone", async () => {
    const activityName = `${'[{"\\'.repeat(60_000)}${",".repeat(100_000)}`;
    const notes = `${'[{"\\'.repeat(15_000)}${",".repeat(5_000)}`;
    const id = await ann.save(WORKOUTS, { ...RUN, notes, activityName });
    expect((await ann.send("GET", `${WORKOUTS}/${id}`)).json.data.workout.notes).toBe(notes);
  });
});

test("a save with a shoe of 100,000 workouts is no more work than one with a new shoe", async () => {
  const cat = await person(log);
  const [old, fresh] = [await log.store.addEquipment(cat.userId, RUN), await log.store.addEquipment(cat.userId, RUN)];
  const workout = { ...RUN, equipment: old, details: { distance: { unit: "km", value: 5 } } } as const;
  const recordings = Array.from({ length: 10_000 }, (_, recording) => ({ recording, workout }));
  for (let part = 0; part < 10; part++)
    await log.store.addImport(cat.userId, { format: "fit", packed: new Uint8Array(1) }, recordings);
  const saving = (id: string) => () => cat.save(WORKOUTS, { ...RUN, equipment: [{ id }] });
  // Adding up the workouts of the shoe would make it 4.
  expect(await timesTheWork(saving(old), saving(fresh), TWICE)).toBeLessThan(TWICE);
});

/** A connection that has sent a request except for its last byte. It reports when it is answered. */
async function almostSent(body: string, answered: () => void): Promise<Socket> {
  const socket = connect(Number(new URL(log.url).port), "127.0.0.1");
  await once(socket, "connect");
  socket.write(
    `POST ${WORKOUTS}?access_token=${ann.token} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`,
  );
  await new Promise((sent) => socket.write(body.slice(0, -1), sent));
  socket.once("data", answered);
  return socket;
}

test("of twenty long bodies and another user's request that arrive together, the request waits for a few at most", async () => {
  const bob = await person(log);
  await bob.send("GET", "/rest/users/me/preference");
  let answered = 0;
  const all = Promise.withResolvers<void>();
  const senders: Socket[] = [];
  for (let n = 0; n < 20; n++) {
    senders.push(
      await almostSent(TEXT, () => {
        answered++;
        if (answered === 20) all.resolve();
      }),
    );
  }
  for (const sender of senders) sender.write(TEXT.slice(-1));
  const answer = await bob.send("GET", "/rest/users/me/preference");
  const before = answered;
  expect(answer.status).toBe(200);
  await all.promise;
  for (const sender of senders) sender.destroy();
  expect(before).toBeLessThan(10);
});
