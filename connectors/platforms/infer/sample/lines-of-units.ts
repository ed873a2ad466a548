/** Reads a line of units below the header: `(km)`, `h:mm:ss`, `avg bpm`, `max`, `mm/dd/yyyy`. */
import { foldHeader, readHeaderWords } from "../words/header-words.ts";

/** Words for the mean or the highest value, folded. They say which of several values a column has. */
const VALUE =
  /^(?:o|ø|avg|ave|average|mean|mittel|mittelwert|schnitt|durchschnitt|moy|moyen|moyenne|medio|media|med|prom|promedio|gem|gemiddeld|gemiddelde|medel|snitt|snit|gns|gennemsnit|genomsnitt|srednia|srednie|max|maxi|maximum|maximal|maks|massimo|massima|maximo|maxima|平均|最大|最高)(?=\s|$)/;

/** How a date is written, in the letters of days, months and years of several languages: `mm/dd/yyyy`, `TT.MM.JJJJ`, `jj/mm/aaaa`. */
const DATE_FORM =
  /^(?:d{1,2}|t{1,2}|j{1,2}|g{1,2}|m{1,3}|[yjar]{2,4})(?:[./ -](?:d{1,2}|t{1,2}|j{1,2}|g{1,2}|m{1,3}|[yjar]{2,4})){2}$/i;

/** Whether a row has nothing but units and such words: the second line of some headers. */
export function isUnitsRow(fields: readonly string[]): boolean {
  const cells = fields.map((cell) => cell.trim()).filter((cell) => cell !== "");
  const texts = cells.map(withoutBrackets);
  const units = texts.filter(isUnit);
  // In brackets throughout, a row of units may say something of the date, too: `(d)`.
  const isBracketed = cells.every((cell) => withoutBrackets(cell) !== cell);
  if (isBracketed && units.length > 1) return true;
  const dates = texts.filter((text) => DATE_FORM.test(text));
  const values = texts.filter((text) => !isUnit(text) && VALUE.test(foldHeader(text)));
  const isEach = texts.every((text) => isUnit(text) || DATE_FORM.test(text) || VALUE.test(foldHeader(text)));
  // Without a unit, one such word may begin a row of means.
  const isSaid = units.length + dates.length > 0 || new Set(values.map(foldHeader)).size > 1;
  return cells.length > 0 && isEach && isSaid && (cells.length < fields.length || dates.length > 0);
}

/** Whether a line of units has a unit or a form of dates, and not only words such as `avg`. */
export function hasUnit(fields: readonly string[]): boolean {
  return fields.map(withoutBrackets).some((text) => text !== "" && (isUnit(text) || DATE_FORM.test(text)));
}

/** Whether a text is a unit. A lone letter may be anything in a header, but not among units. */
function isUnit(text: string): boolean {
  return readHeaderWords(/^m$/i.test(text) ? "(m)" : text).unit !== undefined;
}

/** `km` of `(km)`. */
export function withoutBrackets(cell: string): string {
  return cell.trim().replace(/^[([](.*)[)\]]$/, "$1");
}

/**
 * The words of each column with what the line of units says of it: `HR` above `avg` is `avg HR`. A column without a name of its own, or one called `Max`,
 * beside such a word is another value of the column before it.
 *
 * @param words what the header says of each column
 * @param units the line, without brackets; undefined for a table without one
 */
export function wordsWithUnits(words: readonly string[], units: readonly string[] | undefined): readonly string[] {
  if (units === undefined) return words;
  let whole = "";
  let before = "";
  return words.map((word, at) => {
    const unit = units[at] ?? "";
    const value = valueIn(unit);
    const own = valueIn(word);
    const isOther = own?.rest === "" || (word === "" && value !== undefined);
    if (!isOther || before === "") [whole, before] = [word, value?.value ?? ""];
    if (own?.rest === "" && before !== "") return `${own.value} ${whole}`;
    if (unit === "" || DATE_FORM.test(unit)) return word;
    // `Distance (km)` says its unit already.
    if (value === undefined) return saysSameUnit(word, unit) ? word : `${word} (${unit})`;
    const rest = value.rest === "" ? "" : ` (${value.rest})`;
    return `${value.value} ${word === "" ? whole : word}${rest}`.trim();
  });
}

function saysSameUnit(word: string, unit: string): boolean {
  const own = readHeaderWords(word).unit;
  return own !== undefined && own === readHeaderWords(`(${unit})`).unit;
}

/** `avg` and `bpm` of `avg bpm`; undefined for a text that doesn't begin with such a word. */
function valueIn(text: string): { readonly value: string; readonly rest: string } | undefined {
  const folded = foldHeader(text);
  const value = VALUE.exec(folded)?.[0];
  return value === undefined ? undefined : { value, rest: folded.slice(value.length).trim() };
}
