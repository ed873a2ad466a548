/**
 * Measuring in ratios. Two things run in turn, A B A B, and each pair gives one ratio. The median of the pairs is reported with its spread. A machine
 * that slows down half-way slows both.
 */
import { readFileSync } from "node:fs";

/** The median and the spread of some numbers. */
export interface Spread {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

/** What a paired measurement found. */
export interface Paired {
  readonly a: Spread;
  readonly b: Spread;
  /** a / b, pair by pair. */
  readonly ratio: Spread;
}

/**
 * Runs both in turn, after one warm-up of each.
 *
 * @param a gives its own milliseconds
 * @param b likewise
 */
export async function pairs(
  count: number,
  a: () => Promise<number> | number,
  b: () => Promise<number> | number,
): Promise<Paired> {
  await a();
  await b();
  const as: number[] = [];
  const bs: number[] = [];
  for (let pair = 0; pair < count; pair++) {
    as.push(await a());
    bs.push(await b());
  }
  return { a: spread(as), b: spread(bs), ratio: spread(as.map((value, index) => value / (bs[index] ?? Number.NaN))) };
}

/** Milliseconds of a call. */
export async function timed(work: () => unknown): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** Milliseconds of the processor during a call, the garbage collector's threads included. Steadier than the clock while others work on the machine. */
export async function cpuTimed(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** The median and the ends of some numbers. */
export function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((x, y) => x - y);
  const middle = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  return { median: middle, least: sorted[0] ?? Number.NaN, most: sorted.at(-1) ?? Number.NaN };
}

/** `1.62x (1.55 to 1.80)` */
export function asRatio({ median, least, most }: Spread): string {
  return `${median.toFixed(2)}x (${least.toFixed(2)} to ${most.toFixed(2)})`;
}

/** The most memory a running process had so far; NaN where there is no /proc. */
export function peakOf(pid: number): number {
  try {
    const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Number(kilobytes) * 1024;
  } catch {
    return Number.NaN;
  }
}
