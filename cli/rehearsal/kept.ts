/**
 * What a rehearsal keeps in its folder, so that `logferry promote` can do the same with the real log: its sources, its options and the owner's sport
 * names. No secret is kept.
 */

import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { absoluteSource, isAddress, isShortened, withoutQuery } from "../../connectors/containers/address.ts";
import type { JournalReader } from "../../pipelines/journal/journal.ts";
import type { Run } from "../../pipelines/journal/run.ts";
import { writePrivateFile } from "../../pipelines/private-file.ts";
import { type DecidedAbout, decidedSince } from "../../pipelines/promote/take-decisions.ts";
import type { Activity } from "../../transforms/activities.ts";
import { shellWord } from "../../transforms/text/shell.ts";
import type { CommandContext } from "../arguments/command.ts";
import { userFolders } from "../arguments/config.ts";
import { DECIDING_OPTIONS } from "../arguments/option-lists.ts";
import type { OptionName, OptionValues } from "../arguments/options.ts";
import { type ExitName, UsageError } from "../errors/exit-codes.ts";
import { withAddresses } from "../login/address-files.ts";
import { packageVersion } from "../system/version.ts";

const FILE = "rehearsed.json";

/** The file of the journal in the folder of a rehearsal. */
export const JOURNAL_FILE = "journal.db";

/** The options that the same rehearsal takes once more. Units, places and trust are no business of a promotion. */
const REPEATED_OPTIONS = [...DECIDING_OPTIONS, "units", "noPlaces", "trust"] as const satisfies readonly OptionName[];

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
  /** The time zone that the person chose on the page since: the next rehearsal has it as `--zone`. */
  readonly chosenZone?: string;
  /** The records and pairs that were decided about before it began, as `decidedRecords` gives them. Earlier versions kept none. */
  readonly decided?: DecidedAbout["decided"];
  /** Where the decided records are in the sources. Earlier versions kept none. */
  readonly origins?: DecidedAbout["origins"];
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

/**
 * Keeps what a rehearsal is run with, before it begins.
 *
 * @param decided what was decided about
 * @returns it
 */
export async function keepRehearsal(
  folder: string,
  context: Pick<CommandContext, "asTyped" | "arguments" | "options" | "tables">,
  decided: DecidedAbout,
): Promise<KeptRehearsal> {
  const { asTyped = context.arguments, options, tables } = context;
  const chosen = REPEATED_OPTIONS.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]]));
  const kept: KeptRehearsal = {
    version: packageVersion(),
    sources: asTyped.map((word, at) => keptSource(word, context.arguments[at] ?? word)),
    options: withPlaces(Object.fromEntries(chosen) as OptionValues),
    sports: [...tables.sports],
    activityIDs: tables.overrides ?? {},
    ...decided,
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

/** The command that rehearses once more, with the same sources and options. */
export function rehearseAgain(folder: string): string {
  return `logferry rehearse${outOption(folder)}`;
}

/** @throws UsageError for a source that can't be read again, because logferry keeps no secret part of an address */
export function checkSources(folder: string, { sources }: Pick<KeptRehearsal, "sources">): void {
  const secret = sources.find((source) => !source.startsWith("@") && isShortened(source));
  if (secret === undefined) return;
  throw new UsageError(
    `The rehearsal read ${secret}, and logferry keeps no part of an address that may be secret. Put the whole address into a file that only you can read, and rehearse with that file: logferry rehearse @FILE${outOption(folder)}`,
  );
}

/**
 * What helps when sources of a rehearsal can't be read any more. Nobody typed them, so there is nothing to leave out.
 *
 * @param opened the paths of `sources` as they are opened, in the same order
 * @returns the sentence, by the paths that can be read
 */
export function remedyForSources(
  folder: string,
  { sources }: Pick<KeptRehearsal, "sources">,
  opened: readonly string[],
): (readable: readonly string[]) => string {
  return (readable) => {
    const putBack = "Put back what can't be read, where it was, and type the same again";
    if (readable.length === 0) return `${putBack}.`;
    const words = readable.map((path) => shellWord(sources[opened.indexOf(path)] ?? withoutQuery(path)));
    return `${putBack}. Or rehearse without it, with the options that you gave before: logferry rehearse ${words.join(" ")}${outOption(folder)}`;
  };
}

/**
 * The context of a command that repeats the last rehearsal in a folder. What was typed now counts besides: lists are added up, another value replaces
 * the earlier one.
 *
 * @throws UsageError when there is none, or when a source can't be read again
 */
export async function asBefore(context: CommandContext, folder: string): Promise<CommandContext> {
  const kept = await readKept(folder);
  if (kept === undefined)
    throw new UsageError(`There is no rehearsal in ${folder}. Say what to rehearse: logferry rehearse SOURCE`);
  checkSources(folder, kept);
  const { options, tables, typed = {} } = context;
  const others = Object.entries(options).filter(([name]) => !REPEATED_OPTIONS.some((repeated) => repeated === name));
  const repeated = REPEATED_OPTIONS.flatMap((name) => {
    const [before, now] = [kept.options[name], typed[name]];
    const value = Array.isArray(before) && Array.isArray(now) ? [...before, ...now] : (now ?? before);
    return value === undefined ? [] : [[name, value]];
  });
  const sources = await withAddresses(kept.sources);
  return {
    ...context,
    arguments: sources,
    asTyped: kept.sources,
    unreadableRemedy: remedyForSources(folder, kept, sources),
    options: { ...Object.fromEntries([...others, ...repeated]), profile: options.profile },
    tables: {
      ...tables,
      sports: new Map([...kept.sports, ...tables.sports]),
      overrides: { ...kept.activityIDs, ...tables.overrides },
      activityIDs: { ...tables.activityIDs, ...kept.activityIDs, ...tables.overrides },
    },
  };
}

/** Keeps the time zone that a person chose on the page, for the next rehearsal. */
export async function chooseZone(folder: string, zone: string): Promise<void> {
  const kept = await readKept(folder);
  if (kept !== undefined) await writeKept(folder, { ...kept, chosenZone: zone });
}

/** The number of decisions that the private log doesn't show: those made or taken back since, and a time zone that was chosen on the page. */
export async function unseenDecisions(
  kept: KeptRehearsal | undefined,
  journal: JournalReader,
  run: Run,
): Promise<number> {
  return (kept?.chosenZone === undefined ? 0 : 1) + (await decidedSince(journal, run, kept?.decided));
}

/** Whether an earlier version of logferry rehearsed, which didn't keep what was decided: then nobody knows what was taken back since. */
export function isOfEarlierVersion(kept: KeptRehearsal | undefined): boolean {
  return kept !== undefined && kept.decided === undefined;
}

/** Options after which less is made than before. A log can't take a record out again. */
const LESSENING = [
  "sameGear",
  "doubtful",
  "prefer",
  "trustClocks",
  "since",
  "until",
] as const satisfies readonly OptionName[];

/** Whether a rehearsal has other options than the last one in its folder, so that the private log would show what this one doesn't make. */
export function isOtherwise(kept: KeptRehearsal | undefined, { options }: Pick<CommandContext, "options">): boolean {
  if (kept === undefined) return false;
  // The private log keeps its units from its first day on.
  const unitsOf = ({ units = "metric" }: OptionValues) => units;
  return (
    unitsOf(kept.options) !== unitsOf(options) ||
    LESSENING.some((name) => !isDeepStrictEqual(kept.options[name], options[name]))
  );
}

/** The context of the next rehearsal in a folder: with the zone that was chosen on the page, unless the person types another one. */
export async function withChosenZone(context: CommandContext, folder: string): Promise<CommandContext> {
  const zone = context.typed?.zone ?? (await readKept(folder))?.chosenZone;
  return zone === undefined ? context : { ...context, options: { ...context.options, zone } };
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
