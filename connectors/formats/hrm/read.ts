/**
 * Reads Polar's HRM: an exercise as a text with sections. The recorded rows are summed up while they are read, so memory doesn't grow with
 * the file. Sources: GoldenCheetah PolarRideFile.cpp, SportsTracker PolarHRMParser.kt and Runalyze Hrm.php.
 */
import type { Issue } from "../../../transforms/model/issue.ts";
import { type SectionLine, sectionLines } from "./sections.ts";

/** A lap: the time from the start to its end, and its distance as it is written. */
export interface HrmLap {
  /** Seconds. */
  readonly end: number;
  /** Metres in files with metric units. In files with US units the unit isn't established. */
  readonly distance: number | undefined;
}

/** An exercise. */
export interface HrmExercise {
  /** The lines `name=value` of Params. */
  readonly params: Readonly<Record<string, string>>;
  readonly units: "metric" | "US" | undefined;
  readonly note: string;
  readonly laps: readonly HrmLap[];
  /** Notes on laps: the number of the lap and the text. */
  readonly lapNotes: readonly string[];
  /** Kilometres or miles, by `units`: the distance of the trip, else the sum of the recorded speed. */
  readonly distance: number | undefined;
  /** Mean and maximum of the recorded heart rates above 0. Recorded beats give no maximum, because a missed beat makes a false one. */
  readonly avgHR: number | undefined;
  readonly maxHR: number | undefined;
  /** The recorded values: `heart rate, speed`. */
  readonly series: readonly string[];
  /** Names of sections that this reader doesn't know. */
  readonly unknown: readonly string[];
}

/** Sections without values of the workout: summaries by zones, limits and settings. */
const LEFT = ["ExtraData", "Summary-123", "Summary-TH", "HRZones", "SwapTimes", "Coach", "HRCCModeCh", "LapNames"];
const READ = ["Params", "Note", "IntTimes", "IntNotes", "Trip"];

/** Lines of a section that are read. No watch records as many laps. */
const MOST_LINES = 10_000;

/** The interval of a file whose rows are the milliseconds between two beats. */
const BEATS = "238";

/** From this version on, a lap has five lines with a distance. Before, it has three. */
const FIVE_LINES = 106;

const COLUMNS = ["speed", "cadence", "altitude", "power", "balance", "pedalling"];

/** Reads a file. Errors of the stream are thrown through. */
export async function readHrm(chunks: AsyncIterable<Uint8Array>, report: (issue: Issue) => void): Promise<HrmExercise> {
  const lines = new Map<string, string[]>();
  const unknown = new Set<string>();
  const data = new DataSum();
  for await (const { section, line } of sectionLines(chunks, report)) {
    if (section === "HRData") data.add(line);
    else if (READ.includes(section)) keep(lines, { section, line });
    else if (section !== "" && !LEFT.includes(section)) unknown.add(section);
  }
  const params = paramsOf(lines.get("Params") ?? []);
  const mode = modeOf(params);
  const sums = data.sums(params.Interval === BEATS);
  const trip = Number(lines.get("Trip")?.[0]);
  const travelled = mode.hasSpeed ? sums.speed * (Number(params.Interval) / 3600) : Number.NaN;
  const distance = (trip > 0 ? trip : travelled) / 10;
  return {
    params,
    units: mode.units,
    note: (lines.get("Note") ?? []).join("\n").trim(),
    laps: lapsOf(lines.get("IntTimes") ?? [], Number(params.Version) >= FIVE_LINES ? 5 : 3),
    lapNotes: (lines.get("IntNotes") ?? []).flatMap((line) => line.trim().replace(/\t+/, ": ") || []),
    distance: distance > 0 ? Math.round(distance * 1e6) / 1e6 : undefined,
    avgHR: sums.mean,
    maxHR: sums.max,
    series: sums.rows === 0 ? [] : [params.Interval === BEATS ? "beats" : "heart rate", ...mode.series],
    unknown: [...unknown],
  };
}

function keep(lines: Map<string, string[]>, { section, line }: SectionLine): void {
  const before = lines.get(section) ?? [];
  if (before.length < MOST_LINES) before.push(line);
  lines.set(section, before);
}

function paramsOf(lines: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    lines.flatMap((line) => {
      const [, name, value] = /^([^=]{1,40})=(.*)$/.exec(line.trim()) ?? [];
      return name === undefined ? [] : [[name.trim(), (value ?? "").trim()]];
    }),
  );
}

/** The meaning of the digits of SMode, or of Mode in older files. In Mode only the digit for units is established. */
function modeOf({ SMode, Mode }: Readonly<Record<string, string>>) {
  const digits = [SMode, Mode].find((each) => each !== undefined && /^[0-9]{3,9}$/.test(each));
  const isOld = digits !== undefined && digits !== SMode;
  const isUs = digits?.[isOld ? 2 : 7] === "1";
  const series = isOld || digits === undefined ? [] : COLUMNS.filter((_, index) => digits[index] === "1");
  const units: HrmExercise["units"] = digits === undefined ? undefined : isUs ? "US" : "metric";
  return { units, series, hasSpeed: series.includes("speed") };
}

/** Laps by their first lines, with the splits since the start. */
function lapsOf(lines: readonly string[], linesOfLap: 3 | 5): readonly HrmLap[] {
  const filled = lines.filter((line) => line.trim() !== "");
  return filled.flatMap((line, index) => {
    const end = index % linesOfLap === 0 ? secondsOf(line.split("\t")[0] ?? "") : undefined;
    if (end === undefined) return [];
    const distance = linesOfLap === 5 ? Number(filled[index + 3]?.split("\t")[1]) : Number.NaN;
    return [{ end, distance: distance > 0 ? distance : undefined }];
  });
}

/** `0:15:00.5` in seconds; undefined for other text. */
export function secondsOf(text: string): number | undefined {
  const [, hours, minutes, seconds] = /^(\d{1,3}):(\d{1,2}):(\d{1,2}(?:\.\d{1,3})?)$/.exec(text.trim()) ?? [];
  if (seconds === undefined) return undefined;
  return Math.round((Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000) / 1000;
}

/** Sums up the recorded rows. */
class DataSum {
  #rows = 0;
  #positive = 0;
  #first = 0;
  #max = 0;
  #speed = 0;

  add(line: string): void {
    const [first = "", second = ""] = line.trim().split(/\s+/, 2);
    if (!/^\d{1,6}$/.test(first)) return;
    this.#rows++;
    const value = Number(first);
    if (value > 0) this.#positive++;
    this.#first += value;
    this.#max = Math.max(this.#max, value);
    if (/^\d{1,6}$/.test(second)) this.#speed += Number(second);
  }

  sums(areBeats: boolean) {
    const { mean, max } = areBeats
      ? { mean: (60_000 * this.#positive) / this.#first, max: undefined }
      : { mean: this.#first / this.#positive, max: this.#max };
    const hasAny = this.#positive > 0;
    return { rows: this.#rows, speed: this.#speed, mean: hasAny ? mean : undefined, max: hasAny ? max : undefined };
  }
}
