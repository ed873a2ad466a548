/**
 * The names of a snapshot's activities in a plan, and their numbers in the target log. In the snapshot's own log every number stays the
 * same. Another log has its own numbers, which are found by the names in its list.
 */
import type { ActivityTypeRead } from "../../connectors/api/activity-types.ts";
import type { LogNumbers } from "../../connectors/api/from-wire.ts";
import type { ActivityLabels, SnapshotRecord } from "../../connectors/repository/source.ts";
import type { Activity, WorkoutType } from "../../transforms/activities.ts";
import { ACTIVITY_IDS, WORKOUT_IDS } from "../../transforms/assumptions.ts";

/** The activities of a snapshot's records. */
export class ActivitiesMet implements ActivityLabels {
  readonly #names = new Map<number, string | undefined>();
  readonly #types = new Map<number, Map<number, string | undefined>>();

  /** Notes a record's activity. */
  meet({ kind, value }: SnapshotRecord): void {
    const { activityID, activityName, workoutID, workoutName } = value;
    if ((kind !== "workout" && kind !== "equipment") || typeof activityID !== "number") return;
    this.#names.set(activityID, text(activityName) ?? this.#names.get(activityID));
    if (typeof workoutID !== "number") return;
    const types = this.#types.get(activityID) ?? new Map<number, string | undefined>();
    this.#types.set(activityID, types);
    types.set(workoutID, text(workoutName) ?? types.get(workoutID));
  }

  /** The numbers in the snapshot, with the log's own names if it has any. */
  all(): readonly {
    readonly activityID: number;
    readonly name: string | undefined;
    readonly types: ReadonlyMap<number, string | undefined>;
  }[] {
    return [...this.#names].map(([activityID, name]) => ({
      activityID,
      name,
      types: this.#types.get(activityID) ?? new Map(),
    }));
  }

  /** Our name of a built-in activity, else the log's own name. If several activities share the name, the number follows it. */
  activity(activityID: number | undefined): Activity | undefined {
    if (activityID === undefined) return undefined;
    const builtIn = builtInNamed(activityID);
    if (builtIn !== undefined) return builtIn;
    const name = folded(this.#names.get(activityID)) ?? "activity";
    const isShared =
      name in ACTIVITY_IDS || [...this.#names].some(([id, one]) => id !== activityID && folded(one) === name);
    // Here the words of a plan are the log's own, which are not in our tables.
    return (isShared || name === "activity" ? `${name} ${activityID}` : name) as Activity;
  }

  type(activityID: number | undefined, workoutID: number | undefined): WorkoutType | undefined {
    if (activityID === undefined || workoutID === undefined) return undefined;
    const types = this.#types.get(activityID) ?? new Map<number, string | undefined>();
    const name = folded(types.get(workoutID)) ?? "type";
    const isShared = [...types].some(([id, one]) => id !== workoutID && folded(one) === name);
    return (isShared || name === "type" ? `${name} ${workoutID}` : name) as WorkoutType;
  }

  /** The numbers in the snapshot's own log. */
  ownNumbers(): LogNumbers {
    return this.#numbers((activityID) => ({ activityID, typeOf: (workoutID) => workoutID }));
  }

  /**
   * The numbers in another log: the same for built-in activities, by name for others.
   *
   * @param listed that log's names for its own activities; undefined if it lists none
   * @param tables the owner's settings for them
   */
  numbersIn(listed: readonly ActivityTypeRead[] | undefined, tables: LogNumbers): LogNumbers {
    return this.#numbers((activityID, name) => {
      const label = this.activity(activityID) as Activity;
      const same = (listed ?? []).filter((one) => folded(one.activityName) === folded(name) && name !== undefined);
      const byName = same.length === 1 ? same[0]?.activityID : undefined;
      const number = builtInNamed(activityID) === undefined ? (byName ?? tables.activityIDs[label]) : activityID;
      const types = listed?.find((one) => one.activityID === number)?.workoutTypes;
      const known = { ...WORKOUT_IDS[label], ...tables.workoutIDs[label] } as Readonly<
        Record<string, number | undefined>
      >;
      return {
        activityID: number,
        typeOf: (_workoutID, typeName) =>
          types === undefined
            ? known[folded(typeName) ?? ""]
            : types.find((one) => typeName !== undefined && folded(one.workoutName) === folded(typeName))?.workoutID,
      };
    });
  }

  #numbers(
    of: (
      activityID: number,
      name: string | undefined,
    ) => {
      readonly activityID: number | undefined;
      readonly typeOf: (workoutID: number, name: string | undefined) => number | undefined;
    },
  ): LogNumbers {
    const activityIDs: Partial<Record<string, number>> = {};
    const workoutIDs: Partial<Record<string, Partial<Record<string, number>>>> = {};
    for (const { activityID, name, types } of this.all()) {
      const label = this.activity(activityID) as string;
      const { activityID: number, typeOf } = of(activityID, name);
      if (number !== undefined) activityIDs[label] = number;
      const numbers: Partial<Record<string, number>> = {};
      for (const [workoutID, typeName] of types) {
        const typeNumber = typeOf(workoutID, typeName);
        if (typeNumber !== undefined) numbers[this.type(activityID, workoutID) as string] = typeNumber;
      }
      workoutIDs[label] = numbers;
    }
    return { activityIDs, workoutIDs };
  }
}

/** Whether a word, in small letters, names an activity of a log. */
export function isCalled(word: string, activityID: number, name: string | undefined): boolean {
  return word === String(activityID) || word === builtInNamed(activityID) || word === folded(name);
}

function builtInNamed(activityID: number): Activity | undefined {
  return (Object.keys(ACTIVITY_IDS) as Activity[]).find((name) => ACTIVITY_IDS[name] === activityID);
}

function folded(name: string | undefined): string | undefined {
  const text = name?.normalize("NFC").trim().toLowerCase();
  return text === "" ? undefined : text;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}
