/**
 * Preloaded into a process (`node --import`), this takes away the room of its journal. While a line is moved to a state, SQLite is told that the file
 * may not grow by a page any more. Then it is asked for more than a page, and answers as on a full disk (SQLITE_FULL). FULL_AT says where:
 * `in-flight:3` is as the third line is about to be sent, `done:3` as the third answer is to be kept. The disk stays full for
 * every later line that is moved to this state.
 */
import { DatabaseSync, StatementSync } from "node:sqlite";

const [state = "", at = "0"] = (process.env.FULL_AT ?? "").split(":");
const owners = new WeakMap<StatementSync, DatabaseSync>();
const { prepare } = DatabaseSync.prototype;
const { run } = StatementSync.prototype;
let met = 0;

DatabaseSync.prototype.prepare = function (sql, ...rest) {
  const statement = prepare.call(this, sql, ...rest);
  if (/^\s*UPDATE line\b/.test(sql)) owners.set(statement, this);
  return statement;
};
StatementSync.prototype.run = function (this: StatementSync, ...values: Parameters<typeof run>) {
  const database = owners.get(this);
  if (database !== undefined && (values as unknown[]).includes(state) && ++met >= Number(at)) {
    const { page_count: pages } = prepare.call(database, "PRAGMA page_count").get() as { page_count: number };
    database.exec(`PRAGMA max_page_count = ${pages}`);
    database.exec("INSERT INTO issue VALUES (0, 'info', 'filler', 0, hex(zeroblob(16384)))");
  }
  return run.apply(this, values);
} as typeof run;
