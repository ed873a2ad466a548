/** Finds rows whose heart rates are the weights of the other rows, and whose weights are heart rates: the two columns changed places on the way. */
import type { NoProposal } from "../choices/no-proposal.ts";
import type { DatedTable } from "../dates/dated-table.ts";
import { isNumber, roughNumber } from "../words/values.ts";

/** Fewer rows of either kind show nothing. */
const LEAST_ROWS = 4;

/** How far a weight may be from the other weights of a person. */
const NEAR = 1.15;

/** A row with both values. */
interface Row {
  readonly day: string;
  readonly rate: number;
  readonly weight: number;
}

/** Why such a table waits; undefined for any other. */
export function swappedWeights({ columns, days }: DatedTable): NoProposal | undefined {
  const [rates, weights] = ["avgHR", "weight"].map((role) => columns.find((column) => column.role === role));
  if (rates === undefined || weights === undefined) return undefined;
  const rows = [...days.keys()].flatMap((row): Row[] => {
    const cells = [rates.cells[row] ?? "", weights.cells[row] ?? ""];
    const [rate = 0, weight = 0] = cells.map((cell) => (isNumber(cell) ? roughNumber(cell) : 0));
    const day = days[row];
    return day !== undefined && rate > 0 && weight > 0 ? [{ day, rate, weight }] : [];
  });
  const right = rows.filter(({ rate, weight }) => rate > weight);
  const odd = rows.filter(({ rate, weight }) => rate < weight);
  const [first, last] = [odd[0], odd.at(-1)];
  if (first === undefined || last === undefined || Math.min(right.length, odd.length) < LEAST_ROWS) return undefined;
  const [least, most] = [
    Math.min(...right.map(({ weight }) => weight)),
    Math.max(...right.map(({ weight }) => weight)),
  ];
  const areWeights = odd.every(({ rate }) => rate >= least / NEAR && rate <= most * NEAR);
  const areRates = odd.every(({ weight }) => weight > most * NEAR);
  if (!areWeights || !areRates) return undefined;
  const [one, other] = [JSON.stringify(rates.name), JSON.stringify(weights.name)];
  return {
    problem: `in ${odd.length} of ${rows.length} rows, from ${first.day} to ${last.day}, the column ${one} has numbers such as ${first.rate}, as ${other} has in the other rows, and ${other} has ${first.weight}. The two columns seem exchanged there`,
    next: "Exchange the two cells in these rows of the table, and propose again",
  };
}
