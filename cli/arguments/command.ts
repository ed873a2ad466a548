/**
 * A command is a value: its words for the help and the docs, the options it takes, and what it does. `main.ts` does the rest.
 */

import type { ExitName } from "../errors/exit-codes.ts";
import type { Output } from "../terminal/output.ts";
import type { ActivityTables } from "./config.ts";
import type { NotifySettings } from "./notify-settings.ts";
import { OPTIONS, type OptionName, type OptionSpec, type OptionValues } from "./options.ts";

/** What every command may use. */
export interface CommandContext {
  readonly output: Output;
  /** Aborted by the first Ctrl-C or SIGTERM: finish what is under way, leave a resumable journal. */
  readonly signal: AbortSignal;
  readonly options: OptionValues & { readonly profile: string };
  /** The words after the command. */
  readonly arguments: readonly string[];
  readonly tables: ActivityTables;
  /** Who is told how backups go. */
  readonly notify: NotifySettings;
  /** Of the options, those that stand on the command line: the others come from the environment, the config file and the defaults. */
  readonly typed?: OptionValues;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Standard input, for a token. */
  readonly input: NodeJS.ReadableStream;
  readonly now: () => number;
  /** Settles after so many milliseconds; rejects as soon as the signal is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** A table for the help and the docs page: a word, as it is typed, and what it means. */
export interface WordTable {
  readonly title: string;
  readonly rows: readonly (readonly [word: string, meaning: string])[];
}

/** One word a person types. */
export interface Command {
  readonly name: string;
  /** One line, for the list of commands. */
  readonly summary: string;
  /** What a person should know, for `--help` and the docs page. Paragraphs. */
  readonly details: readonly string[];
  /** What may follow the command: `SOURCE...`. Undefined when nothing may. */
  readonly positional?: {
    readonly name: string;
    readonly help: string;
    readonly atLeast: number;
    readonly atMost?: number;
  };
  readonly options: readonly OptionName[];
  /** Options that mean something of their own here: what stands in the help in the place of the table's words. */
  readonly says?: Readonly<Partial<Record<OptionName, { readonly metavar?: string; readonly help: string }>>>;
  readonly examples: readonly { readonly line: string; readonly does: string }[];
  /** Words with their meanings, too many for a paragraph. */
  readonly tables?: readonly WordTable[];
  /** Said at the first Ctrl-C, instead of what is usually said. */
  readonly stopping?: string;
  /** Said in the end where it was stopped before it had anything of its own to say, instead of what is usually said. */
  readonly stopped?: string;
  run(context: CommandContext): Promise<ExitName>;
}

/** Options every command takes. */
export const COMMON_OPTIONS: readonly OptionName[] = ["config", "profile", "json", "quiet", "verbose"];

/** An option as a command takes it. */
export function optionOf(command: Pick<Command, "says">, name: OptionName): OptionSpec {
  return { ...OPTIONS[name], ...command.says?.[name] };
}
