/** Reads values in the form of MapMyRun. */
import { localDate } from "../../../transforms/calendar.ts";
import { monthNamed } from "../../formats/month-names.ts";

/** `May 6, 2025`, `Aug. 1, 2024`, `Sept. 9, 2018`: one file has both kinds. */
const SHOWN = /^([a-z]{3,9})\.? (\d{1,2}), (\d{4})$/i;
/** `31-Jul-24`, the form after a spreadsheet saved it again. If the month is a number, day, month and year can't be distinguished. */
const SAVED_AGAIN = /^(\d{1,2})-([a-z]{3})-(\d{2})$/i;

/** Turns a day into `2025-05-06`. A text in any other form stays unchanged. */
export function dayOf(text: string): string {
  const [, month = "", day, year] = SHOWN.exec(text) ?? [];
  const [, otherDay, otherMonth = "", ending] = SAVED_AGAIN.exec(text) ?? [];
  // A person may type older workouts in. A spreadsheet program writes two digits for the years from 1930 to 2029.
  const century = Number(ending) < 30 ? "20" : "19";
  const date = localDate(
    Number(year ?? `${century}${ending}`),
    monthNamed(month || otherMonth) ?? 0,
    Number(day ?? otherDay),
  );
  return date ?? text;
}

/** The number at the end of `http://www.mapmyrun.com/workout/8551842508`. The name of the site may change. The number stays the same. */
export function idOf(link: string): string | undefined {
  return /\/workout\/(\d{1,20})\/?$/.exec(link)?.[1];
}

const SHOES = /^shoes:[ \t]*/i;

/** Stands between a note and the shoes, where both are in one line. */
const AFTER_NOTE = " Shoes: ";

/** A brand and a model have at most so many words. More are a sentence. */
const MOST_WORDS = 6;

/** The shoes of a workout. Each is a line of its notes, `Shoes: Karhu Fusion 3.5`, or ends a line: `easy by the lake Shoes: Karhu Fusion 3.5`. */
export function shoesOf(notes: string): string | undefined {
  const named = linesOf(notes).flatMap((line) =>
    SHOES.test(line) ? [line.replace(SHOES, "").trim()] : (shoesAfterNote(line) ?? []),
  );
  return named.length === 0 ? undefined : named.join("\n");
}

/** A person may write of shoes, too. So only what looks like a brand and a model counts, and the note keeps its words. */
function shoesAfterNote(line: string): string | undefined {
  const at = line.lastIndexOf(AFTER_NOTE);
  const text = at < 0 ? "" : line.slice(at + AFTER_NOTE.length).trim();
  const isName = /^[\p{Lu}\d]/u.test(text) && !/[,;!?]|\. |\.$/.test(text) && text.split(/\s+/).length <= MOST_WORDS;
  return isName ? text : undefined;
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

/** Python writes such control characters as a backslash and a letter. */
const LETTERS: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

/** Decodes notes that are written as Python shows bytes: `b'caf\xc3\xa9\nShoes: X'`. Other notes stay unchanged. */
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
