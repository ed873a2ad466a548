/**
 * Reads the exercises of ProTrainer 5 and Precision Performance. Each is an HRM file, with its data in the file of the day. An exercise that only
 * the file of the day has is a row too.
 */
import type { Issue } from "../../../transforms/model/issue.ts";
import type { Archive, Entry } from "../../containers/archive.ts";
import { CUT_DAY, type PddDay, type PddExercise, readPdd } from "../../formats/hrm/day.ts";
import { type HrmExercise, readHrm, secondsOf } from "../../formats/hrm/read.ts";
import type { RecordFound, RowSource } from "../table/description.ts";
import type { TableLap } from "../table/mapping/fields.ts";
import { recordSource } from "../table/sources/record-source.ts";

type Remark = (issue: Issue) => void;

/** The error for a file of a day that lacks exercises, after those that it has. */
class CutDayError extends Error {
  readonly issue: Issue;

  constructor(issue: Issue) {
    super(issue.rule);
    this.issue = issue;
  }
}

/** Finds HRM files and files of days. */
export function proTrainer(): RowSource {
  return recordSource({
    files: /\.(hrm|pdd)$/i,
    knownBy: ["start"],
    eachIsKnown: true,
    isKnown: (head) => /^\s*\[(?:Params|DayInfo)\]/i.test(head),
    records: (archive, entry, remark) =>
      /\.pdd$/i.test(entry.path) ? rowsOfDay(archive, entry, remark) : rowOfHrm(archive, entry, remark),
    issueOf: (error) => (error instanceof CutDayError ? error.issue : undefined),
  });
}

async function* rowOfHrm(archive: Archive, entry: Entry, remark: Remark): AsyncGenerator<RecordFound> {
  const hrm = await readHrm(archive.stream(entry), remark);
  const { folder, name } = placeOf(entry);
  const day = filesOf(archive).get(`${folder}${hrm.params.Date ?? ""}.pdd`);
  const exercises = day === undefined ? [] : (await readPdd(archive.stream(day), () => {})).exercises;
  const isNamed = (file: string) => file.toLowerCase() === name;
  const own = exercises.find((each) => isNamed(each.hrm));
  const twin = exercises.find((each) => isNamed(each.beats))?.hrm ?? twinOf(archive, entry);
  const value = { ...membersOfHrm(hrm), ...(own && membersOfDay(own, archive, entry)), twin };
  const notes = [own?.note, hrm.note].filter((note, index, all) => note && all.indexOf(note) === index);
  yield { value: { ...value, notes: notes.join("\n") }, place: undefined };
}

async function* rowsOfDay(archive: Archive, entry: Entry, remark: Remark): AsyncGenerator<RecordFound> {
  let cut: Issue | undefined;
  const day = await readPdd(archive.stream(entry), (issue) => {
    if (issue.rule === CUT_DAY) cut = issue;
    else remark(issue);
  });
  const { folder } = placeOf(entry);
  for (const [index, exercise] of day.exercises.entries()) {
    if (exercise.hrm !== "" && filesOf(archive).has(`${folder}${exercise.hrm.toLowerCase()}`)) continue;
    const alone = { start: startOf(day, exercise), untimed: exercise.start === 0 ? "true" : undefined };
    const value = {
      ...alone,
      seconds: exercise.seconds,
      notes: exercise.note,
      ...membersOfDay(exercise, archive, entry),
    };
    yield { value, place: `exercise ${index + 1}` };
  }
  // An exercise is missing, and nobody knows what it was.
  if (cut !== undefined) throw new CutDayError(cut);
}

/** Gives the note of a day. It belongs to none of its exercises. */
export function dayNotes(): RowSource {
  return recordSource({
    files: /\.pdd$/i,
    knownBy: ["day"],
    eachIsKnown: true,
    isKnown: (head) => /^\s*\[DayInfo\]/i.test(head),
    async *records(archive, entry) {
      // What is wrong with the file is told with its exercises.
      const { date, note } = await readPdd(archive.stream(entry), () => {});
      yield { value: { day: date ?? "", note }, place: undefined };
    },
    issueOf: () => undefined,
  });
}

/** The data about an exercise in a file of the day. */
function membersOfDay(exercise: PddExercise, archive: Archive, entry: Entry) {
  const gpx = filesOf(archive).get(`${placeOf(entry).folder}${exercise.gpx.toLowerCase()}`);
  return {
    title: exercise.title,
    sport: `ProTrainer sport ${exercise.sport}`,
    metres: exercise.metres,
    kilocalories: exercise.kilocalories,
    feeling: exercise.feeling,
    recovery: exercise.recovery,
    link: exercise.link,
    gpx: gpx === undefined ? exercise.gpx : gpx.path.slice(placeOf(entry).folder.length),
  };
}

function membersOfHrm(hrm: HrmExercise) {
  const { Date: day = "", StartTime = "", Length = "", ...settings } = hrm.params;
  const date = day.replace(/^(\d{4})(\d\d)(\d\d)$/, "$1-$2-$3");
  return {
    start: `${date} ${StartTime}`.trim(),
    untimed: secondsOf(StartTime) === 0 ? "true" : undefined,
    seconds: secondsOf(Length),
    distance: hrm.distance,
    unit: hrm.units === undefined ? undefined : hrm.units === "US" ? "mi" : "km",
    avgHR: hrm.avgHR,
    maxHR: hrm.maxHR,
    lapList: lapsOf(hrm),
    lapDistances: lapsWithoutMetres(hrm),
    lapNotes: hrm.lapNotes.join("\n"),
    series: hrm.series.join(", "),
    settings,
    ...Object.fromEntries(hrm.unknown.map((section) => [`[${section}]`, ""])),
  };
}

/** Makes laps of their splits. */
function lapsOf(hrm: HrmExercise): readonly TableLap[] {
  return hrm.laps.map((lap, index) => {
    const metres = metresOf(lap, hrm);
    return {
      timer: Math.round((lap.end - (hrm.laps[index - 1]?.end ?? 0)) * 1000) / 1000,
      ...(metres !== undefined && { distance: { unit: "m", value: metres } }),
    };
  });
}

/** The metres of a lap, if the file is metric and the lap isn't longer than the trip. */
function metresOf(
  { distance: metres }: HrmExercise["laps"][number],
  { units, distance = Number.POSITIVE_INFINITY }: HrmExercise,
): number | undefined {
  return units === "metric" && metres !== undefined && metres <= distance * 1000 + ROUNDED ? metres : undefined;
}

/** The number of laps whose distance stays out. */
function lapsWithoutMetres(hrm: HrmExercise): number {
  return hrm.laps.filter((lap) => (lap.distance ?? 0) > 0 && metresOf(lap, hrm) === undefined).length;
}

/** The distance of a trip is in tenths of kilometres, so it may lack this many metres. */
const ROUNDED = 100;

function startOf({ date }: PddDay, { start }: PddExercise): string {
  const two = (value: number) => String(value).padStart(2, "0");
  const time = [Math.floor(start / 3600), Math.floor(start / 60) % 60, start % 60].map(two).join(":");
  return date === undefined ? "" : `${date} ${time}`;
}

/** The name of a file with the same beats, if there is one. `07051901.rr.hrm` has the beats of `07051901.hrm`. */
function twinOf(archive: Archive, entry: Entry): string | undefined {
  const { folder, name } = placeOf(entry);
  const other = name.replace(/\.rr\.hrm$/, ".hrm");
  return other !== name && filesOf(archive).has(folder + other) ? other : undefined;
}

/** The unchanged folder of an entry, and its name in lower case. Windows writes names in upper or lower case. */
function placeOf({ path }: Entry): { readonly folder: string; readonly name: string } {
  const at = path.lastIndexOf("/") + 1;
  return { folder: path.slice(0, at), name: path.slice(at).toLowerCase() };
}

const filesByArchive = new WeakMap<Archive, ReadonlyMap<string, Entry>>();

/** All files of an archive, by folder and by name in lower case. */
function filesOf(archive: Archive): ReadonlyMap<string, Entry> {
  const known = filesByArchive.get(archive);
  if (known !== undefined) return known;
  const files = new Map<string, Entry>();
  for (const entry of archive.entries()) {
    const { folder, name } = placeOf(entry);
    files.set(folder + name, entry);
  }
  filesByArchive.set(archive, files);
  return files;
}
