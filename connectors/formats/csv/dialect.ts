/** Finds the character that separates the columns of a file. */
import { CsvParser, type Delimiter } from "./parser.ts";

const CANDIDATES: readonly Delimiter[] = [",", ";", "\t", "|"];

/** How much text is looked at, in UTF-16 units. */
export const HEAD_LENGTH = 64 * 1024;

/** How many records are looked at. */
const LOOKED_AT = 50;

/** How a file is written. */
export interface Dialect {
  readonly delimiter: Delimiter;
  /** UTF-16 units before the first record: Excel's `sep=;` line, with its end. */
  readonly skip: number;
}

/**
 * Finds the delimiter from the start of a file. The `sep=` line decides. Without it, the delimiter that cuts most records into the same
 * number of columns wins. If two are equal, the one with more columns wins. If no delimiter cuts a record, there is one column, and the
 * delimiter is a comma.
 *
 * @param text the first text of the file, `HEAD_LENGTH` of it or all. A record that is cut at its end doesn't count
 */
export function sniffDialect(text: string): Dialect {
  const head = text.slice(0, HEAD_LENGTH);
  const [line, , said] = /^("?)sep=([,;|\t])\1(?:\r\n|\r|\n|$)/i.exec(head) ?? [];
  if (line !== undefined) return { delimiter: said as Delimiter, skip: line.length };
  let best: { delimiter: Delimiter; share: number; width: number } = { delimiter: ",", share: 0, width: 1 };
  for (const delimiter of CANDIDATES) {
    const { share, width } = usualWidth(head, delimiter);
    if (width < 2) continue;
    if (share > best.share || (share === best.share && width > best.width)) best = { delimiter, share, width };
  }
  return { delimiter: best.delimiter, skip: 0 };
}

/** The usual number of columns of the records with two columns or more, and the share of all records that have it. */
function usualWidth(head: string, delimiter: Delimiter): { share: number; width: number } {
  const parser = new CsvParser(delimiter, () => {});
  const complete = parser.write(head);
  const records = (complete.length === 0 ? parser.end() : complete).slice(0, LOOKED_AT);
  const counts = new Map<number, number>();
  for (const { fields } of records) counts.set(fields.length, (counts.get(fields.length) ?? 0) + 1);
  counts.delete(1);
  const [width, count] = [...counts].reduce((most, next) => (next[1] > most[1] ? next : most), [1, 0]);
  return { share: count / Math.max(1, records.length), width };
}
