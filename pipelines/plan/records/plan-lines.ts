/** Writes each decision about a reading into the journal, as a line of the plan: planned, rejected, or merged into another line. */

import type { Activity } from "../../../transforms/activities.ts";
import { mergeDuplicates, toFacts } from "../../../transforms/duplicates.ts";
import { defined } from "../../../transforms/model/defined.ts";
import { courseIdentity, equipmentIdentity } from "../../../transforms/model/identity.ts";
import { describeOrigin, describeProblem, type Issue } from "../../../transforms/model/issue.ts";
import type { Item, Reading, Rejected, WorkoutItem } from "../../../transforms/model/item.ts";
import type { ActivitySettings } from "../../../transforms/steps/name-activity.ts";
import { canonicalJson } from "../../../transforms/text/canonical.ts";
import type { Journal } from "../../journal/journal.ts";
import type { Line, NewLine } from "../../journal/line.ts";
import type { ExportAge } from "../../sources/export-age.ts";
import { isBareRecording } from "../pairs/bare-recording.ts";
import { describePair } from "../pairs/describe-match.ts";
import { findDuplicate } from "../pairs/find-duplicate.ts";
import { comparedValues, type PairAnswers } from "../pairs/pair-answers.ts";
import { withSecondEquipment } from "../pairs/second-equipment.ts";

/** The source a reading comes from. */
export interface ReadingSource {
  readonly index: number;
  readonly name: string;
  /** Its workouts are bare recordings of devices (see Connector). */
  readonly recordings: boolean;
  /** Its records come from a log, as the log had them (see Connector). */
  readonly ofLog?: boolean;
  /** Its age, where it is one of several exports of one platform. */
  readonly age?: ExportAge | undefined;
}

/** Where a line comes from. */
export interface From {
  readonly source: ReadingSource;
  /** The reading as the connector gave it. */
  readonly reading: Reading;
  /** The number of the line in another run that this line retries. */
  readonly retryOf: number | undefined;
}

/** The plan that gets the lines. */
export interface PlanInProgress {
  readonly run: number;
  readonly journal: Journal;
  readonly activityIDs: ActivitySettings["activityIDs"];
  /** Whether a source of the run, by its index, has bare recordings of devices. */
  readonly isOfRecordings: (source: number) => boolean;
  /** The answers of a person about pairs of records. */
  readonly pairs: PairAnswers;
  /** Receives each issue of a record. */
  readonly report: (issue: Issue) => Promise<void>;
}

/** Adds lines to a plan. */
export class PlanLines {
  /** The activities of the workouts added so far. */
  readonly activities = new Set<Activity>();
  readonly #plan: PlanInProgress;

  constructor(plan: PlanInProgress) {
    this.#plan = plan;
  }

  /**
   * Adds a record that stays out of the plan, with the reason. If today's rules would quarantine a record that an earlier run loaded, the
   * record stays as that run loaded it.
   */
  async addRejected(rejected: Rejected, from: From): Promise<void> {
    const { run, journal, report } = this.#plan;
    const { source, reading, retryOf } = from;
    const loaded = rejected.as === "quarantined" ? await this.#addAsLoaded(from) : undefined;
    if (loaded !== undefined) {
      if (await this.#isOtherNow(loaded, reading)) await report(keptIssue(rejected, loaded));
      return;
    }
    await report({ ...rejected.issue, origin: rejected.issue.origin ?? rejected.origin });
    await journal.addLine(run, {
      key: rejected.key,
      kind: "set-aside",
      source: source.index,
      origin: rejected.origin,
      state: rejected.as,
      action: "none",
      reason: describeProblem(rejected.issue),
      issue: rejected.issue,
      ...(reading.kind !== "set-aside" && { asRead: asRead(reading, undefined) }),
      ...(rejected.left && { value: { unsupported: rejected.left } }),
      ...defined({ retryOf }),
    });
  }

  /**
   * Adds an item that equals an item of the plan, as a merged line.
   *
   * @param reason why the two are the same, for people
   */
  async addMerged(item: Item, from: From, into: Line, reason: string): Promise<void> {
    await this.#plan.journal.addLine(this.#plan.run, {
      ...lineOf(item, from),
      state: "merged",
      action: "none",
      value: item.value,
      duplicateOf: into.key,
      reason,
    });
  }

  /**
   * Adds an item that the plan will create, or merges it with its duplicate.
   *
   * @param content the hash that shows later whether the source changed this item
   */
  async addItem(item: Item, from: From, content: string): Promise<void> {
    return item.kind === "workout" ? this.#addWorkout(item, from, content) : this.#addThing(item, from, content);
  }

  /**
   * Keeps a record that an earlier run loaded, although today's rules would quarantine it. The line repeats the plan of that run.
   *
   * @returns the line of that run; undefined when there is none, and nothing was added
   */
  async #addAsLoaded(from: From): Promise<Line | undefined> {
    const { run, journal } = this.#plan;
    const { source, reading, retryOf } = from;
    const loaded = retryOf === undefined ? await journal.remoteRecord(reading.key) : undefined;
    const line = loaded && (await journal.lineWithKey(loaded.run, loaded.key));
    if (loaded === undefined || line?.kind !== "workout") return undefined;
    if ((await journal.lineWithKey(run, reading.key)) !== undefined) return undefined;
    const { track, notAdded: _before, ...rest } = line.value;
    // The track may have come from a merged recording of another source. That source may not be part of this run.
    const value = track?.entry === reading.origin.entry ? { ...rest, track: { ...track, source: source.index } } : rest;
    await this.#addWorkout({ kind: "workout", key: reading.key, origin: reading.origin, value }, from, loaded.content);
    return line;
  }

  /** Whether the source has other values than those that an earlier run loaded. A stricter rule alone changes nothing. A record without any values now has others. */
  async #isOtherNow(loaded: Line, reading: Reading): Promise<boolean> {
    if (reading.kind === "set-aside") return true;
    const { asRead: before } = await this.#plan.journal.auditTrail.details(loaded.run, loaded.seq);
    const compared = (values: Readonly<Record<string, unknown>>) => canonicalJson(comparedValues(values));
    return before !== undefined && compared(before) !== compared(asRead(reading, undefined));
  }

  async #addThing(item: Exclude<Item, WorkoutItem>, from: From, content: string): Promise<void> {
    const { run, journal, activityIDs } = this.#plan;
    const { source } = from;
    const identity =
      item.kind === "equipment"
        ? equipmentIdentity(item.value, activityIDs[item.value.activity])
        : courseIdentity(item.value);
    const same = await journal.lineWithIdentity(run, item.kind, identity);
    // A log keeps similar items apart. So two items of one log are two, even if they look the same.
    if (same !== undefined && !(source.ofLog && same.source === source.index))
      return this.addMerged(item, from, same, `the same ${item.kind} as in ${describeOrigin(same.origin)}`);
    await journal.addLine(run, {
      ...lineOf(item, from),
      state: "planned",
      action: "create",
      uploadMethod: "save",
      content,
      value: item.value,
      identity,
    });
  }

  async #addWorkout(item: WorkoutItem, from: From, content: string): Promise<void> {
    const { run, journal, isOfRecordings, pairs } = this.#plan;
    const { source } = from;
    const facts = toFacts(item.value);
    const { recorder } = item.value;
    const recordings = source.recordings || isBareRecording(item);
    const asSource = { index: source.index, recordings };
    if (from.reading.kind === "workout") pairs.meet(item.key, item.origin, { ...from.reading.value });
    const isAnother = (key: string) => pairs.areTwo(item.key, key);
    const within = "its source";
    const duplicate =
      facts && (await findDuplicate({ run, journal, facts, recorder, source: asSource, within, isAnother }));
    const line = { ...lineOf(item, from), content };
    if (item.value.activity !== undefined) this.activities.add(item.value.activity);
    if (duplicate === undefined) {
      await journal.addLine(run, { ...line, state: "planned", action: "create", value: item.value, facts });
      return;
    }
    const theirs = duplicate.line.value;
    const reason = describePair(duplicate.likeness);
    const isTheirsBare = isOfRecordings(duplicate.line.source) || isBareRecording(duplicate.line);
    if (recordings || !isTheirsBare) {
      const value = await withSecondEquipment(mergeDuplicates(theirs, item.value, recordings), item.value, this.#plan);
      await journal.links.keepOwn(run, duplicate.line.seq);
      await journal.patchLine(run, duplicate.line.seq, { value, facts: toFacts(value) });
      await journal.addLine(run, {
        ...line,
        state: "merged",
        action: "none",
        value: item.value,
        duplicateOf: duplicate.line.key,
        reason: `${reason} as ${describeOrigin(duplicate.line.origin)}`,
      });
      return;
    }
    const value = await withSecondEquipment(mergeDuplicates(item.value, theirs, true), theirs, this.#plan);
    const seq = await journal.addLine(run, { ...line, state: "planned", action: "create", value: item.value, facts });
    await journal.links.keepOwn(run, seq);
    await journal.patchLine(run, seq, { value, facts: toFacts(value) });
    await journal.patchLine(run, duplicate.line.seq, {
      state: "merged",
      action: "none",
      duplicateOf: item.key,
      reason: `${reason} as ${describeOrigin(item.origin)}`,
    });
  }
}

/** The fields that a person sees when they ask for the values as read. */
const ASKED_FOR: readonly string[] = ["sport", "name", "start", "distance", "duration"];

/** The journal keeps the source's values of these fields if a step of the plan changed them. */
const REWRITTEN: readonly string[] = ["activity", "equipment", "health", "weather"];

/** The members that every line has. If the plan changes values of the source, they include the source's own values. */
function lineOf<I extends Item>(item: I, { source, reading, retryOf }: From) {
  return {
    ...(reading.kind !== "set-aside" && { asRead: asRead(reading, item) }),
    ...defined({ retryOf }),
    key: item.key,
    kind: item.kind as I["kind"],
    source: source.index,
    origin: item.origin,
  } satisfies Partial<NewLine>;
}

/** The remark about a record whose new values can't be loaded: without it, the newer export would seem to be in the log. */
function keptIssue({ issue, origin }: Rejected, loaded: Line): Issue {
  return {
    severity: "warning",
    rule: "plan/kept-as-loaded",
    origin: issue.origin ?? origin,
    found: `it changed since run ${loaded.run} loaded it, and as it is now it would be rejected (${describeProblem(issue)}): your log keeps what it has`,
    expected: "values that can be loaded: mend them in the source, or in your log by hand",
  };
}

function asRead(reading: Item, item: Item | undefined): Readonly<Record<string, unknown>> {
  const after = (item?.value ?? {}) as Readonly<Record<string, unknown>>;
  const isRewritten = (name: string, value: unknown) =>
    REWRITTEN.includes(name) && JSON.stringify(value) !== JSON.stringify(after[name]);
  return Object.fromEntries(
    Object.entries(reading.value).filter(([name, value]) => ASKED_FOR.includes(name) || isRewritten(name, value)),
  );
}
