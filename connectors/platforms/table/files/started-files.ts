/** Finds device files by the start of their recordings, for rows without a name that leads to a file. */

import type { LocalDate } from "../../../../transforms/calendar.ts";
import type { Reading } from "../../../../transforms/model/item.ts";
import type { Seconds, Start } from "../../../../transforms/model/workout.ts";
import type { Entry } from "../../../containers/archive.ts";
import type { DeviceFile, Recording } from "../../../formats/recording.ts";
import { atInstant } from "../../at-instant.ts";
import { type KnownFiles, readDeviceFile } from "../../device-files/readings.ts";
import { isTransition } from "../../from-recording.ts";
import { CountedFiles } from "../../other-files.ts";
import { scanFile } from "../../scan-file.ts";
import type { ReadSession } from "../../session.ts";
import type { DatedFiles } from "./dated-files.ts";

/** The platform and the watch that recorded the file write the same start, up to this many seconds. */
const SECONDS_APART = 5;

/** Both durations are rounded, and one of them may include a pause. */
const DURATION = { seconds: 2, share: 0.01 } as const;

/** Offsets of clocks are multiples of 15 minutes. So an instant and a local time have the same remainder after division by 15 minutes. */
const QUARTER_MS = 15 * 60_000;
const SLOT_MS = 10_000;
const SLOTS = QUARTER_MS / SLOT_MS;

/** One recording of a file. */
export interface StartedRecording {
  readonly entry: Entry;
  /** Index of the recording in its file. */
  readonly index: number;
  readonly start: number;
  readonly recording: Pick<Recording, "timer" | "elapsed" | "offsetMinutes">;
}

/** The kept data of a scanned file, without its points. */
interface Looked {
  readonly entry: Entry;
  /** Number of recordings that can belong to a row. Transitions between legs don't count. */
  readonly recordings: number;
}

/**
 * The device files of an archive. They are scanned one after another, only until a row finds its recording, so that the first row is given
 * before the last file is opened. Each recording belongs to one row. Memory grows by a few numbers a file.
 */
export class StartedFiles {
  readonly #session: ReadSession;
  readonly #unseen: Iterator<Entry>;
  readonly #slots = new Map<number, StartedRecording[]>();
  readonly #seen: Looked[] = [];
  readonly #taken = new Map<string, Set<number>>();
  readonly #others = new CountedFiles();
  /** Given if a row with a day and no time gets the only recording of that day. */
  readonly #dated: DatedFiles<StartedRecording> | undefined;

  constructor(session: ReadSession, entries: Iterable<Entry>, dated?: DatedFiles<StartedRecording>) {
    this.#session = session;
    this.#dated = dated;
    this.#unseen = entries[Symbol.iterator]();
  }

  /** Finds the recording of a row and takes it, so that no other row gets it. */
  async find(start: Start, duration: Seconds | undefined): Promise<StartedRecording | undefined> {
    const wanted = start.instant ?? localMillis(start);
    if (wanted === undefined) return undefined;
    let found = this.#closest(this.#near(wanted), start, duration);
    // A recording of the same duration is the row's. Without one, a recording with another duration counts, because its owner may have
    // shortened it.
    while (found?.isAsLong !== true) {
      const next = this.#unseen.next();
      if (next.done === true) break;
      // Compares only the new recordings. The earlier ones were compared already.
      const fresh = await this.#look(next.value);
      if (fresh.length > 0) found = best([found, this.#closest(fresh, start, duration)]);
    }
    // A local time alone could also fit another day in another zone. Then the duration must match.
    if (found === undefined || (start.instant === undefined && !found.isAsLong)) return undefined;
    this.#take(found.recording);
    return found.recording;
  }

  /** Finds the only recording of a day, for the only row of that day, and takes it. Scans all files at the first call. */
  async findOfDay(date: LocalDate): Promise<StartedRecording | undefined> {
    if (this.#dated === undefined) return undefined;
    for (let next = this.#unseen.next(); next.done !== true; next = this.#unseen.next()) await this.#look(next.value);
    const found = this.#dated.only(date);
    if (found === undefined || this.#isTaken(found)) return undefined;
    this.#take(found);
    return found;
  }

  /**
   * Reads every recording that belongs to no row, each on its own. Files without recordings (a watch's settings, its steps and sleep) are
   * counted in one remark.
   *
   * @param named paths of the files that rows named
   */
  async *rest(prefix: string, named: ReadonlySet<string>, known: KnownFiles): AsyncGenerator<Reading> {
    for (let next = this.#unseen.next(); next.done !== true; next = this.#unseen.next()) await this.#look(next.value);
    for (const { entry, recordings } of this.#seen) {
      const taken = this.#taken.get(entry.path);
      if (named.has(entry.path) || (taken !== undefined && taken.size >= recordings)) continue;
      const places = new Set([...(taken ?? [])].map((index) => `recording ${index + 1}`));
      for await (const reading of readDeviceFile(this.#session, entry, prefix, known))
        if (!places.has(reading.origin.locator ?? "")) yield reading;
    }
    const issue = this.#others.issue("info", "table/no-recording", "recordings of workouts");
    if (issue === undefined) return;
    const { names: _told, ...remark } = issue;
    this.#session.report(remark, this.#session.origin());
  }

  #take({ entry, index }: StartedRecording): void {
    this.#taken.set(entry.path, (this.#taken.get(entry.path) ?? new Set()).add(index));
  }

  #isTaken({ entry, index }: StartedRecording): boolean {
    return this.#taken.get(entry.path)?.has(index) === true;
  }

  /** Scans a file. @returns its recordings that can belong to a row */
  async #look(entry: Entry): Promise<readonly StartedRecording[]> {
    const scanned = await scanFile(this.#session.archive, entry);
    const recordings = "rule" in scanned ? [] : scanned.file.recordings;
    if (!("rule" in scanned) && isNone(scanned.file)) {
      this.#others.add(entry.path);
      this.#session.context.leftFile?.(entry.path, "it holds no recording of a workout");
      return [];
    }
    const fresh: StartedRecording[] = [];
    const own = recordings.filter((recording) => !isTransition(recording)).length;
    this.#seen.push({ entry, recordings: own });
    for (const [index, recording] of recordings.entries()) {
      const { start, timer, elapsed, offsetMinutes } = recording;
      if (start === undefined || isTransition(recording)) continue;
      const kept = {
        ...(timer !== undefined && { timer }),
        ...(elapsed !== undefined && { elapsed }),
        ...(offsetMinutes !== undefined && { offsetMinutes }),
      };
      const found = { entry, index, start, recording: kept };
      fresh.push(found);
      this.#dated?.add(found, recording);
      const slot = this.#slots.get(slotOf(start));
      if (slot === undefined) this.#slots.set(slotOf(start), [found]);
      else slot.push(found);
    }
    return fresh;
  }

  /** The recordings that may have begun at this time. */
  #near(wanted: number): readonly StartedRecording[] {
    const slot = slotOf(wanted);
    return [slot - 1, slot, slot + 1].flatMap((each) => this.#slots.get((each + SLOTS) % SLOTS) ?? []);
  }

  #closest(near: readonly StartedRecording[], start: Start, duration: Seconds | undefined): Match | undefined {
    const free = near.filter((recording) => !this.#isTaken(recording));
    const found = free.flatMap((recording) => {
      const apart = secondsApart(start, recording);
      return apart === undefined ? [] : [{ recording, apart, isAsLong: isAsLong(recording, duration) }];
    });
    return best(found);
  }
}

/** A recording that may be a row's. */
interface Match {
  readonly recording: StartedRecording;
  /** Seconds between the two starts. */
  readonly apart: number;
  readonly isAsLong: boolean;
}

/** The best match: first one as long as the row, then the closest start. */
function best(matches: readonly (Match | undefined)[]): Match | undefined {
  return matches
    .filter((match) => match !== undefined)
    .sort((a, b) => Number(b.isAsLong) - Number(a.isAsLong) || a.apart - b.apart)[0];
}

/** Whether a file is sound and holds no recording or route. A damaged file is left for a person to look at. */
function isNone({ recordings, routes, issues }: Pick<DeviceFile, "recordings" | "routes" | "issues">): boolean {
  const isSound = issues.length > 0 && issues.every(({ severity }) => severity !== "error");
  return recordings.length + routes.length === 0 && isSound;
}

function slotOf(millis: number): number {
  return Math.floor((((millis % QUARTER_MS) + QUARTER_MS) % QUARTER_MS) / SLOT_MS);
}

function localMillis({ date, time }: Start): number | undefined {
  return date === undefined || time === undefined ? undefined : Date.parse(`${date}T${time}Z`);
}

/** Seconds between the starts of a row and a recording; undefined if they can't be the same moment. */
function secondsApart(start: Start, { start: began, recording }: StartedRecording): number | undefined {
  const { instant, ...local } = start;
  const placed = instant === undefined ? atInstant(local, began, SECONDS_APART / 60) : start;
  if (placed.instant === undefined) return undefined;
  const { offsetMinutes } = recording;
  const isSameClock = instant !== undefined || offsetMinutes === undefined || offsetMinutes === placed.offsetMinutes;
  const apart = Math.abs(placed.instant - began) / 1000;
  return isSameClock && apart <= SECONDS_APART ? apart : undefined;
}

function isAsLong({ recording: { timer, elapsed } }: StartedRecording, duration: Seconds | undefined): boolean {
  if (duration === undefined) return false;
  return [timer, elapsed].some(
    (each) => each !== undefined && Math.abs(each - duration) <= Math.max(DURATION.seconds, duration * DURATION.share),
  );
}
