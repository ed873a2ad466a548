/** The settings of a batch that travel to the workers of a fleet: the options and tables of the command line, and no token. */
import type { Activity } from "../../transforms/activities.ts";
import type { ActivityTables } from "../arguments/activity-tables.ts";
import type { CommandContext } from "../arguments/command.ts";
import type { OptionName, OptionValues } from "../arguments/options.ts";
import { ROW_OPTIONS } from "../batch/roster-fields.ts";

/** Options that apply to all athletes of a batch, besides those that a row may set. */
const OF_BATCH: readonly OptionName[] = [
  "noVerify",
  "trust",
  "remember",
  "hostRate",
  "retryFailed",
  "networkJournal",
  "noPlaces",
  "certify",
];

/** The settings of a batch, as JSON. */
export interface FleetSettings {
  readonly options: OptionValues;
  readonly tables: Omit<ActivityTables, "sports"> & { readonly sports: readonly (readonly [string, Activity])[] };
  /** The name of the roster, for suggested commands. */
  readonly roster: string;
  /** The folder of the roster, absolute. Relative paths begin there, unless the worker has the archives elsewhere. */
  readonly folder: string;
  /** True if nothing is to be loaded. */
  readonly isPlan: boolean;
}

/** The settings of a batch's command. */
export function settingsOf({ options, tables }: CommandContext): Omit<FleetSettings, "roster" | "folder"> {
  const names: readonly OptionName[] = [...ROW_OPTIONS, ...OF_BATCH];
  return {
    options: Object.fromEntries(Object.entries(options).filter(([name]) => names.includes(name as OptionName))),
    tables: { ...tables, sports: [...tables.sports] },
    isPlan: options.dryRun === true,
  };
}

/**
 * The context of a batch as its own command would have it, on a worker.
 *
 * @param context of the worker. Its options apply where the batch has none
 */
export function contextOf(context: CommandContext, { options, tables, roster }: FleetSettings): CommandContext {
  return {
    ...context,
    arguments: [roster],
    options: { ...context.options, ...options },
    tables: { ...tables, sports: new Map(tables.sports) },
    // Token commands are remembered by this object. A worker lives for months, so each job asks anew.
    environment: { ...context.environment },
  };
}
