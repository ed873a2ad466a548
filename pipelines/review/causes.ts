/** Groups the rejected records of a run by cause: forty records with one cause are one line, with the settings that let all forty in. */
import type { Issue } from "../../transforms/model/issue.ts";
import { printable } from "../../transforms/text/printable.ts";
import { canBePasted } from "../../transforms/text/shell.ts";
import type { JournalReader } from "../journal/journal.ts";
import type { Line } from "../journal/line.ts";
import type { Run } from "../journal/run.ts";
import { adviceFor } from "../plan/advice/advice.ts";
import { byUrgency, MISSING_PART, ruleIn } from "./quarantine.ts";

/** A part of a cause with its own name: a sport, or an activity. */
export interface CausePart {
  /** Undefined for records without a name in the source. */
  readonly name: string | undefined;
  readonly count: number;
}

/** A cause and its records. */
export interface Cause {
  readonly rule: string;
  readonly count: number;
  /** One sentence with the problem and the number of records. */
  readonly sentence: string;
  /** Names that one setting each lets in, sorted by records, the most first; empty for a cause that no setting mends. */
  readonly parts: readonly CausePart[];
  /** The option that lets a part in, and its value: `--activity`, `walk=NUMBER`. A value contains words of the source, so quote it. */
  readonly settings: readonly { readonly option: "--activity" | "--sport"; readonly value: string }[];
  /** Another cause may be the reason for this one: the words for what to do first. */
  readonly first?: string;
  /** The first records of the cause. */
  readonly examples: readonly Line[];
}

/** The number of examples of a cause. */
export const MOST_EXAMPLES = 3;

/** The most names in a sentence. Further names are counted. */
const MOST_PARTS = 10;

/** The most characters of all values in one command. A longer line would be cut when it is printed, and a cut command is useless. */
const LONGEST_SETTINGS = 600;

/** The most columns of a name in a sentence. */
const LONGEST_NAME = 60;

interface Met {
  count: number;
  readonly parts: Map<string | undefined, number>;
  readonly examples: Line[];
}

/** The causes of a run's rejected records, sorted by records, the most first. */
export async function causesOf(journal: JournalReader, run: Pick<Run, "id">): Promise<readonly Cause[]> {
  const met = new Map<string, Met>();
  for await (const line of journal.lines(run.id, { state: ["quarantined"] })) {
    const rule = ruleIn(line);
    const cause: Met = met.get(rule) ?? { count: 0, parts: new Map(), examples: [] };
    met.set(rule, cause);
    cause.count++;
    if (cause.examples.length < MOST_EXAMPLES) cause.examples.push(line);
    if (NAMED[rule] === undefined) continue;
    const { issue } = await journal.auditTrail.details(run.id, line.seq);
    cause.parts.set(issue?.found, (cause.parts.get(issue?.found) ?? 0) + 1);
  }
  return [...met].map(([rule, cause]) => toCause(rule, cause, met.has(MISSING_PART))).sort(byUrgency);
}

/**
 * The setting that lets in records of one rule, for a list that names each record anyway; empty if no setting does.
 *
 * @param rules all rules of the list
 */
export function settingsFor(
  rule: string,
  records: readonly { readonly issue: Issue | undefined }[],
  rules: readonly string[],
): Pick<Cause, "settings" | "parts" | "first"> {
  const parts = new Map<string | undefined, number>();
  for (const { issue } of records) parts.set(issue?.found, (parts.get(issue?.found) ?? 0) + 1);
  return toCause(rule, { count: records.length, parts, examples: [] }, rules.includes(MISSING_PART));
}

/** @param lacksPart a part of the download is missing: it may name the sport of a record without one, so no setting is offered for that */
function toCause(rule: string, { count, parts: met, examples }: Met, lacksPart: boolean): Cause {
  const parts = [...met].map(([name, times]) => ({ name, count: times })).sort((a, b) => b.count - a.count);
  const named = NAMED[rule];
  const sentence =
    named?.sentence(count, parts) ?? `${records(count)}: ${adviceFor(rule)?.means ?? "it can't be used"}.`;
  const mendable = parts.filter(({ name }) => name !== undefined || !lacksPart);
  const settings = named === undefined ? [] : settingsOf(mendable, named);
  const first =
    named !== undefined && mendable.length < parts.length
      ? "Get the missing part of the download first: it may name the sport."
      : undefined;
  return { rule, count, sentence, parts, settings, ...(first !== undefined && { first }), examples };
}

/** As many settings as one command can hold, sorted by records, the most first. */
function settingsOf(
  parts: readonly CausePart[],
  { option, placeholder }: Pick<Cause["settings"][number], "option"> & { readonly placeholder: string },
): Cause["settings"] {
  const settings: Cause["settings"][number][] = [];
  let length = 0;
  for (const { name = "" } of parts) {
    const value = `${name}=${placeholder}`;
    length += option.length + value.length;
    if (length > LONGEST_SETTINGS) break;
    if (canBePasted(name)) settings.push({ option, value });
  }
  return settings;
}

/** Causes that a setting for a sport or an activity mends. */
const NAMED: Readonly<
  Record<
    string,
    {
      readonly option: "--activity" | "--sport";
      readonly placeholder: string;
      readonly sentence: (count: number, parts: readonly CausePart[]) => string;
    }
  >
> = {
  "workout/no-activity-id": {
    option: "--activity",
    placeholder: "NUMBER",
    sentence: (count, parts) =>
      `${records(count)}: logferry doesn't know your log's number for ${listed(parts, word)}.`,
  },
  "workout/unknown-sport": {
    option: "--sport",
    placeholder: "ACTIVITY",
    sentence: (count, parts) => {
      const nameless = parts.find(({ name }) => name === undefined);
      const named = parts.filter(({ name }) => name !== undefined);
      if (named.length === 0) return `${records(count)}: the source names no sport.`;
      const others = nameless === undefined ? "" : ` In ${nameless.count}, the source names no sport.`;
      return `${records(count)}: logferry doesn't know the sport ${listed(named, quoted)}.${others}`;
    },
  },
};

function listed(parts: readonly CausePart[], shown: (name: string) => string): string {
  const first = parts
    .slice(0, MOST_PARTS)
    .map(({ name = "", count }) => (parts.length === 1 ? shown(name) : `${shown(name)} (${count})`));
  const more = parts.length - first.length;
  const last = more > 0 ? `${more} others` : first.length > 1 ? first.pop() : undefined;
  return last === undefined ? first.join(", ") : `${first.join(", ")} or ${last}`;
}

function word(name: string): string {
  return printable(name, LONGEST_NAME);
}

function quoted(name: string): string {
  return `"${word(name)}"`;
}

/** A number of records in words. */
export function records(count: number): string {
  return count === 1 ? "1 record" : `${count} records`;
}
