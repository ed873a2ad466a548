/**
 * Reads what togeojson leaves of a `<Placemark>`: the values of the points of its tracks (`<SimpleArrayData name="heartrate">`), and the sport. OpenTracks and
 * My Tracks, which it comes from, write both. Source: ../shared/platforms/other-loggers.md, and corpus other/.../example.kml.
 */
import type { DOMParser } from "@xmldom/xmldom";
import type { Feature, Geometry } from "geojson";
import type { Issue } from "../../../transforms/model/issue.ts";
import { type Draft, fill, READINGS } from "../gpx/readings.ts";
import type { Remarks } from "../xml/remarks.ts";
import { parseDecimal } from "../xml/values.ts";

type Document = ReturnType<DOMParser["parseFromString"]>;
type Element = Document["documentElement"];

/** The values of a point: heart rate, cadence, power and the like. */
export type PointValues = Draft;

/** The placemarks of a document. Each gets its number as its `id`, which togeojson hands on. */
export class Placemarks {
  readonly #all: readonly NonNullable<Element>[];
  /** Whether OpenTracks or My Tracks wrote the document. After a pause they begin another `<Track>`. */
  readonly isOfOpenTracks: boolean;

  /** Numbers the placemarks of a document. Call it before togeojson. */
  constructor(document: Document) {
    this.#all = elementsNamed(document, "Placemark");
    for (const [number, placemark] of this.#all.entries()) placemark.setAttribute("id", String(number));
    const makers = [...elementsNamed(document, "generator"), ...elementsNamed(document, "author")];
    this.isOfOpenTracks = makers.some(({ textContent }) => /open ?tracks|my ?tracks/i.test(textContent ?? ""));
  }

  /** The sport, in the format's own words: `running`. */
  sportOf({ properties }: Feature<Geometry | null>): string | undefined {
    const words = [properties?.activityType, this.isOfOpenTracks ? properties?.type : undefined];
    return words.find((word): word is string => typeof word === "string" && word.trim() !== "")?.trim();
  }

  /**
   * The values of each point of each track.
   *
   * @param lines the number of points of each line of the feature
   * @returns an empty list where the document has none, or not one for each point: a point could get the value of another one
   */
  valuesOf(
    { id }: Feature<Geometry | null>,
    lines: readonly number[],
    remarks: Remarks,
  ): readonly (readonly PointValues[])[] {
    const placemark = this.#all[Number(id)];
    if (placemark === undefined) return [];
    const tracks = elementsNamed(placemark, "Track");
    const arrays = tracks.flatMap((track, index) =>
      elementsNamed(track, "SimpleArrayData").flatMap((array) => {
        const reading = READINGS.get((array.getAttribute("name") ?? "").toLowerCase());
        // togeojson has the positions, and the distance between two points follows from them.
        return reading === undefined || reading === "distance" ? [] : [{ index, reading, array }];
      }),
    );
    if (arrays.length === 0) return [];
    const values = lines.map((count) => Array.from({ length: count }, (): PointValues => ({})));
    for (const { index, reading, array } of arrays) {
      const texts = elementsNamed(array, "value").map(({ textContent }) => (textContent ?? "").trim());
      const points = values[index] ?? [];
      if (tracks.length !== lines.length || texts.length !== points.length) {
        remarks.add(unmatched(array.getAttribute("name") ?? ""));
        continue;
      }
      for (const [at, text] of texts.entries()) {
        const [point, value] = [points[at], text === "" ? undefined : parseDecimal(text)];
        if (point !== undefined && value !== undefined) fill(point, reading, value);
      }
    }
    return values;
  }
}

function unmatched(field: string): Issue {
  return {
    severity: "warning",
    rule: "kml/values-unmatched",
    field,
    found: "values and points of different number",
    expected: "one value a point; these were left out",
  };
}

/** A copy of the list. xmldom's own list is live, and searches the whole document after each change (14,000 points took 115 s). */
export function elementsNamed(parent: Pick<Document, "getElementsByTagNameNS">, name: string) {
  return Array.from(parent.getElementsByTagNameNS("*", name));
}
