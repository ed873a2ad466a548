/** OpenTracks: tracks in the form of tables of points. README.md lists the parts that are read or left out. */
import { platform } from "../table/platform.ts";
import { trackOfPoints } from "../table/sources/points-source.ts";
import { tracks } from "./track.ts";

const none = "none" as const;

export const opentracks = platform({
  name: "opentracks",
  title: "OpenTracks table of points",
  howToGet: "OpenTracks > Settings > Import/Export > Export all; KMZ or GPX keep more than CSV.",
  workouts: [
    {
      from: tracks(),
      track: trackOfPoints,
      sameBy: (cellOf) => cellOf("start"),
      dates: { order: "iso", zone: "offset" },
      // biome-ignore format: a table is read by its columns
      columns: [
        ["start", "datetime"],
        ["end", "end"],
        ["position", "position"],
        ["metres", "distance", { unit: "m", zero: none }],
        ["avgHR", "avgHR"],
        ["maxHR", "maxHR"],
        ["gain", "unsupported", { label: "elevation gain", unit: "m", zero: none }],
        ["loss", "unsupported", { label: "elevation loss", unit: "m", zero: none }],
        ["series", "series", { label: "recorded series" }],
      ],
    },
  ],
  recordings: /\.(gpx|kml|kmz)$/i,
  leaves: { "images/": "the log has no place for pictures" },
});
