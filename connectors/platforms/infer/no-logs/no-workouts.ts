/** Tells a table that has dates and no workouts, such as a list of prices. */
import { alternatives } from "../../../../transforms/text/zod-messages.ts";
import type { Answers } from "../choices/choice.ts";
import type { NoProposal } from "../choices/no-proposal.ts";
import { isMoney } from "../columns/money.ts";
import { type AssignedColumn, fieldPlace } from "../columns/roles.ts";
import type { Role } from "../words/header-words.ts";

/** Roles that tables of other things have, too. */
const OF_ANY_TABLE: ReadonlySet<Role> = new Set([
  ...(["date", "datetime", "time", "weekday", "week", "total", "id"] as const),
  ...(["name", "notes", "equipment"] as const),
]);

/**
 * Why a table holds no workouts: its numbers are money, or a person said that they are none of a workout's, and no other column says what was done.
 * Before each of these questions is answered, nobody knows.
 */
export function withoutWorkouts(columns: readonly AssignedColumn[], answers: Answers): NoProposal | undefined {
  const money = columns.filter((column) => column.role === undefined && column.filled.length > 0 && isMoney(column));
  const answered = columns.filter(
    (column) => !money.includes(column) && answers.get(fieldPlace(column)) === "unsupported",
  );
  const refused = [...money, ...answered];
  const isOpen = columns.some((column) => column.isGuess && !answers.has(fieldPlace(column)));
  if (refused.length === 0 || isOpen || columns.some((column) => !refused.includes(column) && saysWhatWasDone(column)))
    return undefined;
  const said = (some: readonly AssignedColumn[], before: string, one: string, several: string) =>
    some.length === 0
      ? ""
      : `${before}${alternatives(
          some.map(({ name }) => JSON.stringify(name)),
          "and",
        )} ${some.length === 1 ? one : several}`;
  const amounts = said(money, answered.length > 0 ? ", " : ", and ", "has amounts of money", "have amounts of money");
  const none = said(answered, ", and you said that ", "is none of these", "are none of these");
  return {
    problem: `no column has a distance, a duration or a sport${amounts}${none}. It seems to hold no workouts`,
    next: "If each row is a workout, add a column Sport and propose again",
  };
}

/** A column of texts is a diary where its header says so. Other texts only become lines of the notes. */
function saysWhatWasDone({ role, split, meaning }: AssignedColumn): boolean {
  if (split !== undefined || (role === "notes" && meaning.roles.includes("notes"))) return true;
  return role !== undefined && !OF_ANY_TABLE.has(role);
}
