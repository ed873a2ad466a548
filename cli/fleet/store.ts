/** What a batch knows, in the PostgreSQL of a fleet. */
import { join } from "node:path";
import type { FleetAthletes } from "../../pipelines/fleet/athletes.ts";
import { openJournal, openJournalToRead } from "../../pipelines/journal/sqlite.ts";
import { shellWord } from "../../transforms/text/shell.ts";
import { userFolders } from "../arguments/config.ts";
import type { BatchStore } from "../batch/store.ts";
import type { Fleet } from "./open.ts";

/** Before a journal's name in the fleet, where other journals have a path. */
const FLEET_JOURNAL = "fleet:";

/** @param folder of this worker, on its own disk */
export function fleetStore(athletes: FleetAthletes, folder: string): BatchStore {
  const pathOf = (journal: string) => join(folder, `${journal.slice(FLEET_JOURNAL.length)}.journal.db`);
  const journalOf = ({ key }: { readonly key: string }) => `${FLEET_JOURNAL}${key}`;
  const atEnd = async () => {
    throw new Error("A fleet keeps what it knows of an athlete with the end of their step");
  };
  return {
    outcome: (key) => athletes.outcome(key),
    outcomes: () => athletes.outcomes(),
    keepOutcome: atEnd,
    recall: () => athletes.memories(),
    remember: atEnd,
    journalOf,
    wordsFor: (athlete) => `--journal ${shellWord(journalOf(athlete))}`,
    openJournal: ({ journal = "" }) => openJournal(pathOf(journal)),
    readJournal: (journal) => openJournalToRead(pathOf(journal)),
  };
}

/** A store for a command that only reads. */
export function withReadingStore<T>({ athletes }: Fleet, body: (store: BatchStore) => Promise<T>): Promise<T> {
  return body(fleetStore(athletes, join(userFolders().data, "fleet")));
}
