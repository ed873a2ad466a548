/**
 * Holds rows that are the sum of the rows above them, in a sheet whose mapping leaves totals out. The mapping knows the totals that the sheet had. A month
 * later it has one more, which has a date like the workouts.
 */
import { type Issue, withOrigin } from "../../../transforms/model/issue.ts";
import type { Reading } from "../../../transforms/model/item.ts";
import type { Workout } from "../../../transforms/model/workout.ts";
import { grouped } from "../../../transforms/text/grouped.ts";
import { inMetres } from "../../../transforms/units.ts";
import type { Mapping } from "../table/mapping/mapping.ts";
import { RULES } from "../table/mapping/rule-names.ts";

/** The words of a rule that leaves totals out, as `map infer` writes them and people do. */
const TOTAL = /total|sum/i;

/** Rows above it: fewer are near to a workout of their own by chance, above all where no duration tells. */
const LEAST_ROWS = { timed: 3, untimed: 5 } as const;

/** Sums differ from their rows by rounding: metres, and seconds. */
const ROUNDING = { metres: 60, seconds: 60 } as const;

/** What the rows since the last total come to. */
interface Above {
  readonly rows: number;
  readonly metres: number;
  readonly seconds: number;
}

const NONE: Above = { rows: 0, metres: 0, seconds: 0 };

/** The readings of a sheet, in its order, with such rows held back. */
export async function* withSumsHeld(
  readings: AsyncIterable<Reading>,
  { rows, sumRows }: Mapping,
): AsyncGenerator<Reading> {
  if (sumRows === "workouts" || !rows.some(({ skip }) => skip !== undefined && TOTAL.test(skip))) {
    yield* readings;
    return;
  }
  let above = NONE;
  for await (const reading of readings) {
    if (reading.kind === "workout" && isSum(reading.value, above)) {
      const { key, origin } = reading;
      // The row has its key already: once it is a workout, it is the same record.
      yield { kind: "set-aside", key, origin, as: "quarantined", issue: withOrigin(sumOf(above), origin) };
      above = NONE;
      continue;
    }
    if (reading.kind === "workout") above = withRow(above, reading.value);
    else if (reading.kind === "set-aside" && isTotal(reading.issue)) above = NONE;
    yield reading;
  }
}

function isTotal({ rule, found = "" }: Issue): boolean {
  return rule === RULES.csv["skipped-row"] && TOTAL.test(found);
}

function withRow({ rows, metres, seconds }: Above, { distance, duration }: Workout): Above {
  return {
    rows: rows + 1,
    metres: metres + (distance === undefined ? 0 : inMetres(distance)),
    seconds: seconds + (duration ?? 0),
  };
}

function isSum({ distance, duration }: Workout, { rows, metres, seconds }: Above): boolean {
  if (distance === undefined || rows < (duration === undefined ? LEAST_ROWS.untimed : LEAST_ROWS.timed)) return false;
  const isTimed = duration === undefined || Math.abs(duration - seconds) <= ROUNDING.seconds;
  return isTimed && Math.abs(inMetres(distance) - metres) <= ROUNDING.metres;
}

function sumOf({ rows, metres }: Above): Issue {
  return {
    ...{ severity: "error", rule: "csv/sum-of-rows" },
    found: `the sum of the ${grouped(rows)} rows above it: ${grouped(Math.round(metres / 100) / 10)} km`,
    expected:
      "a workout. A total belongs into the rule of the mapping file that skips totals. If it is a workout, say `sumRows: workouts` there",
  };
}
