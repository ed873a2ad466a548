/** What happens where two rows of a platform have the same id. */
import type { Issue, Origin } from "../../../../transforms/model/issue.ts";
import type { Rejected } from "../../../../transforms/model/item.ts";
import type { Workout } from "../../../../transforms/model/workout.ts";
import type { KeyTable } from "../../key-table.ts";
import type { ReadSession } from "../../session.ts";
import { otherTitle } from "./left-of-row.ts";
import type { MappedRow } from "./row.ts";

/** The values that distinguish two activities. Names, notes and gear may be edited between two pages of an export. */
export function factsOf({ start, sport, distance, duration }: Workout): string {
  return JSON.stringify([start.date, start.time, start.instant, sport, distance, duration]);
}

/** A row, and the key of its id. */
interface IdentifiedRow {
  readonly mapped: MappedRow;
  readonly origin: Origin;
  /** The key without an occurrence number. */
  readonly own: string;
  /** The key with it. */
  readonly key: string;
  /** Counts the keys of the rows of this file. */
  readonly inFile: KeyTable;
}

/**
 * Decides about a row of a platform whose key an earlier row has. A platform uses each number for one activity, and lists it in two files at most.
 * Where ids are minutes, two workouts of one minute have the same one: a row that differs in start or length is loaded, too.
 *
 * @returns the rejected row; undefined if it is to be loaded
 */
export function rejectedForId(session: ReadSession, row: IdentifiedRow): Rejected | undefined {
  const { mapped, origin, own, key, inFile } = row;
  const { id, rounded, workout } = mapped;
  if (id === undefined && rounded === undefined) return undefined;
  const facts = factsOf(workout);
  const isSame = session.isAsFirst(own, facts);
  const isFirstTitle = session.isAsFirst(`${own}\ntitle`, workout.name ?? "");
  const isFirstLength = session.isAsFirst(`${own}\nlength`, lengthOf(workout));
  const isFirstHere = inFile.count(own) === 1;
  if (key === own) return undefined;
  if (id === undefined) return isSame ? session.reject("quarantined", key, origin, sameRounded(rounded)) : undefined;
  const isListed = isSame || inFile.count(`${own}\n${facts}`) > 1;
  if (isListed) {
    const left = isSame && !isFirstTitle ? otherTitle(workout) : {};
    return { ...session.reject("skipped", key, origin, sameId(id)), ...left };
  }
  if (isFirstHere || isFirstLength) return session.reject("quarantined", key, origin, otherWithId(id));
  session.report(sharedId(id), origin);
  return undefined;
}

function lengthOf({ start, distance, duration }: Workout): string {
  return JSON.stringify([start.date, start.time, start.instant, distance, duration]);
}

function sameId(found: string): Issue {
  return { severity: "info", rule: "table/same-id", found, expected: "each activity once" };
}

function otherWithId(found: string): Issue {
  const expected = "an id of its own: an earlier row has this one, with another day, sport, distance or duration";
  return { severity: "error", rule: "table/id-of-another", field: "id", found, expected };
}

function sharedId(found: string): Issue {
  const expected =
    "an id of its own: an earlier row has this one, with another start, distance or duration. Both were read";
  return { severity: "warning", rule: "table/shared-id", field: "id", found, expected };
}

function sameRounded(found = ""): Issue {
  const expected = "all digits of the id: an earlier row has the same rounded id and the same values";
  return { severity: "error", rule: "table/rounded-id", field: "id", found, expected };
}
