/** Words that say in which part of the day a workout was, in the languages of sheets. */
import { foldHeader } from "./header-words.ts";

const PARTS_OF_DAY: ReadonlySet<string> = new Set(
  `am pm morning evening afternoon noon midday lunch night morgens abends früh abend vormittag nachmittag mittag matin soir
  midi mañana tarde noche mattina mattino pomeriggio sera manhã noite ochtend middag avond morgon kväll förmiddag eftermiddag morgen formiddag
  aften rano wieczór popołudnie`
    .split(/\s+/)
    .map(foldHeader),
);
const JAPANESE_PART = /^(午前|午後|朝|昼|夕方|夕|夜)/;

/** The word of a header that names a part of the day: `AM` of `AM miles`; undefined if there is none. */
export function partOfDay(header: string): string | undefined {
  const tokens = header.split(/[\s_(),/-]+/);
  return JAPANESE_PART.exec(header)?.[0] ?? tokens.find((token) => PARTS_OF_DAY.has(foldHeader(token)));
}
