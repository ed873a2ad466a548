/** Reads the activities of a logbook, with the names of their categories. The tree of categories stands before the activities. */

import { defined } from "../../../transforms/model/defined.ts";
import type { Archive, Entry } from "../../containers/archive.ts";
import { streamUnpacked, withoutGz } from "../../containers/gzip.ts";
import { XmlError, type XmlPlace, type XmlRecord, type XmlValue, xmlEach } from "../../formats/xml/each.ts";
import { membersOf } from "../../formats/xml/members.ts";
import type { RecordFound, RowSource } from "../table/description.ts";
import { headOf } from "../table/reading/head-of.ts";
import { recordSource } from "../table/sources/record-source.ts";
import { READ } from "./logbook-track.ts";
import { type Category, categoriesOf, routeSum, sportIn, withCategory } from "./values.ts";
import { newerOf, type Version, versionInFitlog, versionInLogbook } from "./versions.ts";

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

/** The activities by their attributes and the time of their last edit. */
const IDS: XmlPlace = { path: ACTIVITIES.path, skips: [...(ACTIVITIES.skips ?? []), "GPSRoute", "Laps"] };

/** Names and the root of fitlogs, and their activities without recorded series. */
const FITLOGS = /\.(fitlog\d?|xml)$/i;
const FITLOG_ROOT = /<FitnessWorkbook[\s>]/;
const IN_FITLOG: XmlPlace = {
  path: ["FitnessWorkbook", "AthleteLog", "Activity"],
  skips: ["Track", "TrackClock", "Laps", "DistanceMarkers"],
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
  const { newerInFitlog } = await besideOf(archive);
  let count = 0;
  for await (const { record, issue } of xmlEach(archive.stream(entry), ACTIVITIES, remark)) {
    const isOld = newerInFitlog.has(`${record?.referenceId}`);
    const value = record && { ...withCategory(record, categories), ...(isOld && { newerInFitlog: "true" }) };
    yield { value, place: `record ${++count}`, ...(issue !== undefined && { issue }) };
  }
}

/** Gives the activities as they stand, for their tracks. */
async function* wholeOf(archive: Archive, entry: Entry): AsyncGenerator<RecordFound> {
  let count = 0;
  for await (const { record } of xmlEach(archive.stream(entry), WITH_SERIES, () => {}))
    yield { value: record, place: `record ${++count}` };
}

/** What the logbooks of an archive and the fitlogs beside them say of each other's activities. */
interface Beside {
  readonly categories: ReadonlyMap<string, Category>;
  readonly versions: ReadonlyMap<string, Version>;
  /** The ids of a logbook's activities that a fitlog has in a newer state. */
  readonly newerInFitlog: ReadonlySet<string>;
  /** The seconds since 1970 at which activities start. A fitlog of another program has ids of its own, or none. */
  readonly starts: ReadonlySet<number>;
}

const beside = new WeakMap<Archive, Promise<Beside>>();

function besideOf(archive: Archive): Promise<Beside> {
  const known = beside.get(archive) ?? logbooksIn(archive);
  beside.set(archive, known);
  return known;
}

/**
 * Gives a function that adds members to an activity of a fitlog: `inLogbook`, if a logbook of the archive has the same activity in the same or in a newer
 * state, and `sport`, `kind` and `friend`, if it has the category. A fitlog has of a category only the last name. `inLogbook` is `open` if nothing shows
 * which of two states is newer.
 */
export async function besideLogbook(archive: Archive): Promise<(activity: XmlRecord) => XmlRecord> {
  const { categories, versions, starts } = await besideOf(archive);
  return (activity) => {
    const own = versions.get(`${activity.Id}`);
    const newer = own && newerOf(versionInFitlog(activity), own);
    const inLogbook = newer ?? (starts.has(secondOf(activity.StartTime)) ? "same" : "fitlog");
    const category = categories.get(`${membersOf(activity.Category).Id}`);
    return {
      ...activity,
      ...(category && defined(sportIn(category))),
      ...(inLogbook !== "fitlog" && { inLogbook }),
    };
  };
}

async function logbooksIn(archive: Archive): Promise<Beside> {
  const categories = new Map<string, Category>();
  const versions = new Map<string, Version>();
  const starts = new Set<number>();
  for (const entry of archive.entries()) {
    if (!FILES.test(entry.path) || !ROOT.test(await headOf(archive, entry))) continue;
    for (const [id, category] of await categoriesIn(archive, entry)) categories.set(id, category);
    try {
      for await (const { record } of xmlEach(archive.stream(entry), IDS, () => {})) {
        if (typeof record?.referenceId === "string") versions.set(record.referenceId, versionInLogbook(record));
        if (record?.hasStartTime === "true") starts.add(secondOf(record.startTime));
      }
    } catch (error) {
      // The logbook itself is read, too, and its fault is reported there.
      if (!(error instanceof XmlError)) throw error;
    }
  }
  // A time that can't be read is not the time of another one.
  starts.delete(Number.NaN);
  const newerInFitlog = versions.size === 0 ? new Set<string>() : await newerInFitlogs(archive, versions);
  return { categories, versions, newerInFitlog, starts };
}

async function newerInFitlogs(archive: Archive, versions: ReadonlyMap<string, Version>): Promise<ReadonlySet<string>> {
  const newer = new Set<string>();
  for (const entry of archive.entries()) {
    if (!FITLOGS.test(withoutGz(entry.path)) || !FITLOG_ROOT.test(await headOf(archive, entry))) continue;
    try {
      for await (const { record } of xmlEach(
        streamUnpacked(archive, entry, () => {}),
        IN_FITLOG,
        () => {},
      )) {
        const id = `${record?.Id}`;
        const own = versions.get(id);
        if (own !== undefined && record !== undefined && newerOf(versionInFitlog(record), own) === "fitlog")
          newer.add(id);
      }
    } catch (error) {
      // The fitlog itself is read, too, and its fault is reported there.
      if (!(error instanceof XmlError)) throw error;
    }
  }
  return newer;
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
