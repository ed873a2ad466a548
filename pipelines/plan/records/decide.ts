/**
 * Turns each reading into one line of the plan. Only this file and `compare-with-log.ts` make the decisions of a migration, and they write
 * each one down. A dry run and a real run share the decisions because they run the same code.
 */

import type { Activity, WorkoutType } from "../../../transforms/activities.ts";
import { toFacts } from "../../../transforms/duplicates.ts";
import type { Preference } from "../../../transforms/model/account.ts";
import { withFix } from "../../../transforms/model/fix.ts";
import type { Issue } from "../../../transforms/model/issue.ts";
import type { Item, Reading, WorkoutItem } from "../../../transforms/model/item.ts";
import { toStored } from "../../../transforms/model/stored-value.ts";
import { UNREAD_CLOCK } from "../../../transforms/model/unread.ts";
import { countRetired } from "../../../transforms/steps/count-retired.ts";
import { intoPreferredUnits } from "../../../transforms/steps/into-preferred-units.ts";
import { keepKnownType } from "../../../transforms/steps/keep-known-type.ts";
import { keepOneEquipment } from "../../../transforms/steps/keep-one-equipment.ts";
import { keepPlausibleValues } from "../../../transforms/steps/keep-plausible-values.ts";
import { type ActivitySettings, nameActivity, namedActivity } from "../../../transforms/steps/name-activity.ts";
import { nameInNotes } from "../../../transforms/steps/name-in-notes.ts";
import { quarantineImplausible, withCutFile, withoutDoubts } from "../../../transforms/steps/quarantine-implausible.ts";
import { resolveLocalTime, type TimeSettings } from "../../../transforms/steps/resolve-local-time.ts";
import { type Transform, through } from "../../../transforms/steps/transform.ts";
import { contentHash } from "../../../transforms/text/canonical.ts";
import type { UnitOf } from "../../../transforms/units.ts";
import type { Line } from "../../journal/line.ts";
import type { Waiting } from "../../journal/waiting.ts";
import { isNewer } from "../../sources/export-age.ts";
import { isBareRecording } from "../pairs/bare-recording.ts";
import { findDuplicate } from "../pairs/find-duplicate.ts";
import type { LinkedWorkout } from "../pairs/linked-workout.ts";
import { withKeptSport } from "./kept-sport.ts";
import { type ManualDecisions, NO_DECISIONS } from "./manual-decisions.ts";
import { differingFields, fillFromOlder, tellOlder, whySame } from "./older-reading.ts";
import { type From, type PlanInProgress, PlanLines, type ReadingSource } from "./plan-lines.ts";
import { activityInLog, settleUnknownSports } from "./unknown-sports.ts";
import { hasZeroDistance } from "./zero-distances.ts";

/** The settings that the decisions depend on, besides the readings. */
export interface DecisionSettings extends ActivitySettings {
  readonly time: TimeSettings;
  readonly preference: Preference;
  /** The units of distances that a person gave, for lists that don't say theirs. */
  readonly distanceUnits?: readonly UnitOf<"distance">[];
  /** Whether the day or the month stands first in dates, as a person said, for tables that don't show it. */
  readonly dateOrder?: "dmy" | "mdy";
  /** Whether private notes are left out. */
  readonly withoutPrivateNotes?: true;
  /** Skip workouts before `since` and after `until` (local dates). */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  /** The decisions that a person made by hand before. */
  readonly manualDecisions?: ManualDecisions;
  /** The log's numbers of workout types. */
  readonly workoutIDs?: Readonly<Partial<Record<Activity, Partial<Record<WorkoutType, number>>>>>;
  /** Update records again that a person undid before. */
  readonly again?: boolean;
  /** Make records again that an earlier run loaded and that are gone from the log. */
  readonly restoreMissing?: boolean;
  /** Fill the blank fields of workouts that the log has already. */
  readonly enrich?: boolean;
  /** Let in workouts with impossible values. */
  readonly allowImplausible?: boolean;
  /** Let in workouts without the values of a column whose cells can't be read. */
  readonly allowUnread?: boolean;
  /** Take every start as its source has it: workouts at different times are never one. */
  readonly trustClocks?: boolean;
  /** Whether two workouts of two sources that may be one are one, or two. Default: two. */
  readonly doubtful?: "one" | "two";
  /** Let an older export change back what a newer one brought. */
  readonly allowOlder?: boolean;
  /** Let another zone than before move the starts of workouts that the log has. */
  readonly allowMoved?: boolean;
  /** The current time, in milliseconds since 1970. */
  readonly now?: number;
}

/** The plan being made, and the settings of its decisions. */
export interface DeciderOptions extends Omit<PlanInProgress, "activityIDs" | "pairs"> {
  readonly settings: DecisionSettings;
}

/**
 * Turns the readings of one run into lines. It writes the lines to the journal of the run, and gives the issues of the steps to `report`.
 */
export class Decider {
  readonly #options: DeciderOptions;
  readonly #lines: PlanLines;
  readonly #manualDecisions: ManualDecisions;
  readonly #steps: ReturnType<typeof stepsOf>;
  readonly #sources = new Map<number, ReadingSource>();
  /** Keys of lines that named the sport of a row, by the source and the app of the row: each line is one row of it. */
  readonly #taken = new Map<string, Set<string>>();
  /** The workouts that were rejected because nobody knows their sport. */
  readonly unknownSports: LinkedWorkout[] = [];
  /** The keys of workouts that cover a distance, and have 0 in their source. */
  readonly zeroDistances = new Set<string>();

  constructor(options: DeciderOptions) {
    const { settings } = options;
    this.#options = options;
    this.#manualDecisions = settings.manualDecisions ?? NO_DECISIONS;
    const { pairs } = this.#manualDecisions;
    this.#lines = new PlanLines({ ...options, activityIDs: settings.activityIDs, pairs });
    this.#steps = stepsOf(settings);
  }

  /**
   * Adds the line of a reading. After that, only the comparison with the log changes the state of the line.
   *
   * @param retryOf the number of the line in another run that this reading retries
   */
  async add(reading: Reading, source: ReadingSource, retryOf?: number): Promise<void> {
    this.#sources.set(source.index, source);
    const wanted = this.#withOverrides(reading);
    // Another source, which is read later, may know the sport of this workout.
    if (wanted.kind === "workout" && reading.kind === "workout" && !source.ofLog && this.#isUnknown(wanted))
      return this.#options.journal.waiting.keep({ reading, source: source.index, retryOf });
    return this.#decide(wanted, { source, reading, retryOf });
  }

  /** Decides about the readings that waited for the other sources. Call it once, after all sources were read. */
  settle(): Promise<void> {
    const { journal, settings } = this.#options;
    return settleUnknownSports({
      waiting: journal.waiting,
      hasSportForNone: settings.sports.has(""),
      findActivity: (waiting) => this.#activityElsewhere(waiting),
      decide: (waiting, activity) => {
        const { reading, retryOf } = waiting;
        const wanted = this.#withOverrides(reading);
        const named = wanted.kind === "workout" && activity !== undefined;
        const item = named ? { ...wanted, value: { ...wanted.value, activity } } : wanted;
        return this.#decide(item, { source: this.#sourceOf(waiting), reading, retryOf });
      },
    });
  }

  #isUnknown({ value }: WorkoutItem): boolean {
    return namedActivity(value, this.#options.settings) === undefined;
  }

  #sourceOf({ source }: Waiting): ReadingSource {
    const known = this.#sources.get(source);
    if (known === undefined) throw new Error(`Cannot decide: nothing was read from source ${source}`);
    return known;
  }

  /** The activity of the same workout in another source. If no source has it, the activity in the log. */
  async #activityElsewhere(waiting: Waiting): Promise<Activity | undefined> {
    const { run, journal, settings } = this.#options;
    const wanted = this.#withOverrides(waiting.reading);
    const timed = wanted.kind === "set-aside" ? wanted : through(this.#steps.inTime, wanted, () => undefined);
    const facts = timed.kind === "workout" ? toFacts(timed.value) : undefined;
    if (facts === undefined) return undefined;
    const { index, recordings } = this.#sourceOf(waiting);
    const isWorkout = timed.kind === "workout";
    const recorder = isWorkout ? timed.value.recorder : undefined;
    const source = { index, recordings: recordings || (isWorkout && isBareRecording(timed)) };
    const { activities } = this.#lines;
    const by = `${index} ${recorder}`;
    const taken = this.#taken.get(by) ?? new Set();
    const duplicate = await findDuplicate({ run, journal, facts, recorder, source, activities, taken });
    if (duplicate !== undefined) {
      this.#taken.set(by, taken.add(duplicate.line.key));
      return duplicate.line.value.activity;
    }
    return activityInLog({ run, journal, facts, activityIDs: settings.activityIDs });
  }

  async #decide(wanted: Reading, from: From): Promise<void> {
    const { run, journal, report } = this.#options;
    const { source } = from;
    const { ready, plausible, asItWas, written } = this.#steps;
    const issues: Issue[] = [];
    const remark = (issue: Issue) => issues.push(issue);
    const fix = this.#manualDecisions.fixes.get(wanted.key);
    const known = source.ofLog ? wanted : await withKeptSport(wanted, { journal, report: remark, ...(fix && { fix }) });
    const sound = known.kind === "set-aside" ? known : through(source.ofLog ? ready : plausible, known, remark);
    const result =
      source.ofLog || sound.kind !== "workout" ? sound : await this.#credible(sound, remark, titleOf(wanted));
    for (const issue of issues) await report(issue);
    if (result.kind === "set-aside") {
      this.#seeUnknownSport(wanted, source.index);
      return this.#lines.addRejected(result, from);
    }
    const same = await journal.lineWithKey(run, result.key);
    if (same !== undefined && (same.state === "planned" || same.state === "merged"))
      return this.#addSame(result, from, same);
    const last = source.ofLog ? asItWas : written;
    const item = through([...last, trackIn(source)], result, remark) as Item;
    if (!source.ofLog && hasZeroDistance(item)) this.zeroDistances.add(item.key);
    return this.#lines.addItem(item, from, contentHash(contentOf(result)));
  }

  #seeUnknownSport(wanted: Reading, source: number): void {
    if (wanted.kind !== "workout" || !this.#isUnknown(wanted)) return;
    const timed = through(this.#steps.inTime, wanted, () => undefined);
    const facts = timed.kind === "workout" ? toFacts(timed.value) : undefined;
    const { key, origin } = wanted;
    if (facts !== undefined) this.unknownSports.push({ key, source, origin, facts: { ...facts, activity: undefined } });
  }

  /** Adds a reading with the key of another one. Of two exports of one account, the newer one was read first. What it has blank is filled from the older one. */
  async #addSame(item: Item, from: From, same: Line): Promise<void> {
    const { run, journal, report } = this.#options;
    const isOther = same.source !== from.source.index && contentHash(contentOf(item)) !== same.content;
    const { written, asItWas } = this.#steps;
    // In the units and with the rounding of the log, like the line that it is compared with.
    const last = from.source.ofLog ? asItWas : written;
    const own = through([...last, trackIn(from.source)], item, () => undefined) as Item;
    const older = isOther ? own : undefined;
    const filled = older && fillFromOlder(older, same);
    if (filled !== undefined)
      await journal.patchLine(run, same.seq, { value: filled.value, facts: toFacts(filled.value) });
    const fields = older === undefined ? [] : differingFields(older, same, filled?.value);
    const [age, kept] = [from.source.age, this.#sources.get(same.source)?.age];
    const isKnown = age !== undefined && kept !== undefined && isNewer(kept, age);
    const words = { fields, filled: filled?.fields ?? [], isKnown };
    await this.#lines.addMerged(own, from, same, whySame(same, words));
    for (const issue of tellOlder(item, same, words)) await report(issue);
  }

  /** Applies the manual decisions of a person: drops the reading, or replaces the source's values with theirs. */
  #withOverrides(reading: Reading): Reading {
    const dropped = this.#manualDecisions.dropped(reading);
    if (dropped !== undefined) return dropped;
    const fix = reading.kind === "workout" ? this.#manualDecisions.fixes.get(reading.key) : undefined;
    return fix === undefined || reading.kind !== "workout"
      ? reading
      : withCutFile({ ...reading, value: withFix(reading.value, fix) }, reading.value.doubts);
  }

  /**
   * Rejects a workout with impossible values. A person can let it in: for this run, or by hand before. A workout that was loaded with the
   * same values before stays in too.
   */
  async #credible(item: WorkoutItem, remark: (issue: Issue) => void, title: string | undefined): Promise<Reading> {
    const { journal, settings } = this.#options;
    const isAllowed = this.#manualDecisions.fixes.get(item.key)?.implausible === "allowed";
    const allow = settings.allowImplausible === true || isAllowed;
    const { now, allowUnread = false } = settings;
    const result = through([quarantineImplausible({ now, allow, allowUnread, title })], item, remark);
    if (result.kind !== "set-aside") return result;
    const remoteRecord = await journal.remoteRecord(item.key);
    const certain = withoutDoubts(item);
    return remoteRecord !== undefined && remoteRecord.content === contentHash(contentOf(certain)) ? certain : result;
  }
}

function titleOf(reading: Reading): string | undefined {
  return reading.kind === "workout" ? reading.value.name : undefined;
}

/** The steps that a reading passes on its way to a line. */
function stepsOf(settings: DecisionSettings) {
  const inTime: readonly Transform[] = [resolveLocalTime(settings.time), withinDates(settings.since, settings.until)];
  const ready: readonly Transform[] = [...inTime, nameActivity(settings), nameInNotes, keepOneEquipment, countRetired];
  return {
    inTime,
    ready,
    plausible: [...ready, keepPlausibleValues],
    written: [keepKnownType(settings.workoutIDs), intoPreferredUnits(settings.preference)],
    // A log can store again what it stored before. So values from a log keep their unit, even implausible ones.
    asItWas: [keepKnownType(settings.workoutIDs)],
  } as const;
}

/** Notes in a track which source holds its file. After a merge, this may not be the source of the line. */
function trackIn(source: ReadingSource): Transform {
  return (item) => {
    if (item.kind !== "workout" || item.value.track === undefined) return item;
    return { ...item, value: { ...item.value, track: { ...item.value.track, source: source.index } } };
  };
}

/** Skips workouts outside the requested dates. The summary counts them. */
function withinDates(since: string | undefined, until: string | undefined): Transform {
  return (item) => {
    const date = item.kind === "workout" ? item.value.start.date : undefined;
    if (date === undefined) return item;
    const isBefore = since !== undefined && date < since;
    const isAfter = until !== undefined && date > until;
    if (!isBefore && !isAfter) return item;
    const expected = isBefore ? `${since} or later (--since)` : `${until} or earlier (--until)`;
    return {
      kind: "set-aside",
      key: item.key,
      origin: item.origin,
      as: "skipped",
      issue: {
        severity: "info",
        rule: "plan/outside-dates",
        field: "date",
        found: date,
        expected,
        origin: item.origin,
      },
    };
  };
}

/** Who gave a time of day is no change of it. */
function withoutHand<V extends Item["value"]>(value: V): V {
  if (!("start" in value)) return value;
  const { isTyped: _typed, ...start } = value.start;
  return { ...value, start };
}

/** Values that earlier versions didn't count. A row with one is not changed by an update of logferry. */
function withoutUnread<V extends Item["value"]>(value: V): V {
  if (!("unsupported" in value) || value.unsupported === undefined) return value;
  const kept = value.unsupported.filter(({ isUnread, field }) => isUnread !== "minor" && field !== UNREAD_CLOCK);
  if (kept.length === value.unsupported.length) return value;
  const { unsupported: _all, ...others } = value;
  return (kept.length === 0 ? others : { ...others, unsupported: kept }) as V;
}

/**
 * The part of an item that shows whether its source changed. The place of its file and the damage to its file don't count. Nor does the place
 * of a platform's own record in its file: a later export has more records beside it.
 */
function contentOf(item: Item): unknown {
  const { lostFile: _lost, ...stored } = toStored(withoutUnread(withoutHand(item.value)));
  if (item.kind !== "workout" || item.value.track === undefined) return [item.kind, stored];
  const { entry: _entry, also: _also, ...track } = item.value.track;
  return [item.kind, { ...stored, track: track.made === undefined ? track : { ...track, recording: 0 } }];
}
