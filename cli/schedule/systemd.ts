/** Schedules as systemd timers, in the user's own folder of units. */
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { UsageError } from "../errors/exit-codes.ts";
import { onSystemError } from "../errors/system-errors.ts";
import { type Environment, hasProgram, runProgram } from "../system/programs.ts";
import { storedIn } from "./schedule.ts";
import type { Installed, Scheduler } from "./scheduler.ts";
import { nameOfTimer, serviceOf, timersOf, unitsOf } from "./units.ts";

/** Longest wait for `systemctl`, in milliseconds. */
const LONGEST_MS = 30_000;

/** States in which the manager starts timers. */
const RUNNING = /^(initializing|starting|running|degraded)$/;

/** Opens the units of this user. */
export function openSystemd(environment: Environment): Scheduler {
  const folder = join(environment.XDG_CONFIG_HOME || join(environment.HOME || homedir(), ".config"), "systemd", "user");
  const canAsk = () => hasProgram("systemctl", environment);
  const systemctl = (...words: string[]) =>
    runProgram("systemctl", ["--user", ...words], { environment, longestMs: LONGEST_MS });
  const told = async (...words: string[]) => {
    const { code } = await systemctl(...words);
    if (code === 0) return;
    throw new UsageError(`Cannot install the schedule: systemctl --user ${words.join(" ")} ended with ${code}`);
  };
  const textOf = (file: string) => readFile(join(folder, file), "utf8").catch(() => undefined);
  const isEnabled = async (name: string) => {
    if (!(await canAsk())) return false;
    for (const timer of timersOf(name)) if ((await systemctl("is-enabled", "--quiet", timer)).code !== 0) return false;
    return true;
  };

  return {
    name: "systemd",
    async isThere() {
      return (await canAsk()) && RUNNING.test((await systemctl("is-system-running")).out.trim());
    },
    preview(schedule) {
      return [...unitsOf(schedule)].map(([file, text]) => `# ${join(folder, file)}\n${text}`).join("\n");
    },
    async install(schedule) {
      const units = unitsOf(schedule);
      let isSame = true;
      for (const [file, text] of units) isSame &&= (await textOf(file)) === text;
      if (isSame && (await isEnabled(schedule.name))) return false;
      await atFolder(folder, async () => {
        await mkdir(folder, { recursive: true });
        for (const [file, text] of units) await writeFile(join(folder, file), text, { mode: 0o600 });
      });
      await told("daemon-reload");
      await told("enable", ...timersOf(schedule.name));
      // Restart also a timer that existed, because its time may have changed.
      await told("restart", ...timersOf(schedule.name));
      return true;
    },
    async begin(name) {
      await systemctl("start", "--no-block", serviceOf(timersOf(name)[0]));
    },
    async installed() {
      const found: Installed[] = [];
      for (const file of (await readdir(folder).catch(() => [])).toSorted()) {
        const name = nameOfTimer(file);
        if (name === undefined) continue;
        const problem = (await isEnabled(name)) ? {} : { problem: "its timers are not enabled" };
        found.push({ name, with: "systemd", stored: storedIn((await textOf(file)) ?? ""), ...problem });
      }
      return found;
    },
    async remove(name) {
      const files = timersOf(name).flatMap((timer) => [timer, serviceOf(timer)]);
      const there = (await readdir(folder).catch(() => [])).filter((file) => files.includes(file));
      if (there.length === 0) return false;
      const isAsked = await canAsk();
      if (isAsked) await systemctl("disable", "--now", ...timersOf(name));
      await atFolder(folder, async () => {
        for (const file of there) await rm(join(folder, file));
        for (const timer of timersOf(name)) await rm(join(folder, "timers.target.wants", timer), { force: true });
      });
      if (isAsked) await systemctl("daemon-reload");
      return true;
    },
  };
}

function atFolder(folder: string, work: () => Promise<void>): Promise<void> {
  return work().catch(
    onSystemError((problem, { path = folder }) => new UsageError(`Cannot write to ${path}: ${problem}`)),
  );
}
