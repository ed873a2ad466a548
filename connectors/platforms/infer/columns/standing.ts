/** How well a header stands for the workout, where several columns could be its distance or its duration. */
import type { ColumnSample } from "../sample/column.ts";
import { foldHeader, wholeHeader } from "../words/header-words.ts";
import { isElapsed, isWholeTime } from "./moving-times.ts";

/** Words for others than the one whose log it is, or for another time than that of the row, folded. `Zielzeit` is the target as well as the finish. */
const OF_OTHERS =
  /(?:^|[\s(/-])(?:coach|trainer|coach's|team|group|squad|relay|gruppe|mannschaft|staffel|equipe|relais|entraineur|groupe|equipo|entrenador|relevo|grupo|squadra|allenatore|staffetta|treinador|ploeg|estafette|lag|tranare|stafett|hold|stafet|druzyna|trener|sztafeta|partner|partenaire|wife|husband|frau|mann|buddy|last year|previous year|prev year|vorjahr|letztes jahr|annee derniere|l'an dernier|ano pasado|ano anterior|anno scorso|anno prima|vorig jaar|forra aret|sidste ar|rok temu|zielzeit)(?:$|[\s)/'-])|去年|昨年|チーム|コーチ/;

/** Whether a header is about others, or about another year. Beside a column without such a word it is no value of the workout. */
export function isOfOthers(header: string): boolean {
  return OF_OTHERS.test(foldHeader(header));
}

/** Words for the time since the gun of a race, folded. The chip of a runner measures their own: that is how long the workout was. */
const GUN =
  /^(?:gun|brutto|bruto|gross|lordo|official|offiziell|offizielle|officiel|oficial|ufficiale)(?:zeit|tid|tijd)?(?:$|[\s(/-])|\s(?:gun|brutto|bruto|gross|lordo|officiel|oficial|ufficiale|brut)$/;

/** Words for the time of the chip. Only races have one, so a plain time beside it is that of all workouts. */
const CHIP = /^(?:chip|netto|net)(?:zeit|tid|tijd)?(?:$|[\s(/-])|\s(?:chip|netto|net)$/;

const STANDINGS = { actual: 1, plan: -1, other: -1, sum: -1 } as const;

/** How well a header stands for the workout: `Actual km` better than `km`, `Moving` than `Elapsed`, `Chip time` than `Gun time`, `min` than `Rest (min)`, `Run min` than `Hours`. */
export function standing({ name, meaning, cells, filled }: ColumnSample): number {
  if (meaning.purpose !== undefined) return STANDINGS[meaning.purpose];
  if (isOfOthers(name)) return -0.75;
  if (GUN.test(foldHeader(name))) return -0.6;
  if (CHIP.test(foldHeader(name))) return -0.3;
  if (isElapsed(name) || meaning.roles[0] === "hours") return -0.5;
  if (isWholeTime(name)) return -0.2;
  // `Time` beside `Best time`: with another word, it may be of something else. A small table beside the workouts has such headers, too.
  const isPlain =
    wholeHeader(name.split(/[([]/, 1)[0]?.trim() ?? "") !== undefined && filled.length >= cells.length / 2;
  return isPlain ? 0.1 : 0;
}
