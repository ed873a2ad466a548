/** Columns that say which rows are a plan and which were done: `Kind` with `target` and `actual`, `P/A` with P and A. */
import type { ColumnSample } from "../sample/column.ts";
import { readHeaderWords } from "../words/header-words.ts";
import { saysDone } from "../words/ticked.ts";
import { foldHeader } from "../words/words-of-headers.ts";
import { saysNotDone } from "./not-done.ts";

/** Fewer rows show nothing. */
const LEAST_ROWS = 3;

/** This share of the rows must have a word. */
const SHARE = 0.9;

/** Whether a cell says that its row is a plan. Undefined for a column with other words, or with words of one kind alone. */
export function plannedIn({ name, cells, filled }: ColumnSample): ((cell: string) => boolean) | undefined {
  if (filled.length < Math.max(LEAST_ROWS, cells.length * SHARE)) return undefined;
  const words = [...new Set(filled.map(foldHeader))];
  const [plan, done] = lettersOf(name, words) ?? [words.filter(isPlan), words.filter(isDone)];
  if (plan.length === 0 || done.length === 0 || plan.length + done.length < words.length) return undefined;
  return (cell) => plan.includes(foldHeader(cell));
}

/** Whether a word says that a row is a plan, or never took place. */
const isPlan = (word: string) => (readHeaderWords(word).purpose === "plan" || saysNotDone(word)) && !isDone(word);

/** Whether a word says that a row was done. */
const isDone = (word: string) => readHeaderWords(word).purpose === "actual" || saysDone(word);

/** Headers of two letters, folded: the one for the plan, and the one for what was done. */
const LETTERS: Readonly<Record<string, readonly [plan: string, done: string]>> = {
  ...{ "p/a": ["p", "a"], "plan/actual": ["p", "a"], "planned/actual": ["p", "a"], "p/d": ["p", "d"] },
  ...{ "s/i": ["s", "i"], "soll/ist": ["s", "i"], "t/a": ["t", "a"], "target/actual": ["t", "a"] },
  ...{ "p/r": ["p", "r"], "prevu/realise": ["p", "r"], "previsto/realizado": ["p", "r"], "g/r": ["g", "r"] },
};

/** The letters of such a header, where its cells have both and nothing else; undefined otherwise. */
function lettersOf(
  name: string,
  words: readonly string[],
): readonly [plan: readonly string[], done: readonly string[]] | undefined {
  const header = foldHeader(name).replaceAll(" ", "").replaceAll("|", "/");
  const letters = Object.hasOwn(LETTERS, header) ? LETTERS[header] : undefined;
  if (letters === undefined || words.length !== 2 || !letters.every((letter) => words.includes(letter)))
    return undefined;
  return [[letters[0]], [letters[1]]];
}
