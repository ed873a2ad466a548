/** Reads the activities of a logbook, with the names of their categories. The tree of categories stands before the activities. */
import type { Archive, Entry } from "../../containers/archive.ts";
import { XmlError, type XmlPlace, xmlEach } from "../../formats/xml/each.ts";
import type { RecordFound, RowSource } from "../table/description.ts";
import { recordSource } from "../table/sources/record-source.ts";
import { READ } from "./logbook-track.ts";
import { type Category, categoriesOf, routeSum, withCategory } from "./values.ts";

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
