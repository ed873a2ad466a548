/**
 * A plan of workouts that the log has already, otherwise measured: the time must stay near linear, and the memory flat. Part of `npm run bench`; by
 * itself `node bench/log-twins.ts`.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const COUNTS = [10_000, 20_000, 50_000, 100_000] as const;
const MB = 1e6;

/** Ten times as many workouts take at most so many times as long for each of them. They take so much more memory in all. */
const PROMISED = { timeEach: 1.6, growthBytes: 60 * MB } as const;

/** With a small heap the garbage is collected at once, and what remains is what the plan holds. */
const SMALL_HEAP = ["--max-old-space-size=96", "--max-semi-space-size=4"];

interface Measured {
  readonly ms: number;
  readonly found: number;
  readonly peakBytes: number;
}

const run = promisify(execFile);

/** Prints time and memory for each size. @returns the promises that the plan broke */
export async function benchLogTwins(): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), "logferry-bench-"));
  const broken: string[] = [];
  try {
    console.log("Plan workouts against a log that has as many, each otherwise measured:");
    let first: { readonly each: number; readonly peakBytes: number } | undefined;
    for (const count of COUNTS) {
      const [full, empty] = [await planned(folder, count), await planned(folder, count, "empty")];
      const each = full.ms / count;
      first ??= { each, peakBytes: full.peakBytes };
      const growth = full.peakBytes - first.peakBytes;
      console.log(
        `  ${count}: ${(each / first.each).toFixed(2)}x the time of each of ${COUNTS[0]}, ${(full.ms / empty.ms).toFixed(2)}x the time against an empty log, peak ${(full.peakBytes / MB).toFixed(0)} MB`,
      );
      if (full.found !== count) broken.push(`each of ${count} workouts is found in the log, and not ${full.found}`);
      if (each > PROMISED.timeEach * first.each)
        broken.push(`planning against a log stays near linear at ${count} workouts`);
      if (growth > PROMISED.growthBytes) broken.push(`planning against a log keeps its memory at ${count} workouts`);
    }
    console.log();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return broken;
}

async function planned(folder: string, count: number, ...words: readonly string[]): Promise<Measured> {
  const child = join(import.meta.dirname, "log-twins-child.ts");
  const { stdout } = await run(process.execPath, [...SMALL_HEAP, child, folder, `${count}`, ...words]);
  return JSON.parse(stdout) as Measured;
}

if (import.meta.main) for (const promise of await benchLogTwins()) console.log(`BROKEN: ${promise}`);
