import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { withBlock } from "./crontab.ts";
import { crontabCommand, systemdLine, systemdWord } from "./quoting.ts";
import { calendarEvents } from "./units.ts";

const HOSTILE = [
  "plain/path-1.0",
  "two words",
  'a "quoted" one',
  "ana's",
  "100 %",
  "%h %% %",
  "$HOME $(id) $$",
  "`date`; rm -rf * & | > < ( ) ! # ~",
  "-o=x",
  "ä 走る",
  "",
];

/** What cron does to a command: a bare % ends it, \% is one; the rest goes to the shell. */
const asCron = (command: string) => (command.split(/(?<!\\)%/)[0] ?? "").replaceAll("\\%", "%");

test("words come out of a crontab's line and its shell as they went in", () => {
  const words = [
    process.execPath,
    "-e",
    "process.stdout.write(JSON.stringify([process.env.A, ...process.argv.slice(1)]))",
    "--",
    ...HOSTILE,
  ];
  const command = crontabCommand(words, { A: 'x "$(y)" %' });
  const { stdout } = spawnSync("/bin/sh", ["-c", asCron(command)], { encoding: "utf8" });
  expect(JSON.parse(stdout)).toEqual(['x "$(y)" %', ...HOSTILE]);
});

test("what no line of a crontab can hold is refused, with a way out", () => {
  expect(() => crontabCommand(["a\nb"])).toThrow("can't stand in a line");
  expect(() => crontabCommand(["a\\b"])).toThrow("every cron reads a backslash otherwise");
  expect(() => crontabCommand(["x".repeat(991)])).toThrow("would have 991 bytes, and cron takes 990");
  expect(() => systemdLine(["a\u0000b"])).toThrow("can't stand in a line");
});

test("words for systemd: specifiers, variables, quotes and backslashes stand for themselves", () => {
  expect(systemdLine(["/opt/a $b/no%de", 'x "y" \\z', "100 %h", "$HOME"])).toBe(
    String.raw`"/opt/a $b/no%%de" "x \"y\" \\z" "100 %%h" "$$HOME"`,
  );
  expect(systemdWord("A=$x %")).toBe('"A=$x %%"');
});

test.each([
  ["30 2 * * *", ["*-*-* 02:30:00"]],
  ["*/20 0-3 * * *", ["*-*-* 00,01,02,03:00,20,40:00"]],
  ["0 4 1,15 jan,jul *", ["*-01,07-01,15 04:00:00"]],
  ["5 4 * * 0,7", ["Sun *-*-* 04:05:00"]],
  ["5 4 * * Mon-Fri", ["Mon,Tue,Wed,Thu,Fri *-*-* 04:05:00"]],
  // Cron means the 13th and every Friday.
  ["0 0 13 * 5", ["Fri *-*-* 00:00:00", "*-*-13 00:00:00"]],
  ["* * * * *", ["*-*-* *:*:00"]],
])("%s is %j to systemd", (cron, events) => {
  expect(calendarEvents(cron)).toEqual(events);
  // Where systemd is installed, it must think so too.
  const { error, status } = spawnSync("systemd-analyze", ["calendar", ...events]);
  expect(error === undefined ? status : 0).toBe(0);
});

test.each([
  "",
  "1 2 3",
  "60 * * * *",
  "* 24 * * *",
  "* * 0 * *",
  "* * * 13 *",
  "* * * * 8",
  "*/0 * * * *",
  "5-1 * * * *",
  "5/5 * * * *",
  "@daily",
  "0 0 */2 * 1",
  "L * * * *",
])("%j is no time to install", (cron) => {
  expect(() => calendarEvents(cron)).toThrow("Cannot schedule");
});

test("a block takes the place of the one of its name, and what was changed by hand is not guessed at", () => {
  const block = (name: string, text: string) => `# BEGIN logferry ${name}: x\n${text}\n# END logferry ${name}\n`;
  const others = `a\n${block("b-1", "other")}c`;
  const installed = withBlock(others, "b", block("b", "one"));
  expect(installed).toBe(`${others}\n${block("b", "one")}`);
  expect(withBlock(`${installed}d\n`, "b", block("b", "two"))).toBe(`${others}\n${block("b", "two")}d\n`);
  expect(withBlock(installed, "b", "")).toBe(`${others}\n`);
  expect(() => withBlock(installed.replace("# END logferry b\n", ""), "b", "")).toThrow("one is missing");
  expect(() => withBlock(installed.replace("# BEGIN logferry b:", "#"), "b", "")).toThrow("one is missing");
});
