/**
 * FIT files from outside this project. They are compared with the values that independent decoders agree on (`TRUTH.jsonl`), and with the known facts
 * about files damaged on purpose (`DERIVED.tsv`). The corpus is read where it lies.
 */
import { readFileSync } from "node:fs";
import { constants, gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { decodeFit } from "../../connectors/formats/fit/decode.ts";
import type { DeviceFile, Recording } from "../../connectors/formats/recording.ts";
import { cpuMs } from "../support/cpu-time.ts";
import { secondOpinion } from "../support/fit-file-parser.ts";
import { yardstickMs } from "../support/growth.ts";
import { CORPUS } from "../support/shared.ts";

/** The fields that decoders were compared in. Times are seconds since 1970, distances metres. */
interface Values {
  readonly n_sessions: number | null;
  readonly start: number | null;
  readonly sport: readonly (string | null)[] | null;
  readonly distance_m: number | null;
  readonly elapsed_s: number | null;
  readonly timer_s: number | null;
  readonly avg_hr: number | null;
  readonly max_hr: number | null;
  readonly n_records: number | null;
  readonly n_pos: number | null;
  readonly n_laps: number | null;
  readonly first_ts: number | null;
  readonly last_ts: number | null;
}

interface TruthRow {
  readonly path: string;
  readonly kind: string;
  readonly expect: string;
  readonly agreed: Values;
  readonly why: Readonly<Record<string, string>>;
}

interface DerivedRow {
  readonly path: string;
  readonly expected: string;
}

const truth: readonly TruthRow[] = readFileSync(`${CORPUS}/TRUTH.jsonl`, "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line): TruthRow => JSON.parse(line))
  .filter(({ kind }) => kind === "fit");

const derived: readonly DerivedRow[] = readFileSync(`${CORPUS}/DERIVED.tsv`, "utf8")
  .split("\n")
  .slice(1)
  .map((line) => line.split("\t"))
  .map((cells): DerivedRow => ({ path: cells[0] ?? "", expected: cells[5] ?? "" }))
  .filter(({ path }) => path.startsWith("derived/fit_"));

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

function bytesOf(path: string): Uint8Array {
  const bytes = readFileSync(`${CORPUS}/${path}`);
  return path.endsWith(".gz") ? gunzipSync(bytes) : bytes;
}

const decodedFiles = new Map<string, DeviceFile>();

/** A file of the corpus at depth `decode`. Each is decoded once, since decoding is most of the time these tests take. */
function decoded(path: string): DeviceFile {
  const file = decodedFiles.get(path) ?? decodeFit(bytesOf(path), "decode");
  decodedFiles.set(path, file);
  return file;
}

/**
 * The file in the terms of the truth: sums over sessions, the greatest of maxima, and the average heart rate of a lone session. The decoders agreed
 * on no average for several sessions. A recording made up of records alone is no session.
 */
function valuesOf(file: DeviceFile): Values {
  const sessions = file.issues.some(({ rule }) => rule === "fit/no-session") ? [] : file.recordings;
  const all = [...file.recordings, ...file.routes];
  const points = all.flatMap((part) => part.points ?? []);
  const instants = points.flatMap(({ instant }) => instant ?? []);
  const present = (pick: (recording: Recording) => number | undefined) => sessions.flatMap((r) => pick(r) ?? []);
  const sum = (values: readonly number[]) => (values.length === 0 ? null : values.reduce((a, b) => a + b));
  const seconds = (instant: number | undefined) => (instant === undefined ? null : instant / 1000);
  const maxima = present(({ maxHR }) => maxHR);
  return {
    n_sessions: sessions.length,
    start: seconds(sessions[0]?.start),
    // The truth writes names without underscores.
    sport: sessions.length === 0 ? null : sessions.map(({ sport }) => sport?.replaceAll("_", "") ?? null),
    distance_m: sum(present(({ distance }) => distance?.value)),
    elapsed_s: sum(present(({ elapsed }) => elapsed)),
    timer_s: sum(present(({ timer }) => timer)),
    avg_hr: sessions.length === 1 ? (sessions[0]?.avgHR ?? null) : null,
    max_hr: maxima.length === 0 ? null : Math.max(...maxima),
    n_records: all.reduce((count, { pointCount }) => count + pointCount, 0),
    n_pos: points.filter(({ position }) => position !== undefined).length,
    n_laps: file.recordings.reduce((count, { laps }) => count + laps.length, 0),
    first_ts: seconds(instants[0]),
    last_ts: seconds(instants.at(-1)),
  };
}

/** How far a value may stand from the agreed one. Counts must be equal. */
function tolerance(field: string, agreed: number): number {
  if (field.startsWith("n_")) return 0;
  return field === "distance_m" ? Math.max(1, agreed / 100) : 1;
}

function matches(field: string, agreed: unknown, found: unknown): boolean {
  if (typeof agreed === "number" && typeof found === "number") {
    return Math.abs(agreed - found) <= tolerance(field, agreed);
  }
  return JSON.stringify(agreed) === JSON.stringify(found);
}

/**
 * The agreed values of a row. A null counts when the decoders agree that the file has no such value. Otherwise it is no answer. Values that logferry
 * computes are compared with `COMPUTED`.
 */
function agreedOf(row: TruthRow): [field: keyof Values, value: unknown][] {
  return (Object.entries(row.agreed) as [keyof Values, unknown][]).filter(
    ([field, value]) =>
      (value !== null || row.why[field]?.startsWith("absent in file") === true) &&
      !COMPUTED.some(([file, total]) => row.path.endsWith(`/${file}`) && total === field),
  );
}

/**
 * Totals that sessions lack and that logferry computes, with the expected values. These are the sums and means of the records in `rec` of the truth,
 * unless the comment says otherwise. The decoders give session messages as they are.
 */
const COMPUTED: readonly (readonly [file: string, field: keyof Values, value: number])[] = [
  ["3386684871-saved.fit", "avg_hr", 137.01],
  ["3386684871-saved.fit", "max_hr", 149],
  // The truth's mean of 126.51 counts the 108 records of 0 bpm, and the 252 above 250 bpm. The mean without them is from fit-file-parser's records.
  ["from_official_sdk/Activity.fit", "avg_hr", 120.95],
  ["from_official_sdk/Activity.fit", "max_hr", 250],
  ["from_official_sdk/Activity.fit", "distance_m", 3600],
  // Its only lap has 82 and 98. The records have 83.64 and 98.
  ["FR55-CoreTemp-Walk.fit", "avg_hr", 82],
  ["FR55-CoreTemp-Walk.fit", "max_hr", 98],
  ["Garmin830_with_Stages.fit", "avg_hr", 141.65],
  ["Garmin830_with_Stages.fit", "max_hr", 164],
  ["Move_2020_01_15_19_27_16_Running.fit", "avg_hr", 94.6],
  ["Move_2020_01_15_19_27_16_Running.fit", "max_hr", 110],
  // The app's own field of its session. The watch wrote 0.
  ["RowingCIQspeed.FIT", "distance_m", 5120],
  ["activity-large-fenxi2-multisport.fit", "max_hr", 172],
  ["activity-small-fenix2-run.fit", "avg_hr", 153.98],
  ["activity-small-fenix2-run.fit", "max_hr", 178],
  ["apple_watch.fit", "avg_hr", 178.07],
  ["apple_watch.fit", "max_hr", 191],
  // Its only lap.
  ["apple_watch.fit", "timer_s", 277],
  ["big_activity.fit", "avg_hr", 110],
  ["big_activity.fit", "max_hr", 110],
  // Activity.fit and a swim of 457.2 m.
  ["chained_Activity_activity_poolswim.fit", "distance_m", 4057.2],
  ["chained_Activity_activity_poolswim.fit", "max_hr", 250],
  ["coros-pace-2-cycling-misaligned-fields.fit", "avg_hr", 131.94],
  ["test2.fit", "avg_hr", 153.21],
  ["test2.fit", "max_hr", 175],
  ["test2.fit", "distance_m", 10_715],
];

const NO_DATE =
  "counts from power-on (a date below 0x10000000): the majority books it in 1990, fitparse and fitdecode don't";
const ROUTE = "the lap of a course, which becomes a route; a route has no laps";
const NO_STRAP = "0 bpm, which we take for not measured";

/** Every value that logferry reads differently, with the reason. */
const DIFFERENCES: readonly (readonly [file: string, field: keyof Values, cause: string])[] = [
  ["antfs-dump.63.fit", "start", NO_DATE],
  ["antfs-dump.63.fit", "first_ts", NO_DATE],
  ["antfs-dump.63.fit", "last_ts", NO_DATE],
  ["garmin-virb-ultra-30.fit", "start", NO_DATE],
  ["garmin-virb-ultra-30.fit", "first_ts", NO_DATE],
  ["garmin-virb-ultra-30.fit", "last_ts", NO_DATE],
  ["0134902991.fit", "avg_hr", NO_STRAP],
  ["0134902991.fit", "max_hr", NO_STRAP],
  ["cptr001.fit", "n_laps", ROUTE],
  ["cptr002.fit", "n_laps", ROUTE],
  ["cptr003_connect.fit", "n_laps", ROUTE],
  ["fitwrite-track.fit", "n_laps", ROUTE],
  ["example.fit", "n_laps", ROUTE],
];

describe("FIT files of the corpus", () => {
  test("hold what independent decoders agree on, but for the differences listed", () => {
    let compared = 0;
    const found: string[] = [];
    for (const row of truth) {
      const values = valuesOf(decoded(row.path));
      for (const [field, agreed] of agreedOf(row)) {
        compared++;
        if (!matches(field, agreed, values[field])) found.push(`${nameOf(row.path)} ${field}`);
      }
    }
    expect(found.sort()).toEqual(DIFFERENCES.map(([file, field]) => `${file} ${field}`).sort());
    expect(compared).toBeGreaterThan(1300);
    expect(found.length / compared).toBeLessThan(0.01);
  });

  test("have the totals that their sessions lack, computed from laps and records", () => {
    const lacking: string[] = [];
    for (const row of truth) {
      const file = decoded(row.path);
      const computed = COMPUTED.filter(([name]) => row.path.endsWith(`/${name}`));
      const values = valuesOf(file);
      for (const [, field, value] of computed)
        if (!matches(field, value, values[field])) lacking.push(`${nameOf(row.path)} ${field}: ${values[field]}`);
      // 18 recordings had no heart rate, and 4 no distance, while only sessions were read.
      for (const { avgHR, maxHR, distance, laps, points = [] } of file.recordings) {
        const hasRates = [...laps.map((lap) => lap.avgHR), ...points.map((point) => point.heartRate)].some(Boolean);
        const hasMetres = [...laps, ...points].some((part) => (part.distance?.value ?? 0) > 0);
        if (hasRates && (avgHR === undefined || maxHR === undefined)) lacking.push(`${nameOf(row.path)}: a heart rate`);
        if (hasMetres && (distance?.value ?? 0) <= 0) lacking.push(`${nameOf(row.path)}: a distance`);
      }
    }
    expect(lacking).toEqual([]);
  });

  test("say the same at depth scan, but for the points", () => {
    for (const { path } of truth) {
      const { recordings, routes, ...rest } = decoded(path);
      const bare = {
        ...rest,
        recordings: recordings.map(({ points: _, ...recording }) => recording),
        routes: routes.map(({ points: _, ...route }) => route),
      };
      expect(decodeFit(bytesOf(path), "scan"), path).toEqual(bare);
      for (const part of [...recordings, ...routes]) expect(part.points, path).toHaveLength(part.pointCount);
      for (const part of recordings) {
        const positions = part.points?.filter(({ position }) => position !== undefined);
        expect(positions, path).toHaveLength(part.positionCount);
      }
    }
  });

  test("that are sound give no warning but of what they leave out", () => {
    const allowed = new Set(["fit/no-session", "fit/no-calendar-date", "fit/computed-total"]);
    for (const { path, expect: expectation } of truth) {
      const { issues } = decodeFit(bytesOf(path), "scan");
      const warnings = issues.filter(({ severity, rule }) => severity !== "info" && !allowed.has(rule));
      if (expectation === "ok") expect(warnings, path).toEqual([]);
      // Behind activity-settings-corruptheader.fit stand 83 bytes that were a file. They are worth a remark, but not a warning.
      else expect(issues, path).not.toEqual([]);
    }
  });

  test("have the same points as by fit-file-parser, to the last bit, also where the files are damaged on purpose", () => {
    let compared = 0;
    for (const { path } of [...truth, ...derived]) {
      const { points, differences } = secondOpinion(unpacked(path));
      expect(differences, path).toEqual([]);
      compared += points;
    }
    expect(compared).toBeGreaterThan(10_000);
  });

  test("have a heart rate in every record where a strap handed its stream over", () => {
    // Counts of Garmin's fitsdk 21.217.0 with its merging of heart rates on: all records, in each of these.
    const counts = {
      "GarminHRMswim.FIT": 2630,
      "event_timestamp.fit": 4376,
      "sample_mulitple_header.fit": 1773,
      "activity_poolswim_with_hr.fit": 3501,
      "6788312639-1.fit": 8930,
      "6860712481.fit": 2848,
    };
    for (const [name, count] of Object.entries(counts)) {
      const path = truth.find((row) => nameOf(row.path) === name)?.path ?? "";
      const points = decoded(path).recordings.flatMap((recording) => recording.points ?? []);
      expect(points.filter(({ heartRate }) => heartRate !== undefined).length, name).toBe(count);
    }
  });

  test("have the strap's heart rate where the watch averaged the strap", () => {
    const path = truth.find((row) => nameOf(row.path) === "6788312639-1.fit")?.path ?? "";
    const swim = decoded(path).recordings[0];
    const rates = swim?.points?.flatMap(({ heartRate }) => heartRate ?? []) ?? [];
    expect(swim?.avgHR).toBe(158);
    expect(rates.reduce((a, b) => a + b, 0) / rates.length).toBeCloseTo(158, 0);
  });
});

/** The agreed values of the two parents of the damaged files. */
const RUN = { sport: "running", start: 1471455687000, records: 427, laps: 14, metres: 4543.32 };
const SWIM = { sport: "swimming", start: 1598198592000, records: 5, laps: 1, metres: 750 };

/** The expected result of each damaged file: the activities that are whole, and the issues that matter. */
const DAMAGED: Readonly<
  Record<string, { readonly whole: readonly (typeof RUN)[]; readonly rules: readonly string[] }>
> = {
  "fit_bitflip_middle.fit": { whole: [RUN], rules: ["fit/crc-mismatch"] },
  "fit_crc_half_missing.fit": { whole: [RUN], rules: ["fit/crc-missing"] },
  "fit_crc_missing.fit": { whole: [RUN], rules: ["fit/crc-missing"] },
  "fit_datasize_zero.fit": { whole: [RUN], rules: ["fit/header-crc", "fit/unfinished"] },
  "fit_datasize_max.fit": { whole: [RUN], rules: ["fit/header-crc", "fit/unfinished"] },
  "fit_header_crc_bad.fit": { whole: [RUN], rules: ["fit/header-crc", "fit/crc-mismatch"] },
  "fit_chained_activity_swim.fit": { whole: [RUN, SWIM], rules: [] },
  "fit_chained_same_twice.fit": { whole: [RUN, RUN], rules: [] },
  "fit_trailing_zeros.fit": { whole: [RUN], rules: ["fit/trailing-bytes"] },
  "fit_ok.fit.gz": { whole: [RUN], rules: [] },
  "fit_gz_named_fit.fit": { whole: [RUN], rules: [] },
  "fit_gz_twice.fit.gz": { whole: [RUN], rules: [] },
  "fit_named_tcx.tcx": { whole: [RUN], rules: [] },
  "fit_empty.fit": { whole: [], rules: ["fit/empty"] },
  "fit_11_bytes.fit": { whole: [], rules: ["fit/not-fit"] },
  "fit_all_zero.fit": { whole: [], rules: ["fit/not-fit"] },
  "fit_bad_signature.fit": { whole: [], rules: ["fit/not-fit"] },
  "fit_def_255_fields.fit": { whole: [], rules: ["fit/undefined-message", "fit/nothing-readable"] },
  "fit_undefined_local.fit": { whole: [], rules: ["fit/undefined-message", "fit/nothing-readable"] },
};

/** Files that keep only their beginning. Each has a test of its own. */
const CUT = ["fit_truncated_60pct.fit", "fit_chained_second_truncated.fit", "fit_gz_truncated.fit.gz"];

const PARENT = "fit/fgebhart__workoutizer/tests/data/with_nones.fit";

/** The bytes with every layer of gzip taken off, whatever the file's name. The archive unpacks files. The decoder does not. */
function unpacked(path: string): Uint8Array {
  let bytes: Uint8Array = readFileSync(`${CORPUS}/${path}`);
  while (bytes[0] === 0x1f && bytes[1] === 0x8b) {
    bytes = gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH });
  }
  return bytes;
}

describe("FIT files damaged on purpose", () => {
  test("are all named here", () => {
    expect(derived.map(({ path }) => nameOf(path)).sort()).toEqual([...Object.keys(DAMAGED), ...CUT].sort());
  });

  for (const { path, expected } of derived) {
    const outcome = DAMAGED[nameOf(path)];
    if (outcome === undefined) continue;
    test(`${nameOf(path)}: ${expected}`, () => {
      const file = decodeFit(unpacked(path), "decode");
      expect(
        file.recordings.map(({ sport, start, laps, distance, points }) => ({
          sport,
          start,
          records: points?.length,
          laps: laps.length,
          metres: distance?.value,
        })),
      ).toEqual(outcome.whole);
      expect(file.issues.map(({ rule }) => rule)).toEqual(outcome.rules);
      expect(file.issues.some(({ severity }) => severity === "error")).toBe(
        expected.startsWith("reject:") || outcome.whole.length === 0,
      );
    });
  }

  test.each(["derived/fit_truncated_60pct.fit", "derived/fit_gz_truncated.fit.gz"])(
    "%s keeps every record before the cut",
    (path) => {
      const whole = decoded(PARENT).recordings[0];
      const cutBytes = unpacked(path);
      const file = decodeFit(cutBytes, "decode");
      const kept = file.recordings[0]?.points ?? [];
      expect(kept).toEqual(whole?.points?.slice(0, kept.length));
      // Records are spread evenly over the 11,033 bytes of the parent. Laps make a difference of a few per cent.
      expect(kept.length / RUN.records).toBeCloseTo(cutBytes.length / 11_033, 1);
      expect(file.recordings[0]).toMatchObject({ sport: "running", start: RUN.start });
      expect(file.issues.map(({ rule }) => rule)).toEqual(["fit/truncated", "fit/no-session"]);
    },
  );

  test("derived/fit_chained_second_truncated.fit keeps the first file whole, and of the second what there is", () => {
    const file = decodeFit(unpacked("derived/fit_chained_second_truncated.fit"), "decode");
    const [run, swim] = file.recordings;
    expect(run).toMatchObject({ start: RUN.start, pointCount: RUN.records, laps: { length: RUN.laps } });
    expect(swim).toMatchObject({ sport: "swimming", start: SWIM.start });
    expect(file.issues.map(({ rule }) => rule)).toEqual(["fit/truncated", "fit/no-session"]);
  });

  test("packed files are none of the decoder's business", () => {
    const packed = readFileSync(`${CORPUS}/derived/fit_ok.fit.gz`);
    expect(decodeFit(packed, "scan")).toMatchObject({
      format: undefined,
      issues: [{ rule: "fit/not-fit", found: "gzip data" }],
    });
  });
});

/** Mulberry32: a small generator with a seed, so that a failing mutant can be made again. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Changes one to eight bytes. Sometimes it takes a chunk out, inserts it twice, or cuts the end off. */
function mutant(original: Uint8Array, next: () => number): Uint8Array {
  const bytes = Uint8Array.from(original);
  const place = () => Math.floor(next() * bytes.length);
  for (let changes = 1 + Math.floor(next() * 8); changes > 0; changes--) bytes[place()] = Math.floor(next() * 256);
  const [from, to] = [place(), place()].sort((a, b) => a - b) as [number, number];
  switch (Math.floor(next() * 6)) {
    case 0:
      return bytes.subarray(0, from);
    case 1:
      return Uint8Array.from([...bytes.subarray(0, from), ...bytes.subarray(to)]);
    case 2:
      return Uint8Array.from([...bytes.subarray(0, to), ...bytes.subarray(from)]);
    default:
      return bytes;
  }
}

const MUTANTS = 600;

describe("mutants of FIT files", () => {
  const seed = 20_200_913;
  test.each(["from_official_sdk/Activity.fit", "garmin-edge-820-bike.fit", "antfs-dump.63.fit"])(
    `never throw, hang or come without a reason: ${MUTANTS} of %s (seed ${seed})`,
    (name) => {
      const original = bytesOf(truth.find((row) => row.path.endsWith(`/${name}`))?.path ?? "");
      const next = random(seed);
      let slowestMs = 0;
      for (let count = 0; count < MUTANTS; count++) {
        const bytes = mutant(original, next);
        const begun = cpuMs();
        const file = decodeFit(bytes, "decode");
        slowestMs = Math.max(slowestMs, cpuMs() - begun);
        if (file.recordings.length + file.routes.length === 0) expect(file.issues).not.toEqual([]);
      }
      expect(slowestMs / yardstickMs()).toBeLessThan(70);
    },
  );
});
