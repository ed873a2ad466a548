/** Where everybody of a roster stands, from what is remembered and from their journals: no log is asked, and a batch may be running. */
import { existsSync } from "node:fs";
import { type Outcome, readOutcome, STANDINGS } from "../../pipelines/batch/outcome.ts";
import { holderOf } from "../../pipelines/journal/lock.ts";
import { openJournalToRead } from "../../pipelines/journal/sqlite.ts";
import { type Ledger, needsAttention, summarise } from "../../pipelines/summary.ts";
import { printable } from "../../transforms/printable.ts";
import type { CommandContext } from "../command.ts";
import type { ExitName } from "../exit-codes.ts";
import { count, table } from "../output.ts";
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
}

/** Prints where everybody stands. */
export async function showStatus({ output }: CommandContext, athletes: readonly Athlete[]): Promise<ExitName> {
  const rows: (string | number)[][] = [["athlete", "records", "in the log", "left", "aside", "", "since"]];
  const all: Now[] = [];
  for (const athlete of athletes) {
    const now = await standingNow(athlete);
    all.push(now);
    const { outcome, ledger, holder } = now;
    const state =
      holder !== undefined ? "under way" : outcome === undefined ? "not begun" : STANDINGS[outcome.standing].word;
    output.emit("athlete", {
      phase: "status",
      athlete: athlete.name,
      ...(outcome !== undefined && asJson(outcome)),
      ...(ledger !== undefined && { ledger }),
      ...(holder !== undefined && { holder }),
    });
    rows.push([
      printable(athlete.name, 28),
      ledger?.read ?? "",
      ledger === undefined ? "" : ledger.created + ledger.updated + ledger.unchanged + ledger.merged,
      ledger?.left ?? "",
      ledger === undefined ? "" : needsAttention(ledger),
      state,
      outcome === undefined ? "" : `${new Date(outcome.at).toISOString().slice(0, 16).replace("T", " ")} UTC`,
    ]);
  }
  output.say(table(rows));
  for (const { athlete, outcome } of all)
    if (outcome !== undefined && !STANDINGS[outcome.standing].isGood)
      output.say(`  ${printable(athlete.name, 28)}: ${whyOf({ athlete, outcome })}`);
  const words = Map.groupBy(all, ({ outcome, holder }) =>
    holder !== undefined ? "under way" : outcome === undefined ? "not begun" : STANDINGS[outcome.standing].word,
  );
  const standings = Object.fromEntries([...words].map(([word, of]) => [word, of.length]));
  output.emit("batch", { athletes: all.length, standings });
  output.conclude(
    `${inWords(all.length)}: ${[...words].map(([word, of]) => `${count(of.length)} ${word}`).join(", ")}.`,
  );
  return "done";
}

async function standingNow(athlete: Athlete): Promise<Now> {
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
