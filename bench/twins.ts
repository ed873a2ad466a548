/**
 * How well duplicates are found in archives of several sources that were made with their labels (fixtures/make/twins): by a whole plan, beside the rule
 * of transforms/duplicates.ts alone and that of tapiriik. Part of `npm run bench`. Of the pairs that nobody could tell nothing is counted.
 * Workouts that a source has in parts are counted by themselves.
 */
import { type AthleteName, makeTwins, type TwinArchive, type TwinParts } from "../fixtures/make/twins/archives.ts";
import type { SeenWorkout } from "../fixtures/make/twins/sources.ts";
import { asIfUtc } from "../transforms/calendar.ts";
import { matchDuplicates } from "../transforms/duplicates.ts";
import { type PlannedParts, plannedTwins } from "./twins-of-plan.ts";

/** Decides whether two records are one workout. */
type Rule = (a: SeenWorkout, b: SeenWorkout) => boolean;

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** Seeds of the archives of each athlete. */
const SEEDS = [1, 2, 3];

const RULES: Readonly<Record<string, Rule>> = {
  "its rule for two records": (a, b) => matchDuplicates(a, b) !== undefined,
  "tapiriik's": likeTapiriik,
};

/** Of the certain pairs so many are found, of the found so many are right, and so many are doubtful at most. */
const PROMISED = { found: 0.99, right: 0.999, doubtful: 0.02 } as const;
const ATHLETES = ["first", "second", "third", "fourth"] as const satisfies readonly AthleteName[];

/** Prints recall and precision. @returns the promises that the plan broke */
export async function benchTwins(): Promise<readonly string[]> {
  const broken: string[] = [];
  for (const athlete of ATHLETES) {
    const archives = SEEDS.map((seed) => makeTwins(athlete, seed));
    const certain = archives.reduce(
      (sum, { pairs }) => sum + pairs.filter(({ label }) => label === "certain").length,
      0,
    );
    console.log(`Duplicates of the ${athlete} athlete (seeds ${SEEDS.join(", ")}): ${certain} pairs that are certain`);
    const planned = await judgedPlans(archives);
    const doubtful = planned.doubtful / certain;
    const { all, one, unsure, wrong } = planned.inParts;
    console.log(`  logferry's plan: ${inWords(planned, certain)}, ${percent(doubtful)} doubtful`);
    console.log(
      `  of ${all} workouts that another source has in parts: ${percent(one / all)} found, ${percent(unsure / all)} doubtful, ${wrong} wrong`,
    );
    for (const [name, rule] of Object.entries(RULES))
      console.log(`  ${name}: ${inWords(judged(archives, rule), certain)}`);
    const { found, right } = sharesOf(planned, certain);
    if (wrong > 0 || one + unsure < PROMISED.found * all)
      broken.push(`workouts in parts of the ${athlete} athlete: 99 % found or doubtful, none wrong`);
    if (found < PROMISED.found) broken.push(`duplicates of the ${athlete} athlete: 99 % found`);
    if (right < PROMISED.right || doubtful > PROMISED.doubtful)
      broken.push(`duplicates of the ${athlete} athlete: 99.9 % of the found are right, 2 % doubtful`);
  }
  console.log();
  return broken;
}

/** Pairs that were found: certain ones, and others. */
interface Found {
  readonly found: number;
  readonly wrong: number;
}

function sharesOf({ found, wrong }: Found, certain: number) {
  return { found: found / certain, right: found + wrong === 0 ? 1 : found / (found + wrong) };
}

function inWords(counts: Found, certain: number): string {
  const { found, right } = sharesOf(counts, certain);
  return `${percent(found)} of them found, ${percent(right)} of the found are right`;
}

/** Counts the pairs that whole plans find. */
async function judgedPlans(archives: readonly TwinArchive[]) {
  let [found, wrong, doubtful] = [0, 0, 0];
  const inParts = { all: 0, one: 0, unsure: 0, wrong: 0 };
  for (const archive of archives) {
    const labels = labelsOf(archive);
    const planned = await plannedTwins(archive);
    doubtful += planned.doubtful;
    for (const pair of planned.pairs) {
      if (labels.get(pair) === "certain") found++;
      else if (!labels.has(pair)) wrong++;
    }
    addParts(inParts, archive, planned.inParts);
  }
  return { found, wrong, doubtful, inParts };
}

/** Counts the labelled workouts in parts that a plan found, or names as doubtful. Of those without a label, each that the plan merges is wrong. */
function addParts(
  counts: { all: number; one: number; unsure: number; wrong: number },
  { inParts }: TwinArchive,
  planned: readonly PlannedParts[],
): void {
  const isOf = ({ wholes, parts }: TwinParts, found: PlannedParts) =>
    wholes.includes(found.whole) && parts.some((some) => String(some) === String(found.parts));
  for (const label of inParts) {
    const verdicts = planned.filter((found) => isOf(label, found)).map(({ verdict }) => verdict);
    counts.all++;
    if (verdicts.includes("one")) counts.one++;
    else if (verdicts.includes("doubtful")) counts.unsure++;
  }
  const isWrong = (found: PlannedParts) => found.verdict === "one" && !inParts.some((label) => isOf(label, found));
  counts.wrong += planned.filter(isWrong).length;
}

function labelsOf({ pairs }: TwinArchive) {
  return new Map(pairs.map(({ one, other, label }) => [`${one} ${other}`, label]));
}

/** Counts the pairs that a rule finds, among those of two sources that are at most two days apart. */
function judged(archives: readonly TwinArchive[], rule: Rule): Found {
  let [found, wrong] = [0, 0];
  for (const archive of archives) {
    const { records } = archive;
    const labels = labelsOf(archive);
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
  return Number.isNaN(share) ? "none" : `${(100 * share).toFixed(2)} %`;
}
