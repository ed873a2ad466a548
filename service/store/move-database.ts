/** Moves a log from one database to another, by their addresses: opens both, and tidies up after a failure. */
import { existsSync, rmSync } from "node:fs";
import { OutcomeUnknown } from "../http/unavailable.ts";
import { isFile, isPostgres, pathOf } from "./address.ts";
import type { Database, Queries } from "./database.ts";
import { type MovedTable, moveLog } from "./move.ts";
import { nameOfDatabase, openDatabase } from "./open.ts";

/** The database a log is moved from, or the one it is moved to. */
export type Side = "from" | "to";

/** What was moved, from where and where to. The addresses are in their printable form. */
export interface Move {
  readonly from: string;
  readonly to: string;
  readonly tables: readonly MovedTable[];
}

/** One of the two databases can't be used. The `cause` says why. */
export class SideFailed extends Error {
  override readonly name = "SideFailed";
  readonly side: Side;
  /** The database in its printable form; empty when its address can't be read. */
  readonly database: string;

  constructor(side: Side, database: string, cause: unknown) {
    super(`Cannot use the database of --${side}`, { cause });
    this.side = side;
    this.database = database;
  }
}

/** A failed move, with what it left behind, as a sentence. The `cause` says why it failed. */
export class MoveFailed extends Error {
  override readonly name = "MoveFailed";
  readonly left: string;

  constructor(left: string, cause: unknown) {
    super("The move failed", { cause });
    this.left = left;
  }
}

/**
 * Moves everything from one database to another, which is made when it is a file that isn't there. The old one stays as it is.
 * @param noteOthers called with the number of other connections to the old database, when it is a PostgreSQL that has some
 * @throws RangeError when the old one isn't there or has nothing in it, the new one isn't empty, or both are the same; SideFailed when one can't be used;
 *   MoveFailed for anything after the new one was opened
 */
export async function moveDatabase(from: string, to: string, noteOthers = (_others: number) => {}): Promise<Move> {
  const names = { from: at("from", () => nameOfDatabase(from)), to: at("to", () => nameOfDatabase(to)) };
  if (names.from === names.to) throw new RangeError("Cannot move: --from and --to name the same database");
  if (isFile(from) && !existsSync(pathOf(from))) {
    throw new RangeError(`There is no database ${names.from}. Name another with --from`);
  }
  const source = await openDatabase(from, { mayMake: false }).catch(failAt("from", names.from));
  try {
    if (isPostgres(from)) await countOthers(source, names.from, noteOthers);
    const sides = { source: sideOf(source, "from", names.from), to, name: names.to };
    return { ...names, tables: await moveInto(sides) };
  } finally {
    await source.close();
  }
}

async function moveInto(move: { source: Exclusive; to: string; name: string }): Promise<readonly MovedTable[]> {
  const { source, to, name } = move;
  const isNew = isFile(to) && !existsSync(pathOf(to));
  let target: Database | undefined;
  try {
    target = await openDatabase(to).catch(failAt("to", name));
    return await moveLog(source, sideOf(target, "to", name));
  } catch (error) {
    await target?.close();
    const isUnknown = error instanceof SideFailed && error.cause instanceof OutcomeUnknown;
    if (isUnknown) throw error;
    if (isNew) for (const end of ["", "-wal", "-shm"]) rmSync(pathOf(to) + end, { force: true });
    if (error instanceof RangeError) throw error;
    throw new MoveFailed(isNew ? `Nothing was moved, and ${name} was removed again.` : "Nothing was moved.", error);
  } finally {
    await target?.close();
  }
}

/** Counts the connections of others. Whoever they are, what they save after the move stays in the old database. */
async function countOthers(source: Database, name: string, noteOthers: (others: number) => void): Promise<void> {
  // Autovacuum has no role. The columns that tell kinds of processes apart are hidden from other roles.
  const row = await source
    .get(
      "SELECT COUNT(*) AS others FROM pg_stat_activity WHERE datname = current_database() AND usesysid IS NOT NULL AND pid <> pg_backend_pid()",
    )
    .catch(failAt("from", name));
  if (Number(row?.others) > 0) noteOthers(Number(row?.others));
}

type Exclusive = Pick<Database, "exclusively">;

/** A database whose errors name its side. Errors of a transaction's body pass as they are: they may be those of the other side. */
function sideOf(database: Database, side: Side, name: string): Exclusive {
  const fail = failAt(side, name);
  const ofBody = new Set<unknown>();
  return {
    exclusively: (body) =>
      database
        .exclusively((queries) =>
          body(queriesAt(queries, fail)).catch((error: unknown) => {
            ofBody.add(error);
            throw error;
          }),
        )
        .catch((error: unknown) => {
          throw ofBody.has(error) ? error : new SideFailed(side, name, error);
        }),
  };
}

function queriesAt(queries: Queries, fail: (error: unknown) => never): Queries {
  return {
    get: (sql, ...values) => queries.get(sql, ...values).catch(fail),
    all: (sql, ...values) => queries.all(sql, ...values).catch(fail),
    run: (sql, ...values) => queries.run(sql, ...values).catch(fail),
  };
}

function at<T>(side: Side, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new SideFailed(side, "", error);
  }
}

function failAt(side: Side, name: string): (error: unknown) => never {
  return (error) => {
    throw new SideFailed(side, name, error);
  };
}
