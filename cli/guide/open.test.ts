import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { CLI, emptyHome, startCli } from "../../test/support/cli.ts";

/** Opens the guide in a process of its own, on pipes in place of a terminal. */
function openIn(home: string) {
  const script = join(home, "guide.mjs");
  const guide = JSON.stringify(pathToFileURL(join(import.meta.dirname, "open.ts")).href);
  const lines = [
    `process.argv[1] = ${JSON.stringify(CLI)};`,
    `const { openGuide } = await import(${guide});`,
    "process.exitCode = await openGuide();",
  ];
  writeFileSync(script, lines.join("\n"));
  const { child, ended } = startCli(home, [], { script, leaveOpen: true });
  let shown = "";
  child.stdout?.on("data", (chunk) => (shown += stripVTControlCharacters(String(chunk))));
  /** Waits until a text is shown that was not there at the last wait. */
  const until = async (text: string) => {
    while (!shown.includes(text)) await once(child.stdout as NodeJS.ReadableStream, "data");
    shown = "";
  };
  return { child, ended, until, type: (keys: string) => child.stdin?.write(keys) };
}

test("a command of the guide runs as a process of its own, and its output goes where the shown command says", async () => {
  using home = emptyHome();
  const { ended, until, type } = openIn(home.path);
  const roster = join(home.path, "roster.csv");
  await until("I coach several athletes");
  type("\u001b[B");
  await until("I want a backup");
  type("\u001b[B");
  await until("I coach");
  type("\r");
  await until("Which roster?");
  type(`${roster}\r`);
  const { code, err } = await ended;
  expect([code, err]).toEqual([0, ""]);
  expect(readFileSync(roster, "utf8")).toMatch(/^athlete,screen-name,/);
});

test("a signal at a question ends the guide with 130, and nothing was made", async () => {
  using home = emptyHome();
  const { child, ended, until } = openIn(home.path);
  await until("What do you want to do?");
  child.kill("SIGINT");
  const { code, out } = await ended;
  expect(code).toBe(130);
  expect(out).toContain("Stopped. Type logferry to go on.");
  expect(existsSync(join(home.path, ".local"))).toBe(false);
});
