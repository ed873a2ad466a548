/** "I want a backup every night": login, the first backup, and its schedule. */
import { join, resolve } from "node:path";
import { askInOrder, BACK } from "./asking.ts";
import { ensureLogin } from "./log-in.ts";
import type { Standing } from "./standing.ts";
import { isOver, type Runner, take, whole } from "./steps.ts";

interface Wanted {
  readonly repository: string;
  readonly time: string;
}

/** Asks for the place and the time, makes the first backup, and lets the system make the others. @returns the last exit code, or BACK */
export async function backUp(runner: Runner, { isLoggedIn, repository }: Standing): Promise<number | typeof BACK> {
  const { ask, home } = runner;
  const wanted = await askInOrder<Wanted>([
    {
      ask: async () => {
        const usual = repository ?? "~/backups/log";
        const folder = await ask.type({ question: "Into which folder? It holds the backups of one log.", usual });
        return folder === BACK ? BACK : { repository: resolve(whole(folder, home)) };
      },
    },
    {
      ask: async () => {
        const time = await ask.type({ question: "At what time of the night?", usual: "02:30", problem: wrongTime });
        return time === BACK ? BACK : { time };
      },
    },
  ]);
  if (wanted === BACK) return BACK;
  const failed = await ensureLogin(runner, isLoggedIn, true);
  if (failed !== undefined) return failed;
  const { repository: place = join(home, "backups", "log"), time = "02:30" } = wanted;
  const code = await take(runner, "First a backup now.", { words: ["backup", "--repository", place] });
  if (!isOver(code)) return code;
  const words = ["schedule", "install", "--repository", place, "--daily", time];
  const scheduled = await take(runner, "Now the system makes one every night. You are warned when one is missed.", {
    words,
  });
  if (scheduled === 0) ask.say("See how it goes at any time:", "logferry schedule status");
  return scheduled === 0 ? code : scheduled;
}

function wrongTime(text: string): string | undefined {
  return /^([01]\d|2[0-3]):[0-5]\d$/.test(text) ? undefined : "Expected a time such as 02:30";
}
