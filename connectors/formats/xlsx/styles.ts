/** The number formats of a workbook's cells. Form: ECMA-376, part 1, 18.8 (styles). */
import { attribute, readSmallPart } from "../sheets/read-part.ts";
import type { XmlAttributes } from "../xml/reader.ts";
import {
  builtInHidesYear,
  type FormatWords,
  formatHidesYear,
  kindOfBuiltIn,
  kindOfFormat,
  type NumberKind,
  wordsOfFormat,
} from "./number-format.ts";

/** What a style makes of a number. */
export interface NumberStyle extends FormatWords {
  readonly kind: NumberKind;
  /** A date without its year. */
  readonly hidesYear: boolean;
  /** Its font is struck through. */
  readonly isStruck?: true;
}

/** Most styles that are kept. Excel allows 65,490. */
const MOST_STYLES = 2 ** 17;

/** Reads what numbers are by style: the `s` of a cell is the place in the list. */
export async function readStyles(chunks: AsyncIterable<Uint8Array> | undefined): Promise<readonly NumberStyle[]> {
  const own = new Map<string, NumberStyle>();
  const styles: NumberStyle[] = [];
  if (chunks === undefined) return styles;
  const struck = new Set<string>();
  let fonts = 0;
  await readSmallPart(chunks, {
    open(name: string, attributes: XmlAttributes, path: readonly string[]) {
      const id = attribute(attributes, "numFmtId");
      const code = attribute(attributes, "formatCode") ?? "";
      if (name === "numFmt" && path.at(-1) === "numFmts" && id !== undefined && own.size < MOST_STYLES)
        own.set(id, styleOf(code));
      if (name === "xf" && path.at(-1) === "cellXfs" && styles.length < MOST_STYLES)
        styles.push({
          ...(own.get(id ?? "") ?? builtIn(Number(id ?? 0))),
          ...(struck.has(attribute(attributes, "fontId") ?? "") && { isStruck: true }),
        });
      if (name === "font" && path.at(-1) === "fonts") fonts++;
      if (name === "strike" && path.at(-2) === "fonts" && !/^(?:0|false)$/.test(attribute(attributes, "val") ?? ""))
        struck.add(String(fonts - 1));
      return true;
    },
    close() {},
  });
  return styles;
}

/** Each format is judged once, whatever number of cells has it. */
function styleOf(code: string): NumberStyle {
  const kind = kindOfFormat(code);
  return { kind, hidesYear: formatHidesYear(code), ...(kind === "number" && wordsOfFormat(code)) };
}

function builtIn(id: number): NumberStyle {
  return { kind: kindOfBuiltIn(id), hidesYear: builtInHidesYear(id) };
}
