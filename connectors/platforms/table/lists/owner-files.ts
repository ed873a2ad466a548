/**
 * Finds the owner of an export in its files about the account, in their names, and at the beginning of its workouts. The values only distinguish one
 * athlete from another, and never go into a log. A value in an unexpected form is ignored.
 */
import type { PersonEvidence } from "../../../../transforms/model/owner-evidence.ts";
import type { Archive, Entry } from "../../../containers/archive.ts";
import type { ReadSession } from "../../session.ts";
import { fold } from "../mapping/fold.ts";
import { isNamedLike, withoutCopyMark } from "../reading/copy-mark.ts";
import { headOf } from "../reading/head-of.ts";
import { isRecord, readTable } from "../reading/read-table.ts";
import { READERS } from "./owner.ts";

/**
 * Files that name the owner. Groups of the patterns have the names of details, `(?<email>...)`, or `name` for the whole name. The group `id` is the
 * account: two exports of a platform with two ids are of two accounts. Without `head`, the file is JSON or CSV, and details are found by the names that
 * programs use for them.
 */
export interface OwnerFile {
  /** Paths of the files. Groups are details that stand in the path. */
  readonly files: RegExp;
  /** Details in the first 64 kB of a file. */
  readonly head?: RegExp;
}

/** So many files of a kind are looked at. Platforms write the account into one or two. */
const MOST_FILES = 4;
/** So many objects of a file are looked at. */
const MOST_OBJECTS = 200;
/** Details deeper in a file are of friends, places and devices. */
const DEEPEST = 2;

type Found = Partial<Record<keyof PersonEvidence | "name", string>>;

/** Reports the owner that the files name. Together they describe one person, so a name in one and an address in another belong together. */
export async function readOwnerFiles(
  session: ReadSession,
  owners: readonly OwnerFile[],
  prefix: string,
): Promise<void> {
  const { reportOwner } = session.context;
  if (reportOwner === undefined || owners.length === 0) return;
  let first: Entry | undefined;
  let all: Found = {};
  for (const { files, head } of owners) {
    const entries = [...session.archive.entries()].filter(({ path }) => isNamedLike(files, path)).slice(0, MOST_FILES);
    for (const entry of entries) {
      const found = {
        ...(await readOne(session, entry, head)),
        ...(files.exec(entry.path) ?? files.exec(withoutCopyMark(entry.path)))?.groups,
      };
      if (Object.keys(found).length > 0) first ??= entry;
      all = { ...found, ...all };
    }
  }
  const person = personOf(all, prefix);
  if (first !== undefined && Object.keys(person).length > 0) reportOwner({ entry: first.path, person });
}

async function readOne({ archive }: ReadSession, entry: Entry, head: RegExp | undefined): Promise<Found> {
  if (head !== undefined) return head.exec(await headOf(archive, entry))?.groups ?? {};
  if (/\.csv$/i.test(entry.path)) return detailsIn(await firstRow(archive, entry));
  if (!/\.json$/i.test(entry.path)) return {};
  try {
    return detailsIn(JSON.parse(await headOf(archive, entry)));
  } catch {
    return {};
  }
}

/** The first row of a table, by its columns. */
async function firstRow(archive: Archive, entry: Entry): Promise<Readonly<Record<string, unknown>>> {
  let header: readonly string[] | undefined;
  for await (const row of readTable(archive, entry)) {
    if (!isRecord(row)) break;
    const { fields } = row;
    if (header !== undefined) return Object.fromEntries(header.map((column, index) => [column, fields[index]]));
    header = fields;
  }
  return {};
}

/** The names that programs use for details, without case and marks. */
const SPELLINGS: ReadonlyMap<string, keyof Found> = new Map(
  Object.entries({
    email: "email",
    emailaddress: "email",
    mail: "email",
    username: "email",
    login: "email",
    firstname: "givenName",
    givenname: "givenName",
    lastname: "familyName",
    familyname: "familyName",
    surname: "familyName",
    name: "name",
    fullname: "name",
    gender: "sex",
    sex: "sex",
    birthdate: "born",
    birthday: "born",
    dateofbirth: "born",
  } as const),
);

/** Details of a JSON document, the outer ones first. The parts of a list are one object: some programs write each value into an object of its own. */
function detailsIn(document: unknown): Found {
  const found: Found = {};
  let level: readonly unknown[] = [document];
  for (let depth = 0; depth <= DEEPEST && level.length > 0; depth++) {
    const objects = level.flat(2).filter(isObject).slice(0, MOST_OBJECTS);
    const members = objects.flatMap((each) => Object.entries(each));
    for (const [key, value] of members) {
      const detail = detailOf(key);
      // Deeper in the file, a `name` is that of a club or a city.
      if (detail === undefined || (detail === "name" && depth > 0)) continue;
      const text = typeof value === "number" ? String(value) : value;
      // Google writes `firstName` into the column of that name where it doesn't tell a name.
      if (typeof text !== "string" || text.trim() === "" || detailOf(text) !== undefined) continue;
      // Some programs take the address as the name of the user, others any word.
      if (detail === "email" && READERS.email(text.trim(), "") === undefined) continue;
      found[detail] ??= text;
    }
    level = members.map(([, value]) => value);
  }
  return found;
}

function detailOf(key: string): keyof Found | undefined {
  return SPELLINGS.get(fold(key).replaceAll(/[^a-z]/g, ""));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function personOf({ name = "", id, ...found }: Found, prefix: string): PersonEvidence {
  const words = name.trim().split(/\s+/);
  const isNamed = found.givenName !== undefined || found.familyName !== undefined;
  // One word may be a screen name, which says nothing against another export.
  const whole =
    isNamed || words.length < 2 ? {} : { givenName: words.slice(0, -1).join(" "), familyName: words.at(-1) as string };
  const details = (["email", "givenName", "familyName", "sex", "born"] as const).flatMap((detail) => {
    const value = READERS[detail](({ ...found, ...whole }[detail] ?? "").trim(), "");
    return value === undefined ? [] : [[detail, value] as const];
  });
  // Only patterns find an id, so its form is known.
  return { ...Object.fromEntries(details), ...(id !== undefined && { id: `${prefix} ${id}` }) };
}
