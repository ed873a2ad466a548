/**
 * A map without tiles: the track itself, north up, with its start and end, marks along the way and a scale bar. The page asks no outside
 * address, so the route stays private.
 */
import { type Html, html } from "../html.ts";
import type { Outline, Place } from "../track/outline.ts";
import { inUnit, numberText, type Units } from "../wording.ts";
import { coordinate, roundStep } from "./axis.ts";

/** Width of the drawing in its own units. The height follows the track, between these shares of the width. */
const WIDTH = 400;
const SHARES = { least: 0.45, most: 1.1 } as const;
const MARGIN = 24;

/** Metres of a degree of latitude: the earth's mean radius times π/180. */
const DEGREE = 111_195;

/** A map. */
export interface MapOptions {
  readonly id: string;
  readonly title: string;
  readonly units: Units;
}

/** The figure; undefined when the outline has no line. */
export function mapOf(outline: Outline, { id, title, units }: MapOptions): Html | undefined {
  const plane = planeOf(outline.lines, SHARES);
  if (plane === undefined) return undefined;
  const { height, metres } = plane;
  const start = outline.lines[0]?.[0] as Place;
  const end = outline.lines.at(-1)?.at(-1) as Place;
  const description = `The track, ${numberText(inUnit(outline.metres, units), 1)} ${units.distance} long, ${extentText(plane, units)}. ${isLoop(start, end, plane) ? "It ends where it starts." : "It ends elsewhere than it starts."}`;
  return html`<figure class="map">
<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="${id}-t ${id}-d"><title id="${id}-t">${title}</title><desc id="${id}-d">${description}</desc>
${gridOf(plane, units)}<path class="casing" d="${pathOf(outline.lines, plane)}"/><path class="track" d="${pathOf(outline.lines, plane)}"/>
${end !== start && marker("end", plane.spotOf(end))}${marker("start", plane.spotOf(start))}
${scaleBar(metres, height, units)}
</svg>
<figcaption><span class="key start"></span> Start <span class="key end"></span> End <span class="muted">North is up. ${extentText(plane, units)}.</span></figcaption>
</figure>`;
}

/** Only the line, small, for a list. */
export function thumbnailOf(outline: Outline): Html | undefined {
  const plane = planeOf(outline.lines, { least: 0.6, most: 0.6 });
  if (plane === undefined) return undefined;
  return html`<svg class="thumbnail" viewBox="0 0 ${WIDTH} ${plane.height}" aria-hidden="true"><path class="track" d="${pathOf(outline.lines, plane, 2)}"/></svg>`;
}

/** The plane a track is drawn on. `spotOf` gives coordinates of the drawing. `metres` is the length of one drawing unit. */
interface Plane {
  readonly height: number;
  readonly metres: number;
  /** Size of the track itself, in metres. */
  readonly eastWest: number;
  readonly northSouth: number;
  spotOf(place: Place): readonly [x: number, y: number];
}

/** Around the middle of the track a degree of longitude is cos(latitude) of a degree of latitude. */
function planeOf(
  lines: readonly (readonly Place[])[],
  shares: { readonly least: number; readonly most: number },
): Plane | undefined {
  const places = lines.flat();
  if (places.length === 0) return undefined;
  const [lats, lons] = [places.map((place) => place.lat), places.map((place) => place.lon)];
  const [south, north, west, east] = [Math.min(...lats), Math.max(...lats), Math.min(...lons), Math.max(...lons)];
  const narrowing = Math.cos((((south + north) / 2) * Math.PI) / 180);
  const [eastWest, northSouth] = [(east - west) * narrowing * DEGREE, (north - south) * DEGREE];
  const share = Math.min(shares.most, Math.max(shares.least, northSouth / (eastWest || 1)));
  const height = Math.round(WIDTH * share);
  // A track that stands still is drawn as a few metres.
  const metres = Math.max(eastWest / (WIDTH - 2 * MARGIN), northSouth / (height - 2 * MARGIN), 0.02);
  const spotOf = ({ lat, lon }: Place) =>
    [
      coordinate(WIDTH / 2 + ((lon - (west + east) / 2) * narrowing * DEGREE) / metres),
      coordinate(height / 2 - ((lat - (south + north) / 2) * DEGREE) / metres),
    ] as const;
  return { height, metres, eastWest, northSouth, spotOf };
}

/** One path. Corners closer together than `step` become one. */
function pathOf(lines: readonly (readonly Place[])[], plane: Plane, step = 0.4): string {
  return lines
    .map((line) => {
      const spots = line.map(plane.spotOf);
      let [lastX, lastY] = [Number.NaN, Number.NaN];
      const kept = spots.filter(([x, y], index) => {
        const isFar = !(Math.hypot(x - lastX, y - lastY) < step) || index === spots.length - 1;
        if (isFar) [lastX, lastY] = [x, y];
        return isFar;
      });
      return `M${kept.map(([x, y]) => `${x},${y}`).join(" ")}`;
    })
    .join("");
}

function marker(kind: "start" | "end", [x, y]: readonly [number, number]): Html {
  if (kind === "start") return html`<circle class="start" cx="${x}" cy="${y}" r="5.5"><title>Start</title></circle>`;
  return html`<rect class="end" x="${coordinate(x - 7)}" y="${coordinate(y - 7)}" width="14" height="14"><title>End</title></rect>`;
}

/** A round length of at most a quarter of the width. */
function roundLength(metres: number, units: Units): { readonly length: number; readonly text: string } {
  const most = (WIDTH * metres) / 4;
  const inUnits = inUnit(most, units);
  const isSmall = units.distance !== "m" && inUnits < 0.5;
  // Below half a mile or kilometre the unit is feet or metres.
  const small = units.distance === "mi" ? { metres: 0.3048, name: "ft" } : { metres: 1, name: "m" };
  const unit = isSmall ? small : { metres: most / inUnits, name: units.distance };
  const round = roundStep(most / unit.metres / 2.5);
  return { length: (round * unit.metres) / metres, text: `${numberText(round, 3)} ${unit.name}` };
}

function scaleBar(metres: number, height: number, units: Units): Html {
  const { length, text } = roundLength(metres, units);
  const [left, right, y] = [10, coordinate(10 + length), height - 10];
  return html`<path class="bar" d="M${left},${y - 4}V${y}H${right}V${y - 4}"/><text x="${left + 4}" y="${y - 6}">${text}</text>`;
}

/** Lines at the distance of the scale bar's length. They give a sense of size. */
function gridOf({ metres, height }: Plane, units: Units): Html {
  const { length } = roundLength(metres, units);
  let path = "";
  for (let x = 10 + length; x < WIDTH; x += length) path += `M${coordinate(x)},0V${height}`;
  for (let y = height - 10 - length; y > 0; y -= length) path += `M0,${coordinate(y)}H${WIDTH}`;
  return html`<path class="grid" d="${path}"/>`;
}

function extentText({ eastWest, northSouth }: Plane, units: Units): string {
  const text = (metres: number) => numberText(inUnit(metres, units), units.distance === "m" ? 0 : 1);
  return `${text(eastWest)} ${units.distance} from west to east, ${text(northSouth)} ${units.distance} from south to north`;
}

/** Whether start and end are within a twentieth of the drawing. */
function isLoop(start: Place, end: Place, plane: Plane): boolean {
  const [[x1, y1], [x2, y2]] = [plane.spotOf(start), plane.spotOf(end)];
  return Math.hypot(x1 - x2, y1 - y2) < WIDTH / 20;
}
