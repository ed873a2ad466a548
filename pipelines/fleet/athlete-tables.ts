/** The tables of a fleet besides those of the journals. */

/**
 * Makes the tables that are missing. A later version adds columns and tables with further statements of this kind, so that workers of two
 * versions can share a fleet while it is updated.
 *
 * `athletes` has a row for each athlete. `step` says what is next: `check`, `checked` (waiting for the others of the batch), `load` or `done`.
 * `attempt` rises whenever a worker takes the athlete: only the worker with the latest one may write the row. `worker` is
 * empty for one that was given back, and NULL where a step ended. `planned` is the outcome of the
 * check, `outcome` the latest one. `requests` counts those of all workers that had the athlete in this batch, and
 * some of the next ones. `away_since` is the time at which their log began not to answer; NULL when it last answered. `seen` has the identities of the archives behind addresses. `unseen_by` names the workers that can't see an
 * archive of theirs. `left_why` says why the last worker left them to another kind of worker.
 * `cancelled_at` is the time of the last cancel, also of an earlier row. `waits_since` is the time at which the step became due, however often workers took it since. `paces` has a row for each host, and `workers` one
 * for each worker. `takes_nobody` says why a worker takes no athlete now, such as a full disk.
 */
export const FLEET_TABLES = `
  CREATE SCHEMA IF NOT EXISTS logferry_fleet;
  CREATE TABLE IF NOT EXISTS logferry_fleet.batches (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    settings jsonb NOT NULL,
    made_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE TABLE IF NOT EXISTS logferry_fleet.athletes (
    key text PRIMARY KEY,
    batch bigint NOT NULL REFERENCES logferry_fleet.batches,
    position integer NOT NULL,
    athlete jsonb NOT NULL,
    step text NOT NULL,
    attempt integer NOT NULL DEFAULT 0,
    worker text,
    is_cancelled boolean NOT NULL DEFAULT false,
    was_done boolean NOT NULL DEFAULT false,
    outcome jsonb,
    planned jsonb,
    suspect jsonb,
    passed jsonb,
    seen jsonb,
    since timestamptz NOT NULL DEFAULT now()
  );
  -- Even where there is nothing to add, ALTER TABLE waits for every statement that uses the table.
  DO $$ BEGIN
    IF NOT EXISTS (SELECT 1 FROM pg_attribute WHERE attrelid = 'logferry_fleet.athletes'::regclass AND attname = 'requests') THEN
      ALTER TABLE logferry_fleet.athletes ADD COLUMN requests integer NOT NULL DEFAULT 0;
    END IF;
    IF NOT EXISTS (SELECT 1 FROM pg_attribute WHERE attrelid = 'logferry_fleet.athletes'::regclass AND attname = 'away_since') THEN
      ALTER TABLE logferry_fleet.athletes ADD COLUMN away_since timestamptz, ADD COLUMN away_why text;
    END IF;
    IF NOT EXISTS (SELECT 1 FROM pg_attribute WHERE attrelid = 'logferry_fleet.athletes'::regclass AND attname = 'unseen_by') THEN
      ALTER TABLE logferry_fleet.athletes ADD COLUMN unseen_by text[];
    END IF;
    IF NOT EXISTS (SELECT 1 FROM pg_attribute WHERE attrelid = 'logferry_fleet.athletes'::regclass AND attname = 'left_why') THEN
      ALTER TABLE logferry_fleet.athletes ADD COLUMN left_why text, ADD COLUMN waits_since timestamptz NOT NULL DEFAULT now();
    END IF;
    IF NOT EXISTS (SELECT 1 FROM pg_attribute WHERE attrelid = 'logferry_fleet.athletes'::regclass AND attname = 'cancelled_at') THEN
      ALTER TABLE logferry_fleet.athletes ADD COLUMN cancelled_at timestamptz;
    END IF;
  END $$;
  CREATE INDEX IF NOT EXISTS athletes_of_batch ON logferry_fleet.athletes (batch, step);
  CREATE TABLE IF NOT EXISTS logferry_fleet.memories (name text PRIMARY KEY, memory jsonb NOT NULL);
  CREATE TABLE IF NOT EXISTS logferry_fleet.workers (name text PRIMARY KEY, seen timestamptz NOT NULL);
  DO $$ BEGIN
    IF NOT EXISTS (SELECT 1 FROM pg_attribute WHERE attrelid = 'logferry_fleet.workers'::regclass AND attname = 'takes_nobody') THEN
      ALTER TABLE logferry_fleet.workers ADD COLUMN takes_nobody text;
    END IF;
  END $$;
  CREATE TABLE IF NOT EXISTS logferry_fleet.paces (host text PRIMARY KEY, state jsonb);
  CREATE TABLE IF NOT EXISTS logferry_fleet.tokens (
    key text PRIMARY KEY,
    sealed bytea NOT NULL,
    put_at timestamptz NOT NULL DEFAULT now()
  );
`;
