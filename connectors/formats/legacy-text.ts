/** Decodes the part of a text that is not UTF-8, once its bytes have told the encoding. */
import { type Decoder, decoderOf } from "./dos-pages.ts";
import { type LegacyEncoding, legacyEncodingsOf } from "./legacy-encoding.ts";

/** Bytes, from the first one that is no UTF-8, that tell the encoding of a text. */
const TELLING_BYTES = 16 * 1024;

/** The encoding of a text, and whether the file declares it. */
export interface FoundEncoding {
  readonly encoding: string;
  readonly isDeclared: boolean;
  /** Other encodings that fit the bytes as well. */
  readonly others: readonly LegacyEncoding[];
}

/** The rest of a text, from its first byte that is no UTF-8. It waits until there are enough bytes to tell the encoding. */
export class LegacyText {
  readonly #declared: string | undefined;
  readonly #before: number | undefined;
  readonly #known: (found: FoundEncoding) => void;
  #waiting: Uint8Array = new Uint8Array(0);
  #decoder: Decoder | undefined;

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

  #begun(telling: Uint8Array): Decoder {
    const named = this.#declared === undefined ? undefined : decoderNamed(this.#declared);
    const all = this.#before === undefined ? telling : Buffer.concat([Buffer.of(this.#before), telling]);
    const [encoding, ...others] = legacyEncodingsOf(all);
    const decoder = named ?? decoderOf(encoding);
    this.#known({
      encoding: decoder.encoding,
      isDeclared: named !== undefined,
      others: named === undefined ? others : [],
    });
    return decoder;
  }
}

function decoderNamed(label: string): Decoder | undefined {
  try {
    const decoder = decoderOf(label);
    // A declared UTF-8 or UTF-16 is wrong here: the bytes aren't UTF-8, and text that begins as ASCII isn't UTF-16.
    return decoder.encoding.startsWith("utf-") ? undefined : decoder;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
