/**
 * A command is a value: its texts for the help and the docs, its options, and its function, which loads the work from `cli/actions` when it runs.
 * `run-words.ts` does the rest.
 */

import type { ExitName } from "../errors/exit-codes.ts";
import type { Output } from "../terminal/output.ts";
import type { ActivityTables } from "./activity-tables.ts";
import type { NotifySettings } from "./notify-settings.ts";
import { OPTIONS, type OptionName, type OptionSpec, type OptionValues } from "./options.ts";

/** Everything that a command may use. */
export interface CommandContext {
  readonly output: Output;
  /** Aborted by the first Ctrl-C or SIGTERM: finish the current work, and leave a resumable journal. */
  readonly signal: AbortSignal;
  /** Sets the message at the first Ctrl-C for what is under way now; undefined for the command's own. Absent where several things are under way. */
  readonly sayAtStop?: (text: string | undefined) => void;
  /** Is told why logferry waits for the server of an archive. Default a remark of `output`. */
  readonly onWait?: (text: string) => void;
  readonly options: OptionValues & { readonly profile: string };
  /** The words after the command. */
  readonly arguments: readonly string[];
  /** The same words as the person typed them: `@FILE` instead of the address in the file. */
  readonly asTyped?: readonly string[];
  /** What helps when some of the sources can't be read, where they are remembered and nobody typed them: it gets the paths of the others. */
  readonly unreadableRemedy?: (readable: readonly string[]) => string;
  readonly tables: ActivityTables;
  /** The people and programs to tell about backups. */
  readonly notify: NotifySettings;
  /** The options from the command line only. The other options come from the environment, the config file and the defaults. */
  readonly typed?: OptionValues;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Standard input, for a token. */
  readonly input: NodeJS.ReadableStream;
  readonly now: () => number;
  /** Settles after this many milliseconds; rejects as soon as the signal is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** A table for the help and the docs page: words to type, and their meanings. */
export interface WordTable {
  readonly title: string;
  readonly rows: readonly (readonly [word: string, meaning: string])[];
}

/** One word a person types. */
export interface Command {
  readonly name: string;
  /** Paragraphs with everything that a person should know, for `--help` and the docs page. */
  readonly details: readonly string[];
  /** The arguments after the command: `SOURCE...`. Undefined for a command without arguments. */
  readonly positional?: {
    readonly name: string;
    readonly help: string;
    readonly atLeast: number;
    readonly atMost?: number;
    /** True for archives: of a word `@FILE`, the command gets the address in the file. */
    readonly areArchives?: true;
  };
  readonly options: readonly OptionName[];
  /** Options with a special meaning in this command: these texts replace the table's texts in the help. */
  readonly says?: Readonly<Partial<Record<OptionName, { readonly metavar?: string; readonly help: string }>>>;
  readonly examples: readonly { readonly line: string; readonly does: string }[];
  /** Words with their meanings, when there are too many for a paragraph. */
  readonly tables?: readonly WordTable[];
  /** The message at the first Ctrl-C, instead of the usual one. */
  readonly stopping?: string;
  /** The last message when the command was stopped before it had any result, instead of the usual one. */
  readonly stopped?: string;
  run(context: CommandContext): Promise<ExitName>;
}

/** The options of every command. */
export const COMMON_OPTIONS: readonly OptionName[] = ["config", "profile", "json", "quiet", "verbose"];

/** An option with the texts that a command gives it. */
export function optionOf(command: Pick<Command, "says">, name: OptionName): OptionSpec {
  return { ...OPTIONS[name], ...command.says?.[name] };
}
