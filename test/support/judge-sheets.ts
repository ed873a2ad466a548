/** Judges the proposals of `logferry map infer` by made sheets whose truth is known: which columns are right, asked about, left as notes, or wrong. */
import { memoryArchive } from "../../connectors/containers/memory.ts";
import { inferMapping, isOpen, type Proposal } from "../../connectors/platforms/infer/infer.ts";
import { parseDuration } from "../../connectors/platforms/table/cells/durations.ts";
import { namesOf } from "../../connectors/platforms/table/columns/columns.ts";
import type { DurationFormat } from "../../connectors/platforms/table/mapping/fields.ts";
import { isRecord, readTable } from "../../connectors/platforms/table/reading/read-table.ts";
import type { MadeSheet } from "../../fixtures/make/sheets/sheets.ts";
import type { TrueColumn, TrueWorkout } from "../../fixtures/make/sheets/truth.ts";

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

type Formats = readonly DurationFormat[];

/** Of the durations that the truth knows, so many must come out to the second. The others are slips of the keyboard. */
const READ = 0.9;

/** Whether a column's durations come out as they are. */
function readsDurations(
  name: string,
  formats: Formats,
  decimal: string,
  cells: Cells,
  workouts: readonly TrueWorkout[],
): boolean {
  const known = workouts.filter(({ seconds }) => seconds !== undefined);
  const right = known.filter(({ line, seconds = 0 }) => {
    const read = parseDuration(cells.get(line)?.get(name) ?? "", formats, decimal as ".");
    return read !== undefined && Math.abs(read - seconds) < 1.01;
  });
  return right.length >= known.length * READ;
}

/** The cells of a sheet, by line and by column. */
type Cells = ReadonlyMap<number, ReadonlyMap<string, string>>;

/** The day after the last of the made sheets. */
const TODAY = "2026-11-24";

/** Judges the proposal for one sheet. A table without a proposal has every column asked. */
export async function judgeSheet(sheet: MadeSheet): Promise<readonly JudgedColumn[]> {
  const archive = memoryArchive("sheets", { [sheet.name]: sheet.bytes });
  const [entry] = archive.entries();
  if (entry === undefined) throw new Error("the archive is empty");
  const proposal = await inferMapping(archive, entry, new Map(), TODAY);
  const { columns, headerLine } = sheet.truth;
  const names =
    headerLine === undefined
      ? columns.map((_, index) => String(index + 1))
      : namesOf(columns.map(({ header }) => header));
  const cells = new Map<number, ReadonlyMap<string, string>>();
  for await (const row of readTable(archive, entry))
    if (isRecord(row)) cells.set(row.line, new Map(row.fields.map((cell, index) => [names[index] ?? "", cell])));
  return columns.map((column: TrueColumn, index: number) => {
    const name = names[index] ?? "";
    if ("problem" in proposal) return { header: column.header, judgement: "asked", says: proposal.problem };
    const field = proposal.draft.columns.get(name);
    const says = `expected ${column.meaning} ${column.unit ?? ""} ${column.formats?.join("+") ?? ""} ${column.scale ?? ""}, got ${JSON.stringify(field)}`;
    return { header: column.header, judgement: judge(column, name, proposal, { ...sheet, cells }), says };
  });
}

function judge(
  column: TrueColumn,
  name: string,
  { draft, choices }: Proposal,
  { truth, cells }: MadeSheet & { readonly cells: Cells },
): Judgement {
  const proposed = draft.columns.get(name) ?? { field: "ignore" };
  const field = String(proposed.field);
  const open = choices.filter(isOpen);
  const isAsked = (...words: readonly string[]) =>
    open.some(({ place }) => words.some((word) => place === word || place.startsWith(`${word}.`)));
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
      if (meaning !== "distance" && field === "unsupported") return "left";
      if (field !== meaning) return "wrong";
      if (isAsked(`columns.${name}.unit`)) return "asked";
      const unit =
        typeof proposed.unit === "object" ? (proposed.unit as Record<string, string>).default : proposed.unit;
      return verdict(unit === column.unit);
    }
    case "duration": {
      if (field !== "duration") return "wrong";
      if (isAsked(`columns.${name}.format`)) return "asked";
      return verdict(
        readsDurations(name, proposed.format as Formats, String(draft.file.decimal ?? "."), cells, truth.workouts),
      );
    }
    case "effort":
    case "quality":
      if (isAsked(`columns.${name}.scale`)) return "asked";
      if (field !== meaning) return field === "unsupported" || field === "notes" ? "left" : "wrong";
      return verdict(column.scale !== "1..5" || proposed.scale !== undefined);
    default:
      if (field === meaning) return "right";
      return field === "notes" || field === "unsupported" ? "left" : "wrong";
  }
}

function verdict(isRight: boolean): Judgement {
  return isRight ? "right" : "wrong";
}
