/**
 * Reads the positions of a workout: `gps_location_2026-07-11.csv` has those of a day of UTC, in any order. Each device of the athlete has its own: the
 * watch and the phone say every point once more.
 */
import type { TimeSpan } from "../../../transforms/model/workout.ts";
import type { Archive, Entry } from "../../containers/archive.ts";
import type { RecordedTrack, TrackDays } from "../table/description.ts";
import { joinedPoints, type Measured, positionOf } from "../table/files/points.ts";
import { pointCells } from "../table/reading/point-cells.ts";
import { isRecord, readTable } from "../table/reading/read-table.ts";

/** The header of such a file. */
const COLUMNS = ["timestamp", "latitude", "longitude", "altitude", "data source"] as const;

/** The positions of the Google Health export. A file holds a day of UTC, with all devices. */
export const positions: TrackDays = { files: /(^|\/)gps_location_[^/]*\.csv$/i, track: positionsBetween };

/** Gives the points of the device that has most of them. Two devices differ by metres, so a mixture would jump between them. */
async function positionsBetween(
  archive: Archive,
  entries: readonly Entry[],
  { from, until }: TimeSpan,
): Promise<RecordedTrack> {
  const devices = new Map<string, Measured[]>();
  for (const entry of entries) {
    const cellOf = await pointCells(archive, entry);
    let places: readonly number[] | undefined;
    for await (const row of readTable(archive, entry)) {
      if (!isRecord(row)) continue;
      places ??= COLUMNS.map((name) => row.fields.findIndex((field) => field.trim().toLowerCase() === name));
      const [time = "", lat = "", lon = "", altitude = "", device = ""] = places.map((at) => cellOf(row.fields[at]));
      const instant = Date.parse(time);
      const position = lat === "" || lon === "" ? undefined : positionOf(Number(lat), Number(lon));
      if (position === undefined || !(instant >= from && instant < until)) continue;
      const elevation = altitude === "" ? Number.NaN : Number(altitude);
      const point = { position, ...(Number.isFinite(elevation) && { elevation }) };
      const points = devices.get(device) ?? [];
      points.push([instant, point]);
      devices.set(device, points);
    }
  }
  const [busiest = []] = [...devices.values()].sort((a, b) => b.length - a.length);
  return { points: joinedPoints(busiest) };
}
