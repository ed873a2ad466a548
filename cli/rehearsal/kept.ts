/**
 * What a rehearsal keeps in its folder, so that `logferry promote` can do the same with the real log: its sources, its options and the owner's sport
 * names. No secret is kept.
 */
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { absoluteSource, isAddress, isShortened, withoutQuery } from "../../connectors/containers/address.ts";
import { writePrivateFile } from "../../pipelines/private-file.ts";
import type { Activity } from "../../transforms/activities.ts";
import { shellWord } from "../../transforms/text/shell.ts";
import { ARCHIVE_OPTIONS } from "../arguments/archive-limits.ts";
import type { CommandContext } from "../arguments/command.ts";
import { userFolders } from "../arguments/config.ts";
import type { OptionName, OptionValues } from "../arguments/options.ts";
import type { ExitName } from "../errors/exit-codes.ts";
import { READING_OPTIONS } from "../session/session.ts";
import { packageVersion } from "../system/version.ts";

const FILE = "rehearsed.json";

/** The file of the journal in the folder of a rehearsal. */
export const JOURNAL_FILE = "journal.db";

/** The options of a rehearsal that decide what is written. */
export const DECIDING_OPTIONS = [
  ...READING_OPTIONS,
  "trustClocks",
  "doubtful",
  ...ARCHIVE_OPTIONS,
] as const satisfies readonly OptionName[];

/** What a rehearsal was run with. */
export interface KeptRehearsal {
  /** The version of logferry that rehearsed. */
  readonly version: string;
  /** Absolute paths, `@` with the absolute path of a file with an address, or addresses. An address with a secret part is kept without it. */
  readonly sources: readonly string[];
  readonly options: OptionValues;
  /** The owner's sport names (folded), from the config file and from `--sport`. */
  readonly sports: readonly (readonly [name: string, activity: Activity])[];
  /** The numbers of the real log that the owner gave, by activity. */
  readonly activityIDs: Readonly<Partial<Record<Activity, number>>>;
  /** How the import and the verification went. Absent while they run, and after they were cut off. */
  readonly exit?: ExitName;
}

/** The folder of the rehearsal: that of `--out`, else the usual one. */
export function rehearsalFolder({ options }: Pick<CommandContext, "options">): string {
  return resolve(options.out ?? join(userFolders().data, "rehearsal"));
}

/** The end of a command about the rehearsal in a folder: ` --out FOLDER`, unless it is the usual one. */
export function outOption(folder: string): string {
  return folder === join(userFolders().data, "rehearsal") ? "" : ` --out ${shellWord(folder)}`;
}

/** Keeps what a rehearsal is run with, before it begins. @returns it */
export async function keepRehearsal(
  folder: string,
  context: Pick<CommandContext, "asTyped" | "arguments" | "options" | "tables">,
): Promise<KeptRehearsal> {
  const { asTyped = context.arguments, options, tables } = context;
  const chosen = DECIDING_OPTIONS.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]]));
  const kept: KeptRehearsal = {
    version: packageVersion(),
    sources: asTyped.map((word, at) => keptSource(word, context.arguments[at] ?? word)),
    options: withPlaces(Object.fromEntries(chosen) as OptionValues),
    sports: [...tables.sports],
    activityIDs: tables.overrides ?? {},
  };
  await writeKept(folder, kept);
  return kept;
}

/** Keeps how a rehearsal ended. */
export async function endRehearsal(folder: string, kept: KeptRehearsal, exit: ExitName): Promise<void> {
  await writeKept(folder, { ...kept, exit });
}

/** What the last rehearsal in a folder was run with; undefined without one. */
export async function readKept(folder: string): Promise<KeptRehearsal | undefined> {
  const text = await readFile(join(folder, FILE), "utf8").catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as KeptRehearsal);
}

/** The command that rehearses once more, with the same sources. The options are left out. */
export function rehearseAgain(folder: string, { sources }: Pick<KeptRehearsal, "sources">): string {
  const words = sources.map((source) => (isShortened(source) ? "ADDRESS" : shellWord(source)));
  return `logferry rehearse ${words.join(" ")}${outOption(folder)}`;
}

/** Writes what a rehearsal was run with. */
export async function writeKept(folder: string, kept: KeptRehearsal): Promise<void> {
  await writePrivateFile(join(folder, FILE), `${JSON.stringify(kept, null, 2)}\n`);
}

/** @param read the word, with the address in place of `@FILE` */
function keptSource(word: string, read: string): string {
  if (word.startsWith("@")) return `@${resolve(word.slice(1))}`;
  return isAddress(read) ? withoutQuery(read) : resolve(read);
}

/** The options with absolute paths in them. A preferred source may be named by a path, by a name or by a platform. */
function withPlaces({ map, prefer, ...options }: OptionValues): OptionValues {
  return {
    ...options,
    ...(map !== undefined && { map: absoluteSource(map) }),
    ...(prefer !== undefined && { prefer: prefer.map(withPlace) }),
  };
}

function withPlace(preference: string): string {
  const at = preference.indexOf("=") + 1;
  const source = preference.slice(at);
  const isPath = isAddress(source) || /[\\/]/.test(source);
  return isPath ? `${preference.slice(0, at)}${absoluteSource(source)}` : preference;
}
