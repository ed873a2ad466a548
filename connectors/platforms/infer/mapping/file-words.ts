/** What a mapping file says of the file: its decimal mark, its lines before the header, and its words for nothing. */
import type { Choice } from "../choices/choice.ts";
import type { AssignedColumn } from "../columns/roles.ts";
import type { Draft } from "../questions/draft.ts";
import type { SheetSample } from "../sample/sample.ts";
import { isNothing } from "../words/values.ts";

/** The choice of the decimal mark where numbers have either. */
export function mixedDecimals(decimal: "." | ",", commas: number, points: number): Choice {
  const [contradicting, rows] = [Math.min(commas, points), commas + points];
  const why = `${rows - contradicting} numbers have this mark, ${contradicting} the other`;
  return { place: "file.decimal", value: decimal, why, contradicting, rows };
}

/** What the mapping says of the file. */
export function fileWords(
  { skip, hasHeader }: SheetSample,
  columns: readonly AssignedColumn[],
  decimal: "." | ",",
): Draft["file"] {
  const numeric = columns.filter(
    ({ role, addends }) => addends !== undefined || (role !== undefined && !TEXTS.has(role)),
  );
  const errors = new Set(
    columns.flatMap(({ role = "", cells }) => (LOST.has(role) ? cells.filter((cell) => FORMULA_ERROR.test(cell)) : [])),
  );
  const isNull = (cell: string) => cell !== "" && isNothing(cell) && !errors.has(cell);
  const nulls = [...new Set(numeric.flatMap(({ cells }) => cells.filter(isNull)))];
  return {
    ...(decimal === "," && { decimal }),
    ...(hasHeader && skip > 0 && { skip }),
    ...(!hasHeader && { header: false }),
    ...(nulls.length > 0 && nulls.length <= 20 && { nulls }),
  };
}

/** What a formula leaves where it found no value: `#REF!`, `NaN`. Somebody had a value there. */
const FORMULA_ERROR = /^(?:#[A-Z0-9/!?]+|nan)$/i;

/** The values of a workout that are reported where a formula lost them. */
const LOST: ReadonlySet<string> = new Set(["distance", "duration", "hours", "minutes", "seconds"]);

const TEXTS: ReadonlySet<string> = new Set(["notes", "name", "course", "equipment", "type", "activity", "conditions"]);
