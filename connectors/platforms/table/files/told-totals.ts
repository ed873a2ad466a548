/** Finds pages of a service that are missing: where a list or a file beside it says how many elements there are, or that another page follows. */
import type { Rejected } from "../../../../transforms/model/item.ts";
import { printable } from "../../../../transforms/text/printable.ts";
import type { Entry } from "../../../containers/archive.ts";
import { ArchiveError } from "../../../containers/archive-error.ts";
import { type JsonPlace, jsonEach } from "../../../formats/json/each.ts";
import { JsonError, parsedJson } from "../../../formats/json/parts.ts";
import { jsonTexts } from "../../json-texts.ts";
import type { ReadSession } from "../../session.ts";
import type { Description, ToldTotal } from "../description.ts";
import { headOf } from "../reading/head-of.ts";
import { isJsonRow, leadsTo } from "../sources/json-source.ts";

const WHOLE = "all pages of the list in one folder; save the others too, or ask the platform for its export once more";

/** Gives a rejected record where an archive has fewer elements than its own pages say. */
export async function* missingPages(
  session: ReadSession,
  { name, toldTotal: told }: Description,
): AsyncGenerator<Rejected> {
  if (told === undefined) return;
  const found = "total" in told ? await tooFew(session, told) : await withoutLast(session, told);
  if (found === undefined) return;
  yield session.reject("quarantined", `${name}:missing:pages`, session.origin(found.path), {
    severity: "error",
    rule: "archive/missing-part",
    found: found.words,
    expected: WHOLE,
  });
}

interface Missing {
  readonly path: string;
  readonly words: string;
}

/** The largest total of all pages counts, because a list may grow while somebody saves it. An element on two pages counts once. */
async function tooFew(session: ReadSession, told: ToldTotal & { total: JsonPlace }): Promise<Missing | undefined> {
  const pages = await pagesIn(session, told);
  let largest = 0;
  let path = "";
  for (const entry of told.totalIn === undefined ? pages : filesLike(session, told.totalIn))
    for await (const total of valuesAt(session, entry, told.total))
      if (typeof total === "number" && total > largest) [largest, path] = [total, entry.path];
  if (largest === 0) return undefined;
  const ids = new Set<string>();
  for (const entry of pages)
    for await (const element of valuesAt(session, entry, told.list))
      ids.add(isJsonRow(element) && element.id !== undefined ? String(element.id) : `${entry.path} ${ids.size}`);
  const words = `${printable(path, 80)} says that there are ${largest}, and the list here has ${ids.size}`;
  return ids.size < largest ? { path, words } : undefined;
}

/** The last page names no next one. */
async function withoutLast(session: ReadSession, told: ToldTotal & { next: JsonPlace }): Promise<Missing | undefined> {
  const pages = await pagesIn(session, told);
  for (const entry of pages) {
    let next: unknown;
    for await (const value of valuesAt(session, entry, told.next)) next = value;
    if (next === undefined || next === null || next === "") return undefined;
  }
  const path = pages.at(-1)?.path;
  return path === undefined
    ? undefined
    : { path, words: `${printable(path, 80)} says that another page follows, and no page here is the last one` };
}

const filesLike = ({ archive }: ReadSession, files: RegExp): readonly Entry[] =>
  [...archive.entries()].filter(({ path }) => files.test(path));

/** The files with a part of the list. */
async function pagesIn(session: ReadSession, { files, list }: ToldTotal): Promise<readonly Entry[]> {
  const pages: Entry[] = [];
  for (const entry of filesLike(session, files))
    if (leadsTo((await headOf(session.archive, entry)).trimStart(), list)) pages.push(entry);
  return pages;
}

/** The values at a place of a file, up to a fault: the reading of its rows reports that. */
async function* valuesAt({ archive }: ReadSession, entry: Entry, place: JsonPlace): AsyncGenerator<unknown> {
  try {
    for await (const { text, line } of jsonEach(
      jsonTexts(archive, entry, () => {}),
      place,
    ))
      yield elementIn(text, line);
  } catch (error) {
    if (!(error instanceof JsonError || error instanceof ArchiveError)) throw error;
  }
}

/** An element that is no JSON still counts. */
function elementIn(text: string, line: number): unknown {
  try {
    return parsedJson(text, line);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return undefined;
  }
}
