/** A batch in words: a table of everybody, why some are not done, and the sentence that answers "is it done, and is it good?". */
import { isDone, type Outcome, STANDINGS } from "../../pipelines/batch/outcome.ts";
import { LEDGER_COLUMNS, needsAttention } from "../../pipelines/journal/summary.ts";
import { printable } from "../../transforms/text/printable.ts";
import type { CommandContext } from "../arguments/command.ts";
import type { ExitName } from "../errors/exit-codes.ts";
import { pace } from "../login/connect.ts";
import { count, type Output, span, table } from "../terminal/output.ts";
import { loginLine } from "./athlete.ts";
import { isToCarry, type Placed } from "./run.ts";

/** Columns of a name in a table. */
const NAME_WIDTH = 28;

/** Says what would be done for everybody, and what it costs. */
export function printPreflight(context: CommandContext, placed: readonly Placed[]): void {
  const { output } = context;
  emitAll(output, placed, "plan");
  const rows = placed.map((one) => {
    const { athlete, outcome, wasDone } = one;
    const { ledger, cost, log } = outcome;
    const isPlanned = isToCarry(one);
    return [
      printable(athlete.name, NAME_WIDTH),
      printable(log?.account ?? "", NAME_WIDTH),
      ledger?.read ?? "",
      isPlanned && ledger !== undefined ? ledger.left - ledger.toUpdate : "",
      isPlanned && ledger !== undefined ? ledger.toUpdate : "",
      ledger === undefined ? "" : needsAttention(ledger),
      isPlanned ? (cost?.requests ?? "") : "",
      isPlanned && cost?.seconds !== undefined ? span(cost.seconds) : "",
      wasDone === true ? "done before" : STANDINGS[outcome.standing].word,
    ];
  });
  output.say(table([["athlete", "log", "records", "create", "update", "aside", "requests", "time", ""], ...rows]));
  const ready = placed.filter(isToCarry);
  const requests = ready.reduce((sum, { outcome }) => sum + (outcome.cost?.requests ?? 0), 0);
  const perSecond = pace({ rate: context.options.hostRate }).start;
  const longest = Math.max(0, ...ready.map(({ outcome }) => outcome.cost?.seconds ?? 0));
  const seconds = Math.max(longest, perSecond === undefined ? 0 : requests / perSecond);
  output.say();
  if (ready.length === 0) output.say("There is nobody to carry over.");
  else
    output.say(
      `${athletes(ready.length)} to carry over: ${count(requests)} requests${seconds > 0 ? `, about ${span(seconds)}` : ""}${perSecond === undefined ? "" : ` at ${perSecond} a second for all together`}.`,
    );
  printTroubles(output, placed);
}

/**
 * Says what became of everybody.
 *
 * @param isNews whether anybody was carried over since the preflight was told of: else its reasons stand there already
 * @returns the exit the batch deserves
 */
export function printBatch(
  context: CommandContext,
  placed: readonly Placed[],
  { isStopped, isNews }: { readonly isStopped: boolean; readonly isNews: boolean },
): ExitName {
  const { output } = context;
  emitAll(output, placed, "result");
  const rows = placed.map(({ athlete, outcome }) => {
    const { ledger, log } = outcome;
    const inLog = ledger === undefined ? "" : ledger.created + ledger.updated + ledger.unchanged + ledger.merged;
    return [
      printable(athlete.name, NAME_WIDTH),
      printable(log?.account ?? "", NAME_WIDTH),
      ledger?.read ?? "",
      inLog,
      ledger?.left ?? "",
      ledger === undefined ? "" : needsAttention(ledger),
      STANDINGS[outcome.standing].word,
    ];
  });
  output.say();
  output.say(table([["athlete", "log", "records", "in the log", "left", "aside", ""], ...rows]));
  if (isNews) printTroubles(output, placed);
  const totals = totalsOf(placed);
  const exit = exitOfBatch(placed, isStopped);
  output.emit("batch", { ...totals, exit });
  output.conclude(closing(totals, exit));
  return exit;
}

/** Sums over everybody. */
export function totalsOf(placed: readonly Placed[]) {
  const sum = (column: (typeof LEDGER_COLUMNS)[number] | "read") =>
    placed.reduce((total, { outcome }) => total + (outcome.ledger?.[column] ?? 0), 0);
  const standings = Map.groupBy(placed, ({ outcome }) => outcome.standing);
  return {
    athletes: placed.length,
    standings: Object.fromEntries([...standings].map(([standing, of]) => [standing, of.length])),
    ledger: Object.fromEntries((["read", ...LEDGER_COLUMNS] as const).map((column) => [column, sum(column)])),
    requests: placed.reduce((total, { outcome, wasDone }) => total + (wasDone === true ? 0 : outcome.requests), 0),
  };
}

/** 0 when all is well; stopped where going on is all there is to do; else somebody has to look. */
export function exitOfBatch(placed: readonly Placed[], isStopped: boolean): ExitName {
  if (isStopped) return "stopped";
  const open = placed.filter(({ outcome }) => !STANDINGS[outcome.standing].isGood);
  if (open.length === 0) return "done";
  return open.every(({ outcome }) => outcome.standing === "stopped") ? "stopped" : "setAside";
}

function closing(totals: ReturnType<typeof totalsOf>, exit: ExitName): string {
  const { verified = 0, loaded = 0 } = totals.standings as Partial<Record<string, number>>;
  const good = verified + loaded;
  const others = totals.athletes - good;
  const what = `${count(good)} of ${athletes(totals.athletes)} ${totals.athletes === 1 ? "is" : "are"} done${loaded === 0 ? " and verified" : ""}; ${count(totals.requests)} requests were used`;
  if (exit === "stopped") return `Stopped early. ${what}. The same command goes on where each stood.`;
  if (others === 0) return `Done. ${what}.`;
  return `Done, with ${athletes(others)} to look at. ${what}. Once it is mended, the same command goes on; --retry-failed takes only these.`;
}

function printTroubles(output: Output, placed: readonly Placed[]): void {
  for (const { athlete, outcome } of placed) {
    if (isDone(outcome) || outcome.standing === "ready") continue;
    output.remark(`${printable(athlete.name, NAME_WIDTH)}: ${whyOf({ athlete, outcome })}`);
  }
}

/** Why an athlete is not done, and what to do: for the coach. */
export function whyOf({ athlete, outcome }: Placed): string {
  const said = outcome.why ?? STANDINGS[outcome.standing].means;
  const line = loginLine(athlete, outcome.log?.url);
  if (outcome.standing === "login") return said.includes(line) ? said : `${said}. Log in again: ${line}`;
  if (outcome.standing === "held") return `held: ${said}`;
  return said;
}

function emitAll(output: Output, placed: readonly Placed[], phase: "plan" | "result"): void {
  for (const { outcome, wasDone } of placed)
    output.emit("athlete", { phase, ...asJson(outcome), ...(wasDone && { wasDone }) });
}

/** An outcome for a JSON line. */
export function asJson({ mark: _mark, knownBy: _marks, at, ...outcome }: Outcome): Record<string, unknown> {
  return { ...outcome, at: new Date(at).toISOString() };
}

/** `1 athlete`, `40 athletes` */
export function athletes(number: number): string {
  return `${count(number)} ${number === 1 ? "athlete" : "athletes"}`;
}
