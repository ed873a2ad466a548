/**
 * Groups nearby places into areas: home, the training camp, the holidays. A map of each area is useful. A map of the earth with a hundred
 * workouts in one point is not.
 */
import { zoneAt } from "../../transforms/calendar.ts";
import type { PlaceRow } from "../journal/counts.ts";
import type { Area } from "./schema.ts";

/** Two places in neighbouring squares of this many degrees belong to one area: 28 to 110 km at the equator. */
const SQUARE = 0.5;

/** Areas of places, sorted by workouts, the most first. */
export function areasOf(places: readonly PlaceRow[]): readonly Area[] {
  const squares = Map.groupBy(places, (place) => squareOf(place.lat, place.lon));
  const seen = new Set<string>();
  const areas: Area[] = [];
  for (const start of squares.keys()) {
    if (seen.has(start)) continue;
    seen.add(start);
    const cells: PlaceRow[] = [];
    // This list grows during the loop, so a long journey becomes one area.
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

/** The place with the most workouts gives the area its name. */
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

/** Squares are neighbours across the date line. */
function keyOf(row: number, column: number): string {
  return `${row} ${((column % COLUMNS) + COLUMNS) % COLUMNS}`;
}

function around(square: string): readonly string[] {
  const [row = 0, column = 0] = square.split(" ").map(Number);
  const steps = [-1, 0, 1];
  return steps.flatMap((down) => steps.map((right) => keyOf(row + down, column + right)));
}
