/**
 * How many requests a second. A service turns requests away for two reasons that look alike: we ask faster than it allows, or it does so
 * now and then whatever we do. The first ends when we ask more slowly, and the second doesn't: that is tried, for a moment, and where it
 * made no difference the old pace comes back. A service that turns most requests away is left alone more and more.
 *
 * Arithmetic over times that are handed in (milliseconds of `Clock.now`); nothing waits here.
 */
import { Taken, Tally, WINDOW_MS } from "./tally.ts";

/** Where a pace begins and ends. */
export interface PaceOptions {
  /** Starts a second to begin with; infinite for as fast as answers come, until the service turns requests away. */
  readonly start: number;
  /** Never more than this, however well it goes; may be infinite. */
  readonly ceiling: number;
}

/** Starts stand this much further apart than the rate says, so that network jitter can't push one too many into a window. */
export const GUARD = 1.025;

/** Where nothing was taken, and no pace was kept to, this is halved. */
const UNKNOWN = 10;

/** A pace faster than this is none. */
const FASTEST = 1_000;

/** Starts a second that a pace never falls below: what wants fewer says so by `Retry-After`, and is waited for. */
const SLOWEST = 0.5;

/** Milliseconds without more refusals than usual before a pace counts as taken; longer where the service asked for longer pauses. */
const TAKEN_MS = 5_000;

/** A service that never turned us away is asked for a tenth more each minute. */
const UNPROBLEMD = { afterMs: 60_000, factor: 1.1 } as const;

/** Two paces this close are one. */
const SETTLED = 1.04;

/** A pace is another one below this share of it. */
const SLOWER = 0.98;

/** Refusals that may have to do with the pace: so many of so many answers at least, or a share of the time lost to pauses. */
const SUSPICIOUS = { refused: 4, share: 0.03, pausedShare: 0.02 } as const;

/** Answers that a slower pace is tried for, as a multiple of those in which one refusal was met: fewer would show none by chance. */
const TRIED = 6;

/** So many are enough for the first trial, where few answers spoke for it: the old pace is tried once more after it. */
const TRIED_IN_HASTE = 8;

/** A slower pace made a difference where it left at most this much of the share that was turned away. */
const REMEDIED = 0.4;

/** So many answers say something of a share. */
const ENOUGH = 20;

/** A refusal before which less than this share of what a second takes was taken has nothing to do with the second's limit. */
const FAR_BELOW = 0.5;

/** A service that turns away more than this share is busy, whatever it has to do with us. */
const MOST_NOISE = 0.25;

/** After a breakdown a pace doubles with so many answers in a row that turn nothing away, up to the last one that was taken. */
const RECOVERED = 4;

/**
 * A settled pace tries a little more now and then, for limits change: more boldly while it goes well, less often when not. One
 * that failed costs a pause, which must be a small part of the time.
 */
const PROBE = { firstMs: 120_000, pauses: 60, longestMs: 960_000, factor: 1.07, boldest: 2 } as const;

/** A pace that was left for a slower one, to see whether that makes a difference. */
interface Trial {
  readonly from: number;
  /** What was answered there. */
  readonly before: Tally;
  /** For so many answers. */
  readonly answers: number;
  /** How often a still slower one was taken for it: what is taken within a second is seen one too high now and then. */
  readonly corrections: number;
}

/** A pace that learns. */
export class Pace {
  readonly #ceiling: number;
  readonly #taken = new Taken();
  /** Starts a second. */
  #now: number;
  /** The fastest that was taken for a while; 0 while nothing is known. */
  #good = 0;
  /** The slowest that was too fast. */
  #tooFast = Number.POSITIVE_INFINITY;
  /** The share that is turned away at any pace. */
  #noise = 0;
  #tally = new Tally();
  #trial: Trial | undefined;
  /** The pace that the last trial was made from which made a difference, or seemed to. */
  #leftFor: number | undefined;
  /** Since when this pace is used, and since when without more refusals than usual. */
  #since = Number.NEGATIVE_INFINITY;
  #cleanSince: number | undefined;
  #takenAfterMs = TAKEN_MS;
  #probeMs: number = PROBE.firstMs;
  #probeFactor: number = PROBE.factor;
  #isProbing = false;
  /** The pace to come back to after a breakdown, or once a slower one that few answers spoke for was taken. */
  #aim: number | undefined;
  /** The first pace, against which few answers spoke, was tried once more. */
  #isTriedAgain = false;

  constructor({ start, ceiling }: PaceOptions) {
    this.#ceiling = ceiling / GUARD;
    this.#now = Math.min(this.#ceiling, start / GUARD);
  }

  /** Starts a second now. */
  get perSecond(): number {
    return this.#now;
  }

  /** A request starts. @returns true when the pace changed */
  started(now: number): boolean {
    const before = this.#now;
    this.#taken.started(now);
    this.#cleanSince ??= now;
    if (!Number.isFinite(this.#since)) this.#since = now;
    const mayRise = Number.isFinite(this.#now) && this.#trial === undefined;
    if (mayRise && now - this.#cleanSince >= this.#takenAfterMs) this.#rise(now);
    return this.#now !== before;
  }

  /** A request was done, or refused for what it is: the service is not too busy for it. @returns true when the pace changed */
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
   * The service turned a request away. Those that left before the pace was lowered say nothing about the lower one.
   *
   * @param startedAt when the request left
   * @param pauseMs how long nothing will start now, because the service asked for that
   * @returns milliseconds for which nothing should start, whatever the service asked for
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
   * Most requests are turned away: what is taken within a second is the limit; where nothing is, half of the pace is tried. Nothing
   * starts for a second, so that the service's own count of us is over.
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

  /** The pace that a limit by the second allows, where the refusals speak for one that is slower than this pace. */
  #measured(): number | undefined {
    const { limit } = this.#tally;
    return limit >= 1 && limit / GUARD < SLOWER * this.#now ? limit / GUARD : undefined;
  }

  #mayBeTooFast(now: number, pauseMs: number): boolean {
    // A service that asks for a pause at a pace that is new is most often full, and each time costs that pause.
    const isNew = this.#now > this.#good && this.#noise === 0;
    return (pauseMs > 0 && isNew && this.#measured() !== undefined) || this.#isSuspicious(now);
  }

  #isSuspicious(now: number): boolean {
    const { answers, refused, share, pausedMs } = this.#tally;
    if (refused < SUSPICIOUS.refused || answers < ENOUGH || now - this.#since < 2 * WINDOW_MS) return false;
    const isCostly = pausedMs > SUSPICIOUS.pausedShare * Math.max(1, now - this.#since);
    return this.#noise === 0 ? share >= SUSPICIOUS.share || isCostly : share > 2 * this.#noise + SUSPICIOUS.share;
  }

  /** Asks more slowly, to see whether that ends it: no faster than was taken within a second. */
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

  /** Whether few answers spoke for a trial, and nothing is known yet that speaks for another pace. */
  #isHasty(before: Tally): boolean {
    return this.#good === 0 && before.answers < ENOUGH && !this.#isTriedAgain;
  }

  /** Nothing speaks for the slower pace: the one before comes back. */
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

  /** This pace was taken for a while: something faster, if there is reason to. */
  #rise(now: number): void {
    const cleanMs = now - (this.#cleanSince ?? now);
    // What was not used proves nothing: a slow service, or nothing to do.
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
      if (cleanMs >= UNPROBLEMD.afterMs) this.#become(this.#now * UNPROBLEMD.factor, now);
      return;
    }
    const between = (this.#now + this.#tooFast) / 2;
    if (between / this.#now >= SETTLED) {
      this.#become(between, now);
      return;
    }
    if (!this.#isProbing && cleanMs < this.#probeMs) return;
    // One that went well is followed by a bolder one: by 7 %, 14 %, 28 %, 56 %.
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
