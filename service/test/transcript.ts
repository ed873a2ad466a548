/**
 * Runs shell lines that call `curl`, as a reader of the docs would. Where curl isn't installed, it understands the lines well enough to
 * send the same requests. It understands only the parts that the docs use: quotes, `$NAME`, and the options below.
 */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { send } from "./client.ts";

/** The folder of the docs' files. Commands run from the repository. */
const ROOT = join(import.meta.dirname, "../..");

/** Values of the shell's variables. */
export type Variables = Readonly<Record<string, string>>;

/** Runs one command and gives its output. */
export type Shell = (command: string, variables: Variables) => Promise<string>;

/**
 * The token goes to curl by a pipe, because everybody on the machine can read a command line. `printf` is the shell's own, so it has no
 * command line.
 */
export const FUNCTION = [
  "log() {",
  "  path=$1; shift",
  `  printf 'url = "%s%s?access_token=%s"\\n' "$LOG" "$path" "$TOKEN" | curl -s -K - "$@"`,
  "}",
].join("\n");

/** A real shell and a real curl. */
export const realShell: Shell = async (command, variables) => {
  const { PATH = "" } = process.env;
  const { stdout } = await promisify(execFile)("sh", ["-eu", "-c", `${FUNCTION}\n${command}`], {
    cwd: ROOT,
    env: { PATH, ...variables },
  });
  return stdout;
};

/** The same without a shell and without curl. */
export const imitatedShell: Shell = async (command, variables) => {
  const words = wordsOf(command, variables);
  const [program = "", ...rest] = words;
  const file = (name: string) => readFileSync(join(ROOT, name));
  if (program === "log") {
    const [path = "", ...options] = rest;
    return answerOf(`${variables.LOG}${path}?access_token=${variables.TOKEN}`, options, file);
  }
  if (program === "curl") {
    const [silent, address = "", ...options] = rest;
    if (silent !== "-s") throw new Error(`This is not understood: ${command}`);
    return answerOf(address, options, file);
  }
  if (program === "printf") {
    const pipe = words.indexOf("|");
    const [format = "", ...values] = words.slice(1, pipe);
    const text = format.replace(/%s/g, () => values.shift() ?? "");
    const [, , address = "", ...options] = words.slice(pipe + 1);
    return answerOf(address, options, () => Buffer.from(text));
  }
  throw new Error(`This is not understood: ${command}`);
};

/** Sends the request that curl would send with these options. */
async function answerOf(address: string, options: readonly string[], file: (name: string) => Buffer): Promise<string> {
  const url = new URL(address);
  const headers: Record<string, string> = {};
  let method: string | undefined;
  let body: Uint8Array | string | undefined;
  let isQuery = false;
  for (let at = 0; at < options.length; at++) {
    const option = options[at];
    if (option === "-G") {
      isQuery = true;
      continue;
    }
    const value = options[++at] ?? "";
    if (option === "-X") method = value;
    else if (option === "-H") headers[value.split(": ")[0]?.toLowerCase() ?? ""] = value.split(": ")[1] ?? "";
    else if (option === "-d" || option === "--data-binary") body = value.startsWith("@") ? file(value.slice(1)) : value;
    else throw new Error(`curl's option ${option} is not understood`);
  }
  if (isQuery) {
    for (const pair of String(body).split("&")) url.search += `&${pair}`;
    body = undefined;
  }
  if (body !== undefined) headers["content-type"] ??= "application/x-www-form-urlencoded";
  const sending = { headers, ...(body !== undefined && { body }) };
  const answer = await send(url.origin, method ?? (body === undefined ? "GET" : "POST"), url.href, sending);
  return answer.text;
}

/** The words of a command line, without quotes and with the values of variables. */
function wordsOf(command: string, variables: Variables): readonly string[] {
  const expanded = (text: string) => text.replace(/\$([A-Z]+)/g, (_whole, name: string) => variables[name] ?? "");
  const words: string[] = [];
  let word: string | undefined;
  for (const [part] of command.matchAll(/'[^']*'|"[^"]*"|\\\n|\s+|[^\s'"\\]+/g)) {
    if (/^(\s|\\\n)/.test(part)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (part.startsWith("'")) word = (word ?? "") + part.slice(1, -1);
    else if (part.startsWith('"')) word = (word ?? "") + expanded(part.slice(1, -1));
    else word = (word ?? "") + expanded(part);
  }
  return word === undefined ? words : [...words, word];
}
