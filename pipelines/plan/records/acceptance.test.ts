import { expect, test } from "vitest";
import { CONDITIONS, isCondition } from "./acceptance.ts";

/** What each condition takes and what it refuses, as a person types it. */
const TYPED: Readonly<Record<string, readonly [right: readonly string[], wrong: readonly string[]]>> = {
  rejected: [
    ["=0", "=12", "=2%", "=0.25%", "=100%"],
    ["", "=", "=x", "=-1", "=101%", "=2 %", "=1.5", "=%"],
  ],
  refused: [
    ["=1", "=100%"],
    ["", "=none", "=2%%"],
  ],
  dates: [[""], ["=", "=1", "=2020"]],
  "lost-files": [[""], ["=3", "=a.fit"]],
  "unread-files": [[""], ["=3"]],
  "unread-values": [[""], ["=3"]],
  "not-added": [[""], ["=notes"]],
  dropped: [
    ["=0", "=5%"],
    ["", "=all"],
  ],
  losses: [
    ["=none", "=power", "=calories+max speed"],
    ["", "=", "=+", "=power+", "=none+power", "=power+none", "=power+ calories"],
  ],
  level: [
    ["=listed", "=restored"],
    ["", "=read again", "=compared", "=5"],
  ],
};

test("each of the ten conditions takes what it can be compared with, and nothing else", () => {
  expect(Object.keys(CONDITIONS)).toEqual(Object.keys(TYPED));
  for (const [name, [right, wrong]] of Object.entries(TYPED)) {
    for (const value of right) expect(isCondition(name + value), name + value).toBe(true);
    for (const value of wrong) expect(isCondition(name + value), name + value).toBe(false);
  }
  for (const word of ["", "spam", "rejectd=1", "toString", "Dates"]) expect(isCondition(word), word).toBe(false);
});
