/** The databases that a log can be stored in, for tests that run on each. */
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { inject } from "vitest";

/** Makes an empty place for a log and gives its address, as `startService` takes it. */
export type NewDatabase = () => Promise<string>;

/** The databases by name. */
export const STORES = {
  "SQLite in memory": async () => ":memory:",
  "SQLite in a file": async () => join(mkdtempSync(join(inject("folder"), "log-")), "log.db"),
  PostgreSQL: async () => {
    const answer = await fetch(inject("newDatabases"));
    const text = await answer.text();
    if (!answer.ok) throw new Error(text);
    return text;
  },
} satisfies Record<string, NewDatabase>;

/** The databases that outlive the process. */
export const LASTING_STORES = ["SQLite in a file", "PostgreSQL"] as const;
