/** Opens a rehearsal for its promotion, and refuses one that nobody can have seen as a whole. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { JournalReader } from "../../pipelines/journal/journal.ts";
import type { Run } from "../../pipelines/journal/run.ts";
import { openJournalToRead } from "../../pipelines/journal/sqlite.ts";
import type { CommandContext } from "../arguments/command.ts";
import { DECIDING_OPTIONS } from "../arguments/option-lists.ts";
import { UsageError } from "../errors/exit-codes.ts";
import { withAddresses } from "../login/address-files.ts";
import { many } from "../terminal/output.ts";
import {
  checkSources,
  isOfEarlierVersion,
  JOURNAL_FILE,
  type KeptRehearsal,
  outOption,
  readKept,
  rehearseAgain,
  remedyForSources,
  unseenDecisions,
} from "./kept.ts";

/** A rehearsal that is over. */
export interface Rehearsed extends AsyncDisposable {
  readonly folder: string;
  readonly kept: KeptRehearsal;
  readonly journal: JournalReader;
  /** The last run of the rehearsal. */
  readonly run: Run;
}

/**
 * Opens the rehearsal in a folder.
 *
 * @throws UsageError when there is none, when it stopped half-way, when something was decided since, and when a source can't be read again
 */
export async function openRehearsed(folder: string): Promise<Rehearsed> {
  const [path, kept] = [join(folder, JOURNAL_FILE), await readKept(folder)];
  const begin = `logferry rehearse SOURCE${outOption(folder)}`;
  if (!existsSync(path)) throw new UsageError(`There is no rehearsal in ${folder}. Begin with: ${begin}`);
  if (kept === undefined)
    throw new UsageError(
      `The rehearsal in ${folder} doesn't say with which sources and options it was run: an older logferry made it. Rehearse once more: ${begin}`,
    );
  const journal = await openJournalToRead(path);
  try {
    const run = await journal.run();
    await check(folder, kept, journal, run);
    if (run === undefined) throw new UsageError(`There is no rehearsal in ${folder}. Begin with: ${begin}`);
    return { folder, kept, journal, run, [Symbol.asyncDispose]: () => journal.close() };
  } catch (error) {
    await journal.close();
    throw error;
  }
}

async function check(folder: string, kept: KeptRehearsal, journal: JournalReader, run: Run | undefined) {
  const again = rehearseAgain(folder);
  const isWhole = kept.exit === "done" || kept.exit === "setAside" || kept.exit === "differs";
  if (run?.state !== "finished" || !isWhole)
    throw new UsageError(
      `The rehearsal in ${folder} stopped before everything was imported and read back, so nothing was promoted. Finish it first: ${again}`,
    );
  if (isOfEarlierVersion(kept))
    throw new UsageError(
      `An earlier version of logferry rehearsed in ${folder}, and didn't keep what you had decided. Rehearse once more, and look: ${again}`,
    );
  const decided = await unseenDecisions(kept, journal, run);
  if (decided > 0)
    throw new UsageError(
      `You made ${many(decided, "decision")} after the rehearsal. Rehearse once more, so that you see the result: ${again}`,
    );
  checkSources(folder, kept);
}

/** A command's context with the sources and the options of a rehearsal, for the real log. */
export async function asRehearsed(
  context: CommandContext,
  { folder, kept }: Pick<Rehearsed, "folder" | "kept">,
): Promise<CommandContext> {
  const { options, tables } = context;
  const isDeciding = ([name]: readonly [string, unknown]) => DECIDING_OPTIONS.some((deciding) => deciding === name);
  const others = Object.entries(options).filter((entry) => !isDeciding(entry));
  const deciding = Object.entries(kept.options).filter(isDeciding);
  const activity = [...(kept.options.activity ?? []), ...(options.activity ?? [])];
  const overrides = { ...kept.activityIDs, ...tables.overrides };
  const sources = await withAddresses(kept.sources);
  return {
    ...context,
    arguments: sources,
    unreadableRemedy: remedyForSources(folder, kept, sources),
    options: { ...Object.fromEntries([...others, ...deciding]), activity, profile: options.profile },
    tables: {
      ...tables,
      sports: new Map(kept.sports),
      overrides,
      activityIDs: { ...tables.activityIDs, ...overrides },
    },
  };
}
