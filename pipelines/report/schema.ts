/**
 * Defines the contents of a report once: the type for our code, and the JSON Schema for others (`docs/report.schema.json`). At run time,
 * the code uses only its types.
 */
import { z } from "zod";
import { LOSS_CAUSES } from "../../transforms/model/loss-cause.ts";

/** Changes when a described member disappears or changes its meaning. New members may appear at any time. */
export const REPORT_VERSION = 1;

const count = z.int().min(0);
const ACTIVITY = z
  .string()
  .optional()
  .describe("run, bike, swim ...; of a snapshot that was put back also the log's own activities, by their names");
const instant = z.iso.datetime().describe("UTC");
const kind = z.enum(["workout", "equipment", "course", "set-aside"]);

const origin = z
  .object({
    connector: z.string(),
    archive: z.string().describe("name of the source, without its folder"),
    entry: z.string().describe("file inside it"),
    locator: z.string().optional().describe("place inside the file: line 212"),
  })
  .describe("where a person can look");

const ledger = z
  .object({
    read: count.describe("all records of the sources: each is counted once below, from created to left"),
    created: count,
    updated: count,
    unchanged: count,
    merged: count,
    gone: count.describe("loaded once, and no longer in the log"),
    skipped: count,
    quarantined: count,
    refused: count,
    failed: count,
    inDoubt: count,
    left: count,
    toUpdate: count.describe("of those left, how many change a record of the log"),
    leftThere: count
      .optional()
      .describe("of those left, how many the log holds already, without their values: their file was imported"),
    refusedThere: count
      .optional()
      .describe("of those refused, how many the log holds all the same, without their values"),
    mergedAbsent: count
      .optional()
      .describe("of those merged, how many are duplicates of records that are not in the log"),
    dropped: count.optional().describe("of those skipped, how many a person left out"),
    logChanged: count
      .optional()
      .describe("of those failed, how many were not sent because the log changed after the plan was made"),
    lostFiles: z
      .object({
        missing: count.describe("their file is not in the archive"),
        damaged: count.describe("nothing of their file can be read"),
        cut: count.describe("only the beginning of their file can be read"),
      })
      .optional()
      .describe("of those in the log or on their way, how many go without their track or map, or with a part of it"),
  })
  .describe("records, by where they ended");

const sum = z.object({
  workouts: count,
  metres: z.number().min(0),
  seconds: z.number().min(0),
});

const sums = z.object({
  read: sum.describe("of all workouts read, each once; without those rejected before anything was known of them"),
  inLog: sum.describe("of these, what is in the log"),
});

const pair = z.object({ planned: z.number(), found: z.number() });

const days = z.array(z.object({ kind, day: z.string().optional(), count, ids: z.array(z.string()) }));

const look = z.object({
  at: instant,
  isSure: z.boolean().describe("false when the log could not be listed, or its listing was out of date"),
  gone: count.describe("records that were in the log during the run and are no longer there"),
  surplus: days.describe("where the log holds more than was loaded: sent twice on the way, or typed by hand meanwhile"),
  before: days
    .optional()
    .describe("records equal to one of the run, both in the log before it: no run of this journal made them"),
});

const verification = z.object({
  at: instant,
  isCurrent: z.boolean().describe("false when the run went on since"),
  checked: count,
  present: count.describe("of these, in the log before: only looked for"),
  differing: count,
  putBack: count
    .optional()
    .describe(
      "records that logferry undo put back as they were before the run, at the time of the report: not among the differing ones",
    ),
  edited: count
    .optional()
    .describe(
      "records with values that somebody edited in the log, and that the run left so: not among the differing ones",
    ),
  claimedTwice: count.describe("records of the log that stand for two of the sources"),
  doubled: count
    .optional()
    .describe("records of the log that equal one of the run, and that came while or after it was sent"),
  unread: count.describe("records that the log refused to show: they may be there, and are not among the checked ones"),
  metres: pair,
  seconds: pair,
  examples: z.array(
    z.object({
      kind,
      id: z.string().optional(),
      origin,
      differences: z.array(
        z.object({
          field: z.string(),
          expected: z.unknown().optional(),
          found: z.unknown().optional().describe("absent when the log has no such field"),
        }),
      ),
    }),
  ),
});

const obstacle = z.object({
  code: z
    .enum([
      "unbalanced",
      "superseded",
      "left",
      "in-doubt",
      "gone",
      "more-than-once",
      "stays-in-log",
      "source-changed",
      "refused",
      "failed",
      "rejected",
      "without-file",
      "tracks-left-out",
      "tracks-left-out-by-others",
      "export-without-tracks",
      "not-added",
      "not-added-by-others",
      "unread-values",
      "unconfirmed-columns",
      "unread-files",
      "left-by-others",
      "part-of-a-run",
      "a-restore",
      "a-rehearsal",
      "undone",
      "outside-dates",
      "nothing-of-it",
      "own-rule",
      "not-verified",
      "verified-too-early",
      "differs",
      "claimed-twice",
      "unread",
    ])
    .describe("stable, for programs"),
  count,
  text: z.string(),
  todo: z.string().describe("what a person can do about it"),
});

const verdict = z.object({
  isDone: z.boolean().describe("nothing planned is left to do"),
  isGood: z.boolean().describe("everything was read back and is as planned"),
  canClose: z.boolean().describe("done, good, and nothing in these sources stayed out of the log"),
  sentence: z.string(),
  obstacles: z.array(obstacle).describe("what stands against closing the old account"),
  accepted: z
    .array(obstacle)
    .optional()
    .describe("what would stand against it, and is accepted by the rule that a person stated with --accept"),
  minorValues: z
    .array(z.object({ field: z.string(), count, because: z.enum(LOSS_CAUSES), value: z.string(), origin }))
    .optional()
    .describe(
      "values that have a field in the log and stay out, as nobody can read them or they can't be true, by column or field, with the first of each; a yes names them",
    ),
  sheetsLeft: z
    .object({ count, names: z.array(z.string()) })
    .optional()
    .describe("sheets of workbooks that nobody read and no mapping file leaves by name; a yes names them"),
});

const area = z.object({
  lat: z.number().min(-90).max(90),
  lon: z.number().min(-180).max(180),
  zone: z.string().optional().describe("time zone there, as a hint where it is"),
  workouts: count,
  cells: z.array(z.object({ lat: z.number(), lon: z.number(), workouts: count })),
});

const issue = z.object({
  severity: z.enum(["info", "warning", "error"]),
  rule: z.string(),
  origin: origin.optional(),
  field: z.string().optional(),
  found: z.string().optional(),
  expected: z.string().optional(),
  count: z.int().optional(),
  names: z
    .array(z.string())
    .readonly()
    .optional()
    .describe(
      "of files that were not read, of new columns, or of columns that a mapping leaves out, with the number of their values",
    ),
});

/** One record that isn't simply in the log. */
export const RECORD = z.object({
  id: z.string().describe("short name for it, as the quarantine and retry commands take it"),
  key: z.string(),
  kind,
  name: z
    .string()
    .optional()
    .describe("of equipment: brand and model, with the serial and the day of purchase that tell two of one name apart"),
  state: z.enum(["gone", "quarantined", "refused", "failed", "in-doubt", "merged", "skipped"]),
  rule: z.string().optional().describe("stable name of the reason, where there is one"),
  reason: z.string().optional(),
  origin,
  twin: z.string().optional().describe("of a merged record: key of the one it was merged into"),
});

/** A report without its records. There may be many records, so they are written one by one. */
export const REPORT = z.object({
  format: z.literal("logferry report"),
  formatVersion: z.literal(REPORT_VERSION),
  writtenAt: instant,
  writtenBy: z.string().describe("version of logferry"),
  run: z.object({
    number: z.int().min(1),
    state: z.enum(["planning", "planned", "running", "stopped", "finished", "superseded"]),
    plannedAt: instant,
    plannedBy: z.string().optional().describe("version of logferry"),
    finishedAt: instant.optional(),
    sentFrom: instant.optional().describe("when the first record was sent"),
    sentUntil: instant.optional().describe("when the last answer came"),
    requests: z.int().optional().describe("what it cost the service, without a command that was killed"),
  }),
  log: z.object({
    service: z.string().optional(),
    account: z.string().optional(),
    distanceUnit: z.enum(["km", "mi"]).describe("what its owner counts in; the numbers here are metres"),
  }),
  sources: z.array(
    z.object({
      name: z.string(),
      connector: z.string(),
      saw: z.string().describe("what it was recognised by"),
      sizeBytes: count.optional(),
      ledger,
    }),
  ),
  verdict,
  ledger,
  isBalanced: z.boolean(),
  byKind: z.object({ workout: ledger, equipment: ledger, course: ledger, "set-aside": ledger }),
  look: look.optional().describe("the log was listed once more after the run"),
  verification: verification.optional(),
  totals: sums,
  byActivity: z.array(sums.extend({ activity: ACTIVITY })),
  byYear: z.array(sums.extend({ year: z.string().optional() })),
  byMonth: z.array(
    sums.extend({
      month: z.string().optional().describe("YYYY-MM"),
      activity: ACTIVITY,
    }),
  ),
  places: z
    .object({
      step: z.number().describe("degrees: nothing finer is told"),
      workouts: count.describe("how many have a place; the device files of the others know none, or there is none"),
      areas: z.array(area),
    })
    .optional()
    .describe("where workouts began; absent when it was left out"),
  assumedTimes: z
    .object({
      workouts: count,
      utcOffset: z.number().describe("hours from UTC at which they are written"),
      titles: count.describe("how many of their titles name a time of day"),
      contradicting: count.describe("how many of these name another one than theirs"),
      example: z.object({ origin, date: z.string(), time: z.string() }),
    })
    .optional()
    .describe("workouts whose source gives neither a zone nor a position; absent where there are none"),
  losses: z
    .array(z.object({ field: z.string(), count, because: z.enum(LOSS_CAUSES).optional() }))
    .describe("values that are not put in the log, by field and cause, counted over the records"),
  otherCopies: z
    .array(z.object({ field: z.string(), count }))
    .optional()
    .describe(
      "values of merged records that differ from the record that is kept, counted over the merged records; absent where there are none",
    ),
  notAdded: z
    .array(
      z.object({
        field: z.string(),
        lacking: count.describe("workouts that have no such value in the log"),
        differing: count.describe("workouts that have another value in the log"),
      }),
    )
    .optional()
    .describe(
      "values of workouts that the log had before, typed by hand or loaded from another source: the log keeps what it has; absent where there are none",
    ),
  filled: z
    .array(z.object({ field: z.string(), count }))
    .optional()
    .describe(
      "blank fields of workouts in the log that this run fills, counted over the workouts; absent where there are none",
    ),
  issues: z.array(z.object({ severity: issue.shape.severity, rule: z.string(), count, example: issue })),
  reasons: z
    .array(
      z.object({
        state: RECORD.shape.state,
        rule: z.string().optional(),
        count,
        means: z.string().optional().describe("of what is rejected: the rule in words"),
        remedy: z.string().optional().describe("and what to do about it"),
      }),
    )
    .describe("why records are not simply in the log"),
});

/** The whole file. */
export const REPORT_FILE = REPORT.extend({ records: z.array(RECORD) });

/** A report without its records. */
export type Report = Readonly<z.infer<typeof REPORT>>;
/** One record that isn't simply in the log. */
export type ReportRecord = Readonly<z.infer<typeof RECORD>>;
/** Whether the old account can be closed, and the obstacles. */
export type Verdict = Report["verdict"];
/** Sums of workouts. */
export type Sum = z.infer<typeof sum>;
/** The sums from the sources, beside the sums in the log. */
export type Sums = z.infer<typeof sums>;
/** An area where workouts began. */
export type Area = z.infer<typeof area>;

/** The JSON Schema of the file (draft 2020-12). */
export function reportSchema(): object {
  return {
    title: "logferry report",
    description: "What became of every record of a run: written by --report FILE.json. See docs/report.md.",
    ...z.toJSONSchema(REPORT_FILE, { io: "input" }),
  };
}
