/**
 * Prints a batch in words: a table of all athletes, the reasons for unfinished ones, and the sentence that answers "is it done, and is it
 * good?".
 */
import type { Cause } from "../../pipelines/batch/causes.ts";
import { ATHLETE_STATUSES, countToLookAt, isDone, type Outcome } from "../../pipelines/batch/outcome.ts";
import { halfThere, inLog, LEDGER_COLUMNS, leftOutside } from "../../pipelines/journal/summary.ts";
import { utcText } from "../../transforms/calendar.ts";
import { printable } from "../../transforms/text/printable.ts";
import type { CommandContext } from "../arguments/command.ts";
import type { ExitName } from "../errors/exit-codes.ts";
import { pace } from "../login/pace.ts";
import { count, type Output, span, table } from "../terminal/output.ts";
import { loginLine } from "./athlete.ts";
import { printCauses } from "./causes.ts";
import { type AthleteResult, isToCarry } from "./run.ts";

/** Columns of a name in a table. */
const NAME_WIDTH = 28;

/** Prints the plan for all athletes, and its cost. */
export function printPreflight(context: CommandContext, results: readonly AthleteResult[]): void {
  const { output } = context;
  emitAll(output, results, "plan");
  const rows = results.map((one) => {
    const { athlete, outcome, wasDone } = one;
    const { ledger, cost, log } = outcome;
    const isPlanned = isToCarry(one);
    return [
      printable(athlete.name, NAME_WIDTH),
      printable(log?.account ?? "", NAME_WIDTH),
      ledger?.read ?? "",
      isPlanned && ledger !== undefined ? ledger.left - ledger.toUpdate : "",
      isPlanned && ledger !== undefined ? ledger.toUpdate : "",
      countToLookAt(outcome) ?? "",
      isPlanned ? (cost?.requests ?? "") : "",
      isPlanned && cost?.seconds !== undefined ? span(cost.seconds) : "",
      wasDone === true ? "done before" : ATHLETE_STATUSES[outcome.status].word,
    ];
  });
  output.say(
    ...table([["athlete", "log", "records", "create", "update", "to look at", "requests", "time", ""], ...rows]),
  );
  output.say();
  const isAllDone = results.length > 0 && results.every(({ wasDone }) => wasDone === true);
  output.say(isAllDone ? ALL_DONE : costOf(results.filter(isToCarry), context.options.hostRate));
  printAssumed(output, results.filter(isToCarry));
  printProblems(output, results);
}

const ALL_DONE = "All athletes were done before. Nothing to do.";

/** Names the athletes whose local times are assumed, an offset a line. */
function printAssumed(output: Output, results: readonly AthleteResult[]): void {
  const assumed = results.flatMap(({ outcome: { athlete, assumedTimes } }) =>
    assumedTimes === undefined ? [] : [{ athlete, ...assumedTimes }],
  );
  for (const [offset, of] of Map.groupBy(assumed, ({ offsetMinutes }) => offsetMinutes)) {
    const names = of
      .map(({ athlete, workouts }) => `${printable(athlete, NAME_WIDTH)} (${count(workouts)})`)
      .join(", ");
    output.remark(
      `Workouts without a known time zone, whose local times use the log's offset, ${utcText(offset)}: ${names}. If they were somewhere else, say where in the column "zone" of the roster, or with --zone Europe/Vienna`,
    );
  }
}

/** The requests and the time of all athletes that are ready, as a sentence. @param rate the option `--host-rate` */
function costOf(ready: readonly AthleteResult[], rate: CommandContext["options"]["hostRate"]): string {
  if (ready.length === 0) return "No athlete can be loaded now.";
  // A host on this machine has no limit, unless the options set one.
  const paceOf = ({ outcome }: AthleteResult) => pace({ rate, url: outcome.log?.url }).start;
  const paced = ready.filter((one) => paceOf(one) !== undefined);
  const perSecond = paced[0] && paceOf(paced[0]);
  const longest = Math.max(0, ...ready.map(({ outcome }) => outcome.cost?.seconds ?? 0));
  const seconds = Math.max(longest, perSecond === undefined ? 0 : requestsOf(paced) / perSecond);
  return `${athletes(ready.length)} to carry over: ${count(requestsOf(ready))} requests${seconds > 0 ? `, about ${span(seconds)}` : ""}${perSecond === undefined ? "" : ` at ${perSecond} a second for all together`}.`;
}

function requestsOf(results: readonly AthleteResult[]): number {
  return results.reduce((sum, { outcome }) => sum + (outcome.cost?.requests ?? 0), 0);
}

/**
 * Prints the results of all athletes.
 *
 * @param planned the preflight that was printed before: its reasons are already on the screen
 * @returns the exit code of the batch
 */
export function printBatch(
  context: CommandContext,
  results: readonly AthleteResult[],
  {
    isStopped,
    planned,
    causes,
  }: {
    readonly isStopped: boolean;
    readonly planned: readonly AthleteResult[];
    readonly causes: readonly Cause[];
  },
): ExitName {
  const { output } = context;
  emitAll(output, results, "result");
  const rows = results.map(({ athlete, outcome }) => {
    const { ledger, log } = outcome;
    return [
      printable(athlete.name, NAME_WIDTH),
      printable(log?.account ?? "", NAME_WIDTH),
      ledger?.read ?? "",
      ledger === undefined ? "" : inLog(ledger),
      ledger === undefined ? "" : leftOutside(ledger),
      countToLookAt(outcome) ?? "",
      ATHLETE_STATUSES[outcome.status].word,
    ];
  });
  output.say();
  output.say(...table([["athlete", "log", "records", "in the log", "left", "to look at", ""], ...rows]));
  const said = new Set(planned.map(reasonIn));
  const news = results.filter((one) => !said.has(reasonIn(one)));
  printProblems(output, news);
  printCauses(output, causes);
  const totals = totalsOf(results);
  const exit = exitOfBatch(results, isStopped);
  output.emit("batch", { ...totals, exit });
  output.conclude(closing(totals, exit));
  return exit;
}

/** Sums over all athletes. */
export function totalsOf(results: readonly AthleteResult[]) {
  const sum = (column: (typeof LEDGER_COLUMNS)[number] | "read") =>
    results.reduce((total, { outcome }) => total + (outcome.ledger?.[column] ?? 0), 0);
  const statuses = Map.groupBy(results, ({ outcome }) => outcome.status);
  return {
    athletes: results.length,
    statuses: Object.fromEntries([...statuses].map(([status, of]) => [status, of.length])),
    ledger: Object.fromEntries((["read", ...LEDGER_COLUMNS] as const).map((column) => [column, sum(column)])),
    requests: results.reduce((total, { outcome, wasDone }) => total + (wasDone === true ? 0 : outcome.requests), 0),
  };
}

/** The exit code of a dry run: 3 also where a plan that can begin has something to look at, as for `plan` itself. */
export function exitOfPlans(results: readonly AthleteResult[]): ExitName {
  const exit = exitOfBatch(results, false);
  const isOpen = results.some((one) => isToCarry(one) && one.outcome.isToLookAt === true);
  return exit === "done" && isOpen ? "setAside" : exit;
}

/** 0 when all is well; stopped when the person only needs to resume; otherwise somebody must look. */
export function exitOfBatch(results: readonly AthleteResult[], isStopped: boolean): ExitName {
  if (isStopped) return "stopped";
  const open = results.filter(({ outcome }) => !ATHLETE_STATUSES[outcome.status].isGood);
  if (open.length === 0) return "done";
  return open.every(({ outcome }) => outcome.status === "stopped") ? "stopped" : "setAside";
}

function closing(totals: ReturnType<typeof totalsOf>, exit: ExitName): string {
  const { verified = 0, loaded = 0 } = totals.statuses as Partial<Record<string, number>>;
  const good = verified + loaded;
  const others = totals.athletes - good;
  const what = `${count(good)} of ${athletes(totals.athletes)} ${totals.athletes === 1 ? "is" : "are"} done${loaded === 0 ? " and verified" : ""}; ${count(totals.requests)} requests were used`;
  if (exit === "stopped") return `Stopped early. ${what}. The same command goes on where each stood.`;
  if (others === 0) return `Done. ${what}.`;
  return `Done, with ${athletes(others)} to look at. ${what}. Mend it, then run the same command again. --retry-failed takes only these.`;
}

/** What is printed of an athlete who isn't done. */
function reasonIn({ outcome: { athlete, status, why, note } }: AthleteResult): string {
  return JSON.stringify([athlete, status, why, note]);
}

function printProblems(output: Output, results: readonly AthleteResult[]): void {
  for (const { athlete, outcome } of results) {
    if (outcome.note !== undefined) output.remark(`${printable(athlete.name, NAME_WIDTH)}: ${outcome.note}`);
    if (isDone(outcome) || outcome.status === "ready") continue;
    const half = outcome.ledger === undefined ? [] : halfThere(outcome.ledger);
    output.remark(`${printable(athlete.name, NAME_WIDTH)}: ${[whyOf({ athlete, outcome }), ...half].join(". ")}`);
  }
}

/** The next step where a worker asked its own command for the token: what the roster says was not asked then. */
export const OF_WORKER = "Mend the --token-command of the worker, or what it asks";

/** The next step where the fleet has a token sealed: it comes before the one that the roster names. */
export const OF_SEALED =
  "The fleet has their token sealed, and takes that one. Put a new one where the roster says, then run the same batch with --recipient";

/** Why an athlete is not done, and the next step, for the coach. */
export function whyOf({ athlete, outcome }: AthleteResult): string {
  const said = outcome.why ?? ATHLETE_STATUSES[outcome.status].means;
  if (outcome.status === "login" && !said.includes(OF_WORKER) && !said.includes(OF_SEALED)) {
    const line = loginLine(athlete, outcome.log?.url);
    const advice =
      line === undefined ? `Put a new token where the roster says (${athlete.token.from})` : `Log in again: ${line}`;
    return said.includes(line ?? advice) ? said : `${said}. ${advice}`;
  }
  if (outcome.status === "held") return `held: ${said}`;
  return said;
}

function emitAll(output: Output, results: readonly AthleteResult[], phase: "plan" | "result"): void {
  for (const { outcome, wasDone } of results)
    output.emit("athlete", { phase, ...asJson(outcome), ...(wasDone && { wasDone }) });
}

/** An outcome for a JSON line. */
export function asJson({
  fingerprint: _mark,
  knownBy: _marks,
  isAway: _,
  isOfOwnDisk: __,
  isForNewer: ___,
  at,
  ...outcome
}: Outcome): Record<string, unknown> {
  return { ...outcome, at: new Date(at).toISOString() };
}

/** `1 athlete`, `40 athletes` */
export function athletes(number: number): string {
  return `${count(number)} ${number === 1 ? "athlete" : "athletes"}`;
}
