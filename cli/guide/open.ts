/** Opens the guide on the terminal of this process. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { open } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { SaidWords } from "../../pipelines/sources/missing-words.ts";
import { readConfig, readEnvironment, userFolders } from "../arguments/config.ts";
import { defaults } from "../arguments/options.ts";
import { bugLines, describeError } from "../errors/describe-error.ts";
import { EXIT_CODES, UsageError } from "../errors/exit-codes.ts";
import { createOutput } from "../terminal/output.ts";
import { Stopped } from "./asking.ts";
import { guide } from "./guide.ts";
import { readStanding } from "./standing.ts";
import type { Step } from "./steps.ts";
import { questionsOn, type Terminal } from "./terminal-questions.ts";

/** Milliseconds for the look at Downloads and the current folder. */
const LOOK_MS = 3_000;

/** Milliseconds for the search for rows that lack a unit or an order of dates. In a larger source, the plan asks for them. */
const TABLES_MS = 10_000;

/** Asks on a terminal, and runs the commands. @returns the exit code */
export async function openGuide(
  terminal: Terminal = { input: process.stdin, output: process.stdout },
): Promise<number> {
  const output = createOutput("normal", false);
  const commands = new Commands();
  try {
    return await guide(await partsOf(terminal, commands));
  } catch (error) {
    if (error instanceof Stopped) {
      output.conclude("Stopped. Type logferry to go on.");
      return EXIT_CODES.killed.code;
    }
    const problem = describeError(error);
    if (problem === undefined) output.warn(...bugLines(error));
    else output.warn(problem.message, ...problem.more);
    return EXIT_CODES[problem?.exit ?? "bug"].code;
  } finally {
    commands.dispose();
    // An input with an open other end would keep the process alive.
    (terminal.input as Partial<NodeJS.ReadStream>).unref?.();
  }
}

async function partsOf(terminal: Terminal, commands: Commands) {
  const environment = process.env;
  const folder = process.cwd();
  const home = homedir();
  const settings = readEnvironment(environment);
  const { options: configured } = await readConfig(settings.config);
  const options = { ...defaults(), ...configured, ...settings };
  return {
    ask: questionsOn(terminal, commands.signal),
    run: (step: Step) => commands.run(step),
    standing: () => readStanding({ options, environment, folders: [home, folder] }),
    // All platforms are loaded for it, which takes longer than the first question may.
    look: async () => {
      const { lookForExports } = await import("../../pipelines/sources/look-for-exports.ts");
      return await lookForExports([join(home, "Downloads"), folder], { ms: LOOK_MS, now: () => performance.now() });
    },
    // Links are not looked at, because they would be fetched once more.
    missing: async (sources: readonly string[], said: SaidWords) => {
      const { findMissingWords } = await import("../../pipelines/sources/missing-words.ts");
      const limits = { ms: TABLES_MS, now: () => performance.now(), signal: commands.signal };
      return await findMissingWords(
        sources.filter((source) => !/^(?:@|https?:)/i.test(source)),
        said,
        limits,
      );
    },
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    linkFolder: userFolders().data,
    home,
    folder,
  };
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Runs commands as processes of their own, as a person would. Ctrl-C then ends the command, and the guide goes on. */
class Commands {
  readonly #stop = new AbortController();
  #child: ChildProcess | undefined;

  constructor() {
    for (const name of SIGNALS) process.on(name, this.#onSignal);
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  readonly #onSignal = (name: NodeJS.Signals) => {
    // The terminal sends Ctrl-C to the command, too.
    if (this.#child !== undefined && name === "SIGINT") return;
    this.#child?.kill(name);
    this.#stop.abort();
  };

  async run({ words, into }: Step): Promise<number> {
    const file = into === undefined ? undefined : await open(into, "wx").catch((error) => refuse(into, error));
    try {
      const script = process.argv[1] ?? "";
      this.#child = spawn(process.execPath, [...process.execArgv, script, ...words], {
        stdio: ["inherit", file?.fd ?? "inherit", "inherit"],
      });
      const [code] = await once(this.#child, "close");
      return code ?? EXIT_CODES.killed.code;
    } finally {
      this.#child = undefined;
      await file?.close();
    }
  }

  dispose(): void {
    for (const name of SIGNALS) process.off(name, this.#onSignal);
  }
}

function refuse(path: string, { code }: NodeJS.ErrnoException): never {
  throw new UsageError(`Cannot write ${path}: ${code === "EEXIST" ? "it is there already" : code}`);
}
