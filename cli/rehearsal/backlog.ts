/** Says what a promotion still has to send, and when it ends. */
import { GUARD } from "../../connectors/api/pace.ts";
import { costOf, largestOperation } from "../../pipelines/journal/cost.ts";
import type { JournalReader } from "../../pipelines/journal/journal.ts";
import { findPromoter } from "../../pipelines/journal/lock.ts";
import type { Run } from "../../pipelines/journal/run.ts";
import { summarise } from "../../pipelines/journal/summary.ts";
import { type Expected, expectedEnd, type Sending } from "../../pipelines/promote/expected-end.ts";
import type { CommandContext } from "../arguments/command.ts";
import { UsageError } from "../errors/exit-codes.ts";
import { count, many, type Output } from "../terminal/output.ts";
import { ownZone, timeInWords } from "../wording/moments.ts";
import { readPromotion } from "./promotion-file.ts";
import { SendingLimits } from "./sending-limits.ts";

/** The open part of a promotion. */
export interface Backlog {
  /** Records and requests that are left. */
  readonly records: number;
  readonly requests: number;
  /** Undefined when the requests of a day are too few to get on. */
  readonly expected: Expected | undefined;
  /** Requests that a day needs at the least. */
  readonly least: number;
}

/** What the time of a promotion depends on, besides its limits. */
export interface Pace {
  /** Requests a second; undefined for no limit. */
  readonly perSecond: number | undefined;
  /** Whether the log is open. */
  readonly isOpen: boolean;
}

/** Computes what is left of a run, and when it ends. */
export async function backlogOf(
  journal: JournalReader,
  run: Run,
  limits: SendingLimits,
  { perSecond, isOpen }: Pace,
  now: number,
): Promise<Backlog> {
  const [later, direct] = [await costOf(journal, run.id, "later"), await costOf(journal, run.id, "now")];
  const largest = await largestOperation(journal, run.id);
  const sending: Sending = {
    requests: direct.requests - direct.looks,
    opening: later.looks - direct.looks,
    isOpen,
    looking: direct.looks,
    everyMs: perSecond === undefined ? 0 : (1000 * GUARD) / perSecond,
    perDay: limits.perDay,
    usedToday: limits.usedToday,
    spare: Math.floor(largest / 2),
    hours: limits.hours,
    zone: limits.zone,
  };
  const { all } = await summarise(journal, run);
  return {
    records: all.left + all.inDoubt,
    // As the plan says it: with the look at the log in the end.
    requests: direct.requests,
    expected: expectedEnd(sending, now),
    least: sending.opening + largest + sending.spare,
  };
}

/** The end of a backlog. @throws UsageError when the requests of a day are too few to get on */
export function endOf({ expected, least }: Backlog, { perDay = 0 }: Pick<SendingLimits, "perDay">): Expected {
  if (expected !== undefined) return expected;
  throw new UsageError(
    `Cannot promote with --per-day ${perDay}: going on takes ${count(least)} requests a day at the least, and years must not go by`,
  );
}

/** `2026-11-29 04:10 (Europe/Vienna)`, by this machine's clock. Other moments beside it are in UTC. */
export const momentInWords = (at: number): string => `${timeInWords(at, { everyMs: 0 })} (${ownZone()})`;

/** `22:00-06:00, 700 requests a day`; undefined without limits. */
export function limitsInWords({ at, perDay }: Pick<SendingLimits, "at" | "perDay">): string | undefined {
  const words = [at, perDay === undefined ? undefined : `${many(perDay, "request")} a day`];
  const known = words.filter((word) => word !== undefined);
  return known.length === 0 ? undefined : known.join(", ");
}

/** Prints the backlog of a promotion that is not over, for a person who asks how far it is. */
export async function sayBacklog(
  { output, now }: Pick<CommandContext, "output" | "now">,
  journal: JournalReader,
  run: Run,
  perSecond: number | undefined,
): Promise<void> {
  const { promotes } = run.options;
  if (promotes === undefined || run.state === "finished" || run.state === "superseded") return;
  const limits = new SendingLimits(promotes.folder, {}, now);
  const backlog = await backlogOf(journal, run, limits, { perSecond, isOpen: false }, now());
  if (backlog.records === 0) return;
  emitBacklog(output, run, backlog, promotes.folder);
  const held = limitsInWords(limits);
  const end = backlog.expected === undefined ? "" : ` It ends about ${momentInWords(backlog.expected.end)}.`;
  output.say(
    `Promotion of the rehearsal in ${promotes.folder}: ${many(backlog.records, "record")} left, ${many(backlog.requests, "request")}${held === undefined ? "" : ` (${held})`}.${end}`,
  );
}

/** A promotion that waits by itself, in words; undefined when no process carries the run out or waits with it. */
export function describeWait({ id, state, options: { promotes } }: Run, now: number): string | undefined {
  const holder = promotes === undefined || state !== "stopped" ? undefined : findPromoter(promotes.folder);
  if (promotes === undefined || holder === undefined) return undefined;
  // After a kill the file still names the moment of an earlier wait.
  const at = Date.parse(readPromotion(promotes.folder).goesOn ?? "");
  return `Run ${id} waits, and goes on by itself${at > now ? ` about ${momentInWords(at)}` : ""}: ${holder}.`;
}

/** Prints the backlog for scripts. @param goesOn when the next part begins, if it waits */
export function emitBacklog(output: Output, run: Run, backlog: Backlog, folder: string, goesOn?: number): void {
  const { records: left, requests, expected } = backlog;
  output.emit("promotion", {
    run: run.id,
    left,
    requests,
    end: expected === undefined ? undefined : new Date(expected.end).toISOString(),
    promised: readPromotion(folder).promised,
    ...(goesOn !== undefined && { goesOn: new Date(goesOn).toISOString() }),
  });
}
