import { expect, test } from "vitest";
import { RequestTally } from "./request-tally.ts";

/** The row of an athlete, with the attempt of the worker that took them last. */
function row() {
  const state = { attempt: 1, requests: 0, statements: 0 };
  const query = async (_text: string, [, attempt, requests]: readonly unknown[] = []) => {
    state.statements++;
    if (attempt !== state.attempt) return [];
    state.requests = Number(requests);
    return [{ "?column?": 1 }];
  };
  const take = () => new RequestTally({ query }, { key: "ana", attempt: state.attempt }, state.requests);
  return { state, take };
}

test("workers that are killed one after the other stay within the bound of all of them", async () => {
  const { state, take } = row();
  const most = 25;
  let sent = 0;
  for (const worker of [1, 2, 3, 4, 5]) {
    state.attempt = worker;
    const tally = take();
    for (let used = 1; used <= 7 && tally.before + used <= most; used++) {
      await tally.willSend(used, most);
      sent++;
      expect(state.requests).toBeGreaterThanOrEqual(sent);
    }
  }
  expect(sent).toBeGreaterThan(17);
  expect(sent).toBeLessThanOrEqual(most);
  expect(state.requests).toBe(most);
});

test("requests at the same time share a statement, and what a worker that stops did not use is there for the next one", async () => {
  const { state, take } = row();
  const tally = take();
  await Promise.all([1, 2, 3, 4, 5].map((used) => tally.willSend(used, Number.POSITIVE_INFINITY)));
  expect(state.statements).toBe(1);
  await tally.settle();
  expect(take().before).toBe(5);
});

test("a worker that no longer has the athlete sends nothing more", async () => {
  const { state, take } = row();
  const tally = take();
  await tally.willSend(1, 100);
  state.attempt = 2;
  await tally.willSend(8, 100);
  await expect(tally.willSend(9, 100)).rejects.toMatchObject({ code: "journal/claim-lost" });
});
