/**
 * The command line without a process of its own, for tests that need many runs. The commands use the same HTTP and the same files, and their output
 * is kept instead of printed. Signals, exit and the environment are tested with real processes.
 */
import { join } from "node:path";
import { withFlags } from "../../cli/arguments/activity-tables.ts";
import { readConfig } from "../../cli/arguments/config.ts";
import { defaults } from "../../cli/arguments/options.ts";
import { EXIT_CODES, exitOf, UsageError } from "../../cli/errors/exit-codes.ts";
import { parseWords } from "../../cli/parser.ts";
import { createOutput } from "../../cli/terminal/output.ts";
import { type Clock, systemClock } from "../../connectors/api/clock.ts";
import { FatalError, TransferError } from "../../connectors/errors.ts";
import type { Ran, Rehearsal } from "./rehearsal.ts";

/** Runs `logferry WORDS` for the user of a rehearsal, in this process. @throws what is a bug of ours */
export async function runHere(
  rehearsal: Pick<Rehearsal, "service" | "token" | "folder">,
  words: readonly string[],
  {
    token = rehearsal.token,
    journal = join(rehearsal.folder, "journal.db"),
    clock = { now: Date.now, sleep: systemClock.sleep } as Pick<Clock, "now" | "sleep">,
    signal = new AbortController().signal,
    environment = {} as Readonly<Record<string, string>>,
    input = process.stdin as NodeJS.ReadableStream,
    /** Hears each piece of standard output. */
    onOut = (_text: string): void => undefined,
    /** The clock of the progress lines. */
    outputNow = undefined as (() => number) | undefined,
  } = {},
): Promise<Ran> {
  let out = "";
  let err = "";
  const write = (text: string) => {
    out += text;
    onOut(text);
  };
  const streams = { out: { write }, err: { write: (text: string) => (err += text) } };
  const parsed = await parseWords([...words]);
  if (parsed === undefined) throw new RangeError(`no command: ${words.join(" ")}`);
  const { command, given } = parsed;
  const config = await readConfig(given.config);
  const options = { ...defaults(), url: rehearsal.service.url, journal, rate: 0, ...config.options, ...given };
  const output = createOutput(options.quiet === true ? "quiet" : "normal", options.json === true, streams, outputNow);
  const ended = (code: number): Ran => ({ code, signal: null, out, err });
  try {
    const exit = await command.run({
      output,
      signal,
      options,
      typed: given,
      arguments: parsed.arguments,
      tables: withFlags(config.tables, options.sport ?? [], options.activity ?? []),
      notify: config.notify,
      environment: { LOGFERRY_TOKEN: token, ...environment },
      input,
      now: clock.now,
      sleep: clock.sleep,
    });
    return ended(EXIT_CODES[exit].code);
  } catch (error) {
    if (!(error instanceof TransferError || error instanceof UsageError || error instanceof FatalError)) throw error;
    output.warn(error.message);
    return ended(EXIT_CODES[exitOf(error)].code);
  }
}
