/** Reads dates with a time as platforms show them to people: in the order and with the month names of an account's language. */
import { asIfUtc, localDate } from "../../../transforms/calendar.ts";
import { monthNamed } from "../../formats/month-names.ts";
import { timeOfMatch } from "../clock.ts";

/** The marks between the parts, besides blanks: a dot after the day (German) or the month (French), commas. */
const FORMS: readonly { form: RegExp; order: readonly ("year" | "month" | "day")[] }[] = [
  // 2018-09-12 15:02:23
  { form: /^(\d{4})-(\d{1,2})-(\d{1,2})[ T,]+/, order: ["year", "month", "day"] },
  // May 29, 2022, 3:53:35 PM
  { form: /^([^\s\d.,]{1,20})\.? (\d{1,2}), (\d{4}),? /, order: ["month", "day", "year"] },
  // 29.05.2022, 15:53:35
  { form: /^(\d{1,2})\.(\d{1,2})\.(\d{4}),? /, order: ["day", "month", "year"] },
  // 24 Dec 2020, 08:13:59; 27 juil. 2026, 17:33:44; 6 mrt. 2024, 14:23:15; 5 de mayo de 2024, 9:01:02
  { form: /^(\d{1,2})\.? (?:de )?([^\s\d.,]{1,20})\.? (?:de )?(\d{4}),? /, order: ["day", "month", "year"] },
];

const CLOCK = /^(\d{1,2}):(\d{2})(?::(\d{2}))?(?: ?([ap])\.? ?m\.?)?$/i;

/** Blanks before AM: a no-break space, and in newer software a narrow one. */
const BLANKS = /[\s\u00a0\u202f]+/g;

/** Longest date to read, in characters. No language writes a longer one. */
const LONGEST = 60;

/**
 * Reads a date with a time, in any language that platforms show.
 *
 * @param text as in the file
 * @returns milliseconds since 1970, taking the time as UTC; undefined if no form fits, and for days and times that don't exist
 */
export function parseShownDate(text: string): number | undefined {
  if (text.length > LONGEST) return undefined;
  const plain = text.replace(BLANKS, " ").trim();
  for (const { form, order } of FORMS) {
    const match = form.exec(plain);
    if (match === null) continue;
    const part = (name: "year" | "month" | "day") => match[order.indexOf(name) + 1] ?? "";
    const month = /^\d+$/.test(part("month")) ? Number(part("month")) : monthNamed(part("month"));
    const date = month === undefined ? undefined : localDate(Number(part("year")), month, Number(part("day")));
    const time = parseClock(plain.slice(match[0].length));
    return date === undefined || time === undefined ? undefined : asIfUtc({ date, time });
  }
  return undefined;
}

function parseClock(text: string): string | undefined {
  const match = CLOCK.exec(text);
  return match === null ? undefined : timeOfMatch(match);
}
