/**
 * One reading becomes one line of the plan. Every decision of a migration is made here or in `compare-with-log.ts`, once,
 * and written down: a dry run and a real run share it because they share the code.
 */
import { contentHash } from "../transforms/canonical.ts";
import { courseIdentity, equipmentIdentity } from "../transforms/identity.ts";
import type { Issue } from "../transforms/issue.ts";
import { describeOrigin, describeTrouble } from "../transforms/issue.ts";
import type { Preference } from "../transforms/model/account.ts";
import type { Item, Reading, SetAside, WorkoutItem } from "../transforms/model/item.ts";
import { intoPreferredUnits } from "../transforms/steps/into-preferred-units.ts";
import { keepOneEquipment } from "../transforms/steps/keep-one-equipment.ts";
import { keepPlausibleValues } from "../transforms/steps/keep-plausible-values.ts";
import { type ActivitySettings, nameActivity } from "../transforms/steps/name-activity.ts";
import { nameInNotes } from "../transforms/steps/name-in-notes.ts";
import { resolveLocalTime, type TimeSettings } from "../transforms/steps/resolve-local-time.ts";
import { type Transform, through } from "../transforms/transform.ts";
import {
  closerTwin,
  factsOf,
  mergeTwins,
  type TwinEvidence,
  twinEvidence,
  type WorkoutFacts,
} from "../transforms/twins.ts";
import type { Journal, Line } from "./journal/journal.ts";

/** What the decisions depend on besides the readings. */
export interface DecisionSettings extends ActivitySettings {
  readonly time: TimeSettings;
  readonly preference: Preference;
  /** Leave out what is before or after these local dates. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** The source a reading comes from. */
export interface ReadingSource {
  readonly index: number;
  readonly name: string;
  /** Its workouts are bare recordings of devices (see Connector). */
  readonly recordings: boolean;
}

/** Makes lines out of readings, for one run. */
export interface Decider {
  /** Adds the line of a reading; afterwards its state is final but for what the log already holds. */
  add(reading: Reading, source: ReadingSource): Promise<void>;
}

/** A decider for a run. `report` gets the issues of the steps; the lines go to the journal. */
export function createDecider(
  run: number,
  journal: Journal,
  settings: DecisionSettings,
  recordingsOf: (source: number) => boolean,
  report: (issue: Issue) => Promise<void>,
): Decider {
  const ready: readonly Transform[] = [
    resolveLocalTime(settings.time),
    withinDates(settings.since, settings.until),
    nameActivity(settings),
    nameInNotes,
    keepOneEquipment,
    keepPlausibleValues,
  ];
  const written: readonly Transform[] = [intoPreferredUnits(settings.preference)];

  return {
    async add(reading, source) {
      const issues: Issue[] = [];
      const result = reading.kind === "set-aside" ? reading : through(ready, reading, (issue) => issues.push(issue));
      for (const issue of issues) await report(issue);
      if (result.kind === "set-aside") return addSetAside(result, source);

      const same = await journal.lineWithKey(run, result.key);
      if (same !== undefined && (same.state === "planned" || same.state === "merged")) {
        return addMerged(result, source, same, `the same record as ${describeOrigin(same.origin)}`);
      }
      const content = contentHash(contentOf(result));
      const item = through([...written, trackIn(source)], result, (issue) => issues.push(issue)) as Item;
      if (item.kind === "workout") return addWorkout(item, source, content);
      return addThing(item, source, content);
    },
  };

  async function addSetAside(reading: SetAside, source: ReadingSource): Promise<void> {
    await report({ ...reading.issue, origin: reading.issue.origin ?? reading.origin });
    await journal.addLine(run, {
      key: reading.key,
      kind: "set-aside",
      source: source.index,
      origin: reading.origin,
      state: reading.as,
      action: "none",
      reason: describeTrouble(reading.issue),
    });
  }

  async function addMerged(item: Item, source: ReadingSource, into: Line, reason: string): Promise<void> {
    await journal.addLine(run, {
      key: item.key,
      kind: item.kind,
      source: source.index,
      origin: item.origin,
      state: "merged",
      action: "none",
      value: item.value,
      twin: into.key,
      reason,
    });
  }

  async function addThing(item: Exclude<Item, WorkoutItem>, source: ReadingSource, content: string): Promise<void> {
    const identity =
      item.kind === "equipment"
        ? equipmentIdentity(item.value, settings.activityIDs[item.value.activity])
        : courseIdentity(item.value);
    const same = await journal.lineWithIdentity(run, item.kind, identity);
    if (same !== undefined) {
      return addMerged(item, source, same, `the same ${item.kind} as in ${describeOrigin(same.origin)}`);
    }
    await journal.addLine(run, {
      key: item.key,
      kind: item.kind,
      source: source.index,
      origin: item.origin,
      state: "planned",
      action: "create",
      carrier: "save",
      content,
      value: item.value,
      identity,
    });
  }

  async function addWorkout(item: WorkoutItem, source: ReadingSource, content: string): Promise<void> {
    const facts = factsOf(item.value);
    const twin = facts === undefined ? undefined : await findTwin(facts, source);
    const line = {
      key: item.key,
      kind: "workout",
      source: source.index,
      origin: item.origin,
      content,
    } as const;
    if (twin === undefined) {
      await journal.addLine(run, { ...line, state: "planned", action: "create", value: item.value, facts });
      return;
    }
    const theirs = twin.line.value as WorkoutItem["value"];
    const reason = describeEvidence(twin.evidence);
    if (source.recordings || !recordingsOf(twin.line.source)) {
      const value = mergeTwins(theirs, item.value, source.recordings);
      await journal.patchLine(run, twin.line.seq, { value, facts: factsOf(value) });
      await journal.addLine(run, {
        ...line,
        state: "merged",
        action: "none",
        value: item.value,
        twin: twin.line.key,
        reason: `${reason} as ${describeOrigin(twin.line.origin)}`,
      });
      return;
    }
    const value = mergeTwins(item.value, theirs, true);
    await journal.addLine(run, { ...line, state: "planned", action: "create", value, facts: factsOf(value) });
    await journal.patchLine(run, twin.line.seq, {
      state: "merged",
      action: "none",
      twin: item.key,
      reason: `${reason} as ${describeOrigin(item.origin)}`,
    });
  }

  /**
   * The planned line that is this workout from another source. Two rows of one source are two workouts, however alike
   * (treadmill runs by hand); two recordings are one, since nobody runs twice at once. A row takes one row of each source.
   */
  async function findTwin(
    facts: WorkoutFacts,
    source: ReadingSource,
  ): Promise<{ line: Line; evidence: TwinEvidence } | undefined> {
    const found: { line: Line; evidence: TwinEvidence }[] = [];
    for (const line of await journal.twinCandidates(run, facts)) {
      if (line.source === source.index && !source.recordings) continue;
      const theirs = factsOf(line.value as WorkoutItem["value"]);
      const evidence = theirs === undefined ? undefined : twinEvidence(facts, theirs);
      if (evidence === undefined) continue;
      if (!source.recordings && (await journal.hasTwinFrom(run, line.key, source.index))) continue;
      found.push({ line, evidence });
    }
    return found.sort((a, b) => closerTwin(a.evidence, b.evidence))[0];
  }
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
  if (item.kind !== "workout" || item.value.track === undefined) return [item.kind, item.value];
  const { entry: _entry, ...track } = item.value.track;
  return [item.kind, { ...item.value, track }];
}

function describeEvidence(evidence: TwinEvidence): string {
  const seconds =
    evidence.secondsApart === undefined ? undefined : `starts ${Math.round(evidence.secondsApart)} s apart`;
  const distance =
    evidence.distanceApart === undefined ? undefined : `distances ${(evidence.distanceApart * 100).toFixed(1)} % apart`;
  return `the same workout (${[evidence.rule, seconds, distance].filter((part) => part !== undefined).join(", ")})`;
}
