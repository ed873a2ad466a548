/**
 * Counts local times that no source knew. logferry writes them at the log's fixed offset, so they may be hours off. The titles of the
 * workouts give a check. A person learns the result before anything is written.
 */
import { asIfUtc } from "../../../transforms/calendar.ts";
import { defined } from "../../../transforms/model/defined.ts";
import type { Origin } from "../../../transforms/model/issue.ts";
import { fitsTimeOfDay } from "../../../transforms/text/times-of-day.ts";
import type { JournalReader } from "../../journal/journal.ts";
import type { LineState } from "../../journal/line.ts";
import type { Run } from "../../journal/run.ts";

/** A workout whose local time is assumed. */
export interface AssumedTime {
  readonly origin: Origin;
  /** The first line of its notes; undefined if it has none. */
  readonly title: string | undefined;
  readonly date: string;
  readonly time: string;
}

/** All workouts of a run whose local time is assumed. */
export interface AssumedTimes {
  readonly workouts: number;
  /** The log's offset, in minutes east of UTC. */
  readonly offsetMinutes: number;
  /** The number of titles with a time of day, and the number of these with another time than the assumed one. */
  readonly titles: number;
  readonly contradicting: number;
  /** A workout whose title names another time of day. If there is none: the first workout. */
  readonly example: AssumedTime;
  /** The other workouts of the run, if their sources know where they were. */
  readonly known?: KnownOffsets;
}

/** The workouts whose distance from UTC is known. */
export interface KnownOffsets {
  readonly all: number;
  /** The most frequent distance, in minutes east of UTC, and the number of workouts that have it. */
  readonly offsetMinutes: number;
  readonly workouts: number;
}

/**
 * Counts the workouts at the log's offset, because neither their source nor `--zone` gives their time zone.
 *
 * @param states of the lines that count: lines still to write, or written lines too
 * @returns undefined when there are none
 */
export async function assumedTimes(
  journal: JournalReader,
  run: Pick<Run, "id">,
  states: readonly LineState[],
): Promise<AssumedTimes | undefined> {
  if (!(await journal.assumesTimes(run.id, states))) return undefined;
  let [workouts, titles, contradicting, offsetMinutes] = [0, 0, 0, 0];
  let example: AssumedTime | undefined;
  const known = new Map<number, number>();
  for await (const line of journal.lines(run.id, { state: states, kind: "workout" })) {
    const { start, notes } = line.value;
    const { basis, date, time, instant } = start;
    if (basis === "named zone" || date === undefined || time === undefined || instant === undefined) continue;
    const minutes = Math.round((asIfUtc({ date, time }) - instant) / 60_000);
    if (basis !== "utcOffset") {
      known.set(minutes, (known.get(minutes) ?? 0) + 1);
      continue;
    }
    workouts++;
    offsetMinutes = minutes;
    const title = notes?.split("\n", 1)[0]?.trim() || undefined;
    const fits = title === undefined ? undefined : fitsTimeOfDay(title, time);
    if (fits !== undefined) titles++;
    if (fits === false) contradicting++;
    if (example === undefined || (fits === false && contradicting === 1)) {
      example = { origin: line.origin, title, date, time };
    }
  }
  return (
    example && { workouts, offsetMinutes, titles, contradicting, example, ...defined({ known: mostFrequent(known) }) }
  );
}

/** @param counts the number of workouts by their distance from UTC */
function mostFrequent(counts: ReadonlyMap<number, number>): KnownOffsets | undefined {
  const [most] = [...counts].sort(([, one], [, other]) => other - one);
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return most && { all, offsetMinutes: most[0], workouts: most[1] };
}
