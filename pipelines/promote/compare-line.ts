/** Compares what a rehearsal did with a record, and what the plan for the real log does with it. */
import type { LogNumbers } from "../../connectors/api/from-wire.ts";
import { ACTIVITY_NAMES, WORKOUT_TYPES } from "../../transforms/activities.ts";
import { isRecord, type Line, type RecordLine } from "../journal/line.ts";
import { PROMOTE_RULES, type PromoteRule } from "../journal/promote-rules.ts";
import type { Difference } from "../journal/run.ts";
import { ONE_IN_LOG } from "../journal/summary.ts";
import { compareBodies } from "../log/compare-bodies.ts";
import { createEncoder } from "../plan/log/encode.ts";

/** What becomes of a record, as far as the log can show it. */
export type Fate = "in the log" | "merged" | "updates" | "left out";

/** The comparison of one record. */
export type Verdict =
  /** The plan writes what the rehearsal wrote, or leaves out what it left out. */
  | { readonly is: "same" }
  /** The real log has the record already, and nothing is written. */
  | { readonly is: "already there" }
  | { readonly is: "differs"; readonly rule: PromoteRule; readonly differences: readonly Difference[] };

const SAME: Verdict = { is: "same" };

/** The fate of a line, of a rehearsal that is over or of a plan. */
export function fateOf({ state, action }: Pick<Line, "state" | "action">): Fate {
  if (state === "merged") return "merged";
  if (state === "planned") return action === "update" ? "updates" : "in the log";
  return state === "done" || state === "unchanged" ? "in the log" : "left out";
}

/**
 * Compares one record.
 *
 * @param rehearsed its line in the rehearsal; undefined when the rehearsal didn't have it
 * @param now its line in the plan for the real log
 * @param isOurs whether the plan's update completes a record that logferry itself began
 */
export function compareLine(rehearsed: Line | undefined, now: Line, isOurs: boolean): Verdict {
  // What a person took back since an earlier promotion stays in the log.
  if (now.state === "unchanged")
    return rehearsed !== undefined && fateOf(rehearsed) === "left out" ? differs("stays") : { is: "already there" };
  const will = fateOf(now);
  if (rehearsed === undefined) return will === "left out" ? SAME : differs("notSeen");
  const did = fateOf(rehearsed);
  if (will === "updates" && !isOurs)
    return differs("wouldChange", did === "in the log" ? differencesOf(rehearsed, now) : []);
  if (will === "left out") return did === "left out" ? SAME : differs("left");
  if (will === "merged") {
    if (did === "merged") return SAME;
    if (did === "left out") return differs("notSeen");
    return differs(now.reason?.startsWith(ONE_IN_LOG) === true ? "stays" : "left");
  }
  if (did !== "in the log") return differs("notSeen");
  const differences = differencesOf(rehearsed, now);
  return differences.length === 0 ? SAME : differs("changed", differences);
}

function differs(rule: keyof typeof PROMOTE_RULES, differences: readonly Difference[] = []): Verdict {
  return { is: "differs", rule: PROMOTE_RULES[rule], differences };
}

/** The fields in which two lines would write other values. Shoes and courses are compared by their records, since each log has its own ids. */
export function differencesOf(rehearsed: Line, now: Line): readonly Difference[] {
  if (!isRecord(rehearsed) || !isRecord(now)) return [];
  const [before, after] = [bodyOf(rehearsed), bodyOf(now)];
  // Each log has its own units, and each value was rounded to them once.
  const found = compareBodies(before, after, "both");
  const fields = new Set(found.map(({ field }) => field));
  // A comparison sees no field that only the second body has.
  const added = compareBodies(after, before, "both").filter(({ field }) => !fields.has(field));
  return [
    ...found,
    ...added.map(({ field, expected, found: was }) => ({ field, expected: was, found: expected })),
    ...differencesOfFiles(rehearsed, now),
  ];
}

function differencesOfFiles(rehearsed: RecordLine, now: RecordLine): readonly Difference[] {
  const [before, after] = [fileOf(rehearsed), fileOf(now)];
  return before === after ? [] : [{ field: "device file", expected: before, found: after }];
}

/** The device file of a workout or the map of a course, by its hash. */
function fileOf(line: RecordLine): string | undefined {
  const map = line.kind === "course" ? line.value.map : undefined;
  if (map !== undefined) return `${map.sha256.slice(0, 12)} line ${map.line + 1}`;
  const track = line.kind === "workout" ? line.value.track : undefined;
  return track === undefined ? undefined : `${track.sha256.slice(0, 12)} recording ${track.recording + 1}`;
}

/** Numbers that are the same for both logs. The names of activities and types count, and each log has its own numbers for them. */
const NUMBERS: LogNumbers = {
  activityIDs: Object.fromEntries(ACTIVITY_NAMES.map((name, number) => [name, number])),
  workoutIDs: Object.fromEntries(
    ACTIVITY_NAMES.map((name) => [name, Object.fromEntries(WORKOUT_TYPES.map((type, number) => [type, number]))]),
  ),
};

const encode = createEncoder(NUMBERS);

function bodyOf(line: RecordLine) {
  if (line.kind !== "workout") return encode(line, {});
  const { course, equipment } = line.value;
  return encode(line, { courseId: course, equipmentId: equipment?.[0] });
}
