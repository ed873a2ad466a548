/** Races, which are a sport on TrainingPeaks. Which sport it was stays unknown, and most are runs. A person who knows better says it. */
import { foldSport } from "../../../transforms/activities.ts";
import type { Issue } from "../../../transforms/model/issue.ts";
import type { ReadSession } from "../session.ts";
import { fold } from "../table/columns/columns.ts";
import type { RowSource } from "../table/description.ts";

/** The platform's name for the sport of races. */
export const RACE = "Race";

/** Gives the type of a workout by its sport. */
export const raceOf = (text: string) => (text === RACE ? "race" : undefined);

/** Whether a person said what sport races are. */
export function isRaceSaid({ context }: ReadSession): boolean {
  return context.sports.has(foldSport(RACE));
}

/** The remark on a race that is read as a run. */
export function raceAsRun(field: string): Issue {
  return {
    severity: "warning",
    rule: "trainingpeaks/race",
    field,
    found: "Race, which names no sport",
    expected: "a sport. It was read as a run, of the type race. If your races are rides, say so: --sport Race=bike",
  };
}

/** Reports each race whose sport nobody said. The rows stay as they are, since their keys are made of their cells. */
export function reportingRaces(source: RowSource, column: string): RowSource {
  return {
    ...source,
    async find(archive, columns) {
      const found = await source.find(archive, columns);
      if (found === undefined) return undefined;
      const sport = found.header.findIndex((name) => fold(name) === fold(column));
      return {
        ...found,
        async *rows(session, entry, mapping, report) {
          const isSaid = isRaceSaid(session);
          for await (const row of found.rows(session, entry, mapping, report)) {
            if ("fields" in row && row.fields[sport] === RACE && !isSaid) report?.(raceAsRun(column), row.origin);
            yield row;
          }
        },
      };
    },
  };
}
