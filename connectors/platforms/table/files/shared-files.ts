/** Decides which row gets a device file that several rows name. A recording belongs to only one workout. */
import type { Issue, Origin } from "../../../../transforms/model/issue.ts";
import type { Start, Workout } from "../../../../transforms/model/workout.ts";
import { inMetres } from "../../../../transforms/units.ts";
import type { Entry } from "../../../containers/archive.ts";
import type { Recording } from "../../../formats/recording.ts";
import { atInstant } from "../../at-instant.ts";
import { scanFile } from "../../scan-file.ts";
import type { ReadSession } from "../../session.ts";
import { factsOf } from "../rows/row-ids.ts";

/** Seconds between pressing the button and the first point. */
const SECONDS_APART = 10;

/** The share by which a row is taken to miss the distance or the duration of a file where it has none. */
const UNKNOWN_SHARE = 0.1;

/** A row that names a file which other rows name, too. */
export interface SharingRow {
  readonly entry: Entry;
  readonly id: string | undefined;
  readonly workout: Workout;
  readonly origin: Origin;
}

/** The row that a file fits best. */
interface Owner {
  readonly place: string;
  readonly id: string | undefined;
  readonly workout: Workout;
  /** How far the row and the file are apart: 0 if all values are the same. */
  readonly apart: number;
}

/** What a scan said of a file: its first recording, none, or damage. */
type Found = Pick<Recording, "start" | "distance" | "timer" | "elapsed"> | "nothing" | "damaged";

/** What becomes of a row that names such a file. */
export type Sharing = "owner" | "other" | "same" | "unknown";

/**
 * The owners of the files that several rows name. A file belongs to the row whose start, distance and duration it fits best, and of two such rows
 * to the first.
 */
export class SharedFiles {
  readonly #session: ReadSession;
  readonly #owners = new Map<string, Owner>();
  readonly #found = new Map<string, Promise<Found>>();

  constructor(session: ReadSession) {
    this.#session = session;
  }

  /** Compares a row with its file. Call it for each row before the first `of`. */
  async add({ entry, id, workout, origin }: SharingRow): Promise<void> {
    const found = await this.#foundIn(entry);
    if (typeof found === "string") return;
    const apart = howFarApart(workout, found);
    const owner = this.#owners.get(entry.path);
    if (apart === undefined || (owner !== undefined && owner.apart <= apart)) return;
    this.#owners.set(entry.path, { place: placeOf(origin), id, workout, apart });
  }

  /**
   * Whether the row is the owner of its file, another row, or the owner's workout once more. A damaged file has no known owner, so each of its rows
   * reports the damage: `unknown`.
   */
  async of({ entry, workout, origin }: SharingRow): Promise<Sharing> {
    if ((await this.#foundIn(entry)) === "damaged") return "unknown";
    const owner = this.#owners.get(entry.path);
    if (owner === undefined) return "other";
    if (owner.place === placeOf(origin)) return "owner";
    return factsOf(owner.workout) === factsOf(workout) ? "same" : "other";
  }

  /** The row that a file fits best; undefined if only one row names it, or it fits none. */
  ownerOf(entry: Entry | undefined): Pick<SharingRow, "id" | "workout"> | undefined {
    return this.#owners.get(entry?.path ?? "");
  }

  /** The issue for a row that is not the owner. */
  issue({ entry, origin }: SharingRow, sharing: "other" | "same", about: Pick<Issue, "field" | "found">): Issue {
    const shares = { rule: "table/shared-file", ...about };
    const { place = placeOf(origin) } = this.#owners.get(entry.path) ?? {};
    if (sharing === "same")
      return { severity: "info", ...shares, expected: `each workout once: ${place} has this file and the same values` };
    return {
      severity: "warning",
      ...shares,
      expected: "a file that began when the row did, of its distance and duration; this one is another row's",
    };
  }

  #foundIn(entry: Entry): Promise<Found> {
    const found = this.#found.get(entry.path) ?? scanned(this.#session, entry);
    this.#found.set(entry.path, found);
    return found;
  }
}

function placeOf({ locator }: Origin): string {
  return locator ?? "another row";
}

async function scanned({ archive }: ReadSession, entry: Entry): Promise<Found> {
  const result = await scanFile(archive, entry);
  if ("rule" in result) return "damaged";
  const { recordings, issues } = result.file;
  const [first] = recordings;
  if (first === undefined) return issues.some(({ severity }) => severity === "error") ? "damaged" : "nothing";
  if (first.start === undefined) return "nothing";
  const { start, distance, timer, elapsed } = first;
  return { start, ...(distance && { distance }), ...(timer && { timer }), ...(elapsed && { elapsed }) };
}

/** How far a row is from a file; undefined if the file began neither at its instant, nor a multiple of 15 minutes from its local time. */
function howFarApart({ start, distance, duration }: Workout, found: Exclude<Found, string>): number | undefined {
  const seconds = secondsApart(start, found.start ?? 0);
  if (seconds === undefined) return undefined;
  const metres = found.distance && inMetres(found.distance);
  const times = [found.timer, found.elapsed].filter((each) => each !== undefined);
  const shares = [
    shareApart(distance && inMetres(distance), metres === undefined ? [] : [metres]),
    shareApart(duration, times),
  ];
  return seconds / SECONDS_APART + shares.reduce((sum, share) => sum + share, 0) / UNKNOWN_SHARE;
}

function secondsApart(start: Start, began: number): number | undefined {
  const isLocal = start.date !== undefined && start.instant === undefined;
  const { instant } = isLocal ? atInstant(start, began, SECONDS_APART / 60) : start;
  if (instant === undefined) return undefined;
  const seconds = Math.abs(instant - began) / 1000;
  return seconds <= SECONDS_APART + 1 ? seconds : undefined;
}

/** The share by which a value misses the closest of others. */
function shareApart(value: number | undefined, others: readonly number[]): number {
  if (value === undefined || others.length === 0) return UNKNOWN_SHARE;
  return Math.min(...others.map((other) => Math.abs(other - value) / Math.max(other, value, 1)));
}
