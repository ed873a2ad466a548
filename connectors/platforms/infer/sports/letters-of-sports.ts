/** Finds cells with a letter for the sport before a number: `S 2000`, `B 40`, `R 8` of a triathlete. */
import type { Answers } from "../choices/choice.ts";
import { BY_HAND, type NoProposal } from "../choices/no-proposal.ts";
import { type AssignedColumn, fieldPlace } from "../columns/roles.ts";

/** `S 2000`, `B40`, `S 2000 / R 5`. */
const LETTERED = /^(\p{L})\s?\d+(?:[.,]\d+)?(?:\s*[/+,;&]\s*\p{L}\s?\d+(?:[.,]\d+)?)*$/u;

/** This share of the cells must be such, with so many letters. `W 1` to `W 12` are weeks. */
const [SHARE, LEAST_LETTERS, MOST_LETTERS] = [0.8, 2, 5];

/** Roles of columns of text. */
const TEXTS: ReadonlySet<string> = new Set(["notes", "activity", "type", "name"]);

/** Why a table with such cells waits: one sport for all rows would be wrong, and their distances have units of their own. Undefined for any other. */
export function letteredSports(columns: readonly AssignedColumn[], answers: Answers): NoProposal | undefined {
  for (const column of columns) {
    const { filled, role, name } = column;
    const cells = filled.filter((cell) => LETTERED.test(cell));
    const examples = new Map(cells.map((cell) => [cell[0], JSON.stringify(cell)]));
    const isOne = examples.size >= LEAST_LETTERS && examples.size <= MOST_LETTERS;
    const isFree = role === undefined || TEXTS.has(role);
    if (!isFree || !isOne || cells.length < filled.length * SHARE || answers.has(fieldPlace(column))) continue;
    return {
      problem: `the column ${JSON.stringify(name)} has letters before its numbers, such as ${[...examples.values()].join(", ")}. They seem to be sports with their distances, and nobody can tell the units`,
      next: `Make a column of each sport, such as Swim m, Bike km and Run km, and propose again. If the letters are no sports, run this again with --set ${JSON.stringify(`${fieldPlace(column)}=notes`)}. ${BY_HAND}`,
    };
  }
  return undefined;
}
