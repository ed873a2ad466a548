/**
 * Finds the values of the sources that the log doesn't have, in the workouts that logferry left there as they were. A listing shows a few fields of
 * them. Here the workout itself was read, so each field is known but one: a log never shows whether a workout has a track.
 */
import type { SaveBody } from "../../connectors/sink.ts";
import { at } from "../../transforms/merge/at-path.ts";
import { FILLABLE, isBlank } from "../../transforms/merge/fill-blanks.ts";
import { TRACK } from "../../transforms/merge/not-added.ts";
import { besideLog, type ValuesBeside } from "../../transforms/merge/source-beside-log.ts";
import type { JournalReader } from "../journal/journal.ts";
import type { WorkoutLine } from "../journal/line.ts";
import type { Run, VerifiedRun } from "../journal/run.ts";
import { compareBodies } from "../log/compare-bodies.ts";
import { isBareRecording } from "../plan/pairs/bare-recording.ts";
import { isSplitInLog } from "../plan/pairs/describe-split.ts";

/** A workout of the sources, and the log's workout that stands for it. */
export interface Beside {
  readonly line: WorkoutLine;
  readonly run: Run;
  /** The workout of the source in the form of a save. */
  readonly ours: SaveBody;
  /** The workout of the log. */
  readonly found: SaveBody;
}

const PATHS = FILLABLE.map(([path]) => path);

/** Several workouts of the log are one of the source. Each has a part of its size. */
const SIZES: ReadonlySet<string> = new Set(["time", "details.distance", "details.duration"]);

/** Compares the workouts that logferry left in the log as they were. */
export class LeftAlone {
  readonly #journal: JournalReader;
  #filled: Promise<ReadonlyMap<string, readonly string[]>> | undefined;

  constructor(journal: JournalReader) {
    this.#journal = journal;
  }

  /** The values of a workout that the log doesn't have. */
  async compare({ line, run, ours, found }: Beside): Promise<ValuesBeside> {
    const isRecording = run.sources[line.source]?.recordings === true || isBareRecording(line);
    const written = await this.#writtenTo(String(line.remoteId));
    const options = { hasNotes: !isRecording, written, ...(isSplitInLog(line) && { leave: SIZES }) };
    const beside = besideLog(ours, found, options, (one, other) => compareBodies({ one }, { one: other }).length === 0);
    return { ...beside, lacking: [...beside.lacking, ...(lacksTrack(line, run) ? [TRACK] : [])] };
  }

  /** The paths that logferry wrote to a workout of the log once, and that no undo took back. */
  async #writtenTo(id: string): Promise<ReadonlySet<string>> {
    const sent = (await this.#journal.sentTo("workout", id))?.sent as SaveBody | undefined;
    const paths = sent === undefined ? [] : PATHS.filter((path) => !isBlank(at(sent, path)));
    this.#filled ??= this.#readFilled();
    return new Set([...paths, ...((await this.#filled).get(id) ?? [])]);
  }

  async #readFilled(): Promise<ReadonlyMap<string, readonly string[]>> {
    const decisions = await this.#journal.auditTrail.manualDecisions();
    const undone = new Set(decisions.flatMap(({ key, decision }) => (decision === "undone" ? [key] : [])));
    const filled = new Map<string, readonly string[]>();
    for (const { key, remoteId, paths } of await this.#journal.filledBefore())
      if (!undone.has(key)) filled.set(remoteId, [...(filled.get(remoteId) ?? []), ...paths]);
    return filled;
  }
}

/** The values that the plan left out of a workout that logferry loaded itself. */
export function leftByPlan({ value: { notAdded } }: WorkoutLine): ValuesBeside {
  const known = notAdded?.values.filter(({ isUnknown }) => isUnknown !== true) ?? [];
  const fields = (some: typeof known) => some.map(({ field }) => field);
  return {
    lacking: fields(known.filter(({ inLog }) => inLog === undefined)),
    differing: fields(known.filter(({ inLog }) => inLog !== undefined)),
  };
}

/** The plan knows whether a track is on its way, or came with another source. */
function lacksTrack({ value }: WorkoutLine, run: Run): boolean {
  return run.options.tracks !== false && value.notAdded?.values.some(({ field }) => field === TRACK) === true;
}

/** Counts the values that the log doesn't have, by field. */
export class NotAddedTally {
  readonly #fields = new Map<string, { lacking: number; differing: number }>();
  #workouts = 0;

  /** Adds the values of a workout. */
  add({ lacking, differing }: ValuesBeside): void {
    if (lacking.length > 0) this.#workouts++;
    for (const field of lacking) this.#row(field).lacking++;
    for (const field of differing) this.#row(field).differing++;
  }

  #row(field: string) {
    const row = this.#fields.get(field) ?? { lacking: 0, differing: 0 };
    this.#fields.set(field, row);
    return row;
  }

  /** The counts, the most frequent field first. */
  result(): NonNullable<VerifiedRun["notAdded"]> {
    const fields = [...this.#fields].map(([field, counts]) => ({ field, ...counts }));
    return {
      workouts: this.#workouts,
      fields: fields.toSorted(
        (a, b) => b.lacking - a.lacking || b.differing - a.differing || (a.field < b.field ? -1 : 1),
      ),
    };
  }
}
