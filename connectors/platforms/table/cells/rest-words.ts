/** Words for a day without training, in the languages of sheets. */
import { fold } from "../mapping/fold.ts";

/** The words, without accents. */
export const WORDS_OF_REST =
  "rest|rest day|off|day off|none|no run|ruhetag|ruhe|frei|pause|repos|jour de repos|descanso|dia de descanso|libre|riposo|giorno di riposo|folga|rust|rustdag|vila|vilodag|hvile|hviledag|odpoczynek|wolne|przerwa|休み|休養|休足|オフ|rest.";

/** Marks for such a day in a table of weeks, where each cell is a day. */
const MARKS = ["x", "-", "–", "—", "/", "0"];

const WORDS: ReadonlySet<string> = new Set([...WORDS_OF_REST.split("|"), ...MARKS]);

/** Whether a cell of a day says that nobody trained. */
export function saysRest(cell: string): boolean {
  return WORDS.has(
    fold(cell)
      .normalize("NFKD")
      .replaceAll(/\p{Mn}/gu, "")
      .normalize("NFC"),
  );
}
