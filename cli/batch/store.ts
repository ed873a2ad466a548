/** Where a batch keeps what it knows: on this machine, or in the PostgreSQL of a fleet. */
import { readdir } from "node:fs/promises";
import type { Permit } from "../../connectors/api/permit.ts";
import { keepOutcome, type Outcome, readOutcome } from "../../pipelines/batch/outcome.ts";
import type { Journal, JournalReader } from "../../pipelines/journal/journal.ts";
import { openJournalToRead } from "../../pipelines/journal/sqlite.ts";
import { type Passed, type Remembered, remember } from "../../pipelines/ownership/memory.ts";
import type { CommandContext } from "../arguments/command.ts";
import type { Tally } from "../session/budget.ts";
import { openOwnJournal } from "../session/own-journal.ts";
import { type Trace, UNTRACED } from "../session/trace.ts";
import { memoryFolder, recall } from "../session/who-is-who.ts";
import { batchFolder, journalOf, wordsFor } from "./athlete.ts";
import type { Athlete } from "./roster.ts";

/** The outcomes, the journals and the memory of a batch. */
export interface BatchStore {
  /** The last outcome of an athlete; undefined without one. */
  outcome(key: string): Promise<Outcome | undefined>;
  /** The last outcomes of all athletes, by key. An outcome that can't be read is left out. */
  outcomes(): Promise<ReadonlyMap<string, Outcome>>;
  keepOutcome(key: string, outcome: Outcome): Promise<void>;
  /** The evidence about all athletes in their earlier archives. */
  recall(): Promise<AsyncIterable<Remembered> | Iterable<Remembered>>;
  /** Keeps the evidence about an athlete, once the archives are in the log. */
  remember(passed: Passed): Promise<void>;
  /** The name of an athlete's journal, as outcomes and suggested commands say it: the path of a file, or `fleet:KEY`. */
  journalOf(athlete: Athlete): string;
  /** Words that lead other commands to an athlete's journal: `--profile ana`, `--journal FILE`. */
  wordsFor(athlete: Athlete): string;
  /** Opens the journal that the options of an athlete's context name. Only one can have it open. */
  openJournal(options: CommandContext["options"]): Promise<Journal>;
  /** Locks an account over all machines; absent where one machine does all of it. */
  readonly lockAccount?: (account: string, name: string) => Promise<{ release(): void | Promise<void> }>;
  /** Says whether requests to the log of the open journal may leave; absent where nobody else can take the journal over. */
  readonly permit?: Permit;
  /** The requests of the athlete so far, where another worker may have begun; absent where this process knows them all. */
  readonly tally?: Tally;
  /** Notes the parts and requests of the step that the store is for. */
  readonly trace: Trace;
  /** Opens a journal for reading, by the name that `journalOf` gave. */
  readJournal(name: string): Promise<JournalReader>;
}

/** The files of this machine's user. */
export const ON_THIS_MACHINE: BatchStore = {
  outcome: (key) => readOutcome(batchFolder(), key),
  async outcomes() {
    const names = await readdir(batchFolder()).catch(() => []);
    const keys = names.filter((name) => name.endsWith(".json")).map((name) => name.slice(0, -".json".length));
    const read = await Promise.all(
      keys.map(async (key) => [key, await readOutcome(batchFolder(), key).catch(() => undefined)] as const),
    );
    return new Map(read.flatMap(([key, outcome]) => (outcome === undefined ? [] : [[key, outcome]])));
  },
  keepOutcome: (key, outcome) => keepOutcome(batchFolder(), key, outcome),
  recall,
  remember: (passed) => remember(memoryFolder(), passed),
  journalOf,
  wordsFor,
  trace: UNTRACED,
  openJournal: openOwnJournal,
  readJournal: openJournalToRead,
};
