/** Asks whether a column of weights is the weight of the body, where its numbers or its header may be those of what somebody lifted. */
import { jumpsOf, saysWeight } from "./lifts.ts";
import { type AssignedColumn, fieldPlace } from "./roles.ts";

/** The columns, where such weights are a question. A person's answer stands. */
export function withLiftedAsked(
  columns: readonly AssignedColumn[],
  isAnswered: (place: string) => boolean,
): readonly AssignedColumn[] {
  return columns.map((column): AssignedColumn => {
    const { role, filled, name } = column;
    if (role !== "weight" || filled.length === 0 || isAnswered(fieldPlace(column))) return column;
    const why = whyLifted(column);
    if (why === undefined) return column;
    const asked = {
      ...{ place: fieldPlace(column), value: "unsupported", why, contradicting: 0, rows: filled.length },
      question: `What is the column ${JSON.stringify(name)}?`,
      options: [
        { value: "unsupported", means: "what you lifted or another weight: it is counted as left" },
        { value: "weight", means: "the weight of your body" },
        { value: "notes", means: "a line of the notes" },
      ],
    };
    return { ...column, role: undefined, isGuess: true, asked };
  });
}

/** What speaks against the weight of a body; undefined if nothing does. */
function whyLifted(column: AssignedColumn): string | undefined {
  const found = jumpsOf(column);
  if (found !== undefined)
    return `it changes by a fifth or more from one row to the next in ${found.jumps} of ${found.steps} rows, up and down, such as ${found.example}, as no body does`;
  return saysWeight(column) ? undefined : "its header has a unit of weight, and no word for that of the body";
}
