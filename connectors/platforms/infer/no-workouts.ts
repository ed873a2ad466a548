/** Tells a table that has dates and no workouts, such as a list of prices. */
import { alternatives } from "../../../transforms/text/zod-messages.ts";
import type { Answers } from "./choice.ts";
import type { Role } from "./header-words.ts";
import type { NoProposal } from "./no-proposal.ts";
import { type AssignedColumn, fieldPlace } from "./roles.ts";

/** Roles that tables of other things have, too. */
const OF_ANY_TABLE: ReadonlySet<Role> = new Set([
  ...(["date", "datetime", "time", "weekday", "week", "total", "id"] as const),
  ...(["name", "notes", "equipment"] as const),
]);

/**
 * Why a table holds no workouts: a person said that its numbers are none of a workout's, and no other column says what was done. Before each of these
 * questions is answered, nobody knows.
 */
export function withoutWorkouts(columns: readonly AssignedColumn[], answers: Answers): NoProposal | undefined {
  const refused = columns.filter((column) => answers.get(fieldPlace(column)) === "unsupported");
  const isOpen = columns.some((column) => column.isGuess && !answers.has(fieldPlace(column)));
  if (refused.length === 0 || isOpen || columns.some((column) => !refused.includes(column) && saysWhatWasDone(column)))
    return undefined;
  const names = refused.map(({ name }) => JSON.stringify(name));
  return {
    problem: `no column has a distance, a duration or a sport, and you said that ${alternatives(names, "and")} ${names.length === 1 ? "is" : "are"} none of these. It seems to hold no workouts`,
    next: "If each row is a workout, add a column Sport and propose again",
  };
}

/** A column of texts is a diary where its header says so. Other texts only become lines of the notes. */
function saysWhatWasDone({ role, split, meaning }: AssignedColumn): boolean {
  if (split !== undefined || (role === "notes" && meaning.roles.includes("notes"))) return true;
  return role !== undefined && !OF_ANY_TABLE.has(role);
}
