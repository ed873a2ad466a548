/** Finds the sport of each row: by the words of a column, by a person's answers, or by the title of the table. */
import { ACTIVITY_NAMES, type Activity, activityNamed } from "../../../../transforms/activities.ts";
import { type Answers, type Choice, isOpen } from "../choices/choice.ts";
import { type AssignedColumn, fieldPlace } from "../columns/roles.ts";
import { answered } from "../questions/answers.ts";
import type { Draft } from "../questions/draft.ts";
import { countTexts } from "../sample/column.ts";
import type { SheetSample } from "../sample/sample.ts";
import { foldHeader } from "../words/header-words.ts";
import { isNothing } from "../words/values.ts";
import { sportOfTable, TYPE_WORDS } from "../words/words.ts";
import { sportAbove, sportCells } from "./sports-above.ts";

/** The sports of a table. */
export interface Sports {
  /** The sport of a row; undefined for a word that nobody knows, and for a row without one in a table that doesn't say it. */
  readonly of: (row: number) => Activity | undefined;
  /** The sport of rows without a word for it. */
  readonly choice: Choice | undefined;
  /** What an empty cell of the column of sports says; undefined where that is no question. */
  readonly above: Choice | undefined;
  /** What a person said of words. */
  readonly answers: ReadonlyMap<string, string>;
  /** Words that nobody knows, with their numbers of rows. */
  readonly unknown: Draft["unknownSports"];
}

/**
 * Finds the sports.
 *
 * @param kept the rows that are workouts
 * @param isOfGroups whether headers name the sport of each workout: a row without one is a day without a workout
 */
export function sportsOf(
  sample: SheetSample,
  columns: readonly AssignedColumn[],
  kept: readonly number[],
  answers: Answers,
  isOfGroups: boolean,
): Sports {
  const column = columns.find(({ role }) => role === "activity");
  const asked = isOfGroups || column === undefined ? undefined : sportAbove(column, kept);
  const above = asked && answered(asked, answers);
  const cells = sportCells(column?.cells ?? [], above);
  const words = countTexts(kept.map((row) => cells[row] ?? "").filter((cell) => !isNothing(cell)));
  const chosen = new Map<string, string>();
  const unknown: (readonly [string, number])[] = [];
  for (const [word, rows] of words) {
    if (sportNamed(word) !== undefined) continue;
    const answer = answers.get(`values.activity.${word}`);
    if (answer === undefined) unknown.push([word, rows]);
    else chosen.set(word, answer);
  }
  const without = isOfGroups ? 0 : kept.filter((row) => isNothing(cells[row] ?? "")).length;
  const choice = without === 0 ? undefined : answered(defaultSport(sample, columns, without), answers);
  const fallback = choice === undefined || isOpen(choice) ? undefined : (choice.value as Activity);
  const named = new Map([...chosen].map(([word, activity]) => [foldHeader(word), activity as Activity]));
  return {
    of: (row) => {
      const word = cells[row] ?? "";
      return isNothing(word) ? fallback : (sportNamed(word) ?? named.get(foldHeader(word)));
    },
    ...{ choice, above, answers: chosen, unknown },
  };
}

/** The sport of a word. A number is somebody's own code, though platforms have sports with numbers. */
function sportNamed(word: string): Activity | undefined {
  return /^\d+$/.test(word) ? undefined : activityNamed(word);
}

/** The evidence for a column of sports whose header doesn't say so. */
export function sportEvidence(columns: readonly AssignedColumn[]): Choice | undefined {
  const column = columns.find(({ role, meaning }) => role === "activity" && !meaning.roles.includes("activity"));
  if (column === undefined || column.filled.length === 0) return undefined;
  const rows = column.filled.length;
  const known = column.filled.filter((cell) => activityNamed(cell) !== undefined).length;
  const why = `${known} of ${rows} cells are sports`;
  return { place: fieldPlace(column), value: "activity", why, contradicting: 0, rows };
}

/** The header of a distance says the sport of all rows if so many of them have one. */
const MOST_ROWS = 0.8;

/** The sport of a table that doesn't name it in each row: its title, its name and its headers may. */
function defaultSport({ path, title }: SheetSample, columns: readonly AssignedColumn[], rows: number): Choice {
  const place = "defaults.activity";
  const [file = ""] = path.split("/").slice(-1);
  const measured = columns.find(({ role }) => role === "distance");
  // `Run after (km)` in some rows of a gym's log is no sport of the others.
  const distance = measured !== undefined && measured.filled.length >= rows * MOST_ROWS ? measured.name : "";
  for (const [text, where] of [
    [distance, "the header of the distance"],
    [title, "the title"],
    [file, "the name of the file"],
  ] as const) {
    const sport = sportOfTable(text);
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
