/**
 * What somebody waits for while FIT files are read, beside fit-file-parser alone on the same files, in one process. `node bench/fit.ts` runs this
 * part alone.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import FitParser from "fit-file-parser";
import { decodeDeviceFile } from "../connectors/formats/device-file.ts";
import type { Depth } from "../connectors/formats/recording.ts";
import { makeManyFits } from "../fixtures/make/many.ts";
import { CORPUS } from "../test/support/shared.ts";
import { asRatio, cpuTimed, pairs } from "./measure.ts";

const FILES = 40;
const PAIRS = 15;

/** All points of a file come this many times as fast as by fit-file-parser, by the best turn of each. */
const PROMISED_TIMES = 10;

/**
 * The promise is about the files of the corpus, 108 of real devices. Where they are absent, it is about runs of an hour at a record a second. A record
 * has 13 fields, as a running watch of today writes it: of the 64 long files of the corpus a quarter has that many or more. With 8 fields, the fewest
 * that make sense, fit-file-parser has less to do.
 *
 * @returns the promises that are broken
 */
export async function benchFit(): Promise<string[]> {
  const watch = await made(true);
  const few = await made(false);
  const corpus = ofCorpus();
  await besideParser("what planning needs", "scan", few);
  await besideParser("all points, 8 fields a record", "decode", few);
  const ofWatch = await besideParser("all points, 13 fields a record", "decode", watch);
  if (corpus.length === 0)
    console.log("FIT: all points, files of real devices: not measured, ../shared/corpus is absent");
  const times =
    corpus.length === 0 ? ofWatch : await besideParser("all points, files of real devices", "decode", corpus);
  console.log();
  return times < PROMISED_TIMES
    ? [`all points of a FIT file come ${PROMISED_TIMES} times as fast as by fit-file-parser`]
    : [];
}

async function made(dynamics: boolean): Promise<readonly Uint8Array[]> {
  const files: Uint8Array[] = [];
  for await (const [, bytes] of makeManyFits(FILES, 2, dynamics)) files.push(bytes);
  return files;
}

/** The FIT files of the corpus, unpacked. None where the corpus is absent. */
function ofCorpus(): readonly Uint8Array[] {
  const list = join(CORPUS, "TRUTH.jsonl");
  if (!existsSync(list)) return [];
  const lines = readFileSync(list, "utf8").trimEnd().split("\n");
  const rows = lines.map((line): { readonly path: string; readonly kind: string } => JSON.parse(line));
  return rows
    .filter(({ kind }) => kind === "fit")
    .map(({ path }) => {
      const bytes = readFileSync(join(CORPUS, path));
      return path.endsWith(".gz") ? gunzipSync(bytes) : bytes;
    });
}

/** @returns how many times as fast we are, by the best turn of each: other work on the machine, and its garbage collectors, only add time */
async function besideParser(what: string, depth: Depth, files: readonly Uint8Array[]): Promise<number> {
  const both = await pairs(
    PAIRS,
    () =>
      cpuTimed(async () => {
        for (const bytes of files) await byParser(bytes);
      }),
    () =>
      cpuTimed(() => {
        for (const bytes of files) decodeDeviceFile(bytes, depth);
      }),
  );
  const rate = (files.length / (both.b.least / 1000)).toFixed(0);
  const times = both.a.least / both.b.least;
  console.log(
    `FIT: ${what}, ${files.length} files, beside fit-file-parser: ${rate} files/s of one core; ${times.toFixed(1)} times as fast by the best of ${PAIRS} turns, in pairs ${asRatio(both.ratio)}`,
  );
  return times;
}

/** A damaged file can make it throw. That is quicker than to read it, and counts for it. */
async function byParser(bytes: Uint8Array): Promise<void> {
  try {
    await new FitParser({ force: true, mode: "list" }).parseAsync(Buffer.from(bytes));
  } catch {
    // Nothing to do: only the time counts.
  }
}

if (import.meta.main) {
  const broken = await benchFit();
  for (const promise of broken) console.log(`BROKEN: ${promise}`);
  process.exitCode = broken.length === 0 ? 0 : 1;
}
