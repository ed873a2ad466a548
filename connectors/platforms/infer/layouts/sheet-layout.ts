/** Finds where the workouts of a table are: a row each, several a row, or a week a row. */
import type { Answers } from "../choices/choice.ts";
import type { NoProposal } from "../choices/no-proposal.ts";
import { type CompletedSheet, withYears } from "../dates/without-year.ts";
import { type Regrouped, regroup } from "../groups/groups.ts";
import { endsOfWeek, fewDays, type WeekColumns, weekGroups } from "../groups/week-groups.ts";
import { columnsOf } from "../sample/column.ts";
import type { SheetSample } from "../sample/sample.ts";
import { monthBlocks } from "./month-blocks.ts";
import { monthAColumn } from "./month-matrix.ts";
import { numberedWeeks, rowsOfValues } from "./numbered-weeks.ts";
import { someDays, weekARow } from "./other-layouts.ts";
import { runningSums } from "./running-sums.ts";

/** Where the workouts are. */
export interface SheetLayout {
  /** The rows as they stand in the table, with whole dates. */
  readonly whole: SheetSample;
  /** The same with a workout a row; undefined if they are so already. */
  readonly groups: Regrouped | undefined;
  /** The days of a week, if a row is one. */
  readonly week: WeekColumns | undefined;
  /** How the dates got their years; undefined if they have them. */
  readonly years: CompletedSheet | undefined;
}

/** Finds the layout. @param years how the dates of these rows got their years */
export function layoutOf(
  read: SheetSample,
  answers: Answers,
  today: string,
  years?: CompletedSheet,
): SheetLayout | NoProposal {
  const whole = { ...read, provenSums: runningSums(columnsOf(read)) };
  const other = monthAColumn(whole) ?? monthBlocks(whole) ?? rowsOfValues(whole);
  if (other !== undefined) return other;
  const groups = weekGroups(whole);
  if (groups !== undefined) return { whole, groups, week: groups.week, years };
  const refused = numberedWeeks(whole) ?? weekARow(whole) ?? someDays(fewDays(whole));
  if (refused === undefined) {
    const groups = regroup(whole, answers);
    return { whole, groups, week: undefined, years };
  }
  const ends = endsOfWeek(whole);
  const completed = years === undefined ? withYears(whole, columnsOf(whole), { answers, today, ends }) : undefined;
  if (completed === undefined) return refused;
  return "problem" in completed ? completed : layoutOf(completed.sample, answers, today, completed);
}
