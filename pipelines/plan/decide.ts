/**
 * One reading becomes one line of the plan. Every decision of a migration is made here or in `compare-with-log.ts`, once,
 * and written down: a dry run and a real run share it because they share the code.
 */

import type { Activity, WorkoutType } from "../../transforms/activities.ts";
import { mergeDuplicates, toFacts } from "../../transforms/duplicates.ts";
import type { Preference } from "../../transforms/model/account.ts";
import { withFix } from "../../transforms/model/fix.ts";
import { courseIdentity, equipmentIdentity } from "../../transforms/model/identity.ts";
import { describeOrigin, describeProblem, type Issue } from "../../transforms/model/issue.ts";
import type { Item, Reading, Rejected, WorkoutItem } from "../../transforms/model/item.ts";
import { toStored } from "../../transforms/model/stored-value.ts";
import { intoPreferredUnits } from "../../transforms/steps/into-preferred-units.ts";
import { keepKnownType } from "../../transforms/steps/keep-known-type.ts";
import { keepOneEquipment } from "../../transforms/steps/keep-one-equipment.ts";
import { keepPlausibleValues } from "../../transforms/steps/keep-plausible-values.ts";
import { type ActivitySettings, nameActivity, namedActivity } from "../../transforms/steps/name-activity.ts";
import { nameInNotes } from "../../transforms/steps/name-in-notes.ts";
import { quarantineImplausible, withoutDoubts } from "../../transforms/steps/quarantine-implausible.ts";
import { resolveLocalTime, type TimeSettings } from "../../transforms/steps/resolve-local-time.ts";
import { type Transform, through } from "../../transforms/steps/transform.ts";
import { contentHash } from "../../transforms/text/canonical.ts";
import type { Journal } from "../journal/journal.ts";
import type { Line, NewLine } from "../journal/line.ts";
import type { Waiting } from "../journal/waiting.ts";
import { describeMatch } from "./describe-match.ts";
import { findDuplicate } from "./find-duplicate.ts";
import { type ManualDecisions, NO_DECISIONS } from "./manual-decisions.ts";
import { activityInLog, settleUnknownSports } from "./unknown-sports.ts";

/** What the decisions depend on besides the readings. */
export interface DecisionSettings extends ActivitySettings {
  readonly time: TimeSettings;
  readonly preference: Preference;
  /** Leave out what is before or after these local dates. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  /** What a person decided by hand before. */
  readonly manualDecisions?: ManualDecisions;
  /** The log's numbers of workout types, for what is of a log. */
  readonly workoutIDs?: Readonly<Partial<Record<Activity, Partial<Record<WorkoutType, number>>>>>;
  /** Brings up to date again what was undone. */
  readonly again?: boolean;
  /** Makes again what was loaded before and is no longer in the log. */
  readonly restoreMissing?: boolean;
  /** Lets in workouts that can't be true. */
  readonly allowImplausible?: boolean;
  /** The instant of today. */
  readonly now?: number;
}

/** The source a reading comes from. */
export interface ReadingSource {
  readonly index: number;
  readonly name: string;
  /** Its workouts are bare recordings of devices (see Connector). */
  readonly recordings: boolean;
  /** Its records are a log's own (see Connector). */
  readonly ofLog?: boolean;
}

/** Makes lines out of readings, for one run. */
export interface Decider {
  /**
   * Adds the line of a reading; afterwards its state is final but for what the log already holds.
   *
   * @param retryOf the line of another run that is retried with it
   */
  add(reading: Reading, source: ReadingSource, retryOf?: number): Promise<void>;
  /** Decides about what had to wait for the others. To be called once, when all sources were read. */
  settle(): Promise<void>;
}

/** A decider for a run. `report` gets the issues of the steps; the lines go to the journal. */
export function createDecider(
  run: number,
  journal: Journal,
  settings: DecisionSettings,
  recordingsOf: (source: number) => boolean,
  report: (issue: Issue) => Promise<void>,
): Decider {
  const inTime: readonly Transform[] = [resolveLocalTime(settings.time), withinDates(settings.since, settings.until)];
  const ready: readonly Transform[] = [...inTime, nameActivity(settings), nameInNotes, keepOneEquipment];
  // What a log had, a log can have: in its own unit, and however odd.
  const plausible: readonly Transform[] = [...ready, keepPlausibleValues];
  const written: readonly Transform[] = [intoPreferredUnits(settings.preference)];
  const asItWas: readonly Transform[] = [keepKnownType(settings.workoutIDs)];
  const { manualDecisions = NO_DECISIONS } = settings;
  const sources = new Map<number, ReadingSource>();
  const planned = new Set<Activity>();

  return {
    async add(reading, source, retryOf) {
      sources.set(source.index, source);
      const wanted = withOverrides(reading);
      // What it is may stand in another source, which is read later.
      if (wanted.kind === "workout" && reading.kind === "workout" && !source.ofLog && isUnknown(wanted))
        return journal.waiting.keep({ reading, source: source.index, retryOf });
      return decide(wanted, { source, reading, retryOf });
    },
    settle: () =>
      settleUnknownSports({
        waiting: journal.waiting,
        sportForNone: settings.sports.get(""),
        findActivity: activityElsewhere,
        decide(waiting, activity) {
          const { reading, retryOf } = waiting;
          const wanted = withOverrides(reading);
          const named = wanted.kind === "workout" && activity !== undefined;
          const item = named ? { ...wanted, value: { ...wanted.value, activity } } : wanted;
          return decide(item, { source: sourceOf(waiting), reading, retryOf });
        },
      }),
  };

  function isUnknown({ value }: WorkoutItem): boolean {
    return namedActivity(value, settings) === undefined;
  }

  function sourceOf({ source }: Waiting): ReadingSource {
    const known = sources.get(source);
    if (known === undefined) throw new Error(`Cannot decide: nothing was read from source ${source}`);
    return known;
  }

  /** The activity of the same workout where it is known: in another source, else in the log. */
  async function activityElsewhere(waiting: Waiting): Promise<Activity | undefined> {
    const wanted = withOverrides(waiting.reading);
    const timed = wanted.kind === "set-aside" ? wanted : through(inTime, wanted, () => undefined);
    const facts = timed.kind === "workout" ? toFacts(timed.value) : undefined;
    if (facts === undefined) return undefined;
    const duplicate = await findDuplicate({ run, journal, facts, source: sourceOf(waiting), activities: planned });
    if (duplicate !== undefined) return duplicate.line.value.activity;
    return activityInLog({ run, journal, facts, activityIDs: settings.activityIDs });
  }

  async function decide(wanted: Reading, from: From): Promise<void> {
    const { source } = from;
    const issues: Issue[] = [];
    const remark = (issue: Issue) => issues.push(issue);
    const sound = wanted.kind === "set-aside" ? wanted : through(source.ofLog ? ready : plausible, wanted, remark);
    const result = source.ofLog || sound.kind !== "workout" ? sound : await credible(sound, remark);
    for (const issue of issues) await report(issue);
    if (result.kind === "set-aside") return addRejected(result, from);

    const same = await journal.lineWithKey(run, result.key);
    if (same !== undefined && (same.state === "planned" || same.state === "merged")) {
      return addMerged(result, from, same, `the same record as ${describeOrigin(same.origin)}`);
    }
    const content = contentHash(contentOf(result));
    const last = source.ofLog ? asItWas : written;
    const item = through([...last, trackIn(source)], result, remark) as Item;
    if (item.kind === "workout") return addWorkout(item, from, content);
    return addThing(item, from, content);
  }

  /** The reading as a person wants it: left out, or with their values in the place of those of the source. */
  function withOverrides(reading: Reading): Reading {
    const dropped = manualDecisions.dropped(reading);
    if (dropped !== undefined) return dropped;
    const fix = reading.kind === "workout" ? manualDecisions.fixes.get(reading.key) : undefined;
    return fix === undefined || reading.kind !== "workout"
      ? reading
      : { ...reading, value: withFix(reading.value, fix) };
  }

  /** Held back where it can't be true, unless a person let it in: today, by hand before, or when it was loaded as it is now. */
  async function credible(item: WorkoutItem, remark: (issue: Issue) => void): Promise<Reading> {
    const allow = settings.allowImplausible === true || manualDecisions.fixes.get(item.key)?.implausible === "allowed";
    const result = through([quarantineImplausible({ now: settings.now, allow })], item, remark);
    if (result.kind !== "set-aside") return result;
    const remoteRecord = await journal.remoteRecord(item.key);
    const certain = withoutDoubts(item);
    return remoteRecord !== undefined && remoteRecord.content === contentHash(contentOf(certain)) ? certain : result;
  }

  /** What would be held back today and is in the log by an earlier run stays there, as that run planned it. @returns whether it is so */
  async function addAsLoaded(from: From): Promise<boolean> {
    const { source, reading, retryOf } = from;
    const loaded = retryOf === undefined ? await journal.remoteRecord(reading.key) : undefined;
    const line = loaded && (await journal.lineWithKey(loaded.run, loaded.key));
    if (loaded === undefined || line?.kind !== "workout") return false;
    if ((await journal.lineWithKey(run, reading.key)) !== undefined) return false;
    const { track, ...rest } = line.value;
    // A recording that was merged into it lies in another source, which may not be part of this run.
    const value = track?.entry === reading.origin.entry ? { ...rest, track: { ...track, source: source.index } } : rest;
    await addWorkout({ kind: "workout", key: reading.key, origin: reading.origin, value }, from, loaded.content);
    return true;
  }

  async function addRejected(rejected: Rejected, from: From): Promise<void> {
    const { source, reading, retryOf } = from;
    if (rejected.as === "quarantined" && (await addAsLoaded(from))) return;
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
      ...(retryOf !== undefined && { retryOf }),
    });
  }

  async function addMerged(item: Item, from: From, into: Line, reason: string): Promise<void> {
    const { source } = from;
    await journal.addLine(run, {
      ...remembered(item, from),
      key: item.key,
      kind: item.kind,
      source: source.index,
      origin: item.origin,
      state: "merged",
      action: "none",
      value: item.value,
      duplicateOf: into.key,
      reason,
    });
  }

  async function addThing(item: Exclude<Item, WorkoutItem>, from: From, content: string): Promise<void> {
    const { source } = from;
    const identity =
      item.kind === "equipment"
        ? equipmentIdentity(item.value, settings.activityIDs[item.value.activity])
        : courseIdentity(item.value);
    const same = await journal.lineWithIdentity(run, item.kind, identity);
    // Two of one log are two, however alike: it tells them apart.
    if (same !== undefined && !(source.ofLog && same.source === source.index)) {
      return addMerged(item, from, same, `the same ${item.kind} as in ${describeOrigin(same.origin)}`);
    }
    await journal.addLine(run, {
      ...remembered(item, from),
      key: item.key,
      kind: item.kind,
      source: source.index,
      origin: item.origin,
      state: "planned",
      action: "create",
      uploadMethod: "save",
      content,
      value: item.value,
      identity,
    });
  }

  async function addWorkout(item: WorkoutItem, from: From, content: string): Promise<void> {
    const { source } = from;
    const facts = toFacts(item.value);
    const duplicate = facts === undefined ? undefined : await findDuplicate({ run, journal, facts, source });
    const line = {
      ...remembered(item, from),
      key: item.key,
      kind: "workout",
      source: source.index,
      origin: item.origin,
      content,
    } as const;
    if (item.value.activity !== undefined) planned.add(item.value.activity);
    if (duplicate === undefined) {
      await journal.addLine(run, { ...line, state: "planned", action: "create", value: item.value, facts });
      return;
    }
    const theirs = duplicate.line.value;
    const reason = describeMatch(duplicate.evidence);
    if (source.recordings || !recordingsOf(duplicate.line.source)) {
      const value = mergeDuplicates(theirs, item.value, source.recordings);
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
    const value = mergeDuplicates(item.value, theirs, true);
    await journal.addLine(run, { ...line, state: "planned", action: "create", value, facts: toFacts(value) });
    await journal.patchLine(run, duplicate.line.seq, {
      state: "merged",
      action: "none",
      duplicateOf: item.key,
      reason: `${reason} as ${describeOrigin(item.origin)}`,
    });
  }
}

/** Where a line comes from. */
interface From {
  readonly source: ReadingSource;
  /** As the connector gave it. */
  readonly reading: Reading;
  readonly retryOf: number | undefined;
}

/** What people ask for when they ask what was read. */
const ASKED_FOR: readonly string[] = ["sport", "name", "start", "distance", "duration"];

/** Kept where the steps of the plan wrote them otherwise than the source has them. */
const REWRITTEN: readonly string[] = ["activity", "equipment", "health", "weather"];

/** What the journal keeps besides the line: what the source has where the plan writes it otherwise. */
function remembered(item: Item, { reading, retryOf }: From): Pick<NewLine, "asRead" | "retryOf"> {
  return {
    ...(reading.kind !== "set-aside" && { asRead: asRead(reading, item) }),
    ...(retryOf !== undefined && { retryOf }),
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

/** A track remembers which source holds its file: after a merge it may not be the line's own. */
function trackIn(source: ReadingSource): Transform {
  return (item) => {
    if (item.kind !== "workout" || item.value.track === undefined) return item;
    return { ...item, value: { ...item.value, track: { ...item.value.track, source: source.index } } };
  };
}

/** Workouts outside the asked-for dates are skipped, and counted. */
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

/** What of an item says whether its source changed: all but where its file lies. */
function contentOf(item: Item): unknown {
  if (item.kind !== "workout" || item.value.track === undefined) return [item.kind, toStored(item.value)];
  const { entry: _entry, ...track } = item.value.track;
  return [item.kind, { ...toStored(item.value), track }];
}
