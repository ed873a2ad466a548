/**
 * Files from outside this project, damaged at random and planned by the real command against a real log. A plan must never hold values that can't be
 * true. The bounds are written down here by hand: the code under test has no part in them.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openJournalToRead } from "../../pipelines/journal/sqlite.ts";
import type { Workout } from "../../transforms/model/workout.ts";
import { randomOf } from "../mutants/random.ts";
import { type Rehearsal, rehearse } from "../support/rehearsal.ts";
import { CORPUS } from "../support/shared.ts";

const SEED = Number(process.env.LOGFERRY_TEST_SEED ?? 20_261_122);
const DAMAGED = Number(process.env.LOGFERRY_TEST_DAMAGES ?? 300);

/** Larger files take long and are damaged in the same way. */
const LARGEST = 60_000;

/** Metres a second that are too fast to keep up over ten minutes, by sport. Shorter times have a wider limit, in `whatIsWrong`. */
const TOO_FAST = { run: 7.6, walk: 5, hike: 7.6, swim: 2.5, bike: 41, row: 7.6, ski: 72, elliptical: 13 } as const;

let rehearsal: Rehearsal;
beforeAll(async () => {
  rehearsal = await rehearse();
});
afterAll(() => rehearsal.close());

interface Parent {
  readonly format: string;
  readonly bytes: Buffer;
}

function parents(): readonly Parent[] {
  return ["fit", "gpx", "tcx"].flatMap((format) =>
    readdirSync(join(CORPUS, format), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.toLowerCase().endsWith(`.${format}`))
      .map(({ parentPath, name }) => join(parentPath, name))
      .sort()
      .map((path) => ({ format, bytes: readFileSync(path) }))
      .filter(({ bytes }) => bytes.length > 200 && bytes.length < LARGEST),
  );
}

/** Flips bits, cuts the end off, or puts a chunk of another file of the format in. Summaries of FIT files stand at their end. */
function damage(parent: Parent, all: readonly Parent[], random: ReturnType<typeof randomOf>): Buffer {
  const bytes = Buffer.from(parent.bytes);
  const place = () => {
    const isAtEnd = random.once(2) && parent.format === "fit";
    return isAtEnd ? bytes.length - 1 - random.below(Math.min(500, bytes.length)) : random.below(bytes.length);
  };
  const what = random.below(10);
  if (what < 7) {
    for (let flips = 1 + random.below(6); flips > 0; flips--) {
      const at = place();
      bytes[at] = (bytes[at] as number) ^ (1 << random.below(8));
    }
    return bytes;
  }
  const at = place();
  if (what === 7) return bytes.subarray(0, at);
  const others = all.filter(({ format }) => format === parent.format);
  const other = random.of(others).bytes;
  const from = random.below(other.length);
  const piece = other.subarray(from, from + 1 + random.below(what === 8 ? 64 : other.length));
  return Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at + (random.once(2) ? piece.length : 0))]);
}

test(`of ${DAMAGED} damaged files nothing is planned that nobody can have done (seed ${SEED})`, async () => {
  const random = randomOf(SEED, 0);
  const all = parents();
  const fits = all.filter(({ format }) => format === "fit");
  const folder = join(rehearsal.folder, "damaged");
  mkdirSync(folder);
  const paths = Array.from({ length: DAMAGED }, (_, index) => {
    // Half of them are FIT: it is the format in which a flipped bit changes most.
    const parent = random.of(index % 2 === 0 ? fits : all);
    const path = join(folder, `${index}.${parent.format}`);
    writeFileSync(path, damage(parent, all, random));
    return path;
  });
  const journal = join(rehearsal.folder, "damaged.db");
  const ran = await rehearsal.run(["plan", ...paths, ...rehearsal.activities, "--sport", "=run", "--quiet"], {
    journal,
  });
  expect([0, 3]).toContain(ran.code);

  const read = await openJournalToRead(journal);
  const wrong: string[] = [];
  let planned = 0;
  let held = 0;
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  for await (const line of read.lines((await read.run())?.id ?? 0, {})) {
    if (line.state === "quarantined" && /workout\/implausible-/.test(line.reason ?? "")) held++;
    if (line.kind !== "workout") continue;
    planned++;
    const why = whatIsWrong(line.value, tomorrow);
    if (why !== undefined) wrong.push(`${line.origin.archive}: ${why}`);
  }
  await read.close();
  expect(wrong).toEqual([]);
  expect(planned).toBeGreaterThan(DAMAGED / 3);
  expect(held).toBeGreaterThan(0);
});

const METRES: Readonly<Record<string, number>> = { km: 1000, mi: 1609.344, m: 1, yd: 0.9144 };

function whatIsWrong(workout: Workout, tomorrow: string): string | undefined {
  const { activity = "other", duration, distance, start, intervalSet } = workout;
  const metres = distance === undefined ? 0 : distance.value * (METRES[distance.unit] ?? Number.NaN);
  const most = TOO_FAST[activity as keyof typeof TOO_FAST] ?? 350;
  if (start.date === undefined || start.date > tomorrow || start.date < "1970-01-02") return `dated ${start.date}`;
  const long = intervalSet?.intervals.find((interval) => (interval.duration ?? 0) > 4 * 86_400);
  if (long !== undefined) return `an interval of ${long.duration} s`;
  if (metres > most * 4 * 86_400 || (activity === "run" && metres > 900_000)) return `${activity}: ${metres} m`;
  if (duration === undefined) return undefined;
  if (duration > 4 * 86_400) return `${duration} s`;
  if (duration >= 600 && metres / duration > most) return `${activity}: ${metres} m in ${duration} s`;
  if (duration < 600 && metres > Math.max(most, 12.5) * 1.7 * (duration + 20)) return `${metres} m in ${duration} s`;
  return undefined;
}
