/**
 * Carries the changes of a journal to PostgreSQL. One shipment is on its way at a time. Meanwhile further commits gather, and the next shipment takes
 * them all: so the way there and back is paid once for all who wait for it.
 */
import { FatalError } from "../../connectors/errors.ts";
import type { ChangeSource, Replication } from "../journal/replicated.ts";
import type { KeptClaim } from "./claim.ts";
import { type Patience, untilAnswered } from "./patience.ts";
import { type Snapshot, takeSnapshot } from "./snapshot.ts";
import type { JournalStore, StoredChange } from "./store.ts";

/** What was shipped since the last snapshot. */
export interface Shipped {
  /** The number of the last shipment. */
  readonly number: number;
  readonly changes: number;
  readonly bytes: number;
}

/**
 * When a snapshot replaces the changes: after so many of them, or when they are larger than both the last snapshot and this. Then rebuilding a journal
 * takes about as long as reading it, and each byte is written about twice.
 */
export const SNAPSHOT_AFTER = { changes: 1_000, bytes: 2_000_000 } as const;

/** What a shipper needs. */
export interface ShippingSettings {
  readonly store: Pick<JournalStore, "append" | "keepPiece" | "useSnapshot">;
  readonly claim: Pick<KeptClaim, "fence" | "over" | "lose">;
  readonly patience: Patience;
  /** A path for the copies of the journal that become snapshots. */
  readonly copyPath: string;
  /** What PostgreSQL has already. */
  readonly shipped: Shipped;
  /** The size of the journal's file, in bytes. */
  readonly fileBytes: number;
}

/** Ships the changes of one journal. */
export class Shipping implements Replication {
  readonly #source: ChangeSource;
  readonly #settings: ShippingSettings;
  readonly #patience: Patience;
  #shipped: Shipped;
  #last: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  #snapshot: Promise<void> | undefined;
  /** The size of the last snapshot, in bytes. */
  #snapshotBytes: number;
  /** Why nothing can be shipped any more. The changes that were taken then are lost, so nothing may follow them. */
  #failure: unknown;
  /** Whether somebody who waited was told of the failure. */
  #isTold = false;

  constructor(source: ChangeSource, settings: ShippingSettings) {
    this.#source = source;
    this.#settings = settings;
    const signal = AbortSignal.any([settings.patience.signal, settings.claim.over]);
    this.#patience = { ...settings.patience, signal };
    this.#shipped = settings.shipped;
    this.#snapshotBytes = settings.fileBytes;
  }

  keep(): Promise<void> {
    this.#next ??= this.#after(this.#last);
    return this.#next;
  }

  /** Whoever had a promise of the changes was told already when they can't be kept. Changes without a promise may be lost with their worker. */
  async end(): Promise<void> {
    const wasTold = this.#isTold;
    try {
      await this.keep();
    } catch (error) {
      if (!wasTold && !this.#settings.claim.over.aborted) throw error;
    }
    await this.#snapshot;
  }

  /** Replaces all changes by a snapshot now. */
  async snapshotNow(): Promise<void> {
    await this.keep();
    await this.#snapshot;
    await this.#replace(this.#copy(this.#shipped.number));
  }

  async #after(last: Promise<void>): Promise<void> {
    await last.catch(() => undefined);
    this.#next = undefined;
    this.#last = this.#ship();
    await this.#last.catch((error: unknown) => {
      this.#isTold = true;
      throw error;
    });
  }

  async #ship(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    const changes = this.#source.take();
    if (changes === undefined) return;
    const number = this.#shipped.number + 1;
    this.#shipped = {
      number,
      changes: this.#shipped.changes + 1,
      bytes: this.#shipped.bytes + changes.length,
    };
    let snapshot: Snapshot | undefined;
    try {
      // The copy is taken before anything else can be committed: it ends with this shipment.
      if (this.#isSnapshotDue()) snapshot = this.#copyIfPossible(number);
      await this.#append({ number, changes });
    } catch (error) {
      this.#failure = error;
      snapshot?.remove();
      throw error;
    }
    if (snapshot !== undefined) this.#snapshot = this.#replaceLater(snapshot);
  }

  async #append(change: StoredChange): Promise<void> {
    const { store, claim } = this.#settings;
    claim.over.throwIfAborted();
    const isOurs = await untilAnswered(this.#patience, () => store.append(claim.fence, change));
    if (!isOurs) throw claim.lose();
  }

  #isSnapshotDue(): boolean {
    const { changes, bytes } = this.#shipped;
    if (this.#snapshot !== undefined) return false;
    return changes > SNAPSHOT_AFTER.changes || bytes > Math.max(SNAPSHOT_AFTER.bytes, this.#snapshotBytes);
  }

  #copy(number: number): Snapshot {
    const snapshot = takeSnapshot(this.#source, this.#settings.copyPath, number);
    this.#shipped = { number, changes: 0, bytes: 0 };
    return snapshot;
  }

  /** A full disk is no reason to keep no changes. The journal itself notices it. */
  #copyIfPossible(number: number): Snapshot | undefined {
    try {
      return this.#copy(number);
    } catch (error) {
      if (error instanceof FatalError) return undefined;
      throw error;
    }
  }

  /** Without the snapshot, the changes stay, and the journal is as safe as before. The next shipments try again. */
  async #replaceLater(snapshot: Snapshot): Promise<void> {
    try {
      await this.#replace(snapshot);
    } catch (error) {
      if (!(error instanceof FatalError)) this.#failure ??= error;
    } finally {
      this.#snapshot = undefined;
    }
  }

  async #replace(snapshot: Snapshot): Promise<void> {
    const { store, claim } = this.#settings;
    try {
      const isOurs = await snapshot.store(store, claim.fence, this.#patience);
      if (!isOurs) throw claim.lose();
      this.#snapshotBytes = snapshot.bytes;
    } finally {
      snapshot.remove();
    }
  }
}
