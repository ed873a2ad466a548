/** A person's answers: which are possible, and what comes of them. */
import { ACTIVITY_NAMES } from "../../../../transforms/activities.ts";
import { alternatives } from "../../../../transforms/text/zod-messages.ts";
import { UNITS } from "../../../../transforms/units.ts";
import { DURATION_FORMATS, INDISTINGUISHABLE } from "../../table/mapping/fields.ts";
import { parseScale } from "../../table/mapping/scale.ts";
import { type Answers, type Choice, isOpen } from "../choices/choice.ts";
import { AS_ABOVE, NONE_ABOVE } from "../dates/merged-dates.ts";
import { WEEK_DATE } from "../dates/week-dates.ts";
import { isYear, YEAR } from "../dates/without-year.ts";
import { durationWords } from "../units/mixed-durations.ts";
import { isRole } from "../words/header-words.ts";
import type { Proposal } from "./draft.ts";

/** What may be said at a place, and how messages list it. */
interface Allowed {
  readonly is: (value: string) => boolean;
  readonly expected: string;
}

const oneOf = (values: readonly string[]): Allowed => ({
  is: (value) => values.includes(value),
  expected: alternatives(values),
});

/** Fields that a person may say of a column. */
const FIELDS =
  "date datetime time end distance duration avgHR maxHR restHR weight temperature effort quality activity type course equipment notes name conditions fieldPlacement unsupported ignore".split(
    " ",
  );

const FIELD: Allowed = { ...oneOf(FIELDS), is: (value) => FIELDS.includes(value) || isRole(value) };

const FORMAT: Allowed = {
  is: (value) => {
    const { format, hoursBelow } = durationWords(value);
    const isMixed = format.includes("h:mm") && format.includes("mm:ss");
    const told = isMixed && hoursBelow !== undefined ? format.filter((one) => one !== "h:mm") : format;
    return (
      (hoursBelow === undefined || isMixed) &&
      format.every((one) => DURATION_FORMATS.some((known) => known === one)) &&
      INDISTINGUISHABLE.every((group) => group.filter((one) => told.includes(one)).length < 2)
    );
  },
  expected: `one of ${DURATION_FORMATS.join(", ")}, or several with commas`,
};

const SCALE: Allowed = { is: (value) => parseScale(value) !== undefined, expected: "a scale like 1..5 -> 1..10" };

const SHEETS: Allowed = { is: () => false, expected: "all, or the names of sheets with commas between" };

/** What may be said in the place of a choice; undefined if a person changes it in the file. */
function allowedAt(choice: Choice): Allowed | undefined {
  const { place } = choice;
  // The sheets are read when they are chosen.
  if (place === "file.sheet") return SHEETS;
  if (place === YEAR) return { is: isYear, expected: "a year, such as 2014" };
  if (isOpen(choice) && !place.startsWith("columns.")) return oneOf(choice.options.map(({ value }) => value));
  if (place === WEEK_DATE) return oneOf(["first", "last"]);
  if (place === AS_ABOVE) return oneOf([choice.value, NONE_ABOVE]);
  if (place === "dates.order") return oneOf(["iso", "dmy", "mdy", "ymd", "excel", "excel-1904"]);
  if (place === "defaults.activity") return oneOf(ACTIVITY_NAMES);
  if (place === "file.decimal") return oneOf([".", ","]);
  if (place.endsWith(".field")) {
    const offered = isOpen(choice) ? choice.options.map(({ value }) => value) : [];
    return { ...FIELD, is: (value) => FIELD.is(value) || offered.includes(value) };
  }
  if (place.endsWith(".format")) return FORMAT;
  if (place.endsWith(".scale")) return SCALE;
  const [, unit] = /\.(unit(?:\.[a-z]+)?)$/.exec(place) ?? [];
  if (unit === undefined) return undefined;
  const units = Object.values(UNITS).map((some) => some.map((one): string => one.unit));
  return oneOf(units.find((some) => some.includes(choice.value)) ?? units.flat());
}

/** Takes a person's answer to a choice, if it is a possible one; otherwise the choice as it is. */
export function answered(choice: Choice, answers: Answers): Choice {
  const answer = answers.get(choice.place);
  if (answer === undefined || !allowedAt(choice)?.is(answer)) return choice;
  const { place, rows } = choice;
  return { place, value: answer, why: ANSWERED, contradicting: 0, rows };
}

/** The evidence of a choice that a person made. */
export const ANSWERED = "your answer";

/** Why answers can't be used, in a sentence each: a place that the table hasn't got, or a value that doesn't fit its place. */
export function answerProblems({ choices, draft }: Proposal, answers: Answers): readonly string[] {
  const columns = [...draft.columns.keys()].map((name) => `columns.${name}.field`);
  const words = [...draft.values.activity.keys(), ...draft.unknownSports.map(([word]) => word)];
  const sports = words.map((word) => `values.activity.${word}`);
  const byPlace = new Map(choices.map((choice) => [choice.place, choice]));
  const places = [...new Set([...choices.filter(allowedAt).map(({ place }) => place), ...columns, ...sports])];
  return [...answers].flatMap(([place, value]) => {
    const choice = byPlace.get(place);
    if (choice?.why === ANSWERED) return [];
    const allowed = columns.includes(place)
      ? FIELD
      : sports.includes(place)
        ? oneOf(ACTIVITY_NAMES)
        : choice && allowedAt(choice);
    const said = `--set ${JSON.stringify(`${place}=${value}`)}`;
    if (allowed === undefined)
      return [`Cannot use ${said}: the proposal has no such place. Possible are: ${places.join(", ")}`];
    return allowed.is(value) ? [] : [`Cannot use ${said}: expected ${allowed.expected}`];
  });
}
