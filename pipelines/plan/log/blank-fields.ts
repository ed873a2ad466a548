/**
 * Completes workouts that the log has already. With `--enrich`, a workout gets the values of the sources in its blank fields, and keeps every
 * value that it has. Without it, the plan says how many workouts may have such fields.
 */
import { at } from "../../../transforms/merge/at-path.ts";
import { FILLABLE, isBlank, pathsToFill } from "../../../transforms/merge/fill-blanks.ts";
import { findNotAdded } from "../../../transforms/merge/not-added.ts";
import type { Origin } from "../../../transforms/model/issue.ts";
import type { Completion, FilledValue, NotAdded, ValueNotAdded, Workout } from "../../../transforms/model/workout.ts";
import type { Line, LinePatch, LineState, RecordLine, WorkoutLine } from "../../journal/line.ts";
import type { ClaimedEntry, RemoteRecord } from "../../journal/remote-record.ts";
import type { WholeWorkout } from "../../log/whole-workout.ts";
import type { ComparisonContext } from "../compare/comparison.ts";
import { nameOf, notAddedTo } from "../compare/not-added.ts";
import { findRemoteId } from "../compare/references.ts";
import { isBareRecording } from "../pairs/bare-recording.ts";
import { createEncoder } from "./encode.ts";

const PATHS = FILLABLE.map(([path]) => path);

/** A listing has these fields, so the comparison has seen them. */
const LISTED: ReadonlySet<string> = new Set(["workoutID", "time", "details.distance", "details.duration"]);

/** Workouts that a remark tells of: how many, and the first. */
interface Told {
  count: number;
  first?: Origin;
}

/** The change of a line, with its new state. */
type SettledPatch = LinePatch & { readonly state?: LineState };

/** Decides about the records of a run that the log has already, and counts those with blank fields. */
export class BlankFields {
  readonly #context: ComparisonContext;
  readonly #blank: Told = { count: 0 };
  readonly #undone: Told = { count: 0 };
  #filled: Promise<ReadonlyMap<string, ReadonlySet<string>>> | undefined;

  constructor(context: ComparisonContext) {
    this.#context = context;
  }

  /**
   * The change of a line that is in the log already: it stays as it is there, or its blank fields are filled.
   *
   * @param entry the log's record, as it was claimed before this run
   * @param why how it was recognised
   * @param mayFill whether its blank fields may be filled: not where other workouts of the day fit it as well
   */
  async settle(line: RecordLine, entry: ClaimedEntry, why: string, mayFill = true): Promise<SettledPatch> {
    const reason = `already in the log: ${why}`;
    const ids = { duplicateOf: entry.id, remoteId: entry.id };
    const unchanged: SettledPatch = { state: "unchanged", action: "none", ...ids, reason };
    if (line.kind !== "workout") return unchanged;
    const filled = await this.#filledBefore(entry.id);
    const { value = line.value } = await notAddedTo(line, entry, this.#context);
    const known = { ...unchanged, value: withoutAdded(value, filled) };
    const { settings, isOfLog } = this.#context;
    const isUndone = settings.manualDecisions?.undone(line.key) !== undefined && settings.again !== true;
    // An export of a log has the values that the log has now, with the edits of its owner.
    if (isOfLog?.(line.source) === true) return known;
    if (isUndone || settings.enrich !== true) {
      if (filled.size === 0) await this.#consider(line, entry, known.value, isUndone ? this.#undone : this.#blank);
      return known;
    }
    if (!mayFill) {
      await this.#leave(
        line,
        entry.id,
        "several workouts of the day fit it equally well, and nobody can tell which of them it is",
      );
      return known;
    }
    const whole = await this.#read(line, entry.id);
    if (whole === undefined) return known;
    const emptied = new Set([...filled, ...(await this.#sentBefore(entry))]);
    const values = (await this.#fillableBy(line, whole)).filter(({ path }) => !emptied.has(path));
    const present = PATHS.filter((path) => path !== "notes" && !isBlank(at(whole.body, path)));
    const reached = new Set([...present, ...values.map(({ path }) => path)]);
    const added = withoutAdded(whatLogLacks(known.value, line, whole.workout), reached);
    if (values.length === 0) return { ...unchanged, value: added };
    const completes: Completion = { before: whole.body, values };
    const fields = values.map(({ field }) => field).join(", ");
    const filling = `${reason}. Blank there, and filled: ${fields}`;
    return { action: "update", uploadMethod: "save", ...ids, reason: filling, value: { ...added, completes } };
  }

  /**
   * The change of a line that logferry loaded before. With `--enrich`, a workout that would be updated with other values keeps those that it has, and gets
   * the ones that are blank there: a run with another zone would move starts that are right.
   *
   * @param record what the log has of it
   * @param put the change without `--enrich`
   */
  async orFill(line: Line, record: RemoteRecord, put: SettledPatch): Promise<SettledPatch> {
    const { journal, settings } = this.#context;
    if (settings.enrich !== true || line.kind !== "workout" || put.action !== "update" || !record.finished) return put;
    const { remoteId: id } = record;
    const entry = (await journal.logEntry("workout", id)) ?? { kind: "workout", id, claimedBy: line.key };
    return this.settle(line, entry, `put there by run ${record.run}`);
  }

  /** Says how many workouts may have blank fields, and the command that fills them. */
  async remark(): Promise<void> {
    const { sources, options } = this.#context;
    // A promotion loads what its rehearsal showed, and has no option that changes it.
    const how = options.promotes === undefined ? "type the same command" : "import the same sources afterwards";
    const [blank, undone] = [this.#blank.count, this.#undone.count];
    await this.#tell("plan/blank-fields", this.#blank, {
      found: `${blank === 1 ? "1 workout of your log may lack" : `${blank} workouts of your log may lack`} values that ${sources.length === 1 ? "this source has" : "these sources have"}`,
      expected: `no change by itself. To fill only what is blank there, ${how} with --enrich`,
    });
    await this.#tell("plan/undone-blank", this.#undone, {
      found: `${undone === 1 ? "1 workout of your log stays" : `${undone} workouts of your log stay`} as your undo put it back, and may lack values`,
      expected: `no change by itself. To fill what is blank there once more, ${how} with --enrich --again`,
    });
  }

  async #tell(
    rule: string,
    { first }: Told,
    words: { readonly found: string; readonly expected: string },
  ): Promise<void> {
    if (first !== undefined) await this.#context.report({ severity: "warning", rule, origin: first, ...words });
  }

  /** Counts a workout that may have blank fields. A workout that logferry loaded has them if it lacks a value. */
  async #consider(line: WorkoutLine, { claimedBy }: ClaimedEntry, { notAdded }: Workout, told: Told): Promise<void> {
    const isOurs = claimedBy !== undefined && (await this.#context.journal.remoteRecord(claimedBy)) !== undefined;
    const lacking =
      notAdded?.values
        .filter(({ inLog, isUnknown }) => inLog === undefined && isUnknown !== true)
        .map(({ field }) => field) ?? [];
    const mayLack = isOurs
      ? FILLABLE.some(([, field]) => lacking.includes(field))
      : (await this.#pathsOf(line, {})).some((path) => !LISTED.has(path));
    if (!mayLack) return;
    told.count++;
    told.first ??= line.origin;
  }

  async #read(line: WorkoutLine, id: string): Promise<WholeWorkout | undefined> {
    const result = await this.#context.readWorkout?.(id);
    if (result === undefined) return undefined;
    const found = "refused" in result ? result.refused : result.found?.unsavable.join(", ");
    if (!("refused" in result) && (found === undefined || found === "")) return result.found;
    await this.#leave(line, id, `logferry can't read it or send it back whole: ${found}`);
    return undefined;
  }

  async #leave({ origin }: WorkoutLine, id: string, because: string): Promise<void> {
    await this.#context.report({
      severity: "warning",
      rule: "plan/not-completed",
      origin,
      found: `${id} is left as it is in the log, because ${because}`,
    });
  }

  /** The values of a line for the blank fields of a workout, with their texts. */
  async #fillableBy(line: WorkoutLine, { body, workout }: WholeWorkout): Promise<readonly FilledValue[]> {
    const isRecording = this.#isRecording(line);
    // Blank notes are not always absent: a log may have an empty text.
    const { notes, ...others } = workout;
    const inLog = isBlank(notes) ? others : workout;
    const texts = new Map(
      findNotAdded(line.value, inLog, { isRecording, lacksTrack: false }).map(({ field, value }) => [field, value]),
    );
    for (const kind of ["course", "equipment"] as const) {
      const name = await this.#nameOfReference(line, kind);
      if (name !== undefined) texts.set(kind, name);
    }
    const paths = await this.#pathsOf(line, body);
    return FILLABLE.flatMap(([path, field]) => {
      const value = texts.get(field);
      return value === undefined || !paths.includes(path) ? [] : [{ path, field, value }];
    });
  }

  /** The paths that a line has a value for and that are blank in a body. */
  async #pathsOf(line: WorkoutLine, body: Readonly<Record<string, unknown>>): Promise<readonly string[]> {
    const { activity, course, equipment } = line.value;
    const { options } = this.#context;
    if (activity === undefined || options.activityIDs[activity] === undefined) return [];
    // The ids of new shoes are known only when the run has made them. Here it counts that there is one.
    const ours = createEncoder(options)(line, { courseId: course, equipmentId: equipment?.[0] });
    const paths = pathsToFill(body, ours, PATHS);
    return this.#isRecording(line) ? paths.filter((path) => path !== "notes") : paths;
  }

  /** Whether the notes of a line are only the default title of a device. */
  #isRecording(line: WorkoutLine): boolean {
    return this.#context.sources[line.source]?.recordings === true || isBareRecording(line);
  }

  async #nameOfReference(line: WorkoutLine, kind: "course" | "equipment"): Promise<string | undefined> {
    const { journal } = this.#context;
    const key = kind === "course" ? line.value.course : line.value.equipment?.[0];
    if (key === undefined) return undefined;
    const thing = await journal.lineWithKey(line.run, key);
    const isComing = thing?.state === "planned" || (await findRemoteId(journal, line.run, key)) !== undefined;
    return isComing ? (nameOf(thing) ?? key) : undefined;
  }

  /** The paths that earlier runs filled in a workout. If one is blank again, the owner emptied it. */
  async #filledBefore(id: string): Promise<ReadonlySet<string>> {
    this.#filled ??= this.#readFilled();
    return (await this.#filled).get(id) ?? new Set();
  }

  /** All paths that earlier runs filled, by the log's id of the workout. Those that an undo took back don't count. */
  async #readFilled(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
    const { journal, settings } = this.#context;
    const filled = new Map<string, ReadonlySet<string>>();
    for (const { key, remoteId, paths } of await journal.filledBefore()) {
      if (settings.manualDecisions?.undone(key) !== undefined) continue;
      filled.set(remoteId, new Set([...(filled.get(remoteId) ?? []), ...paths]));
    }
    return filled;
  }

  /** The paths that an earlier run sent when it loaded the workout. If one is blank now, the owner emptied it. */
  async #sentBefore({ claimedBy }: ClaimedEntry): Promise<readonly string[]> {
    const record = claimedBy === undefined ? undefined : await this.#context.journal.remoteRecord(claimedBy);
    const sent = (record?.sent ?? {}) as Readonly<Record<string, unknown>>;
    return PATHS.filter((path) => !isBlank(at(sent, path)));
  }
}

/** A workout with what the log's workout has otherwise, where the plan has read it and a listing didn't show it. */
function whatLogLacks(value: Workout, line: WorkoutLine, inLog: Workout): Workout {
  const { notAdded } = value;
  if (notAdded?.values.some(({ isUnknown }) => isUnknown) !== true) return value;
  const read = findNotAdded(line.value, inLog, { isRecording: true, lacksTrack: false });
  const values = notAdded.values.map(({ isUnknown, ...one }): ValueNotAdded => {
    const found = isUnknown && read.find(({ field, inLog: theirs }) => field === one.field && theirs !== undefined);
    return found || { ...one, ...(isUnknown && { isUnknown }) };
  });
  return { ...value, notAdded: { ...notAdded, values } };
}

/** A workout without the values in `notAdded` that are at these paths. Other values than the log's stay named. */
function withoutAdded(workout: Workout, paths: ReadonlySet<string>): Workout {
  const { notAdded, ...others } = workout;
  if (notAdded === undefined) return workout;
  const fields = FILLABLE.filter(([path]) => paths.has(path)).map(([, field]) => field);
  const values = notAdded.values.filter(({ field, inLog }) => inLog !== undefined || !fields.includes(field));
  const left: NotAdded | undefined = values.length === 0 ? undefined : { ...notAdded, values };
  return { ...others, ...(left !== undefined && { notAdded: left }) };
}
