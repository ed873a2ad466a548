/**
 * Loads one record: writes its intent, sends its request, keeps its receipt. When a step fails, it records the outcome.
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
import { LACKS_REFERENCE } from "../plan/compare/references.ts";
import { fileOf, findLegs, findTrack, isToImport, sentAlone, wasImported } from "../sources/legs.ts";
import { Bodies, isBodyRefused } from "./bodies.ts";
import { asImported } from "./body-facts.ts";
import { completeWorkout } from "./complete-workout.ts";
import { baseOf, withSetId } from "./edit-base.ts";
import { Guard } from "./guard.ts";
import { withoutImpossible } from "./impossible-values.ts";
import type { LoadContext } from "./load-context.ts";
import { type ImportMatch, matchImported } from "./match-imported.ts";
import { isOfAnother } from "./mixed-up.ts";
import { OpenReceipts } from "./open-receipts.ts";
import { WITHOUT_AN_ID } from "./settle.ts";

/** Loads records, one or a device file at a time. */
export class RecordLoader {
  /** Decides the outcome of records whose request went wrong, and counts lost answers. */
  readonly guard: Guard;
  readonly receipts = new OpenReceipts();
  #done = 0;
  readonly #run: Run;
  readonly #bodies: Bodies;
  readonly #context: LoadContext;
  /** Ends requests that are under way, a while after the run was told to stop. */
  readonly #work: AbortSignal;
  /** Workouts whose device files were sent and that are not completed, by `seq`. */
  readonly #imported = new Map<number, WorkoutLine>();
  /** Device files that a worker is loading now, each with the promise that the worker is done. */
  readonly #files = new Map<string, Promise<void>>();

  constructor(run: Run, context: LoadContext, work: AbortSignal) {
    this.#run = run;
    this.#context = context;
    this.#bodies = new Bodies(run, context);
    this.#work = work;
    this.guard = new Guard(run, context);
  }

  /** Loads a record. A workout that goes by import takes all the other workouts of its device file with it. */
  async load(listed: RecordLine): Promise<void> {
    if (findTrack(listed) === undefined) return this.receipts.load(listed.seq, () => this.#load(listed));
    // The first worker that comes to a file may load all of its workouts, with the file or each without it. Another worker that holds one
    // of these workouts waits, and then finds it done.
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
    // The journal gives the lines in chunks. Since then another worker may have loaded this line, together with the file they share.
    const line = await this.#context.journal.line(listed.run, listed.seq);
    if (line?.state !== "planned" || !isRecord(line)) return;
    if (line.remoteId !== undefined) {
      if (!this.#mayBegin(REQUESTS_TO_OVERWRITE, line)) return;
      await this.guard.run([line], () => this.#overwrite(line, line.remoteId ?? ""));
    } else if (line.kind === "workout" && line.uploadMethod === "import") await this.#importFile(line);
    else if (this.#mayBegin(REQUESTS_TO_SAVE, line)) await this.#create(line);
  }

  /** Writes our values over a record, or fills the blank fields of a workout that is not ours. */
  async #overwrite(line: RecordLine, id: string): Promise<void> {
    const completes = line.kind === "workout" ? line.value.completes : undefined;
    if (line.kind !== "workout" || completes === undefined) return this.#finish(line, id);
    const { journal, now, sink } = this.#context;
    const isDone = await completeWorkout(
      { line, id, completes },
      {
        journal,
        now,
        read: (one) => sink.read("workout", one, this.#work),
        replace: (one, body) => sink.replace("workout", one, body, this.#work),
        send: async (send) => void (await this.#sendNaming(line, await this.#bodies.of(line), send)),
      },
    );
    if (!isDone) await this.#report(line, "load/changed-since-plan", id);
    this.guard.answered();
    this.#context.onProgress(++this.#done);
  }

  /** Whether the run may still begin a record that takes this many requests. The requests for the record's map are added here. */
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

  /** Sends a body. If the log refuses it because its shoe or course is gone, sends it once more without them. */
  async #sendNaming<T>(
    line: RecordLine,
    body: SaveBody,
    send: (body: SaveBody) => Promise<T>,
  ): Promise<{ readonly body: SaveBody; readonly result: T }> {
    try {
      return { body, result: await send(body) };
    } catch (error) {
      if (!isBodyRefused(error) || !(await this.#bodies.markGoneReferences(line, body, this.#work))) throw error;
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
        // The log has the course, with its name and length. Only the map is missing.
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
    // The log makes a record of every recording in an imported file, even if it has that record already.
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

  /** Sends each recording as a file of its own. The whole file would also create workouts that the plan leaves out. */
  async #importEach(legs: readonly WorkoutLine[]): Promise<void> {
    for (const leg of legs) {
      if (this.#context.signal.aborted) return;
      const value = sentAlone(leg.value);
      await this.#context.journal.patchLine(leg.run, leg.seq, { value });
      await this.#importFile({ ...leg, value });
    }
  }

  /** Sends one recording of a file as a file of its own. A recording without a point to send goes by save. */
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

  /**
   * Rejects an answer to an import that names ids of other records. Such an answer belongs to another request, so it proves nothing of any
   * leg.
   */
  async #refuseTaken(legs: readonly Line[], ids: readonly string[]): Promise<void> {
    for (const line of legs)
      for (const id of ids)
        if (await this.#context.journal.isTaken(line, "workout", id)) throw await this.#idOfAnother(line, id);
  }

  /**
   * Keeps the id that a record has in the log.
   *
   * @throws UnknownOutcomeError when the id belongs to another record: then the answer proves nothing
   */
  async #ownId(line: RecordLine, state: "planned" | "done", patch: LinePatch, record: RemoteRecord): Promise<void> {
    if (await this.#context.journal.receiveId(line, state, patch, record)) return;
    throw await this.#idOfAnother(line, record.remoteId);
  }

  async #idOfAnother(line: Line, id: string): Promise<UnknownOutcomeError> {
    await this.#report(line, ID_OF_ANOTHER, id);
    return new UnknownOutcomeError(ID_OF_ANOTHER, idOfAnother(id));
  }

  /**
   * Finds out which id belongs to which leg. With several ids or legs, it reads each record first. The log has imported the file by now,
   * whatever goes wrong here. So the legs stay in doubt until they are matched, and logferry never sends the file again for them.
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
   * Puts legs in doubt that the answer to an import has no id for. Either the log made nothing of them, or it made them and did not say so.
   * Settling asks the log later, and legs that the log does not hold go by save.
   */
  async #lookUp(legs: readonly Line[], made: number, planned: number): Promise<void> {
    const found = `the import made ${made} of ${planned} workouts`;
    for (const line of legs) {
      await this.#report(line, "load/not-imported", found);
      await this.#context.journal.receive(line, "in-doubt", { reason: `${WITHOUT_AN_ID}: ${found}` });
      this.guard.answerLost();
    }
  }

  /** Saves legs without their track, because the import made nothing of them. All legs are marked before the first request leaves. */
  async #saveWithout(legs: readonly WorkoutLine[], rule: string, found: string): Promise<void> {
    const reason = `${rule}: saved without its track`;
    for (const line of legs) {
      await this.#report(line, rule, found);
      await this.#context.journal.receive(line, "planned", { uploadMethod: "save", reason });
    }
    for (const line of legs) await this.#create({ ...line, state: "planned", uploadMethod: "save" });
  }

  /**
   * Overwrites an existing record as a whole with our values. It reads the record first and keeps edits that somebody made in the log.
   *
   * @param read the record, if it was read a moment ago
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
    // A record that an earlier run had not finished is as its import made it, too.
    const isAsMade = isOfImport ? line.uploadMethod === "import" : line.action === "update" && lastSent === undefined;
    const made = line.kind === "workout" && isAsMade ? asImported(current) : undefined;
    if (made !== undefined) await journal.keepImported(id, made);
    const theirs = isOfImport ? withoutImpossible(current, line.value) : current;
    const base = baseOf(line, lastSent, theirs, ours);
    const { body: sentOurs, result } = await this.#sendNaming(line, ours, async (one) => {
      const merged = this.#merged(line, one, theirs, base);
      // A person can restore a record that existed before this run (`logferry undo`). Undo can't restore a record that the run created.
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

  /** Merges our values with the edits that somebody made in the log. When a run restores a snapshot, the base is the record as planned. */
  #merged(line: RecordLine, ours: SaveBody, theirs: SaveBody, base: SaveBody | undefined) {
    const { restores } = this.#run.options;
    const ourOwn = withSetId(ours, theirs);
    if (restores === undefined || line.action !== "update")
      return mergeThreeWay<SaveBody>(base && withSetId(base, theirs), theirs, ourOwn);
    const fields = restores.fields && (restores.fields[line.kind] ?? []);
    return putBack(withSetId(base ?? theirs, theirs), theirs, ourOwn, fields);
  }

  /** Whether our body now holds the reference that the workout lacked. If not, the workout stays as it is, which costs no request. */
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
   * The body that we last sent for a record: every difference from it is an edit by the owner. If the answer to a save was lost, this
   * function makes the body of that save again.
   *
   * @returns undefined when the log made the record itself, from a device file
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

  /** @param kept fields that somebody edited in the log, and that logferry keeps */
  async #received(line: RecordLine, id: string, sent: SaveBody, kept: readonly string[] = []): Promise<void> {
    const reason = [line.reason, `edited in the log and left so: ${kept.join(", ")}`].filter(
      (part) => part !== undefined,
    );
    const patch = { remoteId: id, ...(kept.length > 0 && { reason: reason.join("; ") }) };
    const receipt = this.#ownId(line, "done", patch, { ...toRemoteRecord(line, id), sent, finished: true });
    this.receipts.beingWritten(line.seq);
    await receipt;
    this.#imported.delete(line.seq);
    this.guard.answered();
    this.#context.onProgress(++this.#done);
  }

  async #report(line: Line | undefined, rule: string, found: string, severity: Severity = "warning"): Promise<void> {
    await this.#context.report({
      severity,
      rule,
      found,
      ...(rule === "load/edit-kept" && {
        expected: "the source's values; you edited these in your log, and your edits stay",
      }),
      ...(line !== undefined && { origin: line.origin }),
    });
  }
}
