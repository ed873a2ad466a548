/** Where the list of activities lies: under its own name, or under another one, recognised by its header. */
import type { Archive, Entry } from "../../containers/archive.ts";
import { findEntry } from "../../containers/find.ts";
import { isRecord, readTable } from "../table/read-table.ts";
import { findLayout } from "./generations.ts";

/** The name that an export gives it. */
export const ACTIVITIES = "activities.csv";

/** A header with so many words of ours is an export's, whatever else is new in it. */
export const WORDS_TO_BE_SURE = 5;

/** Tables whose header is looked at, at the most: an archive may hold thousands. */
const MOST_LOOKED_AT = 20;

/**
 * The list of activities: `activities.csv`, else the only table with its header (`activities (1).csv`, `my strava.csv`). Where somebody wrote a
 * mapping file for a table, that says what it is.
 */
export async function findActivities(archive: Archive): Promise<Entry | undefined> {
  const named = findEntry(archive, ACTIVITIES);
  if (named !== undefined) return named;
  const tables: Entry[] = [];
  for (const entry of archive.entries()) {
    if (/\.map\.ya?ml$/i.test(entry.path)) return undefined;
    if (/\.csv$/i.test(entry.path) && tables.push(entry) > MOST_LOOKED_AT) return undefined;
  }
  const alike: Entry[] = [];
  for (const entry of tables) if (await hasOurHeader(archive, entry)) alike.push(entry);
  return alike.length === 1 ? alike[0] : undefined;
}

/** The fields of a table's first line; undefined for one that has none. */
export async function readHeader(archive: Archive, entry: Entry): Promise<readonly string[] | undefined> {
  for await (const row of readTable(archive, entry)) return isRecord(row) ? row.fields : undefined;
  return undefined;
}

async function hasOurHeader(archive: Archive, entry: Entry): Promise<boolean> {
  const header = await readHeader(archive, entry);
  const layout = header === undefined ? "" : findLayout(header);
  return typeof layout !== "string" && layout.wordsKnown >= WORDS_TO_BE_SURE;
}
