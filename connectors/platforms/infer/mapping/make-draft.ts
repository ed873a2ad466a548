/** Puts the words of a mapping file together. */
import type { Answers, Choice } from "../choices/choice.ts";
import { type AssignedColumn, fieldPlace } from "../columns/roles.ts";
import { NO_KEYS } from "../columns/unusable-names.ts";
import { type DateReading, daysOf } from "../dates/dates.ts";
import { AS_ABOVE, isAsAbove } from "../dates/merged-dates.ts";
import { CENTURY } from "../dates/past-centuries.ts";
import { MONTH } from "../dates/sheet-months.ts";
import { WEEK_DATE, type WeekDays } from "../dates/week-dates.ts";
import { oddWeeks } from "../dates/weeks-beside.ts";
import { YEAR } from "../dates/without-year.ts";
import type { Regrouped } from "../groups/groups.ts";
import type { Draft, DraftColumn } from "../questions/draft.ts";
import { raceMarks } from "../rows/race-marks.ts";
import type { SheetSample } from "../sample/sample.ts";
import type { Sports } from "../sports/sports.ts";
import { SPORT_ABOVE } from "../sports/sports-above.ts";
import { TYPE_WORDS, WEATHER_WORDS } from "../words/words.ts";
import { type FieldTask, fieldOf } from "./fields.ts";
import { fileWords } from "./file-words.ts";
import { knownWords } from "./known-words.ts";
import { restsOn } from "./rests-on.ts";

/** Everything that a draft is made of. */
export interface DraftTask {
  readonly sample: SheetSample;
  readonly columns: readonly AssignedColumn[];
  readonly kept: readonly number[];
  readonly dates: DateReading;
  readonly order: Choice;
  readonly sports: Sports;
  readonly decimal: "." | ",";
  readonly choices: readonly Choice[];
  readonly answers: Answers;
  readonly rules: Draft["rows"];
  readonly groups: Regrouped | undefined;
  readonly days: WeekDays | undefined;
}

/** Makes the draft of a mapping file from all that was found and chosen. */
export function draftOf({
  sample,
  columns,
  kept,
  dates,
  order,
  sports,
  decimal,
  choices,
  answers,
  rules,
  groups,
  days,
}: DraftTask): Draft {
  const byPlace = new Map(choices.map((choice) => [choice.place, choice]));
  const ofGroups = ({ name }: AssignedColumn) => ({
    isShared: groups?.shared.includes(name) ?? false,
    hasZeros: groups?.zeros.has(name) ?? false,
  });
  const task = {
    ...{ withTime: dates.withTime, choices: byPlace },
    ...measuresOf(columns),
    isSaid: (column: AssignedColumn) => byPlace.has(fieldPlace(column)) || answers.has(fieldPlace(column)),
    notes: columns.filter(({ role }) => role === "notes").length,
    oddWeeks: oddWeeks(columns, { kept, order: order.value, days: daysIn(columns, dates, order) }, (place) =>
      answers.has(place),
    ),
  };
  const races = groups || days ? undefined : raceMarks(columns, task.isSaid);
  const fields = new Map(
    columns
      .filter(({ name, filled }) => (name.trim() !== "" || filled.length > 0) && !NO_KEYS.has(name))
      .map((column): [string, DraftColumn] => [
        column.name,
        column.name === races?.column
          ? { field: "type", label: column.name.slice(0, 100) }
          : fieldOf(column, { ...task, ...ofGroups(column) }),
      ]),
  );
  // A column with words that the log doesn't know becomes notes, which use no list of words.
  const withField = (field: "type" | "conditions") =>
    columns.find(({ role, name }) => role === field && fields.get(name)?.field === field);
  return {
    file: fileWords(sample, columns, decimal),
    restsOn: restsOn(sample, columns, byPlace),
    ...{ order: order.value, zone: dates.zone, rows: rules, races },
    ...yearWords(byPlace),
    ...(dates.century && { pivot: byPlace.get(CENTURY)?.value ?? dates.century.value }),
    ...{ week: days?.columns ?? new Map(), weekDate: byPlace.get(WEEK_DATE)?.value },
    ...{
      repeat: days ? new Map() : (groups?.repeat ?? new Map()),
      groupSports: groups?.sports,
      shared: groups?.shared ?? [],
    },
    columns: fields,
    ditto: [...(sample.dittos?.keys() ?? [])],
    asAbove: [AS_ABOVE, SPORT_ABOVE].flatMap((place) => {
      const choice = byPlace.get(place);
      return isAsAbove(choice) ? [[place, choice.value] as const] : [];
    }),
    activity: byPlace.get("defaults.activity")?.value,
    values: {
      activity: sports.answers,
      type: races?.words ?? knownWords(withField("type"), kept, (word) => TYPE_WORDS.get(word)),
      conditions: knownWords(withField("conditions"), kept, (word) => WEATHER_WORDS.get(word)),
    },
    unknownSports: sports.unknown,
  };
}

/** The days of the rows in the order that a person may have chosen. */
function daysIn(columns: readonly AssignedColumn[], { days, order, zone }: DateReading, { value }: Choice) {
  const column = columns.find(({ role }) => role === "date" || role === "datetime");
  return value === order.value || column === undefined ? days : daysOf(column.cells, value as "iso", zone);
}

const DURATIONS: ReadonlySet<string> = new Set(["duration", "hours", "minutes", "seconds"]);

/** What the distances and durations of a table say of its other columns. */
function measuresOf(columns: readonly AssignedColumn[]): Pick<FieldTask, "hasSpeed" | "isMissed"> {
  const has = (...roles: readonly string[]) => columns.some(({ role }) => role !== undefined && roles.includes(role));
  const [hasDistance, hasDuration] = [has("distance"), has(...DURATIONS)];
  return {
    hasSpeed: hasDistance && hasDuration,
    isMissed: ({ meaning: { roles } }) =>
      (roles[0] === "distance" && !hasDistance) || (DURATIONS.has(roles[0] ?? "") && !hasDuration),
  };
}

/** The year that the dates of a table lack. */
function yearWords(choices: ReadonlyMap<string, Choice>): Pick<Draft, "year" | "newYear" | "month"> {
  const value = (place: string) => choices.get(place)?.value;
  return { year: value(YEAR), newYear: value("dates.newYear"), month: value(MONTH) };
}
