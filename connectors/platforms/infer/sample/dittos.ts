/** Finds signs and words that stand for the cell above: `"`, `dito`. As values they would be a sport or a course of their own. */
import type { Choice } from "../choices/choice.ts";
import { foldHeader } from "../words/header-words.ts";
import type { SampleRow, SheetSample } from "./sample.ts";

/** The place of the word in a mapping file. */
export const DITTO = "layout.ditto";

/** What people write. Words that may be a remark of their own, such as `same`, are no such word. */
const DITTOS = new Set([
  ...['"', "''", "´´", "``", "”", "“", "„", "″", "〃", ",,", '-"-', '—"—', "-''-", "-„-", "-”-", "同上", "〃〃"],
  ..."dito|ditto|idem|ibid|as above|same as above|wie oben|comme ci-dessus|como arriba|come sopra|como acima|zie boven|som ovan|som ovenfor|jak wyzej|jw".split(
    "|",
  ),
]);

/** A sign of one or two marks needs no fold. */
const isDitto = (cell: string) => DITTOS.has(cell) || (/\p{L}/u.test(cell) && DITTOS.has(foldHeader(cell)));

/** A single one is a slip. */
const LEAST = 2;

/** The sample in which such cells have the text of the cell above. */
export function withDittos(sample: SheetSample): SheetSample {
  const count = new Map<string, number>();
  const above = new Map<number, string>();
  const rows = sample.rows.map((row): SampleRow => {
    const fields = row.fields.map((cell, at) => {
      const text = cell.trim();
      const from = above.get(at);
      if (from === undefined || !isDitto(text)) {
        if (text !== "") above.set(at, cell);
        return cell;
      }
      count.set(text, (count.get(text) ?? 0) + 1);
      return from;
    });
    return { ...row, fields };
  });
  const all = [...count.values()].reduce((sum, one) => sum + one, 0);
  return all < LEAST ? sample : { ...sample, rows, dittos: count };
}

/** The evidence; undefined for a table without such cells. */
export function dittoChoice({ dittos, rows }: SheetSample): Choice | undefined {
  if (dittos === undefined) return undefined;
  const all = [...dittos.values()].reduce((sum, one) => sum + one, 0);
  const words = [...dittos.keys()];
  const why = `${all} cells such as ${JSON.stringify(words[0])} stand for the cell above`;
  return { place: DITTO, value: words.join(", "), why, contradicting: 0, rows: rows.length };
}
