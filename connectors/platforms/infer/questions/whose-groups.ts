/** Asks about columns below words that are no sports and no parts of the day: `km, time` below `Anna`, and again below `Ben`, or below `2021` and `2022`. */
import { alternatives } from "../../../../transforms/text/zod-messages.ts";
import { monthNamed } from "../../../formats/month-names.ts";
import { isWeekday } from "../../../formats/weekday-names.ts";
import type { Answers, Choice, Option } from "../choices/choice.ts";
import { isOrdinal, isSum, sportOf } from "../columns/group-tags.ts";
import { fieldPlace } from "../columns/roles.ts";
import { YEAR } from "../dates/without-year.ts";
import { type ColumnSample, columnsOf, fits } from "../sample/column.ts";
import type { SheetSample } from "../sample/sample.ts";
import { bareName } from "../sample/upper-headers.ts";
import { foldHeader, type Role, readHeaderWords, wholeHeader } from "../words/header-words.ts";
import { partOfDay } from "../words/parts-of-day.ts";
import { ANSWERED } from "./answers.ts";

/** The place of the question. */
export const GROUPS = "layout.repeat";

/** The answer that all groups are workouts of one athlete. */
const ALL = "all";

/** Words by which people mean themselves, folded. */
const MYSELF = new Set(
  "me my mine myself self own ich mein meine moi mon yo mi mio yo mismo io eu meu ik mijn mij jag mina jeg mig ja moje 私 自分 僕 俺".split(
    " ",
  ),
);

/** The roles that make a group a workout. */
const MEASURED: readonly Role[] = ["distance", "duration", "hours", "minutes"];

/** Columns that one word stands above, or that have one year in their headers. */
interface WordGroup {
  readonly word: string;
  readonly columns: readonly ColumnSample[];
}

/** What a person decides about such groups, and what follows from it for their columns. */
interface AskedGroups {
  readonly choice: Choice;
  /** The answers, with the columns of the other groups left out. */
  readonly answers: Answers;
}

/** The question which groups are loaded; undefined for a table without such groups. Until a person answers, the first one is. */
export function groupsAsked(sample: SheetSample, answers: Answers): AskedGroups | undefined {
  const groups = wordGroups(sample);
  if (groups === undefined) return undefined;
  const own = groups.find(({ word }) => MYSELF.has(foldHeader(word)));
  const sorted = own === undefined ? groups : [own, ...groups.filter((one) => one !== own)];
  const areYears = sorted.every(({ word }) => isYear(word));
  const answer = answers.get(GROUPS);
  const chosen = sorted.find(({ word }) => word === answer) ?? sorted[0];
  if (chosen === undefined) return undefined;
  const isAll = answer === ALL && !areYears;
  const others = isAll ? [] : sorted.filter((one) => one !== chosen).flatMap(({ columns }) => columns);
  return {
    choice:
      isAll || chosen.word === answer
        ? { place: GROUPS, value: answer, why: ANSWERED, contradicting: 0, rows: sample.rows.length }
        : {
            ...{ place: GROUPS, value: chosen.word, contradicting: 0, rows: sample.rows.length },
            ...(areYears ? askYear(sorted) : askWhose(sorted, own === undefined)),
          },
    answers: new Map([
      ...others.map((column): [string, string] => [fieldPlace(column), "ignore"]),
      ...(areYears ? [[YEAR, chosen.word] as const] : []),
      ...answers,
    ]),
  };
}

type Question = Pick<Choice, "why" | "question" | "options" | "isUnproven">;

function askWhose(groups: readonly WordGroup[], isUnproven: boolean): Question {
  const words = alternatives(
    groups.map(({ word }) => JSON.stringify(word)),
    "and",
  );
  return {
    why: `the same columns stand below ${words}, which may be athletes, or devices that measured the same workouts. One log is of one athlete: propose a file for each with --out`,
    question: "Which columns are workouts of the athlete whose log this is?",
    options: [
      ...groups.map((one) => onlyOption(one, groups)),
      { value: ALL, means: "all of them are workouts of one athlete", writes: writtenGroups(groups) },
    ],
    ...(isUnproven && { isUnproven }),
  };
}

function askYear(groups: readonly WordGroup[]): Question {
  return {
    why: "the headers name years, and each row has workouts of each of them. Each year needs a mapping file of its own: propose again for the others, with --out",
    question: "Which year does this mapping file read?",
    options: groups.map((one) => onlyOption(one, groups)),
    isUnproven: true,
  };
}

/** One group alone. In a file, the columns that a proposal read before an answer are those of the first group. */
function onlyOption({ word, columns }: WordGroup, [first]: readonly WordGroup[]): Option {
  const names = columns.map(({ name }) => JSON.stringify(name)).join(", ");
  const before = first?.columns.map(({ name }) => JSON.stringify(name)).join(", ");
  const isFirst = first?.word === word;
  return {
    value: word,
    means: `the columns ${names} alone`,
    writes: isFirst ? "without the line" : `without the line, and the words of ${before} go to ${names}`,
  };
}

/** The groups as `layout.repeat` of a mapping file has them. */
function writtenGroups(groups: readonly WordGroup[]): string {
  const [first, ...others] = groups;
  const lists = (first?.columns ?? []).map(({ name }) => {
    const same = others.map(
      ({ columns }) => columns.find((one) => bareName(one.name) === bareName(name))?.name ?? "null",
    );
    return `${bareName(name)}: [${[name, ...same].join(", ")}]`;
  });
  return `{ ${lists.join(", ")} }, without the lines of the other columns`;
}

/** The groups below such words; undefined if the words are something else, or if no measure stands below several of them. */
function wordGroups(sample: SheetSample): readonly WordGroup[] | undefined {
  if (!sample.hasHeader || sample.above.length > 0) return undefined;
  const columns = columnsOf(sample).filter(
    ({ sumOf, meaning }) => sumOf === undefined && meaning.purpose === undefined,
  );
  return (
    groupsBy(columns, ({ name, index }) => (bareName(name) === "" ? undefined : sample.upper[index])) ??
    groupsBy(columns, yearIn)
  );
}

function groupsBy(
  columns: readonly ColumnSample[],
  wordOf: (column: ColumnSample) => string | undefined,
): readonly WordGroup[] | undefined {
  const groups = [...Map.groupBy(columns, wordOf)].flatMap(([word, own]) =>
    word !== undefined && isUnknown(word) && own.some(isMeasured) ? [{ word, columns: own }] : [],
  );
  // Ordinals and numbers are workouts of the row, as `km 2` is.
  if (groups.length < 2 || groups.every(({ word }) => isOrdinal(word))) return undefined;
  const roles = groups.flatMap(({ columns: own }) => [
    ...new Set(own.filter(isMeasured).map(({ meaning }) => meaning.roles[0])),
  ]);
  return new Set(roles).size < roles.length ? groups : undefined;
}

/** Whether a word says nothing else of columns: no sport, no part of the day, no measure, no plan, no sum and no weekday. */
function isUnknown(word: string): boolean {
  return (
    word !== "" &&
    !isSum(word) &&
    sportOf(word) === undefined &&
    partOfDay(word) === undefined &&
    wholeHeader(word) === undefined &&
    readHeaderWords(word).purpose === undefined &&
    !isWeekday(word) &&
    monthNamed(word) === undefined
  );
}

function isMeasured(column: ColumnSample): boolean {
  return MEASURED.some((role) => column.meaning.roles.includes(role) && fits(role, column)) && column.filled.length > 0;
}

const isYear = (word: string) => /^(?:19|20)\d{2}$/.test(word);

/** The year in a header: `2021 km`. */
function yearIn({ name }: ColumnSample): string | undefined {
  return name.split(/[\s_(),/-]+/).find(isYear);
}
