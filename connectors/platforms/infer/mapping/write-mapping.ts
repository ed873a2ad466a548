/** Writes a proposal as a mapping file: the evidence behind each choice as a comment, and `ASK` where a person must choose. */
import { printable } from "../../../../transforms/text/printable.ts";
import { yamlText as quotedText } from "../../../formats/yaml.ts";
import { ASK } from "../../table/mapping/mapping.ts";
import { type Choice, isOpen, type Option } from "../choices/choice.ts";
import type { RepeatedColumns } from "../columns/group-tags.ts";
import { AS_ABOVE, NONE_ABOVE } from "../dates/merged-dates.ts";
import { CENTURY } from "../dates/past-centuries.ts";
import { MONTH } from "../dates/sheet-months.ts";
import { WEEK_DATE } from "../dates/week-dates.ts";
import { YEAR } from "../dates/without-year.ts";
import { REPEATED } from "../no-logs/repeated-rows.ts";
import { EVERYBODY } from "../questions/athletes.ts";
import type { DraftColumn, Proposal } from "../questions/draft.ts";
import { GROUPS } from "../questions/whose-groups.ts";
import { WORKOUTS } from "../rows/sum-rules.ts";
import { DITTO } from "../sample/dittos.ts";
import { TITLED_SPORTS } from "../sports/titled-sports.ts";

/**
 * Writes the file.
 *
 * @param table the name of the table, for the first line
 */
export function writeMapping({ draft, choices, rows, sheets, isCut }: Proposal, table: string): string {
  const at = new Map(choices.map((choice) => [choice.place, choice]));
  const commentOf = (...places: readonly string[]) => {
    const known = places.flatMap((place) => at.get(place) ?? []);
    return known.length === 0 ? "" : `  # ${known.map(comment).join("; ")}`;
  };
  const wordFor = (place: string, value: string) => {
    const choice = at.get(place);
    return choice !== undefined && isOpen(choice) ? ASK : yamlText(value);
  };
  const lines = [
    `# What the columns of ${oneLine(table)} mean. logferry proposed it from ${isCut ? `the first ${rows}` : rows} rows${sheets > 1 ? ` in ${sheets} sheets` : ""}.`,
    `# Change what is wrong. Where it says ${ASK}, put one of the words behind it. Words in braces stand for the whole of the braces before them.`,
    "version: 1",
  ];
  if (Object.keys(draft.file).length > 0 || draft.restsOn !== undefined) {
    lines.push("file:");
    for (const [word, value] of Object.entries(draft.file)) {
      const place = word === "sheets" ? "file.sheet" : `file.${word}`;
      lines.push(`  ${word}: ${fileWord(value, (text) => wordFor(place, text))}${commentOf(place)}`);
    }
    if (draft.restsOn !== undefined) lines.push(restsOnLine(draft.restsOn));
  }
  lines.push("dates:", `  order: ${wordFor("dates.order", draft.order)}${commentOf("dates.order")}`);
  if (draft.pivot !== undefined)
    lines.push(`  twoDigitYearPivot: ${bareWord(wordFor(CENTURY, draft.pivot))}${commentOf(CENTURY)}`);
  if (draft.year !== undefined) lines.push(`  year: ${bareWord(wordFor(YEAR, draft.year))}${commentOf(YEAR)}`);
  if (draft.newYear !== undefined) lines.push(`  newYear: ${draft.newYear}${commentOf("dates.newYear")}`);
  if (draft.month !== undefined) lines.push(`  month: ${draft.month}${commentOf(MONTH)}`);
  if (draft.zone !== "local") lines.push(`  zone: ${draft.zone}`);
  lines.push(...layoutLines(draft, wordFor, commentOf));
  for (const [name, text] of draft.join ?? [])
    lines.push("join:", `  ${yamlText(name)}: ${yamlText(text)}${commentOf("join")}`);
  lines.push("columns:");
  for (const [name, column] of draft.columns) {
    const places = [...at.keys()].filter((place) => place.startsWith(`columns.${name}.`));
    lines.push(`  ${yamlText(name)}: ${inline(name, column, wordFor)}${commentOf(...places)}`);
  }
  if (draft.activity !== undefined)
    lines.push(
      "defaults:",
      `  activity: ${wordFor("defaults.activity", draft.activity)}${commentOf("defaults.activity")}`,
    );
  if (draft.rows.length > 0 || draft.races?.none !== undefined) {
    lines.push("rows:");
    for (const [index, { when, skip, holds, place = "" }] of draft.rows.entries()) {
      const [first, ...more] = when.map((one) => {
        const column = `column: ${yamlText(one.column)}`;
        if ("matches" in one) return `${column}, matches: ${yamlText(one.matches)}`;
        return `${column}, isNot: ${wordFor(one.place, one.isNot)}`;
      });
      const and = more.length === 0 ? "" : `, and: [${more.map((one) => `{ ${one} }`).join(", ")}]`;
      lines.push(
        `  - when: { ${first}${and} }${commentOf(`rows.${index}`, ...when.flatMap((one) => ("place" in one ? [one.place] : [])))}`,
        `    ${holds ? "hold" : "skip"}: ${wordFor(place, skip)}`,
      );
    }
    // The first rule that fits a row is the one that counts, so this one goes last.
    if (draft.races?.none !== undefined) {
      const { column, none } = draft.races;
      lines.push(`  - when: { column: ${yamlText(column)}, matches: ${yamlText(none)} }`, "    set: { type: null }");
    }
  }
  if (at.has(REPEATED)) lines.push(`repeatedRows: ${WORKOUTS}${commentOf(REPEATED)}`);
  return [...lines, ...valueLines(draft)].join("\n").concat("\n");
}

/** Writes the texts that say the unit or the year. */
function restsOnLine(texts: NonNullable<Proposal["draft"]["restsOn"]>): string {
  const words = Object.entries(texts).map(([word, text]) => `${word}: ${yamlText(text)}`);
  return `  restsOn: { ${words.join(", ")} }  # a plan refuses the table when it says another unit or year there`;
}

/** Writes the columns in which an empty cell stands for the one above. */
function aboveLines(
  asAbove: Proposal["draft"]["asAbove"],
  wordFor: (place: string, value: string) => string,
  commentOf: (...places: readonly string[]) => string,
): readonly string[] {
  if (asAbove.length === 0) return [];
  const words = asAbove.map(([place, name]) => wordFor(place, name));
  const word = words.includes(ASK) ? ASK : `[${words.join(", ")}]`;
  return [`  asAbove: ${word}${commentOf(...asAbove.map(([place]) => place))}`];
}

/** Writes where the workouts are. */
function layoutLines(
  { asAbove, ditto, groupSports, repeat, sections, shared, titledSports, week, weekDate }: Proposal["draft"],
  wordFor: (place: string, value: string) => string,
  commentOf: (...places: readonly string[]) => string,
): readonly string[] {
  const above = [
    ...(ditto.length > 0 ? [`  ditto: ${list(ditto)}${commentOf(DITTO)}`] : []),
    ...(sections ? [`  sections: true${commentOf("layout.sections")}`] : []),
    ...(titledSports ? [`  sports: ${yamlText(titledSports)}${commentOf(TITLED_SPORTS)}`] : []),
    ...aboveLines(asAbove, wordFor, commentOf),
  ];
  if (week.size > 0)
    return [
      ...["layout:", ...above, `  week:${commentOf("layout.week")}`, ...groupLines(week)],
      ...(weekDate === undefined ? [] : [`  weekDate: ${wordFor(WEEK_DATE, weekDate)}${commentOf(WEEK_DATE)}`]),
    ];
  if (wordFor(GROUPS, "") === ASK) return ["layout:", ...above, `  repeat: ${ASK}${commentOf(GROUPS)}`];
  if (repeat.size === 0) return above.length === 0 ? [] : ["layout:", ...above];
  return [
    ...["layout:", ...above, `  repeat:${commentOf("layout.repeat")}`],
    ...groupLines(repeat),
    ...(shared.length > 0 ? [`  shared: ${list(shared)}${commentOf("layout.shared")}`] : []),
    ...(groupSports ? ["  texts:", `    ${yamlText(groupSports.column)}: ${list(groupSports.words)}`] : []),
  ];
}

function groupLines(columns: RepeatedColumns): readonly string[] {
  return [...columns].map(
    ([name, groups]) =>
      `    ${yamlText(name)}: [${groups.map((one) => (one === null ? "null" : yamlText(one))).join(", ")}]`,
  );
}

/** A number as YAML has it: a text in quotes would be none. */
const bareWord = (text: string) => text.replace(/^"(\d+)"$/, "$1");

function fileWord(value: Proposal["draft"]["file"][string], wordFor: (text: string) => string): string {
  if (typeof value === "string") return wordFor(value);
  if (typeof value !== "object") return String(value);
  return wordFor("") === ASK ? ASK : list(value);
}

function valueLines({ values, unknownSports }: Proposal["draft"]): string[] {
  const lines: string[] = [];
  for (const [field, words] of Object.entries(values)) {
    if (words.size === 0) continue;
    lines.push(`  ${field}:`);
    for (const [word, ours] of words)
      lines.push(`    ${yamlText(word)}: ${field === "conditions" ? `[${ours}]` : yamlText(ours)}`);
  }
  // Below a comment, so that a person who completes them sees where they belong.
  const asked = unknownSports.map(
    ([word, rows]) =>
      `#     ${yamlText(oneLine(word))}: other  # CHECK: which sport is it? ${rows} ${rows === 1 ? "row" : "rows"}`,
  );
  return [
    ...(lines.length === 0 ? [] : ["values:", ...lines]),
    ...(asked.length === 0 ? [] : ["# values:", "#   activity:", ...asked]),
  ];
}

function inline(name: string, column: DraftColumn, wordFor: (place: string, value: string) => string): string {
  // The number that goes with two formats is a part of their answer.
  const isAsked = wordFor(`columns.${name}.format`, "") === ASK;
  const said = Object.entries(column).filter(([, value]) => typeof value !== "number" || !isAsked);
  const words = said.map(([word, value]) => {
    const place = `columns.${name}.${word}`;
    if (typeof value === "string") return `${word}: ${wordFor(place, value)}`;
    if (typeof value === "number" || value === true) return `${word}: ${value}`;
    if (isList(value)) {
      const asked = wordFor(place, "");
      return `${word}: ${asked === ASK ? ASK : value.length === 1 ? yamlText(value[0] ?? "") : list(value)}`;
    }
    // The word for all others is about the column itself.
    const inner = Object.entries(value).map(([key, one]) =>
      typeof one === "string"
        ? `${key}: ${wordFor(key === "default" ? place : `${place}.${key}`, one)}`
        : `${key}: ${inline(`${name}.${key}`, one, wordFor)}`,
    );
    return `${word}: { ${inner.join(", ")} }`;
  });
  return `{ ${words.join(", ")} }`;
}

function isList(value: DraftColumn[string]): value is readonly string[] {
  return Array.isArray(value);
}

function comment(choice: Choice): string {
  const { value, why, contradicting, rows } = choice;
  const against = contradicting > 0 ? `; ${contradicting} of ${rows} rows contradict it` : "";
  if (!isOpen(choice)) return oneLine(`${value}: ${why}${against}`);
  const answers = choice.options.flatMap((option) => {
    const word = writtenAs(choice, option);
    return word === undefined ? [] : [`${word} (${option.means})`];
  });
  // No answer is cut off.
  return `CHECK: ${oneLine(answers.join(", or "), MOST_ANSWERS)}. ${oneLine(why)}`;
}

/** Answers that are no word of the file: the rule or the line goes. */
const GOING: Readonly<Record<string, string>> = {
  [EVERYBODY]: "without the rule",
  [WORKOUTS]: "without the rule",
  [NONE_ABOVE]: "without the line",
};

/** What a person writes for an answer; undefined for one that leaves nothing to load. */
function writtenAs({ place, value: likely }: Choice, { value, writes }: Option): string | undefined {
  if (writes !== undefined) return writes;
  if (place.startsWith("rows.") || place.startsWith(AS_ABOVE)) return (value !== likely && GOING[value]) || value;
  const [, name] = /^columns\.(.*)\.field$/.exec(place) ?? [];
  if (name === undefined) return value;
  const label = `label: ${yamlText(name.slice(0, 100) || "without a header")}`;
  switch (value) {
    case "week":
    case "total":
      return undefined;
    case "distance":
      return "{ field: distance, unit: km } or another unit";
    case "duration":
      return "{ field: duration, format: h:mm:ss } or another format";
    case "weight":
      return "{ field: weight, unit: kg } or lb";
    case "temperature":
      return "{ field: temperature, unit: C } or F";
    case "pace":
    case "speed":
    case "unsupported":
      return `{ field: unsupported, ${label} }`;
    default:
      return `{ field: ${value} }`;
  }
}

/** A text as YAML has it. The word for an open question is in quotation marks, where it is somebody's own. */
function yamlText(text: unknown): string {
  return text === ASK ? JSON.stringify(text) : quotedText(text);
}

/** More than the characters of all answers to the longest question. */
const MOST_ANSWERS = 4000;

/** Text that fits behind a mark of a comment. */
function oneLine(text: string, most = 400): string {
  return printable(text, most).replaceAll(/\s+/g, " ");
}

function list(values: readonly string[]): string {
  return `[${values.map((value) => yamlText(value)).join(", ")}]`;
}
