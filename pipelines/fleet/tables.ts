/** The tables of a fleet's journals in PostgreSQL, as numbered steps like those of the journal itself. A released step is never edited. */
import type pg from "pg";
import { FatalError } from "../../connectors/errors.ts";
import { asAnswer, ask } from "./ask.ts";

/** Step n brings the tables from version n to n + 1. */
const STEPS: readonly string[] = [
  `
  CREATE TABLE logferry_fleet.journals (
    journal TEXT COLLATE "C" PRIMARY KEY,
    -- The version of the journal's own tables (pipelines/journal/schema.ts).
    version INTEGER NOT NULL,
    -- The claim: only the worker with this fence may write, and until this moment nobody else may claim.
    fence BIGINT NOT NULL,
    token UUID NOT NULL,
    worker TEXT NOT NULL,
    until TIMESTAMPTZ NOT NULL,
    -- The number of the last change in the snapshot, and its pieces. Both are 0 for a journal without a snapshot.
    snapshot BIGINT NOT NULL DEFAULT 0,
    pieces INTEGER NOT NULL DEFAULT 0
  );

  CREATE TABLE logferry_fleet.journal_changes (
    journal TEXT COLLATE "C" NOT NULL,
    number BIGINT NOT NULL,
    fence BIGINT NOT NULL,
    changes BYTEA NOT NULL,
    PRIMARY KEY (journal, number)
  );

  CREATE TABLE logferry_fleet.journal_snapshots (
    journal TEXT COLLATE "C" NOT NULL,
    number BIGINT NOT NULL,
    piece INTEGER NOT NULL,
    bytes BYTEA NOT NULL,
    PRIMARY KEY (journal, number, piece)
  );
  -- The pieces are compressed already.
  ALTER TABLE logferry_fleet.journal_snapshots ALTER COLUMN bytes SET STORAGE EXTERNAL;
  `,
  // A journal that was forgotten and made anew must not begin with the fence of a worker that still sleeps.
  `
  CREATE SEQUENCE logferry_fleet.fences;
  SELECT setval('logferry_fleet.fences', (SELECT coalesce(max(fence), 0) + 1 FROM logferry_fleet.journals));
  `,
];

/** Two workers that start at once take turns at the tables, with this lock of a transaction, "LFFJ". */
const TURN = 0x4c46464a;

/** See `prepareFleetJournals`. @throws Unreachable when PostgreSQL should be asked again */
export async function prepareTables(pool: pg.Pool): Promise<void> {
  const client = await pool.connect().catch((error: unknown) => {
    throw asAnswer(error);
  });
  let isSound = false;
  try {
    await ask(client, "BEGIN");
    try {
      await takeSteps(client);
      await ask(client, "COMMIT");
      isSound = true;
    } catch (error) {
      await ask(client, "ROLLBACK").then(
        () => {
          isSound = true;
        },
        () => undefined,
      );
      throw error;
    }
  } finally {
    client.release(!isSound);
  }
}

async function takeSteps(client: pg.ClientBase): Promise<void> {
  await ask(client, `SELECT pg_advisory_xact_lock(${TURN})`);
  await ask(client, "CREATE SCHEMA IF NOT EXISTS logferry_fleet");
  await ask(client, "CREATE TABLE IF NOT EXISTS logferry_fleet.journal_tables (version INTEGER NOT NULL)");
  const [row] = await ask(client, "SELECT version FROM logferry_fleet.journal_tables");
  const version = Number(row?.version ?? 0);
  if (version > STEPS.length) {
    throw new FatalError(
      "journal/newer",
      "journal",
      "Cannot use the journals in PostgreSQL: a newer logferry made their tables. Update logferry.",
    );
  }
  if (version === STEPS.length) return;
  for (const step of STEPS.slice(version)) await ask(client, step);
  const note =
    row === undefined
      ? "INSERT INTO logferry_fleet.journal_tables VALUES ($1)"
      : "UPDATE logferry_fleet.journal_tables SET version = $1";
  await ask(client, note, [STEPS.length]);
}
