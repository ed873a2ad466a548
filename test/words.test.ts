import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { COMMON_OPTIONS, optionOf } from "../cli/arguments/command.ts";
import { loadCommands } from "../cli/commands/index.ts";

const COMMANDS = await loadCommands();

// Plain words: a sentence that has to be read twice is rewritten. Pages and help have a limit for the length of a sentence. Some turns of
// phrase stand nowhere, neither on a page nor in a message nor in a comment.

const ROOT = join(import.meta.dirname, "..");
const MOST_WORDS = 30;

/** Phrases that have a plainer form. */
const PHRASES: readonly { readonly phrase: RegExp; readonly plain: string }[] = [
  { phrase: /\b(?:be|is|are|was|were|been) gone on with\b|\bgone on with\b/i, plain: "resumed" },
  { phrase: /\bledger balances\b/i, plain: "all records are accounted for" },
  { phrase: /\bno other than\b/i, plain: "the same as" },
  { phrase: /\bnone that\b/i, plain: "no ... that, or: without" },
  { phrase: /\brais\w* the alarm\b|\balarm is raised\b/i, plain: "warn you" },
  { phrase: /\bstays? without\b/i, plain: "is missed" },
  { phrase: /\beverybody is looked at\b/i, plain: "all athletes are checked" },
  { phrase: /\bwhere it lacks\b/i, plain: "without" },
  { phrase: /\bwhat isn't\b/i, plain: "a noun" },
  { phrase: /\b(?:is|was|were) to be done\b/i, plain: "nothing to do" },
  { phrase: /\bby way of\b/i, plain: "through, in" },
  { phrase: /\bthat which\b/i, plain: "a noun" },
  { phrase: /\bone's trouble\b/i, plain: "a problem of one athlete" },
];

/** Connectors use the words of their platform. */
const PLATFORMS = "connectors/platforms/";
const FOLDERS = ["bin", "cli", "connectors", "pipelines", "transforms", "service", "docs", "fixtures/demo", "test"];

describe("sentences", () => {
  const pages = [
    "README.md",
    "CONTRIBUTING.md",
    ...filesUnder("docs").filter((path) => /^docs\/[^/]+\.md$/.test(path)),
    ...filesUnder("connectors").filter((path) => path.endsWith("/README.md")),
  ];

  test.each(pages)(`of %s have at most ${MOST_WORDS} words`, (page) => {
    const text = read(page);
    const long = longIn(sentencesOf(withoutTables(text)));
    expect(
      long.map((sentence) => `${page}:${lineOf(text, sentence)} ${sentence}`),
      "split these",
    ).toEqual([]);
  });

  test.each(COMMANDS)(`of $name --help have at most ${MOST_WORDS} words`, (command) => {
    expect(longIn(helpOf(command).flatMap(sentencesOf)), "split these").toEqual([]);
  });

  test("that are too long are told with their line", () => {
    const page = `# A page\n\nShort. Use \`a b\` of [the list](x.md) ${"on ".repeat(15)}\nand ${"on ".repeat(20)}on.\n`;
    const [long = ""] = longIn(sentencesOf(page));
    expect(long).toMatch(/^Use code of \[the list\] on on/);
    expect(lineOf(page, long)).toBe(3);
  });

  test("are told apart by their ends, and a code or a link is a word of its own", () => {
    expect(
      sentencesOf("One `a b c` [d e](f.md). logferry says two! (Three?) Four e.g. five.\n\n- six\n- seven"),
    ).toEqual(["One code [d e].", "logferry says two!", "(Three?)", "Four e.g. five.", "six", "seven"]);
  });
});

describe("plain words", () => {
  const files = [
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    ...FOLDERS.flatMap(filesUnder).filter(
      (path) => /\.(?:ts|js|md)$/.test(path) && !path.startsWith(PLATFORMS) && path !== "test/words.test.ts",
    ),
  ];
  const lines = files.flatMap((path) =>
    read(path)
      .split("\n")
      .map((line, at) => [`${path}:${at + 1}`, line] as const),
  );

  test.each(PHRASES)("instead of $phrase: $plain", ({ phrase }) => {
    expect(lines.filter(([, line]) => phrase.test(line)).map(([place, line]) => `${place} ${line.trim()}`)).toEqual([]);
  });
});

/** The sentences with too many words. */
function longIn(sentences: readonly string[]): string[] {
  return sentences.filter((sentence) => wordsOf(sentence).length > MOST_WORDS);
}

/** The line of a page on which a sentence begins: its codes and links are written out there. */
function lineOf(page: string, sentence: string): number {
  const words = sentence.split(" ").slice(0, 8);
  const pattern = words
    .map((word) => word.replaceAll(/[^\p{L}\p{N}]/gu, "\\$&"))
    .join("\\s+")
    .replaceAll("code", "(?:code|`[^`]*`)")
    .replaceAll("\\]", "\\]\\([^)]*\\)");
  return page.slice(0, Math.max(0, page.search(new RegExp(pattern)))).split("\n").length;
}

/** The sentences of a command's help: its paragraphs, and the meaning of each option. */
function helpOf(command: (typeof COMMANDS)[number]): string[] {
  const options = [...command.options, ...COMMON_OPTIONS].map((name) => optionOf(command, name).help);
  return [command.summary, ...command.details, ...options, ...command.examples.map(({ does }) => does)];
}

/** Sentences of Markdown, with a code as one word and a link as its words. A semicolon does not end a sentence: write two sentences. */
function sentencesOf(markdown: string): string[] {
  const blocks = markdown.replaceAll(/^```[\s\S]*?^```/gm, "").split(/\n\s*\n|\n(?=\s*(?:[-*#]|\d+\.)\s)|\n(?=\|)|\|/);
  return blocks
    .flatMap((block) =>
      block
        .replaceAll(/`[^`]*`/g, "code")
        .replaceAll(/\]\([^)]*\)/g, "]")
        .replaceAll(/\s+/g, " ")
        .trim()
        .replace(/^(?:[-*#]+|\d+\.) /, "")
        .split(/(?<=[.!?:][")*\]]*) (?=["(*[]*(?:[A-Z]|logferry\b|code\b))/),
    )
    .filter((sentence) => sentence !== "");
}

/** The words of a sentence. Codes do not count: a list of members is looked up, not read aloud. */
function wordsOf(sentence: string): string[] {
  return sentence.split(" ").filter((word) => !/^\W*code\W*$/.test(word));
}

/** A page without its generated tables. The checks of their content are elsewhere. */
function withoutTables(markdown: string): string {
  return markdown.replaceAll(/<!-- ([a-z ]+): generated -->[\s\S]*?<!-- \1: end -->/g, "");
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

function filesUnder(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .toSorted();
}
