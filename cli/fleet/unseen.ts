/** Archives that a worker can't see. Another machine may have the folder, so each worker that is at work may try once before an athlete ends. */
import { access, constants } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { isAddress } from "../../connectors/containers/address.ts";
import type { Outcome } from "../../pipelines/batch/outcome.ts";
import type { TakenAthlete } from "../../pipelines/fleet/athletes.ts";
import { workersLeftFor } from "../../pipelines/fleet/workers.ts";
import { printable } from "../../transforms/text/printable.ts";
import type { Athlete } from "../batch/roster.ts";
import type { Fleet } from "./open.ts";

/** What became of an athlete with an archive that this worker can't see. */
export interface Unseen {
  /** True if a worker at work has not tried yet. */
  readonly isForOthers: boolean;
  /** The workers that can't see it, this one among them. */
  readonly workers: readonly string[];
}

/**
 * Notes that this worker can't see an archive of an athlete.
 *
 * @param seen the athlete with the paths of this worker
 * @returns undefined when it sees all of them
 */
export async function unseenBy(
  { fleet, name }: { readonly fleet: Fleet; readonly name: string },
  taken: TakenAthlete,
  { archives, options: { map } }: Athlete,
): Promise<Unseen | undefined> {
  // Whoever is cancelled ends without their archives.
  if (taken.isCancelled || !(await isOneHidden([...archives, ...(map === undefined ? [] : [map])]))) return undefined;
  const workers = await fleet.athletes.unseen(taken, name);
  const left = await workersLeftFor(fleet.database, workers);
  return { isForOthers: left > 0, workers };
}

async function isOneHidden(paths: readonly string[]): Promise<boolean> {
  for (const path of paths) {
    if (isAddress(path)) continue;
    const isThere = await access(path, constants.R_OK).then(
      () => true,
      () => false,
    );
    if (!isThere) return true;
  }
  return false;
}

/** Most archives of an athlete that a reason names. */
const MOST_NAMED = 5;

/** Says of a file that can't be read where it would be on this worker: another machine may have it elsewhere. */
export function withFolder(outcome: Outcome, { athlete }: TakenAthlete, folder: string): Outcome {
  if (outcome.status !== "source" || outcome.why === undefined) return outcome;
  const relative = (athlete as Athlete).archives.filter((path) => !isAbsolute(path) && !isAddress(path));
  if (relative.length === 0) return outcome;
  const places = relative.slice(0, MOST_NAMED).map((path) => printable(join(folder, path), 200));
  const more = relative.length > MOST_NAMED ? ` and ${relative.length - MOST_NAMED} more` : "";
  return { ...outcome, why: `${outcome.why}. On this worker, the roster means ${places.join(", ")}${more}` };
}

/** Says of a file that no worker sees which ones tried. @param workers undefined where this worker sees it */
export function withWorkers(outcome: Outcome, workers: readonly string[] | undefined): Outcome {
  if (workers === undefined || outcome.status !== "source" || outcome.why === undefined) return outcome;
  return { ...outcome, why: `${outcome.why}. No worker at work can read it: ${workers.join(", ")} tried` };
}
