/**
 * Tells whether the fleet had an athlete by the row that is asked for now. A row may change while its athlete is under way, and two rosters may
 * name one athlete. What was loaded by another row says nothing of this one.
 */
import { isDeepStrictEqual } from "node:util";
import { absoluteSource } from "../../connectors/containers/address.ts";
import type { AthleteNow } from "../../pipelines/fleet/athletes.ts";
import type { OptionValues } from "../arguments/options.ts";
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

/**
 * The same by the row alone, for a command that doesn't know the options of the batch.
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
