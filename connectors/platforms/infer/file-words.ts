/** What a mapping file says of the file: its decimal mark, its lines before the header, and its words for nothing. */
import type { Choice } from "./choice.ts";
import type { Draft } from "./draft.ts";
import type { AssignedColumn } from "./roles.ts";
import type { SheetSample } from "./sample.ts";
import { isNothing } from "./values.ts";

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
  const nulls = [...new Set(numeric.flatMap(({ cells }) => cells.filter((cell) => cell !== "" && isNothing(cell))))];
  return {
    ...(decimal === "," && { decimal }),
    ...(hasHeader && skip > 0 && { skip }),
    ...(!hasHeader && { header: false }),
    ...(nulls.length > 0 && nulls.length <= 20 && { nulls }),
  };
}

const TEXTS: ReadonlySet<string> = new Set(["notes", "name", "course", "equipment", "type", "activity", "conditions"]);
