/**
 * Where a row of the matrix is played. It has a log of its own, and the log's service writes down every request. It has a sheet with contents that
 * the test knows, and the command line as a process. The service's store tells whether something was lost or doubled.
 */
import { expect } from "vitest";
import { expectInvariants } from "../support/invariants.ts";
import { type Ran, type Rehearsal, type RehearsalOptions, type RunOptions, rehearse } from "../support/rehearsal.ts";
import { type RequestLog, requestLog } from "../support/request-log.ts";
import { type SheetRun, someRuns, writeSheet } from "../support/small-sources.ts";

/** The columns of a ledger that matter to most rows. */
export interface Summary {
  readonly run: number;
  readonly state: string;
  readonly balanced: boolean;
  readonly ledger: Readonly<Record<string, number>>;
}

/** A log to load into, and what to load. */
export interface World extends Rehearsal, AsyncDisposable {
  readonly asked: RequestLog;
  /** The commands that ended, in order. */
  readonly ran: readonly Ran[];
  readonly runs: readonly SheetRun[];
  /** The sheet that holds the runs. */
  readonly sheet: string;
  /** `logferry import` of the sheet, or of other sources. */
  import(options?: ImportOptions): Promise<Ran>;
  /** The words of that command. */
  importWords(options?: ImportOptions): string[];
  /**
   * Imports until it is done, as a person would. It imports again after a stop and for records in doubt, and takes a new token when one is refused.
   */
  carry(options?: ImportOptions): Promise<readonly Ran[]>;
}

/** How an import is run. */
export interface ImportOptions extends RunOptions {
  readonly flags?: readonly string[];
  /** Default the sheet. */
  readonly sources?: readonly string[];
  /** `--activity` flags. Default those for the demo user's own activities. */
  readonly activities?: readonly string[];
  /** Default `import`. */
  readonly command?: "import" | "plan" | "apply";
}

/** The settings of a world that may differ from the usual ones. */
export interface WorldOptions extends Omit<RehearsalOptions, "faults" | "log"> {
  /** Faults of the service, as docs/faults.md has them. */
  readonly armed?: readonly string[];
  /** How the service's faults wait. */
  readonly sleep?: (ms: number) => Promise<void>;
  /** Keeps the log in a file, `service.db` of the folder, which others can open. Default in memory. */
  readonly databaseFile?: boolean;
  /** Chooses which requests a fault's rate hits. */
  readonly seed?: number;
  /** Default six, a day apart. */
  readonly runs?: readonly SheetRun[];
}

/** Path of the saves, of the imports, and of everything that writes. */
export const SAVES = "POST /rest/logs/me/workouts";
export const IMPORTS = "POST /rest/logs/me/workouts/*";
export const WRITES = "POST /rest/logs/**";

/** Opens a world: `await using world = await openWorld()`. */
export async function openWorld({
  armed = [],
  seed = 7,
  databaseFile = false,
  sleep,
  runs = someRuns(6),
  ...options
}: WorldOptions = {}): Promise<World> {
  const asked = requestLog();
  const rehearsal = await rehearse("kilometres", {
    ...(!databaseFile && { database: ":memory:" }),
    ...options,
    log: asked,
    faults: { armed, seed, ...(sleep !== undefined && { sleep }) },
  });
  const ran: Ran[] = [];
  const start: Rehearsal["start"] = (words, runOptions) => {
    const { child, ended } = rehearsal.start(words, runOptions);
    const kept = ended.then((one) => {
      ran.push(one);
      return one;
    });
    return { child, ended: kept };
  };
  const sheet = writeSheet(rehearsal.folder, runs);
  const importWords: World["importWords"] = ({
    flags = [],
    sources = [sheet],
    command = "import",
    activities = rehearsal.activities,
  } = {}) => [
    command,
    "--json",
    ...(flags.includes("--settle") || command === "plan" ? [] : ["--settle", "1"]),
    ...(command === "apply" ? [] : [...sources, "--zone", "Europe/Vienna", ...activities]),
    ...flags,
  ];
  const world: World = {
    ...rehearsal,
    start,
    async run(words, runOptions) {
      const one = await rehearsal.run(words, runOptions);
      ran.push(one);
      return one;
    },
    asked,
    ran,
    runs,
    sheet,
    importWords,
    import: (importOptions = {}) => world.run(importWords(importOptions), importOptions),
    async carry(importOptions = {}) {
      const all: Ran[] = [];
      let { token } = rehearsal;
      while (all.length < 12) {
        const ran = await world.import({ ...importOptions, env: { LOGFERRY_TOKEN: token, ...importOptions.env } });
        all.push(ran);
        if (ran.code === 4) token = await rehearsal.service.operator.addToken(rehearsal.userId);
        else if (ran.code !== 6 && ran.code !== 75 && summaryOf(ran).ledger.inDoubt === 0) break;
      }
      return all;
    },
    [Symbol.asyncDispose]: () => rehearsal.close(),
  };
  return world;
}

/** The last summary a command printed with `--json`. */
export function summaryOf({ out, err }: Pick<Ran, "out" | "err">): Summary {
  const found = jsonOf(out).findLast(({ type }) => type === "summary");
  if (found === undefined) throw new Error(`no summary was printed: ${out.slice(-2000)}${err}`);
  return found as unknown as Summary;
}

/** The message of a command as it ends. */
export function errorsOf({ out }: Pick<Ran, "out">): string[] {
  return jsonOf(out)
    .filter(({ type }) => type === "error")
    .map(({ message }) => String(message));
}

/** The rules of the remarks that the journal keeps of the last run. */
export async function issuesOf(world: World): Promise<string[]> {
  const { out } = await world.run(["status", "--json"]);
  return jsonOf(out)
    .filter(({ type }) => type === "issue")
    .map(({ rule }) => String(rule));
}

/** JSON lines, parsed. A line that a killed process left half written is left out. */
export function jsonOf(out: string): Record<string, unknown>[] {
  return out.split("\n").flatMap((line) => {
    try {
      return [JSON.parse(line) as Record<string, unknown>];
    } catch {
      return [];
    }
  });
}

/** The mark that tells one workout from another here: the values a listing of a log shows of it, to the metre and the second. */
export function markOf({ date, time, km, seconds }: SheetRun): string {
  return `${date} ${time} ${km.toFixed(2)} km ${seconds} s`;
}

/** The content of the store, each workout by its mark. */
export async function heldBy({ service, userId }: Pick<Rehearsal, "service" | "userId">): Promise<string[]> {
  const { entries, total } = await service.store.workouts(userId, { limit: 100_000, offset: 0 }, []);
  expect(entries).toHaveLength(total);
  return entries.map(({ date, time = "", details }) =>
    markOf({
      date,
      time: time.slice(0, 5),
      km: details?.distance?.value ?? 0,
      seconds: details?.duration ?? 0,
    }),
  );
}

/** The entries of one list that are missing from another, each as often as it is missing. */
export function lacking(wanted: readonly string[], found: readonly string[]): string[] {
  const free = [...found];
  return wanted.filter((one) => {
    const at = free.indexOf(one);
    if (at !== -1) free.splice(at, 1);
    return at === -1;
  });
}

/**
 * Checks that each workout is there once, and that nothing else is. Also checks everything that must hold after any load (see invariants.ts).
 *
 * @param isAlone false when the journal can't be compared with the requests to the service: because others sent some too, or because the journal goes
 * by another clock
 */
export async function expectEachOnce(world: World, isAlone = true): Promise<void> {
  const held = await heldBy(world);
  const wanted = world.runs.map(markOf);
  expect({ lost: lacking(wanted, held), doubled: lacking(held, wanted) }).toEqual({ lost: [], doubled: [] });
  expectInvariants(world, { ran: world.ran, ...(isAlone && { asked: world.asked.all }) });
}

/** Every fault that was armed was met. */
export function expectFaultsHit({ service }: Rehearsal): void {
  expect(service.faults.hits().filter(({ hits }) => hits === 0)).toEqual([]);
}

/** The last of these runs ended as done: balanced, nothing left, nothing in doubt. */
export function expectDone(runs: readonly Ran[], code = 0): void {
  const last = runs.at(-1) as Ran;
  expect(last.code, `${last.out.slice(-2000)}${last.err}`).toBe(code);
  const { balanced, ledger } = summaryOf(last);
  expect(balanced).toBe(true);
  expect(ledger).toMatchObject({ left: 0, inDoubt: 0 });
}

/** Loads a world under faults until it is done, and checks the rules of every fault: each was met, and each run is there once. */
export async function played(
  armed: readonly string[],
  { flags = ["--concurrency", "1"], code = 0, ...options }: Omit<WorldOptions, "armed"> & Played = {},
  then: (world: World, runs: readonly Ran[]) => void | Promise<void> = () => undefined,
): Promise<void> {
  await using world = await openWorld({ ...options, armed });
  const runs = await world.carry({ flags });
  expectDone(runs, code);
  expectFaultsHit(world);
  await expectEachOnce(world);
  await then(world, runs);
}

/** How `played` loads. */
export interface Played {
  readonly flags?: readonly string[];
  /** The exit that the last run must have. */
  readonly code?: number;
}

/** How many saves of workouts came in. */
export function savesOf({ asked }: World): number {
  return asked.ending("POST", "/workouts").length;
}
