/**
 * The system's keyring, through the tool the system brings: `secret-tool` where a desktop's secret service runs (Linux), `security`
 * for the keychain (macOS). A secret goes in on standard input and comes out on standard output, and never stands on a command
 * line. Where there is neither, the caller keeps the secret in a file.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describeSystemError, isOfSystem } from "../errors/system-errors.ts";
import { type Environment, hasProgram, type ProgramEnd, runProgram } from "../system/programs.ts";

/** Keeps secrets under names that are no secrets. */
export interface Keyring {
  readonly name: KeyringName;
  /**
   * Keeps a secret, and has read it back when it settles.
   *
   * @param entry its name: letters, digits and dashes
   * @param label what its owner sees in the keyring's own window
   * @param secret printable ASCII in one line
   * @throws KeyringError
   */
  put(entry: string, label: string, secret: string): Promise<void>;
  /** @returns undefined when it holds no such entry. @throws KeyringError */
  get(entry: string): Promise<string | undefined>;
  /** Of no effect when there is no such entry. @throws KeyringError */
  remove(entry: string): Promise<void>;
}

/** The tools, by the names of their programs. */
export type KeyringName = "secret-tool" | "security";

/** The keyring can't be used: locked, gone, or nobody there to unlock it. */
export class KeyringError extends Error {
  constructor(tool: KeyringName, found: string, options?: ErrorOptions) {
    super(`the system keyring (${tool}) ${found}`, options);
    this.name = "KeyringError";
  }
}

/** A person may have to unlock it first. */
const LONGEST_MS = 120_000;

/** What an entry is found by, besides its own name. */
const SERVICE = "logferry";

/** How a tool is spoken to. */
interface Tool {
  readonly platform: NodeJS.Platform;
  /** Whether there is something behind the tool. */
  readonly isServed: (environment: Environment) => boolean;
  readonly put: (entry: string, label: string, secret: string) => { readonly words: string[]; readonly input: string };
  readonly get: (entry: string) => string[];
  readonly remove: (entry: string) => string[];
  /** Whether an end says that there is no such entry. */
  readonly isNone: (end: ProgramEnd) => boolean;
}

const TOOLS: Readonly<Record<KeyringName, Tool>> = {
  "secret-tool": {
    platform: "linux",
    // The secret service is found through the session's bus; without one the tool waits for nobody.
    isServed: ({ DBUS_SESSION_BUS_ADDRESS: address, XDG_RUNTIME_DIR: folder }) =>
      (address !== undefined && address !== "") || (folder !== undefined && existsSync(join(folder, "bus"))),
    put: (entry, label, secret) => ({
      words: ["store", `--label=${label}`, "service", SERVICE, "entry", entry],
      input: secret,
    }),
    get: (entry) => ["lookup", "service", SERVICE, "entry", entry],
    remove: (entry) => ["clear", "service", SERVICE, "entry", entry],
    // It ends the same way when nobody serves it, and complains then.
    isNone: ({ code, complaint }) => code === 1 && complaint === "",
  },
  security: {
    platform: "darwin",
    isServed: () => true,
    // Given as an option, the secret would stand in the list of processes; in the tool's interactive mode it stands on its input.
    // Hexadecimal, so that nothing in it can be taken for a quote.
    put: (entry, label, secret) => ({
      words: ["-i"],
      input: `add-generic-password -U -s ${SERVICE} -a ${entry} -l "${label.replaceAll(/["\\\r\n]/g, " ")}" -X ${Buffer.from(secret).toString("hex")}\n`,
    }),
    get: (entry) => ["find-generic-password", "-s", SERVICE, "-a", entry, "-w"],
    remove: (entry) => ["delete-generic-password", "-s", SERVICE, "-a", entry],
    isNone: ({ code }) => code === 44,
  },
};

/** The keyring of this machine; undefined where it has none. */
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

/** The keyring of a name, whether or not it can be used here. */
export function keyringNamed(name: KeyringName, environment: Environment): Keyring {
  const tool = TOOLS[name];
  const run = async (words: readonly string[], input: string): Promise<ProgramEnd & { readonly code: number }> => {
    let end: ProgramEnd;
    try {
      end = await runProgram(name, words, { input, environment, longestMs: LONGEST_MS });
    } catch (error) {
      if (!isOfSystem(error)) throw error;
      throw new KeyringError(name, `can't be asked: ${describeSystemError(error)}`, { cause: error });
    }
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
      // `security -i` ends well whatever became of its commands.
      if ((await get(entry)) !== secret) throw new KeyringError(name, "didn't keep it");
    },
    async remove(entry) {
      const end = await run(tool.remove(entry), "");
      if (end.code === 0 || tool.isNone(end)) return;
      throw new KeyringError(name, `refused to forget it (exit code ${end.code})`);
    },
  };
}
