/** Reads the lists beside a table of workouts, before its rows: gear, the owner of the export, courses. */
import type { Reading } from "../../../../transforms/model/item.ts";
import type { Entry } from "../../../containers/archive.ts";
import type { ReadSession } from "../../session.ts";
import type { OwnRules } from "../mapping/own-rules.ts";
import { findBeside } from "./beside.ts";
import { type CalledGear, type CalledGearBook, calledGearBook, type GearUse, readGearLines } from "./called-gear.ts";
import { type CourseList, readCourses } from "./listed-courses.ts";
import { type OwnerTable, readOwner } from "./owner.ts";
import { type OwnerFile, readOwnerFiles } from "./owner-files.ts";

/** The lists beside the first table of a platform. */
export interface SmallLists {
  /** Shoes and bikes that rows name by text, in a table of one file. */
  readonly calledGear?: CalledGear;
  /** Tables that show the owner of the export. */
  readonly owner?: readonly OwnerTable[];
  /** Files that name the owner of the export. */
  readonly ownerFiles?: readonly OwnerFile[];
  readonly courses?: CourseList;
}

/**
 * Reads the lists.
 *
 * @param prefix begins every key: the connector's name
 * @param use the names that the table's rows use for gear
 * @returns the book that finds the piece of each row; undefined for a platform without such names
 */
export async function* readSmallLists(
  session: ReadSession,
  { calledGear, owner = [], ownerFiles = [], courses, rules = {} }: SmallLists & { readonly rules?: OwnRules },
  prefix: string,
  table: Entry,
  use: GearUse,
): AsyncGenerator<Reading, CalledGearBook | undefined> {
  const beside = findBeside(session.archive, table);
  const { lists = {} } = calledGear ?? {};
  const lines = calledGear === undefined ? undefined : await readGearLines(session, calledGear, beside);
  const book = lines && calledGearBook(lines, use, { prefix, lists, rules });
  for (const remark of book?.placeholders ?? []) session.report(remark, session.origin(table.path));
  await readOwner(session, owner, beside, prefix);
  await readOwnerFiles(session, ownerFiles, prefix);
  for (const { key, value, line, issue } of book?.gear ?? []) {
    const file = Object.keys(lists).find((name) => lists[name] === line?.kind);
    const list = file === undefined ? table : beside(file);
    const origin = session.origin(list?.path, line === undefined ? undefined : `line ${line.line}`);
    if (issue !== undefined) session.report(issue, origin);
    yield { kind: "equipment", key, value, origin };
  }
  if (courses !== undefined) yield* readCourses(session, courses, beside, prefix);
  return book;
}

/** Whether a file is one of the lists, or lies in the folder of one. */
export function isSmallList(path: string, { calledGear, courses }: SmallLists): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (calledGear?.lists[name] !== undefined || name === courses?.file) return true;
  return courses !== undefined && `/${path}`.includes(`/${courses.folder}`);
}
