/** Asks whether low heart rates below a header such as `Puls` are those at rest. */
import { lowMedian } from "./low-heart-rates.ts";
import { type AssignedColumn, fieldPlace } from "./roles.ts";

/** The columns, where heart rates too low for workouts are a question. A person's answer stands. */
export function withLowRatesAsked(
  columns: readonly AssignedColumn[],
  isAnswered: (place: string) => boolean,
): readonly AssignedColumn[] {
  const hasRest = columns.some(({ role }) => role === "restHR");
  return columns.map((column): AssignedColumn => {
    const { role, filled, name } = column;
    const middle = role === "avgHR" && !isAnswered(fieldPlace(column)) ? lowMedian(column) : undefined;
    if (middle === undefined) return column;
    const value = hasRest ? "unsupported" : "restHR";
    const asked = {
      ...{ place: fieldPlace(column), value, contradicting: 0, rows: filled.length },
      why: `the median is ${middle}, as a heart rate at rest is, and hardly the mean of a workout`,
      question: `What is the column ${JSON.stringify(name)}?`,
      options: [
        ...(hasRest ? [] : [{ value: "restHR", means: "the heart rate at rest" }]),
        { value: "unsupported", means: "another heart rate: it is counted as left" },
        { value: "avgHR", means: "the average heart rate of each workout" },
      ],
    };
    return { ...column, role: hasRest ? undefined : "restHR", isGuess: true, asked };
  });
}
