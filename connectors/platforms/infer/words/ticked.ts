/** Columns in which people tick off what they did: `Done?` with ✓ and ✗, `Completed` with Yes and No, the boxes of a spreadsheet program. */
import { foldHeader } from "./words-of-headers.ts";

/** Headers of such a column, folded. */
const TICKED =
  /^(?:(?:workout|training|session|run|ride|swim) )?(?:done|completed?|finished|did it|ticked(?: off)?|achieved|erledigt|gemacht|absolviert|geschafft|fait|faite|realise|realisee|effectue|hecho|hecha|realizado|realizada|cumplido|completado|completada|fatto|fatta|svolto|completato|feito|feita|concluido|concluida|cumprido|gedaan|voltooid|afgerond|gjort|genomford|klar|avklarat|gennemfort|udfort|fuldfort|zrobione|wykonane|wykonany|zaliczone|完了|済|実施|実施済み)\s*\??$/;

/** Words for what somebody did, which no header of such a column has, folded. */
const DONE = new Set("ran run ridden swum gelaufen gelopen gefahren couru corrido corso sprang lobet".split(" "));

/** Other headers of such a column: a tick itself, and words that stand above ticks and above states. */
const SIGNS = new Set("✓ ✔ ✔️ ✅ ☑ ☑️ ok ok? status state stato estado statut etat stav".split(" ").map(foldHeader));

/** Whether a header says that its column has ticks. */
function isTicked(header: string): boolean {
  const folded = foldHeader(header);
  return TICKED.test(folded) || SIGNS.has(folded) || DONE.has(folded.replace(/ ?\?$/, ""));
}

/** Whether a word says that something was done, as it would above a column of ticks. */
export function saysDone(word: string): boolean {
  return TICKED.test(word) || DONE.has(word);
}

/** Cells that say no. */
const NO = new Set(
  "✗ ✘ ❌ ❎ ✕ ✖ × ☐ □ ✖️ no n false 0 nein falsch non faux falso nee onwaar nej falskt nie falsz nao いいえ 未"
    .split(" ")
    .map(foldHeader),
);

/** Cells that say yes. */
const YES = new Set(
  "✓ ✔ ✔️ ✅ ☑ ☑️ yes y true 1 done ok ja j wahr erledigt oui o vrai si s verdadero vero sim verdadeiro waar sant sandt tak t prawda 済 はい ○ ◯ x"
    .split(" ")
    .map(foldHeader),
);

/** A cross is a tick, unless the column has other ticks: then it says no. */
const CROSS = "x";

/** What a cell of such a column says of a workout: nothing in an empty cell is no tick. Undefined for a column that holds something else. */
export function notTicked(header: string, filled: readonly string[]): ((cell: string) => boolean) | undefined {
  if (!isTicked(header)) return undefined;
  return untickedIn(filled);
}

/** What a cell of a column of ticks says, whatever its header: true for no. Undefined for a column that holds something else. */
export function untickedIn(filled: readonly string[]): ((cell: string) => boolean) | undefined {
  const words = new Set(filled.map(foldHeader));
  const isCrossNo = [...words].some((word) => word !== CROSS && YES.has(word));
  const isNo = (word: string) => NO.has(word) || (word === CROSS && isCrossNo);
  const isYes = (word: string) => YES.has(word) && !(word === CROSS && isCrossNo);
  if (![...words].some(isYes) || ![...words].every((word) => isYes(word) || isNo(word))) return undefined;
  return (cell) => cell === "" || isNo(foldHeader(cell));
}
