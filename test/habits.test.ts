import { globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { loadCommands } from "../cli/commands/index.ts";
import { ROOT } from "./support/rehearsal.ts";
import { IN_BOTH, LONG } from "./support/tiers.ts";

const COMMANDS = await loadCommands();

const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const FORMS = ".github/ISSUE_TEMPLATE";

test("editors that don't run the formatter are told the same as it is", () => {
  const { formatter } = JSON.parse(read("biome.json"));
  const lines = read(".editorconfig").split("\n");
  expect(lines).toContain(`indent_style = ${formatter.indentStyle}`);
  expect(lines).toContain(`indent_size = ${formatter.indentWidth}`);
  expect(lines).toContain(`max_line_length = ${formatter.lineWidth}`);
});

test("a file with tests or rows of the long tier is listed with what the first tier has, and nothing else is", () => {
  const files = globSync("**/*.test.ts", { cwd: ROOT, exclude: ["node_modules", "dist"] });
  const using = files.filter(
    (file) => file !== "test/habits.test.ts" && /\/(?:tiers|tier-tests)\.ts"/.test(read(file)),
  );
  expect(using.filter((file) => !(file in LONG))).toEqual([]);
  expect(Object.keys(LONG).filter((file) => !files.includes(file))).toEqual([]);
  // These have their rows in the files that they load.
  const byTables = /^test\/matrix\/|^connectors\/platforms\/connectors\.test/;
  expect(Object.keys(IN_BOTH).filter((file) => !using.includes(file) && !byTables.test(file))).toEqual([]);
});

test("forms for reports are well formed, and name commands that exist", () => {
  for (const name of readdirSync(join(ROOT, FORMS)).filter((each) => each !== "config.yml")) {
    const { body, description } = parse(read(`${FORMS}/${name}`));
    expect(description).toBeTypeOf("string");
    const ids = body.flatMap(({ id }: { id?: string }) => id ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, word] of read(`${FORMS}/${name}`).matchAll(/`logferry ([a-z]+)/g))
      expect(COMMANDS.map((command) => command.name)).toContain(word);
  }
});

test("whoever reports an archive is asked for its structure, and not for the archive", () => {
  const form = read(`${FORMS}/archive-not-read.yml`);
  expect(form).toContain("logferry inspect ARCHIVE --anonymise --out structure.txt");
  expect(form).toContain("docs/my-archive-isnt-read.md");
});

test("the development container has the Node that logferry asks for", () => {
  const { image, postCreateCommand } = JSON.parse(read(".devcontainer/devcontainer.json"));
  const { engines } = JSON.parse(read("package.json"));
  expect(image.split(":").at(-1)).toBe(engines.node.replace(">=", ""));
  expect(postCreateCommand).toBe("npm ci");
});
