/** Columns in which people mark what they did not do: `Missed` with TRUE, `Ausgefallen` with an x. They are the opposite of `Done?`. */
import type { ColumnSample } from "../sample/column.ts";
import { foldHeader } from "../words/words-of-headers.ts";

/** Headers of such a column, folded. */
const MISSED =
  /^(?:(?:workout|training|session|run|ride|swim) )?(?:missed|skipped|skip|cancell?ed|not (?:done|run|completed)|did ?n.?t (?:run|do|go)|did not (?:run|do|go)|dns|no[ -]show|ausgefallen|entfallen|verpasst|versaumt|ausgelassen|abgesagt|nicht (?:gemacht|absolviert|gelaufen|erledigt)|manquee?|ratee?|annulee?|sautee?|pas (?:fait|faite|couru)|non (?:fait|faite|fatto|realise|realisee|effectue|svolto)|perdid[oa]|saltad[oa]|cancelad[oa]|omitid[oa]|no (?:hecho|realizado|completado)|saltat[oa]|mancat[oa]|annullat[oa]|pers[oa]|faltei|nao (?:feito|realizado)|gemist|overgeslagen|geannuleerd|niet (?:gedaan|gelopen)|missa[dt]|installd|installt|overhoppa[dt]|ej (?:gjort|genomford)|inte gjort|misset|aflyst|sprunget over|ikke gjort|opuszczon[eya]|odwolan[eya]|pominiet[eya]|nie zrobione|中止|欠席|未実施)\s*\??$/;

/** Cells that say that it took place all the same, folded. */
const NO = new Set("no n false 0 nein falsch non faux falso nee onwaar nej falskt nie falsz nao ☐ □ いいえ".split(" "));

/** More rows are missed in no log of what somebody did. */
const MOST = 0.7;

/** What a cell of such a column says: a mark or a reason in it says that the workout never took place. Undefined for any other column. */
export function missedIn({ name, filled, cells }: ColumnSample): ((cell: string) => boolean) | undefined {
  if (!MISSED.test(foldHeader(name))) return undefined;
  const isMissed = (cell: string) => cell !== "" && !NO.has(foldHeader(cell));
  const missed = filled.filter(isMissed);
  // Numbers past 1 are kilometres, or how many.
  if (missed.some((cell) => /^[\d.,:-]+$/.test(cell) && cell !== "1")) return undefined;
  return missed.length <= cells.length * MOST ? isMissed : undefined;
}
