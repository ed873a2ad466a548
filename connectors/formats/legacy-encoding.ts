/** Tells from bytes that are not UTF-8 which encoding a spreadsheet program wrote. It takes its computer's, and the file doesn't say it. */
import { TextDecoder } from "node:util";

/** An encoding of text without a name in the file. */
export type LegacyEncoding = "shift_jis" | "euc-jp" | "windows-1250" | "windows-1252" | "macintosh";

/** The encodings of Japanese computers. Text in one of them is damaged text in the other. */
const JAPANESE = ["shift_jis", "euc-jp"] as const;

/** Whether a character of an encoding may have two bytes. */
export function isJapaneseEncoding(encoding: LegacyEncoding): boolean {
  return JAPANESE.some((one) => one === encoding);
}

/** Kana, kanji, and the marks and wide letters that stand among them. Half-width kana are not among these: nearly any byte makes one. */
const WIDE = /[\u3000-\u30ff\u4e00-\u9fff\uff01-\uff5e]/g;
const IN_RUNS = /[\u3000-\u30ff\u4e00-\u9fff\uff01-\uff5e]{2,}/g;
const OTHER_THAN_ASCII = /[^\0-\x7f]/g;

/** The share of letters that must be Japanese, and the share of these that stand in words. A French `fré` makes a kanji by accident, but alone. */
const LEAST_JAPANESE = 0.9;
const LEAST_IN_RUNS = 0.5;

/**
 * A sign of Windows-1252 inside of a word, `³` in `Odleg³oœæ` or `¿` in `bie¿nia`. There these bytes are the letters `ł`, `ą` and `ż` of Windows-1250.
 * `œ` is a letter of French, but not before these letters: `Œr. prêdkoœæ` is `Śr. prędkość`.
 */
const CENTRAL_EUROPEAN =
  /[a-z\u00c0-\u00ff\u0153][\u00b3\u00b9\u00bf][a-z\u00c0-\u00ff\u0153]|\u0153[cmpw\u00e6]|\u0152[clrw]/i;

/** A capital of Windows-1252 inside of a word, `Š` in `KŠlte` or `Ž` in `dŽpart`. There these bytes are the `ä` and `é` of an old Macintosh. */
const MACINTOSH = /[a-z][\u0160\u017d][a-z]|[A-Z]\u0160[a-z]/;

/**
 * Guesses the encoding. Bytes without a sign of another one are Windows-1252, which covers the characters of Latin-1.
 *
 * @param bytes a piece of the text that begins with a whole character; it may end inside of one
 */
export function legacyEncodingOf(bytes: Uint8Array): LegacyEncoding {
  const japanese = JAPANESE.find((encoding) => isJapanese(bytes, encoding));
  if (japanese !== undefined) return japanese;
  const western = new TextDecoder("windows-1252").decode(bytes);
  if (CENTRAL_EUROPEAN.test(western)) return "windows-1250";
  return MACINTOSH.test(western) ? "macintosh" : "windows-1252";
}

function isJapanese(bytes: Uint8Array, encoding: (typeof JAPANESE)[number]): boolean {
  const text = decodedWhole(bytes, encoding);
  if (text === undefined) return false;
  const letters = text.match(OTHER_THAN_ASCII)?.length ?? 0;
  const wide = text.match(WIDE)?.length ?? 0;
  const inRuns = text.match(IN_RUNS)?.reduce((sum, { length }) => sum + length, 0) ?? 0;
  return wide > 1 && wide >= letters * LEAST_JAPANESE && inRuns >= wide * LEAST_IN_RUNS;
}

/** The text; undefined if bytes of it are none of the encoding. With `stream`, a character that is cut at the end is no fault. */
function decodedWhole(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true });
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
