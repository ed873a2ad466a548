/** Words that people write beside workouts that never took place: `planned`, `skipped`. */
import { foldHeader } from "./header-words.ts";

/** Headers of such a column, folded. */
const STATUS =
  /^(?:(?:workout|training) )?(?:status|state|stand|statut|etat|estado|situacion|situacao|stato|estatus|状態|状況)$/;

const NOT_DONE = new Set(
  `skipped|skip|missed|planned|plan|scheduled|cancelled|canceled|not done|dns|did not start|todo|to do|geplant|ausgefallen|abgesagt|verpasst
  |ausgelassen|prevu|prevue|planifie|annule|annulee|manque|manquee|saute|planeado|planificado|programado|cancelado|saltado|perdido|omitido
  |pianificato|programmato|previsto|annullato|saltato|perso|planejado|agendado|faltei|gepland|overgeslagen|gemist|geannuleerd|planerad|planerat
  |installd|installt|missad|missat|overhoppad|planlagt|aflyst|sprunget over|misset|planowany|zaplanowany|zaplanowane|opuszczony|opuszczone
  |odwolany|odwolane|pominiety|予定|中止|未実施|欠席`
    .split("|")
    .map((word) => word.trim()),
);

/** Whether a header is the state of a workout. */
export function isStatus(header: string): boolean {
  return STATUS.test(foldHeader(header));
}

/** Whether the state of a workout says that it never took place. */
export function saysNotDone(cell: string): boolean {
  return NOT_DONE.has(foldHeader(cell));
}
