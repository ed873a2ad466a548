/**
 * The claim of a worker on a journal. At any moment one worker may write to a journal and send what it says.
 *
 * PostgreSQL decides who that is. Each claim has a number, its fence. A new claim has a higher one, and PostgreSQL takes writes with the highest fence
 * alone. A claim expires unless it is prolonged, so that another worker can take over from one that died. Requests go to another server, which knows
 * nothing of fences. So a request leaves only while the claim can't have expired by this worker's own clocks. They count from before PostgreSQL was
 * asked, and so they are behind its clock.
 */
import { randomUUID } from "node:crypto";
import type { Clock } from "../../connectors/api/clock.ts";
import { orAborted } from "../../connectors/api/or-aborted.ts";
import type { Permit } from "../../connectors/api/permit.ts";
import { FatalError } from "../../connectors/errors.ts";
import { JOURNAL_VERSION } from "../journal/rebuild.ts";
import { type Patience, untilAnswered } from "./patience.ts";
import type { JournalStore } from "./store.ts";

/**
 * Times of a claim in milliseconds: how long it lasts, how often it is prolonged, and how long before its end it counts as over. The last one is
 * for clocks that don't run alike, and for the time between the check and the first byte.
 */
export const CLAIM = { lastsMs: 30_000, everyMs: 8_000, marginMs: 5_000 } as const;

/** A claim on a journal. Wrap the fetcher of the connection with it (`permitted`): then no request leaves without it. */
export interface Claim extends Permit {
  /** The number of this claim. Each claim of a journal has a higher one than all earlier claims, and only the highest may write. */
  readonly fence: number;
  /** Aborted when another worker has claimed the journal. Its reason is the FatalError that `check` throws then. */
  readonly lost: AbortSignal;
  /**
   * Gives the claim back, so that another worker need not wait until it expires. Nothing can be written or sent with it afterwards. It never
   * throws: where the database can't be reached, the claim expires by itself.
   */
  release(): Promise<void>;
}

/** What a claim needs besides the store. */
export interface ClaimSettings {
  /** The name of the journal, for messages. */
  readonly journal: string;
  readonly worker: string;
  readonly patience: Patience;
}

/**
 * Claims a journal, and prolongs the claim until it is released.
 *
 * @returns the claim, and the version of the journal's tables
 * @throws FatalError `journal/locked`, reason `locked`, when another worker has a live claim; `journal/unreachable` as `untilAnswered`
 */
export async function claimJournal(
  store: JournalStore,
  settings: ClaimSettings,
): Promise<{ readonly claim: KeptClaim; readonly version: number }> {
  const { journal, worker, patience } = settings;
  const words = { token: randomUUID(), worker, version: JOURNAL_VERSION, lastsMs: CLAIM.lastsMs };
  const { before, result } = await untilAnswered(patience, async () => {
    const moment = momentOf(patience.clock);
    return { before: moment, result: await store.claim(words) };
  });
  if ("heldBy" in result) {
    const message = `Cannot open the journal ${journal}: another worker holds it (${result.heldBy}). Its claim ends in ${Math.ceil(result.seconds)} s, unless it goes on.`;
    throw new FatalError("journal/locked", "locked", message);
  }
  return { claim: new KeptClaim(store, settings, result.fence, before), version: result.version };
}

/** A moment by both clocks. A paused machine may stop one of them: the monotonic clock of Linux stands still while the machine sleeps. */
interface Moment {
  readonly monotonic: number;
  readonly wall: number;
}

function momentOf(clock: Clock): Moment {
  return { monotonic: clock.now(), wall: clock.date() };
}

/** A claim that is prolonged until it is over. */
export class KeptClaim implements Claim {
  readonly fence: number;
  readonly #store: JournalStore;
  readonly #settings: ClaimSettings;
  readonly #lost = new AbortController();
  /** Aborted when the claim is over, for whatever reason. */
  readonly #over = new AbortController();
  #confirmed: Moment;
  #asking: Promise<void> | undefined;

  constructor(store: JournalStore, settings: ClaimSettings, fence: number, confirmed: Moment) {
    this.#store = store;
    this.#settings = settings;
    this.fence = fence;
    this.#confirmed = confirmed;
    void this.#keepOn();
  }

  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Aborted when the claim is lost or released. Its reason is a FatalError. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  get isConfirmed(): boolean {
    if (this.#over.signal.aborted) return false;
    const { monotonic, wall } = momentOf(this.#settings.patience.clock);
    const since = Math.max(monotonic - this.#confirmed.monotonic, wall - this.#confirmed.wall);
    return since < CLAIM.lastsMs - CLAIM.marginMs;
  }

  async check(signal: AbortSignal): Promise<void> {
    while (!this.isConfirmed) {
      this.#over.signal.throwIfAborted();
      // An answer that comes late says nothing about now, and then it is asked again.
      await orAborted(this.#prolong(), signal);
    }
  }

  /** Ends the claim, because PostgreSQL has another fence. @returns the error */
  lose(): FatalError {
    const error = new FatalError(
      "journal/claim-lost",
      "journal",
      `Cannot go on with the journal ${this.#settings.journal}: another worker has taken it over, because this one was not heard of for ${CLAIM.lastsMs / 1000} s. Nothing more is sent from here.`,
    );
    this.#lost.abort(error);
    this.#over.abort(error);
    return error;
  }

  async release(): Promise<void> {
    if (this.#over.signal.aborted) return;
    const error = new FatalError(
      "journal/claim-released",
      "journal",
      `Cannot go on with the journal ${this.#settings.journal}: this worker has given it back.`,
    );
    this.#over.abort(error);
    try {
      await this.#store.release(this.fence);
    } catch {
      // It expires by itself.
    }
  }

  async #keepOn(): Promise<void> {
    try {
      for (;;) {
        await this.#settings.patience.clock.sleep(CLAIM.everyMs, this.#over.signal);
        await this.#prolong();
      }
    } catch {
      // The claim is over, or can't be prolonged. Then `check` finds out, and tells its caller.
    }
  }

  /** Prolongs the claim, once for all who ask meanwhile. */
  #prolong(): Promise<void> {
    this.#asking ??= this.#prolongOnce().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #prolongOnce(): Promise<void> {
    const { patience } = this.#settings;
    const signal = AbortSignal.any([patience.signal, this.#over.signal]);
    const { before, isOurs } = await untilAnswered({ ...patience, signal }, async () => {
      const moment = momentOf(patience.clock);
      return { before: moment, isOurs: await this.#store.prolong(this.fence, CLAIM.lastsMs) };
    });
    if (!isOurs) throw this.lose();
    this.#confirmed = before;
  }
}
