/** The number formats of a workbook's cells. Form: ECMA-376, part 1, 18.8 (styles). */
import { attribute, readSmallPart } from "../sheets/read-part.ts";
import type { XmlAttributes } from "../xml/reader.ts";
import { kindOfBuiltIn, kindOfFormat, type NumberKind } from "./number-format.ts";

/** Most styles that are kept. Excel allows 65,490. */
const MOST_STYLES = 2 ** 17;

/** Reads the kinds of numbers by style: the `s` of a cell is the place in the list. */
export async function readStyles(chunks: AsyncIterable<Uint8Array> | undefined): Promise<readonly NumberKind[]> {
  const own = new Map<string, NumberKind>();
  const styles: NumberKind[] = [];
  if (chunks === undefined) return styles;
  await readSmallPart(chunks, {
    open(name: string, attributes: XmlAttributes, path: readonly string[]) {
      const id = attribute(attributes, "numFmtId");
      if (name === "numFmt" && path.at(-1) === "numFmts" && id !== undefined && own.size < MOST_STYLES)
        own.set(id, kindOfFormat(attribute(attributes, "formatCode") ?? ""));
      if (name === "xf" && path.at(-1) === "cellXfs" && styles.length < MOST_STYLES)
        styles.push(own.get(id ?? "") ?? kindOfBuiltIn(Number(id ?? 0)));
      return true;
    },
    close() {},
  });
  return styles;
}
