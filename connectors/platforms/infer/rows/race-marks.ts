/** Columns in which people mark their races: `Race` with an x, `Wettkampf` with ja. Their marks are the kind of training. */
import type { AssignedColumn } from "../columns/roles.ts";
import { countTexts } from "../sample/column.ts";
import { foldHeader } from "../words/header-words.ts";
import { untickedIn } from "../words/ticked.ts";
import { TYPE_WORDS } from "../words/words.ts";
import { escaped } from "./escaped.ts";

/** A column with such marks. */
export interface RaceMarks {
  readonly column: string;
  /** The marks, each with the log's word. */
  readonly words: ReadonlyMap<string, "race">;
  /** The pattern of the cells that say no; undefined where an empty cell says it. */
  readonly none: string | undefined;
}

/** Words for a race that also stand above something else: `WK` may be the week. */
const SHORT: ReadonlySet<string> = new Set(["wk", "lob"]);

/**
 * The column that marks races; undefined where there is none. Beside a column of kinds of training it stays a line of the notes: its mark would replace
 * the kind.
 */
export function raceMarks(
  columns: readonly AssignedColumn[],
  isSaid: (column: AssignedColumn) => boolean,
): RaceMarks | undefined {
  if (columns.some(({ role }) => role === "type")) return undefined;
  for (const column of columns) {
    const { name, filled } = column;
    if (!namesRace(name) || isSaid(column) || column.left !== undefined) continue;
    const isNo = untickedIn(filled);
    if (isNo === undefined) continue;
    const texts = countTexts(filled).map(([text]) => text);
    const no = texts.filter(isNo);
    return {
      column: name,
      words: new Map(texts.filter((text) => !isNo(text)).map((text) => [text, "race"])),
      none: no.length === 0 ? undefined : `^(?:${no.map(escaped).join("|")})$`,
    };
  }
  return undefined;
}

function namesRace(header: string): boolean {
  const word = foldHeader(header).replace(/^is /, "").replace(/ ?\?$/, "");
  return TYPE_WORDS.get(word) === "race" && !SHORT.has(word);
}
