/** Checks of this machine: whether a run could write its journal. */
import { constants, existsSync } from "node:fs";
import { access, opendir, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { FatalError } from "../../connectors/errors.ts";
import type { CommandContext } from "../arguments/command.ts";
import { exitOf } from "../errors/exit-codes.ts";
import { describeSystemError, isOfSystem } from "../errors/system-errors.ts";
import { journalPath, mayBeJournal, openOwnJournal } from "../session/own-journal.ts";
import type { Finding } from "./finding.ts";

/** Bytes. A journal of ten thousand workouts takes about 20 MB. A download of as many tracks in a temporary folder may take as much. */
const DISK = { enough: 500e6, least: 50e6 } as const;

/** Checks the journal and its disk, without creating anything. */
export async function* checkMachine({ options }: CommandContext): AsyncIterable<Finding> {
  const path = journalPath(options);
  yield mayBeJournal(path) ? await existingJournal(options, path) : await futureJournal(path);
  yield await disk(path);
}

async function existingJournal(options: CommandContext["options"], path: string): Promise<Finding> {
  const check = "journal";
  try {
    await using journal = await openOwnJournal(options);
    const { length } = await journal.runs();
    return { check, state: "good", found: `${path}, ${length === 1 ? "one run" : `${length} runs`}` };
  } catch (error) {
    if (!(error instanceof FatalError)) throw error;
    if (error.reason === "locked") return { check, state: "look", found: error.message };
    return {
      check,
      state: "bad",
      found: error.message,
      remedy:
        "Name another with --journal, or move this one aside: what is in the log already is then recognised by listing it.",
      exit: exitOf(error),
    };
  }
}

async function futureJournal(path: string): Promise<Finding> {
  const check = "journal";
  const folder = nearest(dirname(path));
  try {
    await access(folder, constants.W_OK | constants.X_OK);
    // An executable file would pass for a folder that can be entered, so the folder is opened as well.
    await (await opendir(folder)).close();
    return { check, state: "good", found: `none yet; it will be ${path}` };
  } catch (error) {
    if (!isOfSystem(error)) throw error;
    return {
      check,
      state: "bad",
      found: `can't be made in ${folder}: ${describeSystemError(error)}`,
      remedy: "Name another with --journal.",
      exit: "usage",
    };
  }
}

async function disk(path: string): Promise<Finding> {
  const folder = nearest(dirname(path));
  const { bavail, bsize } = await statfs(folder);
  return diskFinding(bavail * bsize, folder);
}

/** @param free bytes that can still be written */
export function diskFinding(free: number, folder: string): Finding {
  const found = `${free >= 1e9 ? `${(free / 1e9).toFixed(1)} GB` : `${Math.floor(free / 1e6)} MB`} free for ${folder}`;
  if (free >= DISK.enough) return { check: "disk", state: "good", found };
  const remedy =
    "Make room, or name a journal on another disk with --journal. A run stops before the next request when the disk is full.";
  return free >= DISK.least
    ? { check: "disk", state: "look", found, remedy }
    : { check: "disk", state: "bad", found, remedy, exit: "stopped" };
}

/** The folder itself, or its nearest parent that exists. */
function nearest(folder: string): string {
  let at = folder;
  while (!existsSync(at) && dirname(at) !== at) at = dirname(at);
  return at;
}
