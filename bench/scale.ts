/**
 * `npm run bench:scale` plans, loads, verifies and exports 10,000 workouts, and then 100,000. It compares the cost of a workout. It also writes a million
 * workouts as CSV and NDJSON, beside fast-csv. It takes some eight minutes.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { DENSE_TIMES, makeManyActivities } from "../fixtures/make/many.ts";
import { addDemoUser } from "../service/demo.ts";
import { startService } from "../service/server.ts";
import { runAsLogferry } from "./as-logferry.ts";
import { asRatio, pairs, peakOf } from "./measure.ts";

const LOGFERRY = join(import.meta.dirname, "..", "bin", "logferry.js");
const SIZES = [10_000, 100_000] as const;
const IN_FLIGHT = 8;
const MILLION = 1_000_000;
const EXPORT_PAIRS = 3;
const MB = 1e6;

/** What the project promises. */
const PROMISES = { costRatio: 1.1, exportBytes: 200 * MB };

/** The cost of a command for one workout, and the most memory of its process. */
interface Cost {
  readonly ms: number;
  readonly peakBytes: number;
}

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "logferry-scale-"));
const broken: string[] = [];
try {
  await exports();
  await commands();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
for (const promise of broken) console.log(`BROKEN: ${promise}`);
process.exitCode = broken.length === 0 ? 0 : 1;

/** A million workouts in two formats, and their rows with fast-csv alone. */
async function exports(): Promise<void> {
  const write = async (how: string) => {
    const out = join(folder, "export");
    rmSync(out, { recursive: true, force: true });
    return runAsLogferry<Cost & { readonly bytes: number }>("export-child.ts", [how, String(MILLION), out]);
  };
  for (const format of ["csv", "ndjson"]) {
    let most = 0;
    let bytes = 0;
    const ours = async () => {
      const written = await write(format);
      most = Math.max(most, written.peakBytes);
      bytes = written.bytes;
      return written.ms;
    };
    const both = await pairs(EXPORT_PAIRS, ours, async () => (await write("fast-csv")).ms);
    console.log(
      `Write a million workouts as ${format.toUpperCase()} (${(bytes / MB).toFixed(0)} MB): ${(both.a.median / 1000).toFixed(1)} s, ${asRatio(both.ratio)} the time of fast-csv for their rows; at most ${(most / MB).toFixed(0)} MB`,
    );
    if (most > PROMISES.exportBytes) broken.push(`an export of a million workouts as ${format} takes at most 200 MB`);
  }
}

/** Each command with a small and a large archive, before our own service. */
async function commands(): Promise<void> {
  const found = new Map<string, Cost[]>();
  for (const size of SIZES) {
    for (const [name, cost] of Object.entries(await costsOf(size))) found.set(name, [...(found.get(name) ?? []), cost]);
  }
  for (const [name, [small, large]] of found) {
    if (small === undefined || large === undefined) continue;
    const ratio = large.ms / small.ms;
    console.log(
      `${name}: ${small.ms.toFixed(2)} ms a workout for ${SIZES[0]}, ${large.ms.toFixed(2)} for ${SIZES[1]}: ${ratio.toFixed(2)} times; at most ${(small.peakBytes / MB).toFixed(0)} and ${(large.peakBytes / MB).toFixed(0)} MB`,
    );
    if (ratio > PROMISES.costRatio)
      broken.push(`${name} costs at most ${PROMISES.costRatio} times as much for each workout of ${SIZES[1]}`);
  }
}

/** One workout in ten has a device file. */
async function costsOf(size: number): Promise<Record<string, Cost>> {
  const zip = join(folder, `export-${size}.zip`);
  await makeManyActivities(zip, size, DENSE_TIMES);
  const service = await startService({ database: join(folder, `log-${size}.db`) });
  try {
    const { token } = await addDemoUser(service, { units: "kilometres", utcOffset: 1 });
    const env = {
      PATH: process.env.PATH ?? "",
      HOME: join(folder, "home"),
      LOGFERRY_URL: service.url,
      LOGFERRY_TOKEN: token,
    };
    const paced = ["--rate", "0", "--concurrency", String(IN_FLIGHT), "--quiet"];
    const journal = ["--journal", join(folder, `journal-${size}.db`)];
    const out = (format: string) => ["--out", join(folder, `${format}-${size}`), "--format", format];
    const costOf = (words: readonly string[]) => cost(words, env, size);
    return {
      plan: await costOf(["plan", zip, ...paced, ...journal]),
      apply: await costOf(["apply", ...paced, ...journal]),
      verify: await costOf(["verify", ...paced, ...journal]),
      "export as CSV": await costOf(["export", ...out("csv"), ...paced]),
      "export as NDJSON": await costOf(["export", ...out("ndjson"), ...paced]),
    };
  } finally {
    await service.close();
  }
}

/** Runs a command line, and divides its time by the workouts. */
async function cost(words: readonly string[], env: Record<string, string>, workouts: number): Promise<Cost> {
  let peakBytes = Number.NaN;
  const startedAt = performance.now();
  const running = run(process.execPath, [LOGFERRY, ...words], { env, maxBuffer: 1 << 26 });
  // The most memory so far only grows, so the last look is close to the end.
  const looking = setInterval(() => {
    const now = peakOf(running.child.pid ?? 0);
    if (!Number.isNaN(now)) peakBytes = now;
  }, 100);
  try {
    await running;
  } finally {
    clearInterval(looking);
  }
  return { ms: (performance.now() - startedAt) / workouts, peakBytes };
}
