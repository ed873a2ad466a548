/** Judges the proposals of `logferry map infer` by made sheets whose truth is known: which columns are right, asked about, left as notes, or wrong. */
import { memoryArchive } from "../connectors/containers/memory.ts";
import { namesOf } from "../connectors/platforms/table/columns.ts";
import { inferMapping, isOpen, type Proposal } from "../connectors/platforms/infer/infer.ts";
import type { MadeSheet } from "../fixtures/make/sheets/sheets.ts";
import type { TrueColumn } from "../fixtures/make/sheets/truth.ts";

/** What became of a column. `left` is text kept as notes, or numbers counted as unsupported, that have a field of their own. */
export type Judgement = "right" | "asked" | "left" | "wrong";

/** A judged column. */
export interface JudgedColumn {
  readonly header: string;
  readonly judgement: Judgement;
  /** What was expected and what was proposed. */
  readonly says: string;
}

/** Meanings that have no field of the log, or follow from others: any field that takes nothing from them is right. */
const NO_FIELD = new Set(["weekday", "week", "pace", "speed", "elevation", "calories", "cadence", "total", "other"]);

/** Meanings whose text is not lost in a line of the notes. */
const TEXTS = new Set(["type", "course", "equipment", "name", "conditions", "notes", "activity", "quality", "effort", "fieldPlacement", "restHR", "maxHR"]);

/** The day after the last of the made sheets. */
const TODAY = "2026-11-24";

/** Judges the proposal for one sheet. A table without a proposal has every column asked. */
export async function judgeSheet(sheet: MadeSheet): Promise<readonly JudgedColumn[]> {
  const archive = memoryArchive("sheets", { [sheet.name]: sheet.bytes });
  const [entry] = archive.entries();
  if (entry === undefined) throw new Error("the archive is empty");
  const proposal = await inferMapping(archive, entry, new Map(), TODAY);
  const { columns, headerLine } = sheet.truth;
  const names = headerLine === undefined ? columns.map((_, index) => String(index + 1)) : namesOf(columns.map(({ header }) => header));
  return columns.map((column, index) => {
    const name = names[index] ?? "";
    if ("problem" in proposal) return { header: column.header, judgement: "asked", says: proposal.problem };
    const field = proposal.draft.columns.get(name);
    const says = `expected ${column.meaning} ${column.unit ?? ""} ${column.formats?.join("+") ?? ""} ${column.scale ?? ""}, got ${JSON.stringify(field)}`;
    return { header: column.header, judgement: judge(column, name, proposal, sheet), says };
  });
}

function judge(column: TrueColumn, name: string, { draft, choices }: Proposal, { truth }: MadeSheet): Judgement {
  const proposed = draft.columns.get(name) ?? { field: "ignore" };
  const field = String(proposed.field);
  const open = choices.filter(isOpen);
  const isAsked = (...words: readonly string[]) => open.some(({ place }) => words.some((word) => place === word || place.startsWith(`${word}.`)));
  const { meaning } = column;
  if (isAsked(`columns.${name}.field`)) return "asked";
  if (NO_FIELD.has(meaning)) return ["ignore", "unsupported", "notes"].includes(field) ? "right" : "wrong";
  // A column that is empty in every row of the sheet says nothing.
  if (field === "ignore" && String(proposed.why).startsWith("empty")) return "right";
  switch (meaning) {
    case "date":
    case "datetime":
      if (field !== "date" && field !== "datetime") return "wrong";
      return isAsked("dates.order") ? "asked" : verdict(draft.order === truth.order);
    case "distance":
    case "weight":
    case "temperature": {
      if (field !== meaning) return "wrong";
      if (isAsked(`columns.${name}.unit`)) return "asked";
      const unit = typeof proposed.unit === "object" ? (proposed.unit as Record<string, string>).default : proposed.unit;
      return verdict(unit === column.unit);
    }
    case "duration": {
      if (field !== "duration") return "wrong";
      if (isAsked(`columns.${name}.format`)) return "asked";
      const formats: readonly string[] = [proposed.format ?? []].flat() as readonly string[];
      return verdict((column.formats ?? []).every((format) => formats.includes(format)));
    }
    case "effort":
    case "quality":
      if (isAsked(`columns.${name}.scale`)) return "asked";
      if (field !== meaning) return field === "unsupported" || field === "notes" ? "left" : "wrong";
      return verdict(column.scale !== "1..5" || proposed.scale !== undefined);
    default:
      if (field === meaning) return "right";
      return TEXTS.has(meaning) && (field === "notes" || field === "unsupported") ? "left" : "wrong";
  }
}

function verdict(isRight: boolean): Judgement {
  return isRight ? "right" : "wrong";
}
