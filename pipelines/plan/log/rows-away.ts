/**
 * Accounts for the workouts that an earlier run loaded from a table which has no longer their rows. A corrected row is the same workout: its record in the log
 * is brought up to date. Where that isn't sure, the new row waits for a person. All others are named.
 */
import { toFacts } from "../../../transforms/duplicates.ts";
import { factsInWords } from "../../../transforms/matching/describe-likeness.ts";
import { describeOrigin, type Origin } from "../../../transforms/model/issue.ts";
import { grouped } from "../../../transforms/text/grouped.ts";
import type { Journal } from "../../journal/journal.ts";
import type { WorkoutLine } from "../../journal/line.ts";
import type { ClaimedEntry, RowAway } from "../../journal/remote-record.ts";
import { ROWS_AWAY } from "../../journal/summary.ts";
import { isFixedByHand } from "../compare/choose-line.ts";
import type { ComparisonContext } from "../compare/comparison.ts";
import { isOneSource } from "../compare/own-records.ts";
import { compareRows, placeAmong, type RowLikeness, type RowsOfTable, rowsOf, tableOf } from "./compare-rows.ts";

/** Above so many comparisons in one table, it is another table, and the places of its rows say nothing. */
const MOST_COMPARED = 10_000;

/** The remark names so many. */
const MOST_NAMED = 5;

/** So many values of a row must be the same before it counts as an earlier one. */
const LEAST = { atPlace: 3, ofDay: 2, elsewhere: 4, single: 3, moved: 3 } as const;

const DAY_MS = 86_400_000;

/** A new row, and the loaded row that it may be a new version of. */
interface Pair {
  readonly line: WorkoutLine;
  readonly away: RowAway;
  readonly loaded: WorkoutLine;
  readonly likeness: RowLikeness;
  readonly isAtPlace: boolean;
}

/** The new rows of a table, and the loaded ones that it has no longer. */
interface Table {
  readonly away: readonly RowAway[];
  readonly lines: readonly WorkoutLine[];
}

/**
 * Makes corrected rows the successors of the rows at their place, where most of their values are the same and no other row fits as well.
 *
 * @param join makes a line the successor of a log record; false when that is not possible
 * @returns the origins of these rows
 */
export async function joinAtPlace(
  run: number,
  context: ComparisonContext,
  join: (line: WorkoutLine, entry: ClaimedEntry) => Promise<boolean>,
): Promise<readonly Origin[]> {
  const joined: Origin[] = [];
  for (const table of (await tablesOf(run, context)).values()) {
    const pairs = (await pairsOf(run, table, context))
      .filter(
        ({ isAtPlace, likeness: { equal, differing } }) => isAtPlace && equal >= LEAST.atPlace && equal > differing,
      )
      .toSorted((a, b) => marginOf(b) - marginOf(a));
    const taken = new Set<string>();
    for (const pair of pairs) {
      const { line, away } = pair;
      if (taken.has(line.key) || taken.has(away.key)) continue;
      const isRival = (one: Pair) =>
        one !== pair && (one.line === line || one.away === away) && !taken.has(one.line.key);
      if (pairs.some((one) => isRival(one) && !taken.has(one.away.key) && marginOf(one) === marginOf(pair))) continue;
      const entry = await context.journal.logEntry("workout", away.id);
      if (entry === undefined || !(await join(line, { ...entry, claimedBy: away.key }))) continue;
      joined.push(line.origin);
      taken.add(line.key).add(away.key);
    }
  }
  return joined;
}

/** Holds new rows that may be corrected ones, and names the loaded workouts whose rows are away. */
export async function settleRowsAway(run: number, context: ComparisonContext): Promise<void> {
  const { journal, settings, report } = context;
  const tables = await tablesOf(run, context);
  const named = new Set<string>();
  for (const table of tables.values()) {
    const pairs = await pairsOf(run, table, context);
    const moved = movedTogether(pairs, table);
    for (const pair of pairs) {
      const { line, away } = pair;
      if (!(mayBeOne(pair, table) || moved.has(pair)) || named.has(line.key) || named.has(away.key)) continue;
      if (settings.allowImplausible === true || isFixedByHand(line, context)) continue;
      await journal.patchLine(run, line.seq, heldFor(pair));
      named.add(line.key).add(away.key);
    }
  }
  const rest = [...tables.values()].flatMap(({ away }) => away).filter(({ key }) => !named.has(key));
  if (rest.length === 0) return;
  const loaded: WorkoutLine[] = [];
  for (const { run: id, seq } of rest.slice(0, MOST_NAMED)) {
    const line = await journal.line(id, seq);
    if (line?.kind === "workout") loaded.push(line);
  }
  const [first] = loaded;
  if (first === undefined) return;
  await report({
    severity: "warning",
    rule: ROWS_AWAY,
    found: `${countAway(rest.length)}: ${loaded.map(inWords).join("; ")}${rest.length > loaded.length ? " ..." : ""}`,
    expected: "the rows as they were loaded. Your log keeps these workouts: delete there what is to go",
  });
}

/** Without a colon: what follows the first one names the workouts. */
function countAway(count: number): string {
  const [workouts, is] = count === 1 ? ["workout", "is"] : ["workouts", "are"];
  return `${grouped(count)} ${workouts} of your log that an earlier run loaded ${is} no longer in these sources`;
}

function inWords({ origin, value, run }: WorkoutLine): string {
  const facts = toFacts(value);
  return `${describeOrigin(origin)}${facts === undefined ? "" : `, ${factsInWords(facts)}`} (run ${run})`;
}

function heldFor({ loaded, away, likeness }: Pair) {
  const reason = `plan/perhaps-edited (${likeness.equal} values are those of ${inWords(loaded)}, which is in your log as ${away.id} and no longer in its file)`;
  return { state: "quarantined", action: "none", reason } as const;
}

/** Whether a new row may be a loaded one with other values. */
function mayBeOne({ isAtPlace, likeness: { equal, differing, isSameDay } }: Pair, { away }: Table): boolean {
  if (isSameDay) return equal >= LEAST.ofDay;
  if (isAtPlace && equal >= LEAST.atPlace) return true;
  return differing === 1 && equal >= (away.length === 1 ? LEAST.single : LEAST.elsewhere);
}

/**
 * The rows that are loaded ones but for their day, where most of a table moved by the same days or years: a year put right, or the order of day and month. One
 * such row alone may be another workout of the same length.
 */
function movedTogether(pairs: readonly Pair[], { away }: Table): ReadonlySet<Pair> {
  const moved = Map.groupBy(
    pairs.filter(({ line, loaded, likeness }) => {
      const { metres, seconds } = toFacts(loaded.value) ?? {};
      const hasLength = metres !== undefined && seconds !== undefined && valuesOf(line) === valuesOf(loaded);
      return hasLength && likeness.differing === 1 && line.value.start.date !== loaded.value.start.date;
    }),
    ({ line, loaded }) => moveOf(loaded.value.start.date ?? "", line.value.start.date ?? ""),
  );
  const [most = []] = [...moved.values()].toSorted((a, b) => b.length - a.length);
  return new Set(most.length >= LEAST.moved && most.length * 2 > away.length ? most : []);
}

/** How far a day moved: `1 years`, `-3 days`. */
function moveOf(from: string, until: string): string {
  if (from.slice(4) === until.slice(4)) return `${Number(until.slice(0, 4)) - Number(from.slice(0, 4))} years`;
  return `${Math.round((Date.parse(until) - Date.parse(from)) / DAY_MS)} days`;
}

function marginOf({ likeness: { equal, differing } }: Pair): number {
  return equal - differing;
}

/** The tables of a run with loaded rows that are away, by file. */
async function tablesOf(run: number, context: ComparisonContext): Promise<ReadonlyMap<string, Table>> {
  const { journal, options } = context;
  // A retry of single records has no lines for the other rows of their tables, and a restore reads a snapshot.
  if (options.retryOf !== undefined || options.restores !== undefined) return new Map();
  const rows = await journal.rowsAway(run);
  if (rows.length === 0) return new Map();
  const read = await tablesRead(run, new Set(rows.map(({ table }) => table)), journal);
  const ofThese: RowAway[] = [];
  for (const row of rows) {
    const { sources, sheets } = read.get(row.table) ?? { sources: [], sheets: new Set() };
    for (const source of sources)
      if (await isOneSource({ run, source }, row, journal)) {
        if (await mayHaveRead(row, { run, source, sheets }, journal)) ofThese.push(row);
        break;
      }
  }
  const away = Map.groupBy(ofThese, ({ table }) => table);
  if (away.size === 0) return new Map();
  const lines = new Map<string, WorkoutLine[]>([...away.keys()].map((table) => [table, []]));
  const others = new Set<string>();
  for await (const line of journal.lines(run, { kind: "workout" })) {
    const table = tableOf(line.origin);
    if (!away.has(table)) continue;
    if (context.sources[line.source]?.recordings === true || context.isOfLog?.(line.source) === true) others.add(table);
    else if (line.state === "planned" && line.action === "create") lines.get(table)?.push(line);
  }
  return new Map(
    [...away]
      .filter(([table]) => !others.has(table))
      .map(([table, rows]) => [table, { away: rows, lines: lines.get(table) ?? [] }]),
  );
}

/** The sources of a run that have these tables, as two folders may have a table of one name; and the sheets of each that were read. */
async function tablesRead(run: number, tables: ReadonlySet<string>, journal: Journal) {
  const found = new Map<string, { readonly sources: Set<number>; readonly sheets: Set<string> }>();
  for await (const { origin, source } of journal.lines(run, {})) {
    const table = tableOf(origin);
    if (!tables.has(table)) continue;
    const { sources, sheets } = found.get(table) ?? { sources: new Set(), sheets: new Set() };
    found.set(table, { sources: sources.add(source), sheets: sheets.add(sheetOf(origin)) });
  }
  return found;
}

/**
 * Whether a run would have read a row if it were still there. With another mapping file it may have read other sheets of the workbook: a mapping for each year.
 */
async function mayHaveRead(
  row: RowAway,
  { run, source, sheets }: { readonly run: number; readonly source: number; readonly sheets: ReadonlySet<string> },
  journal: Journal,
): Promise<boolean> {
  const mappingOf = async (id: number, at: number) => (await journal.run(id))?.sources[at]?.mapping;
  if ((await mappingOf(run, source)) === (await mappingOf(row.run, row.source))) return true;
  const loaded = await journal.line(row.run, row.seq);
  return loaded === undefined || sheets.has(sheetOf(loaded.origin));
}

/** The part of a place that names the sheet of a workbook: `Sheet "2019"`; empty for other tables. */
function sheetOf({ locator = "" }: Origin): string {
  return /^Sheet ".*"(?=, row \d)/s.exec(locator)?.[0] ?? "";
}

/** The new rows of a table, each with the rows away that it may be, the likeliest first. An id tells what is new: such rows are left alone. */
async function pairsOf(run: number, { away, lines }: Table, context: ComparisonContext): Promise<readonly Pair[]> {
  const { journal, settings } = context;
  const [olds, news] = [away.filter(({ key }) => isByContent(key)), lines.filter(({ key }) => isByContent(key))];
  const table = olds[0]?.table;
  if (table === undefined || news.length === 0) return [];
  const isSmall = olds.length * news.length <= MOST_COMPARED;
  const rows = new Map<number, RowsOfTable>();
  if (isSmall)
    for (const id of [run, ...olds.map((one) => one.run)])
      if (!rows.has(id)) rows.set(id, await rowsOf(id, table, journal));
  const alike = Map.groupBy(news, valuesOf);
  const pairs: Pair[] = [];
  for (const one of olds) {
    const loaded = await journal.line(one.run, one.seq);
    const entry = await journal.logEntry("workout", one.id);
    if (loaded?.kind !== "workout" || entry === undefined) continue;
    for (const line of isSmall ? news : (alike.get(valuesOf(loaded)) ?? [])) {
      if (settings.manualDecisions?.pairs.areTwoInLog(line.key, { ...entry, claimedBy: one.key }) === true) continue;
      const [now, then] = [rows.get(run), rows.get(one.run)];
      const place = now && then && placeAmong(line.key, now, then);
      const isAtPlace =
        place !== undefined && now !== undefined && then !== undefined && place === placeAmong(one.key, then, now);
      pairs.push({ line, away: one, loaded, likeness: compareRows(line.value, loaded.value), isAtPlace });
    }
  }
  return pairs.toSorted((a, b) => marginOf(b) - marginOf(a));
}

/** The sport, the distance and the duration of a row: the same for a row with another day. */
function valuesOf({ value }: WorkoutLine): string {
  const facts = toFacts(value);
  return [facts?.activity, Math.round(facts?.metres ?? 0), Math.round(facts?.seconds ?? 0)].join(" ");
}

/** Whether a key is made of what a row says, and not of an id. */
function isByContent(key: string): boolean {
  return /:[0-9a-f]{32}(?:#[0-9]+)?$/.test(key);
}
