/**
 * The loader with one of its protections taken away, by changing the parts around it. The exploration must catch each of them. An exploration that
 * can't find anything proves nothing.
 */
import type { Fetcher, Outcome } from "../../connectors/api/exchange.ts";
import type { WireRequest } from "../../connectors/api/request.ts";
import type { Journal } from "../../pipelines/journal/journal.ts";
import type { LogEntry } from "../../pipelines/journal/remote-record.ts";
import type { List, MemoryDatabase, Mutant } from "./life.ts";

/** A missing protection, and the scenario that shows it. */
export interface MutantCase {
  readonly name: string;
  readonly mutant: Mutant;
  /** Name of the scenario. */
  readonly scenario: string;
  /** The faults it needs. */
  readonly faults: number;
  /** The violation that must be found. */
  readonly finds: RegExp;
}

/** A journal with some methods replaced. */
function changed(journal: Journal, methods: Partial<Journal>): Journal {
  return new Proxy(journal, {
    get(target, name) {
      const method = Reflect.get(methods, name) ?? Reflect.get(target, name, target);
      return typeof method === "function" ? method.bind(target) : method;
    },
  });
}

/** The loader sees what is written here, and the process loses it when it dies. */
async function lazily<T>(database: MemoryDatabase, write: () => Promise<T>): Promise<T> {
  database.isLazy = true;
  try {
    return await write();
  } finally {
    database.isLazy = false;
  }
}

/** Sends a POST once more when its outcome is of a kind. */
function repeating(isAgain: (outcome: Outcome, request: WireRequest) => boolean): (inner: Fetcher) => Fetcher {
  return (inner) => ({
    ...inner,
    async exchange(request, signal) {
      const outcome = await inner.exchange(request, signal);
      return request.method === "POST" && isAgain(outcome, request) ? inner.exchange(request, signal) : outcome;
    },
  });
}

async function* none(): AsyncGenerator<LogEntry> {}

/** Every listing after the first is the first one again, as out of a cache. */
function remembered(inner: List): List {
  const known = new Map<string, readonly LogEntry[]>();
  return async (kind, signal) => {
    if (!known.has(kind)) {
      const listing = await inner(kind, signal);
      if (listing === undefined) return undefined;
      const entries: LogEntry[] = [];
      for await (const entry of listing) entries.push(entry);
      known.set(kind, entries);
    }
    return (async function* () {
      yield* known.get(kind) ?? [];
    })();
  };
}

const SINGLE = "a single workout";
const EQUAL_WORKOUTS = "equal workouts, told apart by their words alone";
const FILE = "a device file with one workout";

/** A protection of the journal in PostgreSQL. */
export const OF_FLEET: MutantCase = {
  name: "a request leaves before its intent is in PostgreSQL",
  mutant: { replication: (inner) => ({ ...inner, keep: async () => undefined, end: () => inner.end() }) },
  scenario: SINGLE,
  faults: 1,
  finds: /^a was made 2 times/,
};

/** Every protection. */
export const MUTANTS: readonly MutantCase[] = [
  {
    name: "a request leaves before its intent is durable",
    mutant: {
      journal: (journal, database) =>
        changed(journal, { intend: (lines, now) => lazily(database, () => journal.intend(lines, now)) }),
    },
    scenario: SINGLE,
    faults: 1,
    finds: /^a was made 2 times/,
  },
  {
    name: "what was in flight when the process died is sent again",
    mutant: {
      journal: (journal) =>
        changed(journal, {
          async doubtful() {
            const lines = await journal.doubtful();
            for (const line of lines) if (line.state === "in-flight") await journal.receive(line, "planned", {});
            return lines.filter(({ state }) => state === "in-doubt");
          },
        }),
    },
    scenario: SINGLE,
    faults: 1,
    finds: /^a was made 2 times/,
  },
  {
    name: "the log is listed before a server had its time",
    mutant: { settleMs: 0 },
    scenario: SINGLE,
    faults: 1,
    finds: /^a was made 2 times/,
  },
  {
    name: "absence is concluded from the one listing that was made at once",
    mutant: { list: remembered },
    scenario: SINGLE,
    faults: 1,
    finds: /^a was made 2 times/,
  },
  {
    name: "a create is sent again after a 500",
    mutant: { fetcher: repeating((outcome) => outcome.kind === "answer" && outcome.status === 500) },
    scenario: SINGLE,
    faults: 1,
    finds: /^a was made 2 times/,
  },
  {
    name: "a create is sent again after a reset",
    mutant: { fetcher: repeating(({ kind }) => kind === "lost") },
    scenario: SINGLE,
    faults: 1,
    finds: /^a was made 2 times/,
  },
  {
    name: "an import is sent again after a lost answer",
    mutant: { fetcher: repeating(({ kind }, { path }) => kind === "lost" && path.includes("/workouts/fit")) },
    scenario: FILE,
    faults: 1,
    finds: /^ride was made 2 times/,
  },
  {
    name: "one record is given to two lines",
    mutant: {
      journal: (journal) =>
        changed(journal, {
          claimLog: async () => undefined,
          appeared: async (kind) => (await journal.appeared(kind)).flatMap((entry) => [entry, { ...entry }]),
        }),
    },
    scenario: EQUAL_WORKOUTS,
    faults: 2,
    finds: /^lost: /,
  },
  {
    name: "equal workouts are told apart by what the listing shows alone",
    mutant: { isBlind: true },
    scenario: EQUAL_WORKOUTS,
    faults: 2,
    finds: /^lost: /,
  },
  {
    name: "what was in the log before counts as made by us",
    mutant: {
      journal: (journal) =>
        changed(journal, {
          async takeListing(entries, isBaseline) {
            if (!isBaseline) await journal.takeListing(none(), true);
            return journal.takeListing(entries, isBaseline);
          },
        }),
    },
    scenario: "equal workouts, and one more that was in the log before",
    faults: 1,
    finds: /^lost: b/,
  },
  {
    name: "what an import made is not durable before it is written over",
    mutant: {
      journal: (journal, database) =>
        changed(journal, {
          receiveId: (line, state, patch, remoteRecord) =>
            state === "planned"
              ? lazily(database, () => journal.receiveId(line, state, patch, remoteRecord))
              : journal.receiveId(line, state, patch, remoteRecord),
          // One durable write makes the earlier ones durable.
          keepImported: (id, made) => lazily(database, () => journal.keepImported(id, made)),
          intend: (lines, now) =>
            lines.every(({ remoteId }) => remoteId !== undefined)
              ? lazily(database, () => journal.intend(lines, now))
              : journal.intend(lines, now),
        }),
    },
    scenario: "a device file, and a service that can't list",
    faults: 1,
    finds: /^ride is in doubt, and its id was known/,
  },
];

/** Not a protection: the note that a record is done may be lost with the process. The next run finds it out again. */
export const DONE_IS_LOST: Mutant = {
  journal: (journal, database) =>
    changed(journal, {
      receiveId: (line, state, patch, remoteRecord) =>
        state === "done"
          ? lazily(database, () => journal.receiveId(line, state, patch, remoteRecord))
          : journal.receiveId(line, state, patch, remoteRecord),
    }),
};
