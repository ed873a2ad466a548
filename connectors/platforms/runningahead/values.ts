/** Reads values that need more than a column: sports and subtypes by number, weather by the names of elements, and intervals. */
import type { Position } from "../../../transforms/geo.ts";
import type { XmlRecord, XmlValue } from "../../formats/xml/each.ts";
import { elementsOf, membersOf, numberOf } from "../../formats/xml/members.ts";
import { positionOf } from "../table/files/points.ts";
import type { TableLap } from "../table/mapping/fields.ts";
import type { CellOf } from "../table/mapping/shown-units.ts";

/** Units in both exports, old and new. */
const UNITS: Readonly<Record<string, string>> = {
  mile: "mi",
  mi: "mi",
  kilometer: "km",
  km: "km",
  meter: "m",
  m: "m",
  yard: "yd",
  yd: "yd",
};

/** The unit of a distance; undefined for any other word. */
export function unitOf(word: string): string | undefined {
  return UNITS[word.toLowerCase()];
}

/** The numbers of activities and subtypes are stable. Their names are in the language of the log, and its owner may have changed them. */
const SPORTS: Readonly<Record<string, string>> = { 10: "run", 12: "swim" };
const SUBTYPES: Readonly<Record<string, string>> = { "10/3": "interval", "10/6": "race", "12/2": "breast stroke" };

/** Adds sport, kind of training and weather in words to an event. */
export function withWords(event: XmlRecord): XmlRecord {
  const type = textOf(event.type);
  const conditions = membersOf(membersOf(event.EnvironmentalConditions).Conditions);
  return {
    ...event,
    sport: SPORTS[type] ?? textOf(event.typeName),
    kind: SUBTYPES[`${type}/${textOf(event.subtype)}`] ?? textOf(event.subtypeName),
    weather: Object.keys(conditions).join(","),
  };
}

/** The floating time of an event. The export's `Z` is wrong. A day without a time has ten characters. */
export function localTimeOf(text: string): string {
  return text.replace(/Z$/, "");
}

/** The intervals of a set. */
export function intervalsOf(value: unknown): readonly TableLap[] {
  return [value].flat().map((each) => {
    const interval = membersOf(each as XmlValue);
    const distance = membersOf(interval.Distance);
    const unit = unitOf(textOf(distance.unit));
    const length = Number(textOf(distance["text()"]));
    const seconds = Number(textOf(membersOf(interval.Duration).seconds));
    return {
      intensity:
        ({ 0: "interval", 1: "recovery" } as Record<string, string>)[textOf(interval.type)] ??
        textOf(interval.typeName),
      ...(unit !== undefined && length > 0 && { distance: { unit: unit as "km", value: length } }),
      ...(seconds > 0 && { timer: seconds }),
    };
  });
}

/** Make, model and serial number of the shoe in a row. Together they identify the shoe. */
export function shoeOf(cellOf: CellOf): string {
  return ["ShoeMake", "ShoeModel", "ShoeSerial"]
    .map(cellOf)
    .filter((text) => text !== "")
    .join(" ");
}

/** The beginning of a log of Runner's World, whose courses and events are others. */
export const OF_RUNNERS_WORLD =
  /<EventCollection>\s{0,100}<(?:Run|Bike|Swim|Generic)\b|<Course>\s{0,100}<ID>|<Course [^>]{0,1000}\bID="/;

/** The places on the map of a course. */
export function placesOf(route: unknown): readonly Position[] {
  return elementsOf(membersOf(route as XmlValue).WayPoints, "LatLng").flatMap(
    ({ lat, lng }) => positionOf(numberOf(lat), numberOf(lng)) ?? [],
  );
}

/** Notes have `<br>` for each line end. */
export function withLineEnds(text: string): string {
  return text.replaceAll(/<br ?\/?>/gi, "\n");
}

function textOf(value: XmlValue | undefined): string {
  return typeof value === "string" ? value : "";
}
