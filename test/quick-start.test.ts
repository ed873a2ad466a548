import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";

// What a command line loads before its first line. Loading takes most of that time, about 1 ms a module.

const ROOT = join(import.meta.dirname, "..");

/** Reads what a file of ours loads with itself: its imports of values, not those behind `import()`. @returns our files, and names of packages */
function loadedWith(file: string): string[] {
  const text = readFileSync(join(ROOT, file), "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
  const names = text.matchAll(/^(?:import|export) (?!type )(?:[^;"]*? from )?"([^"]+)";/gm);
  return [...names].map(([, name = ""]) =>
    name.startsWith(".") ? relative(ROOT, join(ROOT, dirname(file), name)) : name,
  );
}

/** Everything that comes along with a file, itself included. */
function closure(file: string): Set<string> {
  const found = new Set([file]);
  for (const each of found) if (existsSync(join(ROOT, each))) for (const next of loadedWith(each)) found.add(next);
  return found;
}

/** Everything that any command line needs. */
const words = closure("cli/run-words.ts");

const commands = readdirSync(join(ROOT, "cli/commands"))
  .filter((name) => name !== "index.ts")
  .map((name) => `cli/commands/${name}`);

/** The most that the texts of a command load besides: lists of options, and tables that stand in the help. */
const MOST_WITH_TEXTS = 4;

test.each(commands)("%s has texts only, and its work is loaded when it runs", (file) => {
  const loaded = [...closure(file)].filter((name) => !words.has(name));
  expect(loaded.filter((name) => /^(cli\/(actions|session|printing)|pipelines)\//.test(name))).toEqual([]);
  expect(loaded.length, loaded.join(" ")).toBeLessThanOrEqual(MOST_WITH_TEXTS);
  expect(existsSync(join(ROOT, file.replace("/commands/", "/actions/"))), "an action of the same name").toBe(true);
});

test("what every command line needs, and status, which people type most, load few files and no heavy package", () => {
  const status = new Set([...words, ...closure("cli/actions/status.ts")]);
  const packages = [...status].filter((name) => !existsSync(join(ROOT, name)) && !name.startsWith("node:"));
  expect(packages.toSorted()).toEqual(["@photostructure/tz-lookup", "croner", "env-paths", "yargs"]);
  expect(words.size).toBeLessThanOrEqual(60);
  expect(status.size).toBeLessThanOrEqual(180);
});

test.each(["backup", "check", "diff", "export", "forget", "snapshots", "verify", "whoami"])(
  "logferry %s reads no source, so it loads none of the platforms",
  (name) => {
    const loaded = [...closure(`cli/actions/${name}.ts`)];
    expect(loaded.filter((file) => /^connectors\/platforms\//.test(file))).toEqual([]);
  },
);
