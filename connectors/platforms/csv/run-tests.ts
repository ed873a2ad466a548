/** Reads the golden rows of a mapping file with the real connector, and compares what comes out with what must. */

import { utcText } from "../../../transforms/calendar.ts";
import type { Reading } from "../../../transforms/model/item.ts";
import type { Workout } from "../../../transforms/model/workout.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { FatalError } from "../../errors.ts";
import { namesInBraces } from "../table/braces.ts";
import { parseMeasure, parseTimeOfDay } from "../table/cells.ts";
import { fold } from "../table/columns.ts";
import { parseDuration } from "../table/durations.ts";
import type { Mapping } from "../table/mapping.ts";
import { GIVEN, type GivenName, type MappingTest } from "../table/mapping-tests.ts";
import { csv } from "./connector.ts";
import { parseMapping } from "./mapping.ts";

/** A value that came out otherwise. */
export interface TestDifference {
  /** The workout of the golden row, from 1. */
  readonly workout: number;
  readonly value: GivenName | "rows";
  readonly expected: string;
  readonly found: string;
}

/** The outcome of one golden row. */
export interface TestOutcome {
  /** From 1, in the order of the file. */
  readonly test: number;
  readonly differences: readonly TestDifference[];
  /** Cells of the row that could not be read. */
  readonly problems: readonly string[];
}

/**
 * Runs the tests of a mapping file.
 *
 * @throws FatalError `csv/bad-mapping` with every error of the file, and those of `csv` for columns that fit no row
 */
export async function runTests(name: string, source: string): Promise<readonly TestOutcome[]> {
  const parsed = parseMapping(name, source);
  if ("errors" in parsed) {
    const [first, ...more] = parsed.errors;
    throw new FatalError("csv/bad-mapping", "source", `Cannot use the mapping: ${first}`, {
      more: more.map((one) => `  ${one}`),
    });
  }
  const outcomes: TestOutcome[] = [];
  for (const [index, test] of parsed.mapping.tests.entries())
    outcomes.push({ test: index + 1, ...(await outcomeOf(parsed.mapping, test, source)) });
  return outcomes;
}

async function outcomeOf(mapping: Mapping, test: MappingTest, source: string): Promise<Omit<TestOutcome, "test">> {
  const archive = memoryArchive("tests", {
    [mapping.file.name ?? "tests.csv"]: tableOf(mapping, test.cells),
    "tests.map.yaml": source,
  });
  const readings: Reading[] = [];
  const problems: string[] = [];
  const context = {
    signal: new AbortController().signal,
    sports: new Map(),
    report: ({ field, found, expected, rule }: { field?: string; found?: string; expected?: string; rule: string }) => {
      if (rule !== "csv/unmapped-column")
        problems.push(
          `${field ?? rule}: found ${JSON.stringify(found ?? "")}, expected ${expected ?? "another value"}`,
        );
    },
  };
  for await (const reading of csv.read(archive, context)) readings.push(reading);
  for (const reading of readings)
    if (reading.kind === "set-aside" && reading.as === "quarantined") context.report(reading.issue);
  return { problems, differences: differencesOf(readings, test.gives) };
}

function differencesOf(readings: readonly Reading[], gives: MappingTest["gives"]): TestDifference[] {
  const workouts = readings.flatMap((reading) => (reading.kind === "workout" ? [reading.value] : []));
  const aside = readings.flatMap((reading) => (reading.kind === "set-aside" ? [reading.as] : []));
  const found =
    workouts.length > 0
      ? countText(workouts.length)
      : aside.includes("skipped")
        ? "skipped"
        : aside.length > 0
          ? "rejected"
          : countText(0);
  const expected = typeof gives === "string" ? gives : countText(gives.length);
  if (found !== expected) return [{ workout: 1, value: "rows", expected, found }];
  if (typeof gives === "string") return [];
  return gives.flatMap((given, index) => {
    const values = valuesOf(workouts[index], readings);
    return GIVEN.flatMap((value) => {
      const wanted = given[value];
      if (wanted === undefined) return [];
      const is = values[value];
      return isSame(value, wanted ?? undefined, is)
        ? []
        : [{ workout: index + 1, value, expected: wanted ?? "nothing", found: is ?? "nothing" }];
    });
  });
}

function countText(count: number): string {
  return count === 1 ? "1 workout" : `${count} workouts`;
}

/** The values of a workout, as a person writes them. */
function valuesOf(
  workout: Workout | undefined,
  readings: readonly Reading[],
): Partial<Record<GivenName, string | undefined>> {
  if (workout === undefined) return {};
  const { start, health, ratings, weather, raceStats, distance, duration } = workout;
  const text = (value: number | undefined) => (value === undefined ? undefined : String(value));
  const measured = (measure: { value: number; unit: string } | undefined) =>
    measure && `${measure.value} ${measure.unit}`;
  return {
    date: start.date ?? (start.instant === undefined ? undefined : new Date(start.instant).toISOString().slice(0, 10)),
    time: start.time,
    offset: start.offsetMinutes === undefined ? undefined : utcText(start.offsetMinutes),
    activity: workout.activity,
    sport: workout.sport,
    type: workout.type,
    name: workout.name,
    notes: workout.notes,
    course: namesOf(readings, workout.course === undefined ? [] : [workout.course]),
    equipment: namesOf(readings, workout.equipment ?? []),
    distance: measured(distance),
    duration: duration === undefined ? undefined : clockOf(duration),
    avgHR: text(health?.avgHR),
    maxHR: text(health?.maxHR),
    restHR: text(health?.restHR),
    weight: measured(health?.weight),
    temperature: measured(weather?.temperature),
    conditions: weather?.conditions?.join(", "),
    effort: text(ratings?.effort),
    quality: text(ratings?.quality),
    fieldPlacement: text(raceStats?.fieldPlacement),
    fieldSize: text(raceStats?.fieldSize),
    groupPlacement: text(raceStats?.groupPlacement),
    groupSize: text(raceStats?.groupSize),
    intervals: text(workout.intervalSet?.intervals.length),
  };
}

function namesOf(readings: readonly Reading[], keys: readonly string[]): string | undefined {
  const names = readings.flatMap((reading) => {
    if (reading.kind === "set-aside" || !keys.includes(reading.key)) return [];
    if (reading.kind === "course") return [reading.value.name ?? ""];
    if (reading.kind !== "equipment") return [];
    return [[reading.value.brandName, reading.value.modelName].filter((part) => part !== undefined).join(" ")];
  });
  return names.length === 0 ? undefined : names.join(", ");
}

function clockOf(seconds: number): string {
  const whole = Math.floor(seconds);
  const fraction = seconds === whole ? "" : String(Math.round((seconds - whole) * 1000) / 1000).slice(1);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}${fraction}`;
}

const MEASURED = { distance: "distance", weight: "weight", temperature: "temperature" } as const;

/** Whether a value is what a person wrote. `5 km` is `5.0 km`, `25:30` is `0:25:30`, `18:05` is `18:05:00`. */
function isSame(value: GivenName, wanted: string | undefined, is: string | undefined): boolean {
  if (wanted === undefined || is === undefined) return wanted === is;
  if (value in MEASURED) {
    const [a, b] = [wanted, is].map((text) =>
      parseMeasure(MEASURED[value as keyof typeof MEASURED], text, undefined, "."),
    );
    return a !== undefined && b !== undefined && a.unit === b.unit && Math.abs(a.value - b.value) < 1e-9;
  }
  if (value === "duration") {
    const [a, b] = [wanted, is].map((text) => parseDuration(text, ["h:mm:ss", "mm:ss", "seconds", "text"], "."));
    return a !== undefined && a === b;
  }
  if (value === "time")
    return parseTimeOfDay(wanted, { order: "iso", zone: "local", twoDigitYearPivot: 70 }, ".") === is;
  if (/^-?\d+(?:\.\d+)?$/.test(is)) return Number(wanted) === Number(is);
  return wanted.trim() === is.trim();
}

/** A table with the columns of a mapping and these rows, written as the mapping says. */
function tableOf(mapping: Mapping, rows: MappingTest["cells"]): Uint8Array {
  const { file } = mapping;
  const mark = { auto: ",", comma: ",", semicolon: ";", tab: "\t", pipe: "|" }[file.delimiter];
  const names = columnsOf(mapping, rows);
  const line = (cells: readonly string[]) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(mark);
  const body = rows.map((row) => {
    const cells = new Map(Object.entries(row).map(([name, cell]) => [fold(name), cell ?? ""]));
    return line(names.map((name) => cells.get(fold(name)) ?? ""));
  });
  const lines = [
    ...Array(file.skip).fill("-"),
    ...(file.header ? [line(names.map((name) => name.replace(/#\d+$/, "")))] : []),
    ...body,
    ...Array(file.skipEnd).fill("-"),
  ];
  const text = `${lines.join("\n")}\n`;
  if (file.encoding === "utf-16be") return Buffer.from(text, "utf16le").swap16();
  const encoding = { auto: "utf8", "utf-8": "utf8", "utf-16le": "utf16le", "windows-1252": "latin1" } as const;
  return Buffer.from(text, encoding[file.encoding]);
}

/** The columns that the table of a mapping has: those it names, but for those that the layout makes. */
function columnsOf({ columns, rows, layout, join, file }: Mapping, cells: MappingTest["cells"]): readonly string[] {
  const groups = Object.values({ ...layout.repeat, ...layout.week }).flat();
  const made = new Set(Object.keys({ ...layout.repeat, ...layout.week, ...join }).map(fold));
  const own = Object.entries(columns).filter(([, { part }]) => part === undefined);
  const named = [
    ...own.flatMap(([name, { unitColumn }]) => [name, ...(unitColumn === undefined ? [] : [unitColumn])]),
    ...rows.map(({ when }) => when.column),
    ...(layout.asAbove ?? []),
    ...Object.values(join).flatMap(namesInBraces),
  ].filter((name) => !made.has(fold(name)) && !(`${name}` in columns && columns[name]?.part));
  const all = [...named, ...groups.filter((name) => name !== null), ...cells.flatMap((row) => Object.keys(row))];
  const unique = all.filter((name, index) => all.findIndex((other) => fold(other) === fold(name)) === index);
  if (file.header) return unique;
  const most = Math.max(...unique.map(Number).filter(Number.isInteger), 1);
  return Array.from({ length: most }, (_, index) => String(index + 1));
}
