/**
 * Asks about columns that are called as sports and hold texts: `legs 45min` below Gym, `1500m 32:00` below Swim. No mapping reads workouts from them. As
 * notes they would be words of another workout, and a day with a swim alone a run.
 */
import { activityNamed } from "../../../../transforms/activities.ts";
import { isNumber } from "../words/values.ts";
import { sportOf } from "./group-tags.ts";
import { type AssignedColumn, fieldPlace } from "./roles.ts";

/** The columns, where those with texts below a sport are questions. A person's answer stands. */
export function withSportTextsAsked(
  columns: readonly AssignedColumn[],
  isAnswered: (place: string) => boolean,
): readonly AssignedColumn[] {
  const named = columns.filter(({ name, filled }) => filled.length > 0 && nameOf(name) !== undefined);
  if (new Set(named.map(({ name }) => nameOf(name))).size < 2) return columns;
  return columns.map((column): AssignedColumn => {
    const { name, role, split, left, filled } = column;
    const isText = (role === "notes" || (role === undefined && left === undefined)) && split === undefined;
    if (!named.includes(column) || !isText || isAnswered(fieldPlace(column))) return column;
    const texts = filled.filter((cell) => !isNumber(cell));
    if (texts.length === 0) return column;
    const others = named.filter((one) => one !== column).map((one) => JSON.stringify(one.name));
    const asked = {
      ...{ place: fieldPlace(column), value: "unsupported", contradicting: 0, rows: filled.length },
      why: `it is called as a sport, as ${others.join(" and ")}, and holds texts such as ${JSON.stringify(texts[0])}. No workouts are read from them: make rows of them in the sheet, with a distance and a time, and propose again`,
      question: `What is the column ${JSON.stringify(name)}?`,
      options: [
        { value: "unsupported", means: "it is not loaded, and counted as left" },
        { value: "notes", means: "words about the other workout of its row" },
        { value: "ignore", means: "nothing of it is missed" },
      ],
    };
    return { ...column, role: undefined, isGuess: true, asked };
  });
}

/** The sport that a header names and nothing else. A word in a title, as of `Running notes`, is about one. */
function nameOf(header: string): string | undefined {
  return activityNamed(header) === undefined ? undefined : sportOf(header);
}
