/** Decathlon Coach and Hub: pages of activities in the form of the service. README.md lists the parts that are read or left out. */

import { platform } from "../table/platform.ts";
import { json } from "../table/sources/json-source.ts";

const none = "none" as const;
const inside = { why: "a mark of the service's own" };

/** The numbers of sports at the end of `/v2/sports/381`. Source: other-loggers 21. */
const SPORTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ 91: "Gym", 98: "Strength", 105: "Yoga", 113: "Walking", 121: "Running", 153: "Hiking", 176: "Alpine skiing" },
    ...{ 183: "Cross-country skiing", 185: "Snowboard", 274: "Swimming", 367: "Inline skating", 381: "Cycling" },
    ...{ 388: "Mountain biking", 397: "Elliptical", 398: "Rowing" },
  }),
);

/** A number without a known name stays a number, in words that no table has. */
const sportOf = (text: string) => {
  const number = text.slice(text.lastIndexOf("/") + 1);
  return SPORTS.get(number) ?? `sport ${number}`;
};

/** The path to a value of the summary. */
const sum = (number: number) => `dataSummaries/${number}`;

export const decathlon = platform({
  name: "decathlon",
  title: "Decathlon Coach activities",
  howToGet:
    "Decathlon Coach gives a GPX or TCX file for each activity; programs that ask its service save pages of JSON.",
  workouts: [
    {
      from: json({
        files: /\.json$/i,
        knownBy: ["id", "startdate", "sport", "dataSummaries"],
        lists: [["hydra:member", "*"]],
      }),
      dates: { order: "iso", zone: "offset" },
      decimal: "float",
      // biome-ignore format: a table is read by its columns
      columns: [
        ["id", "id"],
        ["sport", "activity", { read: sportOf }],
        ["name", "name"],
        ["startdate", "datetime"],
        [sum(24), "moving"],
        [sum(58), "elapsed"],
        [sum(5), "distance", { unit: "m", zero: none }],
        [sum(4), "avgHR"],
        [sum(23), "unsupported", { label: "calories", unit: "kcal", zero: none }],
        [sum(7), "unsupported", { label: "max speed", unit: "km/h", per: 1000, zero: none }],
        [sum(180), "unsupported", { label: "average power", unit: "W", zero: none }],
        [sum(10), "unsupported", { label: "average cadence", unit: "a minute", zero: none }],
        [sum(100), "unsupported", { label: "average cadence of the bike", unit: "a minute", zero: none }],
        ["manual", "unsupported", { label: "typed by hand", read: (text) => (text === "true" ? "yes" : undefined) }],
        [sum(9), "ignore", { why: "follows from distance and time" }],
        [["trackFlag", "@id", "@type", "@context"], "ignore", inside],
      ],
    },
  ],
  toldTotal: { files: /\.json$/i, list: ["hydra:member", "*"], total: ["hydra:totalItems"] },
  recordings: /\.(fit|gpx|tcx)(\.gz)?$/i,
  filesByStart: true,
  leaves: {},
});
