/** Finds gaps among files that a platform numbers. A file that is missing in the middle may hold a thousand workouts. */
import type { Rejected } from "../../../../transforms/model/item.ts";
import type { Archive } from "../../../containers/archive.ts";
import type { ReadSession } from "../../session.ts";
import type { Description, NumberedFiles } from "../description.ts";

/** No export has as many files of one kind. A number that belongs behind them is none of the platform's. */
const MOST_PLACES = 10_000;

/** The missing files that are told by their numbers. The others follow from them. */
const MOST_TOLD = 20;

/** Gives a rejected record for each file that is missing among the numbered ones. */
export function* missingNumbers(session: ReadSession, { name, numbered = [] }: Description): Generator<Rejected> {
  for (const files of numbered) {
    const { numbers, last } = numbersIn(session.archive, files);
    for (const missing of gapsIn(numbers, files.numberAt)) {
      const origin = session.origin(last);
      yield session.reject("quarantined", `${name}:missing:${missing}`, origin, {
        severity: "error",
        rule: "archive/missing-part",
        found: `no file like this one with the number ${missing}, but ${numbers.size} with other numbers`,
        expected: "all files of the export; unpack the whole of it, or ask the platform for it once more",
      });
    }
  }
}

/** The numbers that are there, and the name of the file with the highest one. */
function numbersIn(archive: Archive, { files }: NumberedFiles): { numbers: ReadonlySet<number>; last: string } {
  const numbers = new Set<number>();
  let highest = -1;
  let last = "";
  for (const { path } of archive.entries()) {
    const found = files.exec(path);
    if (found?.groups?.number === undefined) continue;
    const number = Number(found.groups.number);
    if (number > highest) last = path.slice(0, found.index + found[0].length);
    highest = Math.max(highest, number);
    numbers.add(number);
  }
  return { numbers, last };
}

/** The numbers that are missing below the highest. None if a number has no place: then somebody numbered the files in another way. */
function gapsIn(numbers: ReadonlySet<number>, numberAt: NumberedFiles["numberAt"]): readonly number[] {
  const gaps: number[] = [];
  let seen = 0;
  for (let place = 0; seen < numbers.size; place++) {
    const number = numberAt(place);
    if (numbers.has(number)) seen++;
    else gaps.push(number);
    if (place > MOST_PLACES) return [];
  }
  return gaps.slice(0, MOST_TOLD);
}
