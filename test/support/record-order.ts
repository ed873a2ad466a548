/**
 * Preloaded into a process (`node --import`), this adds a line for each request to the file of KILL_LOG, as the request's first byte goes to the
 * socket: `sent POST /path committed synchronous=2 wal`. Beside the lines of kill-at-commit.ts it shows what was on the disk by then.
 */
import { appendFileSync } from "node:fs";
import { Socket } from "node:net";
import { DatabaseSync } from "node:sqlite";

const { KILL_LOG } = process.env;
const journals = new Set<DatabaseSync>();

const { exec } = DatabaseSync.prototype;
DatabaseSync.prototype.exec = function (sql) {
  if (/journal[^/]*\.db$/.test(this.location() ?? "")) journals.add(this);
  return exec.call(this, sql);
};

/** The state of the journal that is open. */
function standing(): string {
  const open = [...journals].filter((database) => database.isOpen);
  return open
    .map((database) => {
      const { synchronous } = database.prepare("PRAGMA synchronous").get() as { synchronous: number };
      const { journal_mode: mode } = database.prepare("PRAGMA journal_mode").get() as { journal_mode: string };
      return `${database.isTransaction ? "uncommitted" : "committed"} synchronous=${synchronous} ${mode}`;
    })
    .join(" ");
}

const { write } = Socket.prototype;
Socket.prototype.write = function (this: Socket, ...values: unknown[]) {
  const [first = "", method, path = ""] = /^(POST|PUT) ([^ ?]*)/.exec(String(values[0]).slice(0, 200)) ?? [];
  if (first !== "" && KILL_LOG !== undefined) appendFileSync(KILL_LOG, `sent ${method} ${path} ${standing()}\n`);
  return Reflect.apply(write, this, values) as boolean;
} as typeof write;
