import { expect } from "vitest";
import { growth, LINEAR, timesTheWork } from "./growth.ts";
import { longTest, test } from "./tier-tests.ts";

const steps = (count: number) => {
  let sum = 0;
  for (let step = 0; step < count; step++) sum = (sum + step * step) | 0;
  return sum;
};
const size = (one: number) => one;

longTest(
  "work by the length of the input is told from work by its square, whatever the machine does besides",
  async () => {
    expect(await growth(size, (n) => steps(n * 20), 10_000)).toBeLessThanOrEqual(LINEAR);
    expect(await growth(size, (n) => steps(n * n), 2_000)).toBeGreaterThan(LINEAR);
  },
);

test("work that waits for a promise is counted to its end", async () => {
  const work = async (count: number) => {
    await Promise.resolve();
    steps(count);
  };
  expect(
    await timesTheWork(
      () => work(400_000),
      () => work(50_000),
      2,
    ),
  ).toBeGreaterThan(4);
});
