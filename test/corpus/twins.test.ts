/** The device files that the manifest of the corpus calls one workout, in a real plan of its three folders: each pair is found, and no other. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { rehearse } from "../support/rehearsal.ts";
import { CORPUS } from "../support/shared.ts";

const FOLDERS = ["fit", "gpx", "tcx"] as const;

/** Pairs of the manifest that a plan keeps apart. */
const APART: readonly (readonly [file: string, why: string])[] = [
  ["tcx/alexhuth__tour_cli/tests/bad.tcx", "twice the distance and the time of the other"],
  ["zero_elevation.gpx", "seven minutes of a hike of three hours"],
  ["tcxdata.tcx", "both are rejected: their sport is Other, and nobody says what that is"],
  ["strava.gpx", "three times the distance in the same time"],
];

/** Pairs that are one workout, and that the manifest doesn't name. */
const UNNAMED: readonly (readonly [file: string, why: string])[] = [
  ["garmin-fenix-5-bike.fit", "a watch and a bicycle computer on one ride"],
  ["GPX_invalid_extensions.gpx", "the points of GPX_10-1.gpx once more"],
  ["WithGearChangeData.fit", "one file in two repositories, in other bytes"],
];

const isIn = (table: typeof APART, pair: string) => table.some(([file]) => pair.includes(file.split("/").at(-1) ?? ""));

interface Row {
  readonly key: string;
  readonly kind: string;
  readonly twin: string | null;
  readonly file: string;
  readonly reason: string | null;
}

test("every pair of twins is found, and no other pair", async () => {
  const rehearsal = await rehearse("kilometres", { database: ":memory:" });
  try {
    const journal = join(rehearsal.folder, "journal.db");
    const sources = FOLDERS.map((folder) => join(CORPUS, folder));
    const flags = [
      "--sport",
      "=run",
      "--sport",
      "t=run",
      "--allow",
      "implausible",
      "--zone",
      "UTC",
      ...rehearsal.activities,
    ];
    const ran = await rehearsal.run(["plan", ...sources, ...flags], { journal });
    expect([0, 3], ran.err).toContain(ran.code);
    const rows = rowsOf(journal);
    const found = pairsOf(rows);
    const read = new Set(rows.map(({ file }) => file));
    const labelled = labelledPairs(() => true);
    const sound = labelledPairs(({ path, expect: what }) => what === "ok" && read.has(path));
    expect(sound.size).toBeGreaterThan(20);
    expect([...sound].filter((pair) => !found.has(pair) && !isIn(APART, pair))).toEqual([]);
    expect([...found].filter((pair) => !labelled.has(pair) && !isIn(UNNAMED, pair))).toEqual([]);
    // Why each pair is one says how far it is apart, in numbers.
    const merged = rows.filter(({ kind, twin }) => kind === "workout" && twin !== null);
    expect(merged.length).toBeGreaterThan(10);
    for (const { reason } of merged) expect(reason).toMatch(/ \d+ s apart.*, score \d+; 9 is enough\) as /);
  } finally {
    await rehearsal.close();
  }
});

function rowsOf(journal: string): readonly Row[] {
  using database = new DatabaseSync(journal, { readOnly: true });
  return database
    .prepare("SELECT key, kind, twin, source, json_extract(origin, '$.entry') AS entry, reason FROM line")
    .all()
    .map(({ key, kind, twin, source, entry, reason }) => ({
      key: String(key),
      kind: String(kind),
      twin: twin === null ? null : String(twin),
      file: `${FOLDERS[Number(source)]}/${entry}`,
      reason: reason === null ? null : String(reason),
    }));
}

/** The pairs of files that a plan holds for one workout. A copy of a file, in other bytes of the same recording, is left out by a rule that names the first. */
function pairsOf(rows: readonly Row[]): ReadonlySet<string> {
  const workouts = rows.filter(({ kind }) => kind === "workout");
  const byKey = new Map(workouts.map((row) => [row.key, row]));
  const rootOf = (row: Row): string => {
    const into = row.twin === null ? undefined : byKey.get(row.twin);
    return into === undefined ? row.key : rootOf(into);
  };
  const placed = workouts.map((row) => ({ file: row.file, root: rootOf(row) }));
  for (const { file, reason } of rows) {
    const other = /^device-files\/same-recording \(the same recording as ([^)]+)\)/.exec(reason ?? "")?.[1];
    const first = placed.filter((one) => other !== undefined && one.file.endsWith(`/${other}`));
    placed.push(...first.map(({ root }) => ({ file, root })));
  }
  const pairs = [...Map.groupBy(placed, ({ root }) => root).values()].flatMap((group) =>
    group.flatMap(({ file: one }) => group.filter(({ file }) => one < file).map(({ file }) => `${one} ${file}`)),
  );
  return new Set(pairs);
}

interface LabelledFile {
  readonly path: string;
  /** `ok` for a file that a reader should read to its end. */
  readonly expect: string;
  readonly twins?: readonly string[];
}

/** The pairs of the manifest, of some of its files. */
function labelledPairs(isWanted: (file: LabelledFile) => boolean): ReadonlySet<string> {
  const lines = readFileSync(join(CORPUS, "TRUTH.jsonl"), "utf8").trimEnd().split("\n");
  const files = lines.map((line) => JSON.parse(line) as LabelledFile).filter(isWanted);
  const wanted = new Set(files.map(({ path }) => path));
  const pairs = files.flatMap(({ path, twins = [] }) =>
    twins.filter((twin) => path < twin && wanted.has(twin)).map((twin) => `${path} ${twin}`),
  );
  return new Set(pairs);
}
