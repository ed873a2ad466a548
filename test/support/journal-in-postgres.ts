/**
 * Preloaded into a process (`node --import`), this puts the journals of its commands into the PostgreSQL of JOURNAL_DATABASE, under their paths. Each
 * opening is a worker with an empty folder. KILL_AT ends the process with SIGKILL at a shipment, in the words of kill-at-commit.ts: `before:any:3` right
 * before the third one leaves, `after:any:3` once it is acknowledged. KILL_LOG names a file that gets a line a shipment.
 */
import { appendFileSync } from "node:fs";
import { registerHooks } from "node:module";
import pg from "pg";

const OPENED = /\/pipelines\/journal\/sqlite\.ts$/;
const INSTEAD = new URL("journal-in-postgres-opened.ts", import.meta.url).href;

registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    return OPENED.test(resolved.url) ? { ...resolved, url: INSTEAD } : resolved;
  },
});

const { KILL_AT = "", KILL_LOG } = process.env;
const [when, , nth] = KILL_AT.split(":");
let shipments = 0;

function isShipment(words: readonly unknown[]): boolean {
  return words.some((word) => JSON.stringify(word)?.includes("INTO logferry_fleet.journal_changes"));
}

function die(): never {
  process.kill(process.pid, "SIGKILL");
  for (;;);
}

const { query } = pg.Pool.prototype;
pg.Pool.prototype.query = async function (this: pg.Pool, ...words: unknown[]): Promise<unknown> {
  const isMeant = isShipment(words) && ++shipments === Number(nth);
  if (isMeant && when === "before") die();
  const result: unknown = await Reflect.apply(query, this, words);
  if (isShipment(words) && KILL_LOG !== undefined) appendFileSync(KILL_LOG, "shipment\n");
  if (isMeant && when === "after") die();
  return result;
} as typeof query;
