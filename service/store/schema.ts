/** A step as SQL that both databases understand, or as SQL for each. */
export type Step = string | { readonly sqlite: string; readonly postgres: string };

/** Recounts the workouts of every month. */
const RECOUNT = `
    DELETE FROM workout_months;
    INSERT INTO workout_months (user_id, month, activity_id, workouts)
      SELECT user_id, substr(date, 1, 7), activity_id, COUNT(*) FROM workouts GROUP BY user_id, substr(date, 1, 7), activity_id;
`;

/**
 * The tables, as steps from one version of the schema to the next. A step that has shipped never changes, and a change is a new step.
 * Keys are text. A value that is sorted, filtered or added up has a column. The whole record is JSON in `body`, so that every number and
 * every character comes back exactly as it was saved.
 */
export const STEPS: readonly Step[] = [
  `
  CREATE TABLE users (
    id TEXT PRIMARY KEY,
    profile TEXT NOT NULL,
    preference TEXT NOT NULL
  );
  CREATE TABLE tokens (
    hash TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id),
    application TEXT NOT NULL,
    reads_profile INTEGER NOT NULL
  );
  CREATE TABLE activities (
    user_id TEXT NOT NULL REFERENCES users (id),
    activity_id INTEGER NOT NULL,
    name TEXT NOT NULL,
    types TEXT NOT NULL,
    PRIMARY KEY (user_id, activity_id)
  );
  CREATE TABLE courses (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id),
    name TEXT NOT NULL,
    metres REAL,
    body TEXT NOT NULL
  );
  CREATE INDEX courses_of_user ON courses (user_id, id);
  CREATE TABLE course_maps (
    course_id TEXT PRIMARY KEY REFERENCES courses (id),
    format TEXT NOT NULL,
    packed BLOB NOT NULL
  );
  CREATE TABLE equipment (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id),
    activity_id INTEGER NOT NULL,
    retired INTEGER NOT NULL,
    name TEXT NOT NULL,
    body TEXT NOT NULL
  );
  CREATE INDEX equipment_of_user ON equipment (user_id, id);
  CREATE TABLE uploads (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id),
    format TEXT NOT NULL,
    packed BLOB NOT NULL
  );
  CREATE TABLE workouts (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id),
    activity_id INTEGER NOT NULL,
    workout_id INTEGER,
    date TEXT NOT NULL,
    -- '' for an untimed workout: databases disagree on where NULL sorts
    time TEXT NOT NULL,
    duration REAL,
    distance_unit TEXT,
    distance_value REAL,
    metres REAL,
    course_id TEXT REFERENCES courses (id),
    equipment_id TEXT REFERENCES equipment (id),
    upload_id TEXT REFERENCES uploads (id),
    recording INTEGER,
    body TEXT NOT NULL
  );
  -- the listing's order, then what it can be filtered by: counting and paging never touch a record
  CREATE INDEX workouts_of_user ON workouts (user_id, date, time, id, activity_id, workout_id, duration);
  CREATE INDEX workouts_by_activity ON workouts (user_id, activity_id, date, time, id);
  CREATE INDEX workouts_on_course ON workouts (course_id, date);
  CREATE INDEX workouts_in_equipment ON workouts (equipment_id, metres);
  CREATE TABLE training_plans (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id),
    application TEXT NOT NULL,
    commercial INTEGER NOT NULL,
    body TEXT NOT NULL
  );
  CREATE INDEX training_plans_of_user ON training_plans (user_id, id);
  `,
  `
  CREATE TABLE accounts (
    user_id TEXT PRIMARY KEY REFERENCES users (id),
    login TEXT NOT NULL UNIQUE,
    password_hash TEXT NOT NULL
  );
  CREATE TABLE applications (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    secret_hash TEXT NOT NULL,
    redirect_uris TEXT NOT NULL
  );
  CREATE TABLE codes (
    hash TEXT PRIMARY KEY,
    application_id TEXT NOT NULL REFERENCES applications (id),
    user_id TEXT NOT NULL REFERENCES users (id),
    redirect_uri TEXT NOT NULL,
    reads_profile INTEGER NOT NULL,
    challenge TEXT,
    expires_at BIGINT NOT NULL,
    -- 1 once it was taken, 2 once somebody came with it again
    uses INTEGER NOT NULL DEFAULT 0
  );
  CREATE INDEX codes_by_end ON codes (expires_at);
  ALTER TABLE tokens ADD COLUMN code_hash TEXT;
  ALTER TABLE tokens ADD COLUMN granted_at BIGINT NOT NULL DEFAULT 0;
  CREATE INDEX tokens_of_user ON tokens (user_id, application);
  CREATE INDEX tokens_of_code ON tokens (code_hash);
  CREATE TABLE sessions (
    hash TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id),
    expires_at BIGINT NOT NULL
  );
  CREATE INDEX sessions_by_end ON sessions (expires_at);
  `,
  `
  ALTER TABLE applications ADD COLUMN suspended INTEGER NOT NULL DEFAULT 0;
  `,
  `
  -- see months.ts
  CREATE TABLE workout_months (
    user_id TEXT NOT NULL REFERENCES users (id),
    month TEXT NOT NULL,
    activity_id INTEGER NOT NULL,
    workouts INTEGER NOT NULL,
    PRIMARY KEY (user_id, month, activity_id)
  );
  INSERT INTO workout_months (user_id, month, activity_id, workouts)
    SELECT user_id, substr(date, 1, 7), activity_id, COUNT(*) FROM workouts GROUP BY user_id, substr(date, 1, 7), activity_id;
  `,
  `
  -- what pages add up is in the indexes too: a year of days, a shoe's way, a course's workouts never touch a record
  DROP INDEX workouts_of_user;
  CREATE INDEX workouts_of_user ON workouts (user_id, date, time, id, activity_id, workout_id, duration, metres);
  DROP INDEX workouts_on_course;
  CREATE INDEX workouts_on_course ON workouts (course_id, date, metres, duration);
  DROP INDEX workouts_in_equipment;
  CREATE INDEX workouts_in_equipment ON workouts (equipment_id, date, metres, duration);
  `,
  {
    // The service itself never deletes workouts, but a log's owner may delete them directly in the database. Then the month counts follow
    // (see months.ts). The recount covers workouts that were deleted before this step existed.
    sqlite: `
    CREATE TRIGGER workouts_went AFTER DELETE ON workouts BEGIN
      UPDATE workout_months SET workouts = workouts - 1
        WHERE user_id = OLD.user_id AND month = substr(OLD.date, 1, 7) AND activity_id = OLD.activity_id;
    END;
    ${RECOUNT}`,
    // A trigger for each row would be slow when thousands are deleted at once. The function uses the schema of the tables, for every user
    // who deletes.
    postgres: `
    CREATE FUNCTION workouts_went() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
    BEGIN
      IF TG_OP = 'TRUNCATE' THEN
        DELETE FROM workout_months;
      ELSE
        UPDATE workout_months SET workouts = workout_months.workouts - gone.workouts
          FROM (SELECT user_id, substr(date, 1, 7) AS month, activity_id, COUNT(*) AS workouts FROM went GROUP BY 1, 2, 3) gone
          WHERE workout_months.user_id = gone.user_id AND workout_months.month = gone.month
            AND workout_months.activity_id = gone.activity_id;
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER workouts_went AFTER DELETE ON workouts REFERENCING OLD TABLE AS went
      FOR EACH STATEMENT EXECUTE FUNCTION workouts_went();
    CREATE TRIGGER workouts_truncated AFTER TRUNCATE ON workouts FOR EACH STATEMENT EXECUTE FUNCTION workouts_went();
    ${RECOUNT}`,
  },
  `
  -- see mistakes.ts
  CREATE TABLE mistakes (
    guesser TEXT PRIMARY KEY,
    mistakes INTEGER NOT NULL,
    last_at BIGINT NOT NULL,
    wait_until BIGINT NOT NULL
  );
  CREATE INDEX mistakes_by_time ON mistakes (last_at);
  `,
];

/** How a database is opened. */
export interface Opening {
  /** The steps that make the schema. Only a test uses others. */
  readonly steps?: readonly Step[];
  /** Whether an empty database becomes a log; default it does. Otherwise it is refused, and nothing is written to it. */
  readonly mayMake?: boolean;
  /**
   * Whether each commit of a file waits until the disk has it; default it does. Without, a power cut may lose the latest commits: enough for a log that
   * can be made once more. A PostgreSQL server decides for itself.
   */
  readonly waitsForDisk?: boolean;
}

/** A table: its key, and whether a row of it holds a whole file. */
interface Table {
  readonly name: string;
  readonly key: readonly string[];
  readonly holdsFiles?: true;
}

/** Every table. Those that others point at stand before them. */
export const TABLES: readonly Table[] = [
  { name: "users", key: ["id"] },
  { name: "accounts", key: ["user_id"] },
  { name: "applications", key: ["id"] },
  { name: "tokens", key: ["hash"] },
  { name: "codes", key: ["hash"] },
  { name: "sessions", key: ["hash"] },
  { name: "mistakes", key: ["guesser"] },
  { name: "activities", key: ["user_id", "activity_id"] },
  { name: "training_plans", key: ["id"] },
  { name: "equipment", key: ["id"] },
  { name: "courses", key: ["id"] },
  { name: "course_maps", key: ["course_id"], holdsFiles: true },
  { name: "uploads", key: ["id"], holdsFiles: true },
  { name: "workouts", key: ["id"] },
  { name: "workout_months", key: ["user_id", "month", "activity_id"] },
];
