/** Finds dates that apps and scripts write as numbers: the seconds or milliseconds since 1970, `1609657200`. A mapping file has no word for them. */
import { addDays, asIfUtc } from "../../../../transforms/calendar.ts";
import type { NoProposal } from "../choices/no-proposal.ts";
import type { ColumnSample } from "../sample/column.ts";
import { foldHeader } from "../words/header-words.ts";

/** Earlier numbers of this size are something else. */
const FIRST_DAY = "2005-01-01";

/** This share of the cells must be such times. */
const SHARE = 0.8;

/** Headers that name a time in the words of programs. */
const NAMED = /epoch|unix|stamp|^start|^created/;

/** How many of each count make a day. */
const UNITS = [
  ["seconds", 86_400],
  ["milliseconds", 86_400_000],
] as const;

/** Why a table whose only dates are such numbers waits, with the formula that makes dates of them; undefined for any other table. */
export function unixTimes(columns: readonly ColumnSample[], today: string): NoProposal | undefined {
  const [first, last] = [asIfUtc({ date: FIRST_DAY }), asIfUtc({ date: addDays(today, 1) })];
  for (const { name, meaning, filled } of columns) {
    const isNamed =
      meaning.roles.some((role) => role === "date" || role === "datetime" || role === "time") ||
      NAMED.test(foldHeader(name));
    if (!isNamed || filled.length === 0) continue;
    for (const [unit, perDay] of UNITS) {
      const millis = (cell: string) => (Number(cell) * 86_400_000) / perDay;
      const times = filled.filter(
        (cell) => /^\d{10,13}(?:\.\d{1,9})?$/.test(cell) && millis(cell) >= first && millis(cell) < last,
      );
      const [example] = times;
      if (example === undefined || times.length < filled.length * SHARE) continue;
      const utc = new Date(millis(example)).toISOString().slice(0, 16).replace("T", " ");
      return {
        problem: `the column ${JSON.stringify(name)} has Unix times, the ${unit} since 1970: ${example} is ${utc} in UTC`,
        next: `Add a column called "Start" to the table, with a date and a time made by a formula such as =A2/${perDay}+25569, where A2 is the number. Save it as CSV, delete the old column there, and propose again. The new times are in UTC: write \`zone: utc\` below \`dates\` in the mapping file`,
      };
    }
  }
  return undefined;
}
