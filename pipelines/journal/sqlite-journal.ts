/**
 * The methods of the journal that write, and the questions that a run asks meanwhile. The file that knows the tables answers each of them.
 */
import type { LocalDate } from "../../transforms/calendar.ts";
import type { WorkoutFacts } from "../../transforms/duplicates.ts";
import type { Issue } from "../../transforms/model/issue.ts";
import type { Kind } from "../../transforms/model/item.ts";
import { bindAccount, identityOf } from "./account-rows.ts";
import { keepImported } from "./as-imported.ts";
import { CommitGroup } from "./commit-group.ts";
import type { JournalDatabase } from "./database.ts";
import type { Journal, MixedUp } from "./journal.ts";
import type { Line, LineOf, LinePatch, LineState, NewLine, WorkoutLine } from "./line.ts";
import { duplicateCandidates, hasDuplicateFrom, lineWithIdentity } from "./line-rows.ts";
import { addEvent, disownEach, patchLine, readState, receiveId, writeRemoteRecord } from "./line-writes.ts";
import {
  appeared,
  claimLog,
  knownWorkouts,
  knownWorkoutsAfter,
  logCandidates,
  logHas,
  logWithIdentity,
  missing,
  strangersAmong,
  takeListing,
  unlisted,
  wasThere,
} from "./log-rows.ts";
import { absentLines, claimsInQuestion, hasInLog, mixedUp, seenSums, setLooked, surplus } from "./look-rows.ts";
import { addIssue, addLine, planReady, startPlan } from "./plan-writes.ts";
import { exchange, holdersOf } from "./receipts.ts";
import type { AccountRef, AsImported, ClaimedEntry, LogEntry, RemoteRecord } from "./remote-record.ts";
import { setVerified } from "./report-rows.ts";
import type { Looked, RunOptions, RunSource, RunState, SeenSums, VerifiedRun } from "./run.ts";
import { addRequests, setRunState } from "./run-rows.ts";
import { SqliteJournalReader } from "./sqlite-journal-reader.ts";
import { SqliteWaitingRoom } from "./waiting.ts";

/** A journal in an open database. The caller takes care of its lock. */
export class SqliteJournal extends SqliteJournalReader implements Journal {
  readonly waiting: SqliteWaitingRoom;
  readonly #release: () => void;
  readonly #group: CommitGroup;
  #seq = 0;
  #closed = false;

  constructor(database: JournalDatabase, release: () => void) {
    super(database);
    this.#release = release;
    this.#group = new CommitGroup(database);
    this.waiting = new SqliteWaitingRoom(database);
  }

  async bindAccount(account: AccountRef): Promise<void> {
    bindAccount(this.database, account);
  }

  async identity(): Promise<string> {
    return identityOf(this.database);
  }

  async startPlan(sources: readonly RunSource[], options: RunOptions, now: number): Promise<number> {
    const run = startPlan(this.database, sources, options, now);
    this.waiting.open();
    this.#seq = 0;
    return run;
  }

  async addLine(run: number, line: NewLine): Promise<number> {
    this.database.beginChunk();
    addLine(this.database, run, ++this.#seq, line);
    return this.#seq;
  }

  async patchLine(run: number, seq: number, patch: LinePatch & { state?: LineState }): Promise<void> {
    this.database.beginChunk();
    patchLine(this.database, run, seq, patch);
  }

  async addIssue(run: number, issue: Issue): Promise<void> {
    this.database.beginChunk();
    addIssue(this.database, run, issue);
  }

  async planReady(run: number, read: number): Promise<void> {
    this.database.beginChunk();
    planReady(this.database, run, read);
  }

  async duplicateCandidates(run: number, facts: WorkoutFacts): Promise<readonly WorkoutLine[]> {
    return duplicateCandidates(this.database, run, facts);
  }

  async lineWithIdentity<K extends Kind>(run: number, kind: K, identity: string): Promise<LineOf<K> | undefined> {
    return lineWithIdentity(this.database, run, kind, identity);
  }

  async hasDuplicateFrom(run: number, key: string, source: number): Promise<boolean> {
    return hasDuplicateFrom(this.database, run, key, source);
  }

  async takeListing(entries: AsyncIterable<LogEntry>, isBaseline: boolean): Promise<number> {
    return takeListing(this.database, entries, isBaseline);
  }

  async missing(kind: Kind, most: number): Promise<readonly string[]> {
    return missing(this.database, kind, most);
  }

  async unlisted(kind: Kind, most: number): Promise<readonly string[]> {
    return unlisted(this.database, kind, most);
  }

  async knownWorkouts(run: number): Promise<number> {
    return knownWorkouts(this.database, run);
  }

  async knownWorkoutsAfter(run: number, day: LocalDate): Promise<number> {
    return knownWorkoutsAfter(this.database, run, day);
  }

  async strangersAmong(entries: readonly LogEntry[]): Promise<readonly LogEntry[]> {
    return strangersAmong(this.database, entries);
  }

  async appeared(kind: Kind): Promise<readonly LogEntry[]> {
    return appeared(this.database, kind);
  }

  async logCandidates(run: number, facts: WorkoutFacts, activityID: number): Promise<readonly ClaimedEntry[]> {
    return logCandidates(this.database, run, facts, activityID);
  }

  async seenSums(run: number): Promise<SeenSums> {
    return seenSums(this.database, run);
  }

  async wasThere(kind: Kind, id: string): Promise<boolean> {
    return wasThere(this.database, kind, id);
  }

  async logHas(kind: Kind, id: string): Promise<boolean> {
    return logHas(this.database, kind, id);
  }

  async claimLog(kind: Kind, id: string, key: string): Promise<void> {
    claimLog(this.database, kind, id, key);
  }

  async logWithIdentity(run: number, kind: Kind, identity?: string): Promise<readonly ClaimedEntry[]> {
    return logWithIdentity(this.database, run, kind, identity);
  }

  async keepRemoteRecord(remoteRecord: RemoteRecord): Promise<void> {
    this.database.beginChunk();
    writeRemoteRecord(this.database, remoteRecord);
  }

  async addRequests(run: number, requests: number): Promise<void> {
    addRequests(this.database, run, requests);
  }

  async setRunState(run: number, state: RunState, now: number): Promise<void> {
    setRunState(this.database, run, state, now);
  }

  async intend(lines: readonly Line[], now: number): Promise<void> {
    await this.#group.add(() => {
      this.database.checkFile();
      for (const line of lines) {
        const before = readState(this.database, line);
        patchLine(this.database, line.run, line.seq, { state: "in-flight", intendedAt: now });
        addEvent(this.database, line, { at: now, from: before, to: "in-flight" });
      }
    });
  }

  async receive(line: Line, state: LineState, patch: LinePatch, remoteRecord?: RemoteRecord): Promise<void> {
    await this.#group.add(() => {
      const before = readState(this.database, line);
      patchLine(this.database, line.run, line.seq, { ...patch, state });
      addEvent(this.database, line, { at: Date.now(), from: before, to: state, note: patch.reason });
      if (remoteRecord !== undefined) writeRemoteRecord(this.database, remoteRecord);
    });
  }

  async receiveId(
    line: Line,
    state: "planned" | "done",
    patch: LinePatch,
    remoteRecord: RemoteRecord,
  ): Promise<boolean> {
    let isOurs = true;
    await this.#group.add(() => {
      isOurs = receiveId(this.database, line, state, patch, remoteRecord);
    });
    return isOurs;
  }

  async isTaken(line: Line, kind: Kind, id: string): Promise<boolean> {
    this.#group.flush();
    return holdersOf(this.database, line, kind, id).isTaken;
  }

  async disown(lines: readonly Line[], reason: string): Promise<void> {
    await this.#group.add(() => disownEach(this.database, lines, reason));
  }

  async mixedUp(run: number, kind: Kind): Promise<readonly MixedUp[]> {
    return mixedUp(this.database, run, kind);
  }

  async claimsInQuestion(kind: Kind, since: boolean): Promise<readonly MixedUp[]> {
    this.#group.flush();
    return claimsInQuestion(this.database, kind, since);
  }

  async exchange(kind: Kind, ids: ReadonlyMap<string, string>): Promise<void> {
    await this.#group.add(() => exchange(this.database, kind, ids));
  }

  async hasInLog(run: number, kind: Kind): Promise<boolean> {
    return hasInLog(this.database, run, kind);
  }

  async absentLines(run: number, kind: Kind): Promise<readonly Line[]> {
    return absentLines(this.database, run, kind);
  }

  async surplus(run: number, kind: Kind): Promise<Pick<Looked, "surplus" | "before">> {
    const isRestore = (await this.run(run))?.options.restores !== undefined;
    return surplus(this.database, run, kind, isRestore);
  }

  async setLooked(run: number, looked: Looked | undefined): Promise<void> {
    setLooked(this.database, run, looked);
  }

  async setVerified(run: number, verified: VerifiedRun): Promise<void> {
    this.database.commit();
    setVerified(this.database, run, verified);
  }

  async keepImported(id: string, made: AsImported): Promise<void> {
    await this.#group.add(() => keepImported(this.database, id, made));
  }

  override async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    try {
      this.#group.flush();
      this.database.close();
    } finally {
      this.#release();
    }
  }
}
