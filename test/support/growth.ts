/**
 * How much work something is, as a ratio: no test knows how fast its machine is. Work is processor time, the least of several goes. A single go may
 * also pay for other programs on the machine.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { cpuMs } from "./cpu-time.ts";

/**
 * The most that twice the input may cost, in times of the input. Linear work is 2, quadratic work is 4, and this is the middle of both as a factor.
 * Larger inputs leave the processor's cache, so linear work may measure 2.6 on a busy machine.
 */
export const LINEAR = 2.8;

/** The most that work may cost, in times of other work, to count as no more of it. The faults that this limit finds cost 25 times and more. */
export const NO_MORE = 6;

/** The finest difference that this machine's clock of processor time shows, in milliseconds: some count microseconds, some only ticks. */
const TICK_MS = finestDifference();
/**
 * The least processor time of a go, in ticks of the clock and at least in milliseconds. Shorter work is repeated, so that the clock can measure it.
 * Too large a ratio may come from other garbage of the process. It is measured again without that garbage and with longer goes: work that grows too
 * fast does so each time.
 */
const SHORTEST_GOES_MS = [5, 20, 50].map((ms) => Math.max(ms, 5 * TICK_MS));
const MOST_REPEATS = 2_000;
const [FEWEST_GOES, MOST_GOES] = [3, 12];

/** A ratio above this many times `enough` is not noise, so the measuring stops. The square of the length is above it after three doublings. */
const HOPELESS = 2;

/**
 * The work of a piece of work, in times of the work of `reference`.
 *
 * @param enough a ratio that is small enough: the measuring ends with the first one below it
 */
export async function timesTheWork(
  work: () => unknown,
  reference: () => unknown,
  enough: number = NO_MORE,
): Promise<number> {
  let times = Number.POSITIVE_INFINITY;
  for (const shortestMs of SHORTEST_GOES_MS) {
    times = Math.min(times, await timesIn(shortestMs, work, reference, enough));
    if (times <= enough || times > HOPELESS * enough) break;
    collectGarbage();
  }
  return times;
}

async function timesIn(
  shortestMs: number,
  work: () => unknown,
  reference: () => unknown,
  enough: number,
): Promise<number> {
  const first = await goOf(reference, 1);
  const repeats = Math.min(MOST_REPEATS, Math.max(1, Math.ceil(shortestMs / Math.max(first, 0.01))));
  let [least, leastOfReference] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let go = 1; go <= MOST_GOES; go++) {
    const ofReference = await goOf(reference, repeats);
    const ofWork = await goOf(work, repeats);
    // The system hands out processor time in pieces: a short go may get none, and tells nothing.
    if (ofReference <= 0) continue;
    leastOfReference = Math.min(leastOfReference, ofReference);
    least = Math.min(least, ofWork);
    if (go >= FEWEST_GOES && (least <= enough * leastOfReference || least > HOPELESS * enough * leastOfReference))
      break;
  }
  return least / leastOfReference;
}

/**
 * The cost of twice the input, in times of the input. It is measured over three doublings, a quarter of the size to twice the size, where that many
 * fit. Linear work is then 8 times, and quadratic work 64 times the reference. Other programs of the machine can't make up such a difference.
 *
 * @param prepare makes an input of a size. Its own cost isn't counted
 */
export async function growth<T>(
  prepare: (size: number) => T,
  work: (input: T) => unknown,
  size: number,
): Promise<number> {
  const least = Math.ceil(size / 4);
  const doublings = Math.log2((2 * size) / least);
  const [small, large] = [prepare(least), prepare(2 * size)];
  const times = await timesTheWork(
    () => work(large),
    () => work(small),
    LINEAR ** doublings,
  );
  return times ** (1 / doublings);
}

/** Node offers its collector to code only by a flag, which may be set while it runs. */
function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
}

async function goOf(work: () => unknown, repeats: number): Promise<number> {
  const before = cpuMs();
  for (let repeat = 0; repeat < repeats; repeat++) {
    const result = work();
    if (result instanceof Promise) await result;
  }
  return cpuMs() - before;
}

function finestDifference(): number {
  let finest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 5; round++) {
    const before = cpuMs();
    let after = before;
    while (after === before) after = cpuMs();
    finest = Math.min(finest, after - before);
  }
  return finest;
}

/** A piece of work that is the same everywhere: about 30 ms of a processor of 2020. For bounds on work that has no size to double. */
export function yardstick(): number {
  let sum = 0;
  for (let turn = 0; turn < 20_000_000; turn++) sum = (sum + turn * turn) | 0;
  return sum;
}

/** Processor time of the yardstick in this process, in milliseconds: the least of five. */
export function yardstickMs(): number {
  return Math.min(
    ...Array.from({ length: 5 }, () => {
      const before = cpuMs();
      yardstick();
      return cpuMs() - before;
    }),
  );
}
