/**
 * Times of a repeated task: at a fixed interval, or by a cron expression in a zone. These functions are pure: the caller passes the time.
 */
import { Cron } from "croner";

/** An interval in milliseconds, or the five fields of cron in a zone's own time. */
export type Rule =
  | { readonly everyMs: number }
  /** `zone` is an IANA name. */
  | { readonly cron: string; readonly zone: string };

/**
 * The time when a task is due, computed from the last time it was done. A task that was never done is due at once. A time in the past was
 * missed, and the task is then due once, however many times were missed. A clock change may leave out a time of day: then the first time
 * after the gap counts. If a time of day comes twice, the first one counts.
 *
 * @param last milliseconds since 1970 UTC of the last time the task was done; a time in the future (the clock was set back) counts as `now`
 * @returns milliseconds since 1970 UTC; Infinity for an expression that fits no day (30 February)
 */
export function dueAt(rule: Rule, last: number | undefined, now: number): number {
  if (last === undefined) return Number.NEGATIVE_INFINITY;
  const from = Math.min(last, now);
  if ("everyMs" in rule) return from + rule.everyMs;
  return findNext(rule, from);
}

/** The first time of a rule after an instant, in milliseconds since 1970 UTC; Infinity if there is none. */
export function findNext(rule: Rule, after: number): number {
  if ("everyMs" in rule) return after + rule.everyMs;
  return cronOf(rule.cron, rule.zone).nextRun(new Date(after))?.getTime() ?? Number.POSITIVE_INFINITY;
}

/**
 * The longest time between two consecutive times of a rule, in milliseconds. It compares the next times: a year and more for a daily rule.
 *
 * @param from milliseconds since 1970 UTC
 */
export function longestGap(rule: Rule, from: number): number {
  if ("everyMs" in rule) return rule.everyMs;
  const runs = cronOf(rule.cron, rule.zone).nextRuns(TIMES_LOOKED_AT, new Date(from));
  return runs.reduce((longest, run, index) => {
    const before = runs[index - 1];
    return before === undefined ? longest : Math.max(longest, run.getTime() - before.getTime());
  }, 0);
}

const TIMES_LOOKED_AT = 400;

function cronOf(text: string, zone: string): Cron {
  return new Cron(text, { mode: "5-part", timezone: zone, fixedTimeRule: "no-wildcard", paused: true });
}

/** The five fields of a cron expression, each with its values. */
export interface CronFields {
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  readonly days: readonly number[];
  readonly months: readonly number[];
  /** 0 is Sunday. */
  readonly weekdays: readonly number[];
  /** The expression names both days and weekdays. As in cron, a day that fits either of them counts. */
  readonly isEitherDay: boolean;
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
/** The names of the weekdays in an expression, in the order of their numbers. */
export const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

const FIELDS = [
  { name: "minutes", word: "minute", least: 0, most: 59, names: [] },
  { name: "hours", word: "hour", least: 0, most: 23, names: [] },
  { name: "days", word: "day of the month", least: 1, most: 31, names: [] },
  { name: "months", word: "month", least: 1, most: 12, names: MONTHS },
  { name: "weekdays", word: "day of the week", least: 0, most: 7, names: WEEKDAYS },
] as const;

/**
 * Reads a cron expression: five fields of numbers, names of months and weekdays, `*`, lists, ranges and steps. Every cron reads these
 * alike.
 *
 * @returns the problem, as a text, if it isn't a cron expression
 */
export function cronFields(text: string): CronFields | string {
  const words = text.trim().split(/\s+/);
  if (words.length !== FIELDS.length) return `expected five fields, found ${text.trim() === "" ? 0 : words.length}`;
  const values: Record<string, number[]> = {};
  for (const [index, { name, word, least, most, names }] of FIELDS.entries()) {
    const field = words[index] ?? "";
    const found = new Set<number>();
    for (const part of field.split(",")) {
      const some = valuesOf(part, least, most, names);
      if (some === undefined) return `${JSON.stringify(field)} is no ${word}`;
      for (const value of some) found.add(name === "weekdays" ? value % 7 : value);
    }
    values[name] = [...found].toSorted((a, b) => a - b);
  }
  const [, , days = "", , weekdays = ""] = words;
  // With `*/2` in one field and a value in the other, some crons take either day, and others require both.
  if ([days, weekdays].some((field) => /^\*\//.test(field)) && ![days, weekdays].includes("*"))
    return "a step over all days of the one kind together with days of the other kind means something else to every cron";
  const isEitherDay = !days.startsWith("*") && !weekdays.startsWith("*");
  return { ...(values as unknown as Omit<CronFields, "isEitherDay">), isEitherDay };
}

/** The values of `*`, `5`, `1-5`, `mon-fri`, with or without a step of `/2`. */
function valuesOf(part: string, least: number, most: number, names: readonly string[]): number[] | undefined {
  const [, from = "", to, step] = /^(\*|\w{1,3})(?:-(\w{1,3}))?(?:\/(\d{1,2}))?$/.exec(part) ?? [];
  const numberOf = (word: string): number | undefined => {
    const named = names.indexOf(word.toLowerCase());
    const value = named >= 0 ? named + least : /^\d{1,2}$/.test(word) ? Number(word) : undefined;
    return value !== undefined && value >= least && value <= most ? value : undefined;
  };
  const isAll = from === "*" && to === undefined;
  const first = isAll ? least : numberOf(from);
  // Sunday has two numbers, so `*` stops at 6.
  const last = isAll ? Math.min(most, least === 0 && most === 7 ? 6 : most) : to === undefined ? first : numberOf(to);
  const by = step === undefined ? 1 : Number(step);
  if (first === undefined || last === undefined || last < first || by === 0) return undefined;
  if (step !== undefined && !isAll && to === undefined) return undefined;
  return Array.from({ length: Math.floor((last - first) / by) + 1 }, (_, index) => first + index * by);
}
