/**
 * The code pages of DOS, in which Excel saves "CSV (MS-DOS)" and old programs write. Node has no decoder for these two. Source: the tables CP850.TXT and
 * CP437.TXT of unicode.org (Public/MAPPINGS/VENDORS/MICSFT/PC).
 */
import { TextDecoder } from "node:util";

/** A code page of DOS: 850 of Western Europe, 437 of the United States. */
export type DosPage = keyof typeof PAGES;

/** The characters of the bytes 0x80 to 0xff. */
const PAGES = {
  cp850:
    "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒ" +
    "áíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐" +
    "└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀" +
    "ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0",
  cp437:
    "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒ" +
    "áíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐" +
    "└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀" +
    "αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0",
} as const;

/** Decodes bytes piece by piece. */
export type Decoder = Pick<TextDecoder, "encoding" | "decode">;

/** Makes the decoder of an encoding. @throws RangeError for a label that nobody knows */
export function decoderOf(label: string): Decoder {
  const page = pageNamed(label);
  if (page === undefined) return named(new TextDecoder(label));
  const characters = charactersOf(page);
  return {
    encoding: page,
    decode: (bytes) => Array.from(new Uint8Array(bytesOf(bytes)), (byte) => characters[byte]).join(""),
  };
}

/** The one page of DOS that Node decodes has the name that mapping files have for it. */
function named(decoder: TextDecoder): Decoder {
  if (decoder.encoding !== "ibm866") return decoder;
  return { encoding: "cp866", decode: (...given) => decoder.decode(...given) };
}

function bytesOf(bytes: Parameters<Decoder["decode"]>[0]): Uint8Array {
  if (bytes == null) return new Uint8Array(0);
  return ArrayBuffer.isView(bytes)
    ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    : new Uint8Array(bytes);
}

/** The page of a label such as `cp850` or `IBM850`, as files declare it. */
function pageNamed(label: string): DosPage | undefined {
  const [, number] = /^(?:cp|ibm)-?(850|437)$/i.exec(label.trim()) ?? [];
  return number === undefined ? undefined : (`cp${number}` as DosPage);
}

/** The character of each byte. */
function charactersOf(page: DosPage): readonly string[] {
  return [...Array.from({ length: 128 }, (_, byte) => String.fromCharCode(byte)), ...PAGES[page]];
}
