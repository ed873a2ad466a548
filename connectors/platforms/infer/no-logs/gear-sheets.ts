/** Tells a list of shoes or bikes, with a purchase, a price and a mileage a row. It has dates and distances, and no workouts. */
import { alternatives } from "../../../../transforms/text/zod-messages.ts";
import type { NoProposal } from "../choices/no-proposal.ts";
import { isMoney } from "../columns/money.ts";
import type { ColumnSample } from "../sample/column.ts";
import { foldHeader, type Role } from "../words/header-words.ts";
import { isNumber, roughNumber, splitAmount } from "../words/values.ts";

/** What only a workout has. */
const OF_WORKOUT: readonly Role[] = [
  ...(["duration", "time", "hours", "minutes", "seconds", "activity", "pace", "speed"] as const),
  ...(["avgHR", "maxHR", "course", "effort", "quality", "elevation", "calories"] as const),
];

/** Words for a purchase in headers, folded. */
const PURCHASE =
  /purchas|bought|buy date|first use|retired|gekauft|kaufdatum|ausgemustert|achat|achete|compra|comprad|acquist|aankoop|gekocht|inkop|kopt|kobt|kobs|zakup|kupion|購入/;

/** This share of the rows must have a piece of its own, and fewer pieces are no list. */
const [SHARE, LEAST_ROWS] = [0.9, 2];

/** Nobody runs so far in most workouts, in miles or kilometres. */
const MILEAGE = 100;

/**
 * Why a table is a list of gear; undefined for any other table.
 *
 * @param least signs that must say so
 */
export function gearSheet(columns: readonly ColumnSample[], least = LEAST_EVIDENCE): NoProposal | undefined {
  const filled = columns.filter((column) => column.filled.length > 0);
  const has = (column: ColumnSample, ...roles: readonly Role[]) =>
    roles.some((role) => column.meaning.roles.includes(role));
  const pieces = filled.find((column) => has(column, "equipment") && isOneEach(column));
  if (
    pieces === undefined ||
    filled.some((column) => column !== pieces && has(column, ...OF_WORKOUT) && !isMoney(column) && !isBought(column))
  )
    return undefined;
  const evidence = [
    ...filled.filter(isMoney).map(({ name }) => `a price in ${JSON.stringify(name)}`),
    ...filled.filter(isBought).map(({ name }) => `a purchase in ${JSON.stringify(name)}`),
    ...filled
      .filter((column) => has(column, "distance") && isMileage(column))
      .map(({ name }) => `a whole mileage in ${JSON.stringify(name)}`),
  ];
  if (evidence.length < least) return undefined;
  return {
    problem: `each row seems to be a piece of gear, such as ${JSON.stringify(pieces.filled[0]?.slice(0, 40))}, with ${alternatives(evidence, "and")}. It holds no workouts`,
    next: 'Propose a mapping for the table of your workouts. Their gear gets its brand and purchase date below values.equipment: connectors/platforms/csv/README.md, "The mapping file". If each row is one workout, add a column Sport and propose again',
  };
}

/** One sign may be chance. */
const LEAST_EVIDENCE = 2;

/** Whether each row names another piece. In a log of workouts a pair comes again and again. */
function isOneEach({ cells, filled }: ColumnSample): boolean {
  const different = new Set(filled.map(foldHeader)).size;
  return filled.length >= LEAST_ROWS && different >= cells.filter((cell) => cell !== "").length * SHARE;
}

/** Whether a column has the days of purchases. */
export function isBought({ name }: Pick<ColumnSample, "name">): boolean {
  return PURCHASE.test(foldHeader(name));
}

function isMileage({ filled }: ColumnSample): boolean {
  const numbers = filled
    .map((cell) => splitAmount(cell).number)
    .filter(isNumber)
    .map(roughNumber);
  const middle = numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
  return middle >= MILEAGE;
}
