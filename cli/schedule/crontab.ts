/**
 * Schedules in the user's crontab: a block of lines between marks. Everything else stays byte for byte. Cron doesn't know about missed
 * times, so a second line checks every hour whether a backup is due.
 */
import { UsageError } from "../errors/exit-codes.ts";
import { type Environment, hasProgram, type ProgramEnd, runProgram } from "../system/programs.ts";
import { crontabCommand } from "./quoting.ts";
import { type Schedule, storedIn, storedLine } from "./schedule.ts";
import type { Installed, Scheduler } from "./scheduler.ts";

/** Longest wait for `crontab`, in milliseconds. */
const LONGEST_MS = 20_000;

/** Opens the crontab of this user. It runs nothing yet. */
export function openCrontab(environment: Environment): Scheduler {
  const own = { ...environment, LC_ALL: "C" };
  const run = (words: readonly string[], input = "") =>
    runProgram("crontab", words, { input, encoding: "latin1", environment: own, longestMs: LONGEST_MS });

  /** The crontab unchanged, with one character for each byte. */
  const read = async (): Promise<string> => {
    if (!(await hasProgram("crontab", environment))) return "";
    const end = await run(["-l"]);
    if (end.code === 0) return end.out;
    // For any other problem, logferry must not overwrite a crontab that it can't read.
    if (/no crontab for/i.test(end.complaint)) return "";
    throw new UsageError(`Cannot read the crontab: ${complaintOf(end)}`);
  };
  const change = async (name: string, block: string): Promise<boolean> => {
    const before = await read();
    const after = withBlock(before, name, Buffer.from(block).toString("latin1"));
    if (after === before) return false;
    const end = await run(["-"], after);
    if (end.code !== 0) throw new UsageError(`Cannot write the crontab: ${complaintOf(end)}`);
    return true;
  };

  return {
    name: "crontab",
    isThere: () => hasProgram("crontab", environment),
    preview: blockOf,
    install: (schedule) => change(schedule.name, blockOf(schedule)),
    installed: async () => installedIn(Buffer.from(await read(), "latin1").toString("utf8")),
    remove: (name) => change(name, ""),
  };
}

function complaintOf({ code, complaint }: ProgramEnd): string {
  const first = complaint.trim().split("\n")[0] ?? "";
  return first === "" ? `crontab ended with ${code}` : first;
}

/** The lines of a schedule, with the marks around them. */
function blockOf(schedule: Schedule): string {
  const { name, cron, catchUpCron, alarmCron, backup, catchUp, alarm, variables } = schedule;
  const line = (when: string, words: readonly string[]) => `${when} ${crontabCommand(words, variables)}`;
  return [
    `${begin(name)}: by logferry schedule install; logferry schedule remove takes it away`,
    storedLine(schedule),
    "# The backup. Every hour a missed one. Once a day the age of the last good one.",
    line(cron, backup),
    line(catchUpCron, catchUp),
    line(alarmCron, alarm),
    end(name),
    "",
  ].join("\n");
}

function begin(name: string): string {
  return `# BEGIN logferry ${name}`;
}

function end(name: string): string {
  return `# END logferry ${name}`;
}

/**
 * A crontab with the block of a schedule, in the place of the existing block or at the end.
 *
 * @param block empty to remove it
 * @throws UsageError when a mark is missing, because then logferry doesn't know which lines are its own
 */
export function withBlock(crontab: string, name: string, block: string): string {
  const lines = crontab.split(/(?<=\n)/);
  const first = lines.findIndex((line) => line.startsWith(`${begin(name)}:`));
  const last = lines.findIndex((line) => line.trimEnd() === end(name));
  if (first === -1 && last === -1) {
    const gap = block === "" || crontab === "" || crontab.endsWith("\n") ? "" : "\n";
    return `${crontab}${gap}${block}`;
  }
  if (first === -1 || last < first) {
    throw new UsageError(
      `Cannot change the crontab: of the marks "${begin(name)}" and "${end(name)}" one is missing. Take away what is left of the block with crontab -e`,
    );
  }
  return `${lines.slice(0, first).join("")}${block}${lines.slice(last + 1).join("")}`;
}

/** The schedules in a crontab. */
function installedIn(crontab: string): readonly Installed[] {
  return [...crontab.matchAll(/^# BEGIN logferry ([\w.-]+):[^\n]*\n([\s\S]*?)^# END logferry \1$/gm)].map(
    ([, name = "", lines = ""]) => ({ name, with: "crontab", stored: storedIn(lines) }),
  );
}
