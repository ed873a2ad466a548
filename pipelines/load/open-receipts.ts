/**
 * Lets a worker begin its next record while the receipt of the last one is written. The receipt and the next intent then wait for the disk
 * together, instead of one after the other. No request leaves before its intent is durable, and the receipt came before it.
 */
export class OpenReceipts {
  /** By `seq`: tells the worker that the receipt of its record is on its way. */
  readonly #workers = new Map<number, () => void>();
  readonly #open = new Set<Promise<void>>();
  #failure: { readonly error: unknown } | undefined;

  /**
   * Loads a record.
   *
   * @returns settles when the record is loaded, or when `beingWritten` was called for it
   * @throws the error of this record; or that of an earlier one whose worker had gone on
   */
  async load(seq: number, work: () => Promise<void>): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure.error;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#workers.set(seq, resolve);
    const whole = work().finally(() => {
      this.#workers.delete(seq);
      this.#open.delete(whole);
    });
    this.#open.add(whole);
    whole.catch((error: unknown) => {
      this.#failure ??= { error };
    });
    await Promise.race([whole, promise]);
  }

  /** Call this when the journal has been asked to write the receipt of a record. */
  beingWritten(seq: number): void {
    this.#workers.get(seq)?.();
  }

  /** Settles when all receipts are written. @throws the first error of a record */
  async written(): Promise<void> {
    await Promise.allSettled(this.#open);
    if (this.#failure !== undefined) throw this.#failure.error;
  }
}
