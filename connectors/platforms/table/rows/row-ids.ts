/** What happens where two rows of a platform have the same id. */
import type { Issue, Origin } from "../../../../transforms/model/issue.ts";
import type { Rejected } from "../../../../transforms/model/item.ts";
import type { Workout } from "../../../../transforms/model/workout.ts";
import type { KeyTable } from "../../key-table.ts";
import type { ReadSession } from "../../session.ts";
import type { Conventions } from "../mapping/mapping.ts";
import type { RuleFamily } from "../mapping/rule-names.ts";
import { leftBeside, otherTitle } from "./left-of-row.ts";
import type { MappedRow } from "./row.ts";
import { lengthInWords } from "./row-versions.ts";

/** The values that distinguish two activities. Names, notes and gear may be edited between two pages of an export. */
export function factsOf({ start, sport, distance, duration }: Workout): string {
  return JSON.stringify([start.date, start.time, start.instant, sport, distance, duration]);
}

/** A row, and the key of its id. */
interface IdentifiedRow {
  readonly rules: RuleFamily;
  readonly mapped: MappedRow;
  readonly origin: Origin;
  /** The key without an occurrence number. */
  readonly own: string;
  /** The key with it. */
  readonly key: string;
  /** Begins its key. */
  readonly prefix: string;
  /** Says whether rows with the same values are workouts of their own. */
  readonly mapping: Pick<Conventions, "repeatedRows">;
  /** Counts the keys of the rows of this file. */
  readonly inFile: KeyTable;
  /** Counts those of all files of the table so far, and has their facts. Undefined if it can't have several files. */
  readonly inTable: KeyTable | undefined;
}

/**
 * Decides about a row whose key or values an earlier row has. In a sheet of one's own it is left out if it has a time of day: nobody does a workout twice
 * at once. Without a time a day may have two equal walks. A platform uses each number for one activity, and lists it in two files at most.
 * Where ids are minutes, two workouts of one minute have the same one: a row that differs in start or length is loaded, too.
 *
 * @returns the rejected row; undefined if it is to be loaded
 */
export function rejectedForId(session: ReadSession, row: IdentifiedRow): Rejected | undefined {
  const { rules, mapped, origin, own, key, inFile } = row;
  const { id, rounded, workout } = mapped;
  if (rules !== "table") return id === undefined ? repeated(session, row) : undefined;
  if (id === undefined && rounded === undefined) return repeatedInFile(session, row);
  const facts = factsOf(workout);
  const isSame = session.isAsFirst(own, facts);
  const isFirstTitle = session.isAsFirst(own, workout.name ?? "", "title");
  const isFirstLength = session.isAsFirst(own, lengthOf(workout), "length");
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

/**
 * Rejects a row without an id that an earlier file of the table has, too. Two requests for one account, unpacked into one folder, are such files. With
 * other values, somebody must say which row is right. Two rows of one file stay two, and so do rows without a time of day: a day may have two equal walks.
 */
function repeatedInFile(
  session: ReadSession,
  { mapped, origin, own, key, inFile, inTable }: IdentifiedRow,
): Rejected | undefined {
  if (inTable === undefined) return undefined;
  const { workout } = mapped;
  const { time, instant } = workout.start;
  const isSame = inTable.isAsFirst(own, factsOf(workout));
  const isWhole = inTable.isAsFirst(own, JSON.stringify(workout), "whole");
  const here = inFile.count(own);
  const before = inTable.count(own) - here;
  if (here > before || (time === undefined && instant === undefined)) return undefined;
  if (!isSame) return session.reject("quarantined", key, origin, changedRow(workout));
  const left = isWhole ? [] : leftBeside(workout, { start: workout.start });
  return { ...session.reject("skipped", key, origin, sameRow()), ...(left.length > 0 && { left }) };
}

/** Rejects a row of a sheet that has the values of an earlier row, with its time of day. How a cell is written doesn't count. */
function repeated(session: ReadSession, { mapping, mapped, origin, key, prefix }: IdentifiedRow) {
  const { start, sport: _, ...values } = mapped.workout;
  if (mapping.repeatedRows === "workouts" || (start.time === undefined && start.instant === undefined))
    return undefined;
  const texts = Object.entries({ ...values, start }).map(([field, value]) => [
    field,
    typeof value === "string" ? value.trim().toLowerCase() : value,
  ]);
  const same = `${prefix}:same:${JSON.stringify([mapped.workout.activity ?? mapped.workout.sport, texts, mapped.file])}`;
  return session.unique(same) === same ? undefined : session.reject("skipped", key, origin, REPEATED);
}

const REPEATED: Issue = {
  severity: "info",
  rule: "csv/repeated-row",
  found: "all the values of an earlier row, with its time of day",
  expected: "each workout once. If both are workouts, say `repeatedRows: workouts` in the mapping file",
};

function lengthOf({ start, distance, duration }: Workout): string {
  return JSON.stringify([start.date, start.time, start.instant, distance, duration]);
}

function sameId(found: string): Issue {
  return { severity: "info", rule: "table/same-id", found, expected: "each activity once" };
}

function sameRow(): Issue {
  return { severity: "info", rule: "table/same-row", expected: "each workout once: an earlier file has this one, too" };
}

function changedRow(workout: Workout): Issue {
  const expected =
    "the values of an earlier file, which has this workout, too, with another sport, distance or duration";
  return { severity: "error", rule: "table/changed-row", found: lengthInWords(workout), expected };
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
