/** The claim of a worker on an account of a service, over all machines: two journals must not load one log at once. */
import type pg from "pg";
import { systemClock } from "../../connectors/api/clock.ts";
import { FatalError } from "../../connectors/errors.ts";
import { type Claim, claimJournal } from "./claim.ts";
import { postgresStore } from "./store.ts";

/**
 * Claims an account. It is a claim like that of a journal, in the same table, without any changes.
 *
 * @param account its fingerprint; `name` is for the message
 * @param signal ends a wait for a PostgreSQL that is away
 * @throws FatalError `journal/account-locked`, reason `locked`, when another worker works on the account
 */
export async function claimAccount(
  pool: pg.Pool,
  { account, name }: { readonly account: string; readonly name: string },
  worker: string,
  signal: AbortSignal,
): Promise<Claim> {
  const journal = `account ${account}`;
  const patience = { clock: systemClock, signal, onWait: () => undefined };
  try {
    const words = { journal: `for the log of ${name}`, worker, patience };
    return (await claimJournal(postgresStore(pool, journal), words)).claim;
  } catch (error) {
    if (!(error instanceof FatalError) || error.reason !== "locked") throw error;
    throw new FatalError("journal/account-locked", "locked", `Cannot work on the log of ${name}: another worker does`, {
      cause: error,
    });
  }
}
