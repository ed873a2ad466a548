/**
 * One reading becomes one line of the plan. Every decision of a migration is made here or in `compare-with-log.ts`, once,
 * and written down: a dry run and a real run share it because they share the code.
 */
import type { Activity, WorkoutType } from "../transforms/activities.ts";
import {
  closerTwin,
  factsOf,
  mergeTwins,
  type TwinEvidence,
  twinEvidence,
  type WorkoutFacts,
} from "../transforms/duplicates.ts";
import { courseIdentity, equipmentIdentity } from "../transforms/identity.ts";
import type { Preference } from "../transforms/model/account.ts";
import { withFix } from "../transforms/model/fix.ts";
import type { Issue } from "../transforms/model/issue.ts";
import { describeOrigin, describeTrouble } from "../transforms/model/issue.ts";
import type { Item, Reading, SetAside, WorkoutItem } from "../transforms/model/item.ts";
import { intoPreferredUnits } from "../transforms/steps/into-preferred-units.ts";
import { keepKnownType } from "../transforms/steps/keep-known-type.ts";
import { keepOneEquipment } from "../transforms/steps/keep-one-equipment.ts";
import { keepPlausibleValues } from "../transforms/steps/keep-plausible-values.ts";
import { type ActivitySettings, nameActivity } from "../transforms/steps/name-activity.ts";
import { nameInNotes } from "../transforms/steps/name-in-notes.ts";
import { resolveLocalTime, type TimeSettings } from "../transforms/steps/resolve-local-time.ts";
import { type Transform, through } from "../transforms/steps/transform.ts";
import { contentHash } from "../transforms/text/canonical.ts";
import type { Journal, Line, NewLine } from "./journal/journal.ts";
import { describeEvidence } from "./plan/describe-match.ts";
import { NO_RULINGS, type Rulings } from "./plan/manual-decisions.ts";

/** What the decisions depend on besides the readings. */
export interface DecisionSettings extends ActivitySettings {
  readonly time: TimeSettings;
  readonly preference: Preference;
  /** Leave out what is before or after these local dates. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  /** What a person decided by hand before. */
  readonly rulings?: Rulings;
  /** The log's numbers of workout types, for what is of a log. */
  readonly workoutIDs?: Readonly<Partial<Record<Activity, Partial<Record<WorkoutType, number>>>>>;
  /** Brings up to date again what was undone. */
  readonly again?: boolean;
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
   * @param takesUp the line of another run that is taken up with it
   */
  add(reading: Reading, source: ReadingSource, takesUp?: number): Promise<void>;
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
  ];
  // What a log had, a log can have: in its own unit, and however odd.
  const plausible: readonly Transform[] = [...ready, keepPlausibleValues];
  const written: readonly Transform[] = [intoPreferredUnits(settings.preference)];
  const asItWas: readonly Transform[] = [keepKnownType(settings.workoutIDs)];
  const { rulings = NO_RULINGS } = settings;

  return {
    async add(reading, source, takesUp) {
      const issues: Issue[] = [];
      const told = toldAs(reading);
      const result =
        told.kind === "set-aside"
          ? told
          : through(source.ofLog ? ready : plausible, told, (issue) => issues.push(issue));
      for (const issue of issues) await report(issue);
      const from: From = { source, reading, takesUp };
      if (result.kind === "set-aside") return addSetAside(result, from);

      const same = await journal.lineWithKey(run, result.key);
      if (same !== undefined && (same.state === "planned" || same.state === "merged")) {
        return addMerged(result, from, same, `the same record as ${describeOrigin(same.origin)}`);
      }
      const content = contentHash(contentOf(result));
      const last = source.ofLog ? asItWas : written;
      const item = through([...last, trackIn(source)], result, (issue) => issues.push(issue)) as Item;
      if (item.kind === "workout") return addWorkout(item, from, content);
      return addThing(item, from, content);
    },
  };

  /** The reading as a person wants it: left out, or with what they said in the place of what the source has. */
  function toldAs(reading: Reading): Reading {
    const dropped = rulings.dropped(reading);
    if (dropped !== undefined) return dropped;
    const fix = reading.kind === "workout" ? rulings.fixes.get(reading.key) : undefined;
    return fix === undefined || reading.kind !== "workout"
      ? reading
      : { ...reading, value: withFix(reading.value, fix) };
  }

  async function addSetAside(aside: SetAside, { source, reading, takesUp }: From): Promise<void> {
    await report({ ...aside.issue, origin: aside.issue.origin ?? aside.origin });
    await journal.addLine(run, {
      key: aside.key,
      kind: "set-aside",
      source: source.index,
      origin: aside.origin,
      state: aside.as,
      action: "none",
      reason: describeTrouble(aside.issue),
      issue: aside.issue,
      ...(reading.kind !== "set-aside" && { asRead: asRead(reading, undefined) }),
      ...(takesUp !== undefined && { takesUp }),
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
      twin: into.key,
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
      carrier: "save",
      content,
      value: item.value,
      identity,
    });
  }

  async function addWorkout(item: WorkoutItem, from: From, content: string): Promise<void> {
    const { source } = from;
    const facts = factsOf(item.value);
    const twin = facts === undefined ? undefined : await findTwin(facts, source);
    const line = {
      ...remembered(item, from),
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

/** Where a line comes from. */
interface From {
  readonly source: ReadingSource;
  /** As the connector gave it. */
  readonly reading: Reading;
  readonly takesUp: number | undefined;
}

/** What people ask for when they ask what was read. */
const ASKED_FOR: readonly string[] = ["sport", "name", "start", "distance", "duration"];

/** Kept where the steps of the plan wrote them otherwise than the source has them. */
const REWRITTEN: readonly string[] = ["activity", "equipment", "health", "weather"];

/** What the journal keeps besides the line: what the source has where the plan writes it otherwise. */
function remembered(item: Item, { reading, takesUp }: From): Pick<NewLine, "asRead" | "takesUp"> {
  return {
    ...(reading.kind !== "set-aside" && { asRead: asRead(reading, item) }),
    ...(takesUp !== undefined && { takesUp }),
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
  if (item.kind !== "workout" || item.value.track === undefined) return [item.kind, item.value];
  const { entry: _entry, ...track } = item.value.track;
  return [item.kind, { ...item.value, track }];
}
