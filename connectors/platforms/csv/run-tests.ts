/** Reads the golden rows of a mapping file with the real connector, and compares what comes out with what must. */

import { utcText } from "../../../transforms/calendar.ts";
import type { Issue } from "../../../transforms/model/issue.ts";
import type { Reading } from "../../../transforms/model/item.ts";
import type { Workout } from "../../../transforms/model/workout.ts";
import { printable } from "../../../transforms/text/printable.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { FatalError } from "../../errors.ts";
import { encodedAs } from "../../formats/encode-legacy.ts";
import { parseMeasure, parseTimeOfDay } from "../table/cells/cells.ts";
import { parseDuration } from "../table/cells/durations.ts";
import { fold } from "../table/columns/columns.ts";
import { namesInBraces } from "../table/mapping/braces.ts";
import type { HeaderProblem } from "../table/mapping/header-problem.ts";
import type { Mapping } from "../table/mapping/mapping.ts";
import { isMappingName } from "../table/mapping/mapping-files.ts";
import { GIVEN, type GivenName, type MappingTest } from "../table/mapping/mapping-tests.ts";
import { parseOffset } from "../table/rows/zones.ts";
import { csv } from "./connector.ts";
import { parseMapping } from "./mapping.ts";
import { namesInRemark, UNUSED } from "./used-words.ts";

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
  /** Cells of the row that could not be read, also where the named values are right. None for a row that is rejected or skipped as it should be. */
  readonly problems: readonly string[];
  /** Rules, patterns and layouts of the mapping that did nothing in this row: `rows.1 (line 8)`. */
  readonly unused: readonly string[];
}

/**
 * Runs the tests of a mapping file.
 *
 * @throws FatalError `csv/bad-mapping` with every error of the file, and those of `csv` for columns that fit no row
 */
export async function runTests(name: string, source: string): Promise<readonly TestOutcome[]> {
  const parsed = parseMapping(name, source);
  if ("errors" in parsed) throw badMapping(parsed.errors);
  const { mapping, lineOf } = parsed;
  const unknown = unknownCells(mapping).map(
    ({ path, message }) => `${printable(name)} line ${lineOf(path)}: ${message}`,
  );
  if (unknown.length > 0) throw badMapping(unknown);
  const outcomes: TestOutcome[] = [];
  const file = { mapping, source, name: name.slice(Math.max(name.lastIndexOf("/"), name.lastIndexOf("\\")) + 1) };
  for (const [index, test] of mapping.tests.entries())
    outcomes.push({ test: index + 1, ...(await outcomeOf(file, test)) });
  return outcomes;
}

function badMapping([first, ...more]: readonly string[]): FatalError {
  return new FatalError("csv/bad-mapping", "source", `Cannot use the mapping: ${first}`, {
    more: more.map((one) => `  ${one}`),
  });
}

/** The cells of tests under names that are no columns of the mapping. Nothing would read them. */
function unknownCells(mapping: Mapping): readonly HeaderProblem[] {
  const also = Object.values(mapping.columns).flatMap((spec) => spec.also ?? []);
  const known = new Set([...columnsOf(mapping, []), ...also].map(fold));
  const stars = new Set(Object.keys(mapping.columns).map(fold));
  const isKnown = (name: string) => known.has(fold(name)) || stars.has(fold(name).replace(/\d{1,4}/, "*"));
  return mapping.tests.flatMap(({ cells }, index) =>
    cells
      .flatMap((row) => Object.keys(row))
      .filter((name) => !isKnown(name))
      .map((name) => ({
        path: ["tests", String(index), "cells", name],
        message: `tests.${index}.cells: the mapping has no column ${JSON.stringify(printable(name, 40))}`,
      })),
  );
}

/** A mapping file with tests. */
interface TestedFile {
  readonly mapping: Mapping;
  readonly source: string;
  /** Without its folder. */
  readonly name: string;
}

async function outcomeOf({ mapping, source, name }: TestedFile, test: MappingTest): Promise<Omit<TestOutcome, "test">> {
  const archive = memoryArchive("tests", {
    [mapping.file.name ?? "tests.csv"]: tableOf(mapping, test.cells),
    [isMappingName(name) ? name : "tests.map.yaml"]: source,
  });
  const readings: Reading[] = [];
  const problems: string[] = [];
  const unused: string[] = [];
  const context = {
    signal: new AbortController().signal,
    sports: new Map(),
    report: ({ field, found, expected, rule }: { field?: string; found?: string; expected?: string; rule: string }) => {
      if (rule === UNUSED) unused.push(...namesInRemark(found ?? "").filter((name) => !name.startsWith("values.")));
      else if (rule !== "csv/unmapped-column")
        problems.push(
          `${field ?? rule}: found ${JSON.stringify(found ?? "")}, expected ${expected ?? "another value"}`,
        );
    },
  };
  for await (const reading of csv.read(archive, context)) readings.push(reading);
  for (const reading of readings)
    if (reading.kind === "set-aside" && reading.as === "quarantined") context.report(reading.issue);
  for (const issue of readings.flatMap((reading) => (reading.kind === "workout" ? unknownWords(reading.value) : [])))
    context.report(issue);
  const differences = differencesOf(readings, test.gives);
  // A row that must be rejected has a problem, as its test says, and a total alone has no rows above it.
  const isAsSaid = typeof test.gives === "string" && differences.length === 0;
  return { problems: isAsSaid ? [] : problems, differences, unused };
}

/** The words of a workout that a log can't hold. A plan asks for the sport, and counts the others. */
function unknownWords({ activity, sport, unsupported = [] }: Workout): readonly Issue[] {
  const word = (field: string, found: string, values: string): Issue => ({
    severity: "warning",
    rule: "csv/unknown-word",
    field,
    found,
    expected: `a word that logferry knows, or one of values.${values}`,
  });
  return [
    ...(activity === undefined && sport !== undefined ? [word("activity", sport, "activity")] : []),
    ...unsupported.flatMap(({ field, value }) =>
      field === "weather"
        ? [word(field, value, "conditions")]
        : field === "workout type"
          ? [word("type", value, "type")]
          : [],
    ),
  ];
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
  if (value === "offset") return parseOffset(wanted) === parseOffset(is);
  if (value === "conditions" || value === "equipment") return listed(wanted) === listed(is);
  if (value === "time")
    return parseTimeOfDay(wanted, { order: "iso", zone: "local", twoDigitYearPivot: 70 }, ".") === is;
  if (/^-?\d+(?:\.\d+)?$/.test(is)) return Number(wanted) === Number(is);
  return wanted.trim() === is.trim();
}

/** A list without its order. */
function listed(text: string): string {
  return text
    .split(",")
    .map((one) => one.trim())
    .sort()
    .join(", ");
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
  if (file.encoding === "auto" || file.encoding === "utf-8") return Buffer.from(text);
  if (file.encoding === "utf-16le") return Buffer.from(text, "utf16le");
  return file.encoding === "utf-16be" ? Buffer.from(text, "utf16le").swap16() : encodedAs(text, file.encoding);
}

/** The columns that the table of a mapping has: those it names, but for those that the layout makes. */
function columnsOf({ columns, rows, layout, join, file }: Mapping, cells: MappingTest["cells"]): readonly string[] {
  const groups = Object.values({ ...layout.repeat, ...layout.week }).flat();
  const shaped = Object.keys({ ...layout.repeat, ...layout.week, ...layout.texts, ...join });
  const made = new Set([...shaped, ...(layout.sports === undefined ? [] : [layout.sports])].map(fold));
  const own = Object.entries(columns).filter(([, { part }]) => part === undefined);
  const named = [
    ...own.flatMap(([name, { unitColumn }]) => [name, ...(unitColumn === undefined ? [] : [unitColumn])]),
    ...rows.flatMap(({ when }) => when.map(({ column }) => column)),
    ...(layout.asAbove ?? []),
    ...(layout.shared ?? []),
    ...Object.values(join).flatMap(namesInBraces),
  ]
    .filter((name) => !made.has(fold(name)) && !(`${name}` in columns && columns[name]?.part))
    // A column that stands for several has its first number, and those of the cells.
    .map((name) => (name.split("*").length === 2 ? name.replace("*", "1") : name));
  const all = [...named, ...groups.filter((name) => name !== null), ...cells.flatMap((row) => Object.keys(row))];
  const unique = all.filter((name, index) => all.findIndex((other) => fold(other) === fold(name)) === index);
  if (file.header) return unique;
  const most = Math.max(...unique.map(Number).filter(Number.isInteger), 1);
  return Array.from({ length: most }, (_, index) => String(index + 1));
}
