/** OpenTracks: tracks that were exported as tables of points. README.md says what is read and what is left. */
import { platform } from "../table/platform.ts";
import { tracks } from "./track.ts";

const none = "none" as const;

export const opentracks = platform({
  name: "opentracks",
  title: "OpenTracks table of points",
  howToGet: "OpenTracks > Settings > Import/Export > Export all; KMZ or GPX keep more than CSV.",
  workouts: [
    {
      from: tracks(),
      dates: { order: "iso", zone: "offset" },
      // biome-ignore format: a table is read by its columns
      columns: [
        ["start", "datetime"],
        ["end", "end"],
        ["metres", "distance", { unit: "m", zero: none }],
        ["avgHR", "avgHR"],
        ["maxHR", "maxHR"],
        ["gain", "unsupported", { label: "elevation gain", unit: "m", zero: none }],
        ["loss", "unsupported", { label: "elevation loss", unit: "m", zero: none }],
        ["points", "unsupported", { label: "track" }],
        ["series", "unsupported", { label: "recorded series" }],
      ],
    },
  ],
  recordings: /\.(gpx|kml|kmz)$/i,
  leaves: { "images/": "the log has no place for pictures" },
});
