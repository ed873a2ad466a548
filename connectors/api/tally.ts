/** What became of requests: how many of the last ones a service turned away, and how many it took within a second. No waiting, no clock. */

/** The second that a service's limit is most often counted over, in milliseconds. */
export const WINDOW_MS = 1_000;

/** So many answers are looked back at for a burst, and so many for a share: what was longer ago counts less and less. */
const LAST = 8;
const BURST = 6;
const MOST = 400;

/** Requests that started at one pace, and what was answered. */
export class Tally {
  /** Answers, and how many of them turned a request away. */
  answers = 0;
  refused = 0;
  /** Milliseconds that were waited because the service asked for it. */
  pausedMs = 0;
  /** The most that was seen to be taken within a second when one was turned away: for a limit by the second, the limit. */
  limit = 0;
  #last: boolean[] = [];

  /** A request was taken or turned away. @param taken how many were taken within the second before one that wasn't */
  count(isRefused: boolean, pausedMs = 0, taken = 0): void {
    this.answers++;
    if (isRefused) this.refused++;
    this.pausedMs += pausedMs;
    this.limit = Math.max(this.limit, taken);
    this.#last = [...this.#last, isRefused].slice(-LAST);
    if (this.answers < MOST) return;
    this.answers /= 2;
    this.refused /= 2;
    this.pausedMs /= 2;
  }

  /** Of the answers, the share that turned a request away. */
  get share(): number {
    return this.answers === 0 ? 0 : this.refused / this.answers;
  }

  /** Whether most of the last few answers turned a request away: the service is full, or does nothing at all. */
  get isBurst(): boolean {
    return this.#last.filter((one) => one).length >= BURST;
  }
}

/** Starts of requests within the last second or so, each with whether it was turned away. */
export class Taken {
  #starts: { readonly at: number; isRefused: boolean }[] = [];

  started(now: number): void {
    this.#starts.push({ at: now, isRefused: false });
    // Answers come late; what is older than a few windows is asked for no more.
    if (this.#starts.length > 64 && (this.#starts[0]?.at ?? now) < now - 10 * WINDOW_MS)
      this.#starts = this.#starts.filter(({ at }) => at >= now - 5 * WINDOW_MS);
  }

  refused(startedAt: number): void {
    const start = this.#starts.findLast(({ at, isRefused }) => !isRefused && at <= startedAt);
    if (start !== undefined) start.isRefused = true;
  }

  /** How many of the requests were taken that started within the second before a moment. */
  within(moment: number): number {
    return this.#before(moment).length;
  }

  /** When the first of them leaves the window: for a limit by the second, when the next is taken. */
  roomAt(moment: number): number {
    return (this.#before(moment)[0]?.at ?? moment) + WINDOW_MS;
  }

  #before(moment: number): { readonly at: number }[] {
    return this.#starts.filter(({ at, isRefused }) => !isRefused && at <= moment && at > moment - WINDOW_MS);
  }
}
