/**
 * Runs command lines in processes that have the program loaded already (warm-pool.ts). Some commands need a process of their own: those that get a
 * signal, those that answer questions one by one, and those whose environment is for Node itself. For these see `startCli` and `Rehearsal.start`.
 */
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { json, text } from "node:stream/consumers";
import { inject } from "vitest";
import type { Ran } from "./rehearsal.ts";

/** Variables that Node reads as it starts. */
const READ_AT_START = /^(?:NODE_(?!COMPILE_CACHE)|TZ$|LD_)/;

/**
 * Whether a command line can share a process with others.
 *
 * @param env what the test sets beside the usual
 */
export function canBeWarm(env: Readonly<Record<string, string>>): boolean {
  return !Object.keys(env).some((name) => READ_AT_START.test(name));
}

/**
 * Runs `logferry WORDS` to its end.
 *
 * @param env all of its environment
 * @param input the text on its standard input
 * @returns the result that a process of its own would have, with that process's signal where the command ended the process
 */
export async function runWarm(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  input = "",
): Promise<Ran> {
  // `fetch` would wait for five minutes only.
  const asked = request(inject("commands"), { method: "POST", agent: false });
  asked.end(JSON.stringify({ words, env, input }));
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  if (answer.statusCode !== 200) throw new Error(await text(answer));
  return (await json(answer)) as Ran;
}
