/** RunningAHEAD: log.xml, or the tab-delimited log.txt. README.md lists the parts that are read or left out. */

import type { ColumnRow } from "../table/description.ts";
import { platform } from "../table/platform.ts";
import { withCells } from "../table/sources/added-cells.ts";
import { csv } from "../table/sources/csv-source.ts";
import { xml } from "../table/sources/xml-source.ts";
import { runnersWorld } from "./runners-world.ts";
import { shoesOf } from "./shoes.ts";
import { coursesOf } from "./tab-courses.ts";
import { namingIntervals } from "./tab-intervals.ts";
import {
  intervalsOf,
  localTimeOf,
  OF_RUNNERS_WORLD,
  placesOf,
  shoeOf,
  unitOf,
  withLineEnds,
  withWords,
} from "./values.ts";

const none = "none" as const;

/** Flags of the weather, with the names in the log's own export. */
const conditions = {
  PartlyCloudy: ["partlyCloudy"],
  "Partly Cloudy": ["partlyCloudy"],
};

const place = (
  field: Extract<ColumnRow[1], `${"field" | "group"}${string}`>,
  ...names: readonly string[]
): ColumnRow => [names, field, { zero: none }];

const asCourse = () => undefined;

/** The rows of the tab-delimited export. */
const tab = withCells(
  namingIntervals(
    csv("log.txt", ["TimeOfDay", "SubType", "DistanceUnit", "CourseSurface"], { quotes: false, delimiter: "tab" }),
  ),
  {
    shoe: shoeOf,
    "notes of no course": (cellOf) => (cellOf("Course") === "" ? cellOf("CourseNotes") : ""),
    "surface of no course": (cellOf) => (cellOf("Course") === "" ? cellOf("CourseSurface") : ""),
  },
);
const shoesOfTab = shoesOf(tab);
const coursesOfTab = coursesOf(tab);
const listOfCourses = xml({
  files: /\.xml$/i,
  path: ["RunningAHEADLog", "CourseCollection", "Course"],
  knownBy: ["Name"],
  gathers: {},
});
const listOfGear = xml({
  files: /\.xml$/i,
  path: ["RunningAHEADLog", "EquipmentCollection", "Equipment"],
  knownBy: ["Name", "Activity"],
});

export const runningAhead = platform({
  name: "runningahead",
  title: "RunningAHEAD export",
  howToGet: "runningahead.com > Tools > Export: take XML, which has all of it. The tab-delimited export has less.",
  workouts: [
    {
      layout: "XML",
      from: xml({
        files: /\.xml$/i,
        path: ["RunningAHEADLog", "EventCollection", "Event"],
        knownBy: ["time", "type"],
        hasRows: (head) => !OF_RUNNERS_WORLD.test(head),
        completes: withWords,
      }),
      dates: { order: "iso", zone: "local" },
      decimal: "float",
      // biome-ignore format: a table is read by its columns
      columns: [
        ["id", "id"],
        ["time", "datetime", { read: localTimeOf }],
        ["sport", "activity"],
        ["kind", "type"],
        ["Distance/text()", "distance", { unitBy: (cellOf) => unitOf(cellOf("Distance/unit")), zero: none }],
        ["Duration/seconds", "duration", { format: ["seconds"], zero: none }],
        ["HeartRate/AvgHR", "avgHR", { zero: none }],
        ["HeartRate/MaxHR", "maxHR", { zero: none }],
        ["HeartRate/RestHR", "restHR", { zero: none }],
        ["Weight/text()", "weight", { unitColumn: "Weight/unit", zero: none }],
        ["Quality", "quality", { zero: none }],
        ["Effort", "effort", { zero: none }],
        ["Route/text()", "course"],
        ["Equipment/id", "equipment", { calledBy: "Equipment/text()" }],
        ["IntervalCollection/Interval", "laps", { laps: intervalsOf }],
        ["IntervalCollection/name", "notes", { label: "Intervals", read: (text) => (text === "GPS Interval" ? undefined : text) }],
        place("fieldPlacement", "PlacementInfo/FieldPlacement"),
        place("fieldSize", "PlacementInfo/FieldSize"),
        place("groupPlacement", "PlacementInfo/GroupPlacement"),
        place("groupSize", "PlacementInfo/GroupSize"),
        place("groupMinAge", "PlacementInfo/GroupMinAge"),
        place("groupMaxAge", "PlacementInfo/GroupMaxAge"),
        ["PlacementInfo/GenderPlacement", "notes", { label: "Place of the gender" }],
        ["PlacementInfo/GenderSize", "notes", { label: "Runners of the gender" }],
        ["weather", "conditions"],
        ["EnvironmentalConditions/Temperature/text()", "temperature", { unitColumn: "EnvironmentalConditions/Temperature/unit" }],
        ["Notes", "notes"],
        ["Url", "notes", { label: "Link" }],
        [["type", "typeName", "subtype", "subtypeName", "EnvironmentalConditions/Conditions"], "ignore", { why: "read as sport, kind and weather" }],
        [["Distance/unit", "EnvironmentalConditions/Temperature/unit", "Weight/unit", "Duration/text()"], "ignore", { why: "read with its value" }],
        [["channel", "Route/id", "Equipment/text()", "IntervalCollection/id"], "ignore", { why: "a mark of the platform's own" }],
      ],
      conditions,
    },
    ...runnersWorld,
    {
      layout: "tab-delimited",
      from: tab,
      onlyAlone: true,
      dates: { order: "iso", zone: "local" },
      golden: [
        {
          cells: {
            Date: "2014-03-05",
            TimeOfDay: "6:15 PM",
            Type: "Run",
            SubType: "Easy",
            Duration: "0:52:10",
            AvgHR: "148",
            Quality: "7",
          },
          gives: {
            date: "2014-03-05",
            time: "18:15:00",
            activity: "run",
            type: "easy",
            duration: "0:52:10",
            avgHR: "148",
            quality: "7",
          },
        },
      ],
      // biome-ignore format: a table is read by its columns
      columns: [
        ["Date", "date"],
        ["TimeOfDay", "time"],
        ["Type", "activity"],
        ["SubType", "type"],
        ["Distance", "distance", { unitBy: (cellOf) => unitOf(cellOf("DistanceUnit")), zero: none }],
        ["Duration", "duration", { format: ["h:mm:ss"], zero: none }],
        ["Weight", "weight", { unitColumn: "WeightUnit", zero: none }],
        ["RestHR", "restHR", { zero: none }],
        ["AvgHR", "avgHR", { zero: none }],
        ["MaxHR", "maxHR", { zero: none }],
        ["Quality", "quality", { zero: none }],
        ["Effort", "effort", { zero: none }],
        ["Weather", "conditions"],
        ["Temperature", "temperature", { unitColumn: "TempUnit" }],
        ["Notes", "notes", { read: withLineEnds }],
        ["Course", "course"],
        ["notes of no course", "notes", { label: "Course", read: withLineEnds, part: true }],
        ["shoe", "equipment"],
        place("fieldPlacement", "OverallPlace"),
        place("fieldSize", "FieldSize"),
        place("groupPlacement", "GroupPlace"),
        place("groupSize", "GroupSize"),
        place("groupMinAge", "GroupMinAge"),
        place("groupMaxAge", "GroupMaxAge"),
        ["GenderPlace", "notes", { label: "Place of the gender" }],
        ["GenderSize", "notes", { label: "Runners of the gender" }],
        ["Sleep", "unsupported", { label: "sleep", unit: "h", zero: none }],
        ["Calories", "unsupported", { label: "calories", unit: "kcal", zero: none }],
        ["surface of no course", "unsupported", { label: "surface", part: true }],
        // Read as the course. They stay in the keys of rows, so that a log loaded before finds its workouts again.
        ["CourseNotes", "notes", { read: asCourse }],
        ["CourseSurface", "unsupported", { label: "surface", read: asCourse }],
        [["DistanceUnit", "WeightUnit", "TempUnit"], "ignore", { why: "read with its value" }],
        [["ShoeMake", "ShoeModel", "ShoeSerial", "Size", "System", "ShoePrice"], "ignore", { why: "read as the shoe" }],
      ],
      conditions,
    },
  ],
  routes: {
    from: {
      ...listOfCourses,
      find: async (archive, columns) =>
        (await listOfCourses.find(archive, columns)) ?? coursesOfTab.find(archive, columns),
    },
    // biome-ignore format: a table is read by its columns
    columns: [
      [["Name", "Course"], "name"],
      ["DefaultDistance/text()", "distance", { zero: none }],
      ["DefaultDistance/unit", "distanceUnit"],
      [["SurfaceList/Surface", "CourseSurface"], "surface"],
      [["Notes", "CourseNotes"], "notes", { read: withLineEnds }],
      ["Route", "line"],
      [["id", "ID"], "ignore", { why: "workouts name a course by its name" }],
    ],
    line: placesOf,
  },
  gear: {
    from: {
      find: async (archive, columns) => (await listOfGear.find(archive, columns)) ?? shoesOfTab.find(archive, columns),
    },
    // biome-ignore format: a table is read by its columns
    columns: [
      [["id", "shoe"], "id"],
      ["Activity/type", "kind"],
      [["Name/make", "ShoeMake"], "brandName"],
      [["Name/model", "ShoeModel"], "modelName"],
      [["Name/serial", "ShoeSerial"], "serial"],
      ["Size", "notes", { label: "Size" }],
      ["System", "notes", { label: "System of the size" }],
      ["ShoePrice", "price", { zero: none }],
      ["Name/retired", "status"],
      ["PurchaseInfo/date", "purchaseDate"],
      ["Distance/initialDistance", "notes", { label: "Distance before", zero: none }],
      ["Distance/text()", "distance"],
      ["Distance/unit", "distanceUnit"],
      [["Activity/text()", "Name/text()"], "ignore", { why: "the same in other words" }],
    ],
    kinds: { 10: "run", 11: "bike", 12: "swim" },
    retired: "true",
  },
  leaves: { "intervals.txt": "the layout of its rows isn't known; the XML export has the intervals" },
});
