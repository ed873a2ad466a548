/** Tables in which a row is no workout: one value of a workout a row, or a table on its side, with a workout a column. */
import { alternatives } from "../../../../transforms/text/zod-messages.ts";
import type { NoProposal } from "../choices/no-proposal.ts";
import type { ColumnSample } from "../sample/column.ts";
import type { SheetSample } from "../sample/sample.ts";
import { type Role, readHeaderWords } from "../words/header-words.ts";
import { isDateText } from "../words/values.ts";

/** A column with its role. */
interface RoledColumn extends ColumnSample {
  readonly role: Role | undefined;
}

/** What is measured of a workout. */
const MEASURED: ReadonlySet<Role> = new Set<Role>([
  ...(["distance", "duration", "hours", "minutes", "seconds", "pace", "speed", "avgHR", "maxHR", "restHR"] as const),
  ...(["weight", "elevation", "calories", "cadence", "power", "steps", "temperature", "effort", "quality"] as const),
]);

/** The measures without which a table is no log. */
const MAIN: ReadonlySet<Role> = new Set<Role>(["distance", "duration", "minutes", "hours"]);

/** In so many rows a word must be that of a measure. */
const MOST_ROWS = 0.8;

/** Fewer dates beside each other are no row of them. */
const LEAST_DATES = 3;

/** Rows among which that of the dates may stand. */
const FIRST_ROWS = 5;

/** Longest word in a message. */
const SHOWN = 30;

/** A table with one value a row: `Date, What, Value`. Undefined for any other table, and for one with a distance or a duration of its own. */
export function longForm(columns: readonly RoledColumn[]): NoProposal | undefined {
  if (columns.some(({ role, meaning }) => role !== undefined && MAIN.has(role) && meaning.roles.includes(role)))
    return undefined;
  for (const column of columns) {
    const words = measuresIn(column.filled);
    if (words === undefined) continue;
    // Several rows of one word: a list of words alone is a legend.
    if (words.length > column.filled.length / 2) continue;
    const date = columns.find(({ role }) => role === "date" || role === "datetime")?.name ?? "Date";
    const value = columns.find(({ index, role }) => index > column.index && role !== "date")?.name;
    const [what, of] = [JSON.stringify(column.name), JSON.stringify(value ?? "Value")];
    return {
      problem: `a row seems to be one value of a workout, and no whole workout: the column ${what} says of each row which value it is, such as ${named(words)}`,
      next: `Make a row of each workout, with a column for each value. A pivot table does it: ${JSON.stringify(date)} for its rows, ${what} for its columns, and ${of} for its values. If a day has several workouts, number them in a column first, and put it beside the date. Save the pivot table as a sheet of its own, and propose again`,
    };
  }
  return undefined;
}

/** A table on its side: its dates are beside each other, and its first column has the headers. Undefined for any other table. */
export function onItsSide({ header, rows }: SheetSample): NoProposal | undefined {
  const lines = [header, ...rows.map(({ fields }) => fields)];
  for (const [at, line] of lines.slice(0, FIRST_ROWS).entries()) {
    const cells = line.slice(1).filter((cell) => cell.trim() !== "");
    const dates = cells.filter((cell) => isDateText(cell.trim()));
    if (dates.length < LEAST_DATES || dates.length < cells.length * MOST_ROWS) continue;
    const below = lines.slice(at + 1).map(([first = ""]) => first.trim());
    const words = measuresIn(
      below.filter((cell) => cell !== ""),
      0.5,
    );
    if (words === undefined) return undefined;
    return {
      problem: `the table lies on its side: its dates stand beside each other, such as ${JSON.stringify(dates[0])} and ${JSON.stringify(dates[1])}, and its first column says what each row is, such as ${named(words)}`,
      next: "Turn it: copy the whole table in a spreadsheet program, and paste it with Paste special, Transpose. Save that as a sheet of its own, and propose again",
    };
  }
  return undefined;
}

/** The different words of measures among cells; undefined where too few cells are such words, or they name no distance and no duration, or only one measure. */
function measuresIn(cells: readonly string[], share = MOST_ROWS): readonly string[] | undefined {
  const roles = new Map([...new Set(cells)].map((cell) => [cell, measureNamed(cell)] as const));
  const known = cells.filter((cell) => roles.get(cell) !== undefined);
  const found = new Set([...roles.values()].filter((role) => role !== undefined));
  if (cells.length === 0 || known.length < cells.length * share || found.size < 2) return undefined;
  return [...found].some((role) => MAIN.has(role)) ? [...new Set(known)] : undefined;
}

/** What a word measures as a header would; undefined for any other text. */
function measureNamed(cell: string): Role | undefined {
  if (!/\p{L}/u.test(cell) || cell.length > 2 * SHOWN) return undefined;
  return readHeaderWords(cell).roles.find((role) => MEASURED.has(role));
}

function named(words: readonly string[]): string {
  return alternatives(
    words.slice(0, 3).map((word) => JSON.stringify(word.slice(0, SHOWN))),
    "and",
  );
}
