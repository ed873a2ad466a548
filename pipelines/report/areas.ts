/**
 * Places that lie near one another are one area: home, the training camp, the holidays. A map of each says something; a map of the
 * earth with a hundred workouts in one point doesn't.
 */
import { zoneAt } from "../../transforms/calendar.ts";
import type { PlaceRow } from "../journal/counts.ts";
import type { Area } from "./schema.ts";

/** Two places in neighbouring squares of so many degrees are of one area: 28 to 110 km at the equator. */
const SQUARE = 0.5;

/** Areas of places, the one with the most workouts first. */
export function areasOf(places: readonly PlaceRow[]): readonly Area[] {
  const squares = Map.groupBy(places, (place) => squareOf(place.lat, place.lon));
  const seen = new Set<string>();
  const areas: Area[] = [];
  for (const start of squares.keys()) {
    if (seen.has(start)) continue;
    seen.add(start);
    const cells: PlaceRow[] = [];
    // Grows while it is walked: a journey is one area, however long.
    const found = [start];
    for (const square of found) {
      cells.push(...(squares.get(square) ?? []));
      for (const next of around(square)) {
        if (seen.has(next) || !squares.has(next)) continue;
        seen.add(next);
        found.push(next);
      }
    }
    areas.push(areaOf(cells));
  }
  return areas.sort((a, b) => b.workouts - a.workouts || a.lat - b.lat || a.lon - b.lon);
}

/** The area is called after the place most workouts began at. */
function areaOf(cells: readonly PlaceRow[]): Area {
  const sorted = cells.toSorted((a, b) => b.workouts - a.workouts || a.lat - b.lat || a.lon - b.lon);
  const { lat, lon } = sorted[0] as PlaceRow;
  const zone = zoneAt({ lat, lon });
  return {
    lat,
    lon,
    ...(zone !== undefined && !zone.startsWith("Etc/") && { zone }),
    workouts: cells.reduce((sum, cell) => sum + cell.workouts, 0),
    cells: sorted.map((cell) => ({ ...cell })),
  };
}

const COLUMNS = 360 / SQUARE;

function squareOf(lat: number, lon: number): string {
  return keyOf(Math.floor(lat / SQUARE), Math.floor(lon / SQUARE));
}

/** West of the date line comes east of it. */
function keyOf(row: number, column: number): string {
  return `${row} ${((column % COLUMNS) + COLUMNS) % COLUMNS}`;
}

function around(square: string): readonly string[] {
  const [row = 0, column = 0] = square.split(" ").map(Number);
  const steps = [-1, 0, 1];
  return steps.flatMap((down) => steps.map((right) => keyOf(row + down, column + right)));
}
