/** Columns whose numbers have three decimals behind a comma: `0,889` hours. Three digits there are thousands elsewhere, `1,500`. */
import type { HeaderMeaning } from "../words/header-words.ts";

const THREE_BEHIND = /^\d{1,3},\d{3}$/;

/** No number of thousands begins with a zero. */
const BELOW_ONE = /^0,\d{3}$/;

/** Numbers that only a decimal comma makes, or only a decimal point. */
const [COMMA, POINT] = [/^\d+,\d{1,2}$/, /^\d+\.\d{1,2}$/];

/** A column, as far as its numbers are concerned. */
interface NumberColumn {
  readonly meaning: HeaderMeaning;
  readonly cells: readonly string[];
  readonly filled: readonly string[];
}

/** The columns with a zero behind such numbers, so that nobody takes them for thousands. A number of hours has none either, where the other columns have decimal commas. */
export function withCommaThousandths<T extends NumberColumn>(columns: readonly T[]): readonly T[] {
  const has = (mark: RegExp) => columns.some(({ filled }) => filled.some((cell) => mark.test(cell)));
  const isComma = has(COMMA) && !has(POINT);
  return columns.map((column) => {
    const { filled, meaning } = column;
    const numbers = filled.filter((cell) => THREE_BEHIND.test(cell));
    const isProven = numbers.some((cell) => BELOW_ONE.test(cell)) || (isComma && meaning.roles.includes("hours"));
    if (!isProven || numbers.length < filled.length / 2) return column;
    const shown = (cell: string) => (THREE_BEHIND.test(cell) ? `${cell}0` : cell);
    return { ...column, cells: column.cells.map(shown), filled: filled.map(shown) };
  });
}
