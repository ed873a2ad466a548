/** `logferry map infer`: proposes a mapping file for a spreadsheet, with the evidence, and asks what the table doesn't show. */
import { readFile, writeFile } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { isAddress, nameOfSource, withoutQuery } from "../../connectors/containers/address.ts";
import { isNamedFor, isTableName } from "../../connectors/platforms/table/mapping/mapping-files.ts";
import {
  isOpen,
  isUnchangedProposal,
  type OpenChoice,
  type ProposedMapping,
  proposeMapping,
} from "../../pipelines/sources/propose-mapping.ts";
import { ACTIVITY_NAMES } from "../../transforms/activities.ts";
import { describeProblem, withRuleLast } from "../../transforms/model/issue.ts";
import type { Workout } from "../../transforms/model/workout.ts";
import { fromPrintable, hasUnprintable, printable } from "../../transforms/text/printable.ts";
import { shellWord } from "../../transforms/text/shell.ts";
import { measureText } from "../../transforms/units.ts";
import { openOptions } from "../arguments/archive-limits.ts";
import type { CommandContext } from "../arguments/command.ts";
import { type ExitName, UsageError } from "../errors/exit-codes.ts";
import { cannotUse, isOfSystem } from "../errors/system-errors.ts";
import { askEach, canAsk, questionOf, questionOfSport } from "../session/ask-choices.ts";
import { count, type Output } from "../terminal/output.ts";

/** A person answers at most so many questions about words for sports. The others stay as lines of the file. */
const MOST_SPORTS = 10;

/** Answers to an open question that are explained. The mapping file explains them all. */
const MOST_MEANINGS = 4;

/** Unknown words for sports that are named. */
const MOST_NAMED = 5;

/** The rule of sheets that a mapping leaves. */
const NOT_READ = "csv/sheet-not-read";

/** Kinds of problems that are named. */
const MOST_PROBLEMS = 10;

/** Stands in a printed command where nothing in the table speaks for an answer. */
const ANSWER = "ANSWER";

/** Stands in the list of columns for one without a name. */
const NO_HEADER = "(no header)";

/** Stands in a printed command for a file whose name can't be shown. */
const FILE = "FILE";

/** Proposes a mapping file, and writes it. */
export async function infer(context: CommandContext, [path, ...more]: readonly string[]): Promise<ExitName> {
  const { options, output, signal, tables } = context;
  if (path === undefined || more.length > 0)
    throw new UsageError("Cannot propose a mapping: name one table, as in logferry map infer log.csv");
  const answers = answersOf(options.set ?? []);
  if (options.sheet !== undefined) answers.set("file.sheet", fromPrintable(options.sheet.join(", ")));
  const propose = () =>
    proposeMapping(path, {
      ...{ answers, open: openOptions(context), context: { signal, sports: tables.sports } },
      today: new Date(context.now()).toISOString().slice(0, 10),
      ...(options.out !== undefined && { out: basename(options.out) }),
    });
  let proposed = await propose();
  const [bad] = proposed.badAnswers;
  if (bad !== undefined) throw new UsageError(bad);
  if (canAsk(context)) {
    await askEach(context, answers, async (asked) => {
      if (answers.size > 0) proposed = await propose();
      const open = proposed.choices.filter(isOpen).find(({ place }) => !asked.has(place));
      if (open !== undefined) return questionOf(open);
      const sport = proposed.draft.unknownSports
        .slice(0, MOST_SPORTS)
        .find(([word]) => !asked.has(`values.activity.${word}`));
      return sport && questionOfSport(...sport);
    });
    proposed = await propose();
  }
  if (signal.aborted) {
    output.conclude("Stopped: nothing was written.");
    return "stopped";
  }
  // A file behind an address gets its mapping in the folder where the person is.
  const file = options.out ?? `${isAddress(path) ? nameOfSource(path) : path}.map.yaml`;
  print(output, proposed);
  await writeNew(file, proposed.text);
  const open = proposed.choices.filter(isOpen);
  const { counts, problems } = proposed.preview;
  output.emit("mapping", {
    ...{ file, table: proposed.table, text: proposed.text, rows: proposed.rows, choices: proposed.choices },
    ...{ unknownSports: proposed.draft.unknownSports.map(([word, rows]) => ({ word, rows })), counts, problems },
    workouts: proposed.preview.workouts,
  });
  output.conclude(...nextSteps(file, path, proposed, answers));
  return open.length + counts.rejected === 0 ? "done" : "setAside";
}

/** `place=value`, as `columns.Distance.unit=km`. The header may have a line break, which a printed command spells `\x0a`. */
function answersOf(set: readonly string[]): Map<string, string> {
  const answers = new Map<string, string>();
  for (const pair of set.map(fromPrintable)) {
    const at = pair.lastIndexOf("=");
    const [place, value] = [pair.slice(0, at), pair.slice(at + 1)];
    if (at < 1)
      throw new UsageError(
        `Cannot use --set ${JSON.stringify(pair)}: expected PLACE=VALUE, such as columns.Distance.unit=km`,
      );
    const before = answers.get(place);
    if (before !== undefined && before !== value)
      throw new UsageError(
        `Cannot use --set ${JSON.stringify(pair)}: another --set says ${place}=${before}. Leave one of them out`,
      );
    answers.set(place, value);
  }
  return answers;
}

function print(output: Output, { table, draft, choices, rows, sheets, isCut, preview }: ProposedMapping): void {
  output.say(
    `${printable(table)}: ${isCut ? "the first " : ""}${count(rows)} rows${sheets > 1 ? ` in ${count(sheets)} sheets` : ""}, ${count(draft.columns.size)} columns`,
    "",
  );
  const width = Math.min(30, Math.max(...[...draft.columns.keys()].map((name) => (name || NO_HEADER).length)));
  for (const [name, { field = "split", why, label, unit, format, scale, add, proposed }] of draft.columns) {
    const units =
      typeof unit === "object" && !Array.isArray(unit)
        ? Object.entries(unit)
            .map(([sport, one]) => `${sport} ${one}`)
            .join(" ")
        : unit;
    const pieces = choices.find(({ place }) => place === `columns.${name}.split`)?.value;
    const details = [
      label,
      pieces,
      units,
      scale,
      format === undefined ? undefined : [format].flat().join(" or "),
      add && "added up",
      proposed && "nobody knows it",
      why,
    ].filter((one) => one !== undefined);
    output.say(
      `  ${(printable(name, 30) || NO_HEADER).padEnd(width)}  ${field}${details.length === 0 ? "" : `: ${details.join(", ")}`}`,
    );
  }
  output.say("", "Why:");
  for (const choice of choices) {
    const against =
      choice.contradicting === 0 ? "" : ` (${count(choice.contradicting)} of ${count(choice.rows)} rows contradict it)`;
    const said = isOpen(choice) ? `OPEN: ${choice.options.map(({ value }) => value).join(" or ")}` : choice.value;
    output.say(`  ${choice.place}: ${said}. ${choice.why}${against}`);
    if (isOpen(choice)) for (const line of meaningsOf(choice)) output.say(line);
  }
  const [first] = preview.workouts;
  if (first === undefined) return;
  const ifs = choices
    .filter((choice) => isOpen(choice) && choice.isUnproven)
    .map(({ place, value }) => `${place} is ${value}`);
  const supposing = ifs.length === 0 ? "" : ` if ${ifs.join(", and ")}`;
  output.say(
    "",
    `${count(preview.workouts.length)} of ${count(preview.counts.workouts)} workouts, as they would be loaded${supposing}:`,
  );
  for (const workout of preview.workouts) output.say(`  ${lineOf(workout)}`);
}

/** What the first answers to a question mean and what speaks for them, a line each. An answer that is its own meaning needs none. */
function meaningsOf({ options }: OpenChoice): readonly string[] {
  return options
    .filter(({ value, means }) => means !== value)
    .slice(0, MOST_MEANINGS)
    .map(({ value, means }) => `    ${printable(value, 60)}: ${printable(means, 120)}`);
}

/** A workout in one line: `2014-03-01 18:05  run  10.2 km  0:52:10  HR 148  "Prater"`. */
function lineOf({ start, activity, sport, distance, duration, health, name, notes }: Workout): string {
  const when = [
    start.date ?? (start.instant === undefined ? "" : new Date(start.instant).toISOString().slice(0, 16)),
    start.time ?? "",
  ];
  return [
    when.filter((part) => part !== "").join(" "),
    activity ?? (sport === undefined ? "sport unknown" : `${sport}: sport unknown`),
    distance && measureText(distance),
    duration === undefined ? undefined : clock(duration),
    health?.avgHR === undefined ? undefined : `HR ${health.avgHR}`,
    name === undefined ? undefined : JSON.stringify(printable(name, 30)),
    notes === undefined ? undefined : JSON.stringify(printable(notes.replaceAll(/\r?\n/g, " ⏎ "), 40)),
  ]
    .filter((part) => part !== undefined)
    .join("  ");
}

function clock(seconds: number): string {
  const whole = Math.round(seconds);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
}

function nextSteps(
  file: string,
  path: string,
  { preview, choices, draft }: ProposedMapping,
  answers: ReadonlyMap<string, string>,
): readonly string[] {
  const { workouts, leftOut, rejected } = preview.counts;
  const open = choices.filter(isOpen);
  // No terminal shows such a name as it is, so a pasted one would be another file's.
  const isNamed = !hasUnprintable(path);
  const source = isNamed ? shellWord(withoutQuery(path)) : FILE;
  const rows = workouts + leftOut + rejected;
  const lines = ["", `Written: ${file}`];
  if (leftOut > 0)
    lines.push(`${count(leftOut)} of ${count(rows)} rows are left out by rule: ${reasonsOf(preview, draft.rows)}.`);
  if (preview.left.length > 0)
    lines.push(
      `These rows have values that stay out too: ${preview.left.map(([field, n]) => `${field} ${count(n)}`).join(", ")}.`,
    );
  if (workouts === 0) lines.push(`None of the ${count(rows)} rows can be read.`);
  else if (rejected > 0) lines.push(`${count(rejected)} of ${count(rows)} rows can't be read.`);
  const other = preview.problems.find(({ example }) => example.rule === NOT_READ);
  if (other !== undefined)
    lines.push(`${other.example.found}. For one of them: --sheet NAME, with --out for a mapping file of its own`);
  for (const { count: times, example } of preview.problems.filter((one) => one !== other).slice(0, MOST_PROBLEMS))
    lines.push(`  ${times === 1 ? "" : `${count(times)} x `}${withRuleLast(describeProblem(example), example.rule)}`);
  const words = draft.unknownSports.map(([word]) => word);
  const again = `  logferry map infer ${source}${hasUnprintable(file) ? "" : ` --out ${shellWord(file)}`}`;
  if (!isNamed)
    lines.push(
      `${FILE} stands for the table below: its name has characters that no terminal shows. Rename the table, or type its name there.`,
    );
  const set = (pairs: Iterable<readonly [place: string, value: string]>) =>
    [...pairs].map(([place, value]) => ` --set ${shellWord(`${place}=${value}`)}`).join("");
  if (words.length > 0) {
    const named = words.slice(0, MOST_NAMED);
    lines.push(
      `Nobody knows the sport of ${named.map((word) => JSON.stringify(printable(word, 30))).join(", ")}: complete the lines at the end of the file, or run this again with a sport in place of SPORT:`,
      again + set([...answers, ...named.map((word) => [`values.activity.${word}`, "SPORT"] as const)]),
      `A sport is one of ${ACTIVITY_NAMES.join(", ")}.`,
    );
  }
  if (open.length > 0)
    lines.push(
      `${count(open.length)} ${open.length === 1 ? "question is" : "questions are"} open. Answer where the file says ASK, or run this again with your answers${open.some(({ isUnproven }) => isUnproven) ? `, also in place of ${ANSWER}` : ""}:`,
      again +
        set([...answers, ...open.map(({ place, value, isUnproven }) => [place, isUnproven ? ANSWER : value] as const)]),
      "It replaces the file as long as you didn't change it.",
    );
  else {
    // No mapping can lie beside an address, and one with another name, or that of a zip, isn't found beside its table.
    const isBeside = dirname(file) === dirname(path) && isTableName(basename(path));
    const isFound = !isAddress(path) && isBeside && isNamedFor(basename(file), basename(path));
    const mapping = isFound ? "" : ` --map ${shellWord(file)}`;
    lines.push(`Read the file once. Then see what would happen: logferry plan ${source}${mapping}`);
  }
  return lines;
}

/** Reasons that are named. */
const MOST_REASONS = 10;

/** Why rows are left out, each reason once, those of rules first: `total, another athlete`. */
function reasonsOf({ reasons }: ProposedMapping["preview"], rules: ProposedMapping["draft"]["rows"]): string {
  const all = [...new Set([...rules.map(({ skip }) => skip), ...reasons])];
  return all
    .slice(0, MOST_REASONS)
    .map((reason) => printable(reason, 40))
    .join(", ");
}

/** Writes the file. It replaces an earlier proposal that nobody changed, and no other file. */
async function writeNew(path: string, text: string): Promise<void> {
  try {
    const before = await readFile(path, "utf8").catch(() => undefined);
    const isUnchanged = before !== undefined && isUnchangedProposal(before);
    await writeFile(path, text, { flag: isUnchanged ? "w" : "wx", mode: 0o600 });
  } catch (error) {
    if (isOfSystem(error) && error.code === "EEXIST")
      throw new UsageError(
        `Cannot write ${path}: there is such a file already, and it is no unchanged proposal. Name another one with --out, or move it away`,
      );
    throw isOfSystem(error) ? cannotUse(path, error, "map/disk-full") : error;
  }
}
