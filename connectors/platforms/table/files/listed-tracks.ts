/**
 * Finds the points of a row where a file has the points of all rows in one list. Memory holds the points of a few rows at a time, and a count for
 * each row, whatever the length of the list.
 */
import type { Issue } from "../../../../transforms/model/issue.ts";
import type { TimeSpan } from "../../../../transforms/model/workout.ts";
import type { Archive, Entry } from "../../../containers/archive.ts";
import { ArchiveError } from "../../../containers/archive-error.ts";
import type { Listed, ListedPoint, RecordedTrack, TrackList } from "../description.ts";
import { joinedPoints, type Measured } from "./points.ts";

/** The points of a row, and what can't be used of them. */
export interface ListedTrack extends RecordedTrack {
  readonly issues: readonly Issue[];
  /** The file ends before the list does: after a point of this row, or before its first point. Then it has none. */
  readonly isCut: boolean;
}

/** Points that are kept for the next rows. A row with more points than that is kept alone. */
const MOST_KEPT = 40_000;

/** The clock of a phone and that of the satellites differ. A point so many milliseconds outside its workout still belongs to it. */
const SLACK = 5 * 60_000;

const lists = new WeakMap<Archive, Map<string, ListedTracks>>();

/** The list of a file of an archive. It is counted once, however often it is asked for. */
export function listedTracksOf(list: TrackList, archive: Archive, path: string | undefined): ListedTracks | undefined {
  const entry = path === undefined ? undefined : archive.entry(path);
  if (entry === undefined) return undefined;
  const known = lists.get(archive) ?? new Map<string, ListedTracks>();
  lists.set(archive, known);
  const tracks = known.get(entry.path) ?? new ListedTracks(list, archive, entry);
  known.set(entry.path, tracks);
  return tracks;
}

/** What one reading of the file showed. */
interface Counts {
  /** The rows, in the order of the file. */
  readonly rows: readonly { readonly id: string; readonly between: TimeSpan | undefined }[];
  /** By the id of a row: how many points it has, and the place of the first of them in the list, from 0. */
  readonly points: ReadonlyMap<string, { count: number; readonly first: number }>;
  readonly isDamaged: boolean;
  /** The file ends before the list does. */
  readonly isCut: boolean;
  /** The id of the last point. */
  readonly last: string | undefined;
}

/**
 * The tracks of a list. The first question takes a reading that counts. The next one goes on to the last point of its row, and keeps the latest points
 * that it saw. So a list in the order of its rows is read twice. A question about an earlier row begins a new reading, unless its points were kept.
 */
export class ListedTracks {
  readonly #list: TrackList;
  readonly #archive: Archive;
  readonly #entry: Entry;
  readonly #mostKept: number;
  #counts: Promise<Counts> | undefined;
  /** The latest points of the reading. */
  #latest: LatestPoints | undefined;
  #reading: AsyncIterator<Listed> | undefined;
  /** Questions follow one another, so that two at once need the memory of one. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(list: TrackList, archive: Archive, entry: Entry, mostKept = MOST_KEPT) {
    this.#list = list;
    this.#archive = archive;
    this.#entry = entry;
    this.#mostKept = mostKept;
  }

  /**
   * The track of a row. The file stays open for the next one until `close`.
   *
   * @param row its number in the file, from 0
   * @returns undefined if no point has its id, and the list is whole
   * @throws ArchiveError if the file can no longer be unpacked
   */
  track(row: number): Promise<ListedTrack | undefined> {
    return this.#inTurn(() => this.#track(row, 0));
  }

  /** The same for a single question. It reads on for the rows that are asked for next, and closes the file. */
  single(row: number): Promise<ListedTrack | undefined> {
    return this.#inTurn(async () => {
      try {
        return await this.#track(row, this.#mostKept / 2);
      } finally {
        await this.#stop();
      }
    });
  }

  /** A remark for each id that points have and no row has. */
  async strangers(): Promise<readonly Issue[]> {
    const { rows, points } = await this.#counted();
    const ids = new Set(rows.map(({ id }) => id));
    const expected = "the id of a workout in this file; the points were left out";
    return [...points]
      .filter(([id]) => !ids.has(id))
      .map(([found, { count }]) => ({ severity: "warning", rule: "table/points-of-no-row", found, expected, count }));
  }

  /** Closes the file, and gives back the memory of the points. */
  close(): Promise<void> {
    return this.#inTurn(async () => {
      this.#latest = undefined;
      await this.#stop();
    });
  }

  #inTurn<T>(answer: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(answer);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #track(row: number, further: number): Promise<ListedTrack | undefined> {
    const counts = await this.#counted();
    const { id, between } = counts.rows[row] ?? {};
    if (id === undefined) return undefined;
    if (!counts.points.has(id)) return counts.isCut ? { points: [], issues: [], isCut: true } : undefined;
    const isCut = counts.isCut && counts.last === id;
    return { ...trackOf(await this.#pointsOf(id, counts, further), between), isCut };
  }

  async #pointsOf(id: string, counts: Counts, further: number): Promise<readonly ListedPoint[]> {
    const known = this.#latest?.whole(id);
    if (known !== undefined) return known;
    // The points that went by are gone.
    if (this.#latest?.isPast(id) === true) await this.#stop();
    for (;;) {
      if (this.#latest === undefined || this.#reading === undefined) {
        this.#latest = new LatestPoints(counts.points, this.#mostKept);
        this.#reading = this.#all()[Symbol.asyncIterator]();
      }
      const isNew = this.#latest.seen === 0;
      await this.#readTo(id, counts, further);
      const found = this.#latest.whole(id);
      if (found !== undefined || isNew) return found ?? [];
      await this.#stop();
    }
  }

  /** Reads until the row is whole, and `further` points after that. */
  async #readTo(id: string, { isDamaged }: Counts, further: number): Promise<void> {
    const [latest, reading] = [this.#latest, this.#reading];
    if (latest === undefined || reading === undefined) return;
    latest.wanted = id;
    let left = further;
    while (latest.whole(id) === undefined || left-- > 0) {
      try {
        const { done, value } = await reading.next();
        if (done === true) return;
        if ("of" in value) latest.add(value);
      } catch (error) {
        // A damaged file ends where it ended when it was counted.
        if (!isDamaged || !this.#isDamage(error)) throw error;
        return;
      }
    }
  }

  async #stop(): Promise<void> {
    const reading = this.#reading;
    this.#reading = undefined;
    await reading?.return?.();
  }

  #counted(): Promise<Counts> {
    this.#counts ??= this.#count();
    return this.#counts;
  }

  async #count(): Promise<Counts> {
    const rows: { id: string; between: TimeSpan | undefined }[] = [];
    const points = new Map<string, { count: number; readonly first: number }>();
    let seen = 0;
    let last: string | undefined;
    let [isDamaged, isEnded] = [false, false];
    try {
      for await (const each of this.#all()) {
        if ("row" in each) rows.push({ id: each.row, between: each.between });
        else if ("isEnd" in each) isEnded = true;
        else {
          last = each.of;
          const known = points.get(last);
          if (known === undefined) points.set(last, { count: 1, first: seen });
          else known.count++;
          seen++;
        }
      }
    } catch (error) {
      if (!this.#isDamage(error)) throw error;
      isDamaged = true;
    }
    return { rows, points, isDamaged, isCut: isDamaged && !isEnded, last };
  }

  #all(): AsyncIterable<Listed> {
    return this.#list.listed(this.#archive, this.#entry);
  }

  #isDamage(error: unknown): boolean {
    return error instanceof ArchiveError || this.#list.isDamage(error);
  }
}

/** The latest points of a list, and all of the row that is wanted. */
class LatestPoints {
  /** The id of the row that is wanted. */
  wanted: string | undefined;
  readonly #counts: Counts["points"];
  readonly #most: number;
  /** Points by the id of their row, the longest kept first. */
  readonly #points = new Map<string, ListedPoint[]>();
  #held = 0;
  #seen = 0;

  constructor(counts: Counts["points"], most: number) {
    this.#counts = counts;
    this.#most = most;
  }

  /** The number of points that went by. */
  get seen(): number {
    return this.#seen;
  }

  add(point: ListedPoint): void {
    const points = this.#points.get(point.of) ?? [];
    if (points.length === 0) this.#points.set(point.of, points);
    points.push(point);
    this.#held++;
    this.#seen++;
    if (this.#held > this.#most) this.#drop();
  }

  /** All points of a row; undefined if they were not all seen, or were dropped. */
  whole(id: string): readonly ListedPoint[] | undefined {
    const points = this.#points.get(id);
    return points?.length === this.#counts.get(id)?.count ? points : undefined;
  }

  /** Whether points of a row went by and were dropped. */
  isPast(id: string): boolean {
    return this.#seen > (this.#counts.get(id)?.first ?? 0) && !this.#points.has(id);
  }

  #drop(): void {
    for (const [id, points] of this.#points) {
      if (this.#held <= this.#most) return;
      if (id === this.wanted) continue;
      this.#points.delete(id);
      this.#held -= points.length;
    }
  }
}

const OUTSIDE = {
  severity: "warning",
  rule: "table/point-outside",
  expected: "a time in its workout; the point was left out",
} as const;

/** Joins the points of a row. A point without a time, or outside the time of the workout, is left out and counted. */
function trackOf(listed: readonly ListedPoint[], between: TimeSpan | undefined): Omit<ListedTrack, "isCut"> {
  const issues = new Map<string, Issue & { count: number }>();
  const measured: Measured[] = [];
  for (const { point, faults = [] } of listed) {
    const { instant, ...part } = point;
    const isOutside = instant !== undefined && between !== undefined && !isIn(between, instant);
    const outside = isOutside ? [{ ...OUTSIDE, found: new Date(instant).toISOString() }] : [];
    for (const issue of [...faults, ...outside]) {
      const count = (issues.get(issue.rule)?.count ?? 0) + 1;
      issues.set(issue.rule, { ...(issues.get(issue.rule) ?? issue), count });
    }
    if (instant !== undefined && !isOutside) measured.push([instant, part]);
  }
  return { points: joinedPoints(measured), issues: [...issues.values()] };
}

function isIn({ from, until }: TimeSpan, instant: number): boolean {
  return instant >= from - SLACK && instant <= until + SLACK;
}
