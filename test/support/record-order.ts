/**
 * Preloaded into a process (`node --import`), this adds a line for each request to the file of KILL_LOG, as the request's first byte goes to the
 * socket: `sent POST /path committed synced wal`. Beside the lines of kill-at-commit.ts it shows what was on the disk by then. A commit is synced
 * when SQLite did so (`synchronous=2`), or when a sync of the write-ahead log began after it and is over.
 */
import fs, { appendFileSync, type NoParamCallback } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { Socket } from "node:net";
import { DatabaseSync } from "node:sqlite";

const { KILL_LOG } = process.env;
const journals = new Set<DatabaseSync>();

/** Commits of the journal so far that SQLite did not sync, and how many of them a sync of the log has brought to the disk since. */
let [unsynced, synced] = [0, 0];

const { exec } = DatabaseSync.prototype;
DatabaseSync.prototype.exec = function (sql) {
  const isJournal = /journal[^/]*\.db$/.test(this.location() ?? "");
  if (isJournal) journals.add(this);
  const result = exec.call(this, sql);
  if (isJournal && /\bCOMMIT\b/.test(sql)) {
    if (syncsCommits(this)) synced = unsynced;
    else unsynced++;
  }
  return result;
};

function syncsCommits(database: DatabaseSync): boolean {
  const { synchronous } = database.prepare("PRAGMA synchronous").get() as { synchronous: number };
  return synchronous === 2;
}

const { fdatasync } = fs;
fs.fdatasync = ((file: number, done: NoParamCallback) => {
  const until = unsynced;
  fdatasync(file, (error) => {
    if (error === null) synced = Math.max(synced, until);
    done(error);
  });
}) as typeof fdatasync;
syncBuiltinESMExports();

/** The state of the journal that is open. */
function standing(): string {
  const open = [...journals].filter((database) => database.isOpen);
  return open
    .map((database) => {
      const { journal_mode: mode } = database.prepare("PRAGMA journal_mode").get() as { journal_mode: string };
      return `${database.isTransaction ? "uncommitted" : "committed"} ${synced === unsynced ? "synced" : "unsynced"} ${mode}`;
    })
    .join(" ");
}

const { write } = Socket.prototype;
Socket.prototype.write = function (this: Socket, ...values: unknown[]) {
  const [first = "", method, path = ""] = /^(POST|PUT) ([^ ?]*)/.exec(String(values[0]).slice(0, 200)) ?? [];
  if (first !== "" && KILL_LOG !== undefined) appendFileSync(KILL_LOG, `sent ${method} ${path} ${standing()}\n`);
  return Reflect.apply(write, this, values) as boolean;
} as typeof write;
