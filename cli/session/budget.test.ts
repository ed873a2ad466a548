import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Fetcher } from "../../connectors/api/exchange.ts";
import type { WireRequest } from "../../connectors/api/request.ts";
import { FatalError, RetryableError } from "../../connectors/errors.ts";
import { UsageError } from "../errors/exit-codes.ts";
import { openBudget } from "./budget.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const REQUEST = {} as WireRequest;

function fetcher(): Fetcher & { readonly carried: number } {
  let carried = 0;
  return {
    get carried() {
      return carried;
    },
    async exchange() {
      carried++;
      return { kind: "lost", code: "ECONNRESET", found: "the connection was reset" };
    },
    close: async () => undefined,
  };
}

const calm = new AbortController().signal;

test("time that is over ends a run, not a millisecond sooner, and says so", async () => {
  using budget = openBudget({ maxDuration: "2h30m" });
  await vi.advanceTimersByTimeAsync(9_000_000 - 1);
  expect(budget.signal.aborted).toBe(false);
  expect(budget.why).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1);
  expect(budget.signal.aborted).toBe(true);
  expect(budget.why).toBe("the 2h30m of --max-duration are over");
});

test("a time longer than a timer can run is no short one", async () => {
  using budget = openBudget({ maxDuration: "365d" });
  await vi.advanceTimersByTimeAsync(86_400_000);
  expect(budget.signal.aborted).toBe(false);
});

test("a run that ended leaves no timer behind", () => {
  openBudget({ maxDuration: "1h" })[Symbol.dispose]();
  expect(vi.getTimerCount()).toBe(0);
});

test("of the requests that are allowed all may be used, and not one more", async () => {
  using budget = openBudget({ maxRequests: 5 });
  const inner = fetcher();
  const counted = budget.counted(inner);
  for (let i = 0; i < 5; i++) await counted.exchange(REQUEST, calm);
  expect(budget.signal.aborted).toBe(false);
  await expect(counted.exchange(REQUEST, calm)).rejects.toThrow(RetryableError);
  expect(inner.carried).toBe(5);
  expect(budget.used).toBe(5);
  expect(budget.why).toBe("the 5 requests of --max-requests are used up");
});

test("a record is only begun when the requests it takes are left", async () => {
  using budget = openBudget({ maxRequests: 10 });
  const counted = budget.counted(fetcher());
  for (let i = 0; i < 2; i++) await counted.exchange(REQUEST, calm);
  expect(budget.mayBegin(3)).toBe(true);
  expect(budget.mayBegin(3)).toBe(true);
  // Two are left: what was begun uses up six.
  expect(budget.signal.aborted).toBe(false);
  expect(budget.mayBegin(3)).toBe(false);
  expect(budget.signal.aborted).toBe(true);
  for (let i = 0; i < 6; i++) await counted.exchange(REQUEST, calm);
  expect(budget.used).toBe(8);
});

test("requests that were sent again are taken from what is left for the others", async () => {
  using budget = openBudget({ maxRequests: 10 });
  const counted = budget.counted(fetcher());
  expect(budget.mayBegin(1)).toBe(true);
  for (let i = 0; i < 9; i++) await counted.exchange(REQUEST, calm);
  expect(budget.mayBegin(2)).toBe(false);
});

test.each([
  ["stop", 1],
  ["0", 1],
  ["2", 3],
  ["continue", Number.POSITIVE_INFINITY],
  [undefined, Number.POSITIVE_INFINITY],
])("--on-errors %s ends a run at the failure number %d", (onErrors, at) => {
  using budget = openBudget(onErrors === undefined ? {} : { onErrors });
  for (let failures = 1; failures <= 50; failures++) {
    budget.reserve();
    expect(budget.signal.aborted).toBe(failures >= at);
  }
  if (at === 1) expect(budget.why).toBe(`1 record was refused or failed (--on-errors ${onErrors})`);
  if (at === 3) expect(budget.why).toBe("3 records were refused or failed (--on-errors 2)");
});

test("fewer requests than it takes to open the log are a mistake of the command", () => {
  expect(() => openBudget({ maxRequests: 2 })).toThrow(UsageError);
});

test("an error is told as what was used up only where it comes of that", async () => {
  using budget = openBudget({ maxRequests: 3 });
  const stopped = new RetryableError("api/stopped", "Cannot list the workouts: stopped before it was sent");
  const other = new RetryableError("api/http-502", "Cannot list the workouts: the service answered 502");
  expect(budget.explain(stopped)).toBe(stopped);
  expect(budget.mayBegin(4)).toBe(false);
  expect(budget.explain(other)).toBe(other);
  const explained = budget.explain(stopped);
  expect(explained).toBeInstanceOf(FatalError);
  expect(explained).toMatchObject({
    message:
      "Stopped early, before anything was changed: the 3 requests of --max-requests are used up. Allow more, or run it again later.",
  });
});
