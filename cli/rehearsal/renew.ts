/**
 * Begins the private log of a rehearsal anew after decisions by hand, and keeps the decisions. A log can't take a workout out again, so it would still
 * show what the person decided against.
 */
import { existsSync } from "node:fs";
import { readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { openJournal, openJournalToRead } from "../../pipelines/journal/sqlite.ts";
import { type DecidedAbout, decidedRecords, takeDecisions } from "../../pipelines/promote/take-decisions.ts";
import { JOURNAL_FILE, readKept, unseenDecisions } from "./kept.ts";

/** The earlier journal, until its decisions are in the new one. */
const BEFORE = "before-";

/** The number of decisions in a folder that the private log doesn't show: those since its last run, or those of a renewal that was cut off. */
export async function decidedInFolder(folder: string): Promise<number> {
  if (existsSync(join(folder, `${BEFORE}${JOURNAL_FILE}`))) return 1;
  const path = join(folder, JOURNAL_FILE);
  if (!existsSync(path)) return 0;
  const kept = await readKept(folder);
  await using journal = await openJournalToRead(path);
  const run = await journal.run();
  return run === undefined ? 0 : await unseenDecisions(kept, journal, run);
}

/** The records and pairs of a folder that a person decided about. */
export async function decidedNow(folder: string): Promise<DecidedAbout> {
  const path = join(folder, JOURNAL_FILE);
  if (!existsSync(path)) return { decided: [], origins: {} };
  await using journal = await openJournalToRead(path);
  return await decidedRecords(journal);
}

/** Removes the private log and its journal, and takes the decisions into a new journal. Nobody else may use the folder. */
export async function renewFolder(folder: string): Promise<void> {
  const before = join(folder, `${BEFORE}${JOURNAL_FILE}`);
  if (!existsSync(before))
    for (const name of await namesIn(folder, JOURNAL_FILE))
      await rename(join(folder, name), join(folder, BEFORE + name));
  for (const start of [JOURNAL_FILE, "service.db", "rehearsal.json"]) await remove(folder, start);
  {
    await using earlier = await openJournalToRead(before);
    await using journal = await openJournal(join(folder, JOURNAL_FILE));
    await takeDecisions(earlier, journal);
  }
  await remove(folder, `${BEFORE}${JOURNAL_FILE}`);
}

async function remove(folder: string, start: string): Promise<void> {
  for (const name of await namesIn(folder, start)) await rm(join(folder, name));
}

async function namesIn(folder: string, start: string): Promise<readonly string[]> {
  return (await readdir(folder)).filter((name) => name.startsWith(start)).toSorted();
}
