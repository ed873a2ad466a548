/** The permit of a command that opens a log before its journal. */
import type { Permit } from "../../connectors/api/permit.ts";

/** Lets the requests leave that open a log. From then on, the claims on the journal and the account decide: only then is anything written. */
export class LatePermit implements Permit {
  readonly #claims: Permit[] = [];

  /** Lets nothing leave from now on without this claim, too. */
  add(claim: Permit): void {
    this.#claims.push(claim);
  }

  async check(signal: AbortSignal): Promise<void> {
    for (const claim of this.#claims) await claim.check(signal);
  }

  get isConfirmed(): boolean {
    return this.#claims.every((claim) => claim.isConfirmed);
  }
}
