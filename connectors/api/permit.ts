/** Says whether requests may leave. A worker of a fleet has one: it may send only while the journal of its athlete is its own. */
export interface Permit {
  /**
   * Settles when a request may leave. This takes no time while the permit was confirmed lately. Otherwise it asks, and waits as long as
   * nobody answers.
   *
   * @throws FatalError reason `journal` when the permit is lost; the signal's reason when it is aborted during the wait
   */
  check(signal: AbortSignal): Promise<void>;
  /** Whether a request may leave at this moment, by what is known without asking. It is read right before the first byte leaves. */
  readonly isConfirmed: boolean;
}
