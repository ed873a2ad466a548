/**
 * How well duplicates are found in archives of several sources that were made with their labels (fixtures/make/twins): the rule of
 * transforms/duplicates.ts beside that of tapiriik. Part of `npm run bench`. Of the pairs that nobody could tell, and of parts, nothing is counted.
 */
import { type AthleteName, makeTwins, type TwinArchive } from "../fixtures/make/twins/archives.ts";
import type { SeenWorkout } from "../fixtures/make/twins/sources.ts";
import { asIfUtc } from "../transforms/calendar.ts";
import { matchDuplicates } from "../transforms/duplicates.ts";

/** Decides whether two records are one workout. */
type Rule = (a: SeenWorkout, b: SeenWorkout) => boolean;

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** Seeds of the archives of each athlete. */
const SEEDS = [1, 2, 3];

const RULES: Readonly<Record<string, Rule>> = {
  logferry: (a, b) => matchDuplicates(a, b) !== undefined,
  tapiriik: likeTapiriik,
};

/** Prints recall and precision. It promises nothing yet. */
export function benchTwins(): void {
  for (const athlete of ["first", "second"] as const satisfies readonly AthleteName[]) {
    const archives = SEEDS.map((seed) => makeTwins(athlete, seed));
    const certain = archives.reduce(
      (sum, { pairs }) => sum + pairs.filter(({ label }) => label === "certain").length,
      0,
    );
    console.log(`Duplicates of the ${athlete} athlete (seeds ${SEEDS.join(", ")}): ${certain} pairs that are certain`);
    for (const [name, rule] of Object.entries(RULES)) {
      const { found, wrong } = judged(archives, rule);
      const precision = found + wrong === 0 ? 1 : found / (found + wrong);
      console.log(`  ${name}: ${percent(found / certain)} of them found, ${percent(precision)} of the found are right`);
    }
  }
  console.log();
}

/** Counts the pairs that a rule finds, among those of two sources that are at most two days apart. */
function judged(archives: readonly TwinArchive[], rule: Rule): { readonly found: number; readonly wrong: number } {
  let [found, wrong] = [0, 0];
  for (const { records, pairs } of archives) {
    const labels = new Map(pairs.map(({ one, other, label }) => [`${one} ${other}`, label]));
    for (const [one, other] of candidates(records)) {
      const [a, b] = [records[one], records[other]];
      if (a === undefined || b === undefined || !rule(a, b)) continue;
      const label = labels.get(`${one} ${other}`);
      if (label === "certain") found++;
      else if (label === undefined) wrong++;
    }
  }
  return { found, wrong };
}

/** Places of two records of two sources whose days are at most two apart. */
function* candidates(records: readonly SeenWorkout[]): Generator<readonly [number, number]> {
  const byDay = Map.groupBy(records.keys(), (at) => dayOf(records[at]));
  for (const [one, record] of records.entries())
    for (let day = dayOf(record) - 2; day <= dayOf(record) + 2; day++)
      for (const other of byDay.get(day) ?? [])
        if (one < other && records[other]?.source !== record.source) yield [one, other];
}

function dayOf(record: SeenWorkout | undefined): number {
  return record === undefined ? Number.NaN : Date.parse(record.date) / DAY_MS;
}

/**
 * tapiriik's rule (github.com/cpfair/tapiriik, sync.py): the sports go together, and the starts are within three minutes, or a whole number of hours
 * apart up to 38 with the same minute and second, or half an hour apart within 30 s. A record without a time starts at midnight there.
 */
function likeTapiriik(a: SeenWorkout, b: SeenWorkout): boolean {
  if (a.activity !== b.activity) return false;
  const hasInstants = a.instant !== undefined && b.instant !== undefined;
  const apart = Math.abs(hasInstants ? (a.instant ?? 0) - (b.instant ?? 0) : asIfUtc(a) - asIfUtc(b));
  const hours = Math.round(apart / (60 * MINUTE_MS));
  return (
    apart < 3 * MINUTE_MS ||
    (hours <= 38 && Math.abs(apart - hours * 60 * MINUTE_MS) < 1_000) ||
    Math.abs(apart - 30 * MINUTE_MS) < MINUTE_MS / 2
  );
}

function percent(share: number): string {
  return `${(100 * share).toFixed(2)} %`;
}
