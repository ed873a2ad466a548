/**
 * Proposes a mapping file for a spreadsheet: what each column is, and how its values are written. Each choice rests on whole columns and comes with
 * its evidence. What the table doesn't show is a question, never a guess.
 */
import { ACTIVITY_NAMES, type Activity, activityNamed } from "../../../transforms/activities.ts";
import { languageOfHeader } from "../../../transforms/text/language-of-header.ts";
import type { Archive, Entry } from "../../containers/archive.ts";
import { type Answers, answered, type Choice } from "./choice.ts";
import { columnsOf, countTexts } from "./column.ts";
import { readDates } from "./dates.ts";
import type { Draft, DraftColumn, Proposal } from "./draft.ts";
import { decimalOf, signsOf } from "./evidence.ts";
import { fieldOf } from "./fields.ts";
import { foldHeader } from "./header-words.ts";
import { chooseMeasures } from "./measures.ts";
import { type AssignedColumn, assignRoles } from "./roles.ts";
import { type SheetSample, sampleOf } from "./sample.ts";
import type { SpeedRow } from "./score.ts";
import { findSkippedRows } from "./skipped-rows.ts";
import { temperatureUnit, weightUnit } from "./units-of-columns.ts";
import { isNothing, roughNumber } from "./values.ts";
import { sportInTitle, TYPE_WORDS, WEATHER_WORDS } from "./words.ts";

export { type Answers, type Choice, isOpen, type OpenChoice, type Option } from "./choice.ts";
export type { Proposal } from "./draft.ts";
export { writeMapping } from "./write-mapping.ts";

/** Why nothing can be proposed for a table. */
export interface NoProposal {
  readonly problem: string;
}

/**
 * Proposes a mapping.
 *
 * @param answers a person's answers to earlier questions, by place
 * @param today the current day, `2026-03-01`: no workout is later
 */
export async function inferMapping(
  archive: Archive,
  entry: Entry,
  answers: Answers,
  today: string,
): Promise<Proposal | NoProposal> {
  const sample = await sampleOf(archive, entry);
  if (sample === undefined || sample.rows.length === 0) return { problem: "it has no rows" };
  return inferFrom(sample, answers, today);
}

function inferFrom(sample: SheetSample, answers: Answers, today: string): Proposal | NoProposal {
  const columns = assignRoles(columnsOf(sample));
  const withRole = (...roles: readonly string[]) =>
    columns.find(({ role }) => role !== undefined && roles.includes(role));
  const dateColumn = withRole("date", "datetime");
  if (dateColumn === undefined) return { problem: "no column has dates" };
  const dates = readDates(dateColumn, columns, today);
  const order = answered(dates.order, answers);
  const skipped = findSkippedRows(columns, dates.days);
  const kept = [...sample.rows.keys()].filter((row) => !skipped.isSkipped(row));
  const sports = sportsOf(sample, columns, kept, answers);
  const { mark, commas, points } = decimalOf(columns);
  const header = sample.header.join(" ");
  const language = /[぀-ヿ一-鿿]/u.test(header) ? "Japanese" : languageOfHeader(sample.header);
  const signs = signsOf(columns, { ...dates, order }, language, mark ?? ".");
  const [distance, duration] = [withRole("distance"), withRole("duration")];
  const rows = kept.map(
    (row): SpeedRow => ({
      distance: distance?.cells[row],
      duration: durationCell(columns, duration, row),
      activity: sports.of(row),
    }),
  );
  const measures = chooseMeasures({
    distance,
    duration,
    rows,
    signs,
    decimals: mark === undefined ? [".", ","] : [mark],
  });
  const decimal = mark ?? measures.reading.decimal;
  const [weight, temperature] = [withRole("weight"), withRole("temperature")];
  const choices = [
    commas > 0 && points > 0 ? mixedDecimals(decimal, commas, points) : undefined,
    order,
    measures.unit,
    measures.format,
    weight && weightUnit(weight, signs),
    temperature && temperatureUnit(temperature, signs),
    sports.choice,
    ...skipped.choices,
  ].flatMap((choice) => (choice === undefined ? [] : [answered(choice, answers)]));
  const byPlace = new Map(choices.map((choice) => [choice.place, choice]));
  const task = {
    ...{ withTime: dates.withTime, choices: byPlace },
    hasSpeed:
      distance !== undefined && (duration !== undefined || withRole("hours", "minutes", "seconds") !== undefined),
    notes: columns.filter(({ role }) => role === "notes").length,
  };
  const draft: Draft = {
    file: fileWords(sample, columns, decimal),
    ...{ order: order.value, zone: dates.zone, rows: skipped.rules },
    columns: new Map(
      columns
        .filter(({ name }) => name.trim() !== "")
        .map((column): [string, DraftColumn] => [column.name, fieldOf(column, task)]),
    ),
    activity: byPlace.get("defaults.activity")?.value,
    values: {
      activity: sports.answers,
      type: knownWords(withRole("type"), kept, (word) => TYPE_WORDS.get(word)),
      conditions: knownWords(withRole("conditions"), kept, (word) => WEATHER_WORDS.get(word)),
    },
    unknownSports: sports.unknown,
  };
  return { draft, choices, rows: sample.rows.length, isCut: sample.isCut };
}

/** The duration of a row: its cell, or the sum of its parts in seconds. */
function durationCell(
  columns: readonly AssignedColumn[],
  duration: AssignedColumn | undefined,
  row: number,
): string | number | undefined {
  if (duration !== undefined) return duration.cells[row];
  let seconds: number | undefined;
  for (const [role, weight] of [
    ["hours", 3600],
    ["minutes", 60],
    ["seconds", 1],
  ] as const) {
    const cell = columns.find((column) => column.role === role)?.cells[row] ?? "";
    if (!isNothing(cell)) seconds = (seconds ?? 0) + weight * roughNumber(cell);
  }
  return Number.isNaN(seconds) ? undefined : seconds;
}

interface Sports {
  readonly of: (row: number) => Activity;
  /** The sport of rows without a word for it. */
  readonly choice: Choice | undefined;
  readonly answers: ReadonlyMap<string, string>;
  readonly unknown: Draft["unknownSports"];
}

function sportsOf(
  sample: SheetSample,
  columns: readonly AssignedColumn[],
  kept: readonly number[],
  answers: Answers,
): Sports {
  const column = columns.find(({ role }) => role === "activity");
  const words = countTexts(kept.map((row) => column?.cells[row] ?? "").filter((cell) => !isNothing(cell)));
  const chosen = new Map<string, string>();
  const unknown: (readonly [string, number])[] = [];
  for (const [word, rows] of words) {
    if (activityNamed(word) !== undefined) continue;
    const answer = answers.get(`values.activity.${word}`);
    if (answer === undefined) unknown.push([word, rows]);
    else chosen.set(word, answer);
  }
  const without = kept.filter((row) => isNothing(column?.cells[row] ?? "")).length;
  const choice = without === 0 ? undefined : answered(defaultSport(sample, columns, without), answers);
  const fallback = (choice?.value ?? "run") as Activity;
  const named = new Map([...chosen].map(([word, activity]) => [foldHeader(word), activity as Activity]));
  return {
    of: (row) => {
      const word = column?.cells[row] ?? "";
      return activityNamed(word) ?? named.get(foldHeader(word)) ?? fallback;
    },
    ...{ choice, answers: chosen, unknown },
  };
}

/** The sport of a table that doesn't name it in each row: its title, its name and its headers may. */
function defaultSport({ path, title, header }: SheetSample, columns: readonly AssignedColumn[], rows: number): Choice {
  const place = "defaults.activity";
  const [file = ""] = path.split("/").slice(-1);
  for (const [text, where] of [
    [title, "the title"],
    [file, "the name of the file"],
    [header.join(" "), "the header"],
  ] as const) {
    const sport = sportInTitle(text);
    if (sport !== undefined)
      return {
        place,
        value: sport,
        why: `${where} says so: ${JSON.stringify(text.trim().slice(0, 60))}`,
        contradicting: 0,
        rows,
      };
  }
  const types = columns.find(({ role }) => role === "type");
  if (
    types !== undefined &&
    types.filled.filter((cell) => TYPE_WORDS.has(foldHeader(cell))).length >= types.filled.length * 0.5
  )
    return {
      place,
      value: "run",
      why: `the column ${JSON.stringify(types.name)} has kinds of running`,
      contradicting: 0,
      rows,
    };
  return {
    ...{ place, value: "run", why: "nothing in the table says it", contradicting: 0, rows },
    question: "What sport are the rows that name none?",
    options: ACTIVITY_NAMES.map((value) => ({ value, means: value })),
  };
}

function mixedDecimals(decimal: "." | ",", commas: number, points: number): Choice {
  const [contradicting, rows] = [Math.min(commas, points), commas + points];
  const why = `${rows - contradicting} numbers have this mark, ${contradicting} the other`;
  return { place: "file.decimal", value: decimal, why, contradicting, rows };
}

/** What the mapping says of the file. */
function fileWords(
  { skip, hasHeader }: SheetSample,
  columns: readonly AssignedColumn[],
  decimal: "." | ",",
): Draft["file"] {
  const numeric = columns.filter(({ role }) => role !== undefined && !TEXTS.has(role));
  const nulls = [...new Set(numeric.flatMap(({ cells }) => cells.filter((cell) => cell !== "" && isNothing(cell))))];
  return {
    ...(decimal === "," && { decimal }),
    ...(hasHeader && skip > 0 && { skip }),
    ...(!hasHeader && { header: false }),
    ...(nulls.length > 0 && nulls.length <= 20 && { nulls }),
  };
}

const TEXTS: ReadonlySet<string> = new Set(["notes", "name", "course", "equipment", "type", "activity", "conditions"]);

/** Words of a column in the log's own words. */
function knownWords(
  column: AssignedColumn | undefined,
  kept: readonly number[],
  meaning: (word: string) => string | undefined,
): ReadonlyMap<string, string> {
  const cells = kept.flatMap((row) => (column?.cells[row] ?? "").split(column?.role === "conditions" ? "," : "\n"));
  const found = new Map<string, string>();
  for (const [text] of countTexts(cells.map((cell) => cell.trim()).filter((cell) => cell !== ""))) {
    const ours = meaning(foldHeader(text));
    if (ours !== undefined && ours !== foldHeader(text)) found.set(text, ours);
  }
  return found;
}
