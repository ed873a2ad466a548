/** Where everybody of a roster stands, from what is remembered and from their journals: no log is asked, and a batch may be running. */
import { existsSync } from "node:fs";
import { type Outcome, readOutcome, STANDINGS } from "../../pipelines/batch/outcome.ts";
import { holderOf } from "../../pipelines/journal/lock.ts";
import { openJournalToRead } from "../../pipelines/journal/sqlite.ts";
import { type Ledger, needsAttention, summarise } from "../../pipelines/journal/summary.ts";
import { printable } from "../../transforms/text/printable.ts";
import type { CommandContext } from "../arguments/command.ts";
import { troubleOf } from "../errors/describe-error.ts";
import type { ExitName } from "../errors/exit-codes.ts";
import { isOfSystem, stateOf } from "../errors/system-errors.ts";
import { count, table } from "../terminal/output.ts";
import { BATCH_FOLDER, journalOf } from "./athlete.ts";
import { asJson, athletes as inWords, whyOf } from "./print.ts";
import type { Athlete } from "./roster.ts";

/** How an athlete stands now. */
interface Now {
  readonly athlete: Athlete;
  readonly outcome: Outcome | undefined;
  readonly ledger: Ledger | undefined;
  /** Who works on it, where somebody does. */
  readonly holder: string | undefined;
  /** Why more can't be said of them. */
  readonly trouble?: string;
}

/** Prints where everybody stands. */
export async function showStatus({ output }: CommandContext, athletes: readonly Athlete[]): Promise<ExitName> {
  const rows: (string | number)[][] = [["athlete", "records", "in the log", "left", "aside", "", "since"]];
  const all: Now[] = [];
  for (const athlete of athletes) {
    const now = await standingNow(athlete);
    all.push(now);
    const { outcome, ledger, holder, trouble } = now;
    output.emit("athlete", {
      phase: "status",
      athlete: athlete.name,
      ...(outcome !== undefined && asJson(outcome)),
      ...(ledger !== undefined && { ledger }),
      ...(holder !== undefined && { holder }),
      ...(trouble !== undefined && { trouble }),
    });
    rows.push([
      printable(athlete.name, 28),
      ledger?.read ?? "",
      ledger === undefined ? "" : ledger.created + ledger.updated + ledger.unchanged + ledger.merged,
      ledger?.left ?? "",
      ledger === undefined ? "" : needsAttention(ledger),
      wordOf(now),
      outcome === undefined ? "" : `${new Date(outcome.at).toISOString().slice(0, 16).replace("T", " ")} UTC`,
    ]);
  }
  output.say(table(rows));
  for (const { athlete, outcome, holder, trouble } of all) {
    if (trouble !== undefined) output.say(`  ${printable(athlete.name, 28)}: ${trouble}`);
    // Whoever is under way says more when they are through.
    else if (holder === undefined && outcome !== undefined && !STANDINGS[outcome.standing].isGood)
      output.say(`  ${printable(athlete.name, 28)}: ${whyOf({ athlete, outcome })}`);
  }
  const words = Map.groupBy(all, wordOf);
  const standings = Object.fromEntries([...words].map(([word, of]) => [word, of.length]));
  output.emit("batch", { athletes: all.length, standings });
  output.conclude(
    `${inWords(all.length)}: ${[...words].map(([word, of]) => `${count(of.length)} ${word}`).join(", ")}.`,
  );
  return all.some(({ trouble }) => trouble !== undefined) ? "setAside" : "done";
}

function wordOf({ outcome, holder, trouble }: Now): string {
  if (trouble !== undefined) return "unreadable";
  if (holder !== undefined) return "under way";
  return STANDINGS[outcome?.standing ?? "unbegun"].word;
}

/** Never throws for what is one athlete's: the others are to be seen all the same. */
async function standingNow(athlete: Athlete): Promise<Now> {
  try {
    return await readStanding(athlete);
  } catch (error) {
    const trouble = isOfSystem(error) ? `Cannot read how they stand: ${stateOf(error)}` : troubleOf(error)?.message;
    if (trouble === undefined) throw error;
    return { athlete, outcome: undefined, ledger: undefined, holder: undefined, trouble };
  }
}

async function readStanding(athlete: Athlete): Promise<Now> {
  const outcome = await readOutcome(BATCH_FOLDER, athlete.key);
  const path = journalOf(athlete);
  if (!existsSync(path)) return { athlete, outcome, ledger: outcome?.ledger, holder: undefined };
  const holder = holderOf(path);
  const journal = await openJournalToRead(path);
  try {
    const run = await journal.run(undefined);
    const ledger = run === undefined ? undefined : (await summarise(journal, run)).all;
    return { athlete, outcome, ledger, holder };
  } finally {
    await journal.close();
  }
}
