import { Script } from "node:vm";
import { afterEach, expect, test, vi } from "vitest";
import { cpuMs } from "../../../test/support/cpu-time.ts";
import { ruleMatcher } from "./rules.ts";

const rule = (matches: string) => ({ when: { column: "Day", matches }, skip: "a rest day" });

afterEach(() => vi.restoreAllMocks());

test("a pattern that runs away ends the source, and says whose it is", () => {
  const match = ruleMatcher("log.map.yaml", [rule("^(a+)+$")]);
  const began = cpuMs();
  expect(() => match(() => `${"a".repeat(60)}!`)).toThrow("log.map.yaml: a pattern takes too long");
  expect(cpuMs() - began).toBeLessThan(5000);
});

test("a sound pattern that had to wait for its turn is asked again", () => {
  const match = ruleMatcher("log.map.yaml", [rule("^rest$")]);
  const run = vi.spyOn(Script.prototype, "runInContext");
  const late = Object.assign(new Error("Script execution timed out"), { code: "ERR_SCRIPT_EXECUTION_TIMEOUT" });
  run.mockImplementationOnce(() => {
    throw late;
  });
  expect(match(() => "Rest")).toEqual(rule("^rest$"));
  expect(run).toHaveBeenCalledTimes(2);
});
