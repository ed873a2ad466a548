/** The statements of the table of athletes. `athlete-tables.ts` says what its columns mean. */

/** Lets this transaction stand still for half an hour: to compare 10,000 athletes takes longer than the 3 s that others have. It locks its own batch alone. */
export const MAY_COMPARE = "SET LOCAL idle_in_transaction_session_timeout = '30min'";

export const PUT = `
  INSERT INTO logferry_fleet.athletes (key, batch, position, athlete, step)
  SELECT key, $1, position, athlete, 'check' FROM jsonb_to_recordset($2::jsonb) AS t (key text, position integer, athlete jsonb)
  ON CONFLICT (key) DO UPDATE SET batch = excluded.batch, position = excluded.position, athlete = excluded.athlete, step = 'check',
    attempt = athletes.attempt + 1, worker = NULL, is_cancelled = false, was_done = false, planned = NULL, suspect = NULL, passed = NULL,
    requests = 0, since = now(), waits_since = now(), away_since = NULL, away_why = NULL, unseen_by = NULL, left_why = NULL
  WHERE athletes.step = 'done'
  RETURNING key`;

export const TAKE = `
  UPDATE logferry_fleet.athletes a SET attempt = attempt + 1, worker = $3, since = now()
  FROM logferry_fleet.batches b WHERE a.key = $1 AND a.step = $2 AND b.id = a.batch
  RETURNING a.attempt, a.batch, a.athlete, a.outcome, a.passed, a.is_cancelled, a.requests, a.seen, b.settings,
    extract(epoch FROM now() - a.away_since) * 1000 AS away_ms`;

export const CHECKED = `
  UPDATE logferry_fleet.athletes SET step = $3, was_done = $4, outcome = $5, planned = $5, suspect = $6, seen = $7, worker = NULL, since = now(),
    away_since = NULL, away_why = NULL, unseen_by = NULL, left_why = NULL
  WHERE key = $1 AND attempt = $2 AND batch = $8 AND step = 'check' RETURNING key`;

export const ALL_CHECKED = `
  SELECT key, athlete, outcome, suspect FROM logferry_fleet.athletes WHERE batch = $1 AND step = 'checked' ORDER BY position`;

export const SETTLED = `
  UPDATE logferry_fleet.athletes a SET step = t.step, outcome = t.outcome, planned = t.outcome, passed = t.passed, suspect = NULL, since = now(),
    waits_since = now()
  FROM jsonb_to_recordset($1::jsonb) AS t (key text, step text, outcome jsonb, passed jsonb) WHERE a.key = t.key`;

export const LOADED = `
  UPDATE logferry_fleet.athletes SET step = 'done', outcome = $3, passed = NULL, worker = NULL, since = now(),
    away_since = NULL, away_why = NULL, left_why = NULL
  WHERE key = $1 AND attempt = $2 AND batch = $4 AND step = 'load' RETURNING key`;

export const NOW = `
  SELECT a.key, a.step, a.was_done, a.is_cancelled, a.worker, a.away_why, a.left_why, a.outcome, a.planned, a.athlete, b.settings
  FROM logferry_fleet.athletes a JOIN logferry_fleet.batches b ON b.id = a.batch WHERE a.key = ANY($1)`;

export const STEPS = "SELECT step, count(*) AS count FROM logferry_fleet.athletes WHERE key = ANY($1) GROUP BY step";

export const LEAVE = "UPDATE logferry_fleet.athletes SET worker = '', left_why = $3 WHERE key = $1 AND attempt = $2";

export const AWAY = `
  UPDATE logferry_fleet.athletes SET away_why = $3, away_since = CASE WHEN $3::text IS NOT NULL THEN coalesce(away_since, now()) END
  WHERE key = $1 AND attempt = $2`;

export const UNSEEN = `
  UPDATE logferry_fleet.athletes SET unseen_by =
    (SELECT array_agg(DISTINCT one ORDER BY one) FROM unnest(coalesce(unseen_by, '{}') || $3::text) AS t (one))
  WHERE key = $1 AND attempt = $2 RETURNING unseen_by`;

export const CANCEL = `
  UPDATE logferry_fleet.athletes SET is_cancelled = true, since = now(), cancelled_at = now()
  WHERE key = ANY($1) AND step <> 'done' RETURNING key`;

export const CANCELLED = `
  SELECT key FROM logferry_fleet.athletes WHERE key = ANY($1) AND (is_cancelled OR cancelled_at >= $2::timestamptz)`;

export const UNCANCEL = `
  UPDATE logferry_fleet.athletes SET is_cancelled = false WHERE key = ANY($1) AND step <> 'done' AND is_cancelled`;
