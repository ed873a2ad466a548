/** What stands against closing an account where a run covers a part of the sources only, or was undone. */
import { grouped } from "../../transforms/text/grouped.ts";
import { shellWord } from "../../transforms/text/shell.ts";
import type { ReasonRow } from "../journal/counts.ts";
import { importAgain } from "../journal/options-again.ts";
import type { Run } from "../journal/run.ts";
import { inLog, type Ledger } from "../journal/summary.ts";
import { obstacle } from "./obstacle.ts";
import type { Verdict } from "./schema.ts";

type Obstacle = Verdict["obstacles"][number];

/**
 * Obstacles for a run that covers only a part of the sources, or went to no real log: a rehearsal, a restore, a retry, or records that were undone. Its results prove nothing
 * about the rest of the sources.
 */
export function partly(run: Run, undone: number): readonly Obstacle[] {
  const { retryOf, restores, rehearsedIn } = run.options;
  return [
    ...obstacle(rehearsedIn === undefined ? 0 : 1, {
      code: "a-rehearsal",
      text: () => "this was a rehearsal, and nothing of it is in your real log",
      todo: `Do the same for real: logferry promote --out ${shellWord(rehearsedIn ?? "")}`,
    }),
    ...obstacle(restores === undefined ? 0 : 1, {
      code: "a-restore",
      text: () => "this run put a snapshot of a log back, and carried nothing over from another account",
      todo: "What of the snapshot is not in the log is listed below. Put it back once more with: logferry restore",
    }),
    ...obstacle(retryOf === undefined ? 0 : 1, {
      code: "part-of-a-run",
      text: () => `this run retried single records of run ${retryOf}, and says nothing of the others`,
      todo: "Import the same sources once more (nothing is written twice), and verify that run: logferry verify",
    }),
    ...obstacle(undone, {
      code: "undone",
      text: (n) => `${many(n)} of the run ${n === 1 ? "was" : "were"} put back as before`,
      todo: `You asked for that with logferry undo, and later imports leave it so. To have the values of the sources after all: ${importAgain(run)} --again`,
    }),
  ];
}

/** Obstacles for a run that was undone and made records: the log still has them, and the person said that they are to go. */
export function madeAndUndone(run: Run, made: number): readonly Obstacle[] {
  return obstacle(made, {
    code: "undone",
    text: (n) =>
      `you undid this run, and ${many(n)} that it made ${n === 1 ? "is" : "are"} yours to take out of the log`,
    todo: `Taken out, they are in the old account alone. If they are to stay, import the same sources once more: ${importAgain(run)}`,
  });
}

function many(n: number): string {
  return `${grouped(n)} record${n === 1 ? "" : "s"}`;
}

/**
 * An obstacle for a run whose sources have no record, such as a table with a header alone, or of which rules left every record out. It says nothing about the account's workouts, which other files may have. Records outside
 * the days that were asked for have an obstacle of their own, and what a person dropped has none.
 */
export function nothingOfIt(all: Ledger, reasons: readonly ReasonRow[]): readonly Obstacle[] {
  const outside = reasons.filter(({ rule }) => rule === "plan/outside-dates").reduce((sum, row) => sum + row.count, 0);
  const byRules = all.skipped - (all.dropped ?? 0) - outside;
  const isEmpty = all.read === 0;
  return obstacle(isEmpty ? 1 : all.skipped === all.read && inLog(all) === 0 ? byRules : 0, {
    code: "nothing-of-it",
    text: (n) =>
      isEmpty
        ? "these sources have no record"
        : `nothing of these sources is in the log: ${many(n)} ${n === 1 ? "was" : "were"} left out by a rule`,
    todo: "See what they are: logferry status. Import the files of the account that have its workouts, and issue the certificate of that run.",
  });
}
