/** Tells the main part of a workout by the words of its header, in the languages of people who keep a sheet. */
import type { ColumnSample } from "../sample/column.ts";
import { foldHeader } from "../words/header-words.ts";

/** Headers of the part that is neither the warm-up nor the cool-down. */
const MAIN =
  /^(?:main|main (?:set|part|run|session|workout)|workout|session|work|set|hauptteil|hauptprogramm|hauptlauf|kern|corps|corps de seance|principale?|(?:parte|entreno|treino) principale?|parte fundamental|bloque principal|central|centrale|hoofddeel|kerndeel|huvuddel|hoveddel|czesc glowna)$/;

/** The words of a header without its unit or its measure: `main` of `Main (km)` and of `Main time`. */
export function wordsOf({ name, meaning }: ColumnSample): string {
  const words = foldHeader(name);
  const { unit } = meaning;
  const at = unit === undefined || words === unit ? -1 : words.lastIndexOf(unit);
  let end = at > 0 ? at : words.length;
  while (end > 0 && " ,([-".includes(words[end - 1] ?? "")) end--;
  const plain = words.slice(0, end);
  return plain.replace(/ (?:time|duration|distance|dist|zeit|dauer|distanz|temps|duree|tiempo|tempo|tid|tijd)$/, "");
}

/** Whether a header names the part between the warm-up and the cool-down: `Main km`, `Hauptlauf`. */
export function isMain(column: ColumnSample): boolean {
  return MAIN.test(wordsOf(column));
}
