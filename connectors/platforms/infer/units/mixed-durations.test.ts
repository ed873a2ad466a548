import { expect, test } from "vitest";
import { proposalFor } from "../../../../test/support/proposal.ts";
import { isOpen } from "../infer.ts";

/** What is asked of the durations of a table of these lines: the proposed answer, every option and the reason; undefined for no question. */
async function asked(header: string, rows: readonly string[]) {
  const lines = rows.map((row, at) => `2016-05-${String(at + 1).padStart(2, "0")},${row}`);
  const proposal = await proposalFor(`${[header, ...lines].join("\n")}\n`, new Map());
  const choice = proposal.choices.find(({ place }) => place.endsWith(".format"));
  if (choice === undefined || !isOpen(choice)) return undefined;
  return { value: choice.value, options: choice.options.map(({ value }) => value), why: choice.why };
}

/** Some rows, again and again. */
const times = (count: number, ...rows: readonly string[]) => Array.from({ length: count }, () => rows).flat();

const BOTH = "[h:mm, mm:ss], hoursBelow: 10";

test.each([
  [
    "an hour and a quarter in the gym among runs of minutes",
    "Date,Sport,km,Time,Notes",
    times(10, "run,10,52:10,x", "gym,,1:15,weights", "run,10,52:10,x"),
    "mm:ss",
    "h:mm",
    "20 rows are usual only as mm:ss, and 10 only as h:mm",
  ],
  [
    "the gym in a column of its own",
    "Date,Run km,Run time,Gym time",
    times(10, "10,52:10,1:15", "10,52:10,", "10,52:10,"),
    "mm:ss",
    "h:mm",
    "30 rows are usual only as mm:ss, and 10 only as h:mm",
  ],
  [
    "one session in the gym a week",
    "Date,Sport,km,Time",
    [...times(27, "run,10,52:10"), ...times(3, "gym,-,1:15")],
    "mm:ss",
    "h:mm",
    "27 rows are usual only as mm:ss, and 3 only as h:mm",
  ],
  [
    "three sports without distances, once each",
    "Date,Sport,km,Time",
    [...times(20, "run,10,52:10"), "yoga,,1:15", "gym,0,1:20", "pilates,,1:00"],
    "mm:ss",
    "h:mm",
    "20 rows are usual only as mm:ss, and 3 only as h:mm",
  ],
  [
    "a table without distances",
    "Date,Sport,Time",
    times(7, "run,45:10", "bike,1:30", "yoga,30:00"),
    "mm:ss",
    "h:mm",
    "14 rows are usual only as mm:ss, and 7 only as h:mm",
  ],
  [
    "rides of hours among runs of minutes",
    "Date,Sport,km,Time",
    times(5, "run,10,52:10", "run,8,41:30", "bike,30,1:10"),
    "mm:ss",
    "h:mm",
    "10 rows are usual only as mm:ss, and 5 only as h:mm",
  ],
  [
    "half an hour in the gym among runs of hours",
    "Date,Sport,km,Time",
    times(10, "run,10,0:52", "gym,,30:00", "run,21,1:48"),
    "h:mm",
    "mm:ss",
    "20 rows are usual only as h:mm, and 10 only as mm:ss",
  ],
])("%s are a question, whose first answer reads both", async (_, header, rows, first, second, why) => {
  expect(await asked(header, rows)).toEqual({ value: BOTH, options: [BOTH, first, second], why });
});

test.each([
  ["minutes in the gym", [...times(20, "run,10,52:10"), ...times(9, "gym,,30:00")]],
  ["a gym session of five minutes", [...times(20, "run,10,52:10"), ...times(9, "gym,,5:00")]],
  ["two slips", [...times(20, "run,10,52:10"), "gym,,1:15", "gym,,1:15", ...times(7, "gym,,30:00")]],
  ["swims in metres", [...times(20, "run,10,52:10"), ...times(9, "swim,1500,32:10")]],
  [
    "short intervals in metres of a sport that nobody knows",
    [...times(20, "run,10,52:10"), ...times(9, "xyz,400,1:45")],
  ],
])("%s raise no question", async (_, rows) => {
  expect(await asked("Date,Sport,km,Time", rows)).toBeUndefined();
});
