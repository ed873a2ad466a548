/** The Peloton list of workouts: one CSV file. README.md lists the parts that are read or left out. */

import type { CellOf } from "../table/mapping/shown-units.ts";
import { platform } from "../table/platform.ts";
import { withCells } from "../table/sources/added-cells.ts";
import { csv } from "../table/sources/csv-source.ts";

const derived = { why: "follows from distance and time" };
const SPEEDS: readonly (readonly [speed: string, distance: readonly string[]])[] = [
  ["Avg. Speed (mph)", ["Distance (mi)", "Distance (miles)"]],
  ["Avg. Speed (kph)", ["Distance (km)"]],
];

/** Takes the zone off `2020-01-30 09:30 (CDT)`, which is a local time. The zone in brackets may be of the wrong season, so it is ignored. */
function wallClock(text: string): string {
  return text.replace(/ \([^()]{1,10}\)$/, "");
}

/** Computes seconds from distance and speed, for rides outside a class, which have no length. */
function secondsOfWay(cellOf: CellOf): string {
  for (const [column, distances] of SPEEDS) {
    const speed = Number(cellOf(column));
    const distance = Number(distances.map(cellOf).find((text) => text !== ""));
    if (speed > 0 && distance > 0) return String(Math.round((distance / speed) * 3600));
  }
  return "";
}

/** What shows that somebody trained. */
const MEASURED = [
  ...["Total Output", "Avg. Watts", "Avg. Cadence (RPM)", "Calories Burned", "Avg. Heartrate"],
  ...SPEEDS.flatMap(([, distances]) => distances),
];

/** A class that was left as soon as it began has 0 minutes, and no value. Rides outside a class have no length either, but a distance or a power. */
function skips(cellOf: CellOf): string | undefined {
  const isZero = (text: string) => /^0+(?:\.0+)?$/.test(text);
  const isEmpty = (text: string) => text === "" || text === "None" || isZero(text);
  return isZero(cellOf("Length (minutes)")) && MEASURED.every((column) => isEmpty(cellOf(column)))
    ? "0 minutes, in which nothing was measured"
    : undefined;
}

export const peloton = platform({
  name: "peloton",
  title: "Peloton workouts",
  howToGet: "members.onepeloton.com > your name > Workouts > Download workouts; it makes one CSV file.",
  workouts: [
    {
      from: withCells(
        csv(undefined, ["Workout Timestamp", "Live/On-Demand", "Length (minutes)", "Fitness Discipline"]),
        {
          "seconds of the way": secondsOfWay,
        },
      ),
      dates: { order: "iso", zone: "local" },
      golden: [
        {
          cells: {
            "Workout Timestamp": "2020-01-30 09:30",
            "Fitness Discipline": "Cycling",
            Title: "30 min Ride",
            "Length (minutes)": "30",
            "Distance (mi)": "9.5",
          },
          gives: {
            date: "2020-01-30",
            time: "09:30:00",
            activity: "bike",
            name: "30 min Ride",
            duration: "0:30:00",
            distance: "9.5 mi",
          },
        },
        {
          cells: {
            "Workout Timestamp": "2020-02-01 07:00",
            "Fitness Discipline": "Running",
            "Length (minutes)": "None",
            "Distance (km)": "5",
          },
          gives: { date: "2020-02-01", activity: "run", distance: "5 km" },
        },
      ],
      nulls: ["None"],
      skips,
      sameBy: (cellOf) =>
        [wallClock(cellOf("Workout Timestamp")), cellOf("Fitness Discipline"), cellOf("Title")].join("\n"),
      // biome-ignore format: a table is read by its columns
      columns: [
        ["Workout Timestamp", "datetime", { read: wallClock }],
        ["Fitness Discipline", "activity"],
        ["Title", "name"],
        ["Length (minutes)", "duration", { format: ["minutes"], zero: "none" }],
        ["seconds of the way", "duration", { format: ["seconds"] }],
        [["Distance (mi)", "Distance (miles)"], "distance", { unit: "mi", zero: "none" }],
        ["Distance (km)", "distance", { unit: "km", zero: "none" }],
        ["Avg. Heartrate", "avgHR"],
        ["Instructor Name", "notes", { label: "Instructor" }],
        ["Type", "notes", { label: "Class type" }],
        ["Live/On-Demand", "notes", { label: "Class" }],
        ["Class Timestamp", "notes", { label: "Class of" }],
        ["Total Output", "unsupported", { label: "total output", unit: "kJ", zero: "none" }],
        ["Avg. Watts", "unsupported", { label: "average power", unit: "W", zero: "none" }],
        ["Avg. Resistance", "unsupported", { label: "average resistance" }],
        ["Avg. Cadence (RPM)", "unsupported", { label: "average cadence", unit: "a minute", zero: "none" }],
        ["Avg. Incline", "unsupported", { label: "average incline" }],
        ["Calories Burned", "unsupported", { label: "calories", unit: "kcal", zero: "none" }],
        [["Avg. Speed (mph)", "Avg. Speed (kph)"], "ignore", derived],
        [["Avg. Pace (min/mi)", "Avg. Pace (min/mile)", "Avg. Pace (min/km)"], "ignore", derived],
      ],
    },
  ],
  leaves: {},
});
