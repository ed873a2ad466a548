/** Runs one command: it takes words and gives an exit code. Only this file turns errors into exit codes. */
import { systemClock } from "../connectors/api/clock.ts";
import { hideAddresses } from "../connectors/containers/address.ts";
import { withFlags } from "./arguments/activity-tables.ts";
import { readConfig, readEnvironment } from "./arguments/config.ts";
import { inAnyFolder } from "./arguments/journal-name.ts";
import { defaults } from "./arguments/options.ts";
import { WRITING_ENDS } from "./arguments/stop-lines.ts";
import { bugLines, describeError, isLoginNeeded, isStop } from "./errors/describe-error.ts";
import { EXIT_CODES, type ExitName } from "./errors/exit-codes.ts";
import { withAddresses } from "./login/address-files.ts";
import { parseWords } from "./parser.ts";
import { inRehearsal, withTypedOptions } from "./suggested-commands.ts";
import { createOutput, type Loudness, type Output } from "./terminal/output.ts";

/**
 * Runs one command line.
 *
 * @param words without `node` and the script
 * @returns the exit code, from the table of `exit-codes.ts`
 */
export async function runWords(words: readonly string[]): Promise<number> {
  const stopper = stopOnSignals();
  let output = createOutput("normal", words.includes("--json"));
  let exit: ExitName = "done";
  let stopped = STOPPED;
  let secret = words;
  let log: { readonly url?: string; readonly profile: string } | undefined;
  try {
    const parsed = await parseWords(words);
    if (parsed !== undefined) {
      const { command, given } = parsed;
      stopped = command.stopped ?? STOPPED;
      const environment = readEnvironment(process.env);
      const config = await readConfig(given.config ?? environment.config);
      const options = { ...defaults(), ...config.options, ...environment, ...given };
      output = inRehearsal(
        withTypedOptions(createOutput(loudness(options), options.json === true), inAnyFolder(given)),
        given.journal,
      );
      log = options;
      let stopping: string | undefined;
      stopper.signal.addEventListener("abort", () => output.remark(stopping ?? command.stopping ?? WRITING_ENDS));
      const { arguments: typed } = parsed;
      const read = command.positional?.areArchives === true ? await withAddresses(typed) : typed;
      secret = [...words, ...read];
      exit = await command.run({
        output,
        signal: stopper.signal,
        sayAtStop: (text) => (stopping = text),
        options,
        typed: given,
        arguments: read,
        asTyped: typed,
        tables: withFlags(config.tables, options.sport ?? [], options.activity ?? []),
        notify: config.notify,
        environment: process.env,
        input: process.stdin,
        now: Date.now,
        sleep: systemClock.sleep,
      });
    }
  } catch (error) {
    const hidden = (text: string) => hideAddresses(text, secret);
    exit = await explainError(error, { output, signal: stopper.signal, stopped, hidden, log });
  } finally {
    output.endProgress();
    // After a stop, a second Ctrl-C may come until the very end. It must find its handler, so that the exit code is right.
    if (!stopper.signal.aborted) stopper.dispose();
  }
  return stopper.signal.aborted && exit === "stopped" ? EXIT_CODES.killed.code : EXIT_CODES[exit].code;
}

/** The message at the end of a command that Ctrl-C stopped. */
const STOPPED = "Stopped before anything was changed.";

/** A command line that failed. */
interface Failed {
  readonly output: Output;
  readonly signal: AbortSignal;
  /** The message after a stop. */
  readonly stopped: string;
  /** Hides the secrets of a typed address. Many messages repeat the word that a person typed. */
  readonly hidden: (text: string) => string;
  /** The address of the log where one was given, and the profile of its login. */
  readonly log: { readonly url?: string; readonly profile: string } | undefined;
}

/** The address for the command that logs in again: the one that was given, or that of the stored login. */
async function addressOf({ log }: Failed): Promise<string | undefined> {
  if (log === undefined || log.url !== undefined) return log?.url;
  const { credentialsPath, readLogin } = await import("./login/credentials.ts");
  return (await readLogin(credentialsPath(log.profile)).catch(() => undefined))?.url;
}

/** Prints the error and chooses the exit code. A bug of ours keeps its stack, so that a person can report it. */
async function explainError(error: unknown, failed: Failed): Promise<ExitName> {
  const { output, signal, stopped, hidden } = failed;
  output.endProgress();
  if (isStop(error, signal)) {
    output.conclude(stopped);
    return "stopped";
  }
  const problem = describeError(error, isLoginNeeded(error) ? await addressOf(failed) : undefined);
  if (problem === undefined) {
    output.warn(...bugLines(error).map(hidden));
    return "bug";
  }
  output.warn(...[problem.message, ...problem.more].map(hidden));
  return problem.exit;
}

/**
 * Two signals closer together than this count as one. A terminal sends Ctrl-C to every process of the job. npm, npx and `bin/` (which may
 * have started us) pass it on a second time.
 */
const SAME_SIGNAL_MS = 300;

/** The first Ctrl-C (or SIGTERM, SIGHUP) lets the current work finish. The second ends the process at once, and the journal stays safe. */
function stopOnSignals(): { signal: AbortSignal; dispose(): void } {
  const controller = new AbortController();
  let stoppedAt = 0;
  const stop = () => {
    if (!controller.signal.aborted) {
      stoppedAt = performance.now();
      controller.abort();
    } else if (performance.now() - stoppedAt > SAME_SIGNAL_MS) {
      process.exit(EXIT_CODES.killed.code);
    }
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const name of signals) process.on(name, stop);
  return {
    signal: controller.signal,
    dispose() {
      for (const name of signals) process.off(name, stop);
    },
  };
}

function loudness(options: { readonly quiet?: boolean; readonly verbose?: boolean }): Loudness {
  if (options.quiet === true) return "quiet";
  return options.verbose === true ? "verbose" : "normal";
}
