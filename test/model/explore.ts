/**
 * Every schedule with at most the given number of faults. Each life is lived with every choice of what goes wrong in it. Each state that a life can
 * leave behind is explored once, however it was reached.
 */
import { EDGES, type LineState } from "../../pipelines/journal/line.ts";
import { Choices } from "./choices.ts";
import { fingerprintOf, type JournalImage, JournalImages } from "./journal-image.ts";
import { type LifeEnd, type LifeSettings, live, MemoryDatabase, type Mutant, QUIET_MS, type Time } from "./life.ts";
import type { Scenario } from "./scenarios.ts";
import { type LogState, WireLog } from "./wire-log.ts";

/** The result of an exploration. */
export interface Explored {
  /** Schedules: ways from the first command to the last with at most so many faults. */
  readonly schedules: number;
  /** The number of schedules that end with something in doubt. */
  readonly inDoubt: number;
  /** Lives that were lived for it. */
  readonly lives: number;
  /** Different moments between two lives. */
  readonly states: number;
  readonly violations: readonly Violation[];
}

/** A schedule that ended wrong. */
export interface Violation {
  readonly what: string;
  /** The faults in each of its lives. */
  readonly lives: readonly string[];
}

/** A moment between two lives. */
interface Moment {
  readonly journal: JournalImage;
  readonly log: LogState;
  readonly now: number;
  readonly fingerprint: string;
  readonly faults: number;
  /** The lives that reached it first. */
  readonly lives: readonly string[];
}

/** Where a life led, and how many faults that took. */
interface Way {
  readonly to: string | "done" | "in doubt";
  readonly faults: number;
}

export interface ExploreOptions {
  /** Faults at most in one schedule. */
  readonly faults: number;
  readonly mutant?: Mutant;
  /** Stops at this many violations. */
  readonly enough?: number;
  /** Whether the journal is one of a fleet: each life is that of another worker, who has only what PostgreSQL has. */
  readonly isOfFleet?: boolean;
}

/** Keeps and puts back the content of a journal. */
type Images = Pick<JournalImages, "keep" | "putBack">;

/** The journal of a fleet outlives its workers in PostgreSQL alone. A new worker rebuilds it from there. */
class WorkerImages implements Images {
  readonly #worker: MemoryDatabase;
  readonly #ofWorker: JournalImages;
  readonly #kept: JournalImages;

  constructor(worker: MemoryDatabase, kept: MemoryDatabase) {
    this.#worker = worker;
    this.#ofWorker = new JournalImages(worker.connection);
    this.#kept = new JournalImages(kept.connection);
  }

  keep(): JournalImage {
    return this.#kept.keep();
  }

  putBack(image: JournalImage): void {
    this.#kept.putBack(image);
    this.#ofWorker.putBack(image);
    // PostgreSQL has these already.
    this.#worker.takeChanges();
  }
}

/** After this many lives without a fault the job must be done. */
const CALM_LIVES = 4;

/** Explores a scenario. */
export async function explore(scenario: Scenario, options: ExploreOptions): Promise<Explored> {
  const { faults: most, mutant, enough = Number.POSITIVE_INFINITY, isOfFleet = false } = options;
  const database = new MemoryDatabase();
  const kept = isOfFleet ? new MemoryDatabase() : undefined;
  const images =
    kept === undefined ? new JournalImages(database.connection) : new WorkerImages(database.record(), kept);
  const violations: Violation[] = [];
  const ways = new Map<string, Way[]>();
  const ends = new Map<string, readonly string[]>();
  let lives = 0;
  const settings: LifeSettings = { ...scenario, mutant, kept: kept?.connection };

  const start = await prepared(scenario, settings, database, images);
  // By faults taken, so that each moment is explored once, with the most faults left.
  const waiting: Moment[][] = Array.from({ length: most + 1 }, () => []);
  waiting[0]?.push(start);
  for (let taken = 0; taken <= most; taken++) {
    for (let moment = waiting[taken]?.shift(); moment !== undefined; moment = waiting[taken]?.shift()) {
      if (ways.has(moment.fingerprint)) continue;
      const from: Way[] = [];
      ways.set(moment.fingerprint, from);
      for (let told: Choices["taken"] | undefined = []; told !== undefined; ) {
        const choices: Choices = new Choices(told, most - taken);
        const { log, time, end } = await lived(moment, settings, scenario, database, images, choices);
        lives++;
        const image = images.keep();
        const path = [...moment.lives, `${choices.describe()} -> ${described(end)}`];
        const wrong = [...wrongAfter(scenario, log, end), ...wrongEdges(moment.journal, image)];
        const used = most - taken - choices.faultsLeft;
        const next = momentOf(image, log.state, time.now, taken + used, path);
        const isOver = end.kind === "ended" && end.summary.all.left === 0;
        const doubt = end.kind === "ended" ? end.summary.all.inDoubt : 0;
        if (isOver && (doubt === 0 || !scenario.lists)) {
          from.push({ to: doubt === 0 ? "done" : "in doubt", faults: used });
          const known = ends.get(next.fingerprint) ?? (await wrongAtTheEnd(next, settings, scenario, database, images));
          ends.set(next.fingerprint, known);
          wrong.push(...known);
        } else if (used === 0 && next.fingerprint === moment.fingerprint) {
          wrong.push("it never ends: a life without a fault changed nothing");
        } else {
          from.push({ to: next.fingerprint, faults: used });
          waiting[next.faults]?.push(next);
        }
        for (const what of new Set(wrong)) violations.push({ what, lives: path });
        if (violations.length >= enough) return { schedules: 0, inDoubt: 0, lives, states: ways.size, violations };
        told = choices.next() as Choices["taken"] | undefined;
      }
    }
  }
  database.close();
  kept?.close();
  return { ...counted(start.fingerprint, ways, most), lives, states: ways.size, violations };
}

async function prepared(
  scenario: Scenario,
  { kept }: LifeSettings,
  database: MemoryDatabase,
  images: Images,
): Promise<Moment> {
  const log = new WireLog({ records: [], late: [] }, scenario.lists);
  const time: Time = { now: Date.parse("2026-01-01T00:00:00Z") };
  for (const { body, name } of scenario.there ?? []) log.put("workout", body, name);
  if (scenario.before !== undefined) {
    const end = await live({ ...scenario, kept, readings: scenario.before }, log, database, time, new Choices([], 0));
    if (end.kind !== "ended") throw new Error("the first job went wrong");
    // The requests of the first job do not matter for the job that is explored.
    for (const record of log.state.records) record.isUsed = false;
  }
  return momentOf(images.keep(), log.state, time.now, 0, []);
}

async function lived(
  moment: Moment,
  settings: LifeSettings,
  scenario: Scenario,
  database: MemoryDatabase,
  images: Images,
  choices: Choices,
): Promise<{ log: WireLog; time: Time; end: LifeEnd }> {
  images.putBack(moment.journal);
  const log = new WireLog(structuredClone(moment.log), scenario.lists);
  const time = { now: moment.now };
  const end = await live(settings, log, database, time, choices);
  return { log, time, end };
}

function momentOf(journal: JournalImage, log: LogState, now: number, faults: number, lives: readonly string[]): Moment {
  const late = log.late.map(({ due, request }) => [due - now, request]);
  const fingerprint = `${fingerprintOf(journal, now)}${JSON.stringify([log.records, late])}`;
  return { journal, log, now, fingerprint, faults, lives };
}

function described(end: LifeEnd): string {
  return end.kind === "stopped" ? `stopped (${end.said})` : end.kind;
}

/** Faults that no life may leave behind. */
function wrongAfter(scenario: Scenario, log: WireLog, end: LifeEnd): string[] {
  const wrong: string[] = [];
  for (const key of new Set(log.state.records.map(({ madeFor }) => madeFor))) {
    const count = log.state.records.filter(({ madeFor }) => madeFor === key).length;
    const planned = scenario.log.filter((text) => text.startsWith(`${key} |`)).length;
    if (count > planned) wrong.push(`${key} was made ${count} times`);
  }
  if (end.kind === "ended" && !end.summary.balanced) wrong.push("the ledger doesn't balance");
  return wrong;
}

/** Each line's changes of state, as the journal tells them, must join up and follow the edges. */
function wrongEdges(before: JournalImage, after: JournalImage): string[] {
  const stateOf = new Map<string, LineState>();
  for (const { run, seq, state } of before.get("line") ?? []) stateOf.set(`${run}/${seq}`, state as LineState);
  const wrong: string[] = [];
  for (const row of after.get("event") ?? []) {
    const { run, seq, from, to } = row as Record<string, string>;
    const was = stateOf.get(`${run}/${seq}`);
    if (was !== undefined && was !== from) wrong.push(`line ${seq}: ${from} → ${to}, and it was ${was}`);
    if (from !== to && !EDGES[from as LineState].includes(to as LineState)) wrong.push(`line ${seq}: ${from} → ${to}`);
    stateOf.set(`${run}/${seq}`, to as LineState);
  }
  return wrong;
}

/** Checks the log when all is done, and that a second run changes nothing. */
async function wrongAtTheEnd(
  moment: Moment,
  settings: LifeSettings,
  scenario: Scenario,
  database: MemoryDatabase,
  images: Images,
): Promise<string[]> {
  const again = new Choices([], 0);
  const { log, time, end } = await lived(moment, settings, scenario, database, images, again);
  const wrong: string[] = [];
  const writes = again.taken.filter(({ question }) => /^(POST|PUT) /.test(question));
  if (writes.length > 0) wrong.push(`done, and run again it sends ${writes.map(({ question }) => question)}`);
  if (end.kind !== "ended") wrong.push(`done, and run again it ${described(end)}`);
  log.catchUp(time.now + QUIET_MS);
  wrong.push(...wrongAfter(scenario, log, end));
  const found = log.state.records.map((record) => describeRecord(record, log.state));
  const doubtful = new Set<string>();
  for (const { key, state } of images.keep().get("line") ?? []) {
    if (state === "in-doubt" || state === "in-flight") doubtful.add(String(key));
  }
  for (const key of doubtful) {
    if (scenario.lists) wrong.push(`${key} stays in doubt`);
    const known = log.state.records.find(({ madeFor, isUsed }) => madeFor === key && isUsed);
    if (known !== undefined) wrong.push(`${key} is in doubt, and its id was known`);
  }
  for (const text of scenario.log) {
    const at = found.indexOf(text);
    if (at !== -1) found.splice(at, 1);
    else if (!doubtful.has(text.split(" |")[0] ?? "")) wrong.push(`lost: ${text}`);
  }
  for (const text of found) if (!doubtful.has(text.split(" |")[0] ?? "")) wrong.push(`nobody's: ${text}`);
  return wrong;
}

/** A record as a scenario writes it: its kind, whether it has a track or a map, and the records it points at. */
function describeRecord({ kind, body, madeFor, hasTrack, maps }: LogState["records"][number], log: LogState): string {
  const pointed = [
    ...((body.equipment ?? []) as { id: string }[]),
    ...(body.course ? [body.course as { id: string }] : []),
  ];
  const names = pointed.map(({ id }) => log.records.find((record) => record.id === id)?.madeFor ?? "nothing");
  const details = (body.details ?? {}) as { distance?: { value: number } };
  return [
    madeFor,
    kind === "workout" ? `${body.date} ${body.time} ${details.distance?.value} km` : kind,
    String(body.notes ?? body.name ?? body.brandName),
    ...(hasTrack ? ["track"] : []),
    ...(maps > 0 ? ["map"] : []),
    ...names.map((name) => `with ${name}`),
  ].join(" | ");
}

/** How many ways lead from the start to an end. */
function counted(
  start: string,
  ways: ReadonlyMap<string, readonly Way[]>,
  most: number,
): Pick<Explored, "schedules" | "inDoubt"> {
  const known = new Map<string, { schedules: number; inDoubt: number }>();
  const count = (at: string, left: number, calm: number): { schedules: number; inDoubt: number } => {
    const name = `${left} ${at}`;
    const before = known.get(name);
    if (before !== undefined) return before;
    if (calm > CALM_LIVES) throw new Error(`${calm} lives without a fault, and it isn't done`);
    const sum = { schedules: 0, inDoubt: 0 };
    for (const { to, faults } of ways.get(at) ?? []) {
      if (faults > left) continue;
      const isEnd = to === "done" || to === "in doubt";
      const rest = isEnd
        ? { schedules: 1, inDoubt: to === "in doubt" ? 1 : 0 }
        : count(to, left - faults, faults === 0 ? calm + 1 : 0);
      sum.schedules += rest.schedules;
      sum.inDoubt += rest.inDoubt;
    }
    known.set(name, sum);
    return sum;
  };
  return count(start, most, 0);
}
