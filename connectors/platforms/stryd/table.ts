/** Stryd: tables of the website, one for each run. README.md lists the parts that are read or left out. */
import { platform } from "../table/platform.ts";
import { trackOfPoints } from "../table/sources/points-source.ts";
import { runs } from "./track.ts";

const none = "none" as const;

export const stryd = platform({
  name: "stryd",
  title: "Stryd table of a run",
  howToGet: "Stryd's website gives each run as CSV; the FIT file of the same run keeps more.",
  workouts: [
    {
      from: runs(),
      track: trackOfPoints,
      sport: "run",
      filesByName: true,
      sameBy: (cellOf) => cellOf("start"),
      dates: { order: "iso", zone: "utc" },
      // biome-ignore format: a table is read by its columns
      columns: [
        ["start", "datetime"],
        ["seconds", "elapsed", { format: ["seconds"], zero: none }],
        ["metres", "distance", { unit: "m", zero: none }],
        ["avgHR", "avgHR"],
        ["maxHR", "maxHR"],
        ["power", "unsupported", { label: "average power", unit: "W/kg" }],
        ["series", "series", { label: "recorded series" }],
      ],
    },
  ],
  recordings: /\.fit$/i,
  leaves: {},
});
