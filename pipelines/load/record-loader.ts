/**
 * Loads one record: its intent, its request, its receipt; and what becomes of it when that goes wrong.
 */
import { isDeepStrictEqual } from "node:util";
import { ItemError, UnknownOutcomeError } from "../../connectors/errors.ts";
import type { SaveBody } from "../../connectors/sink.ts";
import { putBack } from "../../transforms/merge/put-back.ts";
import { mergeThreeWay } from "../../transforms/merge/three-way.ts";
import type { Severity } from "../../transforms/model/issue.ts";
import type { TrackRef } from "../../transforms/model/workout.ts";
import { REQUESTS_TO_MAP, REQUESTS_TO_OVERWRITE, REQUESTS_TO_SAVE, requestsToImport } from "../journal/cost.ts";
import { ID_OF_ANOTHER, idOfAnother } from "../journal/journal.ts";
import {
  isRecord,
  type Line,
  type LineOf,
  type LinePatch,
  type RecordLine,
  type WorkoutLine,
} from "../journal/line.ts";
import { type RemoteRecord, toRemoteRecord } from "../journal/remote-record.ts";
import type { Run } from "../journal/run.ts";
import { LACKS_REFERENCE } from "../plan/references.ts";
import { fileOf, findLegs, findTrack, isToImport, sentAlone, wasImported } from "../sources/legs.ts";
import { Bodies, isRefusal } from "./bodies.ts";
import { asImported } from "./body-facts.ts";
import { Guard } from "./guard.ts";
import { withoutImpossible } from "./impossible-values.ts";
import type { LoadContext } from "./load-context.ts";
import { type ImportMatch, matchImported } from "./match-imported.ts";
import { isOfAnother } from "./mixed-up.ts";
import { WITHOUT_AN_ID } from "./settle.ts";

/** Loads records, one or a device file at a time. */
export class RecordLoader {
  /** Knows what becomes of records whose request goes wrong, and how many answers were lost. */
  readonly guard: Guard;
  #done = 0;
  readonly #run: Run;
  readonly #bodies: Bodies;
  readonly #context: LoadContext;
  /** Ends requests that are under way, a while after the run was told to stop. */
  readonly #work: AbortSignal;
  /** Workouts whose device files were sent and that are not completed, by `seq`. */
  readonly #imported = new Map<number, WorkoutLine>();
  /** Device files that a worker is at, and when it is through. */
  readonly #files = new Map<string, Promise<void>>();

  constructor(run: Run, context: LoadContext, work: AbortSignal) {
    this.#run = run;
    this.#context = context;
    this.#bodies = new Bodies(run, context);
    this.#work = work;
    this.guard = new Guard(run, context);
  }

  /** Loads a record; with it, where they go by import, all the workouts of its device file. */
  async load(listed: RecordLine): Promise<void> {
    if (findTrack(listed) === undefined) return this.#load(listed);
    // Whichever worker comes to a file first may load all of its workouts, each as it was to be sent or without the file: another worker
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

  async #load(listed: RecordLine): Promise<void> {
    // The listing is read in pieces: another worker may have loaded this one since, with the file they share.
    const line = await this.#context.journal.line(listed.run, listed.seq);
    if (line?.state !== "planned" || !isRecord(line)) return;
    if (line.remoteId !== undefined) {
      if (!this.#mayBegin(REQUESTS_TO_OVERWRITE, line)) return;
      await this.guard.run([line], () => this.#finish(line, line.remoteId ?? ""));
    } else if (line.kind === "workout" && line.uploadMethod === "import") await this.#importFile(line);
    else if (this.#mayBegin(REQUESTS_TO_SAVE, line)) await this.#create(line);
  }

  /** Whether a record may be begun that takes so many requests, besides those of its map. */
  #mayBegin(requests: number, line: RecordLine): boolean {
    const hasMap = line.kind === "course" && line.value.map !== undefined;
    return this.#context.mayBegin?.(requests + (hasMap ? REQUESTS_TO_MAP : 0)) !== false;
  }

  /** Makes a record from its body. */
  async #create(line: RecordLine): Promise<void> {
    const { journal, sink } = this.#context;
    const first = await this.#bodies.of(line);
    await journal.intend([line], this.#context.now());
    await this.guard.run([line], async () => {
      const { body, result: id } = await this.#sendNaming(line, first, (one) =>
        sink.create(line.kind, one, this.#work),
      );
      if (line.kind !== "course" || line.value.map === undefined) {
        await this.#received(line, id, body);
        return;
      }
      await this.#ownId(line, "planned", { remoteId: id }, { ...toRemoteRecord(line, id), sent: body });
      await this.#saveMap({ ...line, remoteId: id }, id, body);
    });
  }

  /** Sends a body; one that is refused because of a shoe or a course that is gone is sent once more without it. */
  async #sendNaming<T>(
    line: RecordLine,
    body: SaveBody,
    send: (body: SaveBody) => Promise<T>,
  ): Promise<{ readonly body: SaveBody; readonly result: T }> {
    try {
      return { body, result: await send(body) };
    } catch (error) {
      if (!isRefusal(error) || !(await this.#bodies.namesGone(line, body, this.#work))) throw error;
      const without = await this.#bodies.of(line);
      return { body: without, result: await send(without) };
    }
  }

  async #saveMap(line: LineOf<"course">, id: string, body: SaveBody): Promise<void> {
    const { files, journal, sink } = this.#context;
    const { map, name } = line.value;
    await journal.intend([line], this.#context.now());
    if (map !== undefined) {
      try {
        await sink.saveMap(id, await files.courseMap(line.source, map, name), this.#work);
      } catch (error) {
        // The course is there, with its name and length; only its line is missing.
        if (!(error instanceof ItemError)) throw error;
        await this.#report(line, "load/map-refused", error.message);
      }
    }
    await this.#received(line, id, body);
  }

  /** Sends a device file, once for all the workouts in it, then completes each. */
  async #importFile(first: WorkoutLine): Promise<void> {
    const { track } = first.value;
    if (track === undefined) return this.#mayBegin(REQUESTS_TO_SAVE, first) ? this.#create(first) : undefined;
    const lines = await findLegs(first, this.#context.journal);
    const legs = lines.filter(isToImport);
    if (legs.length === 0 || !this.#mayBegin(requestsToImport(legs.length), first)) return;
    if (track.alone) return this.#importLeg(first, track);
    // An import makes a record of every recording in the file, again too.
    const isWhole = new Set(legs.map(({ value }) => value.track?.recording)).size === track.recordings;
    if (lines.some(wasImported) || !isWhole) {
      await this.#importEach(legs);
      return;
    }
    const bytes = await this.guard.read(legs, () => this.#context.files.track(track.source ?? first.source, track));
    if (bytes === undefined) return;
    await this.#context.journal.intend(legs, this.#context.now());
    await this.guard.run(legs, () => this.#sendFile(legs, track.format, bytes));
  }

  /** Sends each recording as a file of its own, since not all that the whole file would make are to be made. */
  async #importEach(legs: readonly WorkoutLine[]): Promise<void> {
    for (const leg of legs) {
      if (this.#context.signal.aborted) return;
      const value = sentAlone(leg.value);
      await this.#context.journal.patchLine(leg.run, leg.seq, { value });
      await this.#importFile({ ...leg, value });
    }
  }

  /** Sends one recording of a file as a file of its own. One without a point to send goes by save. */
  async #importLeg(leg: WorkoutLine, track: TrackRef): Promise<void> {
    const read = () => this.#context.files.leg(track.source ?? leg.source, track);
    const file = await this.guard.read([leg], async () => ({ bytes: await read() }));
    if (file === undefined) return;
    const { bytes } = file;
    if (bytes === undefined) {
      await this.#saveWithout([leg], "load/track-left-out", "its recording has no point with a time");
      return;
    }
    await this.#context.journal.intend([leg], this.#context.now());
    await this.guard.run([leg], () => this.#sendFile([leg], "tcx", bytes));
  }

  async #sendFile(legs: readonly WorkoutLine[], format: TrackRef["format"], bytes: Uint8Array): Promise<void> {
    const { sink } = this.#context;
    for (const leg of legs) this.#imported.set(leg.seq, leg);
    let ids: readonly string[];
    try {
      ids = await sink.importFile(format, bytes, this.#work);
    } catch (error) {
      if (!(error instanceof ItemError)) throw error;
      await this.#saveWithout(legs, "load/file-refused", error.message);
      return;
    }
    await this.#refuseTaken(legs, ids);
    const matched = await this.#match(legs, ids);
    for (const { line, id } of matched.pairs) {
      await this.#ownId(line, "planned", { remoteId: id }, toRemoteRecord(line, id));
    }
    for (const id of matched.extraIds) await this.#report(legs[0], "load/extra-workout", `the import also made ${id}`);
    if (matched.missing.length > 0) await this.#lookUp(matched.missing, ids.length, legs.length);
    for (const { line, id, record } of matched.pairs) {
      await this.guard.run([line], () => this.#finish({ ...line, remoteId: id, state: "planned" }, id, record));
    }
  }

  /** An answer to an import that names records known to be others' is the answer to something else: it proves nothing of any leg. */
  async #refuseTaken(legs: readonly Line[], ids: readonly string[]): Promise<void> {
    for (const line of legs)
      for (const id of ids)
        if (await this.#context.journal.isTaken(line, "workout", id)) throw await this.#idOfAnother(line, id);
  }

  /** Keeps the id that a record has in the log. @throws UnknownOutcomeError when it is another record's: nothing was proven */
  async #ownId(line: RecordLine, state: "planned" | "done", patch: LinePatch, record: RemoteRecord): Promise<void> {
    if (await this.#context.journal.receiveId(line, state, patch, record)) return;
    throw await this.#idOfAnother(line, record.remoteId);
  }

  async #idOfAnother(line: Line, id: string): Promise<UnknownOutcomeError> {
    await this.#report(line, ID_OF_ANOTHER, id);
    return new UnknownOutcomeError(ID_OF_ANOTHER, idOfAnother(id));
  }

  /**
   * Which id is which leg. With several, each record is read first; whatever goes wrong meanwhile, the file was imported: its
   * legs are in doubt until they are told apart, and the file is never sent again for them.
   */
  async #match(legs: readonly WorkoutLine[], ids: readonly string[]): Promise<ImportMatch> {
    const { journal, sink } = this.#context;
    if (legs.length * ids.length > 1) {
      const reason = `imported as ${ids.join(", ")}, not told apart yet`;
      for (const line of legs) await journal.receive(line, "in-doubt", { reason });
    }
    try {
      return await matchImported(legs, ids, (id) => sink.read("workout", id, this.#work));
    } catch (error) {
      this.guard.answerLost();
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
      this.guard.answerLost();
    }
  }

  /** An import made nothing of these legs: they go by save, without their track. All are marked before the first leaves. */
  async #saveWithout(legs: readonly WorkoutLine[], rule: string, found: string): Promise<void> {
    const reason = `${rule}: saved without its track`;
    for (const line of legs) {
      await this.#report(line, rule, found);
      await this.#context.journal.receive(line, "planned", { uploadMethod: "save", reason });
    }
    for (const line of legs) await this.#create({ ...line, state: "planned", uploadMethod: "save" });
  }

  /**
   * Writes ours over a record that exists, the whole record, after reading it; an edit somebody made there stays.
   *
   * @param read the record, where it was read a moment ago
   */
  async #finish(line: RecordLine, id: string, read?: SaveBody): Promise<void> {
    const { journal, sink } = this.#context;
    const { kind } = line;
    const ours = await this.#bodies.of(line);
    if (line.reason?.startsWith(LACKS_REFERENCE) && !(await this.#givesReference(line, ours))) return;
    await journal.intend([line], this.#context.now());
    const current = read ?? (await sink.read(kind, id, this.#work));
    const isImported = line.kind === "workout" && this.#imported.has(line.seq);
    if (isImported && isOfAnother(line, current, this.#imported.values())) {
      await journal.disown([line], idOfAnother(id));
      throw await this.#idOfAnother(line, id);
    }
    const lastSent = await this.#lastSent(line);
    const isOfImport = line.kind === "workout" && line.action === "create" && lastSent === undefined;
    const made = isOfImport && line.uploadMethod === "import" ? asImported(current) : undefined;
    if (made !== undefined) await journal.keepImported(id, made);
    const theirs = isOfImport ? withoutImpossible(current, line.value) : current;
    const base = line.reason?.startsWith(LACKS_REFERENCE) ? withoutGoneReferences(lastSent, theirs) : lastSent;
    const { body: sentOurs, result } = await this.#sendNaming(line, ours, async (one) => {
      const merged = this.#merged(line, one, theirs, base);
      // What was there before this run can be put back by hand's word (`logferry undo`); what the run made itself can't.
      if (line.action === "update")
        await journal.auditTrail.overwriting(line, { id, before: theirs, sent: merged.body, at: this.#context.now() });
      await sink.replace(kind, id, merged.body, this.#work);
      return merged;
    });
    const { body, kept } = result;
    if (kept.length > 0) await this.#report(line, "load/edit-kept", kept.join(", "));
    const sent = this.#run.options.restores === undefined ? sentOurs : body;
    if (line.kind === "course") await this.#saveMap(line, id, sent);
    else await this.#received(line, id, sent, kept);
  }

  /** A record as it is written over: ours, with what somebody edited in the log. Of a restore, the base is the record as planned to be put back. */
  #merged(line: RecordLine, ours: SaveBody, theirs: SaveBody, base: SaveBody | undefined) {
    const { restores } = this.#run.options;
    const ourOwn = withSetId(ours, theirs);
    if (restores === undefined || line.action !== "update")
      return mergeThreeWay<SaveBody>(base && withSetId(base, theirs), theirs, ourOwn);
    const fields = restores.fields && (restores.fields[line.kind] ?? []);
    return putBack(withSetId(base ?? theirs, theirs), theirs, ourOwn, fields);
  }

  /** Whether a body holds what the workout went without. One that still doesn't is left as it is, which costs no request. */
  async #givesReference(line: Line, ours: SaveBody): Promise<boolean> {
    const { journal } = this.#context;
    const { sent } = (await journal.remoteRecord(line.key)) ?? {};
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
    const record = await journal.remoteRecord(line.key);
    if (record === undefined || record.sent !== undefined) return record?.sent as SaveBody | undefined;
    const maker = await journal.lineWithKey(record.run, record.key);
    if (maker === undefined || !isRecord(maker) || maker.action !== "create" || maker.uploadMethod !== "save")
      return undefined;
    return this.#bodies.of(maker);
  }

  /** @param kept fields that somebody edited in the log, and that stay so */
  async #received(line: RecordLine, id: string, sent: SaveBody, kept: readonly string[] = []): Promise<void> {
    const reason = [line.reason, `edited in the log and left so: ${kept.join(", ")}`].filter(
      (part) => part !== undefined,
    );
    const patch = { remoteId: id, ...(kept.length > 0 && { reason: reason.join("; ") }) };
    await this.#ownId(line, "done", patch, { ...toRemoteRecord(line, id), sent, finished: true });
    this.#imported.delete(line.seq);
    this.guard.answered();
    this.#context.onProgress(++this.#done);
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

/** What we last sent, but for a shoe or a course that the log dropped from the record with the thing itself: that is nobody's edit. */
function withoutGoneReferences(sent: SaveBody | undefined, theirs: SaveBody): SaveBody | undefined {
  if (sent === undefined) return undefined;
  const isDropped = ([name]: readonly [string, unknown]) =>
    (name === "equipment" || name === "course") && theirs[name] === undefined;
  return Object.fromEntries(Object.entries(sent).filter((entry) => !isDropped(entry))) as SaveBody;
}
