import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { jsonLines } from "./support/cli.ts";
import { type Rehearsal, rehearse } from "./support/rehearsal.ts";
import { writeSheet } from "./support/small-sources.ts";
import { startsInLog } from "./support/starts-in-log.ts";
import { onTerminal } from "./support/terminal.ts";

// A person walks through the doubtful pairs of a plan on a real terminal, quits in the middle and goes on later.

let rehearsal: Rehearsal;
beforeEach(async () => {
  rehearsal = await rehearse();
});
afterEach(() => rehearsal.close());

/** Pairs by the day alone: the distances of three are 10 % apart, and those of three others 5 %, with durations that are 17 % apart. */
const DAYS = [1, 2, 3, 4, 5, 6].map((day) => ({
  date: `2024-05-0${day}`,
  notes: { km: 10 + day, seconds: 3_600 },
  wrist: day <= 3 ? { km: (10 + day) * 0.9, seconds: 3_500 } : { km: (10 + day) * 0.95, seconds: 3_000 },
}));

const QUESTION = "q quit. Enter skips.";

test("a person answers same, two and merge, asks why, goes back, quits, goes on and answers all like this", async () => {
  const sheets = (["notes", "wrist"] as const).map((name) =>
    writeSheet(
      join(rehearsal.folder, name),
      DAYS.map((day) => ({ date: day.date, time: name === "wrist" ? "18:30" : "", ...day[name] })),
      name,
    ),
  );
  await rehearsal.run(["plan", ...sheets]);
  const listed = async () =>
    jsonLines((await rehearsal.run(["plan", "review", "--list", "--json"])).out)
      .filter(({ type }) => type === "pair")
      .map(({ pair, answer }) => ({ pair, ...(answer as { answer?: string; take?: unknown } | null) }));
  const before = await listed();
  expect(before).toHaveLength(6);

  const first = await onTerminal(
    rehearsal,
    ["plan", "review"],
    [
      [/Pair 1 of 6:[\s\S]*q quit\. Enter skips\./, "w"],
      [/8 in all[\s\S]*q quit\. Enter skips\./, "s"],
      [/Pair 2 of 6:[\s\S]*q quit\. Enter skips\./, "t"],
      [/Pair 3 of 6:[\s\S]*q quit\. Enter skips\./, "b"],
      [/Pair 2 of 6 \(you said two\):[\s\S]*q quit\. Enter skips\./, "s"],
      [/Pair 3 of 6:[\s\S]*q quit\. Enter skips\./, "m"],
      [/distance: l 1\d km, r [\d.]+ km\. Enter leaves it/, "r"],
      [/duration: l 1:00:00, r 0:58:20\. Enter leaves it/, ""],
      [/Pair 4 of 6:[\s\S]*q quit\. Enter skips\./, "t"],
      [/Pair 5 of 6:[\s\S]*q quit\. Enter skips\./, "q"],
    ],
  );
  expect(first.code, first.text).toBe(0);
  expect(first.text).toContain("The plan of run 1 is changed for 5 pairs. Next: logferry apply");
  const ids = before.map(({ pair }) => pair);
  const byId = (all: Awaited<ReturnType<typeof listed>>) => ids.map((id) => all.find(({ pair }) => pair === id));
  expect(byId(await listed())).toMatchObject([
    { answer: "one" },
    { answer: "one" },
    { answer: "one", take: { distance: expect.any(String) } },
    { answer: "two" },
    {},
    {},
  ]);

  const second = await onTerminal(
    rehearsal,
    ["plan", "review"],
    [
      [/Pair 1 of 2:[\s\S]*q quit\. Enter skips\./, "a"],
      [/2 pairs of these sources differ like this\./, "s"],
    ],
  );
  expect(second.code, second.text).toBe(0);
  expect(second.text.split(QUESTION)).toHaveLength(2);
  expect(await rehearsal.run(["apply"])).toMatchObject({ code: 0 });
  // Six days, and one of them has two. The merged ones have the distance of the notes, but for the chosen one.
  const log = await startsInLog(rehearsal);
  expect(log).toHaveLength(7);
  expect(log.filter((start) => start.startsWith("-"))).toHaveLength(1);
  expect(log.filter((start) => /^18:30 1\d$/.test(start))).toHaveLength(4);
});
