/** Proposes a mapping file for a spreadsheet, and shows what would come of it. Nothing is written. */
import { createHash } from "node:crypto";
import type { Archive } from "../../connectors/containers/archive.ts";
import { openArchive } from "../../connectors/containers/open.ts";
import type { OpenOptions } from "../../connectors/containers/options.ts";
import { withEntries } from "../../connectors/containers/overlay.ts";
import type { Connector, ReadContext } from "../../connectors/contract.ts";
import { FatalError } from "../../connectors/errors.ts";
import {
  type Answers,
  answerProblems,
  inferMapping,
  isOpen,
  type Proposal,
  writeMapping,
} from "../../connectors/platforms/infer/infer.ts";
import { isNamedFor, namedMapping, tableEntries } from "../../connectors/platforms/table/mapping/mapping-files.ts";
import { connectorNamed, identifyArchive } from "../../connectors/registry.ts";
import type { Issue } from "../../transforms/model/issue.ts";
import { OF_SKIPPED } from "../../transforms/model/loss-cause.ts";
import type { Workout } from "../../transforms/model/workout.ts";
import { keepPlausibleValues } from "../../transforms/steps/keep-plausible-values.ts";
import { printable } from "../../transforms/text/printable.ts";
import { shellWord } from "../../transforms/text/shell.ts";

export { type Choice, isOpen, type OpenChoice, type Proposal } from "../../connectors/platforms/infer/infer.ts";

/** What would come of a mapping. */
export interface Preview {
  /** The first workouts. */
  readonly workouts: readonly Workout[];
  readonly counts: { readonly workouts: number; readonly leftOut: number; readonly rejected: number };
  /** Why rows are left out, each reason once: `total`, `rest day`. */
  readonly reasons: readonly string[];
  /** The values that these rows have all the same, such as a weight on a day of rest: by field, with how many there are. */
  readonly left: readonly (readonly [field: string, count: number])[];
  /** The first problem of each kind, with how often it occurs. */
  readonly problems: readonly { readonly count: number; readonly example: Issue }[];
}

/** A proposal for one table. */
export interface ProposedMapping extends Proposal {
  /** The name of the table in its archive. */
  readonly table: string;
  /** The mapping file. */
  readonly text: string;
  readonly preview: Preview;
  /** Why answers can't be used, in a sentence each. */
  readonly badAnswers: readonly string[];
}

/** Workouts that a preview shows. */
const SHOWN = 10;

/** Settings of a proposal. */
export interface ProposeOptions {
  /** A person's answers to earlier questions, by place: `columns.Distance.unit`. */
  readonly answers: Answers;
  /** The name of the mapping file, if it isn't that of the table with `.map.yaml`. */
  readonly out?: string;
  /** The current day: no workout is later. */
  readonly today: string;
  readonly open: OpenOptions;
  readonly context: Pick<ReadContext, "signal" | "sports">;
}

/**
 * Proposes a mapping for the table at a path.
 *
 * @throws FatalError reason `source`: as `openArchive`; `map/no-table` if there is no table or several; `map/known` if it
 * needs no mapping; `map/no-proposal` if nothing can be proposed
 */
export async function proposeMapping(path: string, options: ProposeOptions): Promise<ProposedMapping> {
  const archive = await openArchive(path, options.open);
  try {
    const [table, ...others] = tableEntries(archive);
    const name = printable(archive.name);
    if (table === undefined)
      throw new FatalError(
        "map/no-table",
        "source",
        `Cannot propose a mapping for ${name}: it is no table. Save the sheet as CSV`,
      );
    if (others.length > 0) {
      const names = [table, ...others].slice(0, 5).map((entry) => printable(entry.path, 80));
      throw new FatalError(
        "map/no-table",
        "source",
        `Cannot propose a mapping for ${name}: it has ${others.length + 1} tables. Name one of them: ${names.join(", ")}`,
      );
    }
    await refuseKnown(archive, path, options.context);
    const found = await inferMapping(archive, table, options.answers, options.today);
    const proposal = "problem" in found ? found : withName(found, table.path, options.out);
    if ("problem" in proposal)
      throw new FatalError(
        "map/no-proposal",
        "source",
        [`Cannot propose a mapping for ${name}: ${proposal.problem}`, proposal.next].filter(Boolean).join(". "),
      );
    // What is open is shown as it would be with the likeliest answers.
    const likeliest = proposal.choices.map((choice) => {
      const { options: _options, question: _question, ...decided } = choice;
      return isOpen(choice) ? decided : choice;
    });
    const trial = writeMapping({ ...proposal, choices: likeliest }, table.path);
    const badAnswers = answerProblems(proposal, options.answers);
    const text = withChecksum(writeMapping(proposal, table.path));
    const preview = await previewOf(archive, trial, options.context).catch((error: unknown) => {
      throw error instanceof FatalError && error.code === "csv/unknown-column"
        ? headersApart(name, error, proposal)
        : error;
    });
    return { ...proposal, table: table.path, text, preview, badAnswers };
  } finally {
    await archive.close();
  }
}

/** Why no mapping reads all chosen sheets: a title stands above the header of one of them. @param refused names the columns of the other sheet */
function headersApart(name: string, refused: FatalError, { draft }: Proposal): FatalError {
  const line = Number(draft.file.skip ?? 0) + 1;
  const [, columns = refused.message] = /\b(The columns of .*)$/s.exec(refused.message) ?? [];
  return new FatalError(
    "map/no-proposal",
    "source",
    `Cannot propose a mapping for ${name}: a mapping reads sheets with the same header in the same line, which is line ${line} in the first sheet. ${columns}. Make the sheets alike, or propose for each by itself, with a mapping file of its own: --sheet NAME --out NAME.map.yaml`,
  );
}

/** The proposal with the name of its table, if the name of the mapping file doesn't say it. */
function withName(proposal: Proposal, table: string, out: string | undefined): Proposal {
  const name = table.split("/").at(-1) ?? table;
  if (out === undefined || isNamedFor(out, name)) return proposal;
  return { ...proposal, draft: { ...proposal.draft, file: { name, ...proposal.draft.file } } };
}

const CHECKSUM = /^# .* \(checksum ([0-9a-f]{12})\)$/m;

/** Adds a line by which a later proposal knows that nobody changed this one. */
function withChecksum(text: string): string {
  const line = `# Another map infer replaces this file as long as nobody changed it (checksum ${checksumOf(text)})`;
  return text.replace("\nversion: 1\n", () => `\n${line}\nversion: 1\n`);
}

/** Whether a file is a proposal that nobody changed. */
export function isUnchangedProposal(text: string): boolean {
  const [line, checksum] = CHECKSUM.exec(text) ?? [];
  return line !== undefined && checksum === checksumOf(text.replace(`${line}\n`, ""));
}

function checksumOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}

/** @throws FatalError `map/known` for a table that a platform's own connector reads: it knows more than its header says */
async function refuseKnown(archive: Archive, path: string, context: ProposeOptions["context"]): Promise<void> {
  const known = await identifyArchive(archive).catch((error: unknown) => {
    if (error instanceof FatalError) return undefined;
    throw error;
  });
  if (known === undefined || known.connector.name === "csv") return;
  const { name, title } = known.connector;
  const shown =
    known.connector.mappings === undefined ? "" : `. To read it in another way, begin with logferry map show ${name}`;
  const isUnsaid = await lacksUnit(known.connector, archive, context);
  const unit = isUnsaid ? " --distance-unit km" : "";
  const unsaid = isUnsaid
    ? ". It doesn't say the unit of its distances: say --distance-unit km, or mi if the platform shows you miles"
    : "";
  throw new FatalError(
    "map/known",
    "source",
    `No mapping file is needed: ${printable(archive.name)} is a table of ${title} (${known.evidence.saw})${unsaid}. See what would happen: logferry plan${unit} ${shellWord(path)}${shown}`,
  );
}

/** Rows of a known table that are looked at. */
const MOST_READ = 2_000;

/** Whether rows of a known table wait because nothing says the unit of their distances. */
async function lacksUnit(connector: Connector, archive: Archive, context: ProposeOptions["context"]): Promise<boolean> {
  let read = 0;
  for await (const reading of connector.read(archive, { ...context, report: () => {} })) {
    if (reading.kind === "set-aside" && reading.issue?.rule.endsWith("/unknown-unit") === true) return true;
    if (++read === MOST_READ) break;
  }
  return false;
}

/** The name under which a proposal is tried. */
const PROPOSED = "proposed.map.yaml";

async function previewOf(archive: Archive, mapping: string, context: ProposeOptions["context"]): Promise<Preview> {
  const workouts: Workout[] = [];
  const counts = { workouts: 0, leftOut: 0, rejected: 0 };
  const reasons = new Set<string>();
  const left = new Map<string, number>();
  const problems = new Map<string, { count: number; example: Issue }>();
  const add = (told: Issue) => {
    if (told.severity === "info") return;
    // The file isn't written yet, so it has no path that a person could open.
    const issue = told.expected?.includes(PROPOSED)
      ? { ...told, expected: told.expected.replaceAll(PROPOSED, "the mapping file") }
      : told;
    const key = `${issue.rule} ${issue.field ?? ""}`;
    const found = problems.get(key);
    problems.set(key, { count: (found?.count ?? 0) + (issue.count ?? 1), example: found?.example ?? issue });
  };
  const mapped = withEntries(archive, { [namedMapping(PROPOSED)]: mapping });
  const readings = connectorNamed("csv")?.read(mapped, { ...context, report: add }) ?? [];
  for await (const reading of readings) {
    if (reading.kind === "set-aside") {
      if (reading.as === "skipped") {
        counts.leftOut++;
        for (const { field } of reading.left ?? []) left.set(field, (left.get(field) ?? 0) + 1);
        if (reading.issue?.found !== undefined) reasons.add(reading.issue.found);
      } else counts.rejected++;
      if (reading.as !== "skipped" && reading.issue !== undefined) add(reading.issue);
    } else if (reading.kind === "workout") {
      counts.workouts++;
      const kept = keepPlausibleValues(reading, add);
      if (workouts.length < SHOWN && kept.kind === "workout") workouts.push(kept.value);
    }
  }
  return {
    workouts,
    counts,
    reasons: [...reasons],
    left: [...left].map(([field, n]) => [field.replace(OF_SKIPPED, ""), n] as const),
    problems: [...problems.values()].toSorted((a, b) => b.count - a.count),
  };
}
