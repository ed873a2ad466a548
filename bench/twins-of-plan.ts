/** Which records of labelled archives a real plan holds for one workout: sheets, the command line, a log and the journal, as a person has them. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { TwinArchive } from "../fixtures/make/twins/archives.ts";
import type { SeenWorkout } from "../fixtures/make/twins/sources.ts";
import { rehearse } from "../test/support/rehearsal.ts";
import { MAPPING } from "./twin-sheet.ts";

/** What a plan says of archives. */
export interface PlannedTwins {
  /** Pairs of records of two sources that are one workout, as `one other`, by their places in the archive. */
  readonly pairs: ReadonlySet<string>;
  /** Pairs that the plan leaves to the person. */
  readonly doubtful: number;
  /** Workouts that the plan holds for one with the parts that another source has. */
  readonly inParts: readonly PlannedParts[];
}

/** A workout and its parts, by their places in the archive. */
export interface PlannedParts {
  readonly whole: number;
  readonly parts: readonly number[];
  readonly verdict: "one" | "doubtful";
}

/**
 * Plans the sources of an archive into an empty log.
 *
 * @throws Error when the plan fails
 */
export async function plannedTwins({ records }: TwinArchive): Promise<PlannedTwins> {
  const rehearsal = await rehearse();
  try {
    const sheets = [...Map.groupBy(records.keys(), (at) => records[at]?.source ?? "")].map(([source, places]) =>
      writeSource(join(rehearsal.folder, source), source, places, records),
    );
    const journal = join(rehearsal.folder, "journal.db");
    const words = [
      "plan",
      "--json",
      ...sheets,
      ...rehearsal.activities,
      "--allow",
      "implausible",
      "--sport",
      "other=other",
    ];
    const { code, err, out } = await rehearsal.start(words, { journal }).ended;
    if (code !== 0 && code !== 3) throw new Error(`the plan ended with ${code}: ${err}`);
    return { pairs: pairsOf(records, mergedBy(journal)), doubtful: doubtfulIn(out), inParts: partsIn(journal) };
  } finally {
    await rehearsal.close();
  }
}

function writeSource(folder: string, name: string, places: readonly number[], records: readonly SeenWorkout[]): string {
  mkdirSync(folder);
  const rows = places.map((at) => {
    const { date = "", time = "", activity = "", metres, seconds = "" } = records[at] ?? {};
    return [at, date, time, activity, metres === undefined ? "" : metres / 1_000, seconds].join(",");
  });
  const path = join(folder, `${name}.csv`);
  writeFileSync(path, `No,Day,At,Sport,Km,Took\n${rows.join("\n")}\n`);
  writeFileSync(join(folder, `${name}.map.yaml`), MAPPING);
  return path;
}

/** The record that each merged record was merged into. */
function mergedBy(journal: string): ReadonlyMap<number, number> {
  using database = new DatabaseSync(journal, { readOnly: true });
  const rows = database
    .prepare(
      "SELECT key, twin FROM line WHERE kind = 'workout' AND state = 'merged' AND reason NOT LIKE 'part of one%' AND reason NOT LIKE 'one workout in%'",
    )
    .all();
  return new Map(rows.map(({ key, twin }) => [numberOf(key), numberOf(twin)]));
}

/** The number of a row is the end of its key. */
function numberOf(key: unknown): number {
  return Number(/\d+$/.exec(String(key))?.[0]);
}

/** The workouts in parts, as the journal has them: a pair for each part. */
function partsIn(journal: string): readonly PlannedParts[] {
  using database = new DatabaseSync(journal, { readOnly: true });
  const rows = database
    .prepare("SELECT one, other, verdict, json_extract(found, '$.parts') AS parts FROM pair WHERE parts IS NOT NULL")
    .all();
  return rows.flatMap(({ one, other, verdict, parts }) => {
    if (verdict !== "one" && verdict !== "doubtful") return [];
    const keys = JSON.parse(String(parts)) as readonly string[];
    const [first] = keys;
    // Each of them once: by the pair of its first part.
    if (one !== first && other !== first) return [];
    return [{ whole: numberOf(one === first ? other : one), parts: keys.map(numberOf), verdict }];
  });
}

function pairsOf(records: readonly SeenWorkout[], into: ReadonlyMap<number, number>): ReadonlySet<string> {
  const rootOf = (at: number): number => {
    const next = into.get(at);
    return next === undefined ? at : rootOf(next);
  };
  const pairs = new Set<string>();
  for (const group of Map.groupBy(records.keys(), rootOf).values())
    for (const one of group)
      for (const other of group)
        if (one < other && records[one]?.source !== records[other]?.source) pairs.add(`${one} ${other}`);
  return pairs;
}

/** The count of doubtful pairs: the remark names the first few, and how many more there are. */
function doubtfulIn(out: string): number {
  const line = out.split("\n").find((text) => text.includes('"rule":"plan/doubtful-duplicates"'));
  if (line === undefined) return 0;
  const more = /and (\d+) more pairs/.exec(line);
  const byClock = [...line.matchAll(/may have (\d+) workouts? of/g)].reduce((sum, [, count]) => sum + Number(count), 0);
  return (line.match(/score -?\d+;/g) ?? []).length + Number(more?.[1] ?? 0) + byClock;
}
