/**
 * The journal in one SQLite file.
 */
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { SQLInputValue } from "node:sqlite";
import { FatalError } from "../../connectors/errors.ts";
import type { LocalDate } from "../../transforms/calendar.ts";
import type { WorkoutFacts } from "../../transforms/duplicates.ts";
import { TWIN_TOLERANCE } from "../../transforms/duplicates.ts";
import type { Issue } from "../../transforms/model/issue.ts";
import type { Kind } from "../../transforms/model/item.ts";
import { SqliteCustody } from "./audit-trail.ts";
import { CommitGroup } from "./commit-group.ts";
import type { PlannedOperations } from "./cost.ts";
import { type JournalDatabase, openJournalDatabase, openJournalDatabaseToRead } from "./database.ts";
import {
  type AccountRef,
  type ClaimedEntry,
  EDGES,
  type IssueRow,
  type Journal,
  type JournalReader,
  type Line,
  type LinePatch,
  type LineState,
  type LogEntry,
  type LossRow,
  type MonthRow,
  type NewLine,
  type Placed,
  type PlaceRow,
  type ReasonRow,
  type Run,
  type RunOptions,
  type RunSource,
  type RunState,
  type TallyRow,
  type VerifiedRun,
} from "./journal.ts";
import { takeLock } from "./lock.ts";
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
} from "./log-rows.ts";
import { refuseNetwork, type StatFs } from "./place.ts";
import { monthsOf, placesOf, reasonsOf, sentBetween, setVerified, undoneOf, verifiedOf } from "./report-rows.ts";
import {
  FACT_COLUMNS,
  factColumns,
  lineFrom,
  localSeconds,
  lossRowFrom,
  placedFrom,
  type Row,
  runFrom,
  tallyRowFrom,
} from "./rows.ts";

/** Lines read at a time: what is in memory, however long the plan. */
const LINES_PER_READ = 200;

/** What is other than usual. */
export interface OpenJournalOptions {
  /** Its owner says that no other machine uses it: it may lie on a network file system. */
  readonly onNetwork?: boolean | undefined;
  readonly statfs?: StatFs;
}

/**
 * Opens or makes the journal at a path (mode 0600), and takes its lock.
 *
 * @throws FatalError reason `locked` when another process has it; reason `journal` when it is not a journal, is damaged,
 * was made by a newer logferry, or lies where locks can't be relied on
 */
export async function openJournal(path: string, options: OpenJournalOptions = {}): Promise<Journal> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  if (options.onNetwork !== true) refuseNetwork(dirname(path), options.statfs);
  const lock = takeLock(path);
  try {
    return new SqliteJournal(openJournalDatabase(path), lock.release);
  } catch (error) {
    lock.release();
    throw error;
  }
}

/**
 * Opens a journal to look at it, without its lock: also while another process works with it.
 *
 * @throws FatalError as `openJournal`; reason `locked` only where an older logferry holds a journal of its own time
 */
export async function openJournalToRead(path: string): Promise<JournalReader> {
  let database = openJournalDatabaseToRead(path);
  if (database === undefined) {
    await (await openJournal(path)).close();
    database = openJournalDatabaseToRead(path);
  }
  if (database === undefined) throw new Error(`Cannot read ${path}: it is still of an older logferry`);
  return new SqliteJournal(database, () => undefined);
}

/** A journal in a database that is open already, and whose lock is the caller's matter. */
export class SqliteJournal implements Journal {
  readonly custody: SqliteCustody;
  readonly #database: JournalDatabase;
  readonly #release: () => void;
  readonly #group: CommitGroup;
  #seq = 0;
  #closed = false;

  constructor(database: JournalDatabase, release: () => void) {
    this.#database = database;
    this.#release = release;
    this.#group = new CommitGroup(database);
    this.custody = new SqliteCustody(database, (placed) => this.#place(placed));
  }

  async bindAccount(account: AccountRef): Promise<void> {
    this.#database.commit();
    const bound = this.#database.get("SELECT base_url, user_hash, name FROM account");
    if (bound === undefined) {
      this.#database.run(
        "INSERT INTO account (one, base_url, user_hash, name) VALUES (1, ?, ?, ?)",
        account.baseUrl,
        account.userHash,
        account.name,
      );
      return;
    }
    if (bound.base_url === account.baseUrl && bound.user_hash === account.userHash) return;
    throw new FatalError(
      "journal/other-account",
      "journal",
      `Cannot use this journal: it belongs to ${bound.name} at ${bound.base_url}, and the token is of ${account.name} at ${account.baseUrl}. ` +
        "Name another with --journal, or log in to that account.",
    );
  }

  async startPlan(sources: readonly RunSource[], options: RunOptions, now: number): Promise<number> {
    this.#database.commit();
    this.#database.transaction(() => {
      for (const { id } of this.#database.all("SELECT id FROM run WHERE state = 'planning'")) {
        this.#database.run("DELETE FROM line WHERE run = ?", Number(id));
        this.#database.run("DELETE FROM issue WHERE run = ?", Number(id));
        this.#database.run("DELETE FROM run WHERE id = ?", Number(id));
      }
      this.#database.run(
        "INSERT INTO run (state, created_at, sources, options) VALUES ('planning', ?, ?, ?)",
        now,
        JSON.stringify(sources),
        JSON.stringify(options),
      );
    });
    this.#seq = 0;
    return Number(this.#database.get("SELECT max(id) AS id FROM run")?.id);
  }

  async addLine(run: number, line: NewLine): Promise<number> {
    this.#database.beginPiece();
    this.#seq++;
    const track = line.value !== undefined && "track" in line.value ? line.value.track : undefined;
    this.#database.run(
      `INSERT INTO line (run, seq, key, kind, source, origin, entry, entry_source, state, action, carrier, content, value, reason, twin,
         activity, date, time, local_s, instant, metres, seconds, identity, issue, as_read, takes_up)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      run,
      this.#seq,
      line.key,
      line.kind,
      line.source,
      JSON.stringify(line.origin),
      track?.entry ?? null,
      track?.source ?? null,
      line.state,
      line.action,
      line.carrier ?? null,
      line.content ?? null,
      line.value === undefined ? null : JSON.stringify(line.value),
      line.reason ?? null,
      line.twin ?? null,
      ...factColumns(line.facts),
      line.identity ?? null,
      line.issue === undefined ? null : JSON.stringify(line.issue),
      line.asRead === undefined ? null : JSON.stringify(line.asRead),
      line.takesUp ?? null,
    );
    return this.#seq;
  }

  async patchLine(run: number, seq: number, patch: LinePatch & { state?: LineState }): Promise<void> {
    this.#database.beginPiece();
    this.#patch(run, seq, patch);
  }

  async addIssue(run: number, issue: Issue): Promise<void> {
    this.#database.beginPiece();
    this.#database.run(
      `INSERT INTO issue (run, severity, rule, count, example) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (run, rule, severity) DO UPDATE SET count = count + excluded.count`,
      run,
      issue.severity,
      issue.rule,
      1,
      JSON.stringify(issue),
    );
  }

  async planReady(run: number, read: number): Promise<void> {
    this.#database.beginPiece();
    this.#database.run("UPDATE run SET state = 'planned', read = ? WHERE id = ?", read, run);
    this.#database.run(
      "UPDATE run SET state = 'superseded' WHERE id < ? AND state IN ('planned', 'running', 'stopped')",
      run,
    );
    this.#database.commit();
  }

  async twinCandidates(run: number, facts: WorkoutFacts): Promise<readonly Line[]> {
    if (facts.activity === undefined) return [];
    const found = new Map<number, Line>();
    const collect = (rows: readonly Row[]) => {
      for (const row of rows) if (row.state === "planned") found.set(Number(row.seq), lineFrom(row));
    };
    // Without statistics SQLite would walk a run's whole primary key: each query of planning names its index.
    const by = (index: string) =>
      `SELECT * FROM line INDEXED BY ${index} WHERE kind = 'workout' AND run = ? AND activity = ?`;
    const select = by("line_local");
    const local = localSeconds(facts);
    if (facts.time === undefined) {
      collect(
        this.#database.all(`${select} AND local_s >= ? AND local_s < ?`, run, facts.activity, local, local + 86_400),
      );
    } else {
      const { seconds } = TWIN_TOLERANCE;
      collect(
        this.#database.all(
          `${select} AND local_s BETWEEN ? AND ?`,
          run,
          facts.activity,
          local - seconds,
          local + seconds,
        ),
      );
      const midnight = localSeconds({ ...facts, time: undefined });
      collect(this.#database.all(`${select} AND local_s = ? AND time IS NULL`, run, facts.activity, midnight));
      if (facts.instant !== undefined) {
        const ms = seconds * 1000;
        collect(
          this.#database.all(
            `${by("line_instant")} AND instant IS NOT NULL AND instant BETWEEN ? AND ?`,
            run,
            facts.activity,
            facts.instant - ms,
            facts.instant + ms,
          ),
        );
      }
    }
    return [...found.values()].sort((a, b) => a.seq - b.seq);
  }

  async lineWithIdentity(run: number, kind: Kind, identity: string): Promise<Line | undefined> {
    const row = this.#database.get(
      "SELECT * FROM line INDEXED BY line_identity WHERE run = ? AND kind = ? AND identity = ? AND state = 'planned' ORDER BY seq LIMIT 1",
      run,
      kind,
      identity,
    );
    return row === undefined ? undefined : lineFrom(row);
  }

  async hasTwinFrom(run: number, key: string, source: number): Promise<boolean> {
    return (
      this.#database.get(
        "SELECT 1 AS yes FROM line INDEXED BY line_twin WHERE run = ? AND twin = ? AND source = ?",
        run,
        key,
        source,
      ) !== undefined
    );
  }

  async mergedInto(run: number, key: string): Promise<readonly Line[]> {
    return this.#database
      .all(
        "SELECT * FROM line INDEXED BY line_twin WHERE run = ? AND twin = ? AND state = 'merged' AND key <> twin ORDER BY seq",
        run,
        key,
      )
      .map(lineFrom);
  }

  async line(run: number, seq: number): Promise<Line | undefined> {
    const row = this.#database.get("SELECT * FROM line WHERE run = ? AND seq = ?", run, seq);
    return row === undefined ? undefined : lineFrom(row);
  }

  async lineWithKey(run: number, key: string): Promise<Line | undefined> {
    const row = this.#database.get(
      "SELECT * FROM line INDEXED BY line_key WHERE run = ? AND key = ? ORDER BY seq LIMIT 1",
      run,
      key,
    );
    return row === undefined ? undefined : lineFrom(row);
  }

  async takeListing(entries: AsyncIterable<LogEntry>, isBaseline: boolean): Promise<number> {
    return takeListing(this.#database, entries, isBaseline);
  }

  async missing(kind: Kind, most: number): Promise<readonly string[]> {
    return missing(this.#database, kind, most);
  }

  async unlisted(kind: Kind, most: number): Promise<readonly string[]> {
    return unlisted(this.#database, kind, most);
  }

  async knownWorkouts(run: number): Promise<number> {
    return knownWorkouts(this.#database, run);
  }

  async knownWorkoutsAfter(run: number, day: LocalDate): Promise<number> {
    return knownWorkoutsAfter(this.#database, run, day);
  }

  async strangersAmong(entries: readonly LogEntry[]): Promise<readonly LogEntry[]> {
    return strangersAmong(this.#database, entries);
  }

  async appeared(kind: Kind): Promise<readonly LogEntry[]> {
    return appeared(this.#database, kind);
  }

  async logCandidates(run: number, facts: WorkoutFacts, activityID: number): Promise<readonly ClaimedEntry[]> {
    return logCandidates(this.#database, run, facts, activityID);
  }

  async logHas(kind: Kind, id: string): Promise<boolean> {
    return logHas(this.#database, kind, id);
  }

  async claimLog(kind: Kind, id: string, key: string): Promise<void> {
    claimLog(this.#database, kind, id, key);
  }

  async logWithIdentity(run: number, kind: Kind, identity: string): Promise<readonly ClaimedEntry[]> {
    return logWithIdentity(this.#database, run, kind, identity);
  }

  async placed(key: string): Promise<Placed | undefined> {
    let current: string | undefined = key;
    // A merge into a record that was itself merged later makes a short chain; a cycle can't be, but must not hang.
    for (let hops = 0; current !== undefined && hops < 16; hops++) {
      const row = this.#database.get("SELECT * FROM placed WHERE key = ?", current);
      if (row !== undefined) return placedFrom(row);
      current = this.#database.get("SELECT into_key FROM alias WHERE key = ?", current)?.into_key as string | undefined;
    }
    return undefined;
  }

  async place(placed: Placed): Promise<void> {
    this.#database.beginPiece();
    this.#place(placed);
  }

  async *allPlaced(): AsyncIterable<Placed> {
    this.#database.commit();
    let after = "";
    for (;;) {
      const rows = this.#database.all("SELECT * FROM placed WHERE key > ? ORDER BY key LIMIT ?", after, LINES_PER_READ);
      for (const row of rows) yield placedFrom(row);
      const last = rows.at(-1);
      if (last === undefined) return;
      after = String(last.key);
    }
  }

  async run(id?: number): Promise<Run | undefined> {
    const row =
      id === undefined
        ? this.#database.get("SELECT * FROM run WHERE state <> 'planning' ORDER BY id DESC LIMIT 1")
        : this.#database.get("SELECT * FROM run WHERE id = ?", id);
    return row === undefined ? undefined : runFrom(row);
  }

  async runs(): Promise<readonly Run[]> {
    return this.#database.all("SELECT * FROM run WHERE state <> 'planning' ORDER BY id").map(runFrom);
  }

  async addRequests(run: number, requests: number): Promise<void> {
    this.#database.commit();
    this.#database.run("UPDATE run SET requests = coalesce(requests, 0) + ? WHERE id = ?", requests, run);
  }

  async setRunState(run: number, state: RunState, now: number): Promise<void> {
    this.#database.commit();
    this.#database.checkFile();
    this.#database.run(
      "UPDATE run SET state = ?, finished_at = ? WHERE id = ?",
      state,
      state === "running" ? null : now,
      run,
    );
    if (state === "finished") this.#alias("", run);
  }

  async *lines(run: number, filter: { state?: readonly LineState[]; kind?: Kind }): AsyncIterable<Line> {
    this.#database.commit();
    const states = filter.state ?? (Object.keys(EDGES) as LineState[]);
    const kinds: readonly Line["kind"][] = filter.kind === undefined ? [...LOADING_ORDER, "set-aside"] : [filter.kind];
    for (const kind of kinds) {
      // Read by keyset: lines change state while they are being walked.
      let after = { place: Number.MIN_SAFE_INTEGER, seq: 0 };
      for (;;) {
        const rows: Row[] = this.#database.all(
          `SELECT * FROM line INDEXED BY line_order WHERE run = ? AND kind = ? AND (place, seq) > (?, ?)
             AND state IN (${states.map(() => "?").join(", ")}) ORDER BY place, seq LIMIT ?`,
          run,
          kind,
          after.place,
          after.seq,
          ...states,
          LINES_PER_READ,
        );
        for (const row of rows) yield lineFrom(row);
        const last = rows.at(-1);
        if (last === undefined) break;
        after = { place: Number(last.place), seq: Number(last.seq) };
      }
    }
  }

  async linesOfFile(run: number, source: number, entry: string): Promise<readonly Line[]> {
    return this.#database
      .all(
        "SELECT * FROM line INDEXED BY line_entry WHERE run = ? AND entry_source = ? AND entry = ? ORDER BY seq",
        run,
        source,
        entry,
      )
      .map(lineFrom);
  }

  async doubtful(): Promise<readonly Line[]> {
    return this.#database
      .all("SELECT * FROM line INDEXED BY line_open WHERE state IN ('in-flight', 'in-doubt') ORDER BY run, seq")
      .map(lineFrom);
  }

  async runInDoubt(key: string): Promise<number | undefined> {
    const row = this.#database.get(
      "SELECT run FROM line INDEXED BY line_open WHERE state IN ('in-flight', 'in-doubt') AND key = ? LIMIT 1",
      key,
    );
    return row === undefined ? undefined : Number(row.run);
  }

  async intend(lines: readonly Line[], now: number): Promise<void> {
    await this.#group.add(() => {
      this.#database.checkFile();
      for (const line of lines) {
        const before = this.#stateOf(line);
        this.#patch(line.run, line.seq, { state: "in-flight", intendedAt: now });
        this.#event(line, now, before, "in-flight");
      }
    });
  }

  async receive(line: Line, state: LineState, patch: LinePatch, placed?: Placed): Promise<void> {
    await this.#group.add(() => {
      const before = this.#stateOf(line);
      this.#patch(line.run, line.seq, { ...patch, state });
      this.#event(line, Date.now(), before, state, patch.reason);
      if (placed !== undefined) this.#place(placed);
    });
  }

  async claimedTwice(run: number): Promise<readonly string[]> {
    return this.#database
      .all(
        `SELECT remote_id FROM line WHERE run = ? AND state IN ('done', 'unchanged') AND remote_id IS NOT NULL
       GROUP BY kind, remote_id HAVING count(*) > 1`,
        run,
      )
      .map((row) => String(row.remote_id));
  }

  async tally(run: number): Promise<readonly TallyRow[]> {
    return this.#database
      .all(
        "SELECT kind, source, state, action, count(*) AS count FROM line WHERE run = ? GROUP BY kind, source, state, action ORDER BY 1, 2, 3, 4",
        run,
      )
      .map(tallyRowFrom);
  }

  async plannedOperations(run: number): Promise<readonly PlannedOperations[]> {
    // A device file is imported once for all the workouts in it.
    const rows = this.#database.all(
      `WITH open AS (SELECT * FROM line WHERE run = ? AND state = 'planned'),
            file AS (SELECT count(*) AS workouts FROM open
                     WHERE carrier = 'import' AND remote_id IS NULL GROUP BY entry_source, entry)
       SELECT 'workout' AS kind, 'import' AS does, workouts, 0 AS mapped, count(*) AS count FROM file GROUP BY workouts
       UNION ALL
       SELECT kind, iif(remote_id IS NULL, 'save', 'overwrite') AS does, 1 AS workouts,
              kind = 'course' AND json_extract(value, '$.map') IS NOT NULL AS mapped, count(*) AS count
       FROM open WHERE remote_id IS NOT NULL OR carrier IS NOT 'import' GROUP BY 1, 2, 4`,
      run,
    );
    return rows.map(({ kind, does, workouts, mapped, count }) => ({
      kind: kind as Kind,
      does: does as PlannedOperations["does"],
      workouts: Number(workouts),
      isMapped: mapped === 1,
      count: Number(count),
    }));
  }

  async logSize(kind: Kind): Promise<number> {
    const [row] = this.#database.all("SELECT count(*) AS count FROM log WHERE kind = ?", kind);
    return Number(row?.count ?? 0);
  }

  async losses(run: number): Promise<readonly LossRow[]> {
    return this.#database
      .all(
        `SELECT json_extract(each.value, '$.field') AS field, count(*) AS count
       FROM line, json_each(line.value, '$.beyond') AS each
       WHERE line.run = ? AND line.value IS NOT NULL AND line.state NOT IN ('merged')
       GROUP BY 1 ORDER BY 2 DESC, 1`,
        run,
      )
      .map(lossRowFrom);
  }

  async issues(run: number): Promise<readonly IssueRow[]> {
    return this.#database.all("SELECT * FROM issue WHERE run = ? ORDER BY count DESC, rule", run).map((row) => ({
      rule: String(row.rule),
      severity: row.severity as Issue["severity"],
      count: Number(row.count),
      example: JSON.parse(String(row.example)) as Issue,
    }));
  }

  async account(): Promise<AccountRef | undefined> {
    const row = this.#database.get("SELECT base_url, user_hash, name FROM account");
    if (row === undefined) return undefined;
    return { baseUrl: String(row.base_url), userHash: String(row.user_hash), name: String(row.name) };
  }

  async months(run: number): Promise<readonly MonthRow[]> {
    return monthsOf(this.#database, run);
  }

  async places(run: number, states: readonly LineState[]): Promise<readonly PlaceRow[]> {
    return placesOf(this.#database, run, states);
  }

  async reasons(run: number): Promise<readonly ReasonRow[]> {
    return reasonsOf(this.#database, run);
  }

  async undone(run: number): Promise<number> {
    return undoneOf(this.#database, run);
  }

  async sentBetween(run: number): Promise<{ readonly from: number; readonly until: number } | undefined> {
    return sentBetween(this.#database, run);
  }

  async setVerified(run: number, verified: VerifiedRun): Promise<void> {
    this.#database.commit();
    setVerified(this.#database, run, verified);
  }

  async verified(run: number): Promise<VerifiedRun | undefined> {
    return verifiedOf(this.#database, run);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    try {
      this.#group.flush();
      this.#database.close();
    } finally {
      this.#release();
    }
  }

  #place(placed: Placed): void {
    this.#database.run(
      `INSERT INTO placed (key, kind, remote_id, content, sent, finished, run) VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (key) DO UPDATE SET remote_id = excluded.remote_id, content = excluded.content,
         sent = coalesce(excluded.sent, sent), finished = excluded.finished, run = excluded.run`,
      placed.key,
      placed.kind,
      placed.remoteId,
      placed.content,
      placed.sent === undefined ? null : JSON.stringify(placed.sent),
      placed.finished ? 1 : 0,
      placed.run,
    );
    // What was merged into it is in the log with it, though the run may be killed before it is finished.
    if (placed.finished) this.#alias("AND twin = ?", placed.run, placed.key);
  }

  #alias(which: string, ...values: readonly SQLInputValue[]): void {
    this.#database.run(
      `INSERT INTO alias (key, into_key) SELECT key, twin FROM line INDEXED BY line_twin
       WHERE run = ? AND state = 'merged' AND twin IS NOT NULL AND twin <> key ${which}
       ON CONFLICT (key) DO UPDATE SET into_key = excluded.into_key`,
      ...values,
    );
  }

  /** As it is in the journal: the caller's line may be older. */
  #stateOf({ run, seq }: Pick<Line, "run" | "seq">): LineState {
    return this.#database.get("SELECT state FROM line WHERE run = ? AND seq = ?", run, seq)?.state as LineState;
  }

  #event(line: Line, at: number, from: LineState, to: LineState, note?: string): void {
    this.#database.run(
      'INSERT INTO event (run, seq, at, "from", "to", note) VALUES (?, ?, ?, ?, ?, ?)',
      line.run,
      line.seq,
      at,
      from,
      to,
      note ?? null,
    );
  }

  #patch(run: number, seq: number, patch: LinePatch & { state?: LineState }): void {
    if (patch.state !== undefined) {
      const before = this.#stateOf({ run, seq });
      if (before !== patch.state && !EDGES[before].includes(patch.state)) {
        throw new Error(`Cannot move line ${seq} of run ${run} from ${before} to ${patch.state}: no such edge`);
      }
    }
    const columns: [string, SQLInputValue][] = [];
    if (patch.state !== undefined) columns.push(["state", patch.state]);
    if (patch.action !== undefined) columns.push(["action", patch.action]);
    if (patch.carrier !== undefined) columns.push(["carrier", patch.carrier]);
    if (patch.reason !== undefined) columns.push(["reason", patch.reason]);
    if (patch.twin !== undefined) columns.push(["twin", patch.twin]);
    if (patch.remoteId !== undefined) columns.push(["remote_id", patch.remoteId]);
    if (patch.intendedAt !== undefined) columns.push(["intended_at", patch.intendedAt]);
    if (patch.value !== undefined) {
      const track = "track" in patch.value ? patch.value.track : undefined;
      columns.push(
        ["value", JSON.stringify(patch.value)],
        ["entry", track?.entry ?? null],
        ["entry_source", track?.source ?? null],
      );
    }
    if (patch.facts !== undefined) {
      const values = factColumns(patch.facts);
      FACT_COLUMNS.forEach((name, index) => {
        columns.push([name, values[index] ?? null]);
      });
    }
    if (columns.length === 0) return;
    this.#database.run(
      `UPDATE line SET ${columns.map(([name]) => `${name} = ?`).join(", ")} WHERE run = ? AND seq = ?`,
      ...columns.map(([, value]) => value),
      run,
      seq,
    );
  }
}

const LOADING_ORDER: readonly Kind[] = ["equipment", "course", "workout"];
