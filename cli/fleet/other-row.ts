/**
 * Tells whether the fleet had an athlete by the row that is asked for now. A row may change while its athlete is under way, and two rosters may
 * name one athlete. What was loaded by another row says nothing of this one.
 */
import { isDeepStrictEqual } from "node:util";
import { absoluteSource } from "../../connectors/containers/address.ts";
import type { AthleteNow } from "../../pipelines/fleet/athletes.ts";
import type { OptionName, OptionValues } from "../arguments/options.ts";
import type { Athlete } from "../batch/roster.ts";
import { DECIDING, DECIDING_WHERE_SET } from "../batch/roster-fields.ts";
import { atWorker } from "./paths.ts";
import type { FleetSettings } from "./settings.ts";

/** Options of a row that change what is loaded. */
const CHOOSING = [...DECIDING, ...DECIDING_WHERE_SET];

/**
 * Whether the fleet has, or had, an athlete by another row or other settings than these: other archives, another owner, or another option that
 * changes what is loaded.
 *
 * @param athlete as the batch puts them
 */
export function isByOther(now: AthleteNow, athlete: Athlete, settings: FleetSettings): boolean {
  const of = now.settings as FleetSettings;
  // Whoever was only planned is not loaded. A load is more than the plan that is asked for.
  if (of.isPlan && !settings.isPlan) return true;
  return !isDeepStrictEqual(whatDecides(now.athlete as Athlete, of), whatDecides(athlete, settings));
}

/** Limits and paces of a load. They change nothing of what is loaded, so they say nothing of an athlete who is done. */
const LIMITS = [
  "rate",
  "concurrency",
  "maxRequests",
  "maxDuration",
  "onErrors",
] as const satisfies readonly OptionName[];

/**
 * Whether a batch sets a limit by which the fleet doesn't work on an athlete. A limit that the batch leaves out counts as kept: the older one holds,
 * and it asks no more of the log than this batch allows.
 *
 * @param athlete as the batch puts them
 */
export function isByOtherLimits(now: AthleteNow, athlete: Athlete, settings: FleetSettings): boolean {
  // A plan sends nothing that a limit could stop.
  if (settings.isPlan) return false;
  const [own, of] = [limitsOf(athlete, settings), limitsOf(now.athlete as Athlete, now.settings as FleetSettings)];
  return Object.keys(own).some((name) => !isDeepStrictEqual(own[name], of[name]));
}

/** The limits that are set, as JSON. The pace of a service is set for all athletes of a batch. */
function limitsOf(athlete: Athlete, { options }: FleetSettings): Record<string, unknown> {
  const all: OptionValues = { ...options, ...athlete.options };
  return asJson({ ...Object.fromEntries(LIMITS.map((name) => [name, all[name]])), hostRate: options.hostRate });
}

/**
 * The same as `isByOther` by the row alone, for a command that doesn't know the options of the batch.
 *
 * @param folder of the roster
 */
export function isByOtherRow(now: AthleteNow, athlete: Athlete, folder: string): boolean {
  const of = now.settings as FleetSettings;
  // Whoever seals a token adds the address of the log to the row.
  return !isDeepStrictEqual(
    { ...ofRow(now.athlete as Athlete, of.folder), url: undefined },
    { ...ofRow(athlete, folder), url: undefined },
  );
}

/** What decides of a row and its batch what is loaded, as JSON: PostgreSQL gives it back without what is undefined. */
function whatDecides(athlete: Athlete, { options, tables, folder }: FleetSettings): unknown {
  const { map: _own, ...shared } = options;
  const chosen = pick({ ...shared, ...athlete.options });
  const { sports, activityIDs, workoutIDs } = tables;
  return asJson({ ...chosen, ...ofRow(athlete, folder), tables: { sports, activityIDs, workoutIDs } });
}

function ofRow(athlete: Athlete, folder: string): Record<string, unknown> {
  const { archives, options, expects } = atWorker(athlete, folder);
  return asJson({ ...pick(options), expects, archives: archives.map(absoluteSource) });
}

function pick(options: OptionValues): Record<string, unknown> {
  return Object.fromEntries(CHOOSING.map((name) => [name, options[name]]));
}

function asJson(value: Record<string, unknown>): Record<string, unknown> {
  return JSON.parse(JSON.stringify(value));
}
