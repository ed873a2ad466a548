import { once } from "node:events";
import { constants } from "node:fs";
import { access, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { writePrivateFile } from "../../pipelines/private-file.ts";
import type { Service } from "../../service/server.ts";
import type { OnceKeys } from "../../service/sign-in/once.ts";
import { ACTIVITY_NAMES } from "../../transforms/activities.ts";
import { ACTIVITY_IDS } from "../../transforms/assumptions.ts";
import { withFlags } from "../arguments/activity-tables.ts";
import { ARCHIVE_OPTIONS } from "../arguments/archive-limits.ts";
import type { Command, CommandContext } from "../arguments/command.ts";
import { userFolders } from "../arguments/config.ts";
import { type ExitName, UsageError } from "../errors/exit-codes.ts";
import { asUsageError } from "../errors/service-errors.ts";
import { READING_OPTIONS } from "../session/session.ts";
import { SOURCES } from "../session/with-plan.ts";
import { withTypedOptions } from "../suggested-commands.ts";
import { openBrowser } from "../system/browser.ts";
import { importCommand } from "./import.ts";
import { verify } from "./verify.ts";

const OWNER_FILE = "rehearsal.json";

/** Requests under way at once. Nobody else uses the private log. */
const AT_ONCE = 8;

/** The units of the private log. */
const UNITS = {
  metric: { distanceUnit: "km", weightUnit: "kg", temperatureUnit: "C" },
  imperial: { distanceUnit: "mi", weightUnit: "lb", temperatureUnit: "F" },
} as const;

/** `logferry rehearse`: imports the sources into a private log on this computer, and shows its pages. */
export const rehearse: Command = {
  name: "rehearse",
  details: [
    "Starts a private log in a folder of its own. Imports the sources into it at full speed, reads everything back, and writes a report. Your real log is not touched, and no login is needed.",
    "Then it shows the pages of the private log: the address it prints signs your browser in, once. Every page says that it is a rehearsal. Nothing listens beyond this computer. Ctrl-C ends it.",
    "Run it again after a change, such as another --sport or a mended row: what is in the private log already is not imported twice. Delete the folder to begin from nothing.",
    "The exit code is the worse one of the import and the verification.",
  ],
  positional: SOURCES,
  options: ["out", "units", "noPages", "trustClocks", "doubtful", "noPlaces", ...READING_OPTIONS, ...ARCHIVE_OPTIONS],
  says: {
    out: { help: "folder of the private log, its journal and its report (default: rehearsal in the data folder)" },
    units: { help: "units of the private log" },
  },
  examples: [
    { line: "logferry rehearse export_123.zip ~/watch", does: "both in a private log, with its pages in the browser" },
    { line: "logferry rehearse export_123.zip --no-pages", does: "only the report" },
  ],
  stopping: "Stopping the rehearsal.",
  async run(context) {
    const folder = context.options.out ?? join(userFolders().data, "rehearsal");
    await makeFolder(folder);
    const { OnceKeys } = await import("../../service/sign-in/once.ts");
    const keys = new OnceKeys();
    const known = await readOwner(folder);
    const service = await start(folder, keys, known?.port ?? 0);
    try {
      const user = known ?? (await makeOwner(context, service, folder));
      const own = await privately(context, service, folder, user);
      const exit = await importAndVerify(own, folder);
      if (!context.signal.aborted && context.options.noPages !== true)
        await showPages(context, `${service.url}${keys.add(user.userId)}`);
      const isWhole = exit === "done" || exit === "setAside" || exit === "differs";
      context.output.conclude(
        isWhole
          ? `The rehearsal is over: nothing was changed in your real log. It is kept in ${folder}. Do it for real: logferry import, with the same sources and options.`
          : `The rehearsal stopped before everything was imported. Nothing was changed in your real log. Go on with the same command. It is kept in ${folder}.`,
      );
      return exit;
    } finally {
      await service.close();
    }
  },
};

/** @throws UsageError when the folder can't be made or written */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await access(folder, constants.W_OK);
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
 * @param port that of the last rehearsal in this folder, because its journal knows the log by its address
 */
async function start(folder: string, onceKeys: OnceKeys, port: number): Promise<Service> {
  const { startService } = await import("../../service/server.ts");
  const options = { database: join(folder, "service.db"), host: "127.0.0.1", port };
  try {
    return await startService({ ...options, isRehearsal: true, onceKeys });
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
    screenName: "rehearsal",
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
  const { tokenFile: _file, tokenCommand: _command, ...options } = context.options;
  const journal = join(folder, "journal.db");
  const numbers = Object.entries(activityIDs).map(([name, id]) => `${name}=${id}`);
  return {
    ...context,
    output: withTypedOptions(context.output, { journal }),
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

async function importAndVerify(own: CommandContext, folder: string): Promise<ExitName> {
  const imported = await importCommand.run(own);
  if (own.signal.aborted || (imported !== "done" && imported !== "setAside")) return imported;
  const report = [join(folder, "report.html")];
  const verified = await verify.run({ ...own, arguments: [], options: { ...own.options, report } });
  return verified === "done" ? imported : verified;
}

/** Shows the pages until the person ends it. */
async function showPages({ output, environment, signal }: CommandContext, address: string): Promise<void> {
  output.emit("listening", { url: address });
  output.say("", `Look at your log as it would be: ${address}`, "The address works once. Ctrl-C ends the rehearsal.");
  openBrowser(address, environment, () => undefined);
  if (!signal.aborted) await once(signal, "abort");
}
