/** Cells of space, so that the homes near a place are found without a look at all homes. */
import { EARTH_RADIUS, type Position } from "../../transforms/geo.ts";
import { THRESHOLDS } from "./rules/rule.ts";

/** Metres of an edge. The straight line between two places is shorter than the way on the globe, so near places are in cells side by side. */
const EDGE = THRESHOLDS.homeMetres * 1.001;

const STEPS = [-1, 0, 1] as const;

/** The cell of a place: a cube in space, so that the poles and the 180th meridian are like any other place. */
export function cellOf(place: Position): string {
  return cubeOf(place).join(" ");
}

/** The cell of a place and those around it. A place within `homeMetres` is in one of them. */
export function cellsAround(place: Position): readonly string[] {
  const [x, y, z] = cubeOf(place);
  return STEPS.flatMap((dx) => STEPS.flatMap((dy) => STEPS.map((dz) => `${x + dx} ${y + dy} ${z + dz}`)));
}

function cubeOf({ lat, lon }: Position): readonly [number, number, number] {
  const [phi, lambda] = [(lat * Math.PI) / 180, (lon * Math.PI) / 180];
  const at = (share: number) => Math.floor((EARTH_RADIUS * share) / EDGE);
  return [at(Math.cos(phi) * Math.cos(lambda)), at(Math.cos(phi) * Math.sin(lambda)), at(Math.sin(phi))];
}
