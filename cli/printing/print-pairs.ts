/** Prints pairs of workouts side by side, with the differences marked. */
import type { FoundPair, PairAnswer } from "../../pipelines/journal/links.ts";
import { shortId } from "../../pipelines/journal/short-id.ts";
import { offsetInWords } from "../../pipelines/plan/pairs/describe-match.ts";
import type { ComparedField, ReviewedPair, Weight } from "../../pipelines/review/pairs.ts";
import { utcDay } from "../../transforms/calendar.ts";
import { describeLikeness } from "../../transforms/matching/describe-likeness.ts";
import {
  isOfRoundedStart,
  LEAST_SCORE,
  MOST_SURE_BY_DAY,
  MOST_SURE_BY_DAYS,
  unsureByDay,
} from "../../transforms/matching/likeness.ts";
import { describeOrigin } from "../../transforms/model/issue.ts";
import type { Start } from "../../transforms/model/workout.ts";
import { printable } from "../../transforms/text/printable.ts";
import { measureText } from "../../transforms/units.ts";
import type { Output } from "../terminal/output.ts";

/** The most characters of a value that are shown. */
const LONGEST = 36;

/** The lines of a pair. A star marks a field that the two have otherwise. */
export function pairLines(pair: ReviewedPair): readonly string[] {
  const { id, left, right, fields, found, answer } = pair;
  const rows = [
    ["", "", describeOrigin(left.origin), describeOrigin(right.origin)],
    ...fields.map((field) => [
      field.differs ? "*" : " ",
      field.field,
      describeSide(field, "left"),
      describeSide(field, "right"),
    ]),
  ];
  const width = (column: number) => Math.max(...rows.map((row) => (row[column] ?? "").length));
  const all = found?.parts === undefined ? "" : `, of ${found.parts.length} parts together: one answer is about all`;
  const score =
    found && (found.isSameTime ? AT_ONE_TIME : `score ${found.score}; ${LEAST_SCORE.one} is enough for one${all}`);
  const said = answer && describeGiven(answer);
  const about = [score, said].filter((part) => part !== undefined).join("; ");
  return [
    `${id}  ${about === "" ? "not scored" : about}`,
    ...rows.map(([star = "", field = "", one = "", other = ""]) =>
      `  ${star.padEnd(1)} ${field.padEnd(width(1))}  ${one.padEnd(width(2))}  ${other}`.trimEnd(),
    ),
  ];
}

const AT_ONE_TIME = "done at the same time, too different to be one by their values";

const UNSURE_BY_DAY = {
  distances: `without a time of day, distances more than ${(MOST_SURE_BY_DAY * 100).toFixed(1)} % apart make no pair sure`,
  durations: `without any time of day, durations more than ${(MOST_SURE_BY_DAYS * 100).toFixed(0)} % apart make no pair sure`,
};

const UNSURE_BY_START = "a start that may be rounded makes no pair sure";

/** What speaks for and against one workout, in words. */
export function whyLines({ weights, found }: ReviewedPair): readonly string[] {
  if (found === undefined) return ["  Nothing was scored: these two are too far apart, or of one source."];
  if (found.parts !== undefined) return [`  The parts and the whole: ${describeLikeness(found)}.`];
  if (found.isSameTime)
    return [`  Done at the same time. Nobody does a sport twice at once: ${describeLikeness(found)}.`];
  const { secondsApart, distanceApart, durationApart, heartRateApart = 0, rivals } = found.differences;
  const share = (value: number | undefined) =>
    value === undefined ? "one has none" : `${(value * 100).toFixed(1)} % apart`;
  const means: Record<Weight["of"], string> = {
    start:
      secondsApart === undefined
        ? "the same day, and one has no time"
        : `${Math.round(secondsApart)} s apart${found.ms === 0 ? "" : `, once the clocks agree, which are ${spanInWords(found.ms)} apart`}`,
    distance: share(distanceApart),
    duration: share(durationApart?.share),
    "heart rate": `${Math.round(heartRateApart)} beats a minute apart`,
    archives:
      rivals === undefined
        ? "what the other workouts of both sources say: only one each on that day, or clocks that are apart"
        : "another pair of the day fits as well, and nothing tells which of them it is",
  };
  // What the archives say is added, and then the sum is cut.
  const ofArchives = weights.find(({ of }) => of === "archives")?.weight ?? 0;
  const unsure = unsureByDay(found.differences);
  if (ofArchives < 0 && unsure !== undefined) means.archives = UNSURE_BY_DAY[unsure];
  if (ofArchives < 0 && isOfRoundedStart(found.differences)) means.archives = UNSURE_BY_START;
  return [
    ...weights.map(({ of, weight }) => `  ${weight > 0 ? "+" : ""}${weight}  ${of}: ${means[of]}`),
    `  ${found.score} in all. From ${LEAST_SCORE.one} on a pair is one workout, from ${LEAST_SCORE.doubtful} on it is doubtful.`,
  ];
}

/** What clocks that are apart make of the starts of a pair, in a sentence. Empty where the starts are as the sources have them. */
export function clockSentence({ ms, differences: { secondsApart } }: Pick<FoundPair, "ms" | "differences">): string {
  if (ms === 0 || secondsApart === undefined) return "";
  return `Their clocks are ${spanInWords(ms)} apart. Once they agree, the starts are ${Math.round(secondsApart)} s apart. As one workout they have the start of the clock that is right.`;
}

/** How far two clocks are apart: `60 min`. @param ms milliseconds */
function spanInWords(ms: number): string {
  return offsetInWords(ms).replace(/ \w+$/, "");
}

/** An answer in words: `you said one on 2026-05-01, with distance of 9b1d00`. */
export function describeGiven({ answer, take, at }: PairAnswer): string {
  const fields = Object.entries(take).map(([field, key]) => `${field} of ${shortId(key)}`);
  return `you said ${answer} on ${utcDay(at)}${fields.length === 0 ? "" : `, with ${fields.join(", ")}`}`;
}

/** The value of a field on one side. */
export function describeSide({ field, names, ...sides }: ComparedField, side: "left" | "right"): string {
  const value = sides[side];
  if (value === undefined) return "-";
  const nameOf = (key: string) => names?.get(key) ?? shortId(key);
  if (field === "duration") return clock(Number(value));
  if (Array.isArray(value))
    return printable(value.map((one) => (field === "equipment" ? nameOf(String(one)) : one)).join(", "), LONGEST);
  if (typeof value !== "object" || value === null) return printable(String(value).replaceAll("\n", " / "), LONGEST);
  if ("unit" in value && "value" in value) return measureText({ unit: String(value.unit), value: Number(value.value) });
  const { date, time, clockSet } = value as Start;
  const set = clockSet === undefined ? undefined : `(set ${offsetInWords(clockSet)})`;
  return [date, time, set].filter((part) => part !== undefined).join(" ");
}

function clock(seconds: number): string {
  const whole = Math.round(seconds);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
}

/** Writes a pair as a line of JSON. */
export function emitPair(output: Output, { id, left, right, fields, found, weights, answer }: ReviewedPair): void {
  const side = ({ key, origin, state, entry }: ReviewedPair["left"]) => ({
    ...{ id: shortId(key), key, origin },
    ...(entry === undefined ? { state } : { inLog: entry.id }),
  });
  output.emit("pair", {
    pair: id,
    left: side(left),
    right: side(right),
    ...(found !== undefined && { verdict: found.verdict, score: found.score, apart: found.differences }),
    ...(found?.isSameTime && { sameTime: true }),
    ...(found?.parts !== undefined && { parts: found.parts.map(shortId) }),
    weights,
    fields: fields.map(({ names: _, ...field }) => field),
    ...(answer !== undefined && {
      answer: { answer: answer.answer, take: answer.take, at: new Date(answer.at).toISOString() },
    }),
  });
}
