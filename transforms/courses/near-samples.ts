/** Which samples of a track lie near which samples of a course. */
import { eastward, type ThinLine } from "./thin-line.ts";

const METRES_PER_DEGREE = 111_195;

/** Most near pairs of one comparison. Two lines that wind through one stadium for hours have more. */
const MOST_PAIRS = 4_000_000;

/** The near samples of a track for each sample of a course, in the order of the track. */
export interface NearSamples {
  /** Where the pairs of each sample of the course begin. One number more than there are samples. */
  readonly first: Int32Array;
  /** Samples of the track. */
  readonly sample: readonly number[];
  /** Metres between the two samples of each pair. */
  readonly apart: readonly number[];
}

/** The samples of one track, found by their place. */
export class TrackGrid {
  readonly track: ThinLine;
  readonly #cell: number;
  readonly #x: Float64Array;
  readonly #y: Float64Array;
  readonly #cells = new Map<number, number[]>();
  readonly #origin: { readonly lat: number; readonly lon: number; readonly east: number };

  /** @param within metres up to which samples are near */
  constructor(track: ThinLine, within: number) {
    this.track = track;
    this.#cell = within;
    const [lat = 0, lon = 0] = [track.lat[0], track.lon[0]];
    this.#origin = { lat, lon, east: METRES_PER_DEGREE * Math.max(0.01, Math.cos((lat * Math.PI) / 180)) };
    this.#x = track.lon.map((one) => this.#xOf(one));
    this.#y = track.lat.map((one) => this.#yOf(one));
    for (let at = 0; at < track.lat.length; at++) {
      const cell = this.#cellOf(this.#column(this.#x[at] ?? 0), this.#column(this.#y[at] ?? 0));
      const known = this.#cells.get(cell);
      if (known === undefined) this.#cells.set(cell, [at]);
      else known.push(at);
    }
  }

  /** @returns undefined when the two lines have too many near pairs */
  near(course: ThinLine): NearSamples | undefined {
    const first = new Int32Array(course.lat.length + 1);
    const sample: number[] = [];
    const apart: number[] = [];
    for (let row = 0; row < course.lat.length; row++) {
      first[row] = sample.length;
      const [x, y] = [this.#xOf(course.lon[row] ?? 0), this.#yOf(course.lat[row] ?? 0)];
      for (const at of this.#around(x, y).sort((a, b) => a - b)) {
        const metres = Math.hypot((this.#x[at] ?? 0) - x, (this.#y[at] ?? 0) - y);
        if (metres > this.#cell) continue;
        sample.push(at);
        apart.push(metres);
      }
      if (sample.length > MOST_PAIRS) return undefined;
    }
    first[course.lat.length] = sample.length;
    return { first, sample, apart };
  }

  #around(x: number, y: number): number[] {
    const [column, row] = [this.#column(x), this.#column(y)];
    const found: number[] = [];
    for (let dx = -1; dx <= 1; dx++)
      for (let dy = -1; dy <= 1; dy++) {
        const cell = this.#cells.get(this.#cellOf(column + dx, row + dy));
        if (cell !== undefined) for (const at of cell) found.push(at);
      }
    return found;
  }

  #xOf(lon: number): number {
    return eastward(this.#origin.lon, lon) * this.#origin.east;
  }

  #yOf(lat: number): number {
    return (lat - this.#origin.lat) * METRES_PER_DEGREE;
  }

  #column(metres: number): number {
    return Math.floor(metres / this.#cell);
  }

  /** Cells of 80 m number fewer than 2 ** 20 around the globe. */
  #cellOf(column: number, row: number): number {
    return (column + 2 ** 20) * 2 ** 22 + (row + 2 ** 20);
  }
}
