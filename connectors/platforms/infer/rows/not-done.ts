/** Words that people write beside workouts that never took place: `planned`, `skipped`. */
import type { Choice } from "../choices/choice.ts";
import { type ColumnSample, countTexts } from "../sample/column.ts";
import { foldHeader } from "../words/header-words.ts";
import { WORKOUTS } from "./sum-rules.ts";

/** What such a row is left out as. */
export const NOT_DONE = "not done";

/** Headers of such a column, folded. */
const STATUS =
  /^(?:(?:workout|training) )?(?:status|state|stand|statut|etat|estado|situacion|situacao|stato|estatus|状態|状況)$/;

const WORDS = new Set(
  `rest|rest day|off|ruhetag|skipped|skip|missed|planned|plan|scheduled|cancelled|canceled|not done|dns|did not start|todo|to do|geplant|ausgefallen|abgesagt|verpasst
  |ausgelassen|prevu|prevue|planifie|annule|annulee|manque|manquee|saute|planeado|planificado|programado|cancelado|saltado|perdido|omitido
  |pianificato|programmato|previsto|annullato|saltato|perso|planejado|agendado|faltei|gepland|overgeslagen|gemist|geannuleerd|planerad|planerat
  |installd|installt|missad|missat|overhoppad|planlagt|aflyst|sprunget over|misset|planowany|zaplanowany|zaplanowane|opuszczony|opuszczone
  |odwolany|odwolane|pominiety|予定|中止|未実施|欠席|pending|open|upcoming|not started|offen|ausstehend|en attente|a faire|pendiente|por hacer|da fare
  |in attesa|pendente|a fazer|por fazer|nog te doen|att gora|kommande|ikke startet|afventer|do zrobienia|oczekuje|未完了|未着手`
    .split("|")
    .map((word) => word.trim()),
);

/** Whether a header is the state of a workout. */
export function isStatus(header: string): boolean {
  return STATUS.test(foldHeader(header));
}

/** Whether the state of a workout says that it never took place. */
export function saysNotDone(cell: string): boolean {
  return WORDS.has(foldHeader(cell));
}

/** The question about rows whose state says that they never took place. @param place the place of their rule */
export function notDoneChoice(place: string, { name, cells }: ColumnSample, rows: readonly number[]): Choice {
  const states = countTexts(rows.map((row) => cells[row] ?? "")).map(
    ([text, count]) => `${text === "" ? "nothing" : JSON.stringify(text)} ${count === 1 ? "once" : `${count} times`}`,
  );
  const others = countTexts(cells.filter((cell, row) => cell !== "" && !rows.includes(row))).map(([text]) =>
    JSON.stringify(text),
  );
  const beside = others.length === 0 ? "nothing" : others.slice(0, 3).join(", ");
  return {
    ...{ place, value: NOT_DONE, contradicting: 0, rows: rows.length },
    why: `${rows.length} ${rows.length === 1 ? "row has" : "rows have"} a state in the column ${JSON.stringify(name)} that says so: ${states.slice(0, 5).join(", ")}; the others have ${beside}`,
    question: "Are these rows workouts that never took place?",
    options: [
      { value: NOT_DONE, means: "they never took place, and are left out" },
      { value: WORKOUTS, means: "they are workouts, and these rules can go" },
    ],
  };
}
