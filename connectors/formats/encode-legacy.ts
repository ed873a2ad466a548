/** Writes texts in encodings that only old files have, for the golden rows of mapping files. */
import { decoderOf } from "./dos-pages.ts";
import { hasPairs, type LegacyEncoding } from "./legacy-encoding.ts";

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
    const text = decoderOf(encoding).decode(bytes);
    if ([...text].length === 1 && text !== "\ufffd" && !known.has(text)) known.set(text, bytes);
  };
  for (let first = 0; first < 256; first++) add(Uint8Array.of(first));
  if (hasPairs(encoding))
    for (let first = 0x81; first < 0xff; first++)
      for (let second = 0x40; second < 0xff; second++) add(Uint8Array.of(first, second));
  return known;
}
