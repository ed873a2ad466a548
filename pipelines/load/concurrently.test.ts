import { expect, test } from "vitest";
import { forEachConcurrently } from "./concurrently.ts";

async function* numbers(count: number, onTake: (n: number) => void = () => {}) {
  for (let n = 1; n <= count; n++) {
    onTake(n);
    yield n;
  }
}

const never = new AbortController().signal;

test("every item is worked on once, never more at once than there are workers", async () => {
  const done: number[] = [];
  let underWay = 0;
  let most = 0;
  await forEachConcurrently(numbers(50), 4, never, async (n) => {
    most = Math.max(most, ++underWay);
    await new Promise((resolve) => setImmediate(resolve));
    underWay--;
    done.push(n);
  });
  expect(done.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
  expect(most).toBe(4);
});

test("no more is taken from a long plan than the workers hold", async () => {
  let taken = 0;
  let worked = 0;
  await forEachConcurrently(
    numbers(1000, () => taken++),
    3,
    never,
    async () => {
      worked++;
      expect(taken - worked).toBeLessThanOrEqual(3);
    },
  );
  expect(worked).toBe(1000);
});

test("after a failure nothing new is begun, what was under way ends, and the failure comes out", async () => {
  const begun: number[] = [];
  const ended: number[] = [];
  const work = async (n: number) => {
    begun.push(n);
    await new Promise((resolve) => setImmediate(resolve));
    if (n === 2) throw new Error("two");
    ended.push(n);
  };
  await expect(forEachConcurrently(numbers(100), 2, never, work)).rejects.toThrow("two");
  expect(begun.length).toBeLessThanOrEqual(4);
  expect(ended).toContain(1);
});

test("an aborted signal ends it without an error, and lets the source close", async () => {
  const controller = new AbortController();
  let isClosed = false;
  async function* source() {
    try {
      for (let n = 0; ; n++) yield n;
    } finally {
      isClosed = true;
    }
  }
  let worked = 0;
  await forEachConcurrently(source(), 2, controller.signal, async () => {
    if (++worked === 10) controller.abort();
  });
  expect(worked).toBeLessThan(13);
  expect(isClosed).toBe(true);
});
