/** Finds the device file of a row that has a day and no time: the only recording of that day. */
import { atOffset, inZone, isLocalDate, type LocalDate, zoneAt } from "../../../../transforms/calendar.ts";
import type { Entry } from "../../../containers/archive.ts";
import type { Recording } from "../../../formats/recording.ts";

/** `2014-03-01`, `2014_03_01`, `20140301` in the name of a file, with no other digit beside it. */
const DAY_IN_NAME = /(?<!\d)(\d{4})([-_.]?)(\d{2})\2(\d{2})(?!\d{1,2}(?!\d))/;

/** A recording with its place and its start. */
interface Found {
  readonly entry: Entry;
  readonly start: number;
}

/** The recordings of an archive by the day on the athlete's clock. */
export class DatedFiles<Recorded extends Found = Found> {
  readonly #days = new Map<LocalDate, Recorded[]>();

  add(found: Recorded, recording: Pick<Recording, "offsetMinutes" | "firstPosition">): void {
    const day = dayInName(found.entry.path) ?? dayOf(found.start, recording);
    this.#days.set(day, [...(this.#days.get(day) ?? []), found]);
  }

  /** The only recording of a day; undefined if there is none, or several. */
  only(day: LocalDate): Recorded | undefined {
    const found = this.#days.get(day) ?? [];
    return found.length === 1 ? found[0] : undefined;
  }
}

function dayInName(path: string): LocalDate | undefined {
  const [, year, , month, day] = DAY_IN_NAME.exec(path.slice(path.lastIndexOf("/") + 1)) ?? [];
  const date = `${year}-${month}-${day}`;
  return isLocalDate(date) ? date : undefined;
}

function dayOf(
  start: number,
  { offsetMinutes, firstPosition }: Pick<Recording, "offsetMinutes" | "firstPosition">,
): LocalDate {
  if (offsetMinutes !== undefined) return atOffset(start, offsetMinutes).date;
  const zone = firstPosition && zoneAt(firstPosition);
  return zone === undefined ? atOffset(start, 0).date : inZone(start, zone).date;
}
