/** Reads dates with a time as platforms show them to people: in the order and with the month names of an account's language. */
import { asIfUtc, localDate } from "../../../../transforms/calendar.ts";
import { monthNamed } from "../../../formats/month-names.ts";
import { timeOfMatch } from "../../clock.ts";

/** The marks between the parts, besides blanks: a dot after the day (German) or the month (French), commas, the word for "year" (Russian). */
const FORMS: readonly { form: RegExp; order: readonly ("year" | "month" | "day")[] }[] = [
  // 2018-09-12 15:02:23; Japanese 2024/05/04 9:01:02
  { form: /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})[ T,]+/, order: ["year", "month", "day"] },
  // Chinese: 2024年5月4日 09:01:02
  { form: /^(\d{4})年(\d{1,2})月(\d{1,2})日 ?/, order: ["year", "month", "day"] },
  // Korean 2024. 5. 4. 오전 9:01:02; Hungarian 2024. máj. 4. 9:01:02
  { form: /^(\d{4})\. ([^\s\d.,]{1,20}|\d{1,2})\.? (\d{1,2})\.,? /, order: ["year", "month", "day"] },
  // May 29, 2022, 3:53:35 PM
  { form: /^([^\s\d.,]{1,20})\.? (\d{1,2}), (\d{4}),? /, order: ["month", "day", "year"] },
  // 29.05.2022, 15:53:35; Czech 4. 5. 2024 9:01:02; Finnish 4.5.2024 klo 9.01.02
  { form: /^(\d{1,2})\. ?(\d{1,2})\. ?(\d{4})\.?(?: г\.)?,? (?:klo )?/, order: ["day", "month", "year"] },
  // European Portuguese: 04/05/2024, 09:01:02. No language shows a month first with two digits, a comma and 24 hours.
  { form: /^(\d{2})\/(\d{2})\/(\d{4}), (?=\d{2}:\d{2}:\d{2}$)/, order: ["day", "month", "year"] },
  // 24 Dec 2020, 08:13:59; 27 juil. 2026, 17:33:44; 6 mrt. 2024, 14:23:15; 5 de mayo de 2024, 9:01:02; 4 мая 2024 г., 09:01:02
  {
    form: /^(\d{1,2})\.? (?:de )?([^\s\d.,]{1,20})\.? (?:de )?(\d{4})(?: г\.)?,? (?:à |kl\. )?/,
    order: ["day", "month", "year"],
  },
];

/** A time of day. Danish has dots in it, Canadian French letters, and the words for the half of the day may stand before it. */
const CLOCK = /^(\d{1,2})(?::|\.| h )(\d{2})(?:(?::|\.| min )(\d{2})(?: s)?)?(?: ?([ap])\.? ?m\.?)?$/i;

/** Words for a half of the day, or a part of it, before a time. */
const HALVES: readonly { words: RegExp; half: string }[] = [
  { words: /^(?:上午|凌晨|清晨|早上|오전) ?/, half: "am" },
  { words: /^(?:中午|下午|晚上|오후) ?/, half: "pm" },
];

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
  const half = HALVES.find(({ words }) => words.test(text));
  const match = CLOCK.exec(half === undefined ? text : `${text.replace(half.words, "")} ${half.half}`);
  return match === null ? undefined : timeOfMatch(match);
}
