/** Nike Run Club: the runs in the form of its service, as one JSON file each or as a list. README.md lists the parts that are read or left out. */
import { isoOfMillis } from "../table/cells/instants.ts";
import { platform } from "../table/platform.ts";
import { json } from "../table/sources/json-source.ts";
import { thinned, trackOf, withRecorded } from "./track.ts";
import { lapsOf, withSplits } from "./values.ts";

const derived = { why: "follows from distance and time" };
const inside = { why: "a mark of the service's own" };

/** The app once wrote the name of its own field into empty notes. */
const written = (text: string) => (text === "NOTE" ? undefined : text);

export const nike = platform({
  name: "nike",
  title: "Nike Run Club archive",
  howToGet:
    "Nike has no export of its own: an exporter such as yasoob/nrc-exporter saves a JSON file for each activity.",
  workouts: [
    {
      from: json({
        files: /\.json$/i,
        knownBy: ["id", "start_epoch_ms", "active_duration_ms"],
        lists: [["activities", "*"]],
        thins: { metrics: thinned },
        completes: (run) => withRecorded(withSplits(run)),
      }),
      filesById: true,
      track: trackOf,
      dates: { order: "iso", zone: "utc" },
      // biome-ignore format: a table is read by its columns
      columns: [
        ["id", "id"],
        ["type", "activity"],
        ["start_epoch_ms", "datetime", { read: isoOfMillis }],
        ["active_duration_ms", "duration", { format: ["milliseconds"] }],
        ["end_epoch_ms", "ignore", { why: "with the start, the time that passed, pauses included" }],
        ["summaries[metric=distance][summary=total]/value", "distance", { unit: "km", zero: "none" }],
        ["summaries[metric=heart_rate][summary=mean]/value", "avgHR"],
        ["summaries[metric=heart_rate][summary=max]/value", "maxHR"],
        ["summaries[metric=heart_rate][summary=min]/value", "unsupported", { label: "lowest heart rate", unit: "a minute", zero: "none" }],
        ["summaries[metric=calories][summary=total]/value", "unsupported", { label: "calories", unit: "kcal", zero: "none" }],
        ["summaries[metric=steps][summary=total]/value", "unsupported", { label: "steps", zero: "none" }],
        ["summaries[metric=ascent][summary=total]/value", "unsupported", { label: "elevation gain", unit: "m", zero: "none" }],
        ["summaries[metric=descent][summary=total]/value", "unsupported", { label: "elevation loss", unit: "m", zero: "none" }],
        ["summaries[metric=cadence][summary=mean]/value", "unsupported", { label: "average cadence", unit: "a minute", zero: "none" }],
        ["summaries[metric=pace][summary=mean]/value", "ignore", derived],
        ["summaries[metric=speed][summary=mean]/value", "ignore", derived],
        ["summaries[metric=speed][summary=max]/value", "unsupported", { label: "max speed", unit: "km/h", zero: "none" }],
        ["summaries[metric=nikefuel][summary=total]/value", "unsupported", { label: "NikeFuel", notInKey: true, zero: "none" }],
        ["summaries[metric=nikefuel][summary=mean]/value", "ignore", { why: "follows from NikeFuel and time" }],
        ["tags/com.nike.name", "name"],
        ["tags/note", "notes", { read: written }],
        [["tags/com.nike.temperature", "tags/temperature"], "temperature", { unit: "C" }],
        [["tags/com.nike.weather", "tags/weather"], "conditions"],
        ["tags/location", "unsupported", { label: "place" }],
        ["tags/terrain", "unsupported", { label: "terrain" }],
        ["tags/emotion", "unsupported", { label: "mood" }],
        ["tags/com.nike.running.runtype", "unsupported", { label: "kind of entry" }],
        ["tags/com.nike.running.goaltype", "unsupported", { label: "goal" }],
        ["tags/com.nike.nrc.workout.id", "unsupported", { label: "guided workout" }],
        ["tags/com.nike.nrc.program.identifier", "ignore", inside],
        ["tags/com.nike.nrc.program.instance", "ignore", inside],
        ["tags/com.nike.nrc.program.stage", "ignore", inside],
        ["tags/com.nike.running.recordingappversion", "ignore", inside],
        ["tags/com.nike.running.syncappversion", "ignore", inside],
        ["tags/evaluation.run.disqualified", "unsupported", { label: "disqualified" }],
        ["tags/evaluation.run.version", "ignore", inside],
        ["metric_types", "series", { label: "recorded series" }],
        ["metrics", "ignore", { why: "counted as recorded series" }],
        ["splits", "laps", { laps: lapsOf }],
        ["moments", "ignore", { why: "read as splits; the rest are pauses and lost signals" }],
        ["delete_indicator", "ignore", { why: "such a record is skipped" }],
        ["app_id", "recorder"],
        ["last_modified", "ignore", inside],
        ["session", "ignore", inside],
        ["sources", "ignore", inside],
        ["change_tokens", "ignore", inside],
      ],
      conditions: {
        partly_sunny: ["partlyCloudy"],
        cloudy: ["overcast"],
        partly_cloudy_night: ["partlyCloudy"],
        partly_cloudy: ["partlyCloudy"],
        clear_night: ["clear"],
        rainy: ["rain"],
      },
      skips: (cellOf) => (cellOf("delete_indicator") === "true" ? "deleted in the app" : undefined),
    },
  ],
  toldTotal: { files: /\.json$/i, list: ["activities", "*"], next: ["paging", "before_id"] },
  recordings: /\.(gpx|tcx)$/i,
  leaves: {},
});
