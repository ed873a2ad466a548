/** The command line on a terminal of its own, by `script` of util-linux: the command sees a terminal on all three of its streams. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { COMPILED } from "./compiled.ts";
import { type Rehearsal, ROOT } from "./rehearsal.ts";

/** The result of a command on a terminal. */
export interface RanOnTerminal {
  readonly code: number | null;
  /** All text that stood on the screen, in order, with the typed text. */
  readonly text: string;
}

/**
 * Runs `logferry WORDS` on a terminal and answers its questions.
 *
 * @param answers the texts to type, in order. Each is typed with Enter once the text of its question stands on the screen
 */
export async function onTerminal(
  rehearsal: Rehearsal,
  words: readonly string[],
  answers: readonly (readonly [question: RegExp, answer: string])[],
): Promise<RanOnTerminal> {
  const command = [process.execPath, join(ROOT, "bin", "logferry.js"), ...words];
  const line = command.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  const child = spawn("script", ["-qec", line, "/dev/null"], {
    stdio: ["pipe", "pipe", "inherit"],
    env: {
      PATH: process.env.PATH ?? "",
      HOME: rehearsal.folder,
      SHELL: "/bin/sh",
      TERM: "dumb",
      ...COMPILED,
      LOGFERRY_URL: rehearsal.service.url,
      LOGFERRY_TOKEN: rehearsal.token,
      LOGFERRY_JOURNAL: join(rehearsal.folder, "journal.db"),
      LOGFERRY_RATE: "0",
      LOGFERRY_PATIENCE: "0",
    },
  });
  const waiting = [...answers];
  let text = "";
  let seen = 0;
  child.stdout.on("data", (chunk) => {
    text += chunk;
    const [next] = waiting;
    const found = next?.[0].exec(text.slice(seen));
    if (next === undefined || found === null || found === undefined) return;
    seen += found.index + found[0].length;
    waiting.shift();
    child.stdin.write(`${next[1]}\n`);
  });
  const [code] = await once(child, "close");
  return { code, text };
}
