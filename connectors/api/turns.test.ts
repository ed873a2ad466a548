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

both("%s, so many run at a time, and the others follow in their order", async (_, turnsOf) => {
  const turns = turnsOf(3);
  const began: number[] = [];
  let running = 0;
  let most = 0;
  const tasks = Array.from({ length: 8 }, held);
  const all = tasks.map(({ task }, index) =>
    turns.run(() => {
      began.push(index);
      most = Math.max(most, ++running);
      return task().finally(() => running--);
    }, never),
  );
  await expect.poll(() => began).toEqual([0, 1, 2]);
  tasks[1]?.resolve("one");
  await expect.poll(() => began).toEqual([0, 1, 2, 3]);
  for (const { resolve } of tasks) resolve("done");
  expect(await Promise.all(all)).toEqual(["done", "one", ...Array(6).fill("done")]);
  expect(began).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(most).toBe(3);
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
  const began: string[] = [];
  const task = (name: string) => async () => void began.push(name);
  const running = turns.run(() => {
    began.push("first");
    return first.task();
  }, stop.signal);
  await expect.poll(() => began).toEqual(["first"]);
  const waiting = turns.run(task("waiting"), stop.signal);
  const behind = turns.run(task("behind"), never);
  stop.abort(new Error("enough"));
  await expect(waiting).rejects.toThrow("enough");
  await expect(turns.run(task("too late"), stop.signal)).rejects.toThrow("enough");
  first.resolve("done");
  expect(await running).toBe("done");
  await behind;
  expect(began).toEqual(["first", "behind"]);
});
