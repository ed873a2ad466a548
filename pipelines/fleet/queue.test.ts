/** The order in which a fleet takes its jobs. */
import { expect, inject, test } from "vitest";
import { openFleetDatabase } from "./database.ts";
import { type Job, openFleetQueue } from "./queue.ts";

test("batches take turns, whoever was put first, and an athlete who was given back comes next", async () => {
  const address = await (await fetch(inject("newDatabases"))).text();
  await using database = await openFleetDatabase(address, new AbortController().signal);
  const queue = await openFleetQueue(database);
  const put = (name: string, count: number, step: "check" | "load" = "check") =>
    database.transaction((queries) =>
      queue.add(
        queries,
        Array.from({ length: count }, (_, index) => ({ key: `${name}${index}`, step })),
      ),
    );
  const taken: Job[] = [];
  const take = async (count: number) => {
    for (let number = 0; number < count; number++) taken.push(...(await queue.take(1)));
    return taken.slice(-count).map(({ data: { key, step } }) => (step === "load" ? `load ${key}` : key));
  };
  await put("a", 6);
  expect(await take(2)).toEqual(["a0", "a1"]);
  // The small batch doesn't wait for the rest of the large one, and doesn't go before it.
  await put("b", 2);
  expect(await take(4)).toEqual(["a2", "b0", "a3", "b1"]);
  // Its athletes are checked, and take turns with the checks that are left.
  await put("b", 2, "load");
  expect(await take(1)).toEqual(["a4"]);
  const [a4] = taken.slice(-1);
  if (a4 !== undefined) await queue.giveBack(a4);
  expect(await take(2)).toEqual(["load b0", "a4"]);
  // Whose log is away comes behind all others.
  const [again] = taken.slice(-1);
  if (again !== undefined) await queue.giveBack(again, 0, true);
  expect(await take(3)).toEqual(["a5", "load b1", "a4"]);
  expect(await queue.take(1)).toEqual([]);
  await queue.close();
});

test("workers that start at once on an empty database all come to work", async () => {
  const address = await (await fetch(inject("newDatabases"))).text();
  const queues = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const database = await openFleetDatabase(address, new AbortController().signal);
      return { database, queue: await openFleetQueue(database) };
    }),
  );
  for (const { queue } of queues) expect(await queue.counts()).toMatchObject({ waiting: 0, running: 0 });
  for (const { queue, database } of queues) {
    await queue.close();
    await database.close();
  }
});
