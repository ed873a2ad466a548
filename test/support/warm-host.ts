/**
 * A process that runs one command line after another, each as `bin/logferry.js` would. Each has an environment and a standard input of its own, and
 * real output. It ends only when nothing that it started is still open. This saves the time to load the program.
 */
import "../../bin/steady-memory.js";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { main } from "../../cli/main.ts";
// Loaded now: what its packages keep open would count as left open by the first command.
import "../../cli/run-words.ts";
import "../../cli/session/session.ts";
import "../../cli/backup/drill.ts";
import "../../cli/unattended/silence.ts";
import "../../pipelines/report/write.ts";

/** One command line. */
export interface WarmJob {
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The text on its standard input. */
  readonly input: string;
  /** Written on both outputs after everything else. On standard output the exit code and a line's end follow it. */
  readonly mark: string;
}

/** The time between two checks for open things, in milliseconds. */
const LOOK_MS = 1;

/** The environment that Node itself reads. Modules may have taken hold of it as the program was loaded. */
const own = process.env;

process.on("message", (job: WarmJob) => void run(job));
// The test process is gone.
process.on("disconnect", () => process.exit());

async function run({ words, env, input, mark }: WarmJob): Promise<void> {
  for (const name of Object.keys(own)) delete own[name];
  Object.assign(own, homeFolders(env.HOME ?? ""), env);
  // A process keys its memory by its environment object, so each command gets a new one.
  process.env = { ...own };
  Object.defineProperty(process, "stdin", { configurable: true, value: new PassThrough().end(input) });
  const open = openThings();
  const code = await main(words);
  await untilClosed(open);
  for (const stream of [process.stdout, process.stderr]) stream.removeAllListeners("error");
  process.stderr.write(mark);
  process.stdout.write(`${mark}${code}\n`);
}

/** The folders of a user's files. The library that knows them reads the home folder only once, and reads these variables each time. */
function homeFolders(home: string): Record<string, string> {
  return {
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_CACHE_HOME: join(home, ".cache"),
    XDG_DATA_HOME: join(home, ".local", "share"),
    XDG_STATE_HOME: join(home, ".local", "state"),
  };
}

/** The things that keep this process from ending, each kind with its number. */
function openThings(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

/** Waits for the things that would keep a process of its own from ending. */
async function untilClosed(before: ReadonlyMap<string, number>): Promise<void> {
  while ([...openThings()].some(([kind, number]) => number > (before.get(kind) ?? 0))) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS).unref());
  }
}
