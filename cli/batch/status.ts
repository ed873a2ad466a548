/**
 * Shows the state of all athletes in a roster, from the remembered outcomes and the journals. It asks no log, and a batch may be running
 * meanwhile.
 */

import { existsSync } from "node:fs";
import { ATHLETE_STATUSES, countToLookAt, type Outcome, readOutcome } from "../../pipelines/batch/outcome.ts";
import { findHolder } from "../../pipelines/journal/lock.ts";
import { openJournalToRead } from "../../pipelines/journal/sqlite.ts";
import { halfThere, inLog, type Ledger, leftOutside, summarise } from "../../pipelines/journal/summary.ts";
import { defined } from "../../transforms/model/defined.ts";
import { printable } from "../../transforms/text/printable.ts";
import type { CommandContext } from "../arguments/command.ts";
import { describeError } from "../errors/describe-error.ts";
import type { ExitName } from "../errors/exit-codes.ts";
import { describeSystemError, isOfSystem } from "../errors/system-errors.ts";
import { count, table } from "../terminal/output.ts";
import { batchFolder, journalOf } from "./athlete.ts";
import { asJson, athletes as inWords, whyOf } from "./print.ts";
import type { Athlete } from "./roster.ts";

/** The current state of an athlete. */
interface Now {
  readonly athlete: Athlete;
  readonly outcome: Outcome | undefined;
  readonly ledger: Ledger | undefined;
  readonly unreadValues?: number;
  /** The process that works on it, if there is one. */
  readonly holder: string | undefined;
  /** Why the state is not known in full. */
  readonly problem?: string;
}

/** Prints the states of all athletes. */
export async function showStatus({ output }: CommandContext, athletes: readonly Athlete[]): Promise<ExitName> {
  const rows: (string | number)[][] = [["athlete", "records", "in the log", "left", "to look at", "", "since"]];
  const all: Now[] = [];
  for (const athlete of athletes) {
    const now = await statusNow(athlete);
    all.push(now);
    const { outcome, ledger, holder, problem } = now;
    output.emit("athlete", {
      phase: "status",
      athlete: athlete.name,
      ...(outcome !== undefined && asJson(outcome)),
      ...defined({ ledger, holder, problem }),
    });
    rows.push([
      printable(athlete.name, 28),
      ledger?.read ?? "",
      ledger === undefined ? "" : inLog(ledger),
      ledger === undefined ? "" : leftOutside(ledger),
      countToLookAt(now) ?? "",
      wordOf(now),
      outcome === undefined ? "" : `${new Date(outcome.at).toISOString().slice(0, 16).replace("T", " ")} UTC`,
    ]);
  }
  output.say(...table(rows));
  for (const { athlete, outcome, ledger, holder, problem } of all) {
    for (const line of ledger === undefined ? [] : halfThere(ledger, holder !== undefined))
      output.say(`  ${printable(athlete.name, 28)}: ${line}`);
    if (problem !== undefined) output.say(`  ${printable(athlete.name, 28)}: ${problem}`);
    // An athlete who is being loaded gets their outcome at the end.
    else if (holder === undefined && outcome !== undefined && !ATHLETE_STATUSES[outcome.status].isGood)
      output.say(`  ${printable(athlete.name, 28)}: ${whyOf({ athlete, outcome })}`);
  }
  const words = Map.groupBy(all, wordOf);
  const statuses = Object.fromEntries([...words].map(([word, of]) => [word, of.length]));
  output.emit("batch", { athletes: all.length, statuses });
  output.conclude(
    `${inWords(all.length)}: ${[...words].map(([word, of]) => `${count(of.length)} ${word}`).join(", ")}.`,
  );
  return all.some(({ problem }) => problem !== undefined) ? "setAside" : "done";
}

function wordOf({ outcome, holder, problem }: Now): string {
  if (problem !== undefined) return "unreadable";
  if (holder !== undefined) return "under way";
  return ATHLETE_STATUSES[outcome?.status ?? "unbegun"].word;
}

/** Never throws for a problem of one athlete, so that the others are still shown. */
async function statusNow(athlete: Athlete): Promise<Now> {
  try {
    return await readStatus(athlete);
  } catch (error) {
    const problem = isOfSystem(error)
      ? `Cannot read how they stand: ${describeSystemError(error)}`
      : describeError(error)?.message;
    if (problem === undefined) throw error;
    return { athlete, outcome: undefined, ledger: undefined, holder: undefined, problem };
  }
}

async function readStatus(athlete: Athlete): Promise<Now> {
  const outcome = await readOutcome(batchFolder(), athlete.key);
  const path = journalOf(athlete);
  if (!existsSync(path)) return { athlete, outcome, ledger: outcome?.ledger, holder: undefined };
  const holder = findHolder(path);
  await using journal = await openJournalToRead(path);
  const run = await journal.run(undefined);
  if (run === undefined) return { athlete, outcome, ledger: undefined, holder };
  const { all, unreadValues } = await summarise(journal, run);
  return { athlete, outcome, ledger: all, ...(unreadValues && { unreadValues: unreadValues.count }), holder };
}
