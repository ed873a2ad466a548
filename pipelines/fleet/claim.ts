/** The claim of a worker on a journal. At any moment one worker may write to a journal and send what it says. */
import type { Permit } from "../../connectors/api/permit.ts";

/** A claim on a journal. Pass it to `openConnection` as `permit`: then no request leaves without it. */
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
