/** The questions of the journal that change nothing. The file that knows the tables answers each of them. */
import type { Kind } from "../../transforms/model/item.ts";
import { readAccount } from "./account-rows.ts";
import { findImported } from "./as-imported.ts";
import { SqliteAuditTrail } from "./audit-trail.ts";
import { claimedTwice, logSize, losses, plannedOperations, readIssues } from "./count-rows.ts";
import type { IssueRow, LossRow, MonthRow, PlaceRow, ReasonRow, TallyRow } from "./counts.ts";
import type { JournalDatabase } from "./database.ts";
import type { JournalReader } from "./journal.ts";
import type { Line, LineOf, LineState, OpenLine, RecordLine, WorkoutLine } from "./line.ts";
import { doubtful, lineAt, linesInOrder, linesOfFile, lineWithKey, mergedInto, runInDoubt } from "./line-rows.ts";
import { writeRemoteRecord } from "./line-writes.ts";
import { lookedOf } from "./look-rows.ts";
import { openLinesOf, originsAmong } from "./open-rows.ts";
import type { AccountRef, AsImported, RemoteRecord } from "./remote-record.ts";
import { allRemoteRecords, findRemoteRecord } from "./remote-record-rows.ts";
import { monthsOf, readPlaces, reasonsOf, sentBetween, tallyOf, undoneOf, verifiedOf } from "./report-rows.ts";
import type { Looked, PlannedOperations, Run, VerifiedRun } from "./run.ts";
import { allRuns, runAt } from "./run-rows.ts";

/** A journal in an open database, to read. */
export class SqliteJournalReader implements JournalReader {
  readonly auditTrail: SqliteAuditTrail;
  protected readonly database: JournalDatabase;
  #isClosed = false;

  constructor(database: JournalDatabase) {
    this.database = database;
    this.auditTrail = new SqliteAuditTrail(database, (remoteRecord) => writeRemoteRecord(database, remoteRecord));
  }

  async mergedInto(run: number, key: string): Promise<readonly Line[]> {
    return mergedInto(this.database, run, key);
  }

  async line(run: number, seq: number): Promise<Line | undefined> {
    return lineAt(this.database, run, seq);
  }

  async lineWithKey(run: number, key: string): Promise<Line | undefined> {
    return lineWithKey(this.database, run, key);
  }

  async remoteRecord(key: string): Promise<RemoteRecord | undefined> {
    return findRemoteRecord(this.database, key);
  }

  async *allRemoteRecords(): AsyncIterable<RemoteRecord> {
    yield* allRemoteRecords(this.database);
  }

  async run(id?: number): Promise<Run | undefined> {
    return runAt(this.database, id);
  }

  async runs(): Promise<readonly Run[]> {
    return allRuns(this.database);
  }

  lines<K extends Kind>(run: number, filter: { state?: readonly LineState[]; kind: K }): AsyncIterable<LineOf<K>>;
  lines(run: number, filter: { state?: readonly LineState[] }): AsyncIterable<Line>;
  lines(run: number, filter: { state?: readonly LineState[]; kind?: Kind }): AsyncIterable<Line> {
    return linesInOrder(this.database, run, filter);
  }

  async linesOfFile(run: number, source: number, entry: string): Promise<readonly WorkoutLine[]> {
    return linesOfFile(this.database, run, source, entry);
  }

  async doubtful(): Promise<readonly RecordLine[]> {
    return doubtful(this.database);
  }

  async runInDoubt(key: string): Promise<number | undefined> {
    return runInDoubt(this.database, key);
  }

  async looked(run: number): Promise<Looked | undefined> {
    return lookedOf(this.database, run);
  }

  async claimedTwice(run: number): Promise<readonly string[]> {
    return claimedTwice(this.database, run);
  }

  async tally(run: number): Promise<readonly TallyRow[]> {
    return tallyOf(this.database, run);
  }

  async plannedOperations(run: number): Promise<readonly PlannedOperations[]> {
    return plannedOperations(this.database, run);
  }

  async logSize(kind: Kind): Promise<number> {
    return logSize(this.database, kind);
  }

  async losses(run: number): Promise<readonly LossRow[]> {
    return losses(this.database, run);
  }

  async issues(run: number): Promise<readonly IssueRow[]> {
    return readIssues(this.database, run);
  }

  async account(): Promise<AccountRef | undefined> {
    return readAccount(this.database);
  }

  async months(run: number): Promise<readonly MonthRow[]> {
    return monthsOf(this.database, run);
  }

  async places(run: number, states: readonly LineState[]): Promise<readonly PlaceRow[]> {
    return readPlaces(this.database, run, states);
  }

  async reasons(run: number): Promise<readonly ReasonRow[]> {
    return reasonsOf(this.database, run);
  }

  async openLines(run: number, others: readonly number[]): Promise<readonly OpenLine[]> {
    return openLinesOf(this.database, run, others);
  }

  async originsAmong(run: number, source: number, origins: readonly string[]): Promise<ReadonlySet<string>> {
    return originsAmong(this.database, run, source, origins);
  }

  async undone(run: number): Promise<number> {
    return undoneOf(this.database, run);
  }

  async sentBetween(run: number): Promise<{ readonly from: number; readonly until: number } | undefined> {
    return sentBetween(this.database, run);
  }

  async verified(run: number): Promise<VerifiedRun | undefined> {
    return verifiedOf(this.database, run);
  }

  async imported(id: string): Promise<AsImported | undefined> {
    return findImported(this.database, id);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.database.close();
  }
}
