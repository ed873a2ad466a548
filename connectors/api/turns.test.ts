import { expect, test } from "vitest";
import { freeTurns, limitedTurns } from "./turns.ts";

// Both kinds of turns keep the same promises.

const both = test.each([
  ["with a limit", limitedTurns],
  ["without a limit", freeTurns],
]);
const never = new AbortController().signal;

/** A task that the test ends. */
function held() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  return { task: () => promise, resolve, reject };
}

/** Lets everything happen that needs no more than some turns of the event loop and a timer of the queue. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 20));

both("%s, so many run at a time, and the others follow in their order", async (_, turnsOf) => {
  const turns = turnsOf(3);
  const began: number[] = [];
  const tasks = Array.from({ length: 8 }, held);
  const all = tasks.map(({ task }, index) =>
    turns.run(() => {
      began.push(index);
      return task();
    }, never),
  );
  await expect.poll(() => began).toEqual([0, 1, 2]);
  tasks[1]?.resolve("one");
  await expect.poll(() => began).toEqual([0, 1, 2, 3]);
  await settle();
  expect(began).toEqual([0, 1, 2, 3]);
  for (const { resolve } of tasks) resolve("done");
  expect(await Promise.all(all)).toEqual(["done", "one", ...Array(6).fill("done")]);
  expect(began).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
});

both("%s, the error of a task goes to its caller, and the next one runs", async (_, turnsOf) => {
  const turns = turnsOf(1);
  const broken = turns.run(() => Promise.reject(new Error("broken")), never);
  const next = turns.run(async () => "next", never);
  await expect(broken).rejects.toThrow("broken");
  expect(await next).toBe("next");
});

both("%s, a task whose signal is aborted while it waits never runs, and takes no turn", async (_, turnsOf) => {
  const turns = turnsOf(1);
  const stop = new AbortController();
  const first = held();
  const running = turns.run(first.task, stop.signal);
  const began: string[] = [];
  const task = (name: string) => async () => void began.push(name);
  const waiting = turns.run(task("waiting"), stop.signal);
  const behind = turns.run(task("behind"), never);
  await settle();
  stop.abort(new Error("enough"));
  await expect(waiting).rejects.toThrow("enough");
  await expect(turns.run(task("too late"), stop.signal)).rejects.toThrow("enough");
  first.resolve("done");
  expect(await running).toBe("done");
  await behind;
  expect(began).toEqual(["behind"]);
});
