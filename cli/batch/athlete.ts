/**
 * Makes a command for one athlete of a batch, with their options, their token and their journal. It takes nothing from the coach's own log:
 * the token in the coach's environment belongs to the coach alone.
 */
import { createHash } from "node:crypto";
import { readdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { absoluteSource, isAddress } from "../../connectors/containers/address.ts";
import { FatalError, RetryableError, TransferError } from "../../connectors/errors.ts";
import type { AthleteStatus, Outcome } from "../../pipelines/batch/outcome.ts";
import { isOfOwnDisk } from "../../pipelines/fleet/own-disk.ts";
import { defined } from "../../transforms/model/defined.ts";
import { printable } from "../../transforms/text/printable.ts";
import { shellWord } from "../../transforms/text/shell.ts";
import { withFlags } from "../arguments/activity-tables.ts";
import type { CommandContext } from "../arguments/command.ts";
import { userFolders } from "../arguments/config.ts";
import { OF_FLEET } from "../arguments/journal-name.ts";
import type { OptionName, OptionValues } from "../arguments/options.ts";
import { bugLines, describeError } from "../errors/describe-error.ts";
import type { ExitName } from "../errors/exit-codes.ts";
import { UsageError } from "../errors/exit-codes.ts";
import { credentialsPath, readLogin } from "../login/credentials.ts";
import { journalPath } from "../session/own-journal.ts";
import { withTypedOptions } from "../suggested-commands.ts";
import type { Output } from "../terminal/output.ts";
import { OTHER_WRITER } from "./first-alone.ts";
import type { Athlete } from "./roster.ts";
import { DECIDING, DECIDING_WHERE_SET } from "./roster-fields.ts";

/** The folder of everything that batches remember: outcomes, and the journals of athletes without a profile. */
export const batchFolder = () => join(userFolders().data, "batch");

/** Options that apply to the coach only. */
const COACHS: readonly OptionName[] = [
  "profile",
  "journal",
  "tokenFile",
  "tokenCommand",
  "athlete",
  "trust",
  "remember",
  "report",
  "map",
  "only",
  "run",
  "again",
  "dryRun",
];

/**
 * The coach's context without the token in the coach's environment. It is made only once, because a token command runs once for each
 * environment object.
 */
export function withoutOwnToken(context: CommandContext): CommandContext {
  const { LOGFERRY_TOKEN: _own, ...environment } = context.environment;
  return { ...context, environment };
}

/**
 * The context for the steps of an athlete.
 *
 * @param context the result of `withoutOwnToken`
 * @param journal the name of their journal
 *
 * @throws FatalError `login/none` when the variable of their token is not set
 */
export function toAthleteContext(
  context: CommandContext,
  athlete: Athlete,
  output: Output,
  journal = journalOf(athlete),
): CommandContext {
  const { token } = athlete;
  const shared = Object.fromEntries(
    Object.entries(context.options).filter(([name]) => !COACHS.includes(name as OptionName)),
  ) as OptionValues;
  const { environment, onWait } = context;
  // An option for the whole batch need not fit each athlete. One of the roster must fit its own.
  const { sport: _, distanceUnit: __, dateOrder: ___, ...typed } = context.typed ?? {};
  const { sport, distanceUnit, dateOrder } = athlete.options;
  const profile = token.from === "profile" ? token.is : "default";
  return {
    ...context,
    output,
    // The output of an athlete's steps is silent. A server that holds everybody up is told of on the coach's.
    onWait: onWait ?? ((text) => context.output.remark(`${printable(athlete.name, 40)}: ${text}`)),
    arguments: athlete.archives,
    options: {
      ...shared,
      ...athlete.options,
      profile,
      journal,
      ...(token.from === "token-file" && { tokenFile: token.is }),
      ...(token.from === "token-command" && { tokenCommand: token.is }),
    },
    typed: { ...typed, ...defined({ sport, distanceUnit, dateOrder }) },
    tables: withFlags(context.tables, athlete.options.sport ?? [], athlete.options.activity ?? []),
    environment:
      token.from === "token-variable" ? { ...environment, LOGFERRY_TOKEN: variable(context, athlete) } : environment,
  };
}

function variable({ environment }: CommandContext, { token }: Athlete): string {
  const value = environment[token.is];
  if (value !== undefined && value !== "") return value;
  throw new FatalError(
    "login/none",
    "login",
    "Cannot read the access token: the environment variable that the roster names is not set",
  );
}

/**
 * An athlete's journal. With a profile it is the profile's journal, so that every other command finds it. Otherwise it is one of the
 * batch's journals.
 */
export function journalOf({ key, token }: Athlete): string {
  return token.from === "profile" ? journalPath({ profile: token.is }) : join(batchFolder(), `${key}.journal.db`);
}

/** Words that lead other commands to an athlete's journal: `--profile ana`, `--journal FILE`. */
export function wordsFor(athlete: Athlete): string {
  return athlete.token.from === "profile"
    ? `--profile ${shellWord(athlete.token.is)}`
    : `--journal ${shellWord(journalOf(athlete))}`;
}

/**
 * The same output. Every command that it suggests, and that a file written for it suggests, leads to the athlete's journal, with their token where it is
 * in a file.
 *
 * @param journal the name of their journal
 */
export function completedFor(output: Output, { options: { url }, token }: Athlete, journal: string): Output {
  const isInFleet = journal.startsWith(OF_FLEET);
  // A fleet knows the address of the log.
  const ofLog = isInFleet ? {} : defined({ url });
  const tokenFile = token.from === "token-file" ? { tokenFile: resolve(token.is) } : {};
  const leads = token.from === "profile" && !isInFleet ? { profile: token.is } : { journal };
  return withTypedOptions(output, { ...leads, ...ofLog, ...tokenFile });
}

/** The address of an athlete's log, as far as it is known without a request. */
export async function findAddress({ options, token }: Athlete, shared: OptionValues): Promise<string | undefined> {
  const url = options.url ?? shared.url;
  if (url !== undefined || token.from !== "profile") return url;
  return (await readLogin(credentialsPath(token.is)).catch(() => undefined))?.url;
}

/** The command that makes an athlete's token work again; undefined for one that doesn't come from a profile, as no login helps there. */
export function loginLine({ token }: Athlete, url: string | undefined): string | undefined {
  if (token.from !== "profile") return undefined;
  return `logferry login --url ${url === undefined ? "URL" : shellWord(url)} --profile ${shellWord(token.is)}`;
}

/** The command that lets an athlete pass whom logferry held. @param option `--trust NAME` */
export function trustLine(
  { arguments: [roster = "ROSTER"] }: Pick<CommandContext, "arguments">,
  option: string,
): string {
  return `logferry batch ${shellWord(roster)} ${option}`;
}

/**
 * A fingerprint of an athlete's import: its archives by name, size and time, and the options that change the plan. If it stays the same,
 * there is nothing new to do.
 */
export async function computeFingerprint(athlete: Athlete, context: CommandContext): Promise<string> {
  const { options, tables } = context;
  const archives: (readonly [string, number, number, number])[] = [];
  for (const path of [...athlete.archives, ...(athlete.options.map === undefined ? [] : [athlete.options.map])])
    archives.push([absoluteSource(path), ...(await sizeAndTime(path))]);
  const chosen: unknown[] = DECIDING.map((name) => [
    name,
    athlete.options[name] ?? (name === "map" ? undefined : options[name]),
  ]);
  for (const name of DECIDING_WHERE_SET) {
    const value = athlete.options[name] ?? options[name];
    if (value !== undefined) chosen.push([name, value]);
  }
  const said = [athlete.expects, archives, chosen, [...tables.sports], tables.activityIDs, tables.workoutIDs];
  return createHash("sha256").update(JSON.stringify(said)).digest("hex");
}

/** The bytes, the time of the latest change, and the number of files. For a folder, they cover all of its contents. */
async function sizeAndTime(path: string): Promise<readonly [number, number, number]> {
  // Only a look at a file behind an address shows whether it changed.
  if (isAddress(path)) return [0, Date.now(), 1];
  const stats = await stat(path);
  if (!stats.isDirectory()) return [stats.size, stats.mtimeMs, 1];
  let [bytes, latest, files] = [0, 0, 0];
  for (const entry of await readdir(path, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const one = await stat(join(entry.parentPath, entry.name));
    [bytes, latest, files] = [bytes + one.size, Math.max(latest, one.mtimeMs), files + 1];
  }
  return [bytes, latest, files];
}

/** The status of an athlete after an error, and the message for the coach. */
export function failureOf(
  error: unknown,
  isStopped: boolean,
): Pick<Outcome, "status" | "isAway" | "isOfOwnDisk" | "isForNewer"> & { readonly why: string } {
  if (isStopped && error instanceof TransferError && error.code === "api/stopped")
    return { status: "stopped", why: "stopped before anything was changed" };
  const ownDisk = isOfOwnDisk(error) && { isOfOwnDisk: true as const };
  const problem = describeError(error);
  if (problem === undefined && ownDisk !== false) {
    const found = error instanceof Error ? error.message : String(error);
    return { status: "stopped", why: `the disk of this machine can't be written: ${found}`, ...ownDisk };
  }
  if (problem === undefined) return { status: "bug", why: bugLines(error).join(" ") };
  const below = error instanceof UsageError ? error.more : [];
  // A service that failed for long is no stop of the coach's. The athlete's next run goes on by itself.
  const isOfService = error instanceof FatalError && error.code.startsWith("load/") && error.reason === "service";
  if (isOfService) return { status: "service", why: problem.message };
  // Another worker has the journal or the account by now, so the athlete's job comes again.
  const isTaken = error instanceof FatalError && error.code === "journal/claim-lost";
  // The same load would send one more workout each time it is tried. So a person looks first.
  if (error instanceof FatalError && error.code === OTHER_WRITER) return { status: "held", why: problem.message };
  const status = isTaken ? "locked" : (STATUS_OF_EXIT[problem.exit] ?? "service");
  const isAway = error instanceof TransferError && (error.code === "api/unreachable" || isUnanswered(error));
  const why = [problem.message, ...below].join(" ").replace(...OF_ANOTHER_LOG);
  const isForNewer = error instanceof FatalError && error.code === "journal/newer";
  return { status, why, ...(isAway && { isAway }), ...(isForNewer && { isForNewer }), ...ownDisk };
}

/** The advice for a journal of another log. A batch names the journals of its athletes itself. */
const OF_ANOTHER_LOG = [
  "Name another with --journal, or log in to that account.",
  "If these are two names of one log's host, write the same one in each roster. If the athlete's log moved, move the journal aside, or in a fleet: logferry batch forget ROSTER --yes. Then run the batch again.",
] as const;

/** Whether a service that was asked may answer a little later. */
function isUnanswered(error: TransferError): boolean {
  return error instanceof RetryableError && error.code.startsWith("api/") && !WAITED_FOR.has(error.code);
}

/** Errors of a service that was waited for as long as `--patience` says, or that wants to be left alone for hours. */
const WAITED_FOR: ReadonlySet<string> = new Set([
  "api/stopped",
  "api/service-failing",
  "api/wait-too-long",
  "api/left-alone",
]);

/** The status for the exit code that a separate command would have had. */
const STATUS_OF_EXIT: Readonly<Partial<Record<ExitName, AthleteStatus>>> = {
  login: "login",
  source: "source",
  service: "service",
  locked: "locked",
  stopped: "stopped",
  usage: "setup",
};
