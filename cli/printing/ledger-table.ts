/** The table of counts of a run, with a column for each source. */
import { isBalanced, LEDGER_ROWS, type Ledger, type RunSummary } from "../../pipelines/journal/summary.ts";
import { printable } from "../../transforms/text/printable.ts";
import { count, table } from "../terminal/output.ts";

/** In a table that is too wide, names of sources are cut, but never below this number of columns. */
const SHORTEST_NAME = 8;

/** Of more sources, those with the most records have a column each. A column of a folder with 60 zips would be off the screen, and the sums with it. */
const MOST_COLUMNS = 8;

/**
 * The ledger, with one column for each source, or for the largest ones and the others together. In a plan, the row of records left shows the work of the run.
 *
 * @param width most columns of the table: to fit, the names of sources are shortened and the explanations are left out
 * @param unclosed the places of texts that take the rest of their file
 */
export function ledgerTable(
  { all, bySource }: Pick<RunSummary, "all" | "bySource">,
  of: "plan" | "result",
  width = Number.POSITIVE_INFINITY,
  unclosed: readonly string[] = [],
): readonly string[] {
  const sources = bySource.length > 1 ? bySource : [];
  const isMany = sources.length > MOST_COLUMNS;
  const largest = new Set(sources.toSorted((a, b) => b.read - a.read).slice(0, MOST_COLUMNS - 1));
  const own = isMany ? sources.filter((source) => largest.has(source)) : sources;
  const others = isMany ? sources.filter((source) => !largest.has(source)) : [];
  const columns = (value: (ledger: Ledger) => number) => [
    ...own.map(value),
    ...(isMany ? [others.reduce((sum, source) => sum + value(source), 0)] : []),
    value(all),
  ];
  const row = (word: string, value: (ledger: Ledger) => number, means: string) =>
    value(all) === 0 ? [] : [[word, ...columns(value), means]];
  const rows: (string | number)[][] = [
    ["", ...own.map(({ name }) => name), ...(isMany ? [`${others.length} others`] : []), "all", ""],
    ["read", ...columns((ledger) => ledger.read), ""],
  ];
  if (of === "plan") {
    rows.push(...row("create", (ledger) => ledger.left - ledger.toUpdate, "new to the log"));
    rows.push(...row("update", (ledger) => ledger.toUpdate, "in the log, to be updated"));
  }
  for (const { column, word, value, means } of LEDGER_ROWS) {
    if (of === "plan" && column === "left") continue;
    rows.push(...row(word, value, means));
  }
  // This sentence is not a row, because it would make the column of words as wide as itself.
  return [...fitting(rows, width), ...accountedFor(all, unclosed).map((line) => `  ${line}`)];
}

/** Says whether every record is accounted for. Rows in a text without an end can't be counted. */
function accountedFor(all: Ledger, [first, ...more]: readonly string[]): readonly string[] {
  if (!isBalanced(all)) return ["SOME RECORDS ARE NOT ACCOUNTED FOR. This is a bug: please report it."];
  const whole = all.read === 1 ? "The one record is" : `All ${count(all.read)} records are`;
  if (first === undefined) return [`${whole} accounted for`];
  const others = more.length === 0 ? "" : `. So it is with ${count(more.length)} more`;
  return [
    `${whole.replace(/ (is|are)$/, " that could be told apart $1")} accounted for, but a quote is never closed:`,
    `from ${first} on, the rest of the file was read as one value, and its rows are not counted${others}`,
  ];
}

function fitting(rows: readonly (readonly (string | number)[])[], width: number): readonly string[] {
  const [head = [], ...body] = rows;
  const longest = Math.max(0, ...head.map((name) => String(name).length));
  for (const meanings of [true, false]) {
    for (let most = longest; most >= Math.min(SHORTEST_NAME, longest); most--) {
      const names = head.map((name) => printable(String(name), most));
      const cut = meanings ? body : body.map((cells) => cells.slice(0, -1));
      const lines = table([names, ...cut]);
      if (lines.every((line) => line.length <= width)) return lines;
      if (!meanings && most <= SHORTEST_NAME) return lines;
    }
  }
  return table(rows);
}
