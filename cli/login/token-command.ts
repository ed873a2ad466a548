/**
 * Gets a token from a secret manager: the first line that a command prints. logferry starts the command once, without a shell and without
 * our own secrets. It never shows the command's output.
 */
import { FatalError, RetryableError } from "../../connectors/errors.ts";
import { printable } from "../../transforms/text/printable.ts";
import { UsageError } from "../errors/exit-codes.ts";
import { onSystemError } from "../errors/system-errors.ts";
import { type Environment, runProgram } from "../system/programs.ts";
import { splitCommand } from "../wording/command-text.ts";
import { checkedToken } from "./token.ts";

/** A person may have to unlock the manager first. */
const LONGEST_MS = 120_000;

/**
 * Answers by environment object, which belongs to one run, and by command. A second call would make the secret manager ask its owner again.
 */
const asked = new WeakMap<Environment, Map<string, Promise<string>>>();

/**
 * The token that a command prints. Each command runs once for one environment object, which stands for a run. A command that failed may run
 * again.
 *
 * @param command a text, split by `splitCommand`, or its words
 * @param longestMs the time after which the command is ended
 * @param signal ends the command, too, because a secret manager may wait for a person to unlock it
 * @throws UsageError for a text that is not a command; FatalError `login/command`, reason `login`, when it gives no token; RetryableError
 * `api/stopped` when it was stopped. No message contains the command's output, or a part of its complaint that may be a token
 */
export async function commandToken(
  command: string | readonly string[],
  environment: Environment,
  longestMs = LONGEST_MS,
  signal?: AbortSignal,
): Promise<string> {
  const words = typeof command === "string" ? splitCommand(command) : command;
  if (typeof words === "string") throw new UsageError(`Cannot use the token command: ${words}`);
  const answers = asked.get(environment) ?? new Map<string, Promise<string>>();
  asked.set(environment, answers);
  const key = JSON.stringify(words);
  const known = answers.get(key);
  if (known !== undefined) return known;
  const answer = ask(words, environment, longestMs, signal);
  answers.set(key, answer);
  answer.catch(() => answers.delete(key));
  return answer;
}

async function ask(
  [program = "", ...words]: readonly string[],
  environment: Environment,
  longestMs: number,
  signal: AbortSignal | undefined,
): Promise<string> {
  const fail = (found: string, options?: ErrorOptions): FatalError =>
    new FatalError(
      "login/command",
      "login",
      `Cannot get the access token: the token command (${printable(program, 60)}) ${found}`,
      options,
    );
  const { code, out, complaint } = await runProgram(program, words, { environment, longestMs, signal }).catch(
    onSystemError((problem, cause) => fail(`can't be started: ${problem}`, { cause })),
  );
  // A terminal's Ctrl-C also ends the command, perhaps before logferry gets the signal.
  if (signal?.aborted === true && code !== 0)
    throw new RetryableError("api/stopped", "Cannot get the access token: stopped before the token command answered");
  const complained =
    complaint.trim() === "" ? "" : `: ${printable(withoutTokens(complaint.trim().split("\n").slice(-3).join(" / ")))}`;
  if (code === undefined) throw fail(`didn't answer within ${longestMs / 1000} s, or was ended${complained}`);
  if (code !== 0) throw fail(`ended with ${code}${complained}`);
  const line = out.split("\n")[0]?.trim() ?? "";
  if (line === "")
    throw fail(
      `printed nothing in its first line${complained === "" ? "" : ". What it wrote to its standard error is not shown: it may be the token"}`,
    );
  try {
    return checkedToken(line);
  } catch {
    throw fail("printed no access token in its first line: expected 1 to 32 printable characters without blanks");
  }
}

/** Distinguishes a token from an ordinary word: eight characters or more with a digit among the letters, or twenty and more. */
const LIKE_A_TOKEN = /^(?=.{8})(?=.*\d)(?=.*[a-z])|^.{20}/i;

/** A path stays in the message, because it helps most. */
const IS_PATH = /^['"(]*(?:~|\.\.?)?\//;

/** A complaint without anything that may be a token: some secret managers, and many scripts, show the secret with the problem. */
function withoutTokens(complaint: string): string {
  return complaint.replaceAll(/[!-~]+/g, (word) =>
    !IS_PATH.test(word) && LIKE_A_TOKEN.test(word) ? "[not shown]" : word,
  );
}
