/**
 * Learns how many requests a second to send. A service turns requests away for two reasons that look alike. Either we ask faster than it
 * allows, or it refuses some requests at any pace. Asking more slowly helps only against the first reason. So the pace slows down for a
 * short trial. If the trial makes no difference, the old pace comes back. A service that turns most requests away is asked less and less.
 *
 * This class only computes: callers pass the time (milliseconds of `Clock.now`), and do the waiting.
 */
import { Taken, Tally, WINDOW_MS } from "./tally.ts";

/** The first pace and the upper limit. */
export interface PaceOptions {
  /** First pace, in starts a second. Infinite: as fast as answers come, until the service turns requests away. */
  readonly start: number;
  /** Upper limit, in starts a second; may be infinite. */
  readonly ceiling: number;
}

/** Starts stand further apart than the rate says, by this factor. Otherwise network jitter could push one start too many into a window. */
export const GUARD = 1.025;

/** The starts a second that are halved when the pace is infinite and the service took nothing. */
const UNKNOWN = 10;

/** A pace above this many starts a second counts as infinite. */
const FASTEST = 1_000;

/** Slowest pace, in starts a second. A service that wants fewer says so with `Retry-After`, and logferry waits for it. */
const SLOWEST = 0.5;

/**
 * After this many milliseconds without more refusals than usual, a pace counts as taken. Longer pauses of the service make this time
 * longer.
 */
const TAKEN_MS = 5_000;

/** If a service never turned us away, the pace rises by a tenth each minute. */
const UNTROUBLED = { afterMs: 60_000, factor: 1.1 } as const;

/** Two paces count as equal if their ratio is below this. */
const SETTLED = 1.04;

/** A pace counts as slower than another one if it is below this share of it. */
const SLOWER = 0.98;

/**
 * Refusals may be caused by the pace if there are at least `refused` of them. Besides, they must be the `share` of all answers, or their
 * pauses the `pausedShare` of the time.
 */
const SUSPICIOUS = { refused: 4, share: 0.03, pausedShare: 0.02 } as const;

/**
 * Length of a trial: this many times the number of answers that brought one refusal so far. A shorter trial could be free of refusals by
 * chance.
 */
const TRIED = 6;

/** Length of the first trial, in answers, if it rests on few answers. After such a trial the old pace gets a second chance. */
const TRIED_IN_HASTE = 8;

/** A slower pace helped if at most this much of the refused share is left. */
const REMEDIED = 0.4;

/** This many answers are enough to compute a share. */
const ENOUGH = 20;

/** If the service took less than this share of its limit in the second before a refusal, the refusal has another cause than that limit. */
const FAR_BELOW = 0.5;

/** A service that turns away more than this share is busy, whatever the cause. */
const MOST_NOISE = 0.25;

/** After a breakdown the pace doubles after this many answers in a row without a refusal, up to the last pace that the service took. */
const RECOVERED = 4;

/**
 * A settled pace tries a little more now and then, because limits change. Each success makes the next probe bolder, and each failure makes
 * probes rarer. A failed probe costs a pause, and pauses must stay a small part of the time.
 */
const PROBE = { firstMs: 120_000, pauses: 60, longestMs: 960_000, factor: 1.07, boldest: 2 } as const;

/** A trial of a slower pace, to see whether it helps. */
interface Trial {
  readonly from: number;
  /** Answers at the old pace. */
  readonly before: Tally;
  /** Length of the trial, in answers. */
  readonly answers: number;
  /** How often this trial was slowed further. The count of requests taken within a second is now and then one too high. */
  readonly corrections: number;
}

/** A pace that learns from the answers of the service. */
export class Pace {
  readonly #ceiling: number;
  readonly #taken = new Taken();
  /** The current pace, in starts a second. */
  #now: number;
  /** The fastest pace that the service took for a while; 0 while none is known. */
  #good = 0;
  /** The slowest pace that was too fast. */
  #tooFast = Number.POSITIVE_INFINITY;
  /** The share that the service turns away at any pace. */
  #noise = 0;
  #tally = new Tally();
  #trial: Trial | undefined;
  /** The pace before the last trial that helped, or seemed to. */
  #leftFor: number | undefined;
  /** When the current pace began, and when its last time without unusual refusals began. */
  #since = Number.NEGATIVE_INFINITY;
  #cleanSince: number | undefined;
  #takenAfterMs = TAKEN_MS;
  #probeMs: number = PROBE.firstMs;
  #probeFactor: number = PROBE.factor;
  #isProbing = false;
  /** The pace to return to: after a breakdown, or after the service took a slower pace that rested on few answers. */
  #aim: number | undefined;
  /** True once the first pace got its second chance, because only few answers spoke against it. */
  #isTriedAgain = false;

  constructor({ start, ceiling }: PaceOptions) {
    this.#ceiling = ceiling / GUARD;
    this.#now = Math.min(this.#ceiling, start / GUARD);
  }

  /** The current pace, in starts a second. */
  get perSecond(): number {
    return this.#now;
  }

  /** Notes that a request starts. @returns true when the pace changed */
  started(now: number): boolean {
    const before = this.#now;
    this.#taken.started(now);
    this.#cleanSince ??= now;
    if (!Number.isFinite(this.#since)) this.#since = now;
    const mayRise = Number.isFinite(this.#now) && this.#trial === undefined;
    if (mayRise && now - this.#cleanSince >= this.#takenAfterMs) this.#rise(now);
    return this.#now !== before;
  }

  /** Notes that the service had time for a request: it did it, or refused it for its content. @returns true when the pace changed */
  accepted(now: number, startedAt: number): boolean {
    if (startedAt < this.#since) return false;
    const before = this.#now;
    this.#tally.count(false);
    this.#judgeTrial(now);
    if (this.#aim !== undefined && this.#tally.answers >= RECOVERED && this.#tally.refused === 0)
      this.#recover(this.#aim, now);
    return this.#now !== before;
  }

  /**
   * Notes that the service turned a request away. Requests that left before the pace was lowered say nothing about the lower pace.
   *
   * @param startedAt when the request left
   * @param pauseMs milliseconds of the pause that the service asked for, during which nothing starts
   * @returns milliseconds for which nothing should start, even if the service asked for no pause
   */
  turnedAway(now: number, startedAt: number, pauseMs: number): number {
    this.#taken.refused(startedAt);
    if (startedAt < this.#since) return 0;
    this.#tally.count(true, pauseMs, this.#taken.within(startedAt));
    this.#takenAfterMs = Math.max(TAKEN_MS, 2 * pauseMs);
    if (this.#tally.isBurst) return this.#fall(now);
    if (this.#isProbing) {
      this.#endProbe(pauseMs);
      this.#become(this.#good, now + pauseMs);
    } else if (this.#trial !== undefined) {
      const isCorrected = pauseMs > 0 && this.#trial.corrections === 0 && this.#measured() !== undefined;
      const isOfAnotherKind = this.#taken.within(startedAt) < FAR_BELOW * this.#trial.before.limit;
      if (isOfAnotherKind && this.#good === 0 && this.#trial.before.answers < ENOUGH)
        this.#endTrial(this.#trial.from, now + pauseMs);
      else if (isCorrected) this.#try(now + pauseMs);
      else this.#judgeTrial(now);
    } else if (this.#mayBeTooFast(now, pauseMs)) this.#try(now + pauseMs);
    return 0;
  }

  /**
   * Slows down after the service turned most requests away. The number of requests taken within a second becomes the pace. If there is no
   * such number, the pace is halved. Nothing starts for a second, so that the service's own count of our requests ends.
   */
  #fall(now: number): number {
    if (this.#isProbing) this.#endProbe(0);
    if (this.#measured() !== undefined) this.#try(now + WINDOW_MS);
    else this.#halve(now);
    return WINDOW_MS;
  }

  #halve(now: number): void {
    this.#trial = undefined;
    this.#tooFast = this.#now;
    this.#aim = Math.max(this.#aim ?? 0, this.#good, this.#now);
    const half = Number.isFinite(this.#now) ? this.#now / 2 : UNKNOWN / 2;
    this.#become(Math.max(half, Math.min(SLOWEST, this.#ceiling)), now + WINDOW_MS);
  }

  /** The pace that a limit per second allows; undefined unless the refusals suggest a pace slower than the current one. */
  #measured(): number | undefined {
    const { limit } = this.#tally;
    return limit >= 1 && limit / GUARD < SLOWER * this.#now ? limit / GUARD : undefined;
  }

  #mayBeTooFast(now: number, pauseMs: number): boolean {
    // At a new pace, a service that asks for a pause is most often full. Each further refusal would cost that pause again.
    const isNew = this.#now > this.#good && this.#noise === 0;
    return (pauseMs > 0 && isNew && this.#measured() !== undefined) || this.#isSuspicious(now);
  }

  #isSuspicious(now: number): boolean {
    const { answers, refused, share, pausedMs } = this.#tally;
    if (refused < SUSPICIOUS.refused || answers < ENOUGH || now - this.#since < 2 * WINDOW_MS) return false;
    const isCostly = pausedMs > SUSPICIOUS.pausedShare * Math.max(1, now - this.#since);
    return this.#noise === 0 ? share >= SUSPICIOUS.share || isCostly : share > 2 * this.#noise + SUSPICIOUS.share;
  }

  /** Starts or continues a trial of a slower pace, at most as fast as the requests taken within a second. */
  #try(now: number): void {
    const beyond = Math.min(0.5, Math.max(0.01, this.#tally.share - this.#noise));
    const { from, before, corrections } = this.#trial ?? { from: this.#now, before: this.#tally, corrections: -1 };
    const answers = Math.min(
      Math.ceil(TRIED / beyond),
      this.#isHasty(before) ? TRIED_IN_HASTE : Number.POSITIVE_INFINITY,
    );
    this.#trial = { from, before, answers, corrections: corrections + 1 };
    const next = this.#measured() ?? (Math.min(this.#now, FASTEST) * (1 - beyond)) / GUARD;
    this.#become(Math.max(next, Math.min(SLOWEST, this.#ceiling)), now);
  }

  /** Whether a trial rests on few answers, while no pace is known to be good. */
  #isHasty(before: Tally): boolean {
    return this.#good === 0 && before.answers < ENOUGH && !this.#isTriedAgain;
  }

  /** Goes back to the old pace, because nothing speaks for the slower one. */
  #endTrial(from: number, now: number): void {
    this.#trial = undefined;
    this.#become(from, now);
  }

  #judgeTrial(now: number): void {
    const trial = this.#trial;
    if (trial === undefined) return;
    const { answers, refused } = this.#tally;
    const most = this.#noise + REMEDIED * (trial.before.share - this.#noise);
    const isWithoutEffect = refused >= 2 && refused > most * trial.answers;
    if (answers < (isWithoutEffect ? Math.min(trial.answers, ENOUGH) : trial.answers)) return;
    this.#trial = undefined;
    if (!isWithoutEffect && this.#isHasty(trial.before)) {
      this.#isTriedAgain = true;
      this.#aim = trial.from;
      return;
    }
    if (!isWithoutEffect) {
      this.#leftFor = Math.max(trial.from, this.#leftFor ?? 0);
      this.#aim = undefined;
      this.#tooFast = this.#now * GUARD;
      this.#good = Math.min(this.#good, this.#now);
      this.#cleanSince = now;
      return;
    }
    const share = (trial.before.refused + refused) / (trial.before.answers + answers);
    if (share > MOST_NOISE) {
      this.#aim = trial.from;
      this.#halve(now);
      return;
    }
    this.#noise = share;
    this.#tooFast = Number.POSITIVE_INFINITY;
    this.#become(Math.max(trial.from, this.#leftFor ?? 0), now);
    this.#leftFor = undefined;
  }

  /** Tries a faster pace, if there is reason to, because the service took this one for a while. */
  #rise(now: number): void {
    const cleanMs = now - (this.#cleanSince ?? now);
    // A pace that we did not use fully proves nothing: the service was slow, or there was little to send.
    if (this.#taken.within(now) < 0.8 * this.#now - 1) {
      this.#cleanSince = now;
      return;
    }
    this.#good = Math.max(this.#good, this.#now);
    if (this.#now >= this.#ceiling) {
      this.#tooFast = Number.POSITIVE_INFINITY;
      return;
    }
    if (!Number.isFinite(this.#tooFast)) {
      if (cleanMs >= UNTROUBLED.afterMs) this.#become(this.#now * UNTROUBLED.factor, now);
      return;
    }
    const between = (this.#now + this.#tooFast) / 2;
    if (between / this.#now >= SETTLED) {
      this.#become(between, now);
      return;
    }
    if (!this.#isProbing && cleanMs < this.#probeMs) return;
    // After a successful probe the next one is bolder: by 7 %, 14 %, 28 %, 56 %.
    this.#probeFactor = this.#isProbing ? Math.min(PROBE.boldest, 2 * this.#probeFactor - 1) : PROBE.factor;
    this.#isProbing = true;
    this.#tooFast = this.#now * this.#probeFactor;
    this.#become(this.#tooFast, now);
  }

  #endProbe(pauseMs: number): void {
    this.#isProbing = false;
    this.#tooFast = this.#good * SETTLED;
    this.#probeMs = Math.min(PROBE.longestMs, Math.max(PROBE.firstMs, PROBE.pauses * pauseMs, 2 * this.#probeMs));
  }

  #recover(aim: number, now: number): void {
    const next = Math.max(this.#now, Math.min(aim, 2 * this.#now));
    if (next >= aim) {
      this.#aim = undefined;
      this.#tooFast = Number.POSITIVE_INFINITY;
    }
    this.#become(next, now);
  }

  #become(pace: number, now: number): void {
    this.#now = Math.min(pace > FASTEST ? Number.POSITIVE_INFINITY : pace, this.#ceiling);
    this.#since = now;
    this.#cleanSince = now;
    this.#tally = new Tally();
  }
}
