/** Sums up the points of an OpenTracks table as one row: start and end, length, and heart rates of the track. */
import { haversine, type Position } from "../../../transforms/geo.ts";
import { defined } from "../../../transforms/model/defined.ts";
import type { Issue } from "../../../transforms/model/issue.ts";
import type { Point } from "../../formats/recording.ts";
import type { RowSource } from "../table/description.ts";
import { aboveZero, positionOf } from "../table/files/points.ts";
import { HeartRates, numberIn, type PointCellOf, type PointSum, points } from "../table/sources/points-source.ts";

/** The columns of a table of points. */
const COLUMNS = [
  ...["#time", "trackpoint_type", "latitude", "longitude", "altitude", "accuracy_horizontal", "accuracy_vertical"],
  ...["speed", "altitude_gain", "altitude_loss", "sensor_distance", "heartrate", "cadence", "power"],
] as const;
type Column = (typeof COLUMNS)[number];

/** Series without a field in a workout. */
const SERIES = ["altitude", "speed", "sensor_distance", "heartrate", "cadence", "power"] as const;

const SEVERAL: Issue = {
  severity: "error",
  rule: "opentracks/several-starts",
  expected:
    "one start: after a pause and at the next track the table writes the same word. Export the tracks from OpenTracks as KMZ or GPX",
};

/** Each table of points is a row. */
export function tracks(): RowSource {
  return points<Column>({
    files: /\.csv$/i,
    columns: COLUMNS,
    knownBy: ["#time", "trackpoint_type", "accuracy_horizontal", "altitude_gain", "sensor_distance"],
    sum: trackSum,
    point: pointOf,
  });
}

/** Sums up a track while its points are read. It keeps no point. */
function trackSum(): PointSum<Column> {
  const beats = new HeartRates();
  const series = new Set<string>();
  let [starts, count, metres, gain, loss] = [0, 0, 0, 0, 0];
  let [first, last] = ["", ""];
  let position: Position | undefined;
  let place = "";
  const move = (next: Position | undefined) => {
    if (next === undefined) return;
    if (position !== undefined) metres += haversine(position, next);
    position = next;
    place ||= `${next.lat} ${next.lon}`;
    count++;
  };
  return {
    add(cellOf) {
      const type = cellOf("trackpoint_type");
      if (type === "SEGMENT_START_MANUAL") starts++;
      if (type.startsWith("SEGMENT_START")) position = undefined;
      const time = cellOf("#time");
      if (first === "") first = time;
      if (time !== "") last = time;
      move(placeOf(cellOf));
      beats.add(cellOf("heartrate"));
      gain += numberIn(cellOf("altitude_gain")) ?? 0;
      loss += numberIn(cellOf("altitude_loss")) ?? 0;
      for (const name of SERIES) if (cellOf(name) !== "") series.add(name);
    },
    result() {
      if (starts > 1) return { ...SEVERAL, found: `${starts} starts` };
      if (first === "") return undefined;
      return {
        ...{
          start: first,
          end: last,
          position: place,
          metres: rounded(metres),
          gain: rounded(gain),
          loss: rounded(loss),
        },
        ...{ avgHR: beats.mean ?? "", maxHR: beats.most ?? "" },
        series: count === 0 && beats.mean === undefined ? "" : ["positions", ...series].join(", "),
      };
    },
  };
}

function rounded(value: number): string {
  return String(Math.round(value * 10) / 10);
}

function placeOf(cellOf: PointCellOf<Column>): Position | undefined {
  return positionOf(numberIn(cellOf("latitude")), numberIn(cellOf("longitude")));
}

function pointOf(cellOf: PointCellOf<Column>): Point {
  return defined({
    instant: numberIn(String(Date.parse(cellOf("#time")))),
    position: placeOf(cellOf),
    elevation: numberIn(cellOf("altitude")),
    heartRate: aboveZero(numberIn(cellOf("heartrate"))),
    cadence: aboveZero(numberIn(cellOf("cadence"))),
    power: numberIn(cellOf("power")),
    breakBefore: cellOf("trackpoint_type").startsWith("SEGMENT_START") ? (true as const) : undefined,
  });
}
