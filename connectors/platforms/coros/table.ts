/** COROS: the table of laps of one activity, which has no date. README.md lists the parts that are read or left out. */
import { platform } from "../table/platform.ts";
import { lapTables } from "./laps.ts";

const inFile = { why: "the FIT file of the activity has it" };

export const coros = platform({
  name: "coros",
  title: "COROS table of laps",
  howToGet: "COROS Training Hub > an activity > Export data > FIT; COROS has no export of an account.",
  workouts: [
    {
      from: lapTables(),
      dates: { order: "iso", zone: "local" },
      // biome-ignore format: a table is read by its columns
      columns: [
        [["Split", "Time", "Moving Time", "Distance", "Elevation Gain", "Elev Loss", "Avg Pace", "Avg Moving Paces", "Best Pace"], "ignore", inFile],
        [["Avg Run Cadence", "Max Run Cadence", "Avg Stride Length", "Avg HR", "Max HR", "Avg Temperature", "Calories"], "ignore", inFile],
      ],
    },
  ],
  inRecordings: true,
  leaves: {},
});
