/**
 * A resumed plan need not wait for a listing of the whole log. The log lists its workouts newest first and they are sent
 * newest first, so the pages around the days that are sent next tell whether somebody put there since what the plan would make.
 *
 * Nothing is decided here. Where a record appeared that a workout may be, the workout waits; and all wait where the list isn't as it
 * should be. What waits is compared with a whole listing once the rest is sent (`checkAssumptions`).
 */
import { LISTING_LIMIT } from "../../transforms/assumptions.ts";
import { addDays, type LocalDate } from "../../transforms/calendar.ts";
import { matchDuplicates, toFacts, type WorkoutFacts } from "../../transforms/duplicates.ts";
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

/** Whether a planned workout may be sent now; false when it is to wait for a whole listing. */
export type MayBeSent = (line: Line) => Promise<boolean>;

/**
 * Reads the two ends of the listing of workouts. A listing in another order (by when records were made, say) has what appeared since
 * at one of them, and most often shows there that its days don't fall.
 *
 * @param inDoubt workouts that were sent and never answered: the log may hold as many more than is known
 * @returns undefined when the log must be listed whole before anything is sent: its listing has no total, isn't in order of days, or has
 * more or fewer workouts than are known, of which the two ends don't show every one
 * @throws what reading a page throws
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

/** A page of so many may have others behind it, whatever its total says: some count by the page. */
const FULL_PAGE = LISTING_LIMIT;

/** Duplicates have the same day, or neighbouring days around midnight. One more day is a margin. */
const DAYS_AROUND = 2;

/** Entries by which a page begins earlier than where a day is thought to begin. */
const EARLIER = 5;

/** Times that a place in the listing is looked for. */
const ATTEMPTS = 6;

/** Days between two others, both left out; without one, to the end of the list. */
interface Span {
  readonly before: LocalDate | undefined;
  readonly after: LocalDate | undefined;
}

const EVERY_DAY: Span = { before: undefined, after: undefined };

/** What was seen of the log's days so far. */
class Outlook {
  readonly #run: Run;
  readonly #context: LookAheadContext;
  readonly #pageLength: number;
  readonly #signal: AbortSignal;
  /** What appeared, as the run's workouts would have it. */
  readonly #strangers: WorkoutFacts[] = [];
  /** The days that were read last. */
  #span: Span | undefined;
  #isLost = false;
  /** Pages are read one after the other, whichever worker asks. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(run: Run, context: LookAheadContext, pageLength: number, span: Span | undefined, signal: AbortSignal) {
    this.#run = run;
    this.#context = context;
    this.#pageLength = pageLength;
    this.#span = span;
    this.#signal = signal;
  }

  /** Lets the workouts wait that one of these may be. */
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
      // Stopped by a person, not by the service.
      if (!this.#signal.aborted) throw error;
      return false;
    }
    return !this.#isLost && !this.#strangers.some((stranger) => matchDuplicates(stranger, facts) !== undefined);
  }

  /** Reads the pages that the days around one are on, if they weren't. */
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

  /** Reads pages from an entry on until past a day. @returns undefined where the list isn't in order, or moved up meanwhile */
  async #read(from: number, oldest: LocalDate): Promise<Span | undefined> {
    let newest: LocalDate | undefined;
    let last: LogEntry | undefined;
    for (let read = 0; ; ) {
      // Each page begins with the last entry of the one before, or earlier where records were made meanwhile: nothing is skipped.
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

/** No day is before this one, and none after that one. */
const [FIRST_DAY, LAST_DAY]: readonly [LocalDate, LocalDate] = ["0000-01-01", "9999-12-31"];

function isWithin(day: LocalDate, span: Span | undefined): boolean {
  return (
    span !== undefined &&
    (span.before === undefined || day < span.before) &&
    (span.after === undefined || day > span.after)
  );
}

/** Whether the days of a listing fall. What has no day stands anywhere. */
function isNewestFirst(entries: readonly LogEntry[]): boolean {
  const days = entries.flatMap(({ facts }) => facts?.date ?? []);
  return days.every((day, index) => index === 0 || day <= (days[index - 1] ?? day));
}
