/** The likeliest answer to the question for the sport: one that the speeds of the rows don't contradict. */
import type { Activity } from "../../../../transforms/activities.ts";
import { languageOfHeader } from "../../../../transforms/text/language-of-header.ts";
import { type Choice, isOpen, type Option } from "../choices/choice.ts";
import {
  impossibleShare,
  merit,
  type Reading,
  type Score,
  type SpeedRow,
  score,
  usualShare,
} from "../columns/score.ts";
import { foldHeader } from "../words/words-of-headers.ts";

/** Sports that people keep sheets of, the most frequent first. */
const CANDIDATES = ["run", "bike", "swim", "walk"] as const satisfies readonly Activity[];

const inFront = (options: readonly Option[], value: string) =>
  options.toSorted((a, b) => Number(b.value === value) - Number(a.value === value));

/** More impossible rows, or fewer usual ones, contradict a sport. */
const [MOST_IMPOSSIBLE, LEAST_USUAL] = [0.1, 0.5];

/** Headers that only one sport has. `Bike` with the name of a bicycle says it; `Bahnen` are lengths of a pool. */
const HEADERS: readonly (readonly [RegExp, Activity])[] = [
  [/^(?:steps|step count|schritte|pas|pasos|passi|passos|stappen|steg|skridt|kroki|歩数)$/, "walk"],
  [/^(?:spm|stroke rate)$|\/ ?500(?: ?m)?\b/, "row"],
  [/^(?:wanderung|wanderungen|bergtour|hike|hikes|randonnee|escursione|vandring)$/, "hike"],
  [
    /^(?:back |front )?(?:squats?|bench(?: press)?|deadlifts?|overhead press|kniebeugen?|bankdrucken|kreuzheben|sentadillas?|press de banca|peso muerto|panca piana|stacco|agachamento|supino)$/,
    "weight",
  ],
  [
    /^(?:bahnen|laengen|langen|lengths|laps of the pool|becken|pool|pool length|longueurs|bassin|largos|piscina|vasche|swolf)$/,
    "swim",
  ],
  [/^(?:bike|bicycle|rad|fahrrad|velo|bici|bicicletta|bicicleta|fiets|cykel|np|ftp)$/, "bike"],
];

/** What is said where the rows are no workouts of any likely sport. */
const DOUBT =
  "and no other likely sport fits them: the unit of the distances or the form of the durations may be wrong";

/** A rowing machine, but for a header in Polish. */
const ROWER = /^rower$/;

/** The sport that a header names, and the header; undefined if none does, or if two name different ones. */
function sportOfHeaders(
  headers: readonly string[],
): { readonly activity: Activity; readonly header: string } | undefined {
  const rower = languageOfHeader(headers) === "Polish" ? "bike" : "row";
  const found = headers.flatMap((header) => {
    const folded = foldHeader(header);
    const [, named] = HEADERS.find(([pattern]) => pattern.test(folded)) ?? [];
    const activity = ROWER.test(folded) ? rower : named;
    return activity === undefined ? [] : [{ activity, header }];
  });
  return new Set(found.map(({ activity }) => activity)).size === 1 ? found[0] : undefined;
}

/**
 * The open question with an answer in front that fits the rows: the sport of a header that the speeds allow, or run, or what the speeds allow. Where none fits, a unit or a format
 * is more likely wrong than the sport, so no answer is the usual one: `other` has hardly any limits. A choice that is no question stays.
 */
export function withLikelySport(
  choice: Choice | undefined,
  rows: readonly SpeedRow[],
  reading: Reading,
  headers: readonly string[] = [],
): Choice | undefined {
  if (choice === undefined || !isOpen(choice)) return choice;
  const open = rows.filter(({ activity }) => activity === undefined);
  const scoreAs = (activity: Activity) =>
    score(
      open.map((row) => ({ ...row, activity })),
      reading,
    );
  const fits = (one: Score) => impossibleShare(one) <= MOST_IMPOSSIBLE && usualShare(one) >= LEAST_USUAL;
  // A march of twelve kilometres has the speed of a swim, and hardly any swim is so long.
  const isAsFar = ({ usualDistances, measured }: Score) => usualDistances >= measured * LEAST_USUAL;
  const named = sportOfHeaders(headers);
  const isDenied = (one: Score) => one.rated > 0 && !fits(one);
  if (
    named !== undefined &&
    choice.options.some(({ value }) => value === named.activity) &&
    !isDenied(scoreAs(named.activity))
  ) {
    const { activity: value, header } = named;
    const why = `${choice.why}; the column ${JSON.stringify(header)} speaks for ${value}, which is not enough`;
    return { ...choice, value, options: inFront(choice.options, value), why };
  }
  const [run, ...others] = CANDIDATES.map((activity) => ({ activity, score: scoreAs(activity) }));
  if (run === undefined || run.score.rated === 0 || fits(run.score)) return choice;
  const [best] = others
    .filter((one) => fits(one.score) && isAsFar(one.score))
    .toSorted((a, b) => merit(b.score) - merit(a.score));
  const { impossible, rows: all, usual, rated } = run.score;
  const asRun =
    impossible > 0 ? `${impossible} of ${all} rows can't be true` : `${usual} of ${rated} rows have a usual speed`;
  const why = `${choice.why}; as run ${asRun}`;
  if (best === undefined) return { ...choice, isUnproven: true, why: `${why}, ${DOUBT}` };
  return { ...choice, value: best.activity, options: inFront(choice.options, best.activity), why };
}
