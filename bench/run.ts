/**
 * `npm run bench` measures what a user waits for, in one run. It gives ratios to a named peer or to the bare limit. It prints, and fails only when it
 * breaks a promise about memory or time.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { crc32, inflateRawSync } from "node:zlib";
import { SaxesParser } from "saxes";
import { openArchive } from "../connectors/containers/open.ts";
import { decodeDeviceFile } from "../connectors/formats/device-file.ts";
import { writeGpx } from "../fixtures/make/gpx.ts";
import { makeManyActivities, makeManyFits } from "../fixtures/make/many.ts";
import { randomFrom } from "../fixtures/make/random.ts";
import { record } from "../fixtures/make/recording.ts";
import { sportNamed } from "../fixtures/make/sports.ts";
import { writeTcx } from "../fixtures/make/tcx.ts";
import { writeZip } from "../fixtures/make/zip.ts";
import { runAsLogferry } from "./as-logferry.ts";
import { benchBackup } from "./backup.ts";
import { benchCommands } from "./commands.ts";
import { benchFit } from "./fit.ts";
import { benchFleet } from "./fleet-simulated.ts";
import { benchLoad } from "./load.ts";
import { benchLogTwins } from "./log-twins.ts";
import { asRatio, pairs, timed } from "./measure.ts";
import { benchService } from "./service.ts";
import { benchSheets } from "./sheets.ts";
import { benchTables } from "./tables.ts";
import { benchTwins } from "./twins.ts";

const PAIRS = 7;
/** With fewer files the start of the process would weigh more than it does for a person with years of them. */
const FILES = 5000;
/** A turn takes ten seconds. */
const PAIRS_OF_PLANS = 3;
const MB = 1e6;

/** What the project promises (issues and docs name these). A broken promise fails the bench. */
const PROMISES = { planToUnzip: availableParallelism() > 1 ? 2.5 : 4, growthBytes: 20 * MB, peakBytes: 200 * MB };

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "logferry-bench-"));
const broken: string[] = [];

try {
  console.log(
    `Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model}; medians of pairs in turn (${PAIRS} unless said), least and most behind.\n`,
  );
  await planAZip();
  broken.push(...(await benchFit()));
  await readBesideSaxes();
  await memory();
  broken.push(...(await benchTables(child)));
  broken.push(...(await benchBackup()));
  broken.push(...(await benchLoad()));
  await benchCommands();
  broken.push(...(await benchService()));
  broken.push(...(await benchSheets()));
  broken.push(...(await benchTwins()));
  broken.push(...(await benchLogTwins()));
  broken.push(...(await benchFleet()));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
for (const promise of broken) console.log(`BROKEN: ${promise}`);
process.exitCode = broken.length === 0 ? 0 : 1;

/** Planning a zip of distinct FIT files, as a whole process, beside unpacking and checking the same zip. */
async function planAZip(): Promise<void> {
  const zip = join(folder, "fits.zip");
  const sizeBytes = await writeZip(zip, fits());
  const hasUnzip = await run("unzip", ["-v"]).then(
    () => true,
    () => false,
  );
  const peer = hasUnzip ? "unzip -t" : "Node's own inflate and CRC";
  const plain = hasUnzip
    ? () => timed(() => run("unzip", ["-tqq", zip], { maxBuffer: 1 << 24 }))
    : () => timed(() => inflateAll(zip));
  const planned = await pairs(PAIRS_OF_PLANS, () => timed(() => child(zip)), plain);
  console.log(
    `Plan a zip of ${FILES} distinct FIT files (${(sizeBytes / MB).toFixed(0)} MB), process start and journal included:`,
  );
  console.log(
    `  ${(FILES / (planned.a.median / 1000)).toFixed(0)} files/s; ${asRatio(planned.ratio)} the time of ${peer}\n`,
  );
  if (planned.ratio.median > PROMISES.planToUnzip)
    broken.push(`planning takes at most ${PROMISES.planToUnzip} times as long as ${peer}`);
}

/** GPX and TCX at the depth of planning and with every point, beside saxes with empty handlers. */
async function readBesideSaxes(): Promise<void> {
  for (const format of ["gpx", "tcx"] as const) {
    const bytes = oneTrack(format);
    for (const depth of ["scan", "decode"] as const) {
      const both = await pairs(
        PAIRS,
        () => timed(() => decodeDeviceFile(bytes, depth)),
        () => timed(() => bareSaxes(bytes)),
      );
      console.log(
        `${format.toUpperCase()} of ${(bytes.length / MB).toFixed(1)} MB, ${depth}: ${(bytes.length / MB / (both.a.median / 1000)).toFixed(0)} MB/s; ${asRatio(both.ratio)} the time of bare saxes`,
      );
    }
  }
  console.log();
}

/** The most memory of a process that plans a bulk export, for a small and a large one. */
async function memory(): Promise<void> {
  const peaks: number[] = [];
  for (const rows of [1_000, 20_000]) {
    const zip = join(folder, `many-${rows}.zip`);
    await makeManyActivities(zip, rows);
    const found = [];
    for (let round = 0; round < 5; round++) found.push(await child(zip));
    const peak = found.map(({ peakBytes }) => peakBytes).toSorted((a, b) => a - b)[2] ?? Number.NaN;
    peaks.push(peak);
    console.log(
      `Plan ${rows} activities: at most ${(peak / MB).toFixed(0)} MB, ${found[0]?.read ?? 0} records in ${((found[0]?.ms ?? 0) / 1000).toFixed(1)} s`,
    );
  }
  const [small = 0, large = 0] = peaks;
  console.log(`  ${((large - small) / MB).toFixed(0)} MB more for twenty times as many`);
  if (large - small > PROMISES.growthBytes)
    broken.push("planning 20,000 activities takes at most 20 MB more than planning 1,000");
  if (large > PROMISES.peakBytes) broken.push("planning takes at most 200 MB");
  console.log();
}

/** Six hours at a sample a second. */
function oneTrack(format: "gpx" | "tcx"): Uint8Array {
  const place = { lat: 48.2, lon: 16.4, elevation: 160 };
  const wish = {
    sport: sportNamed("run"),
    start: Date.parse("2024-05-01T05:00:00Z"),
    timer: 21_600,
    metres: 60_000,
    place,
    every: 1,
  };
  const recording = record(wish, randomFrom("bench"));
  return format === "gpx" ? writeGpx([recording]) : writeTcx([recording]);
}

async function* fits() {
  for await (const [name, bytes] of makeManyFits(FILES, 1)) yield { name, bytes };
}

function child(archive: string): Promise<{ ms: number; read: number; peakBytes: number }> {
  return runAsLogferry("plan-child.ts", [archive, folder]);
}

/** The limit where there is no unzip: every entry is inflated and checked, and nothing else. */
async function inflateAll(zip: string): Promise<void> {
  const archive = await openArchive(zip);
  const bytes = readFileSync(zip);
  for (let at = 0; bytes.readUInt32LE(at) === 0x04034b50; ) {
    const size = bytes.readUInt32LE(at + 18);
    const start = at + 30 + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28);
    if (bytes.readUInt16LE(at + 8) === 8) crc32(inflateRawSync(bytes.subarray(start, start + size)));
    at = start + size;
  }
  await archive.close();
}

function bareSaxes(bytes: Uint8Array): void {
  const parser = new SaxesParser({ xmlns: false, position: false });
  parser.on("opentag", () => {});
  parser.on("text", () => {});
  const text = new TextDecoder("utf-8", { fatal: true });
  for (let at = 0; at < bytes.length; at += 1 << 16)
    parser.write(text.decode(bytes.subarray(at, at + (1 << 16)), { stream: true }));
  parser.close();
}
