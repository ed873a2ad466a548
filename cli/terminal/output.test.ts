import { expect, test } from "vitest";
import { count, createOutput, describeStatus, type Loudness, span, table } from "./output.ts";

// A terminal that notes every write, and a clock that moves by hand.
function captured(options: { isTTY?: boolean; columns?: number; loudness?: Loudness; isJson?: boolean } = {}) {
  const { isTTY = false, columns, loudness = "normal", isJson = false } = options;
  const out: string[] = [];
  const err: string[] = [];
  const clock = { time: 0 };
  const output = createOutput(
    loudness,
    isJson,
    { out: { write: (text) => out.push(text) }, err: { write: (text) => err.push(text), isTTY, columns } },
    () => clock.time,
  );
  return { output, out, err, clock };
}

/** What a terminal shows after what was written to it: `\r` goes back, letters go over what was there. */
function screen(written: readonly string[]): string {
  const rows = written
    .join("")
    .split("\n")
    .map((row) => {
      const cells: string[] = [];
      for (const part of row.split("\r")) for (const [at, letter] of [...part].entries()) cells[at] = letter;
      return cells.join("").trimEnd();
    });
  return rows.join("\n");
}

const HOSTILE = "\u001b[2J\u001b]0;owned\u0007Morning\rRun \u202egnp.exe \u009b31m";
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

test("on a terminal the live line renews itself ten times a second, and is gone when text follows", () => {
  const { output, err, out, clock } = captured({ isTTY: true, columns: 80 });
  for (let done = 0; done <= 100; done++) {
    clock.time = done * 20;
    output.progress({ phase: "loading", done, total: 611 });
  }
  expect(err).toHaveLength(21);
  expect(screen(err)).toBe("loading  100 of 611  16 %  50/s  ETA 11 s");
  output.say("Done.");
  expect(screen(err)).toBe("");
  expect(out).toEqual(["Done.\n"]);
});

test("a shorter live line leaves nothing of the longer one before", () => {
  const { output, err, clock } = captured({ isTTY: true, columns: 80 });
  output.progress({ phase: "reading a rather long name.zip", done: 1000 });
  clock.time = 200;
  output.progress({ phase: "deciding", done: 1 });
  expect(screen(err)).toBe("deciding  1");
});

test("T2 the live line is cut to the terminal's width, and wide letters count twice", () => {
  for (const phase of ["reading a very long name of an archive", "reading 東京マラソン二〇二四年三月"]) {
    const { output, err } = captured({ isTTY: true, columns: 24 });
    output.progress({ phase, done: 12_345 });
    const columns = [...screen(err)].reduce((sum, letter) => sum + (letter > "\u2e80" ? 2 : 1), 0);
    expect(columns).toBeLessThanOrEqual(23);
    expect(screen(err).endsWith("…")).toBe(true);
  }
});

test("T2 elsewhere a line is printed every ten seconds and at the end of a step", () => {
  const { output, err, clock } = captured();
  for (let second = 0; second <= 35; second++) {
    clock.time = second * 1000;
    output.progress({ phase: "loading", done: second, total: 36 });
  }
  clock.time = 36_000;
  output.progress({ phase: "loading", done: 36, total: 36 });
  expect(err).toEqual([
    "loading  10 of 36  27 %  1.0/s  ETA 26 s\n",
    "loading  20 of 36  55 %  1.0/s  ETA 16 s\n",
    "loading  30 of 36  83 %  1.0/s  ETA 6 s\n",
    "loading  36 of 36  100 %  1.0/s\n",
  ]);
});

test.each([true, false])("T1 names from an archive can't drive the terminal (terminal: %s)", (isTTY) => {
  const { output, out, err, clock } = captured({ isTTY, columns: 120 });
  output.say(`  ${HOSTILE}: a name`);
  output.conclude(HOSTILE);
  output.warn(HOSTILE);
  output.remark(HOSTILE);
  output.progress({ phase: `reading ${HOSTILE}`, done: 1, waiting: HOSTILE });
  clock.time = 11_000;
  output.progress({ phase: `reading ${HOSTILE}`, done: 2 });
  output.endProgress();
  const ours = isTTY ? err.join("").replaceAll(/\r( *\r)?/g, "") : err.join("");
  expect(out.join("")).not.toMatch(CONTROL);
  expect(ours).not.toMatch(CONTROL);
  expect(out.join("")).toContain("\\x1b[2J");
});

test("T1 a line break in a name begins no line of its own", () => {
  const { output, out, err } = captured();
  const forged = "Morning Run\nDone. Check it with: curl evil.example";
  output.say(`  ${forged}`, "second line");
  output.conclude(forged);
  output.warn(forged);
  output.remark(forged);
  output.say(...table([["name", forged]]));
  const lines = [...out, ...err].join("").split("\n");
  expect(lines.filter((line) => line.startsWith("Done."))).toEqual([]);
  expect(lines).toContain("second line");
  expect(lines).toHaveLength(7);
});

test("T1 a name of ten thousand letters doesn't fill the screen", () => {
  const { output, out } = captured();
  output.say("x".repeat(10_000));
  expect(out.join("").length).toBeLessThanOrEqual(1001);
});

test("T1 JSON lines escape what would drive a terminal, and parse to the text as it was", () => {
  const { output, out } = captured({ isJson: true });
  output.emit("record", { key: HOSTILE });
  expect(out.join("")).not.toMatch(CONTROL);
  expect(JSON.parse(out.join(""))).toEqual({ type: "record", key: HOSTILE });
});

test("with --json there are JSON lines on standard output, and nothing else anywhere", () => {
  const { output, out, err, clock } = captured({ isJson: true, isTTY: true, columns: 80 });
  output.say("for people");
  output.conclude("for people");
  output.remark("for people");
  output.progress({ phase: "loading", done: 0, total: 2 });
  clock.time = 500;
  output.progress({ phase: "loading", done: 2, total: 2, waiting: undefined });
  output.emit("file", { path: "a.csv", records: 0 });
  output.warn("it failed");
  expect(err).toEqual([]);
  expect(out.map((line) => JSON.parse(line))).toEqual([
    { type: "status", phase: "loading", done: 0, total: 2 },
    { type: "status", phase: "loading", done: 2, total: 2, rate: 4 },
    { type: "file", path: "a.csv", records: 0 },
    { type: "error", message: "it failed" },
  ]);
});

test("quiet prints what went wrong and the last sentence, and no progress", () => {
  const { output, out, err, clock } = captured({ loudness: "quiet" });
  output.say("a table");
  output.progress({ phase: "loading", done: 1 });
  clock.time = 60_000;
  output.progress({ phase: "loading", done: 2 });
  output.emit("file", {});
  output.warn("it failed");
  output.conclude("Done.");
  expect(out).toEqual(["Done.\n"]);
  expect(err).toEqual(["it failed\n"]);
});

test("a status says what it knows: total, share, rate, time left, what it waits for", () => {
  expect(
    describeStatus({ phase: "loading", done: 214, total: 611, waiting: "the service, which asked for 20 s" }, 41),
  ).toBe("loading  214 of 611  35 %  41/s  ETA 10 s  waiting: the service, which asked for 20 s");
  expect(describeStatus({ phase: "reading", done: 12_345 }, 9.87)).toBe("reading  12 345  9.9/s");
  expect(describeStatus({ phase: "loading", done: 0, total: 10 }, 0)).toBe("loading  0 of 10  0 %");
  expect(describeStatus({ phase: "loading", done: 0, total: 0 }, undefined)).toBe("loading  0 of 0");
  expect(describeStatus({ phase: "loading", done: 10, total: 10 }, 5)).toBe("loading  10 of 10  100 %  5.0/s");
});

test.each([
  [0, "0 s"],
  [0.2, "1 s"],
  [59, "59 s"],
  [60, "1 min"],
  [754, "13 min"],
  [35_040, "9 h 44 min"],
  [360_000, "100 h 0 min"],
])("%d seconds are %s", (seconds, words) => {
  expect(span(seconds)).toBe(words);
});

test.each([
  [0, "0"],
  [999, "999"],
  [1000, "1 000"],
  [1_234_567, "1 234 567"],
])("%d is written %s", (value, text) => {
  expect(count(value)).toBe(text);
});

test("a table puts words to the left and numbers to the right, and ends no line in blanks", () => {
  expect(
    table([
      ["", "zip", "all", ""],
      ["read", 12, 3456, ""],
      ["skipped", 0, 7, "left out by a rule"],
    ]),
  ).toEqual(["           zip  all", "  read      12  3 456", "  skipped    0      7  left out by a rule"]);
});
