/**
 * Programs of the system, made for a test: a keyring's tool that keeps what it is given in a file, and an opener of browsers. Each writes down the
 * words, variables and input it was started with. So a test can search them for forbidden text.
 */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";

/** A start of a program. */
export interface Started {
  readonly program: string;
  readonly words: readonly string[];
  readonly input: string;
  readonly variables: readonly string[];
  /** The values of all variables, joined. */
  readonly values: string;
}

/** A folder for the PATH, with the notes of its programs. */
export interface FakePrograms {
  /** The PATH with the folder first. */
  readonly path: string;
  /** Every start, in order. */
  started(): readonly Started[];
  /** The keyring's content: entries by name. */
  kept(): Readonly<Record<string, string>>;
  /** From now on the keyring's tools do this instead of their work. */
  behave(how: "well" | "refuse" | "forget"): void;
}

/** Makes the folder of fake programs below a home. */
export function fakePrograms(home: string): FakePrograms {
  const folder = join(home, "fake-programs");
  const [log, kept, how] = ["started.jsonl", "kept.json", "how.txt"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(folder);
  writeFileSync(log, "");
  writeFileSync(kept, "{}");
  writeFileSync(how, "well");
  const make = (program: string, body: string) => {
    const path = join(folder, program);
    writeFileSync(
      path,
      `#!${process.execPath}
const fs = require("node:fs");
const words = process.argv.slice(2);
const input = ${program === "xdg-open" ? '""' : 'words[0] === "store" || words[0] === "-i" ? fs.readFileSync(0, "utf8") : ""'};
fs.appendFileSync(${JSON.stringify(log)}, JSON.stringify({ program: ${JSON.stringify(program)}, words, input,
  variables: Object.keys(process.env), values: Object.values(process.env).join("\\n") }) + "\\n");
const kept = () => JSON.parse(fs.readFileSync(${JSON.stringify(kept)}, "utf8"));
const keep = (all) => fs.writeFileSync(${JSON.stringify(kept)}, JSON.stringify(all));
const how = fs.readFileSync(${JSON.stringify(how)}, "utf8");
const after = (flag, list = words) => list[list.indexOf(flag) + 1];
${body}
`,
    );
    chmodSync(path, 0o755);
  };
  make(
    "secret-tool",
    `if (how === "refuse") { console.error("secret-tool: Cannot get secret of a locked object"); process.exit(1); }
const entry = after("entry");
if (words[0] === "store" && how !== "forget") keep({ ...kept(), [entry]: input });
if (words[0] === "lookup") { const found = kept()[entry]; if (found === undefined) process.exit(1); process.stdout.write(found); }
if (words[0] === "clear") { const { [entry]: gone, ...rest } = kept(); keep(rest); if (gone === undefined) process.exit(1); }`,
  );
  make(
    "security",
    `if (how === "refuse") process.exit(36);
if (words[0] === "-i") {
  const typed = input.match(/"[^"]*"|\\S+/g);
  if (typed[0] === "add-generic-password" && how !== "forget")
    keep({ ...kept(), [after("-a", typed)]: Buffer.from(after("-X", typed), "hex").toString() });
} else {
  const entry = after("-a");
  const { [entry]: found, ...rest } = kept();
  if (found === undefined) process.exit(44);
  if (words[0] === "find-generic-password") console.log(found); else keep(rest);
}`,
  );
  // The browser of somebody who allows the request.
  make(
    "xdg-open",
    `const open = (address) => require("node:http").get(address, (page) => {
  page.resume();
  if (page.headers.location !== undefined) open(page.headers.location);
});
open(words[0]);`,
  );
  return {
    path: `${folder}${delimiter}${process.env.PATH ?? ""}`,
    started: () =>
      readFileSync(log, "utf8")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line)),
    kept: () => (existsSync(kept) ? JSON.parse(readFileSync(kept, "utf8")) : {}),
    behave: (next) => writeFileSync(how, next),
  };
}
