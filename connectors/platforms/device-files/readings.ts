/** Turns one device file into workouts and courses. A file is rejected if it was read already, or if it holds neither. */
import type { Issue, Origin } from "../../../transforms/model/issue.ts";
import type { Reading } from "../../../transforms/model/item.ts";
import type { TrackRef, UnsupportedValue, Workout } from "../../../transforms/model/workout.ts";
import type { Entry } from "../../containers/archive.ts";
import type { Device, Recording, Route } from "../../formats/recording.ts";
import { hasTrack, isPlannedTour, isTransition, timerIssue, toWorkout } from "../from-recording.ts";
import { reportFileOwner } from "../report-owner.ts";
import { type Scanned, scanFile } from "../scan-file.ts";
import type { ReadSession } from "../session.ts";

/** The files read so far: their names by content and by device, with the first entry that had each name. */
export type KnownFiles = Map<string, string>;

/**
 * The names that identify a file: its content, and the serial and creation time that a FIT file keeps through any edit. The number of recordings is
 * part of the name, because a file of several chained recordings has the name of the first one.
 */
function fileNamesOf({ file, sha256 }: Scanned): readonly string[] {
  const own = deviceName(file.device);
  return own === undefined ? [sha256.slice(0, 32)] : [sha256.slice(0, 32), `${own}#${file.recordings.length}`];
}

/** The same name in every file. It is unique, because a device begins one recording at a time; undefined if the file lacks serial or start. */
function recordingName({ serial, manufacturer }: Device, { start }: Recording): string | undefined {
  // A program has no serial. Its rider does one ride at a time.
  const device = serial ?? (manufacturer === "zwift" ? manufacturer : undefined);
  return device === undefined || start === undefined ? undefined : `${device}@${start}`;
}

/** All names that identify a file or one of its recordings. */
export function namesOf(scanned: Scanned): readonly string[] {
  const { device, recordings } = scanned.file;
  const own = recordings.map((recording) => recordingName(device, recording));
  return [...fileNamesOf(scanned), ...own.filter((name) => name !== undefined)];
}

/**
 * Reads one entry.
 *
 * @param prefix begins every key: the connector's name
 * @param known files read before. The entry is added to it if it holds a recording or a course
 * @param scan as `scanFile`, which is the default
 */
export async function* readDeviceFile(
  session: ReadSession,
  entry: Entry,
  prefix: string,
  known: KnownFiles,
  scan: (entry: Entry) => Promise<Scanned | Issue> = (one) => scanFile(session.archive, one),
): AsyncGenerator<Reading> {
  const scanned = await scan(entry);
  yield* readingsOfScan(session, entry, prefix, known, scanned);
}

/** Reads an entry that was scanned before. */
export function* readingsOfScan(
  session: ReadSession,
  entry: Entry,
  prefix: string,
  known: KnownFiles,
  scanned: Scanned | Issue,
): Generator<Reading> {
  const origin = session.origin(entry.path);
  if ("rule" in scanned) {
    yield session.reject("quarantined", `${prefix}:file:${fileName(entry)}`, origin, scanned);
    return;
  }
  reportFileOwner(session, entry.path, scanned);
  const { file, sha256 } = scanned;
  const id = deviceName(file.device) ?? sha256.slice(0, 32);
  const key = `${prefix}:${id}`;
  if (file.recordings.length + file.routes.length === 0) {
    yield session.reject(...reasonOf(file.issues), `${key}:file`, origin, mainIssue(file.issues));
    return;
  }
  const sameRecording = (path: string): Issue => ({
    severity: "info",
    rule: "device-files/same-recording",
    found: `the same recording as ${path}`,
  });
  const copyOf = (name: string | undefined) => {
    const path = known.get(name ?? "");
    // An earlier read of another part of this file doesn't make it a copy of itself.
    return path === entry.path ? undefined : path;
  };
  const duplicate = fileNamesOf(scanned)
    .map(copyOf)
    .find((path) => path !== undefined);
  if (duplicate !== undefined) {
    yield session.reject("skipped", `${key}:copy`, origin, sameRecording(duplicate));
    return;
  }
  const duplicates = file.recordings.map((recording) => copyOf(recordingName(file.device, recording)));
  for (const name of namesOf(scanned)) if (!known.has(name)) known.set(name, entry.path);
  for (const issue of file.issues) session.report(issue, origin);

  const many = file.recordings.length > 1;
  for (const [index, recording] of file.recordings.entries()) {
    const place = many ? session.origin(entry.path, `recording ${index + 1}`) : origin;
    const path = duplicates[index];
    if (path !== undefined) yield session.reject("skipped", `${key}:${index}:copy`, place, sameRecording(path));
    else yield readingOf(session, recording, { index, key: `${key}:${index}`, origin: place, scanned });
  }
  for (const [line, route] of file.routes.entries()) {
    const place = file.routes.length > 1 ? session.origin(entry.path, `line ${line + 1} of the map`) : origin;
    if (route.distance?.value === 0) {
      yield session.reject("skipped", `${key}:course:${line}`, place, PLACE);
      continue;
    }
    yield courseOf(session, route, { index: line, key: `${key}:course:${line}`, origin: place, scanned });
  }
}

/** A map has such a route, which has no length and is only a place. */
const PLACE: Issue = {
  severity: "info",
  rule: "device-files/single-place",
  found: "a route that stays in one place",
  expected: "two places or more: a course has a length",
};

/** A recording or a route of a file. */
interface PartOfFile {
  /** Its number among the recordings, or among the routes, of the file. From 0. */
  readonly index: number;
  readonly key: string;
  readonly origin: Origin;
  readonly scanned: Scanned;
}

function readingOf(session: ReadSession, recording: Recording, part: PartOfFile): Reading {
  const { index, key, origin } = part;
  const { file, sha256 } = part.scanned;
  if (isTransition(recording)) {
    return session.reject("skipped", key, origin, {
      severity: "info",
      rule: "device-files/transition",
      found: "the change between two legs",
    });
  }
  if (isPlannedTour(recording)) {
    return session.reject("skipped", key, origin, {
      severity: "info",
      rule: "device-files/planned-tour",
      found: "a tour of Komoot that was planned: its times are estimated",
    });
  }
  const workout = toWorkout(recording, session.context.sports);
  const { format } = file;
  const issue = timerIssue(recording);
  if (issue !== undefined) session.report(issue, origin);
  const track: TrackRef | undefined =
    (format === "fit" || format === "gpx" || format === "tcx") && hasTrack(recording)
      ? {
          ...{ entry: origin.entry, format, recording: index, recordings: file.recordings.length, sha256 },
          ...(recording.isCorrected && { corrected: true }),
        }
      : undefined;
  const lost: UnsupportedValue[] =
    format === "kml" || format === "kmz" ? [{ field: "track", value: `${recording.pointCount} points of KML` }] : [];
  const unsupported = [...(workout.unsupported ?? []), ...lost];
  const value: Workout = {
    ...workout,
    ...(track !== undefined && { track }),
    ...(unsupported.length > 0 && { unsupported }),
  };
  return { kind: "workout", key: session.unique(key), value, origin };
}

function courseOf(session: ReadSession, { name, notes, distance }: Route, part: PartOfFile): Reading {
  const { index, key, origin } = part;
  const { file, sha256 } = part.scanned;
  const { format } = file;
  return {
    kind: "course",
    key: session.unique(key),
    origin,
    value: {
      name: isSaid(name) ? name.trim() : withoutEnding(origin.entry),
      ...(isSaid(notes) && { notes: notes.trim() }),
      ...(distance !== undefined && { distance }),
      ...(format !== undefined && { map: { entry: origin.entry, format, line: index, sha256 } }),
    },
  };
}

/** The state of a file without recordings and routes. A settings file is skipped. A damaged file is quarantined, so that a person looks at it. */
function reasonOf(issues: readonly Issue[]): ["skipped" | "quarantined"] {
  return [mainIssue(issues).severity === "info" ? "skipped" : "quarantined"];
}

function mainIssue(issues: readonly Issue[]): Issue {
  return (
    issues.find(({ severity }) => severity === "error") ??
    issues.find(({ rule }) => rule.endsWith("/no-activity")) ??
    issues[0] ?? { severity: "error", rule: "device-files/nothing", expected: "a recording or a route" }
  );
}

/** Serial and creation time: the permanent name that a device gives a recording; undefined if one of the two is missing. */
function deviceName({ serial, timeCreated }: Device): string | undefined {
  return serial === undefined || timeCreated === undefined ? undefined : `${serial}-${timeCreated}`;
}

function fileName({ path }: Entry): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function withoutEnding(path: string): string {
  return path
    .slice(path.lastIndexOf("/") + 1)
    .replace(/\.gz$/i, "")
    .replace(/\.[^.]+$/, "");
}

function isSaid(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== "";
}
