/** `logferry batch forget`: takes the athletes of a roster out of the database of a fleet once it is over. */
import { basename } from "node:path";
import { isDone } from "../../pipelines/batch/outcome.ts";
import type { AthleteNow } from "../../pipelines/fleet/athletes.ts";
import { forgetAthletes, type Removed, removedFrom } from "../../pipelines/fleet/forget.ts";
import { inLog, leftOutside } from "../../pipelines/journal/summary.ts";
import { printable } from "../../transforms/text/printable.ts";
import { shellWord } from "../../transforms/text/shell.ts";
import type { CommandContext } from "../arguments/command.ts";
import { athletes as inWords } from "../batch/print.ts";
import type { Athlete } from "../batch/roster.ts";
import type { ExitName } from "../errors/exit-codes.ts";
import { count, table } from "../terminal/output.ts";
import type { Fleet } from "./open.ts";
import type { FleetSettings } from "./settings.ts";
import { wordOf } from "./state-word.ts";

/** The roster whose athletes are forgotten. */
interface Forgetting {
  readonly fleet: Fleet;
  readonly roster: string;
  readonly folder: string;
  /** Everybody in the roster, and those who were chosen. */
  readonly everybody: readonly Athlete[];
  readonly athletes: readonly Athlete[];
}

/** An athlete whom the fleet knows. */
interface Known {
  readonly key: string;
  readonly name: string;
  readonly now: AthleteNow | undefined;
}

/**
 * Shows whom the fleet would forget, and with `--yes` forgets them.
 *
 * @throws FatalError `fleet/at-work`, reason `locked`, while one of them waits or is worked on
 */
export async function forget(context: CommandContext, batch: Forgetting): Promise<ExitName> {
  const { options, output } = context;
  const { fleet, roster, folder } = batch;
  // Those whose row is gone from the roster have nobody else to name them.
  const removed = options.only === undefined ? await removedOf(batch) : [];
  const keys = [...batch.athletes, ...removed].map(({ key }) => key);
  const now = await fleet.athletes.now(keys);
  const known = [...batch.athletes, ...removed].map(({ key, name }): Known => ({ key, name, now: now.get(key) }));
  // Whoever is named is meant, whatever roster put them last.
  const others = options.only === undefined ? known.filter((one) => isOfOther(one, roster, folder)) : [];
  const chosen = known.filter((one) => !others.includes(one));
  const isOn = options.yes === true && options.dryRun !== true;
  const gone = isOn
    ? (
        await forgetAthletes(
          fleet.database,
          chosen.map(({ key }) => key),
        )
      ).keys
    : [...now.keys()];
  const whom = chosen.filter(({ key }) => gone.includes(key));
  const phase = isOn ? "forgotten" : "forgettable";
  for (const { name: athlete } of whom) output.emit("athlete", { phase, athlete });
  output.emit("batch", { athletes: known.length, [phase]: whom.length });
  if (others.length > 0)
    output.say(
      `${namesOf(others)}: another roster put them last, so they stay. To forget them all the same, name them with --only.`,
    );
  if (whom.length === 0) output.conclude("The fleet knows nobody of them: there is nothing to forget.");
  else if (isOn) output.conclude(`${inWords(whom.length)} forgotten. Their logs keep what was loaded.`);
  else show(context, batch, whom);
  return "done";
}

function show({ output }: CommandContext, { roster }: Forgetting, whom: readonly Known[]): void {
  const rows = whom.map(({ name, now }) => [
    printable(name, 28),
    now?.outcome?.ledger === undefined ? "" : inLog(now.outcome.ledger),
    now?.outcome?.ledger === undefined ? "" : leftOutside(now.outcome.ledger),
    wordOf(now),
  ]);
  output.say(...table([["athlete", "in the log", "left", ""], ...rows]));
  const open = whom.filter(({ now }) => now?.outcome === undefined || !isDone(now.outcome));
  if (open.length > 0)
    output.say(
      `${namesOf(open)}: not done. Once ${open.length === 1 ? "this one is" : "these are"} forgotten, nobody knows what was sent and what was not.`,
    );
  output.say(
    `${inWords(whom.length)} would go from the fleet's database: rows, journals with all receipts, sealed access tokens, what is remembered of their archives, and jobs. The logs keep what was loaded. After that, undo, explain, retry and certify have nothing to go by.`,
  );
  const waiting = whom.filter(({ now }) => now !== undefined && now.step !== "done");
  if (waiting.length > 0)
    output.say(
      `${namesOf(waiting)}: waiting or worked on, and nobody goes before that is over. To end it: logferry batch cancel ${shellWord(roster)}. A worker then ends them, so start one if none is at work`,
    );
  output.conclude(`Nothing was removed. To do it: logferry batch forget ${shellWord(roster)} --yes`);
}

/** Whether another roster put an athlete last. */
function isOfOther({ now }: Known, roster: string, folder: string): boolean {
  if (now === undefined) return false;
  const of = now.settings as FleetSettings;
  return of.folder !== folder || basename(of.roster) !== basename(roster);
}

/** Athletes whom an earlier state of the roster put, and who are no longer in it. */
export function removedOf({
  fleet,
  roster,
  folder,
  everybody,
}: Omit<Forgetting, "athletes">): Promise<readonly Removed[]> {
  const keys = everybody.map(({ key }) => key);
  return removedFrom(fleet.database, { folder, file: basename(roster) }, keys);
}

/** The first names of some athletes. */
export function namesOf(athletes: readonly { readonly name: string }[]): string {
  const more = athletes.length - MOST_NAMES;
  const shown = athletes.slice(0, MOST_NAMES).map(({ name }) => printable(name, 28));
  return `${shown.join(", ")}${more > 0 ? ` and ${count(more)} more` : ""}`;
}

/** Names in one message. */
const MOST_NAMES = 5;
