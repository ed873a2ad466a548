/** A snapshot as a source: its records in our words. Equipment and courses come before the workouts that name them. */

import type { Activity, WorkoutType } from "../../transforms/activities.ts";
import { defined } from "../../transforms/model/defined.ts";
import type { Issue } from "../../transforms/model/issue.ts";
import type { Kind, Reading } from "../../transforms/model/item.ts";
import type { Workout } from "../../transforms/model/workout.ts";
import { decodeCourse, decodeEquipment, decodeWorkout } from "../api/decode.ts";
import { courseFromWire, equipmentFromWire, workoutFromWire } from "../api/from-wire.ts";
import type { LogRecord } from "../api/source.ts";
import type { Archive } from "../containers/archive.ts";
import { memoryArchive } from "../containers/memory.ts";
import type { Connector } from "../contract.ts";
import { FatalError } from "../errors.ts";
import { createReadSession, type ReadSession } from "../platforms/session.ts";
import { KINDS } from "./layout.ts";
import type { Repository } from "./repository.ts";
import type { Snapshot } from "./snapshot.ts";

/** The name of this source in the journal, and the beginning of its keys. */
export const SNAPSHOT_SOURCE = "logferry-snapshot";

/** A record of a snapshot. */
export interface SnapshotRecord {
  readonly kind: LogRecord["kind"];
  readonly value: Readonly<Record<string, unknown>>;
  /** The file that holds it, and its line there. */
  readonly file: string;
  readonly line: number;
}

/** Names for the activities and workout types of a log in a plan, by their numbers in that log. */
export interface ActivityLabels {
  activity(activityID: number | undefined): Activity | undefined;
  type(activityID: number | undefined, workoutID: number | undefined): WorkoutType | undefined;
}

/**
 * Every record of a snapshot, with the workouts last.
 *
 * @throws FatalError `repository/damaged` with the name of an unreadable file
 */
export async function* recordsOfSnapshot(
  repository: Repository,
  { pieces }: Pick<Snapshot, "pieces">,
): AsyncGenerator<SnapshotRecord> {
  for (const kind of KINDS) {
    for (const chunk of pieces.filter((one) => one.kind === kind)) {
      const read = await repository.readChunk(chunk);
      if (typeof read === "string") {
        throw new FatalError("repository/damaged", "source", `Cannot read the snapshot: ${chunk.file} ${read}`);
      }
      for (const [index, { value }] of read.entries()) yield { kind, value, file: chunk.file, line: index + 1 };
    }
  }
}

/** `logferry-snapshot:workout:ID` */
export function keyInSnapshot(kind: LogRecord["kind"], id: unknown): string {
  return `${SNAPSHOT_SOURCE}:${kind}:${typeof id === "string" ? id : "me"}`;
}

/** A snapshot as an archive with its connector, limited to the records that `wants` selects. */
export function snapshotSource(
  repository: Repository,
  snapshot: Snapshot,
  labels: ActivityLabels,
  wants: (record: SnapshotRecord) => boolean,
): { readonly archive: Archive; readonly connector: Connector; readonly saw: string } {
  const archive = memoryArchive(`snapshot ${snapshot.id.slice(0, 8)}`, {});
  const connector: Connector = {
    name: SNAPSHOT_SOURCE,
    title: "Snapshot of a backup",
    howToGet: "`logferry backup` makes it. `logferry restore` puts it back.",
    ofLog: true,
    identify: async () => undefined,
    async *read(_archive, context) {
      const session = createReadSession(SNAPSHOT_SOURCE, archive, context);
      for await (const record of recordsOfSnapshot(repository, snapshot)) {
        if (context.signal.aborted) return;
        if (wants(record)) yield readingOf(session, record, labels);
      }
    },
  };
  return { archive, connector, saw: `made at ${snapshot.time} of the log of ${snapshot.log.name}` };
}

/** Kinds of records that the interface can't save. */
const CANT_BE_SAVED: Readonly<Partial<Record<LogRecord["kind"], string>>> = {
  user: "nothing: the interface can't save the user",
  preference: "nothing: a restore leaves the owner's units as they are",
  "training-plan": "nothing: the interface can't save a training plan",
};

function readingOf(session: ReadSession, { kind, value, file, line }: SnapshotRecord, labels: ActivityLabels): Reading {
  const origin = session.origin(file, `line ${line}`);
  const key = keyInSnapshot(kind, value.id);
  const remark = (issue: Issue) => session.report(issue, origin);
  const itemOf = <K extends Kind, V>(as: K, read: V) => ({ kind: as, key: session.unique(key), origin, value: read });
  switch (kind) {
    case "equipment": {
      const { retired, ...own } = value;
      const { activityID, equipment } = equipmentFromWire(decodeEquipment(own, remark), undefined, retired === true);
      const activity = labels.activity(activityID);
      if (activity !== undefined) return itemOf(kind, { ...equipment, activity });
      const issue = { severity: "error", rule: "restore/no-activity", field: "activityID" } as const;
      return session.reject("quarantined", key, origin, { ...issue, expected: "a number" });
    }
    case "course":
      return itemOf(kind, courseFromWire(decodeCourse(value, remark)).course);
    case "workout":
      return itemOf(kind, workoutOf(value, labels, remark));
    default: {
      const expected = CANT_BE_SAVED[kind] ?? "";
      const issue = { severity: "info", rule: "restore/cant-be-set", found: kind, expected } as const;
      return session.reject("skipped", key, origin, issue);
    }
  }
}

function workoutOf(value: SnapshotRecord["value"], labels: ActivityLabels, remark: (issue: Issue) => void): Workout {
  const { workout, activityID, workoutID } = workoutFromWire(decodeWorkout(value, remark));
  const { activity: _activity, type: _type, sport: _sport, course, equipment, ...rest } = workout;
  const [activity, type] = [labels.activity(activityID), labels.type(activityID, workoutID)];
  return {
    ...rest,
    ...defined({ activity, type }),
    ...(course !== undefined && { course: keyInSnapshot("course", course) }),
    ...(equipment !== undefined && { equipment: equipment.map((one) => keyInSnapshot("equipment", one)) }),
  };
}
