import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { COMMON_OPTIONS, optionOf } from "../cli/arguments/command.ts";
import { kebab, OPTIONS, type OptionSpec, toVariable } from "../cli/arguments/options.ts";
import { loadCommands } from "../cli/commands/index.ts";
import { EXIT_CODES } from "../cli/errors/exit-codes.ts";
import { parseWords } from "../cli/parser.ts";
import { JSON_TYPES } from "../cli/terminal/output.ts";
import { CONNECTORS } from "../connectors/registry.ts";
import { derivedFiles } from "../docs/generate.ts";
import { emptyHome, runCli } from "./support/cli.ts";
import type { Ran } from "./support/rehearsal.ts";

const COMMANDS = await loadCommands();

const ROOT = join(import.meta.dirname, "..");
const README = read("README.md");

function read(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

/** One blank in place of several: help is wrapped to the terminal. */
function unwrapped(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}

/** Cells of the rows of a generated table of the README. */
function tableOf(name: string): string[][] {
  const [, after = ""] = README.split(`<!-- ${name}: generated -->\n`);
  return (after.split(`<!-- ${name}: end -->`)[0] ?? "")
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .slice(2)
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

describe("the help of every command", () => {
  const helps = new Map<string, Ran>();
  let overview: Ran;

  beforeAll(async () => {
    using home = emptyHome();
    overview = await runCli(home.path, ["--help"]);
    // A few at a time: each is a process.
    for (let at = 0; at < COMMANDS.length; at += 3) {
      const some = COMMANDS.slice(at, at + 3);
      const ran = await Promise.all(some.map(({ name }) => runCli(home.path, [name, "--help"])));
      for (const [index, { name }] of some.entries()) helps.set(name, ran[index] as Ran);
    }
  });

  test("the overview names every command with its summary, and every exit code", () => {
    expect(overview).toMatchObject({ code: 0, err: "" });
    for (const { name, summary } of COMMANDS) expect(unwrapped(overview.out)).toContain(`${name} ${summary}`);
    for (const { code, meaning } of Object.values(EXIT_CODES))
      expect(unwrapped(overview.out)).toContain(`${code} ${meaning}`);
  });

  test.each(COMMANDS)("$name says what it does, names each of its options, and shows an example", (command) => {
    const help = helps.get(command.name) as Ran;
    expect(help).toMatchObject({ code: 0, err: "" });
    const text = unwrapped(help.out);
    for (const paragraph of command.details) expect(text).toContain(paragraph);
    for (const name of [...command.options, ...COMMON_OPTIONS]) {
      const { help: meaning } = optionOf(command, name);
      expect(text).toContain(`--${kebab(name)} `);
      expect(text).toContain(meaning);
    }
    expect(command.examples.length).toBeGreaterThan(0);
    for (const { line, does } of command.examples) {
      // Shown unchanged, so that it can be copied.
      expect(help.out).toContain(`  ${line}\n`);
      expect(text).toContain(does);
    }
  });
});

describe("pages", () => {
  test("every command has a page, and no page is without its command", () => {
    const pages = readdirSync(join(ROOT, "docs", "commands")).toSorted();
    expect(pages).toEqual(COMMANDS.map(({ name }) => `${name}.md`).toSorted());
  });

  test.each([...derivedFiles()])("%s is as it would be written now (npm run tables writes it)", (path, text) => {
    expect(read(path)).toBe(text);
  });

  test.each(COMMANDS)("the page of $name names each of its options with its variable", (command) => {
    const page = read(`docs/commands/${command.name}.md`);
    for (const name of [...command.options, ...COMMON_OPTIONS]) {
      const spec: OptionSpec = OPTIONS[name];
      expect(page).toContain(`--${kebab(name)}`);
      expect(page.includes(`\`${toVariable(name)}\``)).toBe(spec.flagOnly !== true);
    }
  });

  test("the README's list of exports is the registry, and each has a folder with a README", () => {
    const folders = readdirSync(join(ROOT, "connectors", "platforms"), { withFileTypes: true })
      // The engine reads what the others describe, and infer proposes such a description.
      .filter((entry) => entry.isDirectory() && !["infer", "table"].includes(entry.name))
      .map(({ name }) => name)
      .toSorted();
    expect(CONNECTORS.map(({ name }) => name)).toEqual(folders);
    const listed = [...README.matchAll(/^\[(.+)\]\(connectors\/platforms\/([a-z0-9-]+)\/README\.md\)[,.]$/gm)];
    expect(listed.map(([, title, name]) => [name, title])).toEqual(CONNECTORS.map(({ name, title }) => [name, title]));
  });

  test("the README's exit codes are those of the command line", () => {
    expect(tableOf("exit codes")).toEqual(
      Object.values(EXIT_CODES).map(({ code, meaning }) => [String(code), meaning]),
    );
    // The promise to scripts, written out once more: a code keeps its meaning.
    expect(Object.entries(EXIT_CODES).map(([name, { code }]) => `${name} ${code}`)).toEqual([
      "done 0",
      "bug 1",
      "usage 2",
      "setAside 3",
      "login 4",
      "source 5",
      "service 6",
      "differs 7",
      "locked 8",
      "stopped 75",
      "killed 130",
    ]);
  });

  test("docs/json.md describes every type of JSON line, and no other", () => {
    const described = read("docs/json.md")
      .split("\n")
      .filter((line) => line.startsWith("| `"))
      .flatMap((line) => [...(line.split("|")[1] ?? "").matchAll(/`([a-z-]+)`/g)].map(([, type]) => type));
    expect(described.toSorted()).toEqual([...JSON_TYPES]);
  });

  test("every type of JSON line is printed somewhere, so that none is described for nothing", () => {
    const sources = filesUnder("cli").filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"));
    const text = sources
      .map((path) => read(path).split("export type JsonType")[path.endsWith("output.ts") ? 1 : 0])
      .join("\n");
    for (const type of JSON_TYPES) expect(text, type).toContain(`"${type}"`);
  });
});

describe("commands that the docs name", () => {
  const pages = [
    "README.md",
    "CONTRIBUTING.md",
    ...filesUnder("docs").filter((path) => path.endsWith(".md")),
    ...connectorPages(),
  ];

  test("the README's two commands are scripts of package.json, and what the continuous integration runs", () => {
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    for (const name of ["start", "test"]) {
      expect(README).toContain(`\nnpm ci && npm ${name}\n`);
      expect(scripts[name]).toBeDefined();
    }
    expect(read(".ci/run").split("\n")).toContain("npm ci && npm test");
    const [script] = /node (\S+\.ts)/.exec(scripts.start ?? "")?.slice(1) ?? [];
    expect(existsSync(join(ROOT, script ?? "missing"))).toBe(true);
  });

  test("every npm script that a page names is there", () => {
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    const named = pages.flatMap((page) =>
      [
        ...read(page)
          .replaceAll("\n", " ")
          .matchAll(/npm run ([a-z]+)/g),
      ].map(([, name]) => name ?? ""),
    );
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
  });

  const lines = pages.flatMap((page) =>
    [...codeOf(read(page)).matchAll(/(?:^|[|`] *)(?:npx )?logferry ([a-z][^`#\n|]*)/gm)]
      .map(([, words = ""]) => words.trim())
      .filter((words) => !words.includes("[OPTIONS]"))
      .map((words) => ({ page, words })),
  );

  test("there are such commands in the README", () => {
    expect(lines.filter(({ page }) => page === "README.md").length).toBeGreaterThan(7);
  });

  test.each(lines)("$page: logferry $words", async ({ words }) => {
    const [command = "", ...rest] = shellWords(words);
    if (command === "completion") return;
    // A sentence may name a command alone, without the words that must follow it.
    const named = COMMANDS.find(({ name }) => name === command);
    const needs = named?.positional !== undefined && rest.every((word) => word.startsWith("-")) ? ["SOURCE"] : [];
    expect((await parseWords([command, ...rest, ...needs]))?.command.name).toBe(command);
  });
});

describe("links", () => {
  const pages = [
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    ...filesUnder("docs").filter((path) => path.endsWith(".md")),
    ...connectorPages(),
  ];

  test.each(pages)("every relative link of %s leads to a file", (page) => {
    const links = [...read(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
    const broken = links
      .filter((link) => !/^[a-z]+:/.test(link))
      .filter((link) => !leadsSomewhere(join(dirname(page), link.split("#")[0] ?? ""), link.split("#")[1], page));
    expect(broken).toEqual([]);
  });

  test("every page of docs/ can be reached from the README", () => {
    const reached = new Set<string>();
    const follow = (page: string) => {
      if (reached.has(page) || !page.endsWith(".md") || !existsSync(join(ROOT, page))) return;
      reached.add(page);
      for (const [, link = ""] of read(page).matchAll(/\]\(([^)\s#]+)/g)) {
        if (!/^[a-z]+:/.test(link)) follow(join(dirname(page), link));
      }
    };
    follow("README.md");
    expect(filesUnder("docs").filter((path) => path.endsWith(".md") && !reached.has(path))).toEqual([]);
  });
});

function leadsSomewhere(path: string, anchor: string | undefined, page: string): boolean {
  const target = path === "." || path === dirname(page) ? page : path;
  if (!existsSync(join(ROOT, target))) return false;
  if (anchor === undefined) return true;
  const headings = [...read(target).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
  return headings.includes(anchor);
}

/** The text in fences and between backticks. */
function codeOf(markdown: string): string {
  const fences = [...markdown.matchAll(/^```[a-z]*\n([\s\S]*?)^```/gm)].map(([, code = ""]) => code);
  const inline = [...markdown.replaceAll(/^```[\s\S]*?^```/gm, "").matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);
  return [...fences, ...inline].join("\n");
}

/** Splits words of the docs as a shell does: at blanks, with quotes of either kind. */
function shellWords(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|[^\s"']+(?:"[^"]*")?/g)].map(
    ([word, double, single]) => double ?? single ?? word.replaceAll('"', ""),
  );
}

function connectorPages(): string[] {
  return CONNECTORS.map(({ name }) => join("connectors", "platforms", name, "README.md"));
}

function filesUnder(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .toSorted();
}
