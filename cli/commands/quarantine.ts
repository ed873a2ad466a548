import { existsSync } from "node:fs";
import type { Ruling, RulingKind } from "../../pipelines/journal/audit-trail.ts";
import type { Journal, Run } from "../../pipelines/journal/journal.ts";
import { isShortId, longId, shortId } from "../../pipelines/journal/short-id.ts";
import type { FixField } from "../../pipelines/plan/advice.ts";
import { dayOf } from "../../pipelines/plan/manual-decisions.ts";
import { describeFix, readFix } from "../../pipelines/plan/overrides.ts";
import { byRule, chosen, isDropped, type Quarantined, quarantinedOf } from "../../pipelines/review/quarantine.ts";
import type { Fix } from "../../transforms/model/fix.ts";
import { describeOrigin, describeTrouble } from "../../transforms/model/issue.ts";
import type { Command, CommandContext } from "../arguments/command.ts";
import { type ExitName, UsageError } from "../errors/exit-codes.ts";
import { REPORT_OPTIONS } from "../session/report.ts";
import { checkIsOver, findBaseRun, takeUpAgain } from "../session/retry-records.ts";
import {
  journalPath,
  openOwnJournal,
  openOwnJournalToRead,
  openSession,
  PLAN_OPTIONS,
  RUN_OPTIONS,
} from "../session/session.ts";
import { count, type Output } from "../terminal/output.ts";

/** How many records of a rule are shown without --verbose. */
const SHOWN = 10;

/** What can be done about records that are named after the word. */
const ACTIONS: Readonly<Record<string, (context: CommandContext, words: readonly string[]) => Promise<ExitName>>> = {
  retry,
  fix,
  drop,
  "take-back": takeBack,
};

/** `logferry quarantine`: what was set aside, why, and what to do about it. */
export const quarantine: Command = {
  name: "quarantine",
  summary: "show what was set aside, say what to do about it, and take it up again",
  details: [
    "Lists what the last run (or the one named with --run) set aside and nobody has dealt with since: by reason, with what to do about it, and each record with the id to name it by, its file and line, what stands there and what was expected. With ids or rules (`csv/bad-date`, `csv/`) it lists only those.",
    "`quarantine retry [ID|RULE...]` reads those records again where they lie, with the run's settings and what you set today in their place (--sport, --activity, --zone, --map), and loads what is now good, as a run of its own. Nothing else of the sources is sent.",
    "`quarantine fix ID --set FIELD=VALUE` says by hand what can't be read. It is checked as a cell of a spreadsheet is, kept in the journal, and used by `quarantine retry` and by every later plan. A file that can't be read at all has nothing to fix: the list says what else to do.",
    "`quarantine drop ID` leaves a record out for good: later plans count it as skipped. `quarantine take-back ID` forgets a fix or a drop.",
  ],
  positional: {
    name: "word",
    help: "retry, fix, drop or take-back with what it is about; or ids and rules to list",
    atLeast: 0,
  },
  options: ["run", "set", "dryRun", ...RUN_OPTIONS, ...REPORT_OPTIONS, ...PLAN_OPTIONS],
  tables: [
    {
      title: "What --set takes",
      rows: [
        ["date=2019-05-04", "the day it was done, where you were"],
        ["time=18:05", "the time of day; also 6:05 PM"],
        ["activity=run", "the activity, by logferry's name for it"],
        ['distance="10 km"', "with its unit: km, mi, m, yd"],
        ["duration=1:02:03", 'hours, minutes and seconds; or in words, "45 min"'],
        ["name=TEXT, notes=TEXT", "as you would have written it"],
      ],
    },
  ],
  examples: [
    { line: "logferry quarantine", does: "what was set aside, and what to do about it" },
    {
      line: 'logferry quarantine retry workout/unknown-sport --sport "Nordic Walking=walk"',
      does: "let in all of a sport that no table knew",
    },
    { line: 'logferry quarantine fix 5f3a2c --set date=2019-05-04 --set distance="10 km"', does: "say it by hand" },
    { line: "logferry quarantine drop 5f3a2c", does: "leave it out for good" },
  ],
  async run(context) {
    const [word = "", ...rest] = context.arguments;
    const action = Object.hasOwn(ACTIONS, word) ? ACTIONS[word] : undefined;
    if (context.options.set !== undefined && word !== "fix")
      throw new UsageError("Cannot use --set here: it goes with logferry quarantine fix ID");
    return action === undefined ? list(context) : action(context, rest);
  },
};

async function list({ options, output, arguments: words }: CommandContext): Promise<ExitName> {
  const path = journalPath(options);
  if (!existsSync(path)) {
    output.conclude(`No run yet: there is no journal ${path}. Begin with: logferry plan SOURCE`);
    return "done";
  }
  const journal = await openOwnJournalToRead(options);
  try {
    const base = await findBaseRun(journal, options.run);
    const all = await quarantinedOf(journal, base);
    const named = words.length === 0 ? all : namedIn(all, words, base);
    const open = named.filter((one) => !isDropped(one));
    for (const one of named) output.emit("quarantined", asJson(one));
    if (open.length > 0) output.say(`Run ${base.id} set ${records(open.length)} aside:`);
    for (const [rule, entries] of byRule(open)) printRule(output, rule, entries);
    const dropped = named.filter(isDropped);
    if (dropped.length > 0) {
      output.say(`\nDropped by you (logferry quarantine take-back ID lets one in again):`);
      printEntries(output, dropped);
    }
    if (open.length > 0) output.say();
    output.conclude(
      open.length === 0
        ? `Nothing of run ${base.id} is set aside${dropped.length > 0 ? ` but what you dropped (${count(dropped.length)})` : ""}.`
        : `${records(open.length)} of run ${base.id} set aside. Take them up with: logferry quarantine retry`,
    );
    return "done";
  } finally {
    await journal.close();
  }
}

function printRule(output: Output, rule: string, entries: readonly Quarantined[]): void {
  const advice = entries[0]?.advice;
  output.say(`\n${rule}, ${records(entries.length)}${advice === undefined ? "" : `: ${advice.means}`}`);
  if (advice !== undefined) output.say(`  ${advice.remedy}`);
  printEntries(output, entries);
}

function printEntries(output: Output, entries: readonly Quarantined[]): void {
  const shown = output.loudness === "verbose" ? entries : entries.slice(0, SHOWN);
  for (const one of shown) {
    const said = one.rulings.flatMap(({ fix: said }) => (said === undefined ? [] : [describeFix(said)]));
    output.say(
      `    ${one.id}  ${describeOrigin(one.line.origin)}: ${one.issue === undefined ? (one.line.reason ?? "") : describeTrouble(one.issue)}${said.length > 0 ? `; you said ${said.join(", ")}` : ""}`,
    );
  }
  if (shown.length < entries.length)
    output.say(`    ... and ${count(entries.length - shown.length)} more (--verbose shows all)`);
}

function asJson(one: Quarantined): Record<string, unknown> {
  const { line, issue, advice, rulings } = one;
  return {
    id: one.id,
    run: line.run,
    key: line.key,
    rule: one.rule,
    origin: line.origin,
    field: issue?.field,
    found: issue?.found ?? (issue === undefined ? line.reason : undefined),
    expected: issue?.expected,
    means: advice?.means,
    remedy: advice?.remedy,
    needs: advice?.needs,
    decisions: rulings.map(({ ruling, at, fix: said }) => ({ ruling, at: new Date(at).toISOString(), fix: said })),
  };
}

async function retry(context: CommandContext, words: readonly string[]): Promise<ExitName> {
  const session = await openSession(context);
  try {
    const { journal } = session;
    const base = await findBaseRun(journal, context.options.run);
    const all = await quarantinedOf(journal, base);
    const wanted = (words.length === 0 ? all : namedIn(all, words, base)).filter((one) => !isDropped(one));
    if (wanted.length === 0) {
      context.output.conclude(
        all.length === 0
          ? `Nothing of run ${base.id} is set aside.`
          : "Nothing to take up: you dropped what is set aside.",
      );
      return "done";
    }
    await checkIsOver(journal, base);
    return await takeUpAgain(context, session, base, wanted);
  } finally {
    await session.close();
  }
}

async function fix(context: CommandContext, words: readonly string[]): Promise<ExitName> {
  const { options, output, now } = context;
  const pairs = options.set ?? [];
  if (words.length !== 1 || pairs.length === 0)
    throw new UsageError("Say which record, and what it is: logferry quarantine fix ID --set date=2019-05-04");
  const read = readFix(pairs);
  if ("error" in read) throw new UsageError(`Cannot use --set: ${read.error}`);
  return withQuarantined(context, words, async (journal, [one]) => {
    const needs = needsOf(one);
    const before = one.rulings.find(({ ruling }) => ruling === "fixed")?.fix ?? {};
    const said: Fix = { ...before, ...read.fix };
    if (said[needs] === undefined) {
      throw new UsageError(
        `Cannot fix ${one.id} so: it is set aside for its ${needs} (${one.rule}). Say --set ${needs}=${EXAMPLES[needs]} too`,
      );
    }
    await journal.custody.takeBack(one.line.key, "dropped");
    await journal.custody.rule({ ...rulingOn(one, "fixed", now()), fix: said });
    output.conclude(
      `From now on ${describeOrigin(one.line.origin)} is read with ${describeFix(said)}. Load it with: logferry quarantine retry ${one.id}`,
    );
  });
}

/** For the message that asks for a field. */
const EXAMPLES: Readonly<Record<FixField, string>> = {
  date: "2019-05-04",
  time: "18:05",
  activity: "run",
  distance: '"10 km"',
  duration: "1:02:03",
  name: "TEXT",
  notes: "TEXT",
};

/** @throws UsageError for what has no value that could be said, with what else to do */
function needsOf({ id, rule, advice, line }: Quarantined): FixField {
  if (advice?.needs !== undefined) return advice.needs;
  throw new UsageError(
    `Cannot fix ${id}: nothing of ${describeOrigin(line.origin)} could be read that a value would mend (${rule}). ${(advice?.remedy ?? "").replaceAll(/\bID\b/g, id)}`,
  );
}

async function drop(context: CommandContext, words: readonly string[]): Promise<ExitName> {
  if (words.length === 0) throw new UsageError("Say which record to leave out: logferry quarantine drop ID");
  return withQuarantined(context, words, async (journal, entries) => {
    for (const one of entries) await journal.custody.rule(rulingOn(one, "dropped", context.now()));
    context.output.conclude(
      `${records(entries.length)} will be left out of later plans, and counted as skipped. Taken back with: logferry quarantine take-back ${entries
        .map(({ id }) => id)
        .slice(0, 3)
        .join(" ")}`,
    );
  });
}

/** Decisions stay when a later run no longer meets their record: they are looked for among all there are. */
async function takeBack(context: CommandContext, words: readonly string[]): Promise<ExitName> {
  if (words.length === 0) throw new UsageError("Say what to take back: logferry quarantine take-back ID");
  const journal = await openOwnJournal(context.options);
  try {
    const rulings = (await journal.custody.rulings()).filter(({ ruling }) => ruling !== "undone");
    const taken: Ruling[] = [];
    for (const word of words) {
      const found = rulings.filter(({ key }) => key === word || (isShortId(word) && longId(key).startsWith(word)));
      if (found.length === 0) {
        throw new UsageError(
          `Cannot take back ${JSON.stringify(word)}: ${
            rulings.length === 0
              ? "nothing was decided by hand"
              : `decided were ${rulings
                  .slice(0, SHOWN)
                  .map(({ key, ruling, at }) => `${shortId(key)} (${ruling} on ${dayOf(at)})`)
                  .join(", ")}`
          }`,
        );
      }
      taken.push(...found);
    }
    for (const { key, ruling } of taken) await journal.custody.takeBack(key, ruling);
    context.output.conclude(
      `Taken back: ${taken.map(({ key, ruling }) => `${shortId(key)} is no longer ${ruling}`).join(", ")}. The next plan, or logferry quarantine retry, reads it as the source has it.`,
    );
    return "done";
  } finally {
    await journal.close();
  }
}

/** Opens the journal, finds the records that words name, and goes on with them. */
async function withQuarantined(
  { options }: CommandContext,
  words: readonly string[],
  then: (journal: Journal, entries: readonly [Quarantined, ...Quarantined[]]) => Promise<void>,
): Promise<ExitName> {
  const journal = await openOwnJournal(options);
  try {
    const base = await findBaseRun(journal, options.run);
    const [first, ...more] = namedIn(await quarantinedOf(journal, base), words, base);
    if (first !== undefined) await then(journal, [first, ...more]);
    return "done";
  } finally {
    await journal.close();
  }
}

/** @throws UsageError for a word that names nothing that is set aside, or two records */
function namedIn(all: readonly Quarantined[], words: readonly string[], base: Run): readonly Quarantined[] {
  const { entries, unknown, several } = chosen(all, words);
  const [word] = unknown;
  if (word !== undefined) {
    const rules = byRule(all).map(([rule]) => rule);
    throw new UsageError(
      `Cannot find ${JSON.stringify(word)} among what run ${base.id} set aside${rules.length === 0 ? ": there is nothing" : `: name an id, or one of ${rules.join(", ")}`}`,
    );
  }
  if (several.length > 0) throw new UsageError(`Several records begin with ${several.join(", ")}: type more of the id`);
  return entries;
}

function rulingOn({ line, issue }: Quarantined, ruling: RulingKind, at: number): Ruling {
  return { key: line.key, ruling, at, run: line.run, seq: line.seq, origin: line.origin, issue, fix: undefined };
}

function records(number: number): string {
  return number === 1 ? "1 record" : `${count(number)} records`;
}
