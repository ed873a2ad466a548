/** Reads the activities of a logbook, with the names of their categories. The tree of categories stands before the activities. */

import { defined } from "../../../transforms/model/defined.ts";
import type { Archive, Entry } from "../../containers/archive.ts";
import { XmlError, type XmlPlace, type XmlRecord, type XmlValue, xmlEach } from "../../formats/xml/each.ts";
import { membersOf } from "../../formats/xml/members.ts";
import type { RecordFound, RowSource } from "../table/description.ts";
import { headOf } from "../table/reading/head-of.ts";
import { recordSource } from "../table/sources/record-source.ts";
import { READ } from "./logbook-track.ts";
import { type Category, categoriesOf, routeSum, sportIn, withCategory } from "./values.ts";

/** Names of logbooks. `.logbook3` has the same format. */
const FILES = /\.logbook\d?$/i;

/** The root element, in the program's own namespace. */
const ROOT = /<Logbook\b[^>]{0,1000}urn:uuid:D0EB2ED5-49B6-44e3-B13C-CF15BE7DD7DD/i;

/** Recorded series in base64. */
const TRACKS = [
  "HeartRate",
  "DistanceMeters",
  "Distance",
  "ElevationMeters",
  "Elevation",
  "Cadence",
  "Power",
  "PowerWatts",
];

/** The activities with the series that a track is made of. */
const WITH_SERIES: XmlPlace = {
  path: ["Logbook", "Activities", "Activity"],
  skips: TRACKS.map((name) => `${name}Track`).filter((name) => !READ.some((read) => read === name)),
};

const ACTIVITIES: XmlPlace = {
  path: ["Logbook", "Activities", "Activity"],
  skips: TRACKS.map((name) => `${name}Track`),
  sums: { GPSRoute: routeSum },
};

/** The activities by their attributes alone. */
const IDS: XmlPlace = { path: ACTIVITIES.path, skips: [...(ACTIVITIES.skips ?? []), "GPSRoute", "Laps", "Metadata"] };

/** Finds logbooks and gives their activities. */
export function logbook(): RowSource {
  return recordSource({
    files: FILES,
    knownBy: ["startTime"],
    eachIsKnown: true,
    isKnown: (head) => ROOT.test(head),
    records: activitiesOf,
    whole: wholeOf,
    issueOf: (error) => (error instanceof XmlError ? error.issue : undefined),
  });
}

async function* activitiesOf(
  archive: Archive,
  entry: Entry,
  remark: Parameters<typeof xmlEach>[2],
): AsyncGenerator<RecordFound> {
  const categories = await categoriesIn(archive, entry);
  let count = 0;
  for await (const { record } of xmlEach(archive.stream(entry), ACTIVITIES, remark))
    yield { value: record && withCategory(record, categories), place: `record ${++count}` };
}

/** Gives the activities as they stand, for their tracks. */
async function* wholeOf(archive: Archive, entry: Entry): AsyncGenerator<RecordFound> {
  let count = 0;
  for await (const { record } of xmlEach(archive.stream(entry), WITH_SERIES, () => {}))
    yield { value: record, place: `record ${++count}` };
}

/** What the logbooks of an archive say of the activities in fitlogs beside them. */
interface Beside {
  readonly categories: ReadonlyMap<string, Category>;
  readonly ids: ReadonlySet<string>;
  /** The seconds since 1970 at which activities start. A fitlog of another program has ids of its own, or none. */
  readonly starts: ReadonlySet<number>;
}

const beside = new WeakMap<Archive, Promise<Beside>>();

/**
 * Gives a function that adds members to an activity of a fitlog: `inLogbook`, if a logbook of the archive has the same activity, and `sport`, `kind` and
 * `friend`, if it has the category. A fitlog has of a category only the last name.
 */
export async function besideLogbook(archive: Archive): Promise<(activity: XmlRecord) => XmlRecord> {
  const known = beside.get(archive) ?? logbooksIn(archive);
  beside.set(archive, known);
  const { categories, ids, starts } = await known;
  return (activity) => {
    const category = categories.get(`${membersOf(activity.Category).Id}`);
    return {
      ...activity,
      ...(category && defined(sportIn(category))),
      ...((ids.has(`${activity.Id}`) || starts.has(secondOf(activity.StartTime))) && { inLogbook: "true" }),
    };
  };
}

async function logbooksIn(archive: Archive): Promise<Beside> {
  const categories = new Map<string, Category>();
  const ids = new Set<string>();
  const starts = new Set<number>();
  for (const entry of archive.entries()) {
    if (!FILES.test(entry.path) || !ROOT.test(await headOf(archive, entry))) continue;
    for (const [id, category] of await categoriesIn(archive, entry)) categories.set(id, category);
    try {
      for await (const { record } of xmlEach(archive.stream(entry), IDS, () => {})) {
        if (typeof record?.referenceId === "string") ids.add(record.referenceId);
        if (record?.hasStartTime === "true") starts.add(secondOf(record.startTime));
      }
    } catch (error) {
      // The logbook itself is read, too, and its fault is reported there.
      if (!(error instanceof XmlError)) throw error;
    }
  }
  // A time that can't be read is not the time of another one.
  starts.delete(Number.NaN);
  return { categories, ids, starts };
}

/** The second of a time that has its distance from UTC; NaN for any other. */
function secondOf(time: XmlValue | undefined): number {
  return typeof time === "string" && /(?:Z|[+-]\d{2}:\d{2})$/.test(time)
    ? Math.floor(Date.parse(time) / 1000)
    : Number.NaN;
}

async function categoriesIn(archive: Archive, entry: Entry): Promise<ReadonlyMap<string, Category>> {
  try {
    for await (const { record } of xmlEach(
      archive.stream(entry),
      { path: ["Logbook", "ActivityCategories"] },
      () => {},
    ))
      return categoriesOf(record ?? {});
  } catch (error) {
    // The activities are read next, and end at the same fault.
    if (!(error instanceof XmlError)) throw error;
  }
  return new Map();
}
