/**
 * Turns the words of a command line into a command with its options and arguments. It runs nothing, and it is the only file that uses
 * yargs.
 */

import yargs from "yargs";
import { defined } from "../transforms/model/defined.ts";
import { didYouMean } from "../transforms/text/suggestions.ts";
import { COMMON_OPTIONS, type Command, optionOf, type WordTable } from "./arguments/command.ts";
import {
  checkedValue,
  kebab,
  OPTIONS,
  type OptionName,
  type OptionSpec,
  type OptionValues,
  toVariable,
} from "./arguments/options.ts";
import { COMMAND_NAMES, type LoadedCommand, loadCommands } from "./commands/index.ts";
import { EXIT_CODES, UsageError } from "./errors/exit-codes.ts";
import { asksForHelp, KNOWN_WORDS } from "./overview.ts";
import { packageVersion } from "./system/version.ts";

/** A parsed command line. */
export interface Parsed {
  readonly command: Command;
  /** Only the options from the command line. */
  readonly given: OptionValues;
  /** The words after the command. */
  readonly arguments: readonly string[];
}

/**
 * Parses a command line.
 *
 * @param words without `node` and the script
 * @returns undefined when the words asked for help, the version or completions, which were printed
 * @throws UsageError for wrong words: one line, and a second one that says where to look
 */
export async function parseWords(words: readonly string[]): Promise<Parsed | undefined> {
  let parsed: Parsed | undefined;
  const commands = await commandsIn(words);
  // yargs lays out the help of every command line before it runs the command, so texts are only given to it when they are shown.
  const isShown = asksForHelp(words) || asksForCompletions(words);
  const parser = yargs([...words])
    .scriptName("logferry")
    .detectLocale(false)
    .version(packageVersion())
    .alias("help", "h")
    .strict()
    .demandCommand(1, NO_COMMAND)
    .completion("completion", "print the completion script for your shell")
    .parserConfiguration({
      "boolean-negation": false,
      "parse-positional-numbers": false,
      "strip-aliased": true,
      "strip-dashed": true,
    })
    .wrap(Math.min(100, process.stderr.columns ?? 100))
    .exitProcess(false)
    // Unless this throws, yargs runs the command although its words are wrong.
    .fail((message: string | null, error: Error | undefined) => {
      throw error !== undefined && error.name !== "YError"
        ? error
        : usageError(message ?? error?.message ?? "", words, commands);
    });
  if (isShown) parser.usage(USAGE).epilogue(exitCodeHelp());
  for (const name of COMMON_OPTIONS) parser.option(kebab(name), yargsOption(OPTIONS[name], isShown));

  for (const command of commands) {
    const names = [...command.options, ...COMMON_OPTIONS];
    parser.command({
      command: positionalSyntax(command, words.includes("--")),
      describe: command.summary,
      builder: (args) => {
        if (isShown) {
          args
            .usage(`$0 ${positionalSyntax(command)}\n\n${command.details.join("\n\n")}`)
            .epilogue([...(command.tables ?? []).map(wordTable), examples(command)].join("\n\n"));
        }
        if (command.positional !== undefined) {
          args.positional(command.positional.name, { describe: command.positional.help, type: "string", array: true });
        }
        for (const name of command.options) args.option(kebab(name), yargsOption(optionOf(command, name), isShown));
        return args;
      },
      handler: (args) => {
        parsed = { command, given: givenOptions(args, names), arguments: positionals(command, args) };
      },
    });
  }
  await parser.parseAsync();
  return parsed;
}

/**
 * The commands that the words may mean. If several names appear, one of them may be an option's value. Words without a command's name are wrong,
 * and need none.
 */
function commandsIn(words: readonly string[]): Promise<readonly LoadedCommand[]> {
  return loadCommands(asksForCompletions(words) ? undefined : COMMAND_NAMES.filter((name) => words.includes(name)));
}

/** Whether the shell asks for the words that may come next. */
function asksForCompletions(words: readonly string[]): boolean {
  return words.some((word) => word.startsWith("--get-yargs-completions"));
}

const NO_COMMAND = "Say what to do";

const USAGE =
  "$0 COMMAND\n\nCarries training history into an online training log, checks it, and brings it home again.";

/** Messages of yargs about wrong words, and our messages instead. */
const MESSAGES: readonly {
  readonly theirs: RegExp;
  readonly ours: (found: string, command: Command | undefined, words: readonly string[]) => string;
}[] = [
  { theirs: /^Unknown (?:argument|command)s?: (.+)$/, ours: unknownWords },
  {
    theirs: /^Not enough non-option arguments/,
    // An unknown option takes the source for its value, so the option is the real mistake.
    ours: (_found, command, words) =>
      command === undefined ? NO_COMMAND : (unknownFlag(command, words) ?? noSource(command)),
  },
  {
    theirs: /^Not enough arguments following: (.+)$/,
    ours: (name) => `Cannot use ${dashed(name)}: it needs a value`,
  },
  {
    theirs: /^Invalid values:\s+Argument: (.+)$/,
    ours: (found) =>
      found.replace(/^(\S+), Given: (.+), Choices: (.+)$/, "Cannot use --$1: expected one of $3, found $2"),
  },
];

function inOneLine(message: string): string {
  return message
    .split("\n")
    .map((line) => line.trim())
    .join(" ");
}

function usageError(message: string, words: readonly string[], commands: readonly Command[]): UsageError {
  const command = commands.find(({ name }) => name === words.find((word) => KNOWN_WORDS.includes(word)));
  const known = MESSAGES.find(({ theirs }) => theirs.test(message));
  const found = known?.theirs.exec(message)?.[1] ?? "";
  const says = known === undefined ? inOneLine(message) : known.ours(found, command, words);
  return new UsageError(says, { more: [`Try: logferry ${command === undefined ? "" : `${command.name} `}--help`] });
}

/** yargs lists unknown options and words together. The options are without dashes, and perhaps in camel case. */
function unknownWords(list: string, command: Command | undefined, words: readonly string[]): string {
  const unknown = list.split(", ");
  if (command === undefined) {
    const [first = ""] = unknown;
    return `There is no command ${JSON.stringify(first)}${didYouMean(first, KNOWN_WORDS)}`;
  }
  const flag = words.find((word) => word.startsWith("-") && unknown.includes(camel(flagName(word))));
  if (flag === undefined) {
    return `Cannot ${command.name}: it has no use for ${unknown.map((word) => JSON.stringify(word)).join(" and ")}`;
  }
  return noSuchFlag(command, flag);
}

/** The message about the first unknown long option of a command; undefined if the command has them all. */
function unknownFlag(command: Command, words: readonly string[]): string | undefined {
  const known = [...command.options, ...COMMON_OPTIONS, "help", "version"].flatMap((name) => [
    name,
    kebab(name as OptionName),
  ]);
  const end = words.indexOf("--");
  const flag = words
    .slice(0, end === -1 ? undefined : end)
    .find((word) => word.startsWith("--") && !known.includes(flagName(word)));
  return flag === undefined ? undefined : noSuchFlag(command, flag);
}

function noSuchFlag(command: Command, flag: string): string {
  const instead = SECRET_FLAGS[flagName(flag)];
  if (instead !== undefined) {
    return `Cannot ${command.name}: a secret is never taken from the command line, where other users of the machine and the shell's history can see it. Use ${instead}`;
  }
  const known = [...command.options, ...COMMON_OPTIONS].map(kebab);
  const near = didYouMean(flagName(flag), known, dashed);
  return `Cannot ${command.name}: it has no option ${flag.split("=")[0]}${near}`;
}

/** Flags that logferry leaves out on purpose, and their replacements. */
const SECRET_FLAGS: Readonly<Record<string, string>> = {
  token: "--token-file, or --token-stdin with login",
  "access-token": "--token-file, or --token-stdin with login",
  "client-secret": "login with --client-secret-file, or LOGFERRY_CLIENT_SECRET",
  secret: "login with --client-secret-file, or LOGFERRY_CLIENT_SECRET",
  code: "login --oob, which asks for it",
};

/** `--tokn-file=x` as `tokn-file`. */
function flagName(word: string): string {
  return word.replace(/^-+/, "").split("=")[0] ?? "";
}

function camel(name: string): string {
  return name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function noSource({ name, positional }: Command): string {
  return `Cannot ${name}: say which ${positional?.name} (${positional?.help})`;
}

function dashed(name: string): string {
  return name.length === 1 ? `-${name}` : `--${name}`;
}

/** yargs doesn't count the words after `--` as sources, and would report a missing source. `positionals` counts them instead. */
function positionalSyntax({ name, positional }: Command, hasMoreApart = false): string {
  if (positional === undefined) return name;
  return positional.atLeast > 0 && !hasMoreApart ? `${name} <${positional.name}..>` : `${name} [${positional.name}..]`;
}

function positionals(command: Command, args: { readonly _: readonly unknown[] } & Record<string, unknown>): string[] {
  // yargs puts the words after `--` beside the others: `inspect -- -odd-name.zip`.
  const apart = args._.slice(1).map(String);
  if (command.positional === undefined) {
    if (apart.length > 0) throw new UsageError(`Cannot ${command.name}: it has no use for ${JSON.stringify(apart[0])}`);
    return [];
  }
  const { name, atLeast, atMost } = command.positional;
  const words = [...((args[name] as readonly unknown[] | undefined) ?? []).map(String), ...apart];
  if (words.length < atLeast) throw new UsageError(noSource(command));
  if (atMost !== undefined && words.length > atMost) {
    throw new UsageError(`Cannot ${command.name}: expected at most ${atMost} ${name}, got ${words.length}`);
  }
  return words;
}

/** @param isShown whether its help may be printed: a hidden option takes no time to lay out */
function yargsOption(spec: OptionSpec, isShown: boolean) {
  return {
    hidden: !isShown,
    describe: spec.default === undefined ? spec.help : `${spec.help} [default: ${spec.default}]`,
    type: spec.type === "strings" ? ("array" as const) : spec.type,
    ...(spec.type === "strings" && { string: true, nargs: 1 }),
    ...defined({ alias: spec.alias, choices: spec.choices }),
    ...(spec.type !== "boolean" && spec.type !== "strings" && { requiresArg: true }),
  };
}

function givenOptions(args: Record<string, unknown>, names: readonly OptionName[]): OptionValues {
  const values: Record<string, unknown> = {};
  for (const name of names) {
    const value = args[name];
    if (value === undefined) continue;
    if (Array.isArray(value) && OPTIONS[name].type !== "strings")
      throw new UsageError(`Cannot use --${kebab(name)} twice`);
    values[name] = checkedValue(name, value, (message) => {
      throw new UsageError(`Cannot use --${kebab(name)}: ${message}`);
    });
    const { secret }: OptionSpec = OPTIONS[name];
    if (secret?.test(String(value)) === true) {
      throw new UsageError(
        `Cannot use --${kebab(name)}: it holds a password, and other users of this machine can read command lines. Set ${toVariable(name)}, or ${kebab(name)} in the config file`,
      );
    }
  }
  return values as OptionValues;
}

/** Each word on a line, with its meaning below it. */
function wordTable({ title, rows }: WordTable): string {
  return [`${title}:`, ...rows.flatMap(([word, meaning]) => [`  ${word}`, `      ${meaning}`])].join("\n");
}

/** Each example on a line of its own. In the columns of yargs a long one would be broken, and could not be copied. */
function examples(command: Command): string {
  return ["Examples:", ...command.examples.flatMap(({ line, does }) => [`  # ${does}`, `  ${line}`])].join("\n");
}

function exitCodeHelp(): string {
  const codes = Object.values(EXIT_CODES).map(({ code, meaning }) => `  ${String(code).padStart(3)}  ${meaning}`);
  return `Exit codes:\n${codes.join("\n")}`;
}
