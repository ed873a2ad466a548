/** Reads tables below each other, each with its sport as a title, where every title is one known sport: the titles become a column. */
import { type Activity, activityNamed } from "../../../../transforms/activities.ts";
import { alternatives } from "../../../../transforms/text/zod-messages.ts";
import { parseTitle } from "../../table/shapes/complete-dates.ts";
import type { Answers, Choice } from "../choices/choice.ts";
import { isOtherHeader, repeatsHeader } from "../sample/other-header.ts";
import type { SampleRow, SheetSample } from "../sample/sample.ts";
import { foldHeader } from "../words/header-words.ts";
import { isDateText } from "../words/values.ts";
import { REST_WORDS } from "../words/words.ts";

/** The place of the choice. */
export const TITLED_SPORTS = "layout.sports";

/** The sport of the rows that follow each other, as titles say it. */
export interface Section {
  readonly sport: Activity | undefined;
  /** The title and its line; undefined for the rows above the first title. */
  readonly titled?: { readonly text: string; readonly line: number };
  rows: number;
}

/** A table with its titles in a column. */
export interface SportsInColumn {
  readonly sample: SheetSample;
  /** The new column. */
  readonly column: string;
  readonly choice: Choice;
  /** The answers, with what titles of several words mean. */
  readonly answers: Answers;
}

/**
 * Puts the titles of a table into a column.
 *
 * @param sections the sections of the table; two of them have different sports
 * @param date the place of the dates
 * @returns undefined if a mapping file with such titles would give a row another sport than its title, or none
 */
export function withSportsInColumn(
  sample: SheetSample,
  sections: readonly Section[],
  date: number,
  answers: Answers,
): SportsInColumn | undefined {
  const isWhole = sample.hasHeader && !sample.isCut && (sample.sheetNames?.length ?? 1) === 1;
  if (!isWhole || sections.some(({ sport, rows }) => sport === undefined && rows > 0)) return undefined;
  const titles = new Map(sections.flatMap(({ titled }) => (titled === undefined ? [] : [[titled.line, titled.text]])));
  if (sample.rows.some((row, at) => isUnclear(row, sample.rows[at + 1], { header: sample.header, titles, date })))
    return undefined;
  const column = nameFor(sample.header);
  let title = "";
  const rows = sample.rows.flatMap((row) => {
    const own = titles.get(row.line);
    title = own ?? title;
    // The header once more is known by its own cells.
    const sport = repeatsHeader(sample.header, row.fields) ? "" : title;
    return own === undefined
      ? [{ ...row, fields: [...sample.header.map((_, at) => row.fields[at] ?? ""), sport] }]
      : [];
  });
  const named = sections.flatMap(({ titled }) =>
    titled ? [`${JSON.stringify(titled.text)} in row ${titled.line}`] : [],
  );
  const unknown = sections.flatMap(({ titled, sport }) =>
    titled === undefined || sport === undefined || activityNamed(titled.text) !== undefined
      ? []
      : [[`values.activity.${titled.text}`, sport] as const],
  );
  return {
    ...{ sample: { ...sample, header: [...sample.header, column], rows }, column },
    choice: {
      ...{ place: TITLED_SPORTS, value: column, contradicting: 0, rows: rows.length },
      why: `titles such as ${alternatives(named.slice(0, 3), "and")} say the sport of the rows below them`,
    },
    answers: new Map([...unknown, ...answers]),
  };
}

/** Whether a row is another header, or looks like a title and isn't one that says a sport; or says one where titles don't stand. */
function isUnclear(
  { fields, line }: SampleRow,
  next: SampleRow | undefined,
  { header, titles, date }: { header: readonly string[]; titles: ReadonlyMap<number, string>; date: number },
): boolean {
  if (isOtherHeader(header, fields)) return true;
  const filled = [...fields.keys()].filter((at) => (fields[at] ?? "").trim() !== "");
  const [only = 0] = filled;
  const text = (fields[only] ?? "").trim();
  if (filled.length !== 1 || titles.has(line)) return false;
  if (activityNamed(text) !== undefined) return true;
  if (next !== undefined && repeatsHeader(header, next.fields)) return true;
  const isKnown = isDateText(text) || parseTitle(text) !== undefined || REST_WORDS.has(foldHeader(text));
  return only === date && /\p{L}/u.test(text) && !isKnown;
}

/** A name that no column has. */
function nameFor(header: readonly string[]): string {
  const taken = new Set(header.map(foldHeader));
  return taken.has(foldHeader("Sport")) ? "Sport of the title" : "Sport";
}
