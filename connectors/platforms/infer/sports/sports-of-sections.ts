/** Finds tables below each other in one sheet, each with its sport as a title: `WALKING` amid the rows of `RUNNING`. One sport for all rows would be wrong. */
import { activityNamed } from "../../../../transforms/activities.ts";
import { alternatives } from "../../../../transforms/text/zod-messages.ts";
import type { Answers } from "../choices/choice.ts";
import type { NoProposal } from "../choices/no-proposal.ts";
import type { AssignedColumn } from "../columns/roles.ts";
import { repeatsHeader } from "../sample/other-header.ts";
import type { SampleRow, SheetSample } from "../sample/sample.ts";
import { sportOfTable } from "../words/words.ts";
import { letteredSports } from "./letters-of-sports.ts";
import { type Section, type SportsInColumn, withSportsInColumn } from "./titled-sports.ts";

/** What a title of several words may be: a longer text is a remark. */
const LONGEST = 40;

/** Why no sport is right for all rows, by letters in their cells or by titles among them; undefined for any other table. */
export function withoutOneSport(
  sample: SheetSample,
  columns: readonly AssignedColumn[],
  answers: Answers,
): NoProposal | undefined {
  return letteredSports(columns, answers) ?? sportsOfSections(sample, columns, answers);
}

/** The same, by titles; undefined if no titles among them say different sports, a column names the sports, or a person said one for all. */
function sportsOfSections(
  sample: SheetSample,
  columns: readonly AssignedColumn[],
  answers: Answers,
): NoProposal | undefined {
  const filled = unlikeSections(sample, columns, answers);
  const titled = filled.flatMap((section) => section.titled ?? []);
  const [first] = titled;
  if (first === undefined) return undefined;
  const named = titled.slice(0, 3).map(({ text, line }) => `${JSON.stringify(text)} in row ${line}`);
  const isBelow = filled[0]?.titled === undefined;
  const above = isBelow
    ? `. The rows above ${JSON.stringify(first.text)} are of another sport, or don't say theirs`
    : "";
  return {
    problem: `titles among the rows say their sport, such as ${alternatives(named, "and")}, and no column says it${above}`,
    next: "Add a column Sport with the sport of each row and propose again. If one sport is right for all rows, say it with --set defaults.activity=run",
  };
}

/** The same table with its titles in a column; undefined if it has none of different sports, or if a title isn't clear. */
export function withTitledSports(
  sample: SheetSample,
  columns: readonly AssignedColumn[],
  answers: Answers,
): SportsInColumn | undefined {
  const date = dateOf(columns);
  if (date === undefined || unlikeSections(sample, columns, answers).length === 0) return undefined;
  return withSportsInColumn(sample, sectionsOf(sample, date), date, answers);
}

const dateOf = (columns: readonly AssignedColumn[]) =>
  columns.find(({ role }) => role === "date" || role === "datetime")?.index;

/** The sections with rows, if titles say different sports of them, and neither a column nor a person says the sport; otherwise empty. */
function unlikeSections(sample: SheetSample, columns: readonly AssignedColumn[], answers: Answers): readonly Section[] {
  if (answers.has("defaults.activity") || columns.some(({ role }) => role === "activity")) return [];
  const filled = sectionsOf(sample, dateOf(columns)).filter(({ rows }) => rows > 0);
  const isTitled = filled.some(({ titled }) => titled !== undefined);
  return isTitled && new Set(filled.map(({ sport }) => sport)).size > 1 ? filled : [];
}

/** The rows of a table by the titles above them. @param date the place of the dates */
function sectionsOf({ rows, header, title, path }: SheetSample, date: number | undefined): readonly Section[] {
  const [file = ""] = path.split("/").slice(-1);
  const sections: Section[] = [{ sport: sportOfTable(title) ?? sportOfTable(file), rows: 0 }];
  for (const [at, row] of rows.entries()) {
    if (repeatsHeader(header, row.fields)) continue;
    const found = titleOf(row, rows[at + 1], header, date);
    if (found !== undefined) sections.push({ ...found, rows: 0 });
    else (sections.at(-1) as Section).rows += 1;
  }
  return sections;
}

/** A row with one filled cell that names a sport: above the header once more, or alone in the column of the dates. */
function titleOf(
  { fields, line }: SampleRow,
  next: SampleRow | undefined,
  header: readonly string[],
  date: number | undefined,
): Pick<Section, "sport" | "titled"> | undefined {
  const filled = [...fields.keys()].filter((at) => (fields[at] ?? "").trim() !== "");
  const text = (fields[filled[0] ?? 0] ?? "").trim();
  if (filled.length !== 1 || text.length > LONGEST) return undefined;
  const isAboveHeader = next !== undefined && repeatsHeader(header, next.fields);
  const word = activityNamed(text);
  const sport = word ?? (isAboveHeader ? sportOfTable(text) : undefined);
  return sport !== undefined && (isAboveHeader || filled[0] === date) ? { sport, titled: { text, line } } : undefined;
}
