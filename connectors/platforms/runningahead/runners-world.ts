/** The training log of Runner's World, which RunningAHEAD made: the same root element, with other events. Its distances and weights have no unit. */
import type { Activity } from "../../../transforms/activities.ts";
import type { ColumnWords, WorkoutTable } from "../table/description.ts";
import { givenForRoads } from "../table/mapping/shown-units.ts";
import { xml } from "../table/sources/xml-source.ts";
import { OF_RUNNERS_WORLD, unitOf } from "./values.ts";

const none = "none" as const;

/** The names of its events, with their sports. A generic event may be any sport, so logferry asks. */
const EVENTS: readonly (readonly [element: string, sport: Activity | undefined])[] = [
  ["Run", "run"],
  ["Bike", "bike"],
  ["Swim", "swim"],
  ["Generic", undefined],
];

/** The unit of a distance: its own, or the one that a person gave. */
const distanceUnitOf: ColumnWords["unitBy"] = (cellOf, _shown, _sport, given) => {
  const word = cellOf("Distance/unit") || cellOf("DistanceUnit");
  return word === "" ? givenForRoads(given) : unitOf(word);
};

/** A table for each kind of event. */
export const runnersWorld: readonly WorkoutTable[] = EVENTS.map(([element, sport]) => ({
  layout: `Runner's World, ${element}`,
  from: xml({
    files: /\.xml$/i,
    path: ["RunningAHEADLog", "EventCollection", element],
    knownBy: ["Date"],
    hasRows: (head) => OF_RUNNERS_WORLD.test(head),
    completes: (event) => ({ ...event, element }),
  }),
  ...(sport !== undefined && { sport }),
  dates: { order: "iso", zone: "local" },
  decimal: "float",
  // biome-ignore format: a table is read by its columns
  columns: [
    ["Date", "date", { read: (text) => text.slice(0, 10) }],
    ["Time", "time"],
    sport === undefined ? ["element", "activity"] : ["element", "ignore", { why: "read as the sport" }],
    ["Duration", "duration", { format: ["h:mm:ss"], zero: none }],
    ["Distance", "distance", { unitBy: distanceUnitOf, zero: none, expected: "its unit, which the log doesn't say. Say it for all records: --distance-unit km, or --distance-unit mi" }],
    ["Notes", "notes"],
    ["Weight", "unsupported", { label: "weight without a unit", zero: none }],
    ["CourseID", "unsupported", { label: "number of the course" }],
    [["ID", "Distance/unit", "DistanceUnit"], "ignore", { why: "a mark of the platform's own, or read with its value" }],
  ],
}));
