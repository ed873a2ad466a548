/**
 * A process that runs one command line after another, each as `bin/logferry.js` would: with an environment and a standard input of its
 * own, real output, and an end only when nothing that it started is still open. What it saves is loading the program.
 */
import "../../bin/steady-memory.js";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { main } from "../../cli/main.ts";

/** One command line. */
export interface WarmJob {
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** What stands on its standard input. */
  readonly input: string;
  /** Written on both outputs after everything else; on standard output followed by the exit code and a line's end. */
  readonly mark: string;
}

/** How often it is looked whether something is still open, in milliseconds. */
const LOOK_MS = 1;

/** What Node itself reads, and whoever took hold of it as the program was loaded. */
const own = process.env;

process.on("message", (job: WarmJob) => void run(job));
// Who asks is gone.
process.on("disconnect", () => process.exit());

async function run({ words, env, input, mark }: WarmJob): Promise<void> {
  for (const name of Object.keys(own)) delete own[name];
  Object.assign(own, homeFolders(env.HOME ?? ""), env);
  // What a process remembers, it remembers by its environment.
  process.env = { ...own };
  Object.defineProperty(process, "stdin", { configurable: true, value: new PassThrough().end(input) });
  const open = openThings();
  const code = await main(words);
  await untilClosed(open);
  for (const stream of [process.stdout, process.stderr]) stream.removeAllListeners("error");
  process.stderr.write(mark);
  process.stdout.write(`${mark}${code}\n`);
}

/** Where a user's files are: the library that knows looks once for the home folder, and these it asks for each time. */
function homeFolders(home: string): Record<string, string> {
  return {
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_CACHE_HOME: join(home, ".cache"),
    XDG_DATA_HOME: join(home, ".local", "share"),
    XDG_STATE_HOME: join(home, ".local", "state"),
  };
}

/** What keeps this process from ending, each kind with its number. */
function openThings(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

/** Waits for what would keep a process of its own from ending. */
async function untilClosed(before: ReadonlyMap<string, number>): Promise<void> {
  while ([...openThings()].some(([kind, number]) => number > (before.get(kind) ?? 0))) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS).unref());
  }
}
