/**
 * Maps of the places where workouts began. Each area has a map without tiles, north up, with a graticule and a scale bar. A dotted map of
 * the earth shows the place of the areas. The page sends no request, so nobody learns where a person runs.
 */
import { zoneAt } from "../../../transforms/calendar.ts";
import type { Area, Report } from "../schema.ts";
import { type Html, html, made } from "./html.ts";
import { counted, type DistanceUnit, number, placeText } from "./wording.ts";

/** The most areas besides the first with a map of their own, and the fewest places of such an area. */
const INSETS = { most: 6, cells: 3 } as const;

/** The number of areas that the table shows before the rest folds. */
const NAMED = 8;

/** Metres of a degree of latitude: the earth's mean radius times π/180. */
const DEGREE = 111_195;

/** The smallest width of a map, in metres from edge to edge. A single place would otherwise be a point on white paper. */
const LEAST = 6_000;

/** The maps with their table and text; undefined without a place to draw. */
export function mapsOf({ places, log }: Report): Html | undefined {
  const areas = (places?.areas ?? []).map((area, index): Numbered => ({ ...area, place: index + 1 }));
  const [main, ...others] = areas;
  if (places === undefined || main === undefined) return undefined;
  const draw = (area: Numbered, size: Size) => mapOf(area, log.distanceUnit, size);
  const insets = others.filter(({ cells }) => cells.length >= INSETS.cells).slice(0, INSETS.most);
  return html`<div class="maps">
<div class="main-map">${draw(main, { width: 640, height: 430 })}</div>
${others.length > 0 && html`<div class="world">${worldOf(areas)}${tableOf(areas)}</div>`}
${insets.map((area) => html`<div class="inset">${draw(area, { width: 300, height: 210 })}</div>`)}
</div>`;
}

/** An area with its number, the same on every map. */
type Numbered = Area & { readonly place: number };

function tableOf(areas: readonly Numbered[]): Html {
  const rowOf = ({ place, zone, workouts, ...area }: Numbered) =>
    html`<tr><td>${place}</td><td class="text">${placeText(area)}${zone !== undefined && html` <span class="muted small">${zone}</span>`}</td><td>${number(workouts)}</td></tr>`;
  const head = html`<thead><tr><th scope="col">Area</th><th scope="col" class="text">Around</th><th scope="col">Workouts</th></tr></thead>`;
  const rest = areas.slice(NAMED);
  return html`<table><caption class="hidden">Areas</caption>${head}<tbody>${areas.slice(0, NAMED).map(rowOf)}</tbody></table>
${rest.length > 0 && html`<details><summary>${counted(rest.length, "more area")}</summary><table><caption class="hidden">More areas</caption>${head}<tbody>${rest.map(rowOf)}</tbody></table></details>`}`;
}

/** With more circles than this, a map is unreadable, and the file is long. */
const MOST_CIRCLES = 600;

/** The smallest radius of a circle with room for its number. */
const LABELLED = 11;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The plane of a drawing. `metres` is the length of one unit of the drawing. */
interface Plane extends Size {
  readonly metres: number;
  readonly south: number;
  readonly north: number;
  readonly west: number;
  readonly east: number;
  spotOf(lat: number, lon: number): readonly [x: number, y: number];
}

function mapOf(area: Numbered, unit: DistanceUnit, size: Size): Html {
  const { place } = area;
  const plane = planeOf(area, size);
  const mostHere = area.cells[0]?.workouts ?? 1;
  const [smallest, widest] = [3.5, size.height / 11];
  // The larger circles are drawn first, so that they don't hide the smaller ones.
  const circles = area.cells.slice(0, MOST_CIRCLES).map(({ lat, lon, workouts }) => {
    const [x, y] = plane.spotOf(lat, lon);
    const radius =
      mostHere === 1 ? smallest * 1.4 : smallest + (widest - smallest) * Math.sqrt((workouts - 1) / (mostHere - 1));
    const label =
      radius >= LABELLED &&
      html`<text class="count" x="${x}" y="${y + 4}" text-anchor="middle">${number(workouts)}</text>`;
    return html`<circle class="place" cx="${x}" cy="${y}" r="${round(radius)}"><title>${counted(workouts, "workout")}</title></circle>${label}`;
  });
  const name = area.zone === undefined ? placeText(area) : `${placeText(area)}, ${area.zone}`;
  const id = `map-${place}`;
  return html`<figure class="map">
<svg viewBox="0 0 ${size.width} ${size.height}" role="img" aria-labelledby="${id}-t ${id}-d"><title id="${id}-t">Area ${place}: around ${name}</title><desc id="${id}-d">${counted(area.workouts, "workout")} began in ${counted(area.cells.length, "square")} of about a kilometre.</desc>
${graticule(plane)}${circles}${scaleBar(plane, unit)}
</svg>
<figcaption><b>${place}</b> ${counted(area.workouts, "workout")} <span class="muted">around ${name}${area.cells.length > MOST_CIRCLES && `; drawn are the ${MOST_CIRCLES} of ${number(area.cells.length)} squares that most began in`}</span></figcaption>
</figure>`;
}

/** Around the middle of an area, the width of a degree of longitude is that of a degree of latitude times cos(latitude). */
function planeOf({ cells, lon: home }: Area, { width, height }: Size): Plane {
  const lats = cells.map(({ lat }) => lat);
  // Longitudes continue across the date line, so that an area on both sides of it stays in one piece.
  const lons = cells.map(({ lon }) => lon + (lon - home > 180 ? -360 : home - lon > 180 ? 360 : 0));
  const [south, north, west, east] = [least(lats), most(lats), least(lons), most(lons)];
  const narrowing = Math.max(0.05, Math.cos((((south + north) / 2) * Math.PI) / 180));
  const margin = width / 12;
  const metres = Math.max(
    ((east - west) * narrowing * DEGREE) / (width - 2 * margin),
    ((north - south) * DEGREE) / (height - 2 * margin),
    LEAST / width,
  );
  const [midLat, midLon] = [(south + north) / 2, (west + east) / 2];
  const [halfLat, halfLon] = [(height * metres) / 2 / DEGREE, (width * metres) / 2 / DEGREE / narrowing];
  return {
    width,
    height,
    metres,
    south: midLat - halfLat,
    north: midLat + halfLat,
    west: midLon - halfLon,
    east: midLon + halfLon,
    spotOf: (lat, lon) => {
      const counted = lon + (lon - midLon > 180 ? -360 : midLon - lon > 180 ? 360 : 0);
      return [
        round(width / 2 + ((counted - midLon) * narrowing * DEGREE) / metres),
        round(height / 2 - ((lat - midLat) * DEGREE) / metres),
      ];
    },
  };
}

/** This doesn't use `Math.min(...)`, because a list as long as an archive has too many items for arguments. */
function least(values: readonly number[]): number {
  return values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
}

function most(values: readonly number[]): number {
  return values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
}

/** Steps of a graticule, in degrees. */
const STEPS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30];

/** Lines of latitude and longitude, about four each way, with their degrees. */
function graticule(plane: Plane): Html {
  const { width, height, south, north, west, east } = plane;
  const step = STEPS.find((one) => Math.max((east - west) / one, (north - south) / one) <= 5) ?? 45;
  const digits = step >= 1 ? 0 : step >= 0.1 ? 1 : 2;
  const lines: Html[] = [];
  for (const lat of stepsBetween(south, north, step)) {
    const [, y] = plane.spotOf(lat, (west + east) / 2);
    const text = `${Math.abs(lat).toFixed(digits)}°${lat < 0 ? "S" : "N"}`;
    lines.push(
      html`<path class="grid" d="M0,${y}H${width}"/>${y > 26 && y < height - 34 && html`<text class="degree" x="${width - 4}" y="${y - 3}" text-anchor="end">${text}</text>`}`,
    );
  }
  for (const lon of stepsBetween(west, east, step)) {
    const [x] = plane.spotOf((south + north) / 2, lon);
    const turned = lon > 180 ? lon - 360 : lon < -180 ? lon + 360 : lon;
    const text = `${Math.abs(turned).toFixed(digits)}°${turned < 0 ? "W" : "E"}`;
    lines.push(
      html`<path class="grid" d="M${x},0V${height}"/>${x > 4 && x < width - 48 && html`<text class="degree" x="${x + 3}" y="11">${text}</text>`}`,
    );
  }
  return html`${lines}`;
}

function stepsBetween(from: number, to: number, step: number): readonly number[] {
  const steps: number[] = [];
  for (let at = Math.ceil(from / step); at * step < to; at++) steps.push(at * step);
  return steps;
}

/** A round length of at most a quarter of the width. */
function scaleBar({ metres, width, height }: Plane, unit: DistanceUnit): Html {
  const unitMetres = unit === "mi" ? 1609.344 : 1000;
  const longest = (width * metres) / 4 / unitMetres;
  const ten = 10 ** Math.floor(Math.log10(longest));
  const length = ([5, 2, 1].find((one) => one * ten <= longest) ?? 1) * ten;
  const right = round(10 + (length * unitMetres) / metres);
  const y = height - 10;
  return html`<path class="bar" d="M10,${y - 5}V${y}H${right}V${y - 5}"/><text x="14" y="${y - 6}">${number(length, length < 1 ? 1 : 0)} ${unit}</text>`;
}

/** Degrees between the dots of the earth, and the inhabited latitudes. */
const DOT = 2;
const [FARTHEST_SOUTH, FARTHEST_NORTH] = [-57, 78];

/**
 * Zones of islands cover much of the sea around them, so they don't count as land. `LARGE_ISLANDS` lists the zones of islands large enough
 * to be seen.
 */
const OF_ISLANDS = /^(Pacific|Atlantic|Indian|Antarctica)\//;
const LARGE_ISLANDS = ["Pacific/Auckland", "Pacific/Port_Moresby", "Atlantic/Reykjavik", "Indian/Antananarivo"];

function isLand(zone = "Etc/"): boolean {
  return !zone.startsWith("Etc/") && (!OF_ISLANDS.test(zone) || LARGE_ISLANDS.includes(zone));
}

/** The earth as dots of land, with the areas on it. logferry has no map of the earth, so a point in a nautical time zone counts as sea. */
function worldOf(areas: readonly Numbered[]): Html {
  const [width, scale] = [540, 1.5];
  const height = round((FARTHEST_NORTH - FARTHEST_SOUTH) * scale);
  const spot = (lat: number, lon: number) =>
    [round((lon + 180) * scale), round((FARTHEST_NORTH - lat) * scale)] as const;
  let land = "";
  for (let lat = FARTHEST_NORTH - DOT / 2; lat > FARTHEST_SOUTH; lat -= DOT) {
    let isBeside = false;
    for (let lon = -180 + DOT / 2; lon < 180; lon += DOT) {
      const isDot = isLand(zoneAt({ lat, lon }));
      if (isDot) land += isBeside ? `m${DOT * scale} 0h0` : `M${spot(lat, lon).join(" ")}h0`;
      isBeside = isDot;
    }
  }
  const marks = areas.map(({ lat, lon, place }) => {
    const [x, y] = spot(Math.min(FARTHEST_NORTH, Math.max(FARTHEST_SOUTH, lat)), lon);
    return html`<circle class="mark" cx="${x}" cy="${y}" r="8"><title>Area ${place}</title></circle>`;
  });
  return html`<figure class="map">
<svg viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="world-t world-d"><title id="world-t">The earth</title><desc id="world-d">Where on the earth the ${counted(areas.length, "area")} lie.</desc>
<path class="land" d="${made(land)}"/>${marks}
</svg>
</figure>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
