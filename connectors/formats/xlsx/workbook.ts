/**
 * Reads a workbook of Excel 2007 and later (.xlsx, .xlsm), sheet by sheet and row by row. Formulas aren't computed, macros aren't looked at, and
 * nothing that a workbook refers to outside itself is fetched. Form: Office Open XML (ECMA-376), part 1 (SpreadsheetML) and part 2 (packages).
 */
import { attribute, readSmallPart } from "../sheets/read-part.ts";
import {
  type OmittedSheets,
  SHEET_CAPS,
  SheetCounter,
  type SheetInfo,
  type Workbook,
  WorkbookError,
  type WorkbookParts,
} from "../sheets/sheet.ts";
import type { XmlAttributes } from "../xml/reader.ts";
import type { Calendar } from "./serial.ts";
import { SharedTexts } from "./shared-texts.ts";
import { sheetRows } from "./sheet-rows.ts";
import { readStyles } from "./styles.ts";

/** A relation from one part to another. */
interface Relation {
  /** The end of its type: `worksheet`. The beginning differs between the two forms of the standard. */
  readonly kind: string;
  readonly target: string;
}

/** Where the workbook says that its sheets are. */
interface Contents {
  readonly sheets: readonly (SheetInfo & { readonly relation: string | undefined })[];
  readonly omitted: OmittedSheets;
  readonly calendar: Calendar;
}

/** The usual place of the workbook's own part. */
const USUAL_PLACE = "xl/workbook.xml";

/**
 * Opens a workbook.
 *
 * @throws WorkbookError `workbook/damaged` if its list of sheets can't be read. Errors of the parts' streams are thrown through
 */
export async function openXlsx(parts: WorkbookParts): Promise<Workbook> {
  const top = await relationsOf(parts, "");
  const place = [...top.values()].find(({ kind }) => kind === "officeDocument")?.target ?? USUAL_PLACE;
  const contents = await contentsOf(parts, place);
  const relations = await relationsOf(parts, place);
  const targetOf = (kind: string) => [...relations.values()].find((each) => each.kind === kind)?.target;
  const partOf = (kind: string) => {
    const target = targetOf(kind);
    return target === undefined ? undefined : parts.part(target);
  };
  const relationOf = ({ relation }: Contents["sheets"][number]) => relations.get(relation ?? "");
  // Programs number the texts over all sheets, so each sheet would read those of the sheets before it anew.
  let texts: SharedTexts | undefined;
  let styles: ReturnType<typeof readStyles> | undefined;
  return {
    omitted: () => contents.omitted,
    async sheets() {
      const found: SheetInfo[] = [];
      for (const sheet of contents.sheets) {
        const { kind = "worksheet", target } = relationOf(sheet) ?? {};
        // A sheet may be a chart, which has no cells. One without a relation is damaged, which its rows say.
        if (kind !== "worksheet") continue;
        const { name, number, isHidden } = sheet;
        const comments = target === undefined ? 0 : await commentsOn(parts, target);
        found.push({ name, number, isHidden, ...(comments > 0 && { comments }) });
      }
      return found;
    },
    async *rows({ number }) {
      const sheet = contents.sheets[number - 1];
      const target = sheet && relationOf(sheet)?.target;
      const chunks = target === undefined ? undefined : parts.part(target);
      if (chunks === undefined) {
        const found = `the part of the sheet ${JSON.stringify(sheet?.name ?? String(number))} is missing`;
        const expected = "a whole workbook: save it once more, or name the other sheets in the mapping file";
        yield { number: 1, error: { severity: "error", rule: "sheet/missing", found, expected } };
        return;
      }
      styles ??= readStyles(partOf("styles"));
      texts ??= new SharedTexts(partOf("sharedStrings"));
      yield* sheetRows(chunks, { styles: await styles, calendar: contents.calendar, texts });
    },
    async close() {
      await texts?.close();
      texts = undefined;
    },
  };
}

/** Excel writes each comment of today, with its answers, once more in the old form, for older programs. */
const COMMENTS = [
  { kind: "comments", element: "comment" },
  { kind: "threadedComment", element: "threadedComment" },
] as const;

/** The number of comments on the cells of a sheet. A part of them that can't be read counts as one: it is there, and nothing needs it. */
async function commentsOn(parts: WorkbookParts, sheet: string): Promise<number> {
  const relations = await relationsOf(parts, sheet).then(
    (found) => [...found.values()],
    () => [],
  );
  for (const { kind, element } of COMMENTS) {
    const target = relations.find((each) => each.kind === kind)?.target;
    const chunks = target === undefined ? undefined : parts.part(target);
    if (chunks === undefined) continue;
    let count = 0;
    const open = (name: string) => {
      if (name === element) count++;
      return true;
    };
    const isRead = await readSmallPart(chunks, { open, close() {} }).then(
      () => true,
      () => false,
    );
    return isRead ? count : Math.max(1, count);
  }
  return 0;
}

async function contentsOf(parts: WorkbookParts, place: string): Promise<Contents> {
  const chunks = parts.part(place);
  if (chunks === undefined) throw damaged(`no part ${place}`);
  const sheets: { name: string; number: number; isHidden: boolean; relation: string | undefined }[] = [];
  const omitted = new SheetCounter();
  let calendar: Calendar = 1900;
  const { end } = await readSmallPart(chunks, {
    open(name: string, attributes: XmlAttributes, path: readonly string[]) {
      if (name === "workbookPr" && /^(?:1|true|on)$/.test(attribute(attributes, "date1904") ?? "")) calendar = 1904;
      if (name === "sheet" && path.at(-1) === "sheets" && sheets.length === SHEET_CAPS.sheets)
        omitted.add(attributes.name ?? "");
      else if (name === "sheet" && path.at(-1) === "sheets") {
        const number = sheets.length + 1;
        const isHidden = /hidden/i.test(attributes.state ?? "");
        const relation = attribute(withoutOwn(attributes), "id");
        sheets.push({ name: attributes.name ?? String(number), number, isHidden, relation });
      }
      return true;
    },
    close() {},
  });
  if (end === "refused" || sheets.length === 0) throw damaged("no list of sheets");
  return { sheets, omitted, calendar };
}

/** The id of the relation has a prefix. Some programs write an `id` of their own beside it. */
function withoutOwn({ id, ...others }: XmlAttributes): XmlAttributes {
  return others;
}

function damaged(found: string): WorkbookError {
  return new WorkbookError("workbook/damaged", found, "a whole workbook: save it once more, or save the sheet as CSV");
}

/** The relations of a part, by id. Those that lead out of the workbook are left out: nothing is fetched. */
async function relationsOf(parts: WorkbookParts, place: string): Promise<ReadonlyMap<string, Relation>> {
  const slash = place.lastIndexOf("/") + 1;
  const folder = place.slice(0, slash);
  const relations = new Map<string, Relation>();
  const chunks = parts.part(`${folder}_rels/${place.slice(slash)}.rels`);
  if (chunks === undefined) return relations;
  await readSmallPart(chunks, {
    open(name: string, attributes: XmlAttributes) {
      const { Id: id, Type: type = "", Target: target, TargetMode: mode } = attributes;
      if (name !== "Relationship" || id === undefined || target === undefined || mode === "External") return true;
      if (relations.size < 2 * SHEET_CAPS.sheets)
        relations.set(id, { kind: type.slice(type.lastIndexOf("/") + 1), target: resolved(folder, target) });
      return true;
    },
    close() {},
  });
  return relations;
}

/** The path of a target: from the top if it begins with a slash, otherwise from the folder of the part that names it. */
function resolved(folder: string, target: string): string {
  const path: string[] = [];
  for (const step of `${target.startsWith("/") ? "" : folder}${target}`.split("/")) {
    if (step === "..") path.pop();
    else if (step !== "" && step !== ".") path.push(step);
  }
  return path.join("/");
}
