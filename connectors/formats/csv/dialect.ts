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
 * number of columns wins. If two are equal, the one with more columns wins. A delimiter that leaves the first record whole, as decimal commas do, gives
 * way to one that cuts it into the usual number of more columns. If no delimiter cuts a record, there is one column, and the delimiter is a comma.
 *
 * @param text the first text of the file, `HEAD_LENGTH` of it or all. A record that is cut at its end doesn't count
 */
export function sniffDialect(text: string): Dialect {
  const head = text.slice(0, HEAD_LENGTH);
  const [line, , said] = /^("?)sep=([,;|\t])\1(?:\r\n|\r|\n|$)/i.exec(head) ?? [];
  if (line !== undefined) return { delimiter: said as Delimiter, skip: line.length };
  const all = CANDIDATES.map((delimiter) => ({ delimiter, ...usualWidth(head, delimiter) })).filter(
    ({ width }) => width > 1,
  );
  const [best] = all.toSorted((a, b) => b.share - a.share || b.width - a.width);
  const ofHeader = all.find(({ first, share, width }) => first === width && share >= 0.5 && width > (best?.width ?? 0));
  const found = best?.first === 1 && ofHeader !== undefined ? ofHeader : best;
  return { delimiter: found?.delimiter ?? ",", skip: 0 };
}

/** The usual number of columns of the records with two columns or more, the share of all records that have it, and the columns of the first record. */
function usualWidth(head: string, delimiter: Delimiter): { share: number; width: number; first: number } {
  const parser = new CsvParser(delimiter, () => {});
  const complete = parser.write(head);
  const records = (complete.length === 0 ? parser.end() : complete).slice(0, LOOKED_AT);
  const counts = new Map<number, number>();
  for (const { fields } of records) counts.set(fields.length, (counts.get(fields.length) ?? 0) + 1);
  counts.delete(1);
  const [width, count] = [...counts].reduce((most, next) => (next[1] > most[1] ? next : most), [1, 0]);
  return { share: count / Math.max(1, records.length), width, first: records[0]?.fields.length ?? 0 };
}
