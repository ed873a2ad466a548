/** The access tokens of a fleet's athletes: sealed by whoever puts the batch, or found by the worker. */
import type { FleetDatabase } from "../../pipelines/fleet/database.ts";
import { putTokens, readToken, sealToken, tryTokens } from "../../pipelines/fleet/sealed-tokens.ts";
import type { CommandContext } from "../arguments/command.ts";
import { findKeys } from "../backup/repository-keys.ts";
import { failureOf, toAthleteContext, withoutOwnToken } from "../batch/athlete.ts";
import type { Athlete } from "../batch/roster.ts";
import { UsageError } from "../errors/exit-codes.ts";
import { findCredentials } from "../login/find-credentials.ts";
import { count } from "../terminal/output.ts";
import { splitCommand } from "../wording/command-text.ts";
import { atWorker } from "./paths.ts";

/**
 * Reads the token of each athlete where the roster says, and puts it into the fleet, encrypted for the workers.
 *
 * @param folder of the roster
 * @returns the athletes, each with the address of their log: a worker doesn't have the profile that knows it
 * @throws UsageError that names every athlete whose token can't be read
 */
export async function sealTokens(
  context: CommandContext,
  database: FleetDatabase,
  athletes: readonly Athlete[],
  folder: string,
): Promise<readonly Athlete[]> {
  const { create } = await findKeys({ ...context, options: { ...context.options, encrypt: true } }, true);
  const recipients = create?.recipients ?? [];
  const own = withoutOwnToken(context);
  const sealed = new Map<string, Buffer>();
  const ready: Athlete[] = [];
  const problems: string[] = [];
  for (const athlete of athletes) {
    try {
      const seen = toAthleteContext(own, atWorker(athlete, folder), context.output, "");
      const { url, token } = await findCredentials(seen);
      sealed.set(athlete.key, await sealToken(token, recipients));
      ready.push({ ...athlete, options: { ...athlete.options, url } });
    } catch (error) {
      problems.push(`  ${athlete.name}: ${failureOf(error, context.signal.aborted).why}`);
    }
  }
  if (problems.length > 0) throw new UsageError("Cannot read every access token, and put nobody:", { more: problems });
  await putTokens(database, sealed);
  return ready;
}

/** Finds the tokens of athletes on a worker. */
export interface WorkerTokens {
  /**
   * The athlete and the environment with the token as this worker finds it: the sealed one, else by its own `--token-command`, else where
   * the roster says.
   */
  find(
    athlete: Athlete,
    environment: CommandContext["environment"],
  ): Promise<{ readonly athlete: Athlete; readonly environment: CommandContext["environment"] }>;
}

/**
 * The tokens of a worker, by its options `--identity` and `--token-command`.
 *
 * @throws UsageError for a key file that can't be used, and where sealed tokens wait that this worker can't open
 */
export async function workerTokens(context: CommandContext, database: FleetDatabase): Promise<WorkerTokens> {
  const { tokenCommand, identity } = context.options;
  const { identities = [] } = identity === undefined ? {} : await findKeys(context, false);
  const { waiting, opens } = await tryTokens(database, identities);
  if (waiting > 0 && !opens) {
    const wait =
      waiting === 1
        ? "the access token of 1 athlete who waits is"
        : `the access tokens of ${count(waiting)} athletes who wait are`;
    throw new UsageError(
      identity === undefined
        ? `Cannot start: ${wait} sealed, and this worker has no age key. Start it with --identity FILE`
        : `Cannot start: ${wait} sealed for another age key than the one in --identity. Give the file with the right one, or put the batch again with --recipient`,
    );
  }
  return {
    async find(athlete, environment) {
      const token = await readToken(database, athlete.key, identities);
      if (token !== undefined) {
        const variable = "LOGFERRY_TOKEN";
        const found = { ...athlete, token: { from: "token-variable", is: variable } } as const;
        return { athlete: found, environment: { ...environment, [variable]: token } };
      }
      if (tokenCommand === undefined) return { athlete, environment };
      return {
        athlete: { ...athlete, token: { from: "token-command", is: withOwner(tokenCommand, athlete) } },
        environment,
      };
    },
  };
}

/**
 * A token command with the owner of the log as its last word: the screen name, else the e-mail address. It is a list of words, so no character of a
 * name has a meaning.
 *
 * @throws UsageError for a text that is no command, or a name that the program would take for an option
 */
function withOwner(command: string, { name, expects: { screenName, email = "" } }: Athlete): string {
  const words = splitCommand(command);
  if (typeof words === "string") throw new UsageError(`Cannot use the token command: ${words}`);
  const owner = screenName ?? email;
  if (owner.startsWith("-"))
    throw new UsageError(`Cannot ask for the access token of ${name}: the name begins with a dash`);
  return JSON.stringify([...words, owner]);
}
