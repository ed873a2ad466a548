/**
 * The system's keyring, through the system's own tool: `secret-tool` where a desktop's secret service runs (Linux), `security` for the
 * keychain (macOS). A secret goes in on standard input and comes out on standard output, and is never on a command line. Without either
 * tool, the caller keeps the secret in a file.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { onSystemError } from "../errors/system-errors.ts";
import { type Environment, hasProgram, type ProgramEnd, runProgram } from "../system/programs.ts";

/** Keeps secrets under public names. */
export interface Keyring {
  readonly name: KeyringName;
  /**
   * Keeps a secret. Before it settles, it reads the secret back.
   *
   * @param entry its name: letters, digits and dashes
   * @param label the text for the owner in the keyring's own window
   * @param secret printable ASCII in one line
   * @throws KeyringError
   */
  put(entry: string, label: string, secret: string): Promise<void>;
  /** @returns undefined when there is no such entry. @throws KeyringError */
  get(entry: string): Promise<string | undefined>;
  /** Removes an entry, if it exists. @throws KeyringError */
  remove(entry: string): Promise<void>;
}

/** The tools, by the names of their programs. */
export type KeyringName = "secret-tool" | "security";

/** The keyring can't be used: it is locked or gone, or nobody is there to unlock it. */
export class KeyringError extends Error {
  constructor(tool: KeyringName, found: string, options?: ErrorOptions) {
    super(`the system keyring (${tool}) ${found}`, options);
    this.name = "KeyringError";
  }
}

/** A person may have to unlock it first. */
const LONGEST_MS = 120_000;

/** The attribute that finds an entry, besides the entry's own name. */
const SERVICE = "logferry";

/** How logferry talks to a tool. */
interface Tool {
  readonly platform: NodeJS.Platform;
  /** Whether a keyring is behind the tool. */
  readonly isServed: (environment: Environment) => boolean;
  readonly put: (entry: string, label: string, secret: string) => { readonly words: string[]; readonly input: string };
  readonly get: (entry: string) => string[];
  readonly remove: (entry: string) => string[];
  /** Whether the tool's exit means that there is no such entry. */
  readonly isNone: (end: ProgramEnd) => boolean;
}

const TOOLS: Readonly<Record<KeyringName, Tool>> = {
  "secret-tool": {
    platform: "linux",
    // The tool finds the secret service through the session's bus. Without a bus it would wait in vain.
    isServed: ({ DBUS_SESSION_BUS_ADDRESS: address, XDG_RUNTIME_DIR: folder }) =>
      (address !== undefined && address !== "") || (folder !== undefined && existsSync(join(folder, "bus"))),
    put: (entry, label, secret) => ({
      words: ["store", `--label=${label}`, "service", SERVICE, "entry", entry],
      input: secret,
    }),
    get: (entry) => ["lookup", "service", SERVICE, "entry", entry],
    remove: (entry) => ["clear", "service", SERVICE, "entry", entry],
    // Without a secret service the tool ends with the same code, but then it also complains.
    isNone: ({ code, complaint }) => code === 1 && complaint === "",
  },
  security: {
    platform: "darwin",
    isServed: () => true,
    // As an option, the secret would appear in the list of processes, so it goes to the input of the tool's interactive mode. It is
    // hexadecimal, so that no character of it reads as a quote.
    put: (entry, label, secret) => ({
      words: ["-i"],
      input: `add-generic-password -U -s ${SERVICE} -a ${entry} -l "${label.replaceAll(/["\\\r\n]/g, " ")}" -X ${Buffer.from(secret).toString("hex")}\n`,
    }),
    get: (entry) => ["find-generic-password", "-s", SERVICE, "-a", entry, "-w"],
    remove: (entry) => ["delete-generic-password", "-s", SERVICE, "-a", entry],
    isNone: ({ code }) => code === 44,
  },
};

/** The keyring of this machine; undefined if it has none. */
export async function keyringHere(
  environment: Environment,
  platform: NodeJS.Platform = process.platform,
): Promise<Keyring | undefined> {
  for (const [name, tool] of Object.entries(TOOLS) as [KeyringName, Tool][]) {
    if (tool.platform !== platform || !tool.isServed(environment)) continue;
    if (await hasProgram(name, environment)) return keyringNamed(name, environment);
  }
  return undefined;
}

/** Whether a text names a keyring. */
export function isKeyringName(text: unknown): text is KeyringName {
  return typeof text === "string" && Object.hasOwn(TOOLS, text);
}

/** The keyring with this name, whether or not this machine can use it. */
export function keyringNamed(name: KeyringName, environment: Environment): Keyring {
  const tool = TOOLS[name];
  const run = async (words: readonly string[], input: string): Promise<ProgramEnd & { readonly code: number }> => {
    const end = await runProgram(name, words, { input, environment, longestMs: LONGEST_MS }).catch(
      onSystemError((problem, cause) => new KeyringError(name, `can't be asked: ${problem}`, { cause })),
    );
    const { code } = end;
    if (code === undefined) throw new KeyringError(name, `didn't answer within ${LONGEST_MS / 1000} s`);
    return { ...end, code };
  };

  const get = async (entry: string): Promise<string | undefined> => {
    const end = await run(tool.get(entry), "");
    const { code, out } = end;
    const secret = out.replace(/\r?\n$/, "");
    if (code === 0 && secret !== "") return secret;
    if (code === 0 || tool.isNone(end)) return undefined;
    throw new KeyringError(name, `refused to be read (exit code ${code})`);
  };
  return {
    name,
    get,
    async put(entry, label, secret) {
      const { words, input } = tool.put(entry, label, secret);
      const { code } = await run(words, input);
      if (code !== 0) throw new KeyringError(name, `refused to keep it (exit code ${code})`);
      // `security -i` exits with success even if its commands failed.
      if ((await get(entry)) !== secret) throw new KeyringError(name, "didn't keep it");
    },
    async remove(entry) {
      const end = await run(tool.remove(entry), "");
      if (end.code === 0 || tool.isNone(end)) return;
      throw new KeyringError(name, `refused to forget it (exit code ${end.code})`);
    },
  };
}
