/**
 * The law of printed commands: every command that a message, a page or an advice of the code prints is one that the parser takes, once its placeholders
 * have values. `docs.test.ts` holds the pages of the docs to it.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { OPTIONS, type OptionName } from "../cli/arguments/options.ts";
import { loadCommands } from "../cli/commands/index.ts";
import { parseWords } from "../cli/parser.ts";

const ROOT = join(import.meta.dirname, "..");
const FOLDERS = ["cli", "connectors", "pipelines", "service", "transforms"];
const COMMANDS = await loadCommands();
const NAMES: ReadonlySet<string> = new Set(COMMANDS.map(({ name }) => name));

/** Words that follow a command and choose what it does. */
const SUBCOMMANDS = new Set("retry fix drop take-back review infer show move init status report".split(" "));

/** What stands for each placeholder. */
const VALUES: Readonly<Record<string, string>> = {
  ID: "5f3a2c",
  LOGID: "17",
  PAIR: "5f3a2c+9b1d00",
  DAY: "2024-05-01",
  N: "3",
  RUN: "2",
  SNAPSHOT: "ab12cd34",
  NUMBER: "10",
  ACTIVITY: "run",
  FIELD: "distance",
  VALUE: "5",
};

/** A value for what the code fills in, tried one after the other: the law is about the words of a command. */
const FILLED = [
  "5",
  "a.zip",
  "2024-05-01",
  "run=run",
  "run=10",
  "a=b",
  "22:00-06:00",
  "30 2 * * *",
  "Europe/Vienna",
  "5f3a2c=17",
  "one",
  "",
];

const HOLE = "\u0001";

/** The text of a file without comments, with what the code fills in as one character. */
function textOf(path: string): string {
  const lines = readFileSync(join(ROOT, path), "utf8").split("\n");
  const printed = lines.filter((line) => !/^\s*(?:\*|\/\*|\/\/)/.test(line)).join("\n");
  // Twice, for what is filled into what is filled in.
  const holes = (text: string) => text.replaceAll(/\$\{[^{}]*\}/g, HOLE);
  return holes(holes(printed)).replaceAll('\\"', '"');
}

/** The words of a command, from behind its name on: until a word is one of the sentence. */
function wordsFrom(text: string): string[] {
  const words: string[] = [];
  let isValue = false;
  for (let rest = text; ; ) {
    const [whole = "", quoted, plain = ""] =
      /^ (?:'([^'\n]{1,60})'|("[^"\n]{1,60}"(?=[ .,)"'`]|$)|[^\s"'`<;)(]+(?:="[^"\n]{1,60}"(?=[ .,)"'`]|$))?))/.exec(
        rest,
      ) ?? [];
    if (whole === "") return words;
    const word = quoted ?? plain.replace(/[.,:]+$/, "").replaceAll('"', "");
    const isEnd = quoted === undefined && /[.,:]$/.test(plain);
    const isOption = /^--[a-z]/.test(word);
    if (!isValue && !isOption && !isArgument(word)) return words;
    words.push(word);
    isValue = isOption && takesValue(word);
    if (isEnd) return words;
    rest = rest.slice(whole.length);
  }
}

/** Whether a word behind a command belongs to it: a subcommand, a placeholder, a place or a value that the code fills in. */
function isArgument(word: string): boolean {
  return (
    SUBCOMMANDS.has(word) ||
    word.includes(HOLE) ||
    /^@?[A-Z]+$/.test(word) ||
    /^(?:\.\/)?[a-z]+\/[a-z-]+$/.test(word) ||
    /^[\w-]+\.(?:zip|csv|json|html|map\.yaml)$/.test(word)
  );
}

function takesValue(option: string): boolean {
  const name = option.slice(2).replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return !option.includes("=") && Object.hasOwn(OPTIONS, name) && OPTIONS[name as OptionName].type !== "boolean";
}

/** All commands that the code prints, each with the files that print it. */
function printedCommands(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const folder of FOLDERS)
    for (const name of readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })) {
      const path = join(folder, name);
      if (!name.endsWith(".ts") || name.endsWith(".test.ts") || path.startsWith("service/test/")) continue;
      const text = textOf(path);
      for (const { index, 0: start, 1: command = "" } of text.matchAll(
        /\blogferry ([a-z][a-z-]*)(?=[ "'`.,:;)<\n]|$)/g,
      )) {
        if (!NAMES.has(command) || text.startsWith(" --help", index + start.length)) continue;
        found.set(
          [command, ...wordsFrom(text.slice(index + start.length, index + start.length + 400))].join("\t"),
          path,
        );
      }
    }
  return found;
}

/** The words with values in place of the placeholders. */
function withValues(words: readonly string[], filled: string): string[] {
  const all = words.map((word) =>
    word.replaceAll(HOLE, filled).replaceAll(/\b[A-Z]+\b/g, (name) => VALUES[name] ?? name.toLowerCase()),
  );
  // What the code fills in may be nothing.
  return all.filter((word) => word !== "");
}

/** Why the parser refuses a command; undefined when it takes it with one of the values. */
async function refusalOf(words: readonly string[]): Promise<string | undefined> {
  let refusal: string | undefined;
  const command = COMMANDS.find(({ name }) => name === words[0]);
  // A sentence may name a command alone, without the words that must follow it.
  const isAlone = command?.positional !== undefined && words.slice(1).every((word) => word.startsWith("-"));
  for (const filled of words.some((word) => word.includes(HOLE)) ? FILLED : [""]) {
    try {
      await parseWords([
        ...withValues(words, filled),
        ...(isAlone ? Array(command?.positional?.atLeast ?? 1).fill("a.zip") : []),
      ]);
      return undefined;
    } catch (error) {
      refusal ??= error instanceof Error ? error.message : String(error);
    }
  }
  return refusal;
}

test("every command that a message, a page or an advice prints is one that the parser takes", async () => {
  const all = printedCommands();
  expect(all.size).toBeGreaterThan(100);
  const refused: string[] = [];
  for (const [line, path] of all) {
    const why = await refusalOf(line.split("\t"));
    if (why !== undefined)
      refused.push(`${path}: logferry ${line.replaceAll("\t", " ").replaceAll(HOLE, "…")}: ${why}`);
  }
  expect(refused).toEqual([]);
});

test.each([
  ["--sort of", "import SOURCE --sort date"],
  ["an option of another command", "quarantine fix ID --map FILE --zone"],
  ["a value that no option takes", "import SOURCE --accept spam"],
])("the law finds %s", async (_, line) => {
  expect(await refusalOf(line.split(" "))).toBeDefined();
});
