/** Finds signs and words that stand for the cell above: `"`, `dito`. As values they would be a sport or a course of their own. */
import type { Choice } from "../choices/choice.ts";
import { foldHeader, type Role, readHeaderWords } from "../words/header-words.ts";
import type { SampleRow, SheetSample } from "./sample.ts";

/** The place of the word in a mapping file. */
export const DITTO = "layout.ditto";

/** What people write, in any column. */
const DITTOS = new Set([
  ...['"', "''", "´´", "``", "”", "“", "„", "″", "〃", ",,", '-"-', '—"—', "-''-", "-„-", "-”-", "同上", "〃〃"],
  ..."dito|ditto|dto|idem|ibid|as above|same as above|wie oben|comme ci-dessus|como arriba|come sopra|como acima|zie boven|som ovan|som ovenfor|jak wyzej|jw".split(
    "|",
  ),
]);

/** Words that may be a remark of their own among notes. Below shoes, a route or a kind of training each of them means the cell above. */
const SAME = new Set(
  [
    "same|the same|same shoe|same shoes|same pair|same route|same again|gleich|gleiche|gleicher|gleiches|die gleichen|der gleiche|die gleiche|selbe|derselbe|dieselbe|dasselbe|dieselben|s o|siehe oben",
    "meme|memes|le meme|la meme|les memes|pareil|mismo|misma|mismos|mismas|el mismo|la misma|los mismos|las mismas|lo mismo|igual|stesso|stessa|stessi|stesse|lo stesso|la stessa|le stesse|gli stessi|uguale",
    "mesmo|mesma|mesmos|mesmas|o mesmo|a mesma|os mesmos|as mesmas|zelfde|dezelfde|hetzelfde|samma|samme|de samme|den samme|det samme|ten sam|ta sama|te same|to samo|stejne|stejna|stejny|ugyanaz|samat|同じ|то же|тот же|те же|та же",
  ].flatMap((words) => words.split("|").map(foldHeader)),
);

/** Columns that name things, which many rows share. */
const NAMED: ReadonlySet<Role> = new Set(["equipment", "course", "type", "activity"] as const);

/** A sign of one or two marks needs no fold. */
const isDitto = (cell: string) => DITTOS.has(cell) || (/\p{L}/u.test(cell) && DITTOS.has(foldHeader(cell)));

/** A single one is a slip. */
const LEAST = 2;

/** The sample in which such cells have the text of the cell above. */
export function withDittos(sample: SheetSample): SheetSample {
  const same = wordsForSame(sample);
  const count = new Map<string, number>();
  const above = new Map<number, string>();
  const rows = sample.rows.map((row): SampleRow => {
    const fields = row.fields.map((cell, at) => {
      const text = cell.trim();
      const from = above.get(at);
      if (from === undefined || !(isDitto(text) || same.has(foldHeader(text)))) {
        if (text !== "") above.set(at, cell);
        return cell;
      }
      count.set(text, (count.get(text) ?? 0) + 1);
      return from;
    });
    return { ...row, fields };
  });
  const all = [...count.values()].reduce((sum, one) => sum + one, 0);
  return all < LEAST && same.size === 0 ? sample : { ...sample, rows, dittos: count };
}

/** The words for `same` that stand in a column of names. A mapping file has them for all columns. */
function wordsForSame({ header, rows }: SheetSample): ReadonlySet<string> {
  const named = header.flatMap((name, at) =>
    readHeaderWords(name.replace(/#\d+$/, "")).roles.some((role) => NAMED.has(role)) ? [at] : [],
  );
  const words = new Set<string>();
  for (const at of named) {
    let hasAbove = false;
    for (const { fields } of rows) {
      const word = foldHeader(fields[at] ?? "");
      if (SAME.has(word) && hasAbove) words.add(word);
      hasAbove ||= word !== "";
    }
  }
  return words;
}

/** The evidence; undefined for a table without such cells. */
export function dittoChoice({ dittos, rows }: SheetSample): Choice | undefined {
  if (dittos === undefined) return undefined;
  const all = [...dittos.values()].reduce((sum, one) => sum + one, 0);
  const words = [...dittos.keys()];
  const why = `${all} cells such as ${JSON.stringify(words[0])} stand for the cell above`;
  return { place: DITTO, value: words.join(", "), why, contradicting: 0, rows: rows.length };
}
