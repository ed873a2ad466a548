/**
 * Finds where a run gives workouts of the log another start than the run that loaded them did, because its options are others: a zone that was
 * named then and isn't now moves every start that rests on it. Such workouts wait for a person.
 */
import type { Issue } from "../../../transforms/model/issue.ts";
import type { Run, RunOptions } from "../../journal/run.ts";
import type { ComparisonContext } from "../compare/comparison.ts";

/** The options that move starts, as a person types them. */
const MOVING: readonly ((options: RunOptions) => string | undefined)[] = [
  ({ zone }) => zone && `--zone ${zone}`,
  ({ dateOrder }) => dateOrder && `--date-order ${dateOrder}`,
  ({ trustClocks }) => (trustClocks === true ? "--trust-clocks" : undefined),
  ({ utcOffset, zone }) =>
    zone === undefined && utcOffset !== undefined ? `your log's offset ${utcOffset} h` : undefined,
];

/** What moves the starts of a run: `--zone Europe/Vienna`. */
function movingWords(options: RunOptions): string {
  const words = MOVING.map((read) => read(options)).filter((word) => word !== undefined);
  return words.length === 0 ? "no option that moves starts" : words.join(" ");
}

/** The day and the time of a save body. */
interface SentStart {
  readonly date?: string;
  readonly time?: string;
}

/**
 * Whether a person named another zone or another order of dates when the workout was loaded. A mistyped one would move years of workouts by hours, so
 * these wait. A start that rested on the log's offset is corrected by a zone.
 */
function namedOther({ options: earlier }: Run, options: RunOptions): boolean {
  const isOther = (field: "zone" | "dateOrder") => earlier[field] !== undefined && earlier[field] !== options[field];
  return isOther("zone") || isOther("dateOrder");
}

/**
 * Holds the loaded workouts of a plan that would start at another time, because another zone is named than before. Where nothing else was named, it
 * counts them in one remark. Reads the workouts only if an earlier run had other options that move starts.
 *
 * @param run the run that is planned, after it was compared with the log
 */
export async function holdMovedStarts(run: number, { journal, options, settings, report }: ComparisonContext) {
  const others = new Map<number, Run>();
  for (const earlier of await journal.runs())
    if (earlier.id < run && movingWords(earlier.options) !== movingWords(options)) others.set(earlier.id, earlier);
  if (others.size === 0) return;
  const mayHold = settings.enrich !== true && settings.allowMoved !== true;
  const moved = new Map<Run, number>();
  for await (const line of journal.lines(run, { state: ["planned", "unchanged"], kind: "workout" })) {
    if (line.kind !== "workout" || line.action === "create") continue;
    const record = await journal.remoteRecord(line.key);
    const earlier = record && others.get(record.run);
    const sent = record?.sent as SentStart | undefined;
    if (earlier === undefined || sent === undefined || !isMoved(line.value.start, sent)) continue;
    // A row that came to a recording has a start of its own. No option moved it.
    const isOwn = (await journal.lineWithKey(earlier.id, line.key)) !== undefined;
    if (!isOwn && !isByOption(line.value.start, sent)) continue;
    if (mayHold && line.action === "update" && namedOther(earlier, options))
      await journal.patchLine(run, line.seq, heldStart(earlier, sent, line.value.start, options));
    else moved.set(earlier, (moved.get(earlier) ?? 0) + 1);
  }
  for (const [earlier, count] of moved) await report(remarkOn(earlier, count, options, settings.enrich === true));
}

function heldStart({ id, options: before }: Run, sent: SentStart, start: SentStart, options: RunOptions) {
  const [was, is] = [sent, start].map(({ date, time }) => [date, time].filter((part) => part !== undefined).join(" "));
  return {
    state: "quarantined",
    action: "none",
    reason: `plan/starts-would-move (run ${id} had ${movingWords(before)} and gave it ${was}; this one has ${movingWords(options)}: ${is})`,
  } as const;
}

function remarkOn({ id, options: before }: Run, count: number, options: RunOptions, isEnriched: boolean): Issue {
  const would = isEnriched ? (count === 1 ? "has" : "have") : "would get";
  return {
    severity: "warning",
    rule: "plan/starts-would-move",
    found: `${count === 1 ? "1 workout" : `${count} workouts`} of your log ${would} another start in this plan than run ${id} gave: run ${id} had ${movingWords(before)}, and this one has ${movingWords(options)}`,
    expected: isEnriched
      ? "the starts that they have: --enrich changes none of them"
      : "the same starts. If those of your log are right, plan again with the options of that run",
  };
}

const QUARTER_SECONDS = 15 * 60;

/** Whether two starts are apart by what a zone or an order of dates can do: whole quarters of an hour, or another day. */
function isByOption({ date, time }: SentStart, sent: SentStart): boolean {
  if (date !== sent.date || time === undefined || sent.time === undefined) return true;
  return (secondsOfDay(time) - secondsOfDay(sent.time)) % QUARTER_SECONDS === 0;
}

function secondsOfDay(time: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(":").map(Number);
  return hours * 3600 + minutes * 60 + seconds;
}

function isMoved({ date, time }: SentStart, sent: SentStart): boolean {
  return sent.date !== date || (sent.time !== undefined && time !== undefined && sent.time !== time);
}
