/** The values of a log's workout body that distinguish it from other workouts. */
import type { SaveBody } from "../../connectors/sink.ts";
import type { LocalDate, LocalTime } from "../../transforms/calendar.ts";
import type { WorkoutFacts } from "../../transforms/duplicates.ts";
import { inMetres, type Measure } from "../../transforms/units.ts";
import type { AsImported } from "../journal/remote-record.ts";
import { hashOfBody } from "../log/compare-bodies.ts";

/** Start and length of a body; undefined for a body without a date. */
export function factsOfBody(body: SaveBody): WorkoutFacts | undefined {
  const { date, time, details } = body as {
    date?: LocalDate;
    time?: LocalTime;
    details?: { distance?: Measure<"distance">; duration?: number };
  };
  if (date === undefined) return undefined;
  return {
    activity: undefined,
    date,
    time,
    instant: undefined,
    metres: details?.distance === undefined ? undefined : inMetres(details.distance),
    seconds: details?.duration,
  };
}

/** The values of a record that an import made, kept so that logferry can recognise it later; undefined for a body without a date. */
export function asImported(body: SaveBody): AsImported | undefined {
  const facts = factsOfBody(body);
  if (facts === undefined) return undefined;
  const { date, time, metres, seconds } = facts;
  const { activityID } = body as { activityID?: number };
  return { activityID, date, time, metres, seconds, hash: hashOfBody(body) };
}
