import { existsSync } from "node:fs";
import { takePromotionLock } from "../../pipelines/journal/lock.ts";
import type { Promotes, Run } from "../../pipelines/journal/run.ts";
import { type Comparison, compareRuns, type Differing } from "../../pipelines/promote/compare-runs.ts";
import { takeDecisions } from "../../pipelines/promote/take-decisions.ts";
import type { CommandContext } from "../arguments/command.ts";
import { type ExitName, UsageError } from "../errors/exit-codes.ts";
import { exitOfRun } from "../printing/closing.ts";
import { type Backlog, emitBacklog, endOf, limitsInWords, momentInWords } from "../rehearsal/backlog.ts";
import { outOption, rehearsalFolder } from "../rehearsal/kept.ts";
import { emitDifference, printComparison } from "../rehearsal/print-comparison.ts";
import { asRehearsed, openRehearsed, type Rehearsed } from "../rehearsal/rehearsed.ts";
import { measure, type Promoting, sendOn, sendPart, waitsOut } from "../rehearsal/send.ts";
import { SendingLimits } from "../rehearsal/sending-limits.ts";
import { canAsk } from "../session/ask-choices.ts";
import { journalPath, openOwnJournalToRead, pricing } from "../session/own-journal.ts";
import type { LogSession } from "../session/session.ts";
import type { Guard } from "../session/who-is-who.ts";
import { withPlan } from "../session/with-plan.ts";
import { asInPromotion } from "../suggested-commands.ts";
import { openLines } from "../terminal/ask-lines.ts";
import { many } from "../terminal/output.ts";

/** A plan that was made so long ago is compared with the log once more before it is carried out. */
const FRESH_MS = 60_000;

/** `logferry promote`: does in the real log what a rehearsal did in a private one. */
export async function act(typed: CommandContext): Promise<ExitName> {
  const context = { ...typed, output: asInPromotion(typed.output) };
  const folder = rehearsalFolder(context);
  await using rehearsed = await openRehearsed(folder);
  using _lock = takePromotionLock(folder);
  const own = await asRehearsed(context, rehearsed);
  const { at, perDay, acceptDifferences } = context.options;
  const typedLimits = { log: journalPath(own.options), ...(at && { at }), ...(perDay !== undefined && { perDay }) };
  const limits = new SendingLimits(folder, typedLimits, own.now);
  const promoting: Promoting = { folder, limits, goOn: `logferry promote${outOption(folder)}` };
  const begun = await findBegun(own, rehearsed);
  const accepts = acceptDifferences === true && begun?.options.promotes?.acceptsDifferences !== true;
  if (begun === undefined || accepts) return await new Promotion(own, rehearsed, promoting).plan();
  own.output.say(`Run ${begun.id} goes on: it promotes the rehearsal in ${folder}.`);
  if (own.options.dryRun === true) {
    own.output.conclude("Dry run: nothing was changed. See what is left with: logferry status");
    return "stopped";
  }
  limits.beginWriting();
  return await sendOn(own, begun.id, promoting);
}

/** The run that promotes this rehearsal, if it was begun and is not over. */
async function findBegun({ options }: CommandContext, rehearsed: Rehearsed): Promise<Run | undefined> {
  if (!existsSync(journalPath(options))) return undefined;
  await using journal = await openOwnJournalToRead(options);
  const run = await journal.run();
  const { folder, run: number, createdAt } = run?.options.promotes ?? {};
  const { run: last } = rehearsed;
  const isSame = folder === rehearsed.folder && number === last.id && createdAt === last.createdAt;
  return isSame && (run?.state === "running" || run?.state === "stopped") ? run : undefined;
}

/** One promotion from its plan on. */
class Promotion {
  readonly #context: CommandContext;
  readonly #rehearsed: Rehearsed;
  readonly #promoting: Promoting;
  readonly #doubtful = new Map<number, string>();
  readonly #differing: Differing[] = [];
  #comparison: Comparison | undefined;
  #plannedAt = 0;
  #waits: Run | undefined;

  constructor(context: CommandContext, rehearsed: Rehearsed, promoting: Promoting) {
    this.#context = context;
    this.#rehearsed = rehearsed;
    this.#promoting = promoting;
  }

  async plan(): Promise<ExitName> {
    const { limits } = this.#promoting;
    limits.open();
    const exit = await withPlan(this.#context, (session, run, guard) => this.#then(session, run, guard), {
      shared: { long: limits },
      purpose: () => {
        this.#doubtful.clear();
        const onDoubtfulInLog = (seq: number, theirs: string) => void this.#doubtful.set(seq, theirs);
        const { utcOffset } = this.#rehearsed.run.options;
        return { promoting: { promotes: this.#promotes(), utcOffset, onDoubtfulInLog } };
      },
      before: async ({ journal }) => void (await takeDecisions(this.#rehearsed.journal, journal)),
      amend: (session, run) => this.#compare(session, run),
    });
    return this.#waits === undefined ? exit : await sendOn(this.#context, this.#waits.id, this.#promoting);
  }

  #promotes(): Promotes {
    const { folder, run } = this.#rehearsed;
    const accepts = this.#context.options.acceptDifferences === true;
    return { folder, run: run.id, createdAt: run.createdAt, ...(accepts && { acceptsDifferences: true }) };
  }

  async #compare({ journal }: LogSession, run: Run): Promise<void> {
    const { output, options, now } = this.#context;
    const found: Differing[] = [];
    this.#comparison = await compareRuns({
      ...{ journal, run, rehearsal: this.#rehearsed.journal, rehearsed: this.#rehearsed.run },
      ...{ doubtful: this.#doubtful, accepts: options.acceptDifferences === true },
      onDifference: (differing) => {
        emitDifference(output, differing);
        if (!differing.waits) found.push(differing);
        this.#differing.push(differing);
      },
    });
    for (const { rule, says, origin } of found)
      await journal.addIssue(run.id, { severity: "warning", rule, found: says, origin });
    this.#plannedAt = now();
  }

  async #then(session: LogSession, run: Run, guard: Guard | undefined): Promise<ExitName> {
    const { output, options, now } = this.#context;
    const { limits, goOn } = this.#promoting;
    if (this.#comparison !== undefined)
      printComparison(output, this.#comparison, this.#differing, `${goOn} --accept-differences`);
    const isTime = limits.opensAt(1) <= now();
    const backlog = await measure(this.#context, session, run, this.#promoting, isTime);
    const { end } = endOf(backlog, limits);
    await this.#sayCost(session, run, backlog);
    if (options.dryRun === true) {
      output.conclude("Dry run: nothing was changed. Without -n, this is what will be done.");
      return exitOfRun(session.journal, run, "plan");
    }
    if (backlog.records > 0 && !(await this.#agrees(backlog))) {
      output.conclude(`Nothing was changed. To do it: ${goOn}`);
      return "done";
    }
    await guard?.remember();
    limits.beginWriting(end);
    if (backlog.records > 0 && !isTime) {
      limits.close();
      this.#waits = run;
      // From now on the run counts as begun, so that the same command goes on with it.
      await session.journal.setRunState(run.id, "stopped", now());
      return "stopped";
    }
    const isFresh = now() - this.#plannedAt < FRESH_MS;
    try {
      const exit = await sendPart(this.#context, session, run, this.#promoting, isFresh);
      if (exit !== undefined) return exit;
    } catch (error) {
      if (!waitsOut(this.#context, this.#promoting, error)) throw error;
    }
    this.#waits = run;
    return "stopped";
  }

  async #sayCost({ journal, url }: LogSession, run: Run, backlog: Backlog): Promise<void> {
    const { output, options } = this.#context;
    const { limits, folder } = this.#promoting;
    emitBacklog(output, run, backlog, folder);
    if (backlog.records === 0 || backlog.expected === undefined) return;
    const { end, days } = backlog.expected;
    const held = limitsInWords(limits);
    const { perSecond } = pricing(options, url, "now");
    const over = days > 1 ? `, on ${many(days, "day")}` : "";
    // A log on this machine answers as fast as it can, and nobody knows how fast that is.
    if (held !== undefined || perSecond !== undefined)
      output.say(`It ends about ${momentInWords(end)}${over}${held === undefined ? "" : ` (${held})`}.`);
    const months = (await journal.months(run.id)).filter(({ state }) => state === "planned");
    const years = months.flatMap(({ month }) => (month === undefined ? [] : [month.slice(0, 4)]));
    const [first, last] = [years.at(-1), years[0]];
    const span = first === undefined ? "" : first === last ? `: ${first}` : `: from ${first} back to ${last}`;
    output.say(`Gear and courses go first, then the workouts, newest first${span}.`, "");
  }

  async #agrees({ records }: Backlog): Promise<boolean> {
    const { options, output, input, signal } = this.#context;
    if (options.yes === true) return true;
    if (!canAsk(this.#context))
      throw new UsageError(
        "Nothing was changed: promote asks before it writes to your log. Without a terminal add --yes",
      );
    output.remark(
      `Send ${many(records, "record")} to your log now? Type yes or y, and press Enter. Enter alone, or any other word, ends it here and changes nothing.`,
    );
    const lines = openLines(input, signal);
    try {
      const answer = await lines.next();
      const isYes = /^y(es)?$/i.test(answer ?? "");
      if (!isYes && answer !== undefined) output.say(answer === "" ? "You pressed Enter alone." : "That was not yes.");
      return isYes;
    } finally {
      lines.close();
    }
  }
}
