/** The journal in an open database. The files that know the tables answer its questions; this file puts their functions together. */
import { FatalError } from "../../connectors/errors.ts";
import { bindAccount, identityOf, readAccount } from "./account-rows.ts";
import { remembered } from "./answers.ts";
import { findImported, keepImported } from "./as-imported.ts";
import { SqliteAuditTrail } from "./audit-trail.ts";
import {
  claimedTwice,
  filled,
  filledBefore,
  logSize,
  losses,
  minorValues,
  notAdded,
  plannedOperations,
  readIssues,
  unreadValues,
} from "./count-rows.ts";
import type { JournalDatabase } from "./database.ts";
import { inventoryOf, inventoryTakenAt, keepInventory } from "./inventory-rows.ts";
import type { Journal, JournalReader } from "./journal.ts";
import * as lines from "./line-rows.ts";
import { addEvent, disownEach, patchLine, readState, receiveId, writeRemoteRecord } from "./line-writes.ts";
import { keepBefore, SqliteLinks } from "./links.ts";
import * as log from "./log-rows.ts";
import * as looks from "./look-rows.ts";
import { nameDifferences, namedBefore, wasSeenAsSent } from "./named-rows.ts";
import { entriesRead, exchanged, openLinesOf, originsAmong, wholeEntries } from "./open-rows.ts";
import { addIssue, addLine, planReady, startPlan } from "./plan-writes.ts";
import { exchange, holdersOf } from "./receipts.ts";
import { allRemoteRecords, findRemoteRecord, loadedLine, sentTo } from "./remote-record-rows.ts";
import {
  monthsOf,
  readPlaces,
  reasonsOf,
  sentBetween,
  setVerified,
  tallyOf,
  undoneOf,
  verifiedOf,
} from "./report-rows.ts";
import { addRequests, allRuns, runAt, setRunState } from "./run-rows.ts";
import { SqliteWaitingRoom } from "./waiting.ts";

/** The questions of a reader, each with the function that answers it. */
const QUESTIONS = {
  run: runAt,
  runs: allRuns,
  line: lines.lineAt,
  lineWithKey: lines.lineWithKey,
  assumesTimes: lines.assumesTimes,
  mergedInto: lines.mergedInto,
  linesOfFile: lines.linesOfFile,
  doubtful: lines.doubtful,
  runInDoubt: lines.runInDoubt,
  remoteRecord: findRemoteRecord,
  loadedLine,
  imported: findImported,
  claimedTwice,
  tally: remembered("tally", tallyOf),
  plannedOperations,
  logSize,
  logCandidates: log.logCandidates,
  logEntry: log.logEntry,
  losses,
  notAdded: remembered("notAdded", notAdded),
  unreadValues: remembered("unreadValues", unreadValues),
  minorValues,
  filled: remembered("filled", filled),
  filledBefore,
  sentTo,
  issues: readIssues,
  account: readAccount,
  months: monthsOf,
  places: readPlaces,
  reasons: reasonsOf,
  sentBetween,
  undone: undoneOf,
  looked: looks.lookedOf,
  openLines: openLinesOf,
  originsAmong,
  exchanged,
  wholeEntries,
  entriesRead,
  verified: verifiedOf,
  namedBefore,
  wasSeenAsSent,
  inventoryTakenAt,
  inventory: inventoryOf,
};

/** What a run asks and writes besides, as far as one function does it. */
const METHODS = {
  bindAccount,
  identity: identityOf,
  hasDuplicateFrom: lines.hasDuplicateFrom,
  duplicateCandidates: lines.duplicateCandidates,
  takeListing: log.takeListing,
  missing: log.missing,
  unlisted: log.unlisted,
  knownWorkouts: log.knownWorkouts,
  knownWorkoutsAfter: log.knownWorkoutsAfter,
  strangersAmong: log.strangersAmong,
  appeared: log.appeared,
  logHas: log.logHas,
  rowsAway: log.rowsAway,
  recordsInCommon: log.recordsInCommon,
  claimLog: log.claimLog,
  logWithIdentity: log.logWithIdentity,
  wasThere: log.wasThere,
  setRunState,
  addRequests,
  mixedUp: looks.mixedUp,
  hasInLog: looks.hasInLog,
  absentLines: looks.absentLines,
  seenSums: looks.seenSums,
  setLooked: looks.setLooked,
  nameDifferences,
  keepInventory,
};

type OnDatabase = (database: JournalDatabase, ...words: never[]) => unknown;

/** Functions of the database as methods that answer with promises. */
type MethodsOf<F> = {
  readonly [K in keyof F]: F[K] extends (database: JournalDatabase, ...words: infer W) => infer R
    ? (...words: W) => Promise<Awaited<R>>
    : never;
};

function methodsOn<F extends Readonly<Record<string, OnDatabase>>>(database: JournalDatabase, all: F): MethodsOf<F> {
  const methods = Object.entries(all).map(([name, does]) => [
    name,
    async (...words: never[]) => does(database, ...words),
  ]);
  return Object.fromEntries(methods) as MethodsOf<F>;
}

type LineFilter = Parameters<typeof lines.linesInOrder>[2];

function questionsOn(database: JournalDatabase) {
  return {
    ...methodsOn(database, QUESTIONS),
    auditTrail: new SqliteAuditTrail(database, (remoteRecord) => writeRemoteRecord(database, remoteRecord)),
    links: new SqliteLinks(database),
    lines: ((run: number, filter: LineFilter) => lines.linesInOrder(database, run, filter)) as JournalReader["lines"],
    allRemoteRecords: () => allRemoteRecords(database),
  };
}

/** A journal in an open database, to read. */
export function readerOn(database: JournalDatabase): JournalReader {
  let isClosed = false;
  const close = async () => {
    if (!isClosed) database.close();
    isClosed = true;
  };
  return { ...questionsOn(database), close, [Symbol.asyncDispose]: close };
}

type Planning = "startPlan" | "addLine" | "patchLine" | "addIssue" | "planReady" | "keepRemoteRecord";

/** What planning writes. Its rows are committed in chunks. */
function planningOn(database: JournalDatabase): Pick<Journal, "waiting" | "links" | Planning> {
  const waiting = new SqliteWaitingRoom(database);
  const links = new SqliteLinks(database);
  let lastSeq = 0;
  return {
    waiting,
    links,
    async startPlan(sources, options, now) {
      links.end();
      const run = startPlan(database, sources, options, now);
      waiting.open();
      lastSeq = 0;
      return run;
    },
    async addLine(run, line) {
      database.beginChunk();
      addLine(database, run, ++lastSeq, line);
      return lastSeq;
    },
    async patchLine(run, seq, patch) {
      database.beginChunk();
      const { state, value, duplicateOf } = patch;
      const isOther = state !== undefined || value !== undefined || duplicateOf !== undefined;
      if (links.keepsBefore && isOther) keepBefore(database, run, seq, value !== undefined);
      patchLine(database, run, seq, patch);
    },
    async addIssue(run, issue) {
      database.beginChunk();
      addIssue(database, run, issue);
    },
    async planReady(run, read) {
      database.beginChunk();
      planReady(database, run, read);
    },
    async keepRemoteRecord(remoteRecord) {
      database.beginChunk();
      writeRemoteRecord(database, remoteRecord);
    },
  };
}

type Receipts =
  | "intend"
  | "receive"
  | "receiveId"
  | "disown"
  | "exchange"
  | "keepImported"
  | "isTaken"
  | "claimsInQuestion";

/** The intents and receipts of requests, which become durable together. */
function receiptsOn(database: JournalDatabase, group: CommitGroup): Pick<Journal, Receipts> {
  return {
    intend: (those, now) =>
      group.addIntent(() => {
        database.checkFile();
        for (const line of those) {
          const before = readState(database, line);
          patchLine(database, line.run, line.seq, { state: "in-flight", intendedAt: now });
          addEvent(database, line, { at: now, from: before, to: "in-flight" });
        }
      }),
    receive: (line, state, patch, remoteRecord) =>
      group.add(() => {
        const before = readState(database, line);
        patchLine(database, line.run, line.seq, { ...patch, state });
        addEvent(database, line, { at: Date.now(), from: before, to: state, note: patch.reason });
        if (remoteRecord !== undefined) writeRemoteRecord(database, remoteRecord);
      }),
    async receiveId(line, state, patch, remoteRecord) {
      let isOurs = true;
      await group.add(() => {
        isOurs = receiveId(database, line, state, patch, remoteRecord);
      });
      return isOurs;
    },
    disown: (those, reason) => group.add(() => disownEach(database, those, reason)),
    exchange: (kind, ids) => group.add(() => exchange(database, kind, ids)),
    keepImported: (id, made) => group.add(() => keepImported(database, id, made)),

    // These two ask what the receipts say that are about to be written.
    async isTaken(line, kind, id) {
      group.flush();
      return holdersOf(database, line, kind, id).isTaken;
    },
    async claimsInQuestion(kind, since) {
      group.flush();
      return looks.claimsInQuestion(database, kind, since);
    },
  };
}

/** A journal in an open database. The caller takes care of its lock, which `release` gives back. */
export function journalOn(database: JournalDatabase, release: () => void): Journal {
  const group = new CommitGroup(database);
  let isClosed = false;
  const close = async () => {
    if (isClosed) return;
    isClosed = true;
    try {
      group.flush();
      await database.settle();
      database.close();
    } finally {
      release();
    }
  };
  return {
    ...questionsOn(database),
    ...methodsOn(database, METHODS),
    ...planningOn(database),
    ...receiptsOn(database, group),
    lineWithIdentity: async (run, kind, identity) => lines.lineWithIdentity(database, run, kind, identity),
    async surplus(run, kind) {
      const isRestore = runAt(database, run)?.options.restores !== undefined;
      return looks.surplus(database, run, kind, isRestore);
    },
    async setVerified(run, verified) {
      database.commit();
      setVerified(database, run, verified);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

// Makes the intents and receipts of several open requests durable together. A commit costs a wait for the disk, which is the same for one
// line and for eight. So logferry first handles all answers that have arrived, and then commits their writes together.

/**
 * Most turns of the event loop that writes wait for others. A turn takes microseconds, and a commit about a millisecond. With 8 requests in flight,
 * 3,000 workouts took 760 commits without another turn, 500 with one, 430 with two, and 410 with three.
 */
const MOST_TURNS = 2;

interface Asked {
  readonly isIntent: boolean;
  readonly body: () => void;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Collects writes into one transaction, until a turn of the event loop brings no more of them. It waits for the disk while the process goes on.
 */
class CommitGroup {
  readonly #database: JournalDatabase;
  #asked: Asked[] = [];

  constructor(database: JournalDatabase) {
    this.#database = database;
  }

  /**
   * Runs a body in a transaction, which may contain other bodies too.
   *
   * @returns settles when the writes are durable
   * @throws the error of this body, without effect on the others; or the error that prevents writing to the journal
   */
  add(body: () => void): Promise<void> {
    return this.#ask(body, false);
  }

  /** Does the same for an intent. Once the disk failed, no intent is written: its request would leave before the run stops. */
  addIntent(body: () => void): Promise<void> {
    return this.#ask(body, true);
  }

  #ask(body: () => void, isIntent: boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#asked.push({ isIntent, body, resolve, reject }) === 1) this.#flushSoon(0, MOST_TURNS);
    });
  }

  #flushSoon(seen: number, turns: number): void {
    setImmediate(() => {
      const many = this.#asked.length;
      if (turns > 0 && many > seen) this.#flushSoon(many, turns - 1);
      else this.flush();
    });
  }

  /** Commits all bodies so far. They have run when this returns, and those who wait for them hear when they are durable. */
  flush(): void {
    const asked = this.#asked;
    if (asked.length === 0) return;
    this.#asked = [];
    try {
      const durable = this.#transact(asked);
      for (const { resolve, reject } of asked) durable.then(resolve, reject);
    } catch (error) {
      // One of several bodies failed, or the disk did. Each body is committed alone, so that each caller gets its own result. After a failure
      // of the disk, receipts get this second chance, and intents don't.
      const isDisk = error instanceof FatalError;
      for (const one of asked) {
        if (asked.length === 1 || (isDisk && one.isIntent)) one.reject(error);
        else this.#commitAlone(one);
      }
    }
  }

  #commitAlone(one: Asked): void {
    try {
      this.#transact([one]).then(one.resolve, one.reject);
    } catch (error) {
      one.reject(error);
    }
  }

  #transact(asked: readonly Asked[]): Promise<void> {
    this.#database.commit();
    return this.#database.transactionSoon(() => {
      for (const { body } of asked) body();
    });
  }
}
