import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { canBePasted, shellWord, sportSetting } from "./shell.ts";

const folder = temporaryFolder("file");

const WORDS = [
  "run",
  "Nordic Walking",
  "$(touch made)",
  "`touch made`",
  "'; touch made; '",
  '"; touch made; "',
  "a'b''c",
  "\\",
  "!!",
  "~",
  "=run",
  "* ?",
  "a;touch made&",
  "$IFS",
  "Läufe 東京",
  "",
];

test.each(["sh", "bash"])("%s reads a pasted word back to the letter, and runs nothing", (shell) => {
  for (const word of WORDS) {
    const out = execFileSync(shell, ["-c", `printf %s ${shellWord(word)}`], { cwd: folder, encoding: "utf8" });
    expect(out).toBe(word);
  }
  expect(readdirSync(folder)).toEqual([]);
});

test("a word with nothing special stays bare", () => {
  expect(shellWord("https://log.example/ana")).toBe("https://log.example/ana");
});

test("a name that no line can hold is sent to the config file instead of a command", () => {
  for (const name of ["a\nb", "\u001b[2J", "x".repeat(200)]) {
    expect(canBePasted(name)).toBe(false);
    expect(sportSetting(name)).toBe('"sports" in the config file');
  }
});
