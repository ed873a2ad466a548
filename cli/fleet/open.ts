/** Opens the fleet that the option `--fleet` names. Only the commands of a fleet load PostgreSQL's client and the queue. */
import { FleetAthletes } from "../../pipelines/fleet/athletes.ts";
import {
  type FleetDatabase,
  nameOfFleet,
  openFleetDatabase,
  unreadableFileOf,
  type WithoutFleet,
} from "../../pipelines/fleet/database.ts";
import { prepareFleetJournals } from "../../pipelines/fleet/fleet-journal.ts";
import { type FleetQueue, openFleetQueue } from "../../pipelines/fleet/queue.ts";
import type { CommandContext } from "../arguments/command.ts";
import { UsageError } from "../errors/exit-codes.ts";

/** An open fleet. */
export interface Fleet extends AsyncDisposable {
  readonly database: FleetDatabase;
  readonly queue: FleetQueue;
  readonly athletes: FleetAthletes;
}

/**
 * Opens the fleet.
 *
 * @param patience is aborted when waits for a PostgreSQL that is away must end
 * @param without says what becomes of a database without a fleet
 * @throws UsageError for an address that can't be read; FatalError `fleet/database` when the database can't be used, and `fleet/none` when there
 * is no fleet in it. No message repeats the address
 */
export async function openFleet(
  { options, output }: CommandContext,
  patience: AbortSignal,
  without: WithoutFleet = "make",
): Promise<Fleet> {
  const { fleet: address } = options;
  if (address === undefined)
    throw new UsageError("Cannot find the fleet: give the address of its PostgreSQL with --fleet or LOGFERRY_FLEET");
  const file = unreadableFileOf(address);
  if (file !== undefined)
    throw new UsageError(
      `Cannot read the file ${file}, which the address of the fleet's database names (sslrootcert, sslcert or sslkey)`,
    );
  if (nameOfFleet(address) === undefined)
    throw new UsageError(
      "Cannot read the address of the fleet's database: it must be postgres://user:password@host:5432/name. Write other characters than letters and digits in the password as %40 for @, %23 for #, %2F for /, %3F for ?, %25 for %",
    );
  const onAway = (reason: string | undefined) =>
    output.remark(
      reason === undefined
        ? "The fleet's database answers again."
        : `The fleet's database doesn't answer: ${reason}. Everybody waits until it is back.`,
    );
  const database = await openFleetDatabase(address, patience, onAway, without);
  try {
    if (!database.isReadOnly) await prepareFleetJournals(database.pool, { signal: patience });
    const queue = await openFleetQueue(database);
    const athletes = new FleetAthletes(database, queue);
    return {
      ...{ database, queue, athletes },
      async [Symbol.asyncDispose]() {
        await queue.close();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}
