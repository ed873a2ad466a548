/**
 * Archives small enough to be loaded a hundred times. They are sheets that are written here, so that a test knows their content, and a few of the
 * device files of `fixtures/`.
 */
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./rehearsal.ts";

/** A run as a sheet has it and as a log must have it. */
export interface SheetRun {
  /** `2020-01-31` */
  readonly date: string;
  /** `07:05` */
  readonly time: string;
  readonly km: number;
  readonly seconds: number;
  readonly notes?: string;
  readonly shoe?: string;
  /** The row's own id. Without it the row is known by its content. */
  readonly id?: string;
}

/** A mapping file for rows with an id of their own: `No,Day,Sport,Distance,Notes`. */
export const NUMBERED_ROWS = `version: 1
dates: { order: iso }
columns:
  No: { field: id }
  Day: { field: date }
  Sport: { field: activity }
  Distance: { field: distance, unit: km }
  Notes: { field: notes }
`;

/** The given number of runs, one a day, no two alike. */
export function someRuns(count: number, first = "2020-01-01"): SheetRun[] {
  const start = Date.parse(`${first}T00:00:00Z`);
  return Array.from({ length: count }, (_, index) => ({
    date: new Date(start + index * 86_400_000).toISOString().slice(0, 10),
    time: `${String(6 + (index % 12)).padStart(2, "0")}:${String((index * 7) % 60).padStart(2, "0")}`,
    km: 5 + (index % 400) / 100,
    seconds: 1800 + (index % 1000),
  }));
}

// Equal rows are workouts of their own here: nothing tells them apart but that there are two.
const MAPPING = `version: 1
repeatedRows: workouts
dates:
  order: iso
columns:
  Date: { field: date }
  Time: { field: time }
  Activity: { field: activity }
  Distance: { field: distance, unit: km }
  Duration: { field: duration, format: [h:mm:ss] }
  Shoe: { field: equipment }
  Notes: { field: notes }
  Id: { field: id }
values:
  equipment:
    Pegasus: { brandName: Nike, modelName: Pegasus, activity: run }
    Kinvara: { brandName: Saucony, modelName: Kinvara, activity: run }
`;

/** Writes a sheet and its mapping. @returns the sheet's path */
export function writeSheet(folder: string, runs: readonly SheetRun[], name = "log"): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name}.csv`);
  const rows = runs.map(({ date, time, km, seconds, notes = "", shoe = "", id = "" }) =>
    [date, time, "Run", km.toFixed(2), clock(seconds), shoe, notes, id].join(","),
  );
  writeFileSync(path, `Date,Time,Activity,Distance,Duration,Shoe,Notes,Id\n${rows.join("\n")}\n`);
  writeFileSync(join(folder, `${name}.map.yaml`), MAPPING);
  return path;
}

function clock(seconds: number): string {
  const two = (value: number) => String(Math.trunc(value)).padStart(2, "0");
  return `${Math.trunc(seconds / 3600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}`;
}

/** Puts device files of the fixtures into a folder. @returns the folder */
export function copyDeviceFiles(folder: string, files: readonly string[]): string {
  mkdirSync(folder, { recursive: true });
  for (const file of files) {
    const [fixture = "", name = ""] = file.split("/");
    copyFileSync(join(ROOT, "fixtures", "device-files", fixture, "archive", name), join(folder, name));
  }
  return folder;
}

/** Three runs in one file, one recording after the other. */
export const THREE_RUNS = "fit-chained/three days.fit";
/** A swim, a ride and a run in one file, with the changes between them. */
export const TRIATHLON = "fit-multisport/triathlon.fit";
/** One run each. */
export const ONE_RUN = "fit/2019-05-04-07-10-05.fit";
export const ANOTHER_RUN = "fit/2019-05-04-19-02-40.fit";
/** A line on the map: a course, with its map. */
export const COURSE = "routes-without-time/route.gpx";

/** The header of Runkeeper's table of activities. */
export const RUNKEEPER_HEADER =
  "Date,Type,Route Name,Distance (km),Duration,Average Pace,Average Speed (km/h),Calories Burned,Climb (m),Average Heart Rate (bpm),Notes,GPX File";

/** A run of 26 minutes and 42 seconds, a point each second. It is loaded as a file, so its archive is needed again after it was read. */
export const RUNKEEPER_GPX = `<?xml version="1.0"?><gpx version="1.1" creator="Runkeeper" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>${Array.from(
  { length: 1603 },
  (_, second) =>
    `<trkpt lat="${48.2 + second * 2.8e-5}" lon="16.37"><time>${new Date(Date.UTC(2017, 0, 24, 18, 7, 40 + second)).toISOString()}</time></trkpt>`,
).join("")}</trkseg></trk></gpx>`;

/** The files of a Runkeeper export of one run with its recording, for `zipBytes`. */
export const RUNKEEPER_FILES = [
  {
    name: "cardioActivities.csv",
    content: `${RUNKEEPER_HEADER}\n2017-01-24 18:07:40,Running,,5.03,26:42,5:18,11.30,384.0,22,,,2017-01-24-180740.gpx\n`,
  },
  { name: "2017-01-24-180740.gpx", content: RUNKEEPER_GPX },
] as const;
