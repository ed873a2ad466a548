/** Tells rows that are a header: the same once more, or another one. */

import { foldHeader, readHeaderWords } from "../words/header-words.ts";
import { knownIn } from "./header-row.ts";

/** Whether a row is the header once more, as above each month of a sheet. */
export function repeatsHeader(header: readonly string[], fields: readonly string[]): boolean {
  const filled = header.flatMap((name, index) => {
    const cell = (fields[index] ?? "").trim();
    return cell === "" ? [] : [foldHeader(cell) === nameOf(name)];
  });
  return filled.length > 1 && filled.every(Boolean);
}

/** Known words in a row without a date: fewer are a remark. */
const LEAST_KNOWN = 2;

/** Whether a row is a header, and another one than that of the table. One of its cells stands in that header, or is a date by its name. */
export function isOtherHeader(header: readonly string[], fields: readonly string[]): boolean {
  if (fields.some((cell) => /^\s*[\d<>~-]/.test(cell))) return false;
  const filled = fields.filter((cell) => cell.trim() !== "");
  if (filled.length < LEAST_KNOWN) return false;
  const known = knownIn(fields);
  if (known < LEAST_KNOWN || known <= filled.length / 2 || repeatsHeader(header, fields)) return false;
  const names = new Set(header.map(nameOf));
  return filled.some(
    (cell) => names.has(foldHeader(cell)) || readHeaderWords(cell).roles.some((role) => DATES.has(role)),
  );
}

const DATES: ReadonlySet<string> = new Set(["date", "datetime"]);

/** The words of a header without the number that tells two columns of one name apart. */
export const nameOf = (name: string) => foldHeader(name.replace(/#\d+$/, ""));
