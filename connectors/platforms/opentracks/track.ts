/** The points of an OpenTracks table as one row: when the track began and ended, how long it is, and how the heart beat. */
import { haversine, type Position } from "../../../transforms/geo.ts";
import type { Issue } from "../../../transforms/model/issue.ts";
import type { Archive } from "../../containers/archive.ts";
import { csvEach } from "../table/csv-source.ts";
import type { ColumnRow, FoundRows, RowSource } from "../table/description.ts";

/** The columns of a table of points, in the order of the header. */
const POINT = [
  ...["time", "trackpoint_type", "latitude", "longitude", "altitude", "accuracy_horizontal", "accuracy_vertical"],
  ...["speed", "altitude_gain", "altitude_loss", "sensor_distance", "heartrate", "cadence", "power"],
] as const;
type PointColumn = (typeof POINT)[number];

const COLUMNS: readonly ColumnRow[] = POINT.map((name) => [name === "time" ? `#${name}` : name, "ignore"]);

/** The columns of the row that a track becomes. */
const HEADER = ["start", "end", "metres", "avgHR", "maxHR", "gain", "loss", "points", "series"] as const;

/** Series without a place in a workout. */
const SERIES = ["altitude", "speed", "sensor_distance", "heartrate", "cadence", "power"] as const;

const SEVERAL: Issue = {
  severity: "error",
  rule: "opentracks/several-starts",
  expected:
    "one start: after a pause and at the next track the table writes the same word. Export the tracks from OpenTracks as KMZ or GPX",
};

/** Each table of points is a row. */
export function tracks(): RowSource {
  const points = csvEach(/\.csv$/i, [
    "#time",
    "trackpoint_type",
    "accuracy_horizontal",
    "altitude_gain",
    "sensor_distance",
  ]);
  return {
    async find(archive: Archive): Promise<FoundRows | undefined> {
      const found = await points.find(archive, COLUMNS);
      if (found === undefined) return undefined;
      return {
        ...found,
        header: HEADER,
        async *rows(session, entry, mapping, report) {
          const track = new Track();
          for await (const row of found.rows(session, entry, mapping, report)) {
            if ("fields" in row) track.add((column) => row.fields[POINT.indexOf(column)]?.trim() ?? "");
            else yield row;
          }
          const origin = session.origin(entry.path);
          const known = entry.path.slice(entry.path.lastIndexOf("/") + 1);
          if (track.starts > 1) yield { origin, error: { ...SEVERAL, found: `${track.starts} starts` }, known };
          else if (track.hasBegun) yield { origin, fields: track.fields() };
        },
      };
    },
  };
}

/** A track while its points are read. No point is kept. */
class Track {
  starts = 0;
  #points = 0;
  #first = "";
  #last = "";
  #metres = 0;
  #position: Position | undefined;
  readonly #beats = { sum: 0, count: 0, most: 0 };
  readonly #climb = { gain: 0, loss: 0 };
  readonly #series = new Set<string>();

  get hasBegun(): boolean {
    return this.#first !== "";
  }

  add(cellOf: (column: PointColumn) => string): void {
    const type = cellOf("trackpoint_type");
    if (type === "SEGMENT_START_MANUAL") this.starts++;
    if (type.startsWith("SEGMENT_START")) this.#position = undefined;
    const time = cellOf("time");
    if (this.#first === "") this.#first = time;
    if (time !== "") this.#last = time;
    this.#move(cellOf("latitude"), cellOf("longitude"));
    const beats = Number(cellOf("heartrate"));
    if (beats > 0) {
      this.#beats.sum += beats;
      this.#beats.count++;
      this.#beats.most = Math.max(this.#beats.most, beats);
    }
    this.#climb.gain += Number(cellOf("altitude_gain")) || 0;
    this.#climb.loss += Number(cellOf("altitude_loss")) || 0;
    for (const name of SERIES) if (cellOf(name) !== "") this.#series.add(name);
  }

  #move(latitude: string, longitude: string): void {
    if (latitude === "" || longitude === "") return;
    const position: Position = { lat: Number(latitude), lon: Number(longitude) };
    if (!Number.isFinite(position.lat) || !Number.isFinite(position.lon)) return;
    if (this.#position !== undefined) this.#metres += haversine(this.#position, position);
    this.#position = position;
    this.#points++;
  }

  /** The cells of its row, in the order of the header. */
  fields(): readonly string[] {
    const { sum, count, most } = this.#beats;
    const numbers = [this.#metres, count === 0 ? 0 : sum / count, most, this.#climb.gain, this.#climb.loss];
    const texts = numbers.map((value) => String(Math.round(value * 10) / 10));
    return [this.#first, this.#last, ...texts, `${this.#points} points of CSV`, [...this.#series].join(", ")];
  }
}
