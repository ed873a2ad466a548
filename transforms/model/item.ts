/** The items that flow through logferry from a source to the log. */

import type { Course } from "./course.ts";
import type { Equipment } from "./equipment.ts";
import type { Issue, Origin } from "./issue.ts";
import type { UnsupportedValue, Workout } from "./workout.ts";

interface ItemOf<K extends string, V> {
  readonly kind: K;
  /**
   * Identity of the record within its source: the source's own id if it has one, else the content plus an occurrence number. Two readings
   * of one archive give the same keys, whatever its path, entry order or modification times.
   */
  readonly key: string;
  readonly value: V;
  readonly origin: Origin;
}

/** A workout of a source. */
export type WorkoutItem = ItemOf<"workout", Workout>;
/** A shoe, a bike or another piece of equipment. Workouts name it by its key. */
export type EquipmentItem = ItemOf<"equipment", Equipment>;
/** A course: a route with a name. Workouts name it by its key. */
export type CourseItem = ItemOf<"course", Course>;

/** One record that can go into the log. */
export type Item = WorkoutItem | EquipmentItem | CourseItem;

/** The kinds of items. */
export type Kind = Item["kind"];

/** All kinds, in the order in which they go into the log: a workout names its shoe and its course by their ids in the log. */
export const LOADING_ORDER = ["equipment", "course", "workout"] as const satisfies readonly Kind[];

/**
 * A record that logferry read, and that can't or shouldn't go into the log. logferry counts it like any other record, so that all records
 * of a source are accounted for.
 */
export interface Rejected {
  readonly kind: "set-aside";
  readonly key: string;
  readonly origin: Origin;
  /** `quarantined`: a person should look (damaged, unreadable). `skipped`: a rule leaves it out (a settings file, a rest row). */
  readonly as: "quarantined" | "skipped";
  readonly issue: Issue;
  /** For a table of which no row can be read: the number of its rows. */
  readonly rows?: number;
  /** Values of a skipped record that are nowhere else: the text of a note about a day. They are counted, so that they aren't lost without a word. */
  readonly left?: readonly UnsupportedValue[];
}

/** The records that a connector yields: every record of its source, usable or not. */
export type Reading = Item | Rejected;
