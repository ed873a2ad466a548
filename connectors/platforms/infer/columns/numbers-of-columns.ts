/** Reads the numbers of a column, for checks of sums. */
import type { ColumnSample } from "../sample/column.ts";
import { isNothing, roughNumber, splitAmount } from "../words/values.ts";

/** So many rows show enough. */
const MOST_ROWS = 3_000;

/** This share of the filled cells must be numbers. */
const SHARE = 0.9;

/** A column as numbers. */
export interface Numbers {
  readonly name: string;
  /** One a row; undefined for a cell without a number. */
  readonly values: readonly (number | undefined)[];
  /** The smallest difference that its cells can show. */
  readonly step: number;
}

/** The numbers of a column; durations in parts of the last unit. Undefined if most cells are none. @param most rows to look at */
export function numbersOf(column: ColumnSample, most = MOST_ROWS): Numbers | undefined {
  const { name, cells, filled } = column;
  const values = cells.slice(0, most).map((cell) => {
    if (isNothing(cell)) return undefined;
    const parts = /^\d+(?::\d{2}){1,2}$/.test(cell) ? cell.split(":").map(Number) : undefined;
    const value = parts?.reduce((sum, part) => sum * 60 + part, 0) ?? roughNumber(splitAmount(cell).number);
    return Number.isNaN(value) ? undefined : value;
  });
  const known = values.filter((value) => value !== undefined).length;
  if (known < Math.min(filled.length, most) * SHARE) return undefined;
  return { name, values, step: stepOf(column, values) };
}

/** 0.1 for numbers with one decimal, and 1 for durations and whole numbers. */
function stepOf({ cells }: ColumnSample, values: readonly (number | undefined)[]): number {
  const decimals = values.map((value, row) =>
    value === undefined ? 0 : (/^\d+[.,](\d{1,3})(?!\d)/.exec(cells[row] ?? "")?.[1]?.length ?? 0),
  );
  return 10 ** -Math.max(0, ...decimals);
}
