/** Puts the words of a column into the log's own words. */

import type { AssignedColumn } from "../columns/roles.ts";
import { countTexts } from "../sample/column.ts";
import { foldHeader } from "../words/header-words.ts";

/** The words of a column that the log calls otherwise, with its word for each. @param kept the rows that are workouts @param meaning the log's word for a folded one */
export function knownWords(
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
