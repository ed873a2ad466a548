/** An activity that a logbook and a fitlog have, each in a state of its own. The newer one counts. */
import type { XmlRecord, XmlValue } from "../../formats/xml/each.ts";
import { membersOf, numberOf } from "../../formats/xml/members.ts";
import { withPoints } from "./commas.ts";

/** An activity as one file has it. */
export interface Version {
  /** When it was edited last, in milliseconds since 1970: the earliest and the latest. A time without a zone may be of any. */
  readonly edited: readonly [from: number, to: number] | undefined;
  readonly numbers: readonly (number | undefined)[];
  readonly texts: readonly (string | undefined)[];
}

/** The most that a clock may be from UTC. */
const FARTHEST = 14 * 3_600_000;

function editedAt(text: XmlValue | undefined): Version["edited"] {
  if (typeof text !== "string") return undefined;
  const hasZone = /(?:Z|[-+]\d\d:?\d\d)$/.test(text);
  const instant = Date.parse(hasZone ? text : `${text}Z`);
  const off = hasZone ? 0 : FARTHEST;
  return Number.isNaN(instant) ? undefined : [instant - off, instant + off];
}

function secondOf(text: XmlValue | undefined): number | undefined {
  const instant = typeof text === "string" ? Date.parse(text) : Number.NaN;
  return Number.isNaN(instant) ? undefined : instant / 1000;
}

const textOf = (value: XmlValue | undefined) => (typeof value === "string" ? value.trim() : "");

/** The version of a logbook's activity. */
export function versionInLogbook(written: XmlRecord): Version {
  const activity = withPoints(written);
  return {
    edited: editedAt(membersOf(activity.Metadata).modified),
    numbers: [
      secondOf(activity.startTime),
      ...[activity.totalTime, activity.totalDistance, activity.intensity].map((each) => numberOf(each)),
    ],
    texts: [activity.name, activity.notes, activity.categoryId].map(textOf),
  };
}

/** The version of a fitlog's activity. What it lacks is not compared. */
export function versionInFitlog(written: XmlRecord): Version {
  const activity = withPoints(written);
  const inside = (element: string, member: string) => membersOf(activity[element])[member];
  const category = textOf(inside("Category", "Id"));
  return {
    edited: editedAt(inside("Metadata", "Modified")),
    numbers: [
      secondOf(activity.StartTime),
      numberOf(inside("Duration", "TotalSeconds")),
      numberOf(inside("Distance", "TotalMeters")),
      numberOf(inside("Intensity", "Value")),
    ],
    texts: [textOf(activity.Name), textOf(activity.Notes), category === "" ? undefined : category],
  };
}

/** Says which version is newer; `same` if they have the same values; `open` if they differ and no time tells them apart. */
export function newerOf(fitlog: Version, logbook: Version): "fitlog" | "logbook" | "same" | "open" {
  if (fitlog.edited !== undefined && logbook.edited !== undefined) {
    if (fitlog.edited[0] > logbook.edited[1]) return "fitlog";
    if (fitlog.edited[1] < logbook.edited[0]) return "logbook";
  }
  const areNear = fitlog.numbers.every(
    (value, at) => value === undefined || Math.abs(value - (logbook.numbers[at] ?? 0)) <= 1,
  );
  return areNear && fitlog.texts.every((text, at) => text === undefined || text === logbook.texts[at])
    ? "same"
    : "open";
}
