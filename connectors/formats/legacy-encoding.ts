/** Tells from bytes that are not UTF-8 which encoding a spreadsheet program wrote. It takes its computer's, and the file doesn't say it. */
import { TextDecoder } from "node:util";

/** An encoding of text without a name in the file. */
export type LegacyEncoding = "shift_jis" | "euc-jp" | "windows-1250" | "windows-1252" | "macintosh";

/** The encodings of Japanese computers. Text in one of them is damaged text in the other. */
const JAPANESE = ["shift_jis", "euc-jp"] as const;

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

/** Bytes, from the first one that is no UTF-8, that tell the encoding of a text. */
const TELLING_BYTES = 16 * 1024;

/** The encoding of a text, and whether the file declares it. */
export interface FoundEncoding {
  readonly encoding: string;
  readonly isDeclared: boolean;
}

/** The rest of a text, from its first byte that is no UTF-8. It waits until there are enough bytes to tell the encoding. */
export class LegacyText {
  readonly #declared: string | undefined;
  readonly #before: number | undefined;
  readonly #known: (found: FoundEncoding) => void;
  #waiting: Uint8Array = new Uint8Array(0);
  #decoder: TextDecoder | undefined;

  /**
   * @param declared a label of the file's own, which counts first
   * @param before the byte before the text, of ASCII
   * @param known is told once which encoding it is
   */
  constructor(declared: string | undefined, before: number | undefined, known: (found: FoundEncoding) => void) {
    this.#declared = declared;
    this.#before = before;
    this.#known = known;
  }

  /** The text of the next bytes. It may lag behind. With `stream: true`, more bytes follow. */
  decode(chunk: Uint8Array = new Uint8Array(0), { stream = false }: { readonly stream?: boolean } = {}): string {
    if (this.#decoder !== undefined) return this.#decoder.decode(chunk, { stream });
    const bytes = Buffer.concat([this.#waiting, chunk]);
    if (stream && bytes.length < TELLING_BYTES) {
      this.#waiting = bytes;
      return "";
    }
    this.#waiting = new Uint8Array(0);
    this.#decoder = this.#begun(bytes.subarray(0, TELLING_BYTES));
    return this.#decoder.decode(bytes, { stream });
  }

  #begun(telling: Uint8Array): TextDecoder {
    const named = this.#declared === undefined ? undefined : decoderNamed(this.#declared);
    const all = this.#before === undefined ? telling : Buffer.concat([Buffer.of(this.#before), telling]);
    const decoder = named ?? new TextDecoder(legacyEncodingOf(all));
    this.#known({ encoding: decoder.encoding, isDeclared: named !== undefined });
    return decoder;
  }
}

function decoderNamed(label: string): TextDecoder | undefined {
  try {
    const decoder = new TextDecoder(label);
    // A declared UTF-8 or UTF-16 is wrong here: the bytes aren't UTF-8, and text that begins as ASCII isn't UTF-16.
    return decoder.encoding.startsWith("utf-") ? undefined : decoder;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * Writes a text in an encoding of one or two bytes a character. Node reads these encodings, and writes none of them.
 *
 * @returns the bytes, with `?` for a character that the encoding lacks
 */
export function encodedAs(text: string, encoding: LegacyEncoding): Uint8Array {
  const known = bytesByCharacter(encoding);
  return Buffer.concat(Array.from(text, (character) => known.get(character) ?? Buffer.from("?")));
}

/** The bytes of each character, found by reading all of them. */
function bytesByCharacter(encoding: LegacyEncoding): ReadonlyMap<string, Uint8Array> {
  const known = new Map<string, Uint8Array>();
  const add = (bytes: Uint8Array) => {
    const text = new TextDecoder(encoding).decode(bytes);
    if ([...text].length === 1 && text !== "\ufffd" && !known.has(text)) known.set(text, bytes);
  };
  for (let first = 0; first < 256; first++) add(Uint8Array.of(first));
  if (JAPANESE.some((one) => one === encoding))
    for (let first = 0x81; first < 0xfd; first++)
      for (let second = 0x40; second < 0xff; second++) add(Uint8Array.of(first, second));
  return known;
}
