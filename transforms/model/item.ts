/**
 * What flows through logferry: items on their way from a source to the log.
 */

import type { Course } from "./course.ts";
import type { Equipment } from "./equipment.ts";
import type { Issue, Origin } from "./issue.ts";
import type { Workout } from "./workout.ts";

interface ItemOf<K extends string, V> {
  readonly kind: K;
  /**
   * Identity of the record within its source: from the source's own id where it has one, else from content plus an
   * occurrence number. Two readings of one archive agree, whatever its path, entry order or modification times.
   */
  readonly key: string;
  readonly value: V;
  readonly origin: Origin;
}

export type WorkoutItem = ItemOf<"workout", Workout>;
export type EquipmentItem = ItemOf<"equipment", Equipment>;
export type CourseItem = ItemOf<"course", Course>;

/** One record that can go into the log. */
export type Item = WorkoutItem | EquipmentItem | CourseItem;

/** What an item is. */
export type Kind = Item["kind"];

/**
 * A record that was read and can't or shouldn't go into the log. It is counted like any other, so that the ledger
 * balances: nothing a source holds vanishes without a line.
 */
export interface Rejected {
  readonly kind: "set-aside";
  readonly key: string;
  readonly origin: Origin;
  /** `quarantined`: a person should look (damaged, unreadable). `skipped`: left by a rule (a settings file, a rest row). */
  readonly as: "quarantined" | "skipped";
  readonly issue: Issue;
}

/** What a connector yields: every record of its source, usable or not. */
export type Reading = Item | Rejected;
