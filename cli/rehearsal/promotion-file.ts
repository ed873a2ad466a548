/**
 * What a promotion keeps in the folder of its rehearsal: the hours and the quota that it was begun with, the requests of today, and the end that it
 * promised. So the same command goes on after a stop, and no day gets more than its quota.
 */
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const FILE = "promotion.json";

/** The state of a promotion. */
export interface PromotionState {
  /** The journal of the log that it writes to. Hours, quota and requests are those of this log. */
  readonly log?: string;
  /** `22:00-06:00`; absent for the whole day. */
  readonly at?: string;
  /** Requests a day; absent for no limit. */
  readonly perDay?: number;
  /** The local day of the last request, and the requests of that day. */
  readonly day?: string;
  readonly used?: number;
  /** The end that was promised at the beginning, as an instant in ISO 8601. */
  readonly promised?: string;
  /** When the promotion goes on that waits now, as an instant in ISO 8601. */
  readonly goesOn?: string;
}

/** Reads the state of the promotion in a folder; empty before the first one. */
export function readPromotion(folder: string): PromotionState {
  try {
    return JSON.parse(readFileSync(join(folder, FILE), "utf8")) as PromotionState;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR" || error instanceof SyntaxError) return {};
    throw error;
  }
}

/** Writes the state anew. The file is there whole, or as it was before. */
export function writePromotion(folder: string, state: PromotionState): void {
  const path = join(folder, FILE);
  writeFileSync(`${path}.new`, `${JSON.stringify(state)}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}
