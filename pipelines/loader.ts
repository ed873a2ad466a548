/**
 * Loads one record: its intent, its request, its receipt; and what becomes of it when that goes wrong.
 */
import { isDeepStrictEqual } from "node:util";
import { FatalError, ItemError, RetryableError, UnknownOutcomeError } from "../connectors/errors.ts";
import type { SaveBody } from "../connectors/sink.ts";
import { putBack } from "../transforms/merge/put-back.ts";
import { mergeThreeWay } from "../transforms/merge/three-way.ts";
import type { Course } from "../transforms/model/course.ts";
import type { Severity } from "../transforms/model/issue.ts";
import type { Kind } from "../transforms/model/item.ts";
import type { TrackRef, Workout } from "../transforms/model/workout.ts";
import { REQUESTS_TO_MAP, REQUESTS_TO_OVERWRITE, REQUESTS_TO_SAVE, requestsToImport } from "./journal/cost.ts";
import type { JournalReader, Line, LineState, Placed, Run } from "./journal/journal.ts";
import { LOG_CHANGED } from "./load/check-assumptions.ts";
import type { LoadContext } from "./load/load-context.ts";
import { type ImportMatch, matchImported } from "./load/match-imported.ts";
import { WITHOUT_AN_ID } from "./load/settle.ts";
import { findRemoteId, LACKS_REFERENCE } from "./references.ts";

/** This many lost answers one after the other, and the service is not well: stop, resumable. */
const LOST_ANSWERS_TO_STOP = 5;

/** A read that failed as often as it may be tried: of one record, that is no reason to stop for all the others. */
const FAILED_READ = /^api\/(http-5\d\d|unreadable|answer-lost)$/;

/** Loads records, one or a device file at a time, and remembers how many answers were lost. */
export class Loader {
  /** Answers lost in this round. */
  lostAnswers = 0;
  readonly #startedAt: number;
  /** By the monotonic clock, when an answer was lost last. */
  #lostAt: number;
  #lostInARow = 0;
  #done = 0;
  readonly #run: Run;
  readonly #monotonic: () => number;
  readonly #context: LoadContext;
  /** Ends requests that are under way, a while after the run was told to stop. */
  readonly #work: AbortSignal;
  /** Device files that a lane is at, and when it is through. */
  readonly #files = new Map<string, Promise<void>>();

  constructor(run: Run, context: LoadContext, work: AbortSignal) {
    this.#run = run;
    this.#context = context;
    this.#work = work;
    this.#monotonic = context.monotonic ?? (() => performance.now());
    this.#startedAt = this.#monotonic();
    this.#lostAt = this.#startedAt;
  }

  /** For how long it has been there, in milliseconds. */
  ageMs(): number {
    return this.#monotonic() - this.#startedAt;
  }

  /** For how long no answer was lost. The wall clock may be set meanwhile; this one can't. */
  quietMs(): number {
    return this.#monotonic() - this.#lostAt;
  }

  /** Loads a record; with it, where they go by import, all the workouts of its device file. */
  async load(listed: Line): Promise<void> {
    const { track } = (listed.value ?? {}) as Partial<Workout>;
    if (track === undefined) return this.#load(listed);
    // Whichever lane comes to a file first may load all of its workouts, each as it was to be sent or without the file: another lane
    // that has one of them waits, and finds it done.
    const file = fileOf(listed);
    const before = this.#files.get(file) ?? Promise.resolve();
    const mine = before.then(() => this.#load(listed));
    const over = mine.catch(() => undefined);
    this.#files.set(file, over);
    try {
      await mine;
    } finally {
      if (this.#files.get(file) === over) this.#files.delete(file);
    }
  }

  async #load(listed: Line): Promise<void> {
    // The listing is read in pieces: another lane may have loaded this one since, with the file they share.
    const line = await this.#context.journal.line(listed.run, listed.seq);
    if (line?.state !== "planned") return;
    if (line.remoteId !== undefined) {
      if (!this.#mayBegin(REQUESTS_TO_OVERWRITE, line)) return;
      await this.#guarded([line], () => this.#finish(line, line.remoteId ?? ""));
    } else if (line.carrier === "import") await this.#importFile(line);
    else if (this.#mayBegin(REQUESTS_TO_SAVE, line)) await this.#create(line);
  }

  /** Whether a record may be begun that takes so many requests, besides those of its map. */
  #mayBegin(requests: number, line: Line): boolean {
    const hasMap = line.kind === "course" && (line.value as Course | undefined)?.map !== undefined;
    return this.#context.mayBegin?.(requests + (hasMap ? REQUESTS_TO_MAP : 0)) !== false;
  }

  /** Makes a record from its body. */
  async #create(line: Line): Promise<void> {
    const { journal, sink } = this.#context;
    const body = await this.#bodyOf(line);
    await journal.intend([line], this.#context.now());
    await this.#guarded([line], async () => {
      const id = await sink.create(kindOf(line), body, this.#work);
      const map = line.kind === "course" ? (line.value as Course).map : undefined;
      if (map === undefined) {
        await this.#received(line, id, body);
        return;
      }
      await journal.receive(line, "planned", { remoteId: id }, placedBy(line, id, body, false));
      await this.#saveMap({ ...line, remoteId: id }, id, body);
    });
  }

  async #saveMap(line: Line, id: string, body: SaveBody): Promise<void> {
    const { files, journal, sink } = this.#context;
    const { map } = line.value as Course;
    await journal.intend([line], this.#context.now());
    if (map !== undefined) {
      try {
        await sink.saveMap(id, await files.courseMap(line.source, map, (line.value as Course).name), this.#work);
      } catch (error) {
        // The course is there, with its name and length; only its line is missing.
        if (!(error instanceof ItemError)) throw error;
        await this.#report(line, "load/map-refused", error.message);
      }
    }
    await this.#received(line, id, body);
  }

  /** Sends a device file, once for all the workouts in it, then completes each. */
  async #importFile(first: Line): Promise<void> {
    const { track } = first.value as Workout;
    if (track === undefined) return this.#mayBegin(REQUESTS_TO_SAVE, first) ? this.#create(first) : undefined;
    const lines = await legsOf(first, this.#context.journal);
    const legs = lines.filter(isToImport);
    if (legs.length === 0 || !this.#mayBegin(requestsToImport(legs.length), first)) return;
    // An import makes a record of every recording in the file, again too.
    if (lines.some(wasImported)) {
      await this.#saveWithout(legs, "load/not-imported", "the file was imported before, without this recording");
      return;
    }
    if (new Set(legs.map(({ value }) => (value as Workout).track?.recording)).size < track.recordings) {
      await this.#saveWithout(legs, "load/track-left-out", "not all workouts of the file are to be made");
      return;
    }
    const bytes = await this.#guardedRead(legs, () => this.#context.files.track(track.source ?? first.source, track));
    if (bytes === undefined) return;
    await this.#context.journal.intend(legs, this.#context.now());
    await this.#guarded(legs, () => this.#sendFile(legs, track, bytes));
  }

  async #sendFile(legs: readonly Line[], track: TrackRef, bytes: Uint8Array): Promise<void> {
    const { journal, sink } = this.#context;
    let ids: readonly string[];
    try {
      ids = await sink.importFile(track.format, bytes, this.#work);
    } catch (error) {
      if (!(error instanceof ItemError)) throw error;
      await this.#saveWithout(legs, "load/file-refused", error.message);
      return;
    }
    const matched = await this.#match(legs, ids);
    for (const { line, id } of matched.pairs) {
      await journal.receive(line, "planned", { remoteId: id }, placedBy(line, id, undefined, false));
    }
    for (const id of matched.extraIds) await this.#report(legs[0], "load/extra-workout", `the import also made ${id}`);
    if (matched.missing.length > 0) await this.#lookUp(matched.missing, ids.length, legs.length);
    for (const { line, id, record } of matched.pairs) {
      await this.#guarded([line], () => this.#finish({ ...line, remoteId: id, state: "planned" }, id, record));
    }
  }

  /**
   * Which id is which leg. With several, each record is read first; whatever goes wrong meanwhile, the file was imported: its
   * legs are in doubt until they are told apart, and the file is never sent again for them.
   */
  async #match(legs: readonly Line[], ids: readonly string[]): Promise<ImportMatch> {
    const { journal, sink } = this.#context;
    if (legs.length * ids.length > 1) {
      const reason = `imported as ${ids.join(", ")}, not told apart yet`;
      for (const line of legs) await journal.receive(line, "in-doubt", { reason });
    }
    try {
      return await matchImported(legs, ids, (id) => sink.read("workout", id, this.#work));
    } catch (error) {
      this.#answerLost();
      throw error;
    }
  }

  /**
   * The answer to an import has no id for these legs: it made nothing of them, or it made them and didn't say. The log is asked, and
   * what it doesn't hold goes by save.
   */
  async #lookUp(legs: readonly Line[], made: number, planned: number): Promise<void> {
    const found = `the import made ${made} of ${planned} workouts`;
    for (const line of legs) {
      await this.#report(line, "load/not-imported", found);
      await this.#context.journal.receive(line, "in-doubt", { reason: `${WITHOUT_AN_ID}: ${found}` });
      this.#answerLost();
    }
  }

  /** An import made nothing of these legs: they go by save, without their track. All are marked before the first leaves. */
  async #saveWithout(legs: readonly Line[], rule: string, found: string): Promise<void> {
    const reason = `${rule}: saved without its track`;
    for (const line of legs) {
      await this.#report(line, rule, found);
      await this.#context.journal.receive(line, "planned", { carrier: "save", reason });
    }
    for (const line of legs) await this.#create({ ...line, state: "planned", carrier: "save" });
  }

  /**
   * Writes ours over a record that exists, the whole record, after reading it; an edit somebody made there stays.
   *
   * @param read the record, where it was read a moment ago
   */
  async #finish(line: Line, id: string, read?: SaveBody): Promise<void> {
    const { journal, sink } = this.#context;
    const kind = kindOf(line);
    const ours = await this.#bodyOf(line);
    if (line.reason?.startsWith(LACKS_REFERENCE) && !(await this.#givesReference(line, ours))) return;
    await journal.intend([line], this.#context.now());
    const theirs = read ?? (await sink.read(kind, id, this.#work));
    const base = await this.#lastSent(line);
    const { restores } = this.#run.options;
    // Of a restore, the base is the record as it stood when it was planned to be put back.
    const { body, kept } =
      restores !== undefined && line.action === "update"
        ? putBack(
            withSetId(base ?? theirs, theirs),
            theirs,
            withSetId(ours, theirs),
            restores.fields && (restores.fields[kind] ?? []),
          )
        : mergeThreeWay<SaveBody>(base && withSetId(base, theirs), theirs, withSetId(ours, theirs));
    if (kept.length > 0) await this.#report(line, "load/edit-kept", kept.join(", "));
    // What was there before this run can be put back by hand's word (`logferry undo`); what the run made itself can't.
    if (line.action === "update")
      await journal.custody.overwriting(line, { id, before: theirs, sent: body, at: this.#context.now() });
    await sink.replace(kind, id, body, this.#work);
    const sent = restores === undefined ? ours : body;
    if (line.kind === "course") await this.#saveMap(line, id, sent);
    else await this.#received(line, id, sent, kept);
  }

  /** Whether a body holds what the workout went without. One that still doesn't is left as it is, which costs no request. */
  async #givesReference(line: Line, ours: SaveBody): Promise<boolean> {
    const { journal } = this.#context;
    const { sent } = (await journal.placed(line.key)) ?? {};
    if (!isDeepStrictEqual(sent, JSON.parse(JSON.stringify(ours)))) {
      await this.#report(line, "load/reference-given", line.reason ?? "", "info");
      return true;
    }
    await journal.patchLine(line.run, line.seq, { state: "unchanged", action: "none" });
    return false;
  }

  /**
   * What we last sent of a record: whatever differs from it is its owner's edit. Of a save whose answer was lost it is the
   * body of that save, made again; undefined where the log made the record itself, of a device file.
   */
  async #lastSent(line: Line): Promise<SaveBody | undefined> {
    const { journal } = this.#context;
    const placed = await journal.placed(line.key);
    if (placed === undefined || placed.sent !== undefined) return placed?.sent as SaveBody | undefined;
    const maker = await journal.lineWithKey(placed.run, placed.key);
    return maker?.action === "create" && maker.carrier === "save" ? this.#bodyOf(maker) : undefined;
  }

  /** @param kept fields that somebody edited in the log, and that stay so */
  async #received(line: Line, id: string, sent: SaveBody, kept: readonly string[] = []): Promise<void> {
    const reason = [line.reason, `edited in the log and left so: ${kept.join(", ")}`].filter(
      (part) => part !== undefined,
    );
    const patch = { remoteId: id, ...(kept.length > 0 && { reason: reason.join("; ") }) };
    await this.#context.journal.receive(line, "done", patch, placedBy(line, id, sent, true));
    this.#lostInARow = 0;
    this.#context.onProgress(++this.#done);
  }

  #answerLost(): void {
    this.lostAnswers++;
    this.#lostAt = this.#monotonic();
  }

  /** Runs an action and puts its lines where its error says. */
  async #guarded(lines: readonly Line[], action: () => Promise<void>): Promise<void> {
    const { journal } = this.#context;
    try {
      await action();
    } catch (error) {
      const open = await this.#stillInFlight(lines);
      if (error instanceof ItemError) {
        for (const line of open) {
          await journal.receive(line, ...refusal(line, error));
          this.#context.onSetAside?.();
        }
        this.#lostInARow = 0;
        return;
      }
      if (error instanceof UnknownOutcomeError) {
        this.#answerLost();
        for (const line of open) {
          // What has an id is only ever written over, and that can be repeated.
          await journal.receive(line, line.remoteId === undefined ? "in-doubt" : "planned", {
            reason: error.message,
            intendedAt: this.#context.now(),
          });
        }
        // Stopped by a person, not by the service: nothing is wrong with it.
        if (this.#context.signal.aborted) return;
        if (++this.#lostInARow < LOST_ANSWERS_TO_STOP || this.#context.isWaitedFor?.() === true) return;
        throw new FatalError(
          "load/answers-lost",
          "service",
          `Stopped: ${this.#lostInARow} answers of the service were lost one after the other (the last: ${error.message}). Run the same command again later: nothing is repeated.`,
          { cause: error },
        );
      }
      if (error instanceof RetryableError) {
        for (const line of open) await journal.receive(line, "planned", { reason: error.message });
        if (this.#context.signal.aborted) return;
        if (FAILED_READ.test(error.code) && ++this.#lostInARow < LOST_ANSWERS_TO_STOP) return;
        throw new FatalError(
          "load/service-unwell",
          "service",
          `Stopped: ${error.message}. Run the same command again later: nothing is repeated.`,
          { cause: error },
        );
      }
      // A refused token did nothing; a service that turned out to be another one may have: a redirect can follow the deed.
      // Anything else (our bug, a full disk) leaves the line in flight, to be looked up.
      if (error instanceof FatalError && error.reason !== "journal") {
        for (const line of open) {
          const mayBeDone = error.reason === "service" && line.remoteId === undefined;
          await journal.receive(line, mayBeDone ? "in-doubt" : "planned", { reason: error.message });
        }
      }
      throw error;
    }
  }

  /** Reads a source file; a file that changed or can't be read fails its lines and nothing else. */
  async #guardedRead<T>(lines: readonly Line[], read: () => Promise<T>): Promise<T | undefined> {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof ItemError)) throw error;
      for (const line of lines) {
        await this.#context.journal.patchLine(line.run, line.seq, {
          state: "failed",
          reason: `${error.code}: ${error.message}`,
        });
        this.#context.onSetAside?.();
      }
      return undefined;
    }
  }

  async #stillInFlight(lines: readonly Line[]): Promise<readonly Line[]> {
    const open: Line[] = [];
    for (const line of lines) {
      const now = await this.#context.journal.line(line.run, line.seq);
      if (now?.state === "in-flight") open.push(now);
    }
    return open;
  }

  async #bodyOf(line: Line): Promise<SaveBody> {
    if (line.value === undefined) throw new Error(`Cannot load line ${line.seq}: it has no value`);
    if (line.kind !== "workout") return this.#context.encode(kindOf(line), line.value, {});
    const { course, equipment } = line.value as Workout;
    return this.#context.encode("workout", line.value, {
      courseId: course === undefined ? undefined : await this.#idOf(line, course),
      equipmentId: equipment?.[0] === undefined ? undefined : await this.#idOf(line, equipment[0]),
    });
  }

  /** The log's id of a course or piece of equipment. One that isn't there must not sink the workout: it goes without. */
  async #idOf(line: Line, key: string): Promise<string | undefined> {
    const id = await findRemoteId(this.#context.journal, this.#run.id, key);
    if (id === undefined) await this.#report(line, "load/reference-left-out", key);
    return id;
  }

  async #report(line: Line | undefined, rule: string, found: string, severity: Severity = "warning"): Promise<void> {
    await this.#context.report({
      severity,
      rule,
      found,
      ...(line !== undefined && { origin: line.origin }),
    });
  }
}

/** A body whose intervals have the number that the log gave them: its number is nobody's edit. */
function withSetId(body: SaveBody, theirs: SaveBody): SaveBody {
  const { id } = (theirs.intervalSet ?? {}) as { id?: unknown };
  return body.intervalSet === undefined || id === undefined
    ? body
    : { ...body, intervalSet: { ...body.intervalSet, id } };
}

/** Where a line goes that the log doesn't take: one whose record is gone was planned for another log than this. */
function refusal({ remoteId }: Line, error: ItemError): readonly [LineState, { readonly reason: string }] {
  return error.code === "api/gone" && remoteId !== undefined
    ? ["failed", { reason: `${LOG_CHANGED}: ${remoteId} is no longer in the log. Plan again` }]
    : ["refused", { reason: `${error.code}: ${error.message}` }];
}

/** Every workout of a device file that is of the same run as this one: itself, where it has none. */
export async function legsOf(line: Line, journal: JournalReader): Promise<readonly Line[]> {
  const { track } = line.value as Workout;
  return track === undefined ? [line] : journal.linesOfFile(line.run, track.source ?? line.source, track.entry);
}

/** The device file of a workout, as a word of its own. */
export function fileOf({ source, value }: Line): string {
  const { track } = value as Workout;
  return `${track?.source ?? source}\u0000${track?.entry}`;
}

/** A leg whose file is still to be sent for it. */
function isToImport({ state, carrier, remoteId }: Line): boolean {
  return state === "planned" && carrier === "import" && remoteId === undefined;
}

/** A leg whose file was sent and made something, or may have. */
function wasImported({ state, carrier, remoteId }: Line): boolean {
  return carrier === "import" && (remoteId !== undefined || state === "in-flight" || state === "in-doubt");
}

function placedBy(line: Line, id: string, sent: SaveBody | undefined, finished: boolean): Placed {
  return {
    key: line.key,
    kind: kindOf(line),
    remoteId: id,
    content: line.content ?? "",
    sent,
    finished,
    run: line.run,
  };
}

function kindOf(line: Line): Kind {
  if (line.kind === "set-aside") throw new Error(`Cannot load line ${line.seq}: it was set aside`);
  return line.kind;
}
