/**
 * Lets a resumed plan start before the whole log is listed. The log lists its workouts newest first, and logferry sends them newest first.
 * So the pages around the next days show whether somebody added the same workouts since.
 *
 * This file makes no final decision. If a new record may equal a workout, that workout waits. If the list is not in the expected order, all
 * workouts wait. After the rest is sent, the waiting ones are compared with a whole listing (`checkAssumptions`).
 */
import { LISTING_LIMIT } from "../../transforms/assumptions.ts";
import { addDays, type LocalDate } from "../../transforms/calendar.ts";
import { toFacts, type WorkoutFacts } from "../../transforms/duplicates.ts";
import { areOne } from "../../transforms/matching/compare-facts.ts";
import type { Journal } from "../journal/journal.ts";
import type { Line } from "../journal/line.ts";
import type { LogEntry } from "../journal/remote-record.ts";
import type { Run } from "../journal/run.ts";
import type { LogView } from "../log/log-view.ts";
import { factsIn, hasCreates, isToMake } from "./check-assumptions.ts";

/** What looking ahead needs. */
export interface LookAheadContext {
  readonly journal: Journal;
  readonly page: NonNullable<LogView["page"]>;
}

/** Whether a planned workout may be sent now; false when it must wait for a whole listing. */
export type MayBeSent = (line: Line) => Promise<boolean>;

/**
 * Reads both ends of the workout listing. A listing in another order (by creation time, for example) has its new records at one end. There
 * it also shows, most often, that its days are not in descending order.
 *
 * @param inDoubt workouts that were sent and never answered: the log may hold this many workouts more than we know of
 * @returns undefined when the whole log must be listed before anything is sent. This is so if the listing has no total or is not in order
 * of days. It is also so if the log has more or fewer workouts than we know of, and the two ends do not show all of the difference.
 * @throws any error of reading a page
 */
export async function lookAhead(
  run: Run,
  context: LookAheadContext,
  inDoubt: number,
  signal: AbortSignal,
): Promise<MayBeSent | undefined> {
  const { journal, page } = context;
  if (!(await hasCreates(run, "workout", journal))) return async () => true;
  const head = await page(0, signal);
  if (head?.total === undefined) return undefined;
  const { entries, total } = head;
  const isAll = entries.length === total && total < FULL_PAGE;
  if (!isAll && entries.length >= total) return undefined;
  const tail = isAll ? head : await page(total - entries.length, signal);
  if (tail?.total !== total) return undefined;
  const ends = [...new Map([...entries, ...tail.entries].map((entry) => [entry.id, entry])).values()];
  const isWhole = total <= 2 * entries.length;
  if (ends.length !== (isWhole ? total : 2 * entries.length) || !isNewestFirst(ends)) return undefined;
  const strangers = await journal.strangersAmong(ends);
  const unseen = total - (await journal.knownWorkouts(run.id)) - strangers.length;
  if (unseen < 0 || unseen > inDoubt) return undefined;
  const outlook = new Outlook(run, context, entries.length, isWhole ? EVERY_DAY : undefined, signal);
  outlook.meet([...(await journal.appeared("workout")), ...strangers]);
  return (line) => outlook.mayBeSent(line);
}

/** A page with this many entries may be followed by others, whatever its total says: some services count per page. */
const FULL_PAGE = LISTING_LIMIT;

/** Duplicates have the same day, or neighbouring days around midnight. One more day is a margin. */
const DAYS_AROUND = 2;

/** The guessed place of a day in the listing may be wrong, so reading starts this many entries earlier. */
const EARLIER = 5;

/** How often the search for a place in the listing may try. */
const ATTEMPTS = 6;

/** The days between two others, without these two. If one is undefined, the span reaches to that end of the list. */
interface Span {
  readonly before: LocalDate | undefined;
  readonly after: LocalDate | undefined;
}

const EVERY_DAY: Span = { before: undefined, after: undefined };

/** The days of the log that were read so far. */
class Outlook {
  readonly #run: Run;
  readonly #context: LookAheadContext;
  readonly #pageLength: number;
  readonly #signal: AbortSignal;
  /** New records, with the activity names of the run. */
  readonly #strangers: WorkoutFacts[] = [];
  /** The days that were read last. */
  #span: Span | undefined;
  #isLost = false;
  /** Workers share this queue: pages are read one after the other. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(run: Run, context: LookAheadContext, pageLength: number, span: Span | undefined, signal: AbortSignal) {
    this.#run = run;
    this.#context = context;
    this.#pageLength = pageLength;
    this.#span = span;
    this.#signal = signal;
  }

  /** Takes in new records. Workouts that may equal one of them will wait. */
  meet(strangers: readonly LogEntry[]): void {
    this.#strangers.push(...strangers.flatMap((stranger) => factsIn(this.#run, stranger)));
  }

  async mayBeSent(line: Line): Promise<boolean> {
    const facts = line.kind === "workout" && isToMake(line) ? toFacts(line.value) : undefined;
    if (facts === undefined) return true;
    const mine = this.#turn.then(() => this.#look(facts.date));
    this.#turn = mine.catch(() => undefined);
    try {
      await mine;
    } catch (error) {
      // A person stopped the run, so the service has no problem.
      if (!this.#signal.aborted) throw error;
      return false;
    }
    return !this.#isLost && !this.#strangers.some((stranger) => areOne(stranger, facts));
  }

  /** Reads the pages with the days around a day, unless they were read already. */
  async #look(day: LocalDate): Promise<void> {
    const [newest, oldest] = [addDays(day, DAYS_AROUND), addDays(day, -DAYS_AROUND)];
    const isSeen = () => isWithin(newest, this.#span) && isWithin(oldest, this.#span);
    if (this.#isLost || isSeen()) return;
    const known = await this.#context.journal.knownWorkoutsAfter(this.#run.id, newest);
    let offset = known - EARLIER;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      this.#span = await this.#read(Math.max(0, offset), oldest);
      if (isSeen()) return;
      offset -= this.#pageLength * 2 ** attempt;
    }
    this.#isLost = true;
  }

  /**
   * Reads pages from an entry on, until they pass a day.
   *
   * @returns undefined if the list is not in order, or moved up meanwhile
   */
  async #read(from: number, oldest: LocalDate): Promise<Span | undefined> {
    let newest: LocalDate | undefined;
    let last: LogEntry | undefined;
    for (let read = 0; ; ) {
      // Each page begins with the last entry of the page before. If the log got new records meanwhile, it begins earlier. So no entry is
      // skipped.
      const offset = from + Math.max(0, read - 1);
      const page = await this.#context.page(offset, this.#signal);
      if (page?.total === undefined) return undefined;
      const at = page.entries.findIndex(({ id }) => id === last?.id);
      if ((last !== undefined && at === -1) || !isNewestFirst(page.entries)) return undefined;
      const more = page.entries.slice(at + 1);
      this.meet(await this.#context.journal.strangersAmong(more));
      const days = page.entries.flatMap(({ facts }) => facts?.date ?? []);
      newest ??= days[0];
      const isLast = offset + page.entries.length >= page.total && page.entries.length < FULL_PAGE;
      const span: Span = {
        before: from > 0 ? (newest ?? FIRST_DAY) : undefined,
        after: isLast ? undefined : (days.at(-1) ?? LAST_DAY),
      };
      if (isLast || span.after === undefined || oldest > span.after) return span;
      if (more.length === 0) return undefined;
      last = page.entries.at(-1);
      read += more.length;
    }
  }
}

/** Every day lies between these two. */
const [FIRST_DAY, LAST_DAY]: readonly [LocalDate, LocalDate] = ["0000-01-01", "9999-12-31"];

function isWithin(day: LocalDate, span: Span | undefined): boolean {
  return (
    span !== undefined &&
    (span.before === undefined || day < span.before) &&
    (span.after === undefined || day > span.after)
  );
}

/** Whether the days of a listing are in descending order. Entries without a day may be anywhere. */
function isNewestFirst(entries: readonly LogEntry[]): boolean {
  const days = entries.flatMap(({ facts }) => facts?.date ?? []);
  return days.every((day, index) => index === 0 || day <= (days[index - 1] ?? day));
}
