/**
 * A journal that is kept elsewhere too. It is the journal of `sqlite-journal.ts`, and each method that promises to be durable settles only when its
 * changes are kept elsewhere. Changes are kept in the order of their commits. So whoever rebuilds the journal finds it as it was at one moment, and
 * everything that a durable change rests on is there with it.
 */
import type { AuditTrail, AuditTrailReader } from "./audit-trail.ts";
import { type JournalDatabase, openRecordedDatabase } from "./database.ts";
import type { Journal, JournalReader } from "./journal.ts";
import type { Links, LinksReader } from "./links.ts";
import { journalOn, readerOn } from "./sqlite-journal.ts";

/** The changes of a journal, for whoever keeps them elsewhere. */
export interface ChangeSource {
  /** Takes what was committed since the last call. @returns undefined when nothing has changed */
  take(): Uint8Array | undefined;
  /** Writes the whole journal to a new file, as it is after the changes that were taken last, if nothing was awaited since. */
  copyTo(path: string): void;
}

/** Keeps the changes of a journal elsewhere. */
export interface Replication {
  /** Settles when everything committed before this call is kept. @throws FatalError reason `journal` when it can't be kept */
  keep(): Promise<void>;
  /** Keeps the rest, and ends. @throws as `keep` */
  end(): Promise<void>;
}

/** What a method does: it only `asks`, it writes what may be lost with its process (`plans`), or what must be durable (`keeps`). */
type Effect = "asks" | "plans" | "keeps";

type Effects<T, R> = Readonly<Record<Exclude<keyof T, keyof R>, Effect>>;

const OF_JOURNAL: Omit<Effects<Journal, JournalReader>, "waiting"> = {
  identity: "keeps",
  bindAccount: "keeps",
  startPlan: "plans",
  addLine: "plans",
  patchLine: "plans",
  addIssue: "plans",
  planReady: "keeps",
  duplicateCandidates: "asks",
  lineWithIdentity: "asks",
  hasDuplicateFrom: "asks",
  takeListing: "keeps",
  missing: "asks",
  unlisted: "asks",
  knownWorkouts: "asks",
  knownWorkoutsAfter: "asks",
  strangersAmong: "asks",
  appeared: "asks",
  logHas: "asks",
  rowsAway: "asks",
  recordsInCommon: "asks",
  claimLog: "plans",
  logWithIdentity: "asks",
  keepRemoteRecord: "plans",
  keepImported: "keeps",
  setRunState: "keeps",
  addRequests: "keeps",
  intend: "keeps",
  receive: "keeps",
  receiveId: "keeps",
  isTaken: "asks",
  disown: "keeps",
  mixedUp: "asks",
  claimsInQuestion: "asks",
  exchange: "keeps",
  hasInLog: "asks",
  absentLines: "asks",
  surplus: "asks",
  seenSums: "asks",
  wasThere: "asks",
  setLooked: "keeps",
  setVerified: "keeps",
  nameDifferences: "keeps",
  keepInventory: "keeps",
};

const OF_AUDIT_TRAIL: Effects<AuditTrail, AuditTrailReader> = {
  recordDecision: "keeps",
  takeBack: "keeps",
  overwriting: "keeps",
  putBack: "keeps",
};

const OF_LINKS: Omit<Effects<Links, LinksReader>, "atomically"> = {
  keepAnswer: "keeps",
  forgetAnswer: "keeps",
  keepOwn: "plans",
  begin: "asks",
  keepPairs: "plans",
  dropPairs: "plans",
  unlink: "plans",
  dropIssue: "plans",
  activitiesInLog: "asks",
};

/** Writes of planning after which the changes so far are kept, so that they don't grow with the plan. */
const PLANNED_WRITES = 2_000;

/**
 * Opens a journal whose changes are kept elsewhere.
 *
 * @param path a file that `rebuildJournal` wrote
 * @param replicate keeps the changes
 * @throws FatalError reason `journal` as `openJournal`
 */
export function openReplicatedJournal(path: string, replicate: (source: ChangeSource) => Replication): Journal {
  return replicatedOn(openRecordedDatabase(path), replicate);
}

/**
 * Opens a rebuilt journal to read it.
 *
 * @param path a file that `rebuildJournal` wrote, and that nobody else uses
 * @throws FatalError reason `journal` as `openJournal`
 */
export function openRebuiltToRead(path: string): JournalReader {
  return readerOn(openRecordedDatabase(path));
}

/** A journal in an open database that records its changes (`JournalDatabase.record`). See `openReplicatedJournal`. */
export function replicatedOn(database: JournalDatabase, replicate: (source: ChangeSource) => Replication): Journal {
  const inner = journalOn(database, () => undefined);
  const replication = replicate({ take: () => database.takeChanges(), copyTo: (path) => database.copyTo(path) });
  let planned = 0;
  const after = async (effect: Effect) => {
    // The changes of a longer body are kept together at its end.
    if (effect === "asks" || database.isHeld) return;
    if (effect === "plans" && ++planned < PLANNED_WRITES) return;
    planned = 0;
    await replication.keep();
  };
  const atomically: Links["atomically"] = async (body) => {
    // Nothing else may be taken while the body is undecided.
    await replication.keep();
    await inner.links.atomically(body);
    await replication.keep();
  };
  let isClosed = false;
  const close = async () => {
    if (isClosed) return;
    isClosed = true;
    try {
      // What waits for the end of this turn is committed then.
      await new Promise(setImmediate);
      await replication.end();
    } finally {
      await inner.close();
    }
  };
  const links = { atomically };
  const auditTrail = followed(inner.auditTrail, OF_AUDIT_TRAIL, after, {});
  return followed(inner, OF_JOURNAL, after, {
    auditTrail,
    links: followed(inner.links, OF_LINKS, after, links),
    close,
    [Symbol.asyncDispose]: close,
  });
}

/** An object with other members, and with methods that are followed by a function of their effect. */
function followed<T extends object>(
  target: T,
  effects: Readonly<Record<string, Effect>>,
  after: (effect: Effect) => Promise<void>,
  others: Partial<T>,
): T {
  return new Proxy(target, {
    get(_target, name) {
      if (Object.hasOwn(others, name)) return Reflect.get(others, name);
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      const effect = typeof name === "string" && Object.hasOwn(effects, name) ? effects[name] : undefined;
      if (effect === undefined || effect === "asks") return member.bind(target);
      return async (...words: unknown[]) => {
        const result: unknown = await Reflect.apply(member, target, words);
        await after(effect);
        return result;
      };
    },
  });
}
