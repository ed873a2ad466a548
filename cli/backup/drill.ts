/**
 * A drill restores a snapshot into a private log with the code of `restore`, reads it back and compares it. It leaves a note in the
 * repository.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Connection } from "../../connectors/api/connection.ts";
import { FatalError } from "../../connectors/errors.ts";
import { type Drill, writeDrill } from "../../connectors/repository/drills.ts";
import type { Repository } from "../../connectors/repository/repository.ts";
import type { Snapshot } from "../../connectors/repository/snapshot.ts";
import { recordsOfSnapshot } from "../../connectors/repository/source.ts";
import { compareRestored, type DrillResult } from "../../pipelines/backup/drill.ts";
import { survey as surveyOf } from "../../pipelines/backup/restore.ts";
import type { ActivitiesMet } from "../../pipelines/backup/restore-numbers.ts";
import { takeRepositoryLock } from "../../pipelines/journal/lock.ts";
import { ACTIVITY_IDS } from "../../transforms/assumptions.ts";
import type { CommandContext } from "../arguments/command.ts";
import { carryOut } from "../session/carry-out.ts";
import { type LogSession, openLogView, sessionOn } from "../session/session.ts";
import { packageVersion } from "../system/version.ts";
import { count, many, type Output } from "../terminal/output.ts";
import { shortId } from "./repository.ts";
import { planRestore } from "./restoring.ts";

/** The number of concurrent requests. Nobody else uses the private log. */
const AT_ONCE = 8;

/** The number of differences that are printed without --verbose. */
const SHOWN = 20;

/**
 * Drills a snapshot: restores and compares it, leaves a note in the repository, and prints the result.
 *
 * @param original the log of the snapshot, if it can be read
 * @throws FatalError `drill/differs` if any record differs; `drill/stopped` when the signal stopped it
 */
export async function drill(
  context: CommandContext,
  repository: Repository,
  snapshot: Snapshot,
  original?: Connection,
): Promise<void> {
  const { output, now } = context;
  const result = await restoreAndCompare(context, repository, snapshot, original);
  output.endProgress();
  const { records, differing, notSet } = result;
  const time = new Date(now()).toISOString();
  const note = { time, snapshot: snapshot.id, snapshotTime: snapshot.time, records, differences: differing, notSet };
  await keepNote(repository, note);
  output.emit("drill", note);
  tell(output, snapshot, result);
}

/** Writes the result of a drill into the repository. */
async function keepNote(
  { root }: Repository,
  { time, ...note }: Omit<Drill, "format" | "version" | "logferry">,
): Promise<void> {
  const lock = takeRepositoryLock(root);
  try {
    await writeDrill(root, { format: "logferry-drill", version: 1, time, logferry: packageVersion(), ...note });
  } finally {
    lock.release();
  }
}

/** Prints the result of a drill. @throws FatalError `drill/differs` if any record differs */
function tell(output: Output, snapshot: Snapshot, { records, differences, differing, notSet }: DrillResult): void {
  for (const [index, one] of differences.entries()) {
    output.emit("difference", { kind: one.kind, id: one.id, differences: [one] });
    if (index >= SHOWN && output.loudness !== "verbose") continue;
    const [found, expected] = [one.found, one.expected].map((value) => JSON.stringify(value) ?? "nothing");
    output.remark(`  ${one.kind} ${one.id}: ${one.field} came back as ${found}, not ${expected}`);
  }
  const cannot = Object.entries(notSet).map(([what, times]) => `${what} ${count(times)}x`);
  const without = cannot.length === 0 ? "" : `. Not restorable: ${cannot.join(", ")}`;
  const compared = `${shortId(snapshot)} was restored into a private log and read back. ${many(records, "record")}`;
  if (differing === 0) {
    output.say(`Drill: ${compared}, 0 differences${without}.`);
    return;
  }
  throw new FatalError(
    "drill/differs",
    "source",
    `The drill failed. ${compared}, ${many(differing, "difference")}${without}. The backup may not restore as it is.`,
  );
}

/** Restores a snapshot into a private log, and compares the two. */
async function restoreAndCompare(
  context: CommandContext,
  repository: Repository,
  snapshot: Snapshot,
  original: Connection | undefined,
): Promise<DrillResult> {
  const survey = await surveyOf(repository, snapshot, {});
  const folder = await mkdtemp(join(tmpdir(), "logferry-drill-"));
  const log = await startPrivateLog(await preferenceIn(repository, snapshot), survey.activities);
  let session: LogSession | undefined;
  try {
    const own = privately(context, log, folder);
    const opened = await openLogView(own);
    session = await sessionOn(own, opened, { locks: folder });
    const toRestore = { repository, snapshot, survey, filter: {}, overwrite: false };
    const run = await planRestore(own, session, toRestore);
    if (run === undefined || context.signal.aborted) throw stopped();
    const { connection } = opened;
    const result = await compareRestored({
      repository,
      snapshot,
      connection,
      original,
      journal: session.journal,
      run: await carryOut(own, session, run, true),
      activities: survey.activities,
      numbers: run.options,
      concurrency: AT_ONCE,
      signal: session.signal,
      onProgress: (phase, done) => own.output.progress({ phase, done }),
    });
    if (context.signal.aborted) throw stopped();
    return result;
  } finally {
    await session?.close();
    await log.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function stopped(): FatalError {
  return new FatalError("drill/stopped", "journal", "The drill was stopped: the snapshot is there, and was not proven");
}

async function preferenceIn(repository: Repository, snapshot: Snapshot) {
  for await (const { kind, value } of recordsOfSnapshot(repository, {
    pieces: snapshot.pieces.filter((piece) => piece.kind === "preference"),
  })) {
    if (kind === "preference") return value;
  }
  return undefined;
}

/** A command's context for the private log. It uses nothing of the command's own log, and prints only the progress. */
function privately(
  context: CommandContext,
  { url, token }: { readonly url: string; readonly token: string },
  folder: string,
): CommandContext {
  return {
    ...context,
    output: quietly(context.output),
    arguments: [],
    environment: { LOGFERRY_TOKEN: token },
    options: {
      profile: "default",
      url,
      rate: 0,
      concurrency: AT_ONCE,
      patience: "0",
      journal: join(folder, "drill.journal.db"),
    },
  };
}

function quietly(output: Output): Output {
  const nothing = () => undefined;
  return {
    ...output,
    loudness: "quiet",
    say: nothing,
    conclude: nothing,
    warn: nothing,
    remark: nothing,
    emit: nothing,
    progress: (status) => output.progress({ ...status, phase: `drill, ${status.phase}` }),
  };
}

/** The private service and an access token for its single user. */
interface PrivateLog {
  readonly url: string;
  readonly token: string;
  close(): Promise<void>;
}

/**
 * Starts a private log. Its user has the units and the activities of another log.
 *
 * @param preference as the interface gives it
 */
async function startPrivateLog(
  preference: Readonly<Record<string, unknown>> | undefined,
  activities: ActivitiesMet,
): Promise<PrivateLog> {
  // The service's packages take half of a command's start time, so only this function loads them.
  const { startService } = await import("../../service/server.ts");
  const service = await startService({ database: ":memory:", host: "127.0.0.1", port: 0 });
  try {
    const { operator } = service;
    const userId = await operator.addUser({ screenName: "drill", preference: unitsOf(preference) });
    const builtIn = new Set<number | undefined>(Object.values(ACTIVITY_IDS));
    for (const { activityID, name, types } of activities.all()) {
      if (builtIn.has(activityID)) continue;
      const most = Math.max(0, ...types.keys());
      const names = Array.from({ length: most }, (_, index) => types.get(index + 1) ?? `type ${index + 1}`);
      await operator.addActivity(userId, name ?? String(activities.activity(activityID)), names);
    }
    return { url: service.url, token: await operator.addToken(userId), close: () => service.close() };
  } catch (error) {
    await service.close();
    throw error;
  }
}

/** The units of a preference, with the usual units for missing ones. */
function unitsOf({ distanceUnit, weightUnit, temperatureUnit, utcOffset }: Readonly<Record<string, unknown>> = {}) {
  return {
    distanceUnit: distanceUnit === "mi" ? "mi" : "km",
    weightUnit: weightUnit === "lb" ? "lb" : "kg",
    temperatureUnit: temperatureUnit === "F" ? "F" : "C",
    ...(typeof utcOffset === "number" && { utcOffset }),
  } as const;
}
