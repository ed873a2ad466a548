/** Decides what each column of a table is: by its header, and by the values of the whole column. */
import { activityNamed } from "../../../../transforms/activities.ts";
import type { Answers, Choice } from "../choices/choice.ts";
import { areDurations, areSports, areTexts, type ColumnSample, fits } from "../sample/column.ts";
import { foldHeader, hasOtherWords, isOtherTime, isRole, type Role, wholeHeader } from "../words/header-words.ts";
import { namesDay, namesOtherSport } from "../words/other-measures.ts";
import { namesStart } from "../words/start-words.ts";
import { isClock, isDateText, isDotted, isNumber, isSerial, roughNumber, splitAmount } from "../words/values.ts";
import { sportInTitle } from "../words/words.ts";
import { EARLIEST, isClockLike, isRoundClock, mayBeClock, spread } from "./clock-columns.ts";
import { evidenceOf, MEASURED } from "./guess-evidence.ts";
import { areLengths, areLengthsOfSport } from "./lengths.ts";
import { isLifted } from "./lifts.ts";
import { isOtherRate } from "./low-heart-rates.ts";
import { isMoney } from "./money.ts";
import { areShares } from "./moving-times.ts";
import { isPaced } from "./paced.ts";
import { areHoursBeside, isPartOfTime, isShort, PARTS } from "./parts-of-time.ts";
import { isOfOthers, standing } from "./standing.ts";

/** How the text of a column is taken apart, as `split` of a mapping file says it. */
export interface Split {
  readonly patterns: readonly string[];
  readonly parts: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
  /** The evidence. */
  readonly why: string;
}

/** A column with its role. Without one, nobody knows what it is. */
export interface AssignedColumn extends ColumnSample {
  readonly role: Role | undefined;
  /** Neither the header nor the values say it for sure, so a person is asked. The role is the likeliest. */
  readonly isGuess?: boolean;
  /** The roles that both the header and the values allow. */
  readonly couldBe: readonly Role[];
  /** How its text is taken apart; undefined for a column with one value a cell. */
  readonly split?: Split;
  /** Why it is left; undefined for a column that is read or counted as lost. */
  readonly left?: string;
  /** A person said that it is not loaded. */
  readonly isOut?: boolean;
  /** A person said that it is the distance where the distance column is empty. */
  readonly isOtherwise?: boolean;
  /** The column with the unit of each of its cells. */
  readonly unitColumn?: string;
  /** The column that it competes with for a role. */
  readonly rival?: { readonly role: "distance" | "duration"; readonly of: string };
  /** Why its durations may be paces; undefined if they are no question. */
  readonly asPace?: string;
  /** The column with the start, where this one has the time at which each workout ended. */
  readonly endOf?: string;
  /** The length of a pool, where its cells count lengths. Here they are multiplied already. */
  readonly poolLength?: number;
  /** The question about it, where another column or its own numbers contradict its role. */
  readonly asked?: Choice;
}

/** Whether a person said that a column without a role is not loaded, or is asked whether it is. */
export function staysOut({ isOut, asked }: AssignedColumn): boolean {
  return isOut === true || asked?.value === "unsupported";
}

/** What is known of a column besides its role. */
type More = Pick<AssignedColumn, "isGuess" | "isOut" | "isOtherwise" | "left">;

/** Answers about a column that are no role. */
const WITHOUT_ROLE: Readonly<Record<string, More>> = {
  ...{ ignore: { left: "your answer" }, unsupported: { isOut: true }, otherwise: { isOtherwise: true } },
};

/** Roles that several columns may have. */
const SEVERAL: ReadonlySet<Role> = new Set(["notes", "equipment", "week", "total", "weekday", "pace", "speed", "plan"]);

/** Roles that stand for one field of the log: at most one column of each group. */
const GROUPS: readonly (readonly Role[])[] = [
  ["date", "datetime"],
  ["duration", "hours"],
  ["duration", "minutes"],
  ["duration", "seconds"],
];

/**
 * Gives each column at most one role. Columns with fewer possible roles go first, so that `Strecke` is the route where another column has the
 * distance.
 */
export function assignRoles(
  columns: readonly ColumnSample[],
  hasHeader: boolean,
  answers: Answers,
): readonly AssignedColumn[] {
  const isOther = (column: ColumnSample) =>
    isMoney(column) || isLifted(column, columns) || namesDay(foldHeader(column.name));
  const taken = new Set<Role>();
  const assigned = new Map<number, AssignedColumn>();
  const isFree = (role: Role) =>
    SEVERAL.has(role) ||
    (!taken.has(role) && !GROUPS.some((group) => group.includes(role) && group.some((other) => taken.has(other))));
  const possible = possibleRoles(columns, answers);
  const couldBe = (column: ColumnSample) => possible.get(column) ?? [];
  const give = (column: ColumnSample, role: Role | undefined, more: More = {}) => {
    if (role !== undefined) taken.add(role);
    assigned.set(column.index, { ...column, role, couldBe: couldBe(column), ...more });
  };
  for (const column of columns) {
    const answer = answers.get(fieldPlace(column));
    if (answer !== undefined) give(column, isRole(answer) ? answer : undefined, WITHOUT_ROLE[answer]);
  }
  const sports = taken.has("activity") ? undefined : sportColumn(columns.filter(({ index }) => !assigned.has(index)));
  if (sports !== undefined) give(sports, "activity");
  const open = () => columns.filter(({ index, filled }) => !assigned.has(index) && filled.length > 0);
  const order = columns
    .filter((column) => !assigned.has(column.index) && couldBe(column).length > 0)
    .toSorted(
      (a, b) =>
        couldBe(a).length - couldBe(b).length ||
        standing(b) - standing(a) ||
        Number(b.filled.length > 0) - Number(a.filled.length > 0),
    );
  for (const column of order) {
    const role = couldBe(column).find(isFree);
    if (role !== undefined) give(column, role, isDoubtful(role, column, columns) ? { isGuess: true } : {});
  }
  for (const [role, isIt] of BY_VALUES) {
    const column = open().find((each) => isFree(role) && isIt(each, true));
    if (column !== undefined) give(column, role);
  }
  const isLog = !hasHeader || columns.some(saysTraining);
  for (const [role, isIt] of GUESSES) {
    const column = byStanding(open()).find(
      (each) =>
        isFree(role) &&
        couldBe(each).length === 0 &&
        each.meaning.purpose !== "other" &&
        !isOther(each) &&
        isIt(each, isLog),
    );
    if (column !== undefined) give(column, role, { isGuess: true });
  }
  // Without a header, or without a distance or a duration, every other column of numbers is a question too.
  const sure = new Set(
    [...assigned.values()].flatMap(({ role, isGuess }) => (role === undefined || isGuess ? [] : [role])),
  );
  const lacks = (...roles: readonly Role[]) => !roles.some((role) => sure.has(role));
  const isPart = lacks("distance") || lacks("duration", "hours", "minutes");
  for (const column of open())
    if (
      (!hasHeader || (isPart && couldBe(column).length === 0)) &&
      !areTexts(column) &&
      column.partOf === undefined &&
      !isOther(column)
    )
      give(column, likeliest(column, columns, isFree), { isGuess: true });
  return columns.map(
    (column) => assigned.get(column.index) ?? { ...column, role: undefined, couldBe: couldBe(column) },
  );
}

/** Columns by how well their headers stand for the workout: the time of the chip before that of the gun. */
function byStanding(columns: readonly ColumnSample[]): readonly ColumnSample[] {
  return columns.toSorted((a, b) => standing(b) - standing(a));
}

/** Headers below which people write the sport, and other words too. */
const MAY_BE_SPORT: ReadonlySet<Role> = new Set(["activity", "type", "name", "notes"]);

/** The column whose cells are sports in most rows, whatever its header: `Einheit` above `Laufen, Rad`. One whose header says so comes first. */
function sportColumn(columns: readonly ColumnSample[]): ColumnSample | undefined {
  const found = columns.filter(
    (column) =>
      column.meaning.roles.every((role) => MAY_BE_SPORT.has(role)) &&
      column.filled.length >= column.cells.length / 2 &&
      areOwnSports(column) &&
      column.filled.some((cell) => (activityNamed(cell) ?? "other") !== "other"),
  );
  return found.find(({ meaning }) => meaning.roles.includes("activity")) ?? found[0];
}

/** Whether the cells are sports, and the header doesn't say that they are somebody else's. */
function areOwnSports(column: ColumnSample): boolean {
  return areSports(column) && !namesOtherSport(foldHeader(column.name)) && !isOfOthers(column.name);
}

/** The role that the numbers of a column speak for strongly, if no other column has it. */
function likeliest(
  column: ColumnSample,
  columns: readonly ColumnSample[],
  isFree: (role: Role) => boolean,
): Role | undefined {
  return evidenceOf(column, columns).find(({ role, isStrong }) => isStrong && isFree(role))?.role;
}

/** The place of a column's field in the mapping file. */
export function fieldPlace({ name }: Pick<ColumnSample, "name">): string {
  return `columns.${name}.field`;
}

type Rule = readonly [role: Role, isIt: (column: ColumnSample, isLog: boolean) => boolean];

/** What the values alone say for sure. */
const BY_VALUES: readonly Rule[] = [
  ["date", ({ filled }) => filled.filter(isDateText).length >= filled.length * 0.5],
  ["activity", areOwnSports],
  ["distance", areLengthsOfSport],
];

/** What the values alone make likely. */
const GUESSES: readonly Rule[] = [
  ["time", isRoundClock],
  ["date", ({ filled }) => filled.filter(isSerial).length >= filled.length * 0.8],
  ["duration", areDurations],
  ["distance", ({ filled }, isLog) => isLog && areLengths(filled)],
];

/** What a table may hold that is about anything but training. */
const OF_ANYTHING: ReadonlySet<Role> = new Set([
  "date",
  "datetime",
  "time",
  "weekday",
  "week",
  "total",
  "notes",
  "name",
  "id",
  "type",
] as const);

/** Whether a column shows that the table is about training, and its numbers no prices: by its header, its sports or its durations. */
function saysTraining(column: ColumnSample): boolean {
  const { name, meaning } = column;
  const isSaid = meaning.roles.some((role) => !OF_ANYTHING.has(role)) || sportInTitle(name) !== undefined;
  return isSaid || name === MEASURED || areDurations(column) || areSports(column);
}

/** The roles that each column can have. A column that a person leaves out says nothing of the others. */
function possibleRoles(columns: readonly ColumnSample[], answers: Answers): ReadonlyMap<ColumnSample, readonly Role[]> {
  const used = columns.filter((column) => answers.get(fieldPlace(column)) !== "ignore");
  return new Map(columns.map((column) => [column, rolesFor(column, used)]));
}

/** The roles that both the header and the values allow, the likeliest first. */
function rolesFor(column: ColumnSample, columns: readonly ColumnSample[]): readonly Role[] {
  const parts = columns.filter((each) => each.meaning.roles.some((role) => PARTS.includes(role) && fits(role, each)));
  if (areHoursBeside(column, parts)) return ["hours"];
  // A lone column of minutes is the duration. A lone `S` or `T` is anything.
  const hasMinutes = parts.some(({ meaning }) => meaning.roles.includes("minutes"));
  const isLone = parts.length < 2 || !hasMinutes;
  const roles = column.meaning.roles
    .filter((role) => !(PARTS.includes(role) && isShort(column.name) && (isLone || !isPartOfTime(role, column, parts))))
    // `HR` may be hours, but no heart rate is. `Hours` may hold 2:25:00.
    .filter((role) => !(role === "hours" && !fits(role, column) && !areDurations(column)))
    .map((role) => (PARTS.includes(role) && isLone ? "duration" : role));
  const fitting = roles.filter((role) => fits(role, column)).filter((role) => isPossible(role, column, columns));
  // What is said of somebody else's workout is no time of day: `Coach time` beside `Me time`.
  if (isOfOthers(column.name) && column.meaning.roles.includes("duration") && fits("duration", column))
    return ["duration"];
  // A start with a day in it is the day as well.
  return fitting.includes("datetime") && fitting.includes("time") ? ["datetime"] : fitting;
}

/** The most of a usual scale. */
const MOST_RATING = 10;

function isPossible(role: Role, column: ColumnSample, columns: readonly ColumnSample[]): boolean {
  switch (role) {
    case "time":
      return isTimeOfDay(column, columns);
    // One that begins anew each month, or is that of a person, tells no workout from another.
    case "id":
      return new Set(column.filled).size === column.filled.length;
    // The intensity factor of a ride is near 1.
    case "effort":
    case "quality":
      return !areFactors(column);
    case "weight":
      return !isLifted(column, columns);
    // `Energy` from 1 to 10 is a rating.
    case "calories":
      return (
        column.filled.length === 0 || column.filled.some((cell) => roughNumber(splitAmount(cell).number) > MOST_RATING)
      );
    case "avgHR":
      return !isOtherRate(column, columns);
    case "duration":
      if (column.meaning.roles.includes("pace") && arePaces(column)) return false;
      if (column.filled.some(isDotted) && !columns.some((other) => other !== column && other.filled.some(isDateText)))
        return false;
      return !(column.meaning.roles.includes("time") && isTimeOfDay(column, columns));
    // `Tag` is the date, or only the name of the weekday.
    case "date":
    case "datetime":
      return column.filled.length > 0;
    case "course":
      return column.filled.length === 0 || (areTexts(column) && !fits("fieldPlacement", column));
    // `Art`, `Tipo` and `Type` are the sport or the kind of training. The words in the cells say which.
    case "activity":
      return areTexts(column) && (!column.meaning.roles.includes("type") || areSports(column));
    case "type":
      return areTexts(column) && !(column.meaning.roles.includes("activity") && areSports(column));
    // Shoes may be called 880, and never 45:30.
    case "equipment":
      return areTexts(column) || areModels(column);
    // `Tempo` is the pace in some languages, and the time in others.
    case "pace":
      return !column.meaning.roles.includes("duration") || arePaces(column);
    default:
      return true;
  }
}

/** Whether numbers are around 1. Those up to 1 may be shares of the most. */
function areFactors({ filled }: ColumnSample): boolean {
  const numbers = filled.map((cell) => (isNumber(cell) ? roughNumber(cell) : Number.NaN));
  return numbers.every((number) => number < 2) && numbers.some((number) => number > 1);
}

/** Whether whole numbers below a header of shoes are their models: 880. Below `Bike` they are kilometres. */
function areModels({ name, meaning, filled }: ColumnSample): boolean {
  return (
    meaning.roles.length === 1 && sportInTitle(name) === undefined && filled.every((cell) => /^\d{1,4}$/.test(cell))
  );
}

/** Whether values are paces of one person: minutes from 2:30 to 20, the slow ones less than twice as long as the fast ones. */
export function arePaces({ filled }: ColumnSample): boolean {
  const minutes = filled
    .map((cell) => /^(?:0?0:)?(\d{1,2})[:.'](\d{2})/.exec(cell))
    .map((match) => (match === null ? Number.NaN : Number(match[1]) + Number(match[2]) / 60))
    .concat(filled.filter(isNumber).map(roughNumber))
    .filter((value) => !Number.isNaN(value))
    .toSorted((a, b) => a - b);
  const [slow = 0, fast = 0] = [minutes[Math.floor(minutes.length * 0.9)], minutes[Math.floor(minutes.length * 0.1)]];
  return minutes.length > 0 && fast >= 2.5 && slow <= 20 && slow < 2 * fast;
}

/** Names of the start that say nothing where the values are short: `Time out` is how long somebody was out as well. */
const LIKELY_START = /^(?:time out|tageszeit)$/;

/** Values that people keep of other things than the workout, too: the heart rate of the night, the weight to reach, the temperature of the lake. */
const WORDED: ReadonlySet<Role> = new Set([
  ...(["avgHR", "maxHR", "weight", "temperature", "quality", "effort", "fieldPlacement"] as const),
  ...(["time", "course", "conditions"] as const),
]);

/** Whether the header doesn't say for sure that a column has this role, though its values can be that. A person is asked then. */
function isDoubtful(role: Role, column: ColumnSample, columns: readonly ColumnSample[]): boolean {
  const { meaning, name, filled } = column;
  if (column.isLikely) return true;
  if (WORDED.has(role) && hasOtherWords(name) && !(role === "time" && LIKELY_START.test(foldHeader(name)))) return true;
  // `Rest (min)` alone is not how long the workout was.
  if (meaning.purpose === "other") return role === "distance" || role === "duration" || PARTS.includes(role);
  // A sport without a distance may last as long as its header says: `Gym min`.
  if (role === "duration" && sportInTitle(name) === undefined && isOtherTime(name)) return true;
  const isShare = () => columns.some((other) => other !== column && areShares(column.cells, other.cells));
  if (role === "duration") return mayBeClock(column) && !isPaced(column, columns) && !isShare();
  // `Race time` may be when the race began, or how long it took.
  const isSaid = wholeHeader(name) !== undefined || namesStart(name) || LIKELY_START.test(foldHeader(name));
  return role === "time" && meaning.roles.includes("duration") && !isSaid && !filled.some(hasHalf);
}

/** Whether a cell says before or after noon. */
const hasHalf = (cell: string) => /[ap]\.?m\.?$/i.test(cell);

/** Whether a column of times is the time of day: its header or AM and PM say so, or another column is the duration. */
function isTimeOfDay(column: ColumnSample, columns: readonly ColumnSample[]): boolean {
  const { meaning, filled, name } = column;
  if (filled.length === 0 || filled.filter(isClock).length < filled.length * 0.8) return false;
  const hasHalves = filled.some(hasHalf);
  // All in the first two hours of the day: durations that a spreadsheet shows as times.
  const isNight =
    filled.filter((cell) => /^(?:12|1|01):\d{2}(?::\d{2})?\s?a\.?m\.?$/i.test(cell)).length >= filled.length * 0.8;
  if (hasHalves) return !isNight;
  const others = columns.filter(
    (other) =>
      other !== column &&
      !isOfOthers(other.name) &&
      other.filled.length > 0 &&
      other.meaning.roles.some(
        (role) => ["duration", "minutes", "hours"].includes(role) && (role !== "hours" || fits(role, other)),
      ) &&
      fits("duration", other),
  );
  if (meaning.roles.includes("duration") && others.some((other) => areShares(column.cells, other.cells))) return false;
  if (isRoundClock(column)) return meaning.roles.includes("time");
  if (!meaning.roles.includes("duration")) return meaning.roles.includes("time");
  if (namesStart(name)) return true;
  // The time of a sport is how long it took: `Bike time`.
  if (sportInTitle(name) !== undefined) return false;
  // Of two such columns the one whose times are all in a day, two digits each, is the start.
  // In the first hours of the day, a time is rather how long it took.
  return (
    others.some((other) => !isClockLike(other) || spread(column) > spread(other)) &&
    isClockLike(column) &&
    spread(column) >= EARLIEST
  );
}
