/**
 * Reads an OpenDocument spreadsheet (.ods, or .fods in one XML file), sheet by sheet and row by row. Formulas aren't computed, and nothing that it
 * refers to outside itself is fetched.
 */
import { readPart, readSmallPart, withoutDoctype } from "../sheets/read-part.ts";
import { type OmittedSheets, SheetCounter, type Workbook, WorkbookError, type WorkbookParts } from "../sheets/sheet.ts";
import { errorOf } from "../sheets/unread.ts";
import { OdsCollector } from "./content.ts";

/**
 * Opens a spreadsheet.
 *
 * @param parts those of the zip; of a .fods file, the one part `content.xml`
 * @throws WorkbookError `workbook/damaged`, `workbook/encrypted`
 */
export async function openOds(parts: WorkbookParts): Promise<Workbook> {
  const manifest = parts.part("META-INF/manifest.xml");
  if (manifest !== undefined && (await isEncrypted(manifest)))
    throw new WorkbookError(
      "workbook/encrypted",
      "a password",
      "a workbook without a password: save it without one, or as CSV",
    );
  const content = () => {
    const chunks = parts.part("content.xml");
    if (chunks === undefined)
      throw new WorkbookError(
        "workbook/damaged",
        "no content.xml",
        "a whole workbook: save it once more, or save the sheet as CSV",
      );
    return chunks;
  };
  let omitted: OmittedSheets = new SheetCounter();
  return {
    async sheets() {
      const collector = new OdsCollector(0);
      const reading = readPart(content(), collector);
      let step = await reading.next();
      while (step.done !== true) step = await reading.next();
      withoutDoctype(step.value);
      omitted = collector.omitted;
      return collector.sheets;
    },
    omitted: () => omitted,
    close: async () => {},
    async *rows({ name, number }) {
      const collector = new OdsCollector(number);
      const reading = readPart(content(), collector);
      let step = await reading.next();
      for (; step.done !== true; step = await reading.next()) yield step.value;
      const error = errorOf(step.value);
      if (error !== undefined) yield { number: collector.last + 1, error };
      else if (!collector.isFound) {
        const found = `no sheet ${JSON.stringify(name)}`;
        yield { number: 1, error: { severity: "error", rule: "sheet/missing", found, expected: "a whole workbook" } };
      }
    },
  };
}

async function isEncrypted(manifest: AsyncIterable<Uint8Array>): Promise<boolean> {
  let found = false;
  await readSmallPart(manifest, {
    open(name) {
      found ||= name === "encryption-data";
      return !found;
    },
    close() {},
  });
  return found;
}
