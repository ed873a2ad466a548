/** Holds a promotion to its hours and to its quota of requests a day, over days and restarts. */
import { LAST_MINUTE_MS } from "../../pipelines/promote/expected-end.ts";
import { defined } from "../../transforms/model/defined.ts";
import { dayAt, type Hours, isWithin, nextDayAt, opensAt, parseHours } from "../../transforms/sending-hours.ts";
import type { LongLimits } from "../session/budget.ts";
import { count } from "../terminal/output.ts";
import { ownZone } from "../wording/moments.ts";
import { type PromotionState, readPromotion, writePromotion } from "./promotion-file.ts";

/** So many requests are noted ahead, so that a killed process counts too many and never too few. */
const MOST_AHEAD = 20;

/** Typed to end the hours of an earlier command. */
const WHOLE_DAY = "00:00-24:00";

/** The hours and the quota of a promotion. */
export class SendingLimits implements LongLimits {
  /** The hours as they were typed. */
  readonly at: string | undefined;
  readonly hours: Hours | undefined;
  readonly perDay: number | undefined;
  readonly zone = ownZone();
  readonly #folder: string;
  readonly #log: string | undefined;
  readonly #now: () => number;
  #day: string;
  #used: number;
  /** Requests of today that are noted in the folder. */
  #noted: number;
  /** Requests of today that were reserved for records. */
  #promised = 0;
  #isWriting = false;
  #reason: string | undefined;
  #pausedUntil = 0;

  /**
   * @param typed the journal of the log, and the hours and the quota of the command line. Those that are missing are as in an earlier command about this
   *   folder and this log
   */
  constructor(folder: string, typed: Pick<PromotionState, "log" | "at" | "perDay">, now: () => number) {
    const known = readPromotion(folder);
    const isOther = typed.log !== undefined && known.log !== undefined && typed.log !== known.log;
    const { day, used = 0, ...earlier } = isOther ? {} : known;
    this.#log = typed.log ?? known.log;
    const { at = earlier.at, perDay = earlier.perDay } = typed;
    this.#folder = folder;
    this.#now = now;
    this.at = at === WHOLE_DAY ? undefined : at;
    this.hours = this.at === undefined ? undefined : parseHours(this.at);
    this.perDay = perDay === 0 ? undefined : perDay;
    this.#day = dayAt(now(), this.zone);
    this.#used = day === this.#day ? used : 0;
    this.#noted = this.#used;
  }

  /** Whether anything holds the promotion back. */
  get areSet(): boolean {
    return this.hours !== undefined || this.perDay !== undefined;
  }

  /**
   * Begins to write. From now on the hours count: before, the log is only read, for the plan. The folder keeps the hours and the quota.
   *
   * @param promised the end that a person was promised; undefined when the promotion goes on
   */
  beginWriting(promised?: number): void {
    this.#isWriting = true;
    const { promised: earlier } = readPromotion(this.#folder);
    const end = promised === undefined ? earlier : new Date(promised).toISOString();
    writePromotion(this.#folder, {
      ...defined({ log: this.#log, at: this.at, perDay: this.perDay, promised: end }),
      day: this.#day,
      used: this.#used,
    });
  }

  /** Why the limits said no last; undefined if they never did since the log was opened. */
  get reason(): string | undefined {
    return this.#reason;
  }

  get usedToday(): number {
    this.#turn();
    return this.#used;
  }

  get left(): number {
    return this.perDay === undefined ? Number.POSITIVE_INFINITY : this.perDay - this.usedToday;
  }

  whyNotSend(): string | undefined {
    if (this.left <= 0) return this.#outOfRequests();
    return this.#isWriting && !this.#isOpen(this.#now()) ? this.#outOfHours() : undefined;
  }

  whyNotBegin(requests: number): string | undefined {
    this.#turn();
    const committed = Math.max(this.#used, this.#promised) + requests;
    if (this.perDay !== undefined && committed > this.perDay) return this.#outOfRequests();
    if (!this.#isOpen(this.#now()) || !this.#isOpen(this.#now() + LAST_MINUTE_MS)) return this.#outOfHours();
    this.#promised = committed;
    return undefined;
  }

  sent(): void {
    this.#turn();
    this.#used++;
    if (this.perDay === undefined || this.#used <= this.#noted) return;
    this.#note(Math.min(this.perDay, this.#used + Math.min(MOST_AHEAD, Math.floor(this.perDay / MOST_AHEAD))));
  }

  /** Notes how many requests were sent today. Call it whenever the log is closed. */
  close(): void {
    this.#turn();
    if (this.perDay !== undefined) this.#note(this.#used);
    this.#promised = 0;
  }

  /** The promotion is over: the next one in this folder has hours and a quota of its own. The requests of today still count. */
  end(): void {
    writePromotion(this.#folder, { ...defined({ log: this.#log }), day: this.#day, used: this.#used });
  }

  /** The log is opened once more. */
  open(): void {
    this.#reason = undefined;
  }

  /** Lets nothing be sent before a moment, because the service fails. */
  pause(until: number): void {
    this.#pausedUntil = until;
  }

  /** Notes in the folder when the promotion goes on, for a person who asks. */
  noteWait(goesOn: number): void {
    writePromotion(this.#folder, { ...readPromotion(this.#folder), goesOn: new Date(goesOn).toISOString() });
  }

  /**
   * When the promotion may go on.
   *
   * @param least requests that it needs to get on by one record at least
   */
  opensAt(least: number): number {
    const now = this.#now();
    const from = Math.max(this.left < least ? nextDayAt(now, this.zone) : now, this.#pausedUntil);
    if (this.hours === undefined) return from;
    const opens = opensAt(this.hours, from, this.zone);
    // In the last minute of the hours no record is begun, so the next hours count.
    return this.#isOpen(opens + LAST_MINUTE_MS) ? opens : opensAt(this.hours, opens + LAST_MINUTE_MS, this.zone);
  }

  #turn(): void {
    const day = dayAt(this.#now(), this.zone);
    if (day === this.#day) return;
    this.#day = day;
    this.#used = 0;
    this.#noted = 0;
    this.#promised = 0;
  }

  #note(used: number): void {
    this.#noted = used;
    writePromotion(this.#folder, {
      ...readPromotion(this.#folder),
      ...defined({ log: this.#log }),
      ...{ day: this.#day, used },
    });
  }

  #isOpen(at: number): boolean {
    return this.hours === undefined || isWithin(this.hours, at, this.zone);
  }

  #outOfRequests(): string {
    this.#reason = `today's ${count(this.perDay ?? 0)} requests of --per-day are used up`;
    return this.#reason;
  }

  #outOfHours(): string {
    this.#reason = "the hours of --at are over";
    return this.#reason;
  }
}
