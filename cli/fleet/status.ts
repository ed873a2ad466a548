/** `logferry batch status --fleet`: how the athletes of a roster stand in a fleet. It asks no log. */
import { checkedBaseUrl } from "../../connectors/api/base-url.ts";
import { TransferError } from "../../connectors/errors.ts";
import { ATHLETE_STATUSES, countToLookAt, isDone } from "../../pipelines/batch/outcome.ts";
import type { AthleteNow } from "../../pipelines/fleet/athletes.ts";
import { type FleetNumbers, fleetNumbers } from "../../pipelines/fleet/overview.ts";
import { idleWorkers } from "../../pipelines/fleet/workers.ts";
import { halfThere, inLog, type Ledger, leftOutside, summarise } from "../../pipelines/journal/summary.ts";
import { defined } from "../../transforms/model/defined.ts";
import { printable } from "../../transforms/text/printable.ts";
import { shellWord } from "../../transforms/text/shell.ts";
import type { CommandContext } from "../arguments/command.ts";
import { asJson, athletes as inWords, whyOf } from "../batch/print.ts";
import type { Athlete } from "../batch/roster.ts";
import type { BatchStore } from "../batch/store.ts";
import type { ExitName } from "../errors/exit-codes.ts";
import { count, table } from "../terminal/output.ts";
import { durationMs } from "../wording/durations.ts";
import { namesOf, removedOf } from "./forget.ts";
import type { Fleet } from "./open.ts";
import { isByOtherRow } from "./other-row.ts";
import { wordOf } from "./state-word.ts";
import { idleInWords, NO_WORKER, NO_WORKER_AS_COPIED } from "./trouble.ts";

/** Prints the states of all athletes, and what the queue holds. */
export async function showStatus(
  context: CommandContext,
  {
    fleet,
    store,
    everybody,
    athletes,
    roster,
    folder,
  }: {
    readonly fleet: Fleet;
    readonly store: BatchStore;
    readonly everybody: readonly Athlete[];
    readonly athletes: readonly Athlete[];
    readonly roster: string;
    readonly folder: string;
  },
): Promise<ExitName> {
  const { output } = context;
  const now = await fleet.athletes.now(athletes.map(({ key }) => key));
  const rows: (string | number)[][] = [["athlete", "records", "in the log", "left", "to look at", "", "since"]];
  const words: string[] = [];
  const counted = await countNow([...now.values()], store);
  for (const athlete of athletes) {
    const one = now.get(athlete.key);
    const outcome = one?.outcome;
    const word = wordOf(one);
    words.push(word);
    const isLoading = one?.isBegun === true && one.step === "load";
    // The last outcome is that of the check, and of an earlier batch while the athlete is checked.
    const ledger = counted.get(athlete.key) ?? (isLoading ? undefined : outcome?.ledger);
    const at = isLoading && ledger !== undefined ? context.now() : outcome?.at;
    output.emit("athlete", {
      phase: "status",
      athlete: athlete.name,
      ...(outcome !== undefined && asJson(outcome)),
      ...defined({ ledger, step: one?.step, holder: one?.worker }),
      ...(one !== undefined && isByOtherRow(one, athlete, folder) && { isByOtherRow: true }),
    });
    rows.push([
      printable(athlete.name, 28),
      ledger?.read ?? "",
      ledger === undefined ? "" : inLog(ledger),
      ledger === undefined ? "" : leftOutside(ledger),
      outcome === undefined ? "" : (countToLookAt(outcome) ?? ""),
      word,
      at === undefined ? "" : `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`,
    ]);
  }
  output.say(...table(rows));
  for (const one of athletes) {
    const says = [
      ...wordsOf(one, now.get(one.key), folder, roster),
      ...journalSays(now.get(one.key), counted.get(one.key), roster),
    ];
    for (const line of says) output.say(`  ${printable(one.name, 28)}: ${line}`);
  }
  const counts = [...Map.groupBy(words, (word) => word)].map(([word, of]) => [word, of.length] as const);
  const numbers = await fleetNumbers(fleet.database, fleet.queue);
  const removed = (await removedOf({ fleet, roster, folder, everybody })).filter(({ isOver }) => !isOver);
  const statuses = Object.fromEntries(counts);
  const gone = removed.length > 0 && { notInRoster: removed.map(({ name }) => name) };
  output.emit("batch", { athletes: athletes.length, statuses, ...gone, fleet: { ...numbers } });
  if (removed.length > 0) output.say(stillUnderWay(removed, roster));
  const urls = athletes.map(
    ({ key, options }) => now.get(key)?.outcome?.log?.url ?? options.url ?? context.options.url,
  );
  for (const line of [...hostsInWords(numbers, urls), ...(await workersInWords(fleet, numbers))]) output.say(line);
  const all = `${inWords(athletes.length)}: ${counts.map(([word, of]) => `${count(of)} ${word}`).join(", ")}.`;
  return concluded(context, all, numbers);
}

/** The paces of the services at these addresses. Other rosters have others, and an older row may have had a wrong one. */
function hostsInWords({ hosts }: FleetNumbers, urls: readonly (string | undefined)[]): readonly string[] {
  const asked = new Set(urls.map((url) => (url === undefined ? undefined : checkedBaseUrl(url).origin)));
  const own = hosts.filter(({ host }) => asked.has(host));
  return own.map(({ host, rate, pausedSeconds }) => {
    const pause = pausedSeconds > 0 ? `; it asked for a pause (${Math.ceil(pausedSeconds)} s left)` : "";
    return `${host} is asked at most ${rate.toFixed(1)} times a second${pause}.`;
  });
}

/** Which workers take nobody, and whether there is none at all though somebody waits. */
async function workersInWords({ database }: Fleet, { workers, jobs }: FleetNumbers): Promise<readonly string[]> {
  const idle = (await idleWorkers(database)).map(idleInWords);
  const missing = database.isReadOnly ? NO_WORKER_AS_COPIED : NO_WORKER;
  return workers === 0 && jobs.waiting + jobs.running > 0 ? [...idle, missing] : idle;
}

/** What is said of athletes whom nobody sees in the roster any more. */
export function stillUnderWay(removed: readonly { readonly name: string }[], roster: string): string {
  return `${namesOf(removed)}: no longer in the roster, and still waiting or worked on. To stop everybody: logferry batch cancel ${shellWord(roster)}`;
}

const AGAIN = "Once they are over, load this row: logferry batch";

/** The most journals that a status reads. Of further athletes under way, it shows no numbers. */
const MOST_COUNTED = 20;

/** What a person should know of an athlete beside the row of the table. */
function wordsOf(athlete: Athlete, one: AthleteNow | undefined, folder: string, roster: string): readonly string[] {
  if (one === undefined) return [];
  const { step, outcome, away, left } = one;
  const isOpen = step === "done" && outcome !== undefined && !ATHLETE_STATUSES[outcome.status].isGood;
  return [
    ...(isByOtherRow(one, athlete, folder)
      ? [`this is of another row, perhaps an older one. ${AGAIN} ${shellWord(roster)}`]
      : []),
    ...(away === undefined ? [] : [`waits for the log. ${away}`]),
    ...(left === undefined || one.worker !== undefined ? [] : [`waits for another worker. The last one said: ${left}`]),
    ...(isOpen ? [whyOf({ athlete, outcome })] : []),
    ...(step === "done" && outcome?.note !== undefined ? [outcome.note] : []),
  ];
}

/** What the journal of an athlete says beside the outcome: half records, and what a person did by hand since the last batch. */
function journalSays(one: AthleteNow | undefined, counted: Ledger | undefined, roster: string): readonly string[] {
  const before = one?.outcome?.ledger;
  const ledger = counted ?? (one?.step === "done" ? before : undefined);
  if (ledger === undefined) return [];
  const isByHand =
    one?.step === "done" && before !== undefined && (inLog(before) !== inLog(ledger) || before.left !== ledger.left);
  return [
    ...halfThere(ledger, one?.worker !== undefined),
    ...(isByHand
      ? [
          `the journal has more than the last batch knew, so somebody ran a command by hand. The state follows with: logferry batch ${shellWord(roster)}`,
        ]
      : []),
  ];
}

/** What is in the logs, by key, of athletes whose load has begun, and of those who aren't done. The outcome of the first knows only their plan. */
async function countNow(all: readonly AthleteNow[], store: BatchStore): Promise<ReadonlyMap<string, Ledger>> {
  const loading = all.filter(({ step, isBegun }) => step === "load" && isBegun);
  const open = all.filter(({ step, outcome }) => step === "done" && outcome !== undefined && !isDone(outcome));
  const counted = new Map<string, Ledger>();
  for (const { key, outcome } of [...loading, ...open].slice(0, MOST_COUNTED)) {
    if (outcome?.journal === undefined || outcome.run === undefined) continue;
    try {
      await using journal = await store.readJournal(outcome.journal);
      const run = await journal.run(outcome.run);
      if (run !== undefined) counted.set(key, (await summarise(journal, run)).all);
    } catch (error) {
      // A journal that can't be read is told when the athlete ends.
      if (!(error instanceof TransferError)) throw error;
    }
  }
  return counted;
}

/** Milliseconds without a sign of life after which no worker counts as alive: six heartbeats. Taking a job of a busy queue takes less than a second. */
const NO_WORKER_MS = 60_000;

/** Says how all stand, and with `--max-age` whether the fleet is silent. Where all is well, `--quiet` says nothing then. */
function concluded({ output, options }: CommandContext, all: string, { jobs, life }: FleetNumbers): ExitName {
  const { maxAge } = options;
  if (maxAge === undefined) {
    output.conclude(all);
    return "done";
  }
  output.say(all);
  const [endedMs, beatMs] = [life.endedSeconds * 1_000, life.beatSeconds * 1_000];
  const isSilent = endedMs > (durationMs(maxAge) ?? 0);
  const isDead = beatMs > NO_WORKER_MS;
  if (!isSilent && !isDead) return "done";
  const open = jobs.waiting + jobs.running;
  const found = isDead
    ? `no worker gave a sign of life for ${inTime(beatMs)}. Start one: logferry worker`
    : `nothing ended for ${inTime(endedMs)} (it may be ${maxAge}). Look at what the workers print`;
  output.conclude(`The fleet is silent: ${count(open)} ${open === 1 ? "job is" : "jobs are"} open, and ${found}`);
  return "differs";
}

function inTime(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  return seconds < 120 ? `${seconds} s` : `${count(Math.floor(seconds / 60))} minutes`;
}
