/**
 * Says that a run gives workouts of the log another start than the run that loaded them did, because its options are others: a zone that was
 * named then and isn't now moves every start that rests on it.
 */
import type { Run, RunOptions } from "../journal/run.ts";
import type { ComparisonContext } from "./comparison.ts";

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
 * Counts the loaded workouts of a plan that would start at another time, in one remark. Reads the workouts only if an earlier run had other options
 * that move starts.
 *
 * @param run the run that is planned, after it was compared with the log
 */
export async function tellMovedStarts(run: number, { journal, options, settings, report }: ComparisonContext) {
  const others = new Map<number, Run>();
  for (const earlier of await journal.runs())
    if (earlier.id < run && movingWords(earlier.options) !== movingWords(options)) others.set(earlier.id, earlier);
  if (others.size === 0) return;
  const moved = new Map<Run, number>();
  for await (const line of journal.lines(run, { state: ["planned", "unchanged"], kind: "workout" })) {
    if (line.kind !== "workout" || line.action === "create") continue;
    const record = await journal.remoteRecord(line.key);
    const earlier = record && others.get(record.run);
    if (earlier === undefined || !isMoved(line.value.start, record?.sent as SentStart | undefined)) continue;
    moved.set(earlier, (moved.get(earlier) ?? 0) + 1);
  }
  for (const [earlier, count] of moved)
    await report({
      severity: "warning",
      rule: "plan/starts-would-move",
      found: `${count === 1 ? "1 workout" : `${count} workouts`} of your log ${settings.enrich === true ? (count === 1 ? "has" : "have") : "would get"} another start in this plan than run ${earlier.id} gave: run ${earlier.id} had ${movingWords(earlier.options)}, and this one has ${movingWords(options)}`,
      expected:
        settings.enrich === true
          ? "the starts that they have: --enrich changes none of them"
          : "the same starts. If those of your log are right, plan again with the options of that run",
    });
}

function isMoved({ date, time }: SentStart, sent: SentStart | undefined): boolean {
  if (sent === undefined) return false;
  return sent.date !== date || (sent.time !== undefined && time !== undefined && sent.time !== time);
}
