/** Assumed local times and odd values of a rehearsal, for its page of decisions. No decision is about them: another setting or a mended source is. */
import type { JournalReader } from "../../pipelines/journal/journal.ts";
import type { WorkoutLine } from "../../pipelines/journal/line.ts";
import type { Run } from "../../pipelines/journal/run.ts";
import { zoneInWords } from "../../pipelines/review/explain.ts";
import { describeIssue, describeOrigin, withoutRule } from "../../transforms/model/issue.ts";
import { unreadFiles } from "../../transforms/model/unread.ts";
import { toRehearsalWords } from "../suggested-commands.ts";
import { many } from "../terminal/output.ts";
import { type Doubt, type DoubtForm, type DoubtGroup, type GroupView, shownOf } from "./doubt.ts";
import { workoutTitle } from "./workout-title.ts";

/** The pairs have a group of their own. */
const SHOWN_AS_PAIRS: ReadonlySet<string> = new Set([
  "plan/doubtful-duplicates",
  "plan/doubtful-in-log",
  "plan/same-time",
  "plan/same-time-in-log",
]);

/** The groups that have anything. @param chosenZone the time zone that the person chose since */
export async function remarkGroups(
  journal: JournalReader,
  run: Run,
  { chosenZone, view }: { readonly chosenZone: string | undefined; readonly view: GroupView | undefined },
): Promise<readonly DoubtGroup[]> {
  return [await assumedGroup(journal, run, chosenZone, view), await oddGroup(journal, run, view)].filter(
    ({ doubts }) => doubts.length > 0,
  );
}

/** Workouts whose source has an instant, and neither a local time nor a place. */
async function assumedGroup(
  journal: JournalReader,
  run: Run,
  chosenZone: string | undefined,
  view: GroupView | undefined,
): Promise<DoubtGroup> {
  const id = "assumed-times";
  const doubts: Doubt[] = [];
  let all = 0;
  for await (const _ of withAssumedTime(journal, run)) all++;
  const { from, until, more, pages = [] } = shownOf(id, all, "workout", view);
  let at = 0;
  for await (const line of withAssumedTime(journal, run)) {
    const { basis, date, time } = line.value.start;
    const place = at++;
    if (place < from) continue;
    if (place >= until) break;
    doubts.push({
      id: `time-${line.seq}`,
      title: workoutTitle(line.value, line.origin),
      text: `${describeOrigin(line.origin)}: ${[date, time].filter((part) => part !== undefined).join(" ")}, ${basis === "utcOffset" ? "by the offset of the log" : zoneInWords(line.value.start, run.options)}.`,
      workoutId: line.remoteId,
      buttons: [],
    });
  }
  return {
    id,
    title: `${many(all, "local time")} assumed`,
    text: `The sources give neither a time zone nor a position. ${chosenZone === undefined ? "If times are wrong, say where you were. The next rehearsal has the times of that zone." : `You chose ${chosenZone}: the next rehearsal has its times.`}`,
    buttons: [],
    form: zoneForm(chosenZone ?? run.options.zone),
    ...{ doubts, more, pages },
  };
}

/** The workouts in the log with such a time. */
async function* withAssumedTime(journal: JournalReader, run: Run): AsyncGenerator<WorkoutLine> {
  for await (const line of journal.lines(run.id, { state: ["done", "unchanged"], kind: "workout" })) {
    const { basis } = line.value.start;
    if (basis === "named zone" || basis === "utcOffset") yield line;
  }
}

/** The form that chooses the zone of the next rehearsal. @param value the zone that holds now */
export function zoneForm(value: string | undefined): DoubtForm {
  const hint = "Where you were: Europe/Vienna";
  return {
    label: "Use this zone",
    command: "rehearse --zone",
    fields: [{ name: "zone", label: "Time zone", hint, isRequired: true, value }],
  };
}

async function oddGroup(journal: JournalReader, run: Run, view: GroupView | undefined): Promise<DoubtGroup> {
  const rows = (await journal.issues(run.id)).filter(
    ({ rule, severity, example }) =>
      severity === "warning" && !SHOWN_AS_PAIRS.has(rule) && unreadFiles(example) === undefined,
  );
  const { from, until, more, pages = [] } = shownOf("odd-values", rows.length, "remark", view);
  const doubts = rows.slice(from, until).map(({ rule, count, example }, at) => ({
    id: `remark-${from + at}`,
    title: count === 1 ? "Once" : `${many(count, "time")}, such as`,
    text: `${toRehearsalWords(withoutRule(describeIssue(example), rule))} (${rule})`,
    buttons: [],
  }));
  return {
    id: "odd-values",
    title: `${many(rows.length, "remark")} about odd values and files`,
    text: "logferry read on, and left out what can't be true. Mend the source where it matters, then rehearse once more.",
    buttons: [],
    ...{ doubts, more, pages },
  };
}
