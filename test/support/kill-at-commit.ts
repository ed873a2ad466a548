/**
 * Preloaded into a process (`node --import`), this ends it with SIGKILL at a commit of its journal, as a power cut would. KILL_AT says which one.
 * `after:any:7` is right after the seventh commit. `before:in-flight:1` is just before the commit of the first transaction that moves a line to
 * `in-flight`. KILL_LOG names a file that gets a line a commit, so that a test can see how many there are and what they were for.
 *
 * SQLite itself shows the commits: a COMMIT, or a statement that writes outside of a transaction.
 */
import { appendFileSync } from "node:fs";
import { DatabaseSync, StatementSync } from "node:sqlite";

const STATES = ["planned", "in-flight", "in-doubt", "done", "refused", "failed"];
const { KILL_AT = "", KILL_LOG } = process.env;
const [when = "", what = "", nth = "0"] = KILL_AT.split(":");

/** States that lines were moved to since the last commit, by database. */
const moved = new WeakMap<DatabaseSync, Set<string>>();
const owners = new WeakMap<StatementSync, DatabaseSync>();
const updates = new WeakSet<StatementSync>();
let met = 0;

function isJournal(database: DatabaseSync): boolean {
  return /journal[^/]*\.db$/.test(database.location() ?? "");
}

function commit<T>(database: DatabaseSync, work: () => T): T {
  if (!isJournal(database)) return work();
  const states = moved.get(database) ?? new Set();
  moved.delete(database);
  const isMeant = (what === "any" || states.has(what)) && ++met === Number(nth);
  if (isMeant && when === "before") die();
  const result = work();
  if (KILL_LOG !== undefined) appendFileSync(KILL_LOG, `${[...states].join(" ")}\n`);
  if (isMeant && when === "after") die();
  return result;
}

function die(): never {
  process.kill(process.pid, "SIGKILL");
  for (;;);
}

const { exec, prepare } = DatabaseSync.prototype;
const { run } = StatementSync.prototype;

DatabaseSync.prototype.exec = function (sql) {
  return /\bCOMMIT\b/.test(sql) ? commit(this, () => exec.call(this, sql)) : exec.call(this, sql);
};
DatabaseSync.prototype.prepare = function (sql, ...rest) {
  const statement = prepare.call(this, sql, ...rest);
  owners.set(statement, this);
  if (/^\s*UPDATE line\b/.test(sql)) updates.add(statement);
  return statement;
};
StatementSync.prototype.run = function (this: StatementSync, ...values: Parameters<typeof run>) {
  const database = owners.get(this);
  if (database === undefined) return run.apply(this, values);
  if (updates.has(this)) {
    const states = moved.get(database) ?? new Set();
    moved.set(database, states);
    for (const value of values as unknown[]) if (STATES.includes(String(value))) states.add(String(value));
  }
  return database.isTransaction ? run.apply(this, values) : commit(database, () => run.apply(this, values));
} as typeof run;
