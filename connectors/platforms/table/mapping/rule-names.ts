/** The rules of issues about rows. A person's own sheet needs other remedies than a platform's table, so each has its own names. */

import type { Issue } from "../../../../transforms/model/issue.ts";

/** Each rule, by its name without the family. */
export const RULES = {
  csv: {
    "no-date": "csv/no-date",
    "bad-date": "csv/bad-date",
    "no-such-day": "csv/no-such-day",
    "bad-time": "csv/bad-time",
    "bad-number": "csv/bad-number",
    "bad-duration": "csv/bad-duration",
    "unknown-unit": "csv/unknown-unit",
    "skipped-row": "csv/skipped-row",
    "held-row": "csv/held-row",
    "no-match": "csv/no-match",
    "total-differs": "csv/total-differs",
    "extra-cells": "csv/extra-cells",
    "short-row": "csv/short-row",
    "equipment-without-activity": "csv/equipment-without-activity",
    "placeholder-gear": "csv/placeholder-gear",
  },
  table: {
    "no-date": "table/no-date",
    "bad-date": "table/bad-date",
    "bad-time": "table/bad-time",
    "bad-number": "table/bad-number",
    "bad-duration": "table/bad-duration",
    "unknown-unit": "table/unknown-unit",
    "skipped-row": "table/skipped-row",
    "held-row": "table/held-row",
    "extra-cells": "table/extra-cells",
    "short-row": "table/short-row",
    "equipment-without-activity": "table/equipment-without-activity",
    "placeholder-gear": "table/placeholder-gear",
  },
} as const;

/** Why a row waits that a rule of the mapping holds back. @param hold the word of the rule: `wrong year` */
export function heldRow(family: RuleFamily, hold: string): Issue {
  return {
    severity: "error",
    rule: RULES[family]["held-row"],
    found: hold,
    expected: "a row that you corrected in the table, or a mapping without the rule that holds it",
  };
}

/** The rule of a remark about a number that was read, though the cell has a mark of doubt. */
export const UNCERTAIN_NUMBER = "csv/uncertain-number";

/** The kind of table: a person's own sheet, or a platform's. */
export type RuleFamily = keyof typeof RULES;

/** The rules for issues about rows. */
export type RowRule = keyof (typeof RULES)[RuleFamily];

/** The rule of the remark about a value that is of all workouts of a row together. */
export const SHARED_VALUE = "csv/shared-value";
