/** How MapMyRun writes its values. */
import { localDate } from "../../../transforms/calendar.ts";
import { monthNamed } from "../../formats/month-names.ts";

/** `May 6, 2025`, `Aug. 1, 2024`, `Sept. 9, 2018`: both kinds stand in one file. */
const SHOWN = /^([a-z]{3,9})\.? (\d{1,2}), (\d{4})$/i;
/** `31-Jul-24`, as a spreadsheet saves it again. With a number for the month, nobody can tell day, month and year apart. */
const SAVED_AGAIN = /^(\d{1,2})-([a-z]{3})-(\d{2})$/i;

/** A day as `2025-05-06`. A text in any other form stays as it is. */
export function dayOf(text: string): string {
  const [, month = "", day, year] = SHOWN.exec(text) ?? [];
  const [, otherDay, otherMonth = "", ending] = SAVED_AGAIN.exec(text) ?? [];
  // MapMyRun began in 2005.
  const date = localDate(Number(year ?? `20${ending}`), monthNamed(month || otherMonth) ?? 0, Number(day ?? otherDay));
  return date ?? text;
}

/** The number at the end of `http://www.mapmyrun.com/workout/8551842508`. The name of the site changes, the number doesn't. */
export function idOf(link: string): string | undefined {
  return /\/workout\/(\d{1,20})\/?$/.exec(link)?.[1];
}

const SHOES = /^shoes:[ \t]*/i;

/** The shoes of a workout: a line each of its notes, `Shoes: Karhu Fusion 3.5`. */
export function shoesOf(notes: string): string | undefined {
  const named = linesOf(notes).filter((line) => SHOES.test(line));
  return named.length === 0 ? undefined : named.map((line) => line.replace(SHOES, "").trim()).join("\n");
}

/** The notes without the lines that name shoes. */
export function notesOf(notes: string): string | undefined {
  const text = linesOf(notes)
    .filter((line) => !SHOES.test(line))
    .join("\n")
    .trim();
  return text === "" ? undefined : text;
}

function linesOf(notes: string): readonly string[] {
  return unquoted(notes).split(/\r?\n/);
}

/** Backslash and letter, as Python writes characters that have no picture. */
const LETTERS: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

/** Some notes are written as Python shows bytes: `b'caf\xc3\xa9\nShoes: X'`. They become their text, or stay if they are none. */
function unquoted(notes: string): string {
  const body = /^b(['"])([\s\S]*)\1$/.exec(notes)?.[2];
  if (body === undefined || !/^\p{ASCII}*$/u.test(body)) return notes;
  const bytes = body.replace(/\\(?:x([0-9a-f]{2})|([\s\S]))/gi, (_, hex?: string, letter = "") =>
    hex === undefined ? (LETTERS[letter] ?? letter) : String.fromCharCode(Number.parseInt(hex, 16)),
  );
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(bytes, "latin1"));
  } catch {
    return notes;
  }
}
