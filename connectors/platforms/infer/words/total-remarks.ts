/** Tells remarks that name a total from remarks with a word for it: `Total semana` and `Monthly mileage`, and no `Total wreck`. */
import { monthNamed } from "../../../formats/month-names.ts";
import { totalIn } from "../../table/shapes/totals.ts";
import { foldHeader, wholeHeader } from "./header-words.ts";

/** Shorter words join the others: `de`, `for`, `km`. */
const SHORTEST = 4;

/** Whether each word of a text is one for a sum, for a time or for a distance, and one of them is for a sum or a time. */
export function isTotalRemark(cell: string): boolean {
  const words = foldHeader(cell)
    .split(/[^\p{L}\d]+/u)
    .filter((word) => word.length >= SHORTEST || totalIn(word) !== undefined);
  return (
    words.some((word) => isSum(word) || isTime(word)) &&
    words.every((word) => isSum(word) || isTime(word) || isFar(word))
  );
}

const isSum = (word: string) => totalIn(word) !== undefined;

function isTime(word: string): boolean {
  return !/^\d+$/.test(word) && (monthNamed(word) !== undefined || isWeek(word) || TIMES.has(word));
}

const isWeek = (word: string) => wholeHeader(word)?.roles.includes("week") ?? false;

/** A distance, or the number of a year. */
const isFar = (word: string) => /^\d+$/.test(word) || (wholeHeader(word)?.roles.includes("distance") ?? false);

/** Months, years and the adjectives of both, folded. */
const TIMES = new Set(
  "weekly month monthly year yearly monat jahr mois annee mensuel semanal mensual mensal anual settimanale mese mensile anno maand jaar manad maned miesiac wochen monats jahres semanas".split(
    " ",
  ),
);
