/**
 * GPX, TCX and KML files from outside this project, and a few thousand mutants of them. They are compared with the values that independent decoders
 * agree on (`TRUTH.jsonl`), and with the values expected of the damaged ones (`DERIVED.tsv`).
 */
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { decodeDeviceFile } from "../../connectors/formats/device-file.ts";
import { decodeKml } from "../../connectors/formats/kml/decode.ts";
import type { DeviceFile, Point } from "../../connectors/formats/recording.ts";
import { cpuMs } from "../support/cpu-time.ts";
import { yardstickMs } from "../support/growth.ts";
import { CORPUS } from "../support/shared.ts";

type Value = number | readonly string[] | null;

interface Truth {
  readonly path: string;
  readonly kind: string;
  readonly agreed: Readonly<Record<string, Value>>;
  readonly adjudicated?: Readonly<Record<string, { readonly value: Value }>>;
}

const bytesOf = (path: string) => readFileSync(join(CORPUS, path));
const TRUTH: readonly Truth[] = readFileSync(join(CORPUS, "TRUTH.jsonl"), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Truth)
  .filter(({ kind }) => kind === "gpx" || kind === "tcx");

/** Values that still differ from the agreed ones, with the reason. Anything not in this table fails. */
const DIFFERENCES: readonly (readonly [file: string, fields: readonly string[], cause: string])[] = [
  [
    "gpx-without-root-attributes.gpx",
    ["n_times", "start", "end", "elapsed_s"],
    "its only time is of 1901, from a clock never set; years before 1970 are no time of a workout, so it is refused with gpx/bad-time",
  ],
];

const TOLERANCE: Readonly<Record<string, (agreed: number) => number>> = {
  start: () => 1,
  end: () => 1,
  elapsed_s: () => 1,
  timer_s: () => 1,
  avg_hr: () => 1,
  max_hr: () => 1,
  distance_m: (agreed) => Math.max(1, agreed * 0.01),
};

/** The same quantities from a decoded file, by this test's own arithmetic over its points and totals. */
function measured(kind: string, tracks: DeviceFile, whole: DeviceFile): Record<string, Value | undefined> {
  const { recordings, routes } = tracks;
  const lines = kind === "gpx" ? [...recordings, ...routes] : recordings;
  const points: readonly Point[] = lines.flatMap((line) => line.points ?? []);
  const times = points.map((point) => point.instant).filter((instant) => instant !== undefined);
  const rates = points.map((point) => point.heartRate).filter((rate) => rate !== undefined);
  const counted = (rule: string, field: string, file = tracks) =>
    file.issues
      .filter((issue) => issue.rule === rule && issue.field === field)
      .reduce((sum, issue) => sum + (issue.count ?? 1), 0);
  const emptyTracks = counted("gpx/empty-track", "trk");
  const seconds = (instant: number | undefined) => (instant === undefined ? undefined : instant / 1000);
  const sum = (values: readonly (number | undefined)[]) =>
    values.reduce((total, value) => (value === undefined ? total : (total ?? 0) + value), undefined);
  return {
    start: seconds(recordings[0]?.start),
    end: seconds(times.at(-1)),
    elapsed_s:
      times.length === 0
        ? undefined
        : (times.reduce((a, b) => Math.max(a, b)) - times.reduce((a, b) => Math.min(a, b))) / 1000,
    distance_m: sum(lines.map((line) => line.distance?.value)),
    timer_s: sum(recordings.map((recording) => recording.timer)),
    avg_hr: rates.length === 0 ? undefined : rates.reduce((a, b) => a + b) / rates.length,
    max_hr: rates.length === 0 ? undefined : rates.reduce((a, b) => Math.max(a, b)),
    n_tracks: lines.length + emptyTracks,
    n_routes: whole.recordings.length + whole.routes.length - lines.length + counted("gpx/empty-track", "rte", whole),
    n_segs: lines.length + points.filter((point) => point.breakBefore).length + counted("gpx/empty-segment", "trkseg"),
    n_points: lines.reduce((total, line) => total + line.pointCount, 0),
    n_pos: recordings.reduce((total, recording) => total + recording.positionCount, 0),
    n_times: times.length,
    n_laps: recordings.reduce((total, recording) => total + recording.laps.length, 0),
    n_course_points: routes.reduce((total, route) => total + route.pointCount, 0),
    sport: recordings.map((recording) => recording.sport?.toLowerCase() ?? ""),
  };
}

function agree(field: string, value: Value | undefined, agreed: Exclude<Value, null>): boolean {
  if (typeof agreed !== "number")
    return JSON.stringify(value) === JSON.stringify(agreed.map((word) => word.toLowerCase()));
  return typeof value === "number" && Math.abs(value - agreed) <= (TOLERANCE[field]?.(agreed) ?? 0);
}

/** Routes and tracks without times both become `routes`. To tell them apart, the test takes the routes out of the text. */
function withoutRoutes(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes).toString("latin1");
  return text.includes("<rte") ? Buffer.from(text.replace(/<rte>[\s\S]*?<\/rte>/g, ""), "latin1") : bytes;
}

describe("GPX and TCX of the corpus", () => {
  test("at least 99 % of the agreed values are met, and every other one is in the table with its cause", () => {
    let compared = 0;
    const different: string[] = [];
    for (const { path, kind, agreed, adjudicated } of TRUTH) {
      const packed = bytesOf(path);
      const bytes = packed[0] === 0x1f ? gunzipSync(packed) : packed;
      const whole = decodeDeviceFile(bytes, "decode");
      const bare = kind === "gpx" ? withoutRoutes(bytes) : bytes;
      const values = measured(kind, bare === bytes ? whole : decodeDeviceFile(bare, "decode"), whole);
      const truth = { ...agreed };
      for (const [field, { value }] of Object.entries(adjudicated ?? {})) truth[field] = value;
      for (const [field, value] of Object.entries(truth)) {
        // Waypoints are counted in an issue only. A TCX file without an activity has no values of an activity.
        if (value === null || field === "n_wpt") continue;
        compared++;
        if (!agree(field, values[field], value)) different.push(`${path.split("/").at(-1)} ${field}`);
      }
    }
    const listed = DIFFERENCES.flatMap(([file, fields]) => fields.map((field) => `${file} ${field}`));
    expect(different.sort()).toEqual([...listed].sort());
    expect(compared).toBeGreaterThan(1000);
    expect(different.length / compared).toBeLessThan(0.01);
  });

  test("the totals of a recording are those of its points, at both depths", () => {
    for (const { path, kind } of TRUTH) {
      const bytes = bytesOf(path);
      const full = decodeDeviceFile(bytes, "decode");
      const scanned = decodeDeviceFile(bytes, "scan");
      const bare = { ...full, recordings: full.recordings.map(withoutPoints), routes: full.routes.map(withoutPoints) };
      expect(scanned, path).toEqual(bare);
      if (kind !== "gpx") continue;
      for (const { points = [], avgHR, maxHR } of full.recordings) {
        const rates = points.map((point) => point.heartRate).filter((rate) => rate !== undefined);
        if (rates.length === 0) continue;
        expect(avgHR).toBeCloseTo(rates.reduce((a, b) => a + b) / rates.length, 6);
        expect(maxHR).toBe(rates.reduce((a, b) => Math.max(a, b)));
      }
    }
  });

  test("every file has a recording, a route, or an issue that says why not", () => {
    const paths = globSync("{gpx,tcx}/**/*.{gpx,tcx,gz}", { cwd: CORPUS });
    expect(paths.length).toBeGreaterThanOrEqual(117);
    for (const path of paths) {
      const { recordings, routes, issues } = decodeDeviceFile(bytesOf(path), "scan");
      const says = issues.some(({ severity, rule }) => severity === "error" || rule.endsWith("/no-activity"));
      expect(recordings.length + routes.length > 0 ? !says : says, path).toBe(true);
    }
  });
});

function withoutPoints<T extends { readonly points?: readonly Point[] }>(line: T): Omit<T, "points"> {
  const { points: _, ...rest } = line;
  return rest;
}

/** Name, rules expected in the issues, and the facts that must hold of the file beside its parent. */
type Check = (file: DeviceFile, parent: DeviceFile, text: string) => void;
const same: Check = (file, parent) => {
  expect(file.recordings).toEqual(parent.recordings);
  expect(file.routes).toEqual(parent.routes);
};
const pointsOf = (file: DeviceFile) => file.recordings.flatMap((recording) => recording.points ?? []);
const prefix: Check = (file, parent) => {
  const [some, all] = [pointsOf(file), pointsOf(parent)];
  expect(some.length).toBeGreaterThan(all.length / 2);
  expect(some.length).toBeLessThan(all.length);
  expect(some).toEqual(all.slice(0, some.length));
};
const nothing: Check = (file) => {
  expect([...file.recordings, ...file.routes]).toEqual([]);
  expect(file.issues.some((issue) => issue.severity === "error")).toBe(true);
};
/** Everything of the parent except the points whose latitude, as it stands in the text, is not a latitude. */
const withoutBadLatitudes: Check = (file, parent, text) => {
  const latitudes = [...text.matchAll(/<trkpt lat="([^"]*)"/g)].map(([, latitude]) => latitude ?? "");
  const isGood = latitudes.map((latitude) => /^-?\d+\.\d+$/.test(latitude) && Math.abs(Number(latitude)) <= 90);
  expect(pointsOf(file)).toEqual(pointsOf(parent).filter((_, index) => isGood[index]));
  const bad = isGood.filter((good) => !good).length;
  expect(bad).toBeGreaterThan(30);
  expect(file.issues[0]?.count).toBe(bad);
};
/** Every remaining time stands with the point it had. */
const withoutSomeTimes: Check = (file, parent, text) => {
  const [some, all] = [pointsOf(file), pointsOf(parent)];
  expect(some).toEqual(
    some.map(({ instant }, index) => (instant === undefined ? withoutInstant(all[index]) : all[index])),
  );
  expect(some).toHaveLength(all.length);
  expect(some.filter((point) => point.instant === undefined).length).toBe(
    [...text.matchAll(/<trkpt.*?<\/trkpt>/gs)].filter(([point]) => !point.includes("<time>")).length,
  );
};
const withoutInstant = ({ instant: _, ...rest }: Point = {}) => rest;
const sameTrack: Check = (file, parent) => expect(pointsOf(file)).toEqual(pointsOf(parent));

const GPX_PARENT = "gpx/ddboline__garmin_rust/tests/data/test.gpx";

/** `DERIVED.tsv`, row by row: the expected result in this decoder's terms. */
const DERIVED: readonly (readonly [file: string, rules: readonly string[], check: Check])[] = [
  ["tcx_strava_leading_spaces.tcx", [], same],
  ["tcx_strava_leading_spaces.tcx.gz", [], same],
  ["tcx_leading_newline_bom.tcx", [], same],
  ["tcx_truncated.tcx", ["xml/truncated"], prefix],
  ["tcx_zero_tail.tcx", ["xml/control-characters", "xml/truncated"], prefix],
  ["tcx_utf16le.tcx", [], same],
  ["tcx_no_namespaces.tcx", [], same],
  ["tcx_prefixed.tcx", [], same],
  ["tcx_xxe.tcx", ["xml/doctype"], nothing],
  ["gpx_truncated.gpx", ["xml/truncated"], prefix],
  ["gpx_zero_tail.gpx", ["xml/control-characters", "xml/truncated"], prefix],
  ["gpx_no_namespaces.gpx", [], same],
  ["gpx_some_points_no_time.gpx", [], withoutSomeTimes],
  ["gpx_some_points_bad_lat.gpx", ["gpx/bad-position"], withoutBadLatitudes],
  ["gpx_decimal_comma.gpx", ["gpx/bad-position"], nothing],
  ["gpx_out_of_range.gpx", ["gpx/bad-position"], withoutBadLatitudes],
  ["gpx_bare_ampersand.gpx", ["xml/bare-ampersand"], sameTrack],
  ["gpx_lonlat_singlequote.gpx", [], same],
  ["gpx_latin1_undeclared.gpx", ["text/not-utf-8"], sameTrack],
  ["gpx_time_offsets.gpx", [], sameTrack],
  ["gpx_html_error_page.gpx", ["device-file/unknown-format"], nothing],
  ["gpx_ok.gpx.gz", [], same],
];

describe("files damaged on purpose", () => {
  const rows = readFileSync(join(CORPUS, "DERIVED.tsv"), "utf8").trim().split("\n").slice(1);

  test("every row of DERIVED.tsv about XML is tested here", () => {
    const names = rows.map((row) => (row.split("\t")[0] ?? "").replace("derived/", ""));
    expect(DERIVED.map(([file]) => file).sort()).toEqual(names.filter((name) => /^(gpx|tcx)_/.test(name)).sort());
  });

  test.each(DERIVED)("%s: %j", (name, rules, check) => {
    const parent = rows.find((row) => row.startsWith(`derived/${name}\t`))?.split("\t")[3] ?? "";
    const file = decodeDeviceFile(bytesOf(`derived/${name}`), "decode");
    expect(file.issues.map((issue) => issue.rule)).toEqual(rules);
    // The parent of the GPX rows is not part of the corpus as a file. Its gzip is, and stands in for it.
    const parentPath = existsSync(join(CORPUS, parent))
      ? parent
      : parent === GPX_PARENT
        ? "derived/gpx_ok.gpx.gz"
        : parent;
    check(file, decodeDeviceFile(bytesOf(parentPath), "decode"), bytesOf(`derived/${name}`).toString("latin1"));
  });
});

describe("KML of the corpus", () => {
  // Counted by hand in the files. google_ext.kml says of itself: 451 elements, 4.83 mi, 1:42'09" (its clock rounds).
  test.each([
    ["GPSBabel__gpsbabel/reference/track/Placemark-Track-1.kml", [[7, 7]], []],
    ["GPSBabel__gpsbabel/reference/track/google_ext.kml", [[451, 451]], []],
    ["SamR1__FitTrackee/fittrackee/tests/files/gpx_multiple_extensions.zip/example.kml", [[26, 25]], []],
    ["placemark__togeojson/test/data/gxtrack.kml", [[7, 7]], []],
    ["placemark__togeojson/test/data/linestring.kml", [], [2, 2]],
  ])("%s", (path, recordings, routes) => {
    const file = decodeKml(bytesOf(`other/${path}`), "decode");
    expect(file.recordings.map(({ pointCount, positionCount }) => [pointCount, positionCount])).toEqual(recordings);
    expect(file.routes.map(({ pointCount }) => pointCount)).toEqual(routes);
    expect(file.issues).toEqual([]);
    for (const line of [...file.recordings, ...file.routes]) expect(line.points).toHaveLength(line.pointCount);
  });

  test("what google_ext.kml says of itself is what is read", () => {
    const [track] = decodeKml(bytesOf("other/GPSBabel__gpsbabel/reference/track/google_ext.kml"), "scan").recordings;
    expect(Math.abs((track?.distance?.value ?? 0) / 1609.344 - 4.83)).toBeLessThan(0.01);
    expect(Math.abs((track?.elapsed ?? 0) - (102 * 60 + 9))).toBeLessThanOrEqual(1.5);
  });

  test("bad.kml has no coordinate that is one", () => {
    const { recordings, routes, issues } = decodeKml(bytesOf("other/placemark__togeojson/test/data/bad.kml"), "scan");
    expect([...recordings, ...routes]).toEqual([]);
    expect(issues).toMatchObject([{ severity: "error", rule: "kml/bad-position" }]);
  });

  test("other formats are named", () => {
    const named = (path: string) =>
      decodeDeviceFile(bytesOf(`other/GoldenCheetah__GoldenCheetah/test/${path}`), "scan").issues[0]?.found;
    expect(named("rides/example.fitlog")).toBe("XML whose first element is <FitnessWorkbook>");
    expect(named("runs/10kUNLP2014-Garmin15.pwx")).toBe("XML whose first element is <pwx>");
  });
});

/** A generator of numbers in [0, 1) that a seed repeats (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const SEED = 20_261;
const MUTANTS = 1_500;
const FRAGMENTS = [
  "<",
  ">",
  "&",
  "<!--",
  "]]>",
  "<![CDATA[",
  "<!DOCTYPE x>",
  '"',
  "\0",
  "\u001b",
  "&#27;",
  "<a>",
  "</trkpt>",
  "\ufeff",
  "99999999",
  "-",
  "é",
];

/** One damaged copy: bytes flipped, parts left out, doubled, put in, or the end cut off. */
function mutant(original: Uint8Array, next: () => number): Uint8Array {
  let bytes = Buffer.from(original);
  const times = 1 + Math.floor(next() * 4);
  for (let time = 0; time < times; time++) {
    const at = Math.floor(next() * bytes.length);
    const to = Math.min(bytes.length, at + Math.floor(next() * 200));
    const [before, part, after] = [bytes.subarray(0, at), bytes.subarray(at, to), bytes.subarray(to)];
    const fragment = Buffer.from(FRAGMENTS[Math.floor(next() * FRAGMENTS.length)] ?? "");
    const ways = [
      () => Buffer.concat([before, Buffer.of(Math.floor(next() * 256)), bytes.subarray(at + 1)]),
      () => Buffer.concat([before, after]),
      () => Buffer.concat([before, part, part, after]),
      () => Buffer.concat([before, fragment, part, after]),
      () => Buffer.from(before),
    ];
    bytes = (ways[Math.floor(next() * ways.length)] ?? ways[0])?.() ?? bytes;
  }
  return bytes;
}

describe("mutants of the corpus", () => {
  test(`${MUTANTS} damaged copies (seed ${SEED}) are decoded or rejected with a reason, and none costs more than 70 yardsticks`, () => {
    const originals = globSync("{gpx,tcx,other}/**/*.{gpx,tcx,kml}", { cwd: CORPUS })
      .sort()
      .map((path) => ({ path, bytes: bytesOf(path) }))
      .filter(({ bytes }) => bytes.length < 60_000);
    expect(originals.length).toBeGreaterThan(50);
    const next = random(SEED);
    let slowest = 0;
    for (let index = 0; index < MUTANTS; index++) {
      const { path, bytes } = originals[index % originals.length] ?? { path: "", bytes: Buffer.alloc(0) };
      const damaged = mutant(bytes, next);
      const began = cpuMs();
      const { recordings, routes, issues } = path.endsWith(".kml")
        ? decodeKml(damaged, "decode")
        : decodeDeviceFile(damaged, "decode");
      slowest = Math.max(slowest, cpuMs() - began);
      if (recordings.length + routes.length === 0) expect(issues, `${path}, mutant ${index}`).not.toEqual([]);
      const numbers = [...recordings, ...routes].flatMap((line) => [line.pointCount, line.distance?.value ?? 0]);
      expect(numbers.every(Number.isFinite), `${path}, mutant ${index}`).toBe(true);
    }
    expect(slowest / yardstickMs()).toBeLessThan(70);
  });
});
