/** The list of all commands: `logferry --help`. It needs none of them, nor the parser, so it is there at once. */
import { wrap } from "../transforms/text/wrap.ts";
import { COMMON_OPTIONS } from "./arguments/command.ts";
import { kebab, OPTIONS, type OptionSpec } from "./arguments/options.ts";
import { COMMAND_GROUPS, COMMAND_NAMES } from "./commands/index.ts";
import { EXIT_CODES } from "./errors/exit-codes.ts";

/** The widest the text becomes, in characters. */
const WIDEST = 100;

/** A word and what it means. */
type Row = readonly [word: string, meaning: string];

const COMPLETION: Row = ["completion", "print the completion script for your shell"];

/** Words that are a command, or take the place of one. */
export const KNOWN_WORDS: readonly string[] = [...COMMAND_NAMES, COMPLETION[0]];

/** Whether a word asks for help: `--help`, or `-h` alone or among other letters. */
export function asksForHelp(words: readonly string[]): boolean {
  return words.some((word) => word.startsWith("--help") || /^-[a-z]*h/i.test(word));
}

/** Whether the words ask for the list of all commands. */
export function asksForOverview(words: readonly string[]): boolean {
  return asksForHelp(words) && !words.some((word) => KNOWN_WORDS.includes(word) || word.startsWith("--get-yargs-"));
}

/** The list. @param columns the width of the terminal, in characters */
export function overview(columns = WIDEST): string {
  const width = Math.min(WIDEST, columns);
  const commands = COMMAND_GROUPS.map(([title, listed]): [string, Row[]] => [
    title,
    listed.map(({ name, summary }) => [name, summary]),
  ]);
  const options: Row[] = [
    ["-h, --help", "this list; after a command, all about it"],
    ["    --version", "the version"],
    ...COMMON_OPTIONS.map((name): Row => {
      const { alias, help, default: usual }: OptionSpec = OPTIONS[name];
      const flag = `${alias === undefined ? "    " : `-${alias}, `}--${kebab(name)}`;
      return [flag, usual === undefined ? help : `${help} [default: ${usual}]`];
    }),
  ];
  const codes = Object.values(EXIT_CODES).map(({ code, meaning }): Row => [String(code).padStart(3), meaning]);
  const tables: (readonly [string, readonly Row[]])[] = [
    ...commands,
    ["Your shell", [COMPLETION]],
    ["Options of every command", options],
    ["Exit codes", codes],
  ];
  const first = Math.max(...tables.slice(0, -1).flatMap(([, rows]) => rows.map(([word]) => word.length)));
  return [
    "logferry COMMAND",
    "",
    "Carries training history into an online training log, checks it, and brings it home again.",
    "New here? Type logferry alone, and it asks what you want to do.",
    "See everything in a private log first: logferry rehearse SOURCE",
    "All about a command: logferry COMMAND --help",
    ...tables.flatMap(([title, rows]) => {
      const column = rows[0]?.[0].length === 3 ? 3 : first;
      return ["", `${title}:`, ...rows.flatMap((row) => inColumns(row, column, width))];
    }),
  ]
    .flatMap((line) => (line.startsWith(" ") ? [line] : wrap(line, width)))
    .join("\n");
}

/** A row in two columns. A long meaning goes on in lines below itself. */
function inColumns([word, meaning]: Row, first: number, width: number): readonly string[] {
  const indent = first + 4;
  return wrap(meaning, Math.max(20, width - indent)).map(
    (line, index) => `  ${(index === 0 ? word : "").padEnd(first)}  ${line}`,
  );
}
