import { expect, test } from "vitest";
import { FatalError } from "../../connectors/errors.ts";
import { whenFree } from "./certify.ts";

const locked = () => new FatalError("journal/account-locked", "locked", "another run works on the log");

/** Work that is refused so many times. */
function refused(times: number, error: () => Error = locked) {
  const waits: number[] = [];
  let tries = 0;
  const context = { signal: new AbortController().signal, sleep: async (ms: number) => void waits.push(ms) };
  const work = async () => {
    if (++tries <= times) throw error();
    return "a certificate";
  };
  return { context, work, waits };
}

test("a certificate waits while another batch makes its own of the same log", async () => {
  const { context, work, waits } = refused(2);
  expect(await whenFree(context, work)).toBe("a certificate");
  expect(waits).toEqual([5000, 5000]);
});

test("after a minute it gives up, and at once for another reason", async () => {
  const long = refused(100);
  await expect(whenFree(long.context, long.work)).rejects.toThrow("another run works on the log");
  expect(long.waits).toHaveLength(11);
  const other = refused(1, () => new FatalError("login/refused", "login", "the token is refused"));
  await expect(whenFree(other.context, other.work)).rejects.toThrow("the token is refused");
  expect(other.waits).toEqual([]);
});
