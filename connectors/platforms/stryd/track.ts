/** A table of Stryd's website: a line for each second of one run. */
import { defined } from "../../../transforms/model/defined.ts";
import type { Point } from "../../formats/recording.ts";
import type { RowSource } from "../table/description.ts";
import { aboveZero } from "../table/files/points.ts";
import { HeartRates, numberIn, type PointCellOf, type PointSum, points } from "../table/sources/points-source.ts";

/** The columns of a table. Stryd adds some with each generation of its pod. */
const COLUMNS = [
  ...["Timestamp", "Power (w/kg)", "Form Power (w/kg)", "Air Power (w/kg)", "Watch Speed (m/s)", "Stryd Speed (m/s)"],
  ...["Watch Distance (meters)", "Stryd Distance (meters)", "Stiffness", "Stiffness/kg", "Ground Time (ms)"],
  ...["Cadence (spm)", "Vertical Oscillation (cm)", "Watch Elevation (m)", "Stryd Elevation (m)", "Heart Rate (bpm)"],
  ...["Ground Time Balance", "Vertical Oscillation Balance", "Leg Spring Stiffness Balance"],
  ...["Impact Loading Rate Balance", "Vertical Ratio"],
] as const;
type Column = (typeof COLUMNS)[number];

/** What only Stryd writes. A person may have left some columns out, so one of them will do. */
const OWN: readonly Column[] = ["Form Power (w/kg)", "Stryd Speed (m/s)", "Stryd Distance (meters)"];

const isRun = (header: readonly string[]) =>
  header.includes("Timestamp") && OWN.some((column) => header.includes(column));

/** Each table is a run. */
export function runs(): RowSource {
  return points<Column>({
    files: /\.csv$/i,
    columns: COLUMNS,
    knownBy: isRun,
    sum: runSum,
    point: pointOf,
  });
}

function runSum(): PointSum<Column> {
  const beats = new HeartRates();
  const powers = new HeartRates();
  const series = new Set<string>();
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const metres = { stryd: 0, watch: 0 };
  return {
    add(cellOf) {
      const seconds = secondsOf(cellOf);
      if (seconds === undefined) return;
      [first, last] = [Math.min(first, seconds), Math.max(last, seconds)];
      metres.stryd = Math.max(metres.stryd, numberIn(cellOf("Stryd Distance (meters)")) ?? 0);
      metres.watch = Math.max(metres.watch, numberIn(cellOf("Watch Distance (meters)")) ?? 0);
      beats.add(cellOf("Heart Rate (bpm)"));
      powers.add(cellOf("Power (w/kg)"));
      for (const name of COLUMNS.slice(1)) if (numberIn(cellOf(name))) series.add(name.replace(/ \(.*/, ""));
    },
    result() {
      if (last < first) return undefined;
      return {
        start: new Date(first * 1000).toISOString(),
        seconds: String(last - first),
        metres: String(Math.round((metres.stryd || metres.watch) * 10) / 10),
        avgHR: beats.mean ?? "",
        maxHR: beats.most ?? "",
        power: powers.mean ?? "",
        series: [...series].join(", "),
      };
    },
  };
}

/** Seconds since 1970 UTC; undefined for any other text. */
function secondsOf(cellOf: PointCellOf<Column>): number | undefined {
  const text = cellOf("Timestamp");
  return /^\d{9,10}(?:\.\d{1,6})?$/.test(text) ? Number(text) : undefined;
}

function pointOf(cellOf: PointCellOf<Column>): Point {
  const seconds = secondsOf(cellOf);
  const metres = numberIn(cellOf("Stryd Distance (meters)")) || numberIn(cellOf("Watch Distance (meters)"));
  return defined({
    instant: seconds === undefined ? undefined : seconds * 1000,
    elevation: numberIn(cellOf("Watch Elevation (m)")) ?? numberIn(cellOf("Stryd Elevation (m)")),
    distance: metres === undefined ? undefined : ({ unit: "m", value: metres } as const),
    heartRate: aboveZero(numberIn(cellOf("Heart Rate (bpm)"))),
    cadence: aboveZero(numberIn(cellOf("Cadence (spm)"))),
  });
}
