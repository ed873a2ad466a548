/**
 * A training log in memory that goes wrong where a script says so. The pipelines run against it as the commands run them: settle, plan, load, with a
 * real journal on the disk. It behaves like a log, and shares no arithmetic with logferry.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryArchive } from "../../connectors/containers/memory.ts";
import { FatalError, ItemError, RetryableError, UnknownOutcomeError } from "../../connectors/errors.ts";
import { readIfThere, type SaveBody, type Sink } from "../../connectors/sink.ts";
import type { Journal } from "../../pipelines/journal/journal.ts";
import type { Line } from "../../pipelines/journal/line.ts";
import type { LogEntry } from "../../pipelines/journal/remote-record.ts";
import type { Run } from "../../pipelines/journal/run.ts";
import { openJournal } from "../../pipelines/journal/sqlite.ts";
import { type RunSummary, summarise } from "../../pipelines/journal/summary.ts";
import { checkAssumptions } from "../../pipelines/load/check-assumptions.ts";
import { loadPlan } from "../../pipelines/load/load-plan.ts";
import { lookAhead } from "../../pipelines/load/look-ahead.ts";
import { settle } from "../../pipelines/load/settle.ts";
import type { LogPage, LogView } from "../../pipelines/log/log-view.ts";
import { createEncoder } from "../../pipelines/plan/log/encode.ts";
import { planSources } from "../../pipelines/plan/plan-sources.ts";
import type { SourceFiles } from "../../pipelines/sources/source-files.ts";
import type { OpenedSource } from "../../pipelines/sources/sources.ts";
import { type Verification, verify } from "../../pipelines/verify/verify.ts";
import type { Activity } from "../../transforms/activities.ts";
import type { Preference } from "../../transforms/model/account.ts";
import type { Course } from "../../transforms/model/course.ts";
import type { Equipment } from "../../transforms/model/equipment.ts";
import { courseIdentity, equipmentIdentity } from "../../transforms/model/identity.ts";
import type { Issue } from "../../transforms/model/issue.ts";
import type { Kind, Reading } from "../../transforms/model/item.ts";

/** The operations of the log. */
export type Operation = "create" | "import" | "map" | "read" | "replace";

/**
 * How an operation goes wrong. `lost before` and `lost after`: no answer, without and with its effect. `refused`: the log says no. `busy`: turned
 * away, nothing happened. `login`: the token is no good any more. `killed before` and `killed after`: the process ends there, without and with the
 * effect. `fewer` and `more`: an import makes one record less, or one more. `fewer, lost after`: it makes one record less, and gives no answer.
 * `unsaid`: it makes all, and its answer leaves one out. `done late`: no answer, and the effect comes after nine tenths of the time that settling
 * waits. `redirected`: it was done, and the answer leads to another address.
 */
export type Fault =
  | "lost before"
  | "lost after"
  | "refused"
  | "busy"
  | "login"
  | "killed before"
  | "killed after"
  | "fewer"
  | "fewer, lost after"
  | "more"
  | "unsaid"
  | "done late"
  | "redirected";

/** One answer of the script: the fault of this call of an operation; undefined when it goes well. */
export type Script = (operation: Operation, kind: Kind) => Fault | undefined;

/** Thrown where a process would be killed. This is no error of logferry's, so no code may catch it and go on. */
export class Killed extends Error {}

/** A record of the log. */
export interface LogRecord {
  readonly kind: Kind;
  readonly id: string;
  body: Record<string, unknown>;
  /** Lines put on a course. */
  maps: number;
  /** The recording that an import made the record from. It stays, even when the rest is written over. */
  readonly recording?: MadeRecording;
}

/** One recording of a made-up device file. The log makes a workout of it. */
export interface MadeRecording {
  /** Milliseconds since 1970 UTC. */
  readonly start: number;
  readonly metres?: number;
  readonly seconds: number;
}

/** Nine tenths of a minute. A server has a minute to carry out a request. */
const LATE_MS = 54_000;

/** Metres of a unit, typed from the definition of the mile. */
const METRES: Readonly<Record<string, number>> = { m: 1, km: 1000, mi: 1609.344 };

/** A log as a Map of records. */
export class ScriptedLog implements Sink {
  readonly records = new Map<string, LogRecord>();
  /** Every call in its order: `create workout`. */
  readonly calls: string[] = [];
  /** Hours from UTC at which an import writes its records. */
  utcOffset = 2;
  script: Script = () => undefined;
  /** Called at each call, before anything happens. A test uses it for the actions of other people meanwhile. */
  onCall: (operation: Operation, kind: Kind) => void = () => undefined;
  /** The time, in milliseconds. */
  clock: () => number = () => 0;
  readonly #late: { readonly due: number; readonly effect: () => unknown }[] = [];
  #nextId = 1;

  /** Puts a record there as its owner would, by hand. @returns its id */
  put(kind: Kind, body: SaveBody, recording?: MadeRecording): string {
    // One series of numbers for each kind, so that ids of different kinds can be equal. No rule forbids that.
    const taken = [...this.records.values()].filter((record) => record.kind === kind).length;
    const id = `id-${taken + this.#nextId++ * 1000}`;
    const copy = structuredClone(body) as Record<string, unknown>;
    this.records.set(`${kind} ${id}`, { kind, id, body: copy, maps: 0, ...(recording && { recording }) });
    return id;
  }

  of(kind: Kind): LogRecord[] {
    return [...this.records.values()].filter((record) => record.kind === kind);
  }

  async create(kind: Kind, body: SaveBody): Promise<string> {
    return this.#act("create", kind, () => this.put(kind, body));
  }

  async importFile(_format: string, bytes: Uint8Array): Promise<readonly string[]> {
    const recordings = JSON.parse(Buffer.from(bytes).toString("utf8")) as MadeRecording[];
    const make = (recording: MadeRecording) => this.put("workout", this.#made(recording), recording);
    return this.#act("import", "workout", (fault) => {
      const ids = recordings.slice(0, fault?.startsWith("fewer") ? -1 : undefined).map(make);
      const [first] = recordings;
      if (fault === "more" && first !== undefined) ids.push(make({ ...first, metres: 100, seconds: 60 }));
      // "In no promised order".
      return (fault === "unsaid" ? ids.slice(1) : ids).reverse();
    });
  }

  async saveMap(courseId: string): Promise<void> {
    await this.#act("map", "course", () => {
      this.#get("course", courseId).maps++;
    });
  }

  async read(kind: Kind, id: string): Promise<SaveBody> {
    return this.#act("read", kind, () => structuredClone(this.#get(kind, id).body));
  }

  async replace(kind: Kind, id: string, body: SaveBody): Promise<void> {
    await this.#act("replace", kind, () => {
      this.#get(kind, id).body = structuredClone(body) as Record<string, unknown>;
    });
  }

  /** The listing, as `readLogView` gives it. */
  async *list(kind: Kind, activities: Readonly<Record<number, Activity>>): AsyncGenerator<LogEntry> {
    this.#catchUp();
    for (const { id, body } of this.of(kind)) yield entryOf(kind, id, body, activities);
  }

  #made({ start, metres, seconds }: MadeRecording): SaveBody {
    const local = new Date(start + this.utcOffset * 3_600_000).toISOString();
    const distance = metres === undefined ? {} : { distance: { unit: "km", value: metres / 1000 } };
    return {
      activityID: 10,
      date: local.slice(0, 10),
      time: local.slice(11, 19),
      details: { ...distance, duration: seconds },
    };
  }

  #get(kind: Kind, id: string): LogRecord {
    const record = this.records.get(`${kind} ${id}`);
    if (record === undefined) throw new ItemError("api/gone", `Cannot find ${kind} ${id}`);
    return record;
  }

  /** Carries out every request that the server still has to do, however late. */
  finish(): void {
    for (const { effect } of this.#late.splice(0)) effect();
  }

  #catchUp(): void {
    while (this.#late[0] !== undefined && this.#late[0].due <= this.clock()) this.#late.shift()?.effect();
  }

  /** The delay lets workers overtake each other, as they do over a network. */
  async #act<T>(operation: Operation, kind: Kind, effect: (fault: Fault | undefined) => T): Promise<T> {
    this.calls.push(`${operation} ${kind}`);
    this.onCall(operation, kind);
    const fault = this.script(operation, kind);
    this.#catchUp();
    await new Promise((resolve) => setImmediate(resolve));
    if (fault === "killed before") throw new Killed();
    if (fault === "refused") throw new ItemError("api/http-400", "Cannot do it: the service answered 400");
    if (fault === "busy") throw new RetryableError("api/http-429", "Cannot do it: the service answered 429");
    if (fault === "login") throw new FatalError("api/http-401", "login", "Cannot do it: the service answered 401");
    // A read has no effect to lose. The client asks again, and gives up as after a busy service.
    if (operation === "read" && fault?.startsWith("lost")) throw new RetryableError("api/answer-lost", "Cannot read");
    if (fault === "lost before") throw new UnknownOutcomeError("api/answer-lost", "Cannot do it: no answer came");
    if (fault === "done late") {
      this.#late.push({ due: this.clock() + LATE_MS, effect: () => effect(undefined) });
      throw new UnknownOutcomeError("api/answer-lost", "Cannot do it: no answer came");
    }
    const result = effect(fault);
    await new Promise((resolve) => setImmediate(resolve));
    if (fault === "killed after") throw new Killed();
    if (fault === "redirected") throw new FatalError("api/redirect", "service", "Cannot do it: it leads elsewhere");
    if (fault?.endsWith("lost after")) throw new UnknownOutcomeError("api/answer-lost", "Cannot do it: no answer came");
    return result;
  }
}

function entryOf(
  kind: Kind,
  id: string,
  body: Record<string, unknown>,
  activities: Readonly<Record<number, Activity>>,
): LogEntry {
  if (kind === "course") {
    const course = body as unknown as Course;
    return { kind, id, identity: courseIdentity(course), name: course.name };
  }
  const activityID = body.activityID as number;
  if (kind === "equipment") {
    const equipment = { ...body, activity: activities[activityID] } as unknown as Equipment;
    return { kind, id, identity: equipmentIdentity(equipment, activityID) };
  }
  const { distance, duration } = (body.details ?? {}) as {
    distance?: { unit: string; value: number };
    duration?: number;
  };
  const metres = distance === undefined ? undefined : distance.value * (METRES[distance.unit] ?? Number.NaN);
  return {
    kind,
    id,
    activityID,
    facts: {
      activity: undefined,
      date: body.date as string,
      time: body.time as string | undefined,
      instant: undefined,
      metres: metres === undefined || metres <= 0 ? undefined : metres,
      seconds: duration === undefined || duration <= 0 ? undefined : duration,
    },
  };
}

/** One source that a person names on the command line, with its content. */
export interface MadeSource {
  readonly name: string;
  readonly connector?: string;
  /** Its workouts are bare recordings of devices. */
  readonly recordings?: true;
  readonly readings: readonly Reading[];
  /** Remarks the connector makes while it reads. */
  readonly remarks?: readonly Issue[];
}

/** A log, a journal on the disk, and a person at the command line. */
export interface World {
  readonly log: ScriptedLog;
  readonly issues: Issue[];
  /** Made-up device files by entry: their recordings. */
  readonly files: Map<string, readonly MadeRecording[]>;
  /** The kinds that the service can list. */
  lists: { workout: boolean; course: boolean };
  /** The clock on the wall, in milliseconds. It moves during a sleep, and a little at each look. */
  now: number;
  /** The length of each sleep while settling. */
  readonly slept: number[];
  concurrency: number;
  settings: {
    since?: string;
    until?: string;
    again?: boolean;
    sports?: ReadonlyMap<string, Activity>;
    tracks: boolean;
    preference: Preference;
  };
  /** The path of the journal. */
  readonly journalPath: string;
  /** The open journal. It is opened anew after a kill. */
  journal(): Promise<Journal>;
  /** Ends the process that has the journal open, before a person's next command. */
  closeJournal(): Promise<void>;
  /** `logferry plan`. @returns undefined where the signal stopped it */
  plan(sources: readonly MadeSource[], signal?: AbortSignal): Promise<Run | undefined>;
  /** `logferry apply`. After a kill the journal is closed, as the system would. @throws what ended the run early */
  apply(run?: number): Promise<RunSummary>;
  /** `logferry import`. */
  import(sources: readonly MadeSource[]): Promise<RunSummary>;
  /** Plans and loads again until a run is no longer stopped. @throws after `most` times */
  importUntilDone(sources: readonly MadeSource[], most?: number): Promise<RunSummary>;
  verify(): Promise<Verification & { readonly discrepancyCount: number }>;
  lines(run?: number): Promise<readonly Line[]>;
  close(): Promise<void>;
}

const ACTIVITY_IDS = { run: 10, bike: 11, swim: 12, weight: 13, other: 14 } as const;
const ACTIVITIES: Readonly<Record<number, Activity>> = { 10: "run", 11: "bike", 12: "swim", 13: "weight", 14: "other" };

/** An empty log and a fresh journal in a folder of its own. Close it. */
export function openWorld(): World {
  const folder = mkdtempSync(join(tmpdir(), "logferry-world-"));
  const journalPath = join(folder, "journal.db");
  const log = new ScriptedLog();
  let opened: Journal | undefined;
  const closeJournal = async () => {
    await opened?.close();
    opened = undefined;
  };

  const view = (world: World): LogView => ({
    account: { baseUrl: "scripted", userHash: "0", name: "somebody" },
    owner: {},
    preference: world.settings.preference,
    capabilities: { listsWorkouts: world.lists.workout, listsCourses: world.lists.course },
    list: (kind) => listing(world, kind),
    waiting: () => undefined,
  });
  const listing = async (world: World, kind: Kind): Promise<AsyncIterable<LogEntry> | undefined> =>
    kind === "equipment" || world.lists[kind] ? log.list(kind, ACTIVITIES) : undefined;
  /** A page of workouts, newest first. It is small enough that a test's log has several pages. */
  const page = async (world: World, offset: number): Promise<LogPage | undefined> => {
    const entries: LogEntry[] = [];
    for await (const entry of (await listing(world, "workout")) ?? []) entries.push(entry);
    const newestFirst = entries.toSorted((a, b) => ((a.facts?.date ?? "") < (b.facts?.date ?? "") ? 1 : -1));
    return world.lists.workout ? { entries: newestFirst.slice(offset, offset + 2), total: entries.length } : undefined;
  };
  const settling = async (world: World, signal: AbortSignal, quietMs = 0) =>
    settle(
      {
        journal: await world.journal(),
        list: (kind) => listing(world, kind),
        read: (kind, id) => readIfThere(() => log.read(kind, id)),
        sleep: async (ms, stop) => {
          if (stop.aborted) return;
          world.slept.push(ms);
          world.now += ms;
          elapsed += ms;
        },
        onWait: () => undefined,
        report: async (issue) => {
          world.issues.push(issue);
        },
      },
      signal,
      quietMs,
    );
  const never = new AbortController().signal;
  /** The time that really passed, even if the clock on the wall was set. */
  let elapsed = 0;
  log.clock = () => elapsed;

  const carryOut = async (number: number | undefined, isFresh: boolean): Promise<RunSummary> => {
    const journal = await world.journal();
    const run = await journal.run(number);
    if (run === undefined) throw new Error("there is no run");
    try {
      await loadPlan(run, {
        journal,
        sink: log,
        files: filesOf(world),
        encode: createEncoder(run.options),
        settle: (signal, quietMs) => settling(world, signal, quietMs),
        ...(!isFresh && {
          check: (kinds: readonly Kind[], signal: AbortSignal) =>
            checkAssumptions(run, { journal, list: (kind) => listing(world, kind) }, kinds, signal),
          lookAhead: (inDoubt: number, signal: AbortSignal) =>
            lookAhead(run, { journal, page: (offset) => page(world, offset) }, inDoubt, signal),
        }),
        monotonic: () => elapsed++,
        report: async (issue) => {
          world.issues.push(issue);
          await journal.addIssue(run.id, issue);
        },
        onProgress: () => undefined,
        now: () => world.now++,
        concurrency: world.concurrency,
        signal: never,
      });
    } catch (error) {
      if (error instanceof Killed) await closeJournal();
      throw error;
    }
    return summarise(journal, (await journal.run(run.id)) ?? run);
  };

  const world: World = {
    journalPath,
    closeJournal,
    log,
    issues: [],
    files: new Map(),
    slept: [],
    lists: { workout: true, course: true },
    now: Date.parse("2026-01-01T00:00:00Z"),
    concurrency: 3,
    settings: {
      tracks: true,
      preference: { distanceUnit: "km", weightUnit: "kg", temperatureUnit: "C", utcOffset: 2 },
    },
    async journal() {
      opened ??= await openJournal(journalPath);
      return opened;
    },
    async plan(sources, signal = never) {
      await settling(world, signal);
      const { tracks, preference, ...dates } = world.settings;
      return planSources({
        sources: sources.map(openedSource),
        log: view(world),
        journal: await world.journal(),
        settings: {
          sports: new Map(),
          activityIDs: ACTIVITY_IDS,
          preference,
          time: { utcOffset: 2 },
          ...dates,
        },
        options: { tracks, activityIDs: ACTIVITY_IDS, workoutIDs: {} },
        signal,
        now: () => world.now++,
        onIssue: (issue) => world.issues.push(issue),
        onProgress: () => undefined,
      });
    },
    apply: (number) => carryOut(number, false),
    async import(sources) {
      await world.plan(sources);
      return carryOut(undefined, true);
    },
    async importUntilDone(sources, most = 20) {
      for (let times = 1; ; times++) {
        try {
          const summary = await world.import(sources);
          if (summary.all.left === 0 || times >= most) return summary;
        } catch (error) {
          if (times >= most) throw error;
          if (!(error instanceof Killed || error instanceof FatalError)) throw error;
        }
      }
    },
    async verify() {
      const journal = await world.journal();
      const run = await journal.run();
      if (run === undefined) throw new Error("there is no run");
      return verify(run, {
        journal,
        sink: log,
        encode: createEncoder(run.options),
        list: (kind) => listing(world, kind),
        concurrency: 2,
        signal: never,
        onProgress: () => undefined,
      });
    },
    async lines(number) {
      const journal = await world.journal();
      const run = number ?? (await journal.run())?.id ?? 0;
      const lines: Line[] = [];
      for await (const line of journal.lines(run, {})) lines.push(line);
      return lines.sort((a, b) => a.seq - b.seq);
    },
    async close() {
      await closeJournal();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return world;
}

function openedSource(source: MadeSource): OpenedSource {
  const { name, connector = name, recordings, remarks = [] } = source;
  return {
    path: `/${name}`,
    archive: memoryArchive(name, {}),
    saw: "made up",
    connector: {
      name: connector,
      title: connector,
      howToGet: "made up",
      ...(recordings && { recordings }),
      identify: async () => undefined,
      async *read(_archive, context) {
        remarks.forEach(context.report);
        for (const reading of source.readings) {
          yield { ...reading, origin: { ...reading.origin, connector, archive: name } } as Reading;
        }
      },
    },
  };
}

function filesOf(world: World): SourceFiles {
  return {
    async track(_source, { entry }) {
      const recordings = world.files.get(entry);
      if (recordings === undefined)
        throw new ItemError("source/changed", `Cannot load ${entry}: it is no longer there`);
      return new TextEncoder().encode(JSON.stringify(recordings));
    },
    async leg(_source, { entry, recording }) {
      const leg = world.files.get(entry)?.[recording];
      return leg && new TextEncoder().encode(JSON.stringify([leg]));
    },
    courseMap: async () => new TextEncoder().encode("<gpx/>"),
    close: async () => undefined,
  };
}
