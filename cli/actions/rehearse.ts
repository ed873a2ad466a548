import { once } from "node:events";
import { constants, existsSync } from "node:fs";
import { access, mkdir, readdir, readFile, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { TransferError } from "../../connectors/errors.ts";
import { openJournalToRead } from "../../pipelines/journal/sqlite.ts";
import { writePrivateFile } from "../../pipelines/private-file.ts";
import { closeSources, openSources } from "../../pipelines/sources/sources.ts";
import type { Decisions } from "../../service/pages/decisions.ts";
import type { Service } from "../../service/server.ts";
import type { OnceKeys } from "../../service/sign-in/once.ts";
import { ACTIVITY_NAMES } from "../../transforms/activities.ts";
import { ACTIVITY_IDS } from "../../transforms/assumptions.ts";
import { isZone } from "../../transforms/calendar.ts";
import { TRACK } from "../../transforms/merge/not-added.ts";
import { printable } from "../../transforms/text/printable.ts";
import { withFlags } from "../arguments/activity-tables.ts";
import { openOptions } from "../arguments/archive-limits.ts";
import type { CommandContext } from "../arguments/command.ts";
import type { OptionValues } from "../arguments/options.ts";
import { type ExitName, UsageError } from "../errors/exit-codes.ts";
import { asUsageError } from "../errors/service-errors.ts";
import { actionOf, fixOf, readDoubts, zoneOf } from "../rehearsal/doubts.ts";
import {
  asBefore,
  chooseZone,
  endRehearsal,
  isOfEarlierVersion,
  isOtherwise,
  JOURNAL_FILE,
  type KeptRehearsal,
  keepRehearsal,
  outOption,
  readKept,
  rehearsalFolder,
  rehearseAgain,
  withChosenZone,
  writeKept,
} from "../rehearsal/kept.ts";
import { decidedInFolder, decidedNow, renewFolder } from "../rehearsal/renew.ts";
import { asInRehearsal, withTypedOptions } from "../suggested-commands.ts";
import { openBrowser } from "../system/browser.ts";
import { createOutput, many } from "../terminal/output.ts";
import { act as importSources } from "./import.ts";
import { reviewPairs } from "./plan-review.ts";
import { fixByHand, act as quarantine } from "./quarantine.ts";
import { act as verify } from "./verify.ts";

const OWNER_FILE = "rehearsal.json";

/** The owner's name in the private log. */
const SCREEN_NAME = "rehearsal";

/** Requests under way at once. Nobody else uses the private log. */
const AT_ONCE = 8;

/** The units of the private log. */
const UNITS = {
  metric: { distanceUnit: "km", weightUnit: "kg", temperatureUnit: "C" },
  imperial: { distanceUnit: "mi", weightUnit: "lb", temperatureUnit: "F" },
} as const;

/** `logferry rehearse`: imports the sources into a private log on this computer, and shows its pages. */
export async function act(typed: CommandContext): Promise<ExitName> {
  giveRoom();
  const exit = await rehearse(typed, "may begin anew");
  if (exit !== BEGIN_ANEW) return exit;
  typed.output.say("Device files came or changed since the last rehearsal, so the private log begins anew.");
  await renewFolder(rehearsalFolder(typed));
  return (await rehearse(typed, "goes on")) as ExitName;
}

/** The private log lacks tracks, which it takes with a new workout alone. A promotion would send them. */
const BEGIN_ANEW = "begin anew";

async function rehearse(
  typed: CommandContext,
  how: "may begin anew" | "goes on",
): Promise<ExitName | typeof BEGIN_ANEW> {
  const folder = rehearsalFolder(typed);
  checkTrust(typed);
  const context = await withChosenZone(typed.arguments.length > 0 ? typed : await asBefore(typed, folder), folder);
  const made = await makeFolder(folder);
  const { OnceKeys } = await import("../../service/sign-in/once.ts");
  const keys = new OnceKeys();
  const decisions = decisionsOf(context, folder);
  const decided = await decidedInFolder(folder);
  const { port = 0 } = (await readOwner(folder)) ?? {};
  let service = await start(folder, { keys, decisions }, port);
  const why = await whyAnew(context, folder, decided);
  if (why !== undefined) {
    await checkReadable(context, service);
    context.output.say(`${why}, so the private log begins anew.`);
    await service.close();
    await renewFolder(folder);
    service = await start(folder, { keys, decisions }, port);
  }
  const known = await readOwner(folder);
  const earlier = { run: await newestRun(folder), kept: await readKept(folder) };
  let isOver = false;
  try {
    const user = known ?? (await makeOwner(context, service, folder));
    const kept = await keepRehearsal(folder, context, await decidedNow(folder));
    const own = await privately(context, service, folder, user);
    const exit = await importAndVerify(own, folder, context.options.trust);
    if (how === "may begin anew" && earlier.run !== undefined && (await leavesTracks(folder))) {
      isOver = true;
      return BEGIN_ANEW;
    }
    await endRehearsal(folder, kept, exit);
    isOver = true;
    if (!context.signal.aborted && context.options.noPages !== true)
      await showPages(context, `${service.url}${keys.add(user.userId)}`);
    context.output.conclude(lastSentence(folder, exit, await decidedInFolder(folder)));
    return exit;
  } finally {
    await service.close();
    if (!isOver && (await newestRun(folder)) === earlier.run) await putBack(folder, earlier, made);
  }
}

/**
 * Lets young garbage pile up to 16 MB, where bin/steady-memory.js keeps it small. Sender and log are one process here and make much of it: a rehearsal
 * takes a sixth less processor time so, and some 120 MB more memory, however large the archive is.
 */
function giveRoom(): void {
  // Another V8 may not know the flag, and says so on standard error.
  if (process.versions.node.startsWith("24.")) setFlagsFromString("--semi-space-growth-factor=2");
}

/** @throws UsageError when `--trust` names anybody else than the owner of the private log, who has no other name */
function checkTrust({ options: { trust = [] } }: CommandContext): void {
  if (trust.some((name) => name !== SCREEN_NAME))
    throw new UsageError(`Cannot use --trust: a rehearsal knows one word for it: --trust ${SCREEN_NAME}`);
}

/** Why the private log would not show what this rehearsal makes; undefined where it can go on. @param decided decisions that it doesn't show */
async function whyAnew(context: CommandContext, folder: string, decided: number): Promise<string | undefined> {
  if (decided > 0) return "You decided something since the last rehearsal";
  if ((await newestRun(folder)) === undefined) return undefined;
  const kept = await readKept(folder);
  if (isOtherwise(kept, context)) return "You gave other options than for the last rehearsal";
  return isOfEarlierVersion(kept) ? "An earlier version of logferry rehearsed here last" : undefined;
}

/** Opens the sources and closes them: what the private log shows is worth keeping while a source can't be read. @throws FatalError as `openSources` */
async function checkReadable(context: CommandContext, service: Service): Promise<void> {
  try {
    await closeSources(await openSources(context.arguments, context.options.map, openOptions(context)));
  } catch (error) {
    await service.close();
    throw error;
  }
}

/** Keeps the zone of the page's form for the next rehearsal. @returns a sentence about a problem; undefined when it is kept */
async function decideZone(folder: string, typed: string): Promise<string | undefined> {
  const zone = typed.trim();
  if (zone === "") return "Type a value first.";
  if (!isZone(zone)) return `The zone ${printable(zone, 60)} is not known: expected a name such as Europe/Vienna.`;
  await chooseZone(folder, zone);
  return undefined;
}

/** @param decided the number of decisions that nobody has seen the result of */
function lastSentence(folder: string, exit: ExitName, decided: number): string {
  const kept = `It is kept in ${folder}.`;
  if (decided > 0)
    return `The rehearsal is over: nothing was changed in your real log. ${kept} You made ${many(decided, "decision")}. Rehearse once more, so that you see the result: ${rehearseAgain(folder)}`;
  if (exit === "source")
    return `The rehearsal is over: all records were rejected, so nothing could be loaded. Nothing was changed in your real log. Mend what is named above, then rehearse once more: ${rehearseAgain(folder)}. ${kept}`;
  return exit === "done" || exit === "setAside" || exit === "differs"
    ? `The rehearsal is over: nothing was changed in your real log. ${kept} Do the same for real: logferry promote${outOption(folder)}`
    : `The rehearsal stopped before everything was imported and read back. Nothing was changed in your real log. Go on with the same command. ${kept}`;
}

/** What was in the folder before. */
interface Earlier {
  /** The newest run of the journal; undefined without any. */
  readonly run: number | undefined;
  readonly kept: KeptRehearsal | undefined;
}

/** Whether the last run left tracks out, because the private log has their workouts already. */
async function leavesTracks(folder: string): Promise<boolean> {
  await using journal = await openJournalToRead(join(folder, JOURNAL_FILE));
  const run = await journal.run();
  const { fields } = run === undefined ? { fields: [] } : await journal.notAdded(run.id);
  return fields.some(({ field }) => field === TRACK);
}

/** Puts a folder back as it was before a rehearsal that planned nothing, such as one of a misspelt source. Other files stay. */
async function putBack(folder: string, { run, kept }: Earlier, made: string | undefined): Promise<void> {
  if (kept !== undefined) return writeKept(folder, kept);
  if (run !== undefined) return;
  for (const name of await readdir(folder))
    if (/^(?:service\.db|journal\.db|rehearsal\.json|rehearsed\.json)/.test(name)) await rm(join(folder, name));
  if (made !== undefined) await rmdir(folder).catch(() => undefined);
}

async function newestRun(folder: string): Promise<number | undefined> {
  const path = join(folder, JOURNAL_FILE);
  if (!existsSync(path)) return undefined;
  await using journal = await openJournalToRead(path);
  return (await journal.run())?.id;
}

/** @returns the first folder that was made; undefined if the folder was there. @throws UsageError when it can't be made or written */
async function makeFolder(folder: string): Promise<string | undefined> {
  try {
    const made = await mkdir(folder, { recursive: true, mode: 0o700 });
    await access(folder, constants.W_OK);
    return made;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why =
      code === "EEXIST" || code === "ENOTDIR" ? "there is a file of that name" : `it can't be written (${code})`;
    throw new UsageError(`Cannot rehearse in ${folder}: ${why}. Name another folder with --out`, { cause: error });
  }
}

/**
 * Starts the private log. The service's packages take half of a command's start time, so only this function loads them.
 *
 * @param port that of the last rehearsal in this folder: its journal knows the log by its address, and a person may have kept it
 */
async function start(
  folder: string,
  { keys: onceKeys, decisions }: { readonly keys: OnceKeys; readonly decisions: Decisions },
  port: number,
): Promise<Service> {
  const { startService } = await import("../../service/server.ts");
  const options = { database: join(folder, "service.db"), host: "127.0.0.1", port };
  try {
    return await startService({ ...options, isRehearsal: true, onceKeys, decisions });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EADDRINUSE")
      throw new UsageError(
        `Cannot rehearse: port ${port}, where the private log of this folder listens, is taken. If another rehearsal is open in ${folder}, end it. Otherwise name another folder with --out`,
        { cause: error },
      );
    throw asUsageError(error, "Cannot rehearse", options);
  }
}

/** The owner of the private log. */
interface Owner {
  readonly userId: string;
  /** The port where the log listened first. */
  readonly port: number;
  /** The numbers of the log's own activities, by name. */
  readonly activityIDs: Readonly<Record<string, number>>;
}

/** Reads who owns the private log of an earlier rehearsal; undefined at the first time. */
async function readOwner(folder: string): Promise<Owner | undefined> {
  const known = await readFile(join(folder, OWNER_FILE), "utf8").catch(() => undefined);
  return known === undefined ? undefined : (JSON.parse(known) as Owner);
}

async function makeOwner({ options }: CommandContext, service: Service, folder: string): Promise<Owner> {
  const { operator } = service;
  // Nobody's name stands here: the sources may be anybody's, and logferry compares names where there are two.
  const userId = await operator.addUser({
    screenName: SCREEN_NAME,
    preference: UNITS[options.units === "imperial" ? "imperial" : "metric"],
  });
  const added: [string, number][] = [];
  for (const name of ACTIVITY_NAMES)
    if (ACTIVITY_IDS[name] === undefined) added.push([name, await operator.addActivity(userId, name)]);
  const activityIDs = Object.fromEntries(added);
  const owner: Owner = { userId, activityIDs, port: Number(new URL(service.url).port) };
  await writePrivateFile(join(folder, OWNER_FILE), `${JSON.stringify(owner)}\n`);
  return owner;
}

/** A command's context for the private log. It uses nothing of the person's own log. */
async function privately(
  context: CommandContext,
  { url, operator }: Service,
  folder: string,
  { userId, activityIDs }: Owner,
): Promise<CommandContext> {
  const { tokenFile: _file, tokenCommand: _command, trust: _trust, ...options } = context.options;
  const journal = join(folder, JOURNAL_FILE);
  const numbers = Object.entries(activityIDs).map(([name, id]) => `${name}=${id}`);
  return {
    ...context,
    output: asInRehearsal(withTypedOptions(context.output, { journal }), rehearseAgain(folder)),
    environment: { ...context.environment, LOGFERRY_TOKEN: await operator.addToken(userId) },
    tables: withFlags(context.tables, [], numbers),
    options: {
      ...options,
      profile: "default",
      url,
      journal,
      rate: 0,
      concurrency: AT_ONCE,
      patience: "0",
      settle: 1,
    },
  };
}

/** What a person can do about exports of several people in a rehearsal. */
const WAYS_FOR_PEOPLE = [
  "Rehearse each for itself, in a folder of its own: logferry rehearse SOURCE --out FOLDER",
  `If all of them belong in one log, type the same once more, with: --trust ${SCREEN_NAME}`,
];

async function importAndVerify(own: CommandContext, folder: string, trust: OptionValues["trust"]): Promise<ExitName> {
  const imported = await importSources(own, {
    people: trust === undefined ? WAYS_FOR_PEOPLE : "trusted",
    purpose: () => ({ rehearsedIn: folder }),
  });
  if (imported !== "done" && imported !== "setAside") return imported;
  // Nothing was read back, so it can't be called whole.
  if (own.signal.aborted) return "stopped";
  const report = [join(folder, "report.html")];
  const verified = await verify({ ...own, arguments: [], options: { ...own.options, report } });
  return verified === "done" ? imported : verified;
}

/** The page of decisions. Its buttons do what `quarantine` and `plan review` do, and keep what those keep. */
function decisionsOf({ signal: _signal, ...context }: CommandContext, folder: string): Decisions {
  const journal = join(folder, JOURNAL_FILE);
  const silent = createOutput("quiet", true, { out: { write: () => true }, err: { write: () => true } });
  return {
    read: (view) => readDoubts(folder, view),
    async decide(command, values, view) {
      const doubts = await readDoubts(folder, view);
      const zone = zoneOf(doubts, command, values);
      if (zone !== undefined) return await decideZone(folder, zone);
      const [action, fix] = [actionOf(doubts, command), fixOf(doubts, command, values)];
      if (action === undefined && fix === undefined)
        return "That is decided already, or no longer doubtful. This page shows how it stands now.";
      const own = { ...context, output: silent, signal: new AbortController().signal };
      const options = { ...context.options, journal };
      try {
        if (fix !== undefined) {
          if (fix.set.length === 0) return "Type a value first.";
          await fixByHand({ ...own, options: { ...options, set: fix.set } }, [fix.id], "in place of earlier values");
        } else if (action === undefined) return undefined;
        else if ("quarantine" in action) {
          const allow = action.allows === true ? { allow: ["implausible"] } : {};
          await quarantine({ ...own, arguments: action.quarantine, options: { ...options, ...allow } });
        } else if ("answer" in action) await reviewPairs({ ...own, options: { ...options, answer: [action.answer] } });
        else await reviewPairs({ ...own, options: { ...options, forget: [action.forget] } });
        return undefined;
      } catch (error) {
        if (error instanceof UsageError || error instanceof TransferError)
          return error.message.replace(/^Cannot use --set: /, "The ");
        throw error;
      }
    },
  };
}

/** Shows the pages until the person ends it. */
async function showPages({ output, environment, signal }: CommandContext, address: string): Promise<void> {
  output.emit("listening", { url: address });
  output.say("", `Look at your log as it would be: ${address}`, "The address works once. Ctrl-C ends the rehearsal.");
  openBrowser(address, environment, () => undefined);
  if (!signal.aborted) await once(signal, "abort");
}
