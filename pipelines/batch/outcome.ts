/**
 * The outcome of an athlete: a status, and the reason for the coach. Each athlete's outcome is kept in a file between two batches. The next
 * batch then resumes each athlete, and sends no request for those who are done.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder, TEMPORARY, writeWhole } from "../../connectors/repository/files.ts";
import { type Ledger, needsAttention } from "../journal/summary.ts";

/** The status of an athlete, in the words of the table below. */
export type AthleteStatus = keyof typeof ATHLETE_STATUSES;

/** Every status: one word, a sentence for the coach, and whether somebody must look. */
export const ATHLETE_STATUSES = {
  verified: { word: "verified", means: "everything is in the log and was read back", isGood: true },
  loaded: { word: "loaded", means: "everything is in the log; nothing was read back", isGood: true },
  partly: {
    word: "partly",
    means:
      "done, with records rejected, refused, not sent, not read back or without their files, or from an archive that changed since",
    isGood: false,
  },
  differs: { word: "differs", means: "what was read back is not all as planned", isGood: false },
  unbegun: { word: "not begun", means: "not looked at yet", isGood: false },
  ready: { word: "ready", means: "planned, and not begun", isGood: true },
  stopped: { word: "stopped", means: "stopped early; the same command goes on", isGood: false },
  held: { word: "held", means: "something contradicts that this is the athlete's: nothing was written", isGood: false },
  login: { word: "login", means: "the log can't be opened with this token: log in again", isGood: false },
  source: { word: "source", means: "an archive can't be read", isGood: false },
  service: { word: "service", means: "the log's service refused, or didn't answer as it should", isGood: false },
  locked: { word: "locked", means: "another run works on this log", isGood: false },
  setup: { word: "setup", means: "a setting of the athlete can't be used", isGood: false },
  bug: { word: "bug", means: "a bug in logferry: please report it", isGood: false },
} as const satisfies Record<string, { readonly word: string; readonly means: string; readonly isGood: boolean }>;

/** The cost of a plan. */
export interface PlannedCost {
  readonly requests: number;
  /** At the athlete's own pace; undefined without a limit. */
  readonly seconds?: number;
}

/** An athlete's outcome. It holds no token, and nothing of any other athlete. */
export interface Outcome {
  /** The name in the roster. */
  readonly athlete: string;
  readonly status: AthleteStatus;
  /** For the coach: the problem and the next step. */
  readonly why?: string;
  /** For the coach: something beside the load that failed, such as a report that didn't arrive. */
  readonly note?: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** True while the log doesn't answer and nothing was done yet, so that to try again does no harm. A fleet tries again, and keeps no such outcome. */
  readonly isAway?: true;
  /** True if the step ended because the disk of this machine can't be written. A fleet leaves the athlete to another worker, and keeps no such outcome. */
  readonly isOfOwnDisk?: true;
  /** True if the journal is of a newer logferry. A fleet leaves the athlete to a newer worker, and keeps no such outcome. */
  readonly isForNewer?: true;
  /** The log, if it was opened. */
  readonly log?: { readonly url: string; readonly account: string };
  /** The journal that holds the run. */
  readonly journal?: string;
  readonly run?: number;
  readonly ledger?: Ledger;
  /** Distances and times that can't be read, as a number; absent for none. */
  readonly unreadValues?: number;
  /** Workouts whose local time is the log's offset, because nothing gives their zone; absent for none. */
  readonly assumedTimes?: { readonly workouts: number; readonly offsetMinutes: number };
  /** True if a person should look at something of the plan before it is carried out. */
  readonly isToLookAt?: true;
  readonly cost?: PlannedCost;
  /** The number of records read back, if any were. */
  readonly checked?: number;
  /** Records whose save the log confirmed and doesn't have, as a number: the same batch sends them again. Absent for none. */
  readonly unsaved?: number;
  /** Requests for this athlete, including the preflight. */
  readonly requests: number;
  /** A hash of the archives and options. If it changes, the athlete is imported again. */
  readonly fingerprint: string;
  /** Fingerprints of the log and its owner. They identify the athlete again after a change of the name in the roster. */
  readonly knownBy?: readonly string[];
}

/** The number of records and values that a person should look at; undefined as long as nothing was read. */
export function countToLookAt({
  ledger,
  unreadValues = 0,
}: {
  readonly ledger?: Ledger | undefined;
  readonly unreadValues?: number | undefined;
}): number | undefined {
  return ledger === undefined ? undefined : needsAttention(ledger) + unreadValues;
}

/** Whether the log has everything of an athlete. */
export function isDone({ status }: Pick<Outcome, "status">): boolean {
  return status === "verified" || status === "loaded";
}

/** Whether the work for an athlete has ended, even if a person must still look at some records. */
export function isOver({ status }: Pick<Outcome, "status">): boolean {
  return isDone({ status }) || status === "partly" || status === "differs";
}

/** Keeps an outcome. Its file uses the names `standing` and `mark`, because the first logferry did. */
export async function keepOutcome(folder: string, key: string, outcome: Outcome): Promise<void> {
  await makeFolder(join(folder, TEMPORARY));
  const { status, fingerprint, ...rest } = outcome;
  await writeWhole(
    folder,
    fileOf(key),
    Buffer.from(`${JSON.stringify({ ...rest, standing: status, mark: fingerprint }, null, 2)}\n`),
  );
}

/** The last outcome of an athlete; undefined without a usable one, and then the athlete is checked again. */
export async function readOutcome(folder: string, key: string): Promise<Outcome | undefined> {
  try {
    const {
      standing: status,
      mark: fingerprint,
      ...rest
    } = JSON.parse(await readFile(join(folder, fileOf(key)), "utf8"));
    const read: Partial<Outcome> = { ...rest, status, fingerprint };
    const isWhole =
      typeof read.athlete === "string" &&
      typeof read.fingerprint === "string" &&
      typeof read.at === "number" &&
      read.status !== undefined &&
      read.status in ATHLETE_STATUSES;
    // An older logferry did not count missing records.
    const ledger = read.ledger && { ...read.ledger, gone: read.ledger.gone ?? 0 };
    return isWhole ? ({ requests: 0, ...read, ...(ledger !== undefined && { ledger }) } as Outcome) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

function fileOf(key: string): string {
  return `${key}.json`;
}
