/**
 * Finds the key of an encrypted repository: a passphrase from the terminal, a file or another program, or age key files. Secrets are never
 * on a command line, in the environment of other programs, or in a message.
 */

import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { isIdentity, isRecipient, type Keys } from "../../connectors/repository/keys.ts";
import { printable } from "../../transforms/text/printable.ts";
import type { CommandContext } from "../arguments/command.ts";
import { KEY_OPTIONS } from "../arguments/option-lists.ts";
import { UsageError } from "../errors/exit-codes.ts";
import { onSystemError } from "../errors/system-errors.ts";
import { readSecretFile } from "../login/credentials.ts";
import { refuseOpenToOthers } from "../login/secret-file.ts";
import { type Environment, runProgram } from "../system/programs.ts";
import { openAsker } from "../terminal/ask.ts";
import { splitCommand } from "../wording/command-text.ts";

/** The most bytes of a key file. Ours have two hundred. */
const LONGEST_KEY_FILE = 64 * 1024;

/** Whether an option names a key. */
export function namesKey({ options }: Pick<CommandContext, "options">): boolean {
  return KEY_OPTIONS.some((name) => options[name] !== undefined);
}

/**
 * The keys to open a repository, from the options.
 *
 * @param mayCreate whether a missing repository is created; it becomes an encrypted one if the options say so, or name a key
 * @throws UsageError for a file that can't be read, or holds no key
 */
export async function findKeys(context: CommandContext, mayCreate: boolean): Promise<Keys> {
  const { options } = context;
  refuseTypedKey("--identity", options.identity);
  refuseTypedKey("--recipient", options.recipient);
  for (const file of options.identity ?? []) await refuseSharedKey(file);
  const identities = await keysIn(options.identity ?? [], isIdentity, "an age identity (AGE-SECRET-KEY-1...)");
  const given = options.recipient ?? [];
  const files = given.filter((word) => !isRecipient(word));
  const mistyped = files.find((word) => /^age1[0-9a-z]+$/.test(word));
  if (mistyped !== undefined)
    throw new UsageError(`Cannot use --recipient: ${mistyped} is no X25519 key of age, which age-keygen -y prints`);
  const recipients = [
    ...given.filter(isRecipient),
    ...(await keysIn(files, isRecipient, "an age recipient (age1...)")),
  ];
  const isEncrypted = options.encrypt === true || recipients.length > 0 || namesKey(context);
  const isNew = mayCreate && isEncrypted;
  return {
    identities,
    passphrase: () => passphraseOf(context, isNew),
    ...(isNew && { create: { recipients } }),
  };
}

/** Refuses a private key in the place of a file. It is not repeated, because messages go into logs. */
function refuseTypedKey(option: string, words: readonly string[] = []): void {
  if (!words.some((word) => /^AGE-SECRET-KEY-/i.test(word.trim()))) return;
  throw new UsageError(
    `Cannot use ${option}: it takes a file, and this is a private key itself. Other users of the machine can read command lines. Make a new key with age-keygen, in a file that only you can read`,
  );
}

/** The keys in files, one line each. As in age, empty lines and lines that begin with `#` are left out. */
async function keysIn(
  files: readonly string[],
  isKey: (text: string) => boolean,
  expected: string,
): Promise<readonly string[]> {
  const keys: string[] = [];
  for (const file of files) {
    const lines = (await textOf(file)).split("\n").map((line) => line.trim());
    const some = lines.filter((line) => line !== "" && !line.startsWith("#"));
    if (some.length === 0 || !some.every(isKey)) {
      const found = lines[0]?.startsWith("age-encryption.org/")
        ? ", found an encrypted file: decrypt it first, with age -d"
        : "";
      throw new UsageError(`Cannot use the key file ${file}: expected ${expected} a line${found}`);
    }
    keys.push(...some);
  }
  return keys;
}

/** Refuses a private key that others can read. A file that can't be checked is reported when it is read. */
async function refuseSharedKey(file: string): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  if (found !== undefined) await refuseOpenToOthers(file, found);
}

function textOf(file: string): Promise<string> {
  const refuse = onSystemError((problem) => new UsageError(`Cannot read the key file ${file}: ${problem}`));
  return text(createReadStream(file, { encoding: "utf8", end: LONGEST_KEY_FILE })).catch(refuse);
}

async function passphraseOf(context: CommandContext, isNew: boolean): Promise<string> {
  const { passphraseFile, passphraseCommand } = context.options;
  if (passphraseFile !== undefined && passphraseCommand !== undefined) {
    throw new UsageError("Cannot use --passphrase-file and --passphrase-command together");
  }
  if (passphraseCommand !== undefined) return commandPassphrase(passphraseCommand, context.environment);
  if (passphraseFile === undefined) return typedPassphrase(context, isNew);
  const passphrase = await readSecretFile(passphraseFile);
  if (passphrase === "")
    throw new UsageError(`Cannot use the passphrase file ${passphraseFile}: its first line is empty`);
  return passphrase;
}

/** The typed passphrase, by the command's signal, so that a command with repeated backups asks only once. */
const TYPED = new WeakMap<AbortSignal, string>();

async function typedPassphrase(context: CommandContext, isNew: boolean): Promise<string> {
  const passphrase = TYPED.get(context.signal) ?? (await askedPassphrase(context, isNew));
  TYPED.set(context.signal, passphrase);
  return passphrase;
}

/** A person may have to unlock a secret manager first. */
const LONGEST_MS = 120_000;

/** The first line that a command prints. logferry starts the command without a shell, and never shows its output. */
async function commandPassphrase(command: string, environment: Environment): Promise<string> {
  const words = splitCommand(command);
  if (typeof words === "string") throw new UsageError(`Cannot use the passphrase command: ${words}`);
  const [program = "", ...rest] = words;
  const fail = (found: string) =>
    new UsageError(`Cannot get the passphrase: the passphrase command (${printable(program, 60)}) ${found}`);
  const end = await runProgram(program, rest, { environment, longestMs: LONGEST_MS }).catch(
    onSystemError((problem) => fail(`can't be started: ${problem}`)),
  );
  if (end.code !== 0) throw fail(end.code === undefined ? "didn't answer in time" : `ended with ${end.code}`);
  const passphrase = (end.out.split("\n")[0] ?? "").trim();
  if (passphrase === "") throw fail("printed nothing in its first line");
  return passphrase;
}

/** A new passphrase is typed twice, because the person doesn't see it. */
async function askedPassphrase({ input, output, signal }: CommandContext, isNew: boolean): Promise<string> {
  const asker = openAsker(input, output, signal);
  try {
    const passphrase = await asker.ask(
      isNew ? "New passphrase of the repository:" : "Passphrase of the repository:",
      "the passphrase",
    );
    if (!isNew || !("isTTY" in input) || input.isTTY !== true) return passphrase;
    if ((await asker.ask("The same again:", "the passphrase")) === passphrase) return passphrase;
    throw new UsageError("Cannot encrypt: the two passphrases differ");
  } catch (error) {
    if (!(error instanceof UsageError) || !error.message.startsWith("Cannot read")) throw error;
    throw new UsageError(
      `${error.message}. Where nobody types it, name it with --passphrase-file FILE or --passphrase-command COMMAND`,
    );
  } finally {
    asker.close();
  }
}
