/** The letters of columns: 0 is A, 25 is Z, 26 is AA. */

/** The letters of a column. */
export function columnLetters(column: number): string {
  const last = String.fromCharCode(65 + (column % 26));
  return column < 26 ? last : `${columnLetters(Math.floor(column / 26) - 1)}${last}`;
}

/** The columns of a sheet in Excel. */
const MOST_COLUMNS = 16_384;

/** The column of a cell's address, such as `C12`; undefined if it is none, or its row isn't `row`. */
export function columnOf(address: string, row: number): number | undefined {
  const [, letters, digits] = /^([A-Z]{1,3})(\d{1,7})$/.exec(address) ?? [];
  if (letters === undefined || Number(digits) !== row) return undefined;
  let number = 0;
  for (const letter of letters) number = number * 26 + letter.charCodeAt(0) - 64;
  return number <= MOST_COLUMNS ? number - 1 : undefined;
}
