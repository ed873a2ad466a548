/**
 * Reads Polar's PDD: the exercises of a day, as Precision Performance and ProTrainer 5 keep them. The first row of a section gives the number
 * of rows with numbers and of rows with texts. Sources: mytourbook Polar_PDD_DataReader.java, GoldenCheetah PolarRideFile.cpp.
 */
import type { Issue } from "../../../transforms/model/issue.ts";
import { sectionLines } from "./sections.ts";

/** An exercise of a day. */
export interface PddExercise {
  /** Seconds after midnight. */
  readonly start: number;
  readonly seconds: number;
  /** The number of the sport in the person's own list. */
  readonly sport: number;
  readonly metres: number;
  /** From 0, good, to 5, bad. */
  readonly feeling: number;
  readonly recovery: number;
  readonly kilocalories: number;
  readonly title: string;
  readonly note: string;
  /** Names of files, without folders. */
  readonly hrm: string;
  readonly gpx: string;
  readonly beats: string;
  readonly link: string;
}

/** A day. */
export interface PddDay {
  /** `2007-05-19`; undefined if the file doesn't say it. */
  readonly date: string | undefined;
  readonly note: string;
  readonly exercises: readonly PddExercise[];
}

/** Lines of a file that are read. Ten exercises and ten plans have some 600. */
const MOST_LINES = 5_000;

/** Reads a file. Errors of the stream are thrown through. */
export async function readPdd(chunks: AsyncIterable<Uint8Array>, report: (issue: Issue) => void): Promise<PddDay> {
  const sections = new Map<string, string[]>();
  let count = 0;
  for await (const { section, line } of sectionLines(chunks, report)) {
    if (++count > MOST_LINES) break;
    const lines = sections.get(section) ?? [];
    lines.push(line);
    sections.set(section, lines);
  }
  const day = rowsOf(sections.get("DayInfo") ?? []);
  const [, year, month, date] = /^(\d{4})(\d\d)(\d\d)$/.exec(String(day.numbers[0]?.[0])) ?? [];
  const infos = [...sections].flatMap(([name, lines]) => (/^ExerciseInfo\d+$/.test(name) ? [lines] : []));
  const cut = cutIssue(day.numbers[0]?.[1], infos);
  if (cut !== undefined) report(cut);
  return {
    date: date === undefined ? undefined : `${year}-${month}-${date}`,
    note: day.texts[0] ?? "",
    exercises: infos.map(exerciseOf),
  };
}

/** The rule about a file that stops before its end. */
export const CUT_DAY = "hrm/cut-day";

/** The issue about a file that stops before its end: the day counts its exercises, and each counts its rows of numbers. */
function cutIssue(count: number | undefined, infos: readonly (readonly string[])[]): Issue | undefined {
  const whole = infos.filter((lines) => {
    const [, heads = 1, numbers = 0] = numbersOf(lines[0] ?? "");
    return lines.length >= Math.max(heads, 1) + numbers;
  }).length;
  const expected = Math.max(count ?? 0, infos.length);
  if (whole >= expected) return undefined;
  const found = `${whole} of the ${expected} exercises of its day: the file seems to be cut`;
  return {
    severity: "error",
    rule: CUT_DAY,
    found,
    expected: "all of them; copy the file again from where it came",
  };
}

/** The rows of a section, by the counts in its first row: version, rows like this one, rows of numbers, columns, rows of texts. */
function rowsOf(lines: readonly string[]): { numbers: readonly (readonly number[])[]; texts: readonly string[] } {
  const [, heads = 1, numbers = 0, , texts = 0] = numbersOf(lines[0] ?? "");
  const first = Math.max(heads, 1);
  return {
    numbers: lines.slice(first, first + numbers).map(numbersOf),
    texts: lines.slice(first + numbers, first + numbers + texts).map((line) => line.trim()),
  };
}

function numbersOf(line: string): readonly number[] {
  return line
    .trim()
    .split(/\s+/)
    .map((each) => (/^-?\d{1,9}$/.test(each) ? Number(each) : 0));
}

function exerciseOf(lines: readonly string[]): PddExercise {
  const { numbers, texts } = rowsOf(lines);
  const number = (row: number, column: number) => numbers[row - 1]?.[column - 1] ?? 0;
  const [title = "", note = "", hrm = "", address = "", label = "", gpx = "", beats = ""] = texts;
  return {
    start: number(1, 5),
    seconds: number(1, 6),
    sport: number(2, 1),
    metres: number(3, 1),
    feeling: number(2, 3),
    recovery: number(2, 4),
    kilocalories: number(2, 6),
    title,
    note,
    hrm: withoutFolder(hrm),
    gpx: withoutFolder(gpx),
    beats: withoutFolder(beats),
    link: [label, address].filter((part) => part !== "").join(" "),
  };
}

function withoutFolder(path: string): string {
  return path.slice(Math.max(path.lastIndexOf("\\"), path.lastIndexOf("/")) + 1);
}
