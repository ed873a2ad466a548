/** How the values of a platform's table are written, in the words of a mapping file. */
import type { WorkoutTable } from "./description.ts";
import type { Conventions } from "./mapping/mapping.ts";

/** The words of a table that say how its values are written. */
type Words = "dates" | "decimal" | "nulls" | "sports" | "sport" | "types" | "conditions";

/** The table's own conventions, and the usual ones of a program for the rest. */
export function conventionsOf(table: Pick<WorkoutTable, Words>): Conventions {
  const { dates, decimal = ".", nulls = [], sports = {}, sport, types = {}, conditions = {} } = table;
  return {
    file: {
      encoding: "auto",
      delimiter: "auto",
      decimal,
      skip: 0,
      header: true,
      skipEnd: 0,
      nulls: [...nulls],
    },
    dates: { ...dates, twoDigitYearPivot: 70 },
    defaults: { ...(sport !== undefined && { activity: sport }) },
    rows: [],
    values: {
      activity: sports,
      type: types,
      conditions: Object.fromEntries(Object.entries(conditions).map(([word, flags]) => [word, [...flags]])),
      course: {},
      equipment: {},
    },
  };
}
