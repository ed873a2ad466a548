/**
 * The journal's tables, as numbered steps. logferry updates a database of an older version one step at a time, and refuses one of a newer
 * version. A released step is never edited.
 */

/** `application_id` of the database file: "lfry" in ASCII. With it, logferry and `file` recognise a journal. */
export const APPLICATION_ID = 0x6c667279;

/** Step n brings a journal from version n to n + 1. */
export const STEPS: readonly string[] = [
  `
  CREATE TABLE account (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    base_url TEXT NOT NULL,
    user_hash TEXT NOT NULL,
    name TEXT NOT NULL
  ) STRICT;

  CREATE TABLE run (
    id INTEGER PRIMARY KEY,
    state TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    finished_at INTEGER,
    sources TEXT NOT NULL,
    options TEXT NOT NULL,
    read INTEGER NOT NULL DEFAULT 0
  ) STRICT;

  CREATE TABLE line (
    run INTEGER NOT NULL REFERENCES run (id),
    seq INTEGER NOT NULL,
    key TEXT NOT NULL,
    kind TEXT NOT NULL,
    source INTEGER NOT NULL,
    origin TEXT NOT NULL,
    entry TEXT,
    entry_source INTEGER,
    state TEXT NOT NULL,
    action TEXT NOT NULL,
    carrier TEXT,
    content TEXT,
    value TEXT,
    reason TEXT,
    twin TEXT,
    remote_id TEXT,
    intended_at INTEGER,
    activity TEXT,
    date TEXT,
    time TEXT,
    local_s INTEGER,
    instant INTEGER,
    metres REAL,
    seconds REAL,
    identity TEXT,
    -- Loading order: newest first; what has no date comes last.
    place INTEGER GENERATED ALWAYS AS (coalesce(-local_s, 9007199254740991)) STORED,
    PRIMARY KEY (run, seq)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX line_key ON line (run, key);
  CREATE INDEX line_local ON line (run, activity, local_s) WHERE kind = 'workout';
  CREATE INDEX line_instant ON line (run, activity, instant) WHERE kind = 'workout' AND instant IS NOT NULL;
  CREATE INDEX line_identity ON line (run, kind, identity) WHERE identity IS NOT NULL;
  CREATE INDEX line_order ON line (run, kind, place, seq);
  CREATE INDEX line_entry ON line (run, entry_source, entry) WHERE entry IS NOT NULL;
  CREATE INDEX line_twin ON line (run, twin) WHERE twin IS NOT NULL;
  CREATE INDEX line_open ON line (state) WHERE state IN ('in-flight', 'in-doubt');

  CREATE TABLE event (
    id INTEGER PRIMARY KEY,
    run INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    at INTEGER NOT NULL,
    "from" TEXT NOT NULL,
    "to" TEXT NOT NULL,
    note TEXT
  ) STRICT;
  CREATE INDEX event_line ON event (run, seq);

  CREATE TABLE placed (
    key TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    remote_id TEXT NOT NULL,
    content TEXT NOT NULL,
    sent TEXT,
    finished INTEGER NOT NULL,
    run INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX placed_remote ON placed (kind, remote_id);

  CREATE TABLE alias (
    key TEXT PRIMARY KEY,
    into_key TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE log (
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    activity_id INTEGER,
    date TEXT,
    time TEXT,
    local_s INTEGER,
    metres REAL,
    seconds REAL,
    identity TEXT,
    name TEXT,
    claimed_by TEXT,
    -- 1: it was there when the plan was made.
    baseline INTEGER NOT NULL,
    PRIMARY KEY (kind, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX log_local ON log (activity_id, local_s) WHERE kind = 'workout';
  CREATE INDEX log_identity ON log (kind, identity) WHERE identity IS NOT NULL;

  CREATE TABLE issue (
    run INTEGER NOT NULL,
    severity TEXT NOT NULL,
    rule TEXT NOT NULL,
    count INTEGER NOT NULL,
    example TEXT NOT NULL,
    PRIMARY KEY (run, rule, severity)
  ) STRICT, WITHOUT ROWID;
  `,
  // The result of the last verification of a run. Months later it says whether the old account could be closed.
  `
  CREATE TABLE verification (
    run INTEGER PRIMARY KEY REFERENCES run (id),
    at INTEGER NOT NULL,
    checked INTEGER NOT NULL,
    present INTEGER NOT NULL,
    differing INTEGER NOT NULL,
    claimed_twice INTEGER NOT NULL,
    metres_planned REAL NOT NULL,
    metres_found REAL NOT NULL,
    seconds_planned REAL NOT NULL,
    seconds_found REAL NOT NULL,
    examples TEXT NOT NULL
  ) STRICT;
  `,
  // The history for people: the complete issue, the source's own values, manual decisions, and records before they were overwritten.
  `
  ALTER TABLE line ADD COLUMN issue TEXT;
  ALTER TABLE line ADD COLUMN as_read TEXT;
  ALTER TABLE line ADD COLUMN takes_up INTEGER;
  CREATE INDEX line_takes_up ON line (run, takes_up) WHERE takes_up IS NOT NULL;

  CREATE TABLE ruling (
    key TEXT NOT NULL,
    ruling TEXT NOT NULL,
    at INTEGER NOT NULL,
    run INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    origin TEXT NOT NULL,
    issue TEXT,
    fix TEXT,
    PRIMARY KEY (key, ruling)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE overwritten (
    run INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    at INTEGER NOT NULL,
    before TEXT NOT NULL,
    sent TEXT NOT NULL,
    put_back_at INTEGER,
    PRIMARY KEY (run, seq)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX overwritten_record ON overwritten (kind, id, run);
  `,
  // The mark of the checksum that belongs to the file (see file/checksum.ts).
  `
  CREATE TABLE seal (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    mark TEXT NOT NULL
  ) STRICT;
  INSERT INTO seal (one, mark) VALUES (1, 'never');
  `,
  // The number of requests that a run sent to the service.
  `
  ALTER TABLE run ADD COLUMN requests INTEGER;
  `,
  // The result of looking at the log after a run, with missing and additional records. Also the journal's own id. Earlier versions counted
  // records that are gone from the log as left out by a rule.
  `
  CREATE TABLE look (
    run INTEGER PRIMARY KEY REFERENCES run (id),
    at INTEGER NOT NULL,
    is_sure INTEGER NOT NULL,
    gone INTEGER NOT NULL,
    surplus TEXT NOT NULL
  ) STRICT;
  CREATE TABLE identity (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    mark TEXT NOT NULL
  ) STRICT;
  UPDATE line SET state = 'gone' WHERE state = 'skipped' AND reason LIKE 'plan/deleted-in-log %';
  `,
  // The values of a workout right after its import. If something on the way imports it a second time, the second workout has the same
  // values.
  `
  CREATE TABLE as_imported (
    id TEXT PRIMARY KEY,
    activity_id INTEGER,
    date TEXT NOT NULL,
    time TEXT,
    metres REAL,
    seconds REAL
  ) STRICT, WITHOUT ROWID;
  `,
  // Records that the log refused to show when a run was verified. Earlier versions counted them as missing.
  `
  ALTER TABLE verification ADD COLUMN unread INTEGER NOT NULL DEFAULT 0;
  `,
  // The pairs of workouts that a plan scored, and a person's answers about pairs. Also the lines of a plan before they were linked: with them, an
  // answer changes its own lines of the plan and no others.
  `
  CREATE TABLE pair (
    run INTEGER NOT NULL,
    one TEXT NOT NULL,
    other TEXT NOT NULL,
    verdict TEXT NOT NULL,
    found TEXT NOT NULL,
    PRIMARY KEY (run, one, other)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE pair_answer (
    one TEXT NOT NULL,
    other TEXT NOT NULL,
    answer TEXT NOT NULL,
    at INTEGER NOT NULL,
    take TEXT NOT NULL,
    records TEXT NOT NULL,
    PRIMARY KEY (one, other)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE line_before (
    run INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    state TEXT NOT NULL,
    action TEXT NOT NULL,
    twin TEXT,
    reason TEXT,
    value TEXT,
    PRIMARY KEY (run, seq)
  ) STRICT, WITHOUT ROWID;
  `,
  // Every file of the sources as it was before the first record was sent. A certificate rests on it.
  `
  CREATE TABLE inventory (
    run INTEGER PRIMARY KEY REFERENCES run (id),
    at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE inventory_file (
    run INTEGER NOT NULL,
    source INTEGER NOT NULL,
    path TEXT NOT NULL,
    bytes INTEGER,
    sha256 TEXT,
    unread TEXT,
    PRIMARY KEY (run, source, path)
  ) STRICT, WITHOUT ROWID;
  `,
  // The workouts of a plan before the first other source was merged into them. They tell which source gave a field, and a person can prefer one.
  `
  CREATE TABLE line_own (
    run INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (run, seq)
  ) STRICT, WITHOUT ROWID;
  `,
  // Records with values that somebody edited in the log, and that a run left so. Earlier versions counted them as differing.
  `
  ALTER TABLE verification ADD COLUMN edited INTEGER NOT NULL DEFAULT 0;
  `,
  // Values of the sources that the log lacks, in workouts that it had before. Earlier versions looked only whether these workouts were there.
  `
  ALTER TABLE verification ADD COLUMN not_added TEXT;
  `,
  // Values of the log that a check named as other than planned, and the newest run at that time. Earlier versions took every such value of a record
  // that a run had left alone for one that the run had seen.
  `
  CREATE TABLE named_difference (
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    field TEXT NOT NULL,
    found TEXT NOT NULL,
    run INTEGER NOT NULL,
    PRIMARY KEY (kind, id, field, found)
  ) STRICT, WITHOUT ROWID;
  `,
  // The end of the run that a verification saw. Earlier versions compared the times of both, and never believed one after a clock that was ahead.
  `
  ALTER TABLE verification ADD COLUMN run_ended_at INTEGER;
  `,
  // Whether an answer about a pair came from a rehearsal. There a person may take it back, and the next promotion follows.
  `
  ALTER TABLE pair_answer ADD COLUMN rehearsed INTEGER NOT NULL DEFAULT 0;
  `,
  // Records of the log that equal one of the run, and that no run of this journal made. Earlier versions told of them, and kept nothing.
  `
  ALTER TABLE verification ADD COLUMN doubled INTEGER NOT NULL DEFAULT 0;
  `,
  // A hash of all values of a workout right after its import. A workout that has them later never got its save, though the log confirmed it. And whether
  // a check had seen a record as it was sent before one named its difference. Of those that earlier versions named, it counts as seen.
  `
  ALTER TABLE as_imported ADD COLUMN hash TEXT;
  ALTER TABLE named_difference ADD COLUMN seen INTEGER NOT NULL DEFAULT 1;
  `,
];
