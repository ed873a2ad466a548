/**
 * Finds edited rows whose distances are the loaded ones times or over the length of a mile: a sheet that was converted, and a mapping that doesn't know it. They
 * would all be loaded in the wrong unit, so they wait for a person.
 */
import { inMetres, type Measure } from "../../../transforms/units.ts";
import type { WorkoutLine } from "../../journal/line.ts";
import { isFixedByHand } from "../compare/choose-line.ts";
import type { ComparisonContext } from "../compare/comparison.ts";

/** A mile in kilometres. */
const MILE = inMetres({ unit: "mi", value: 1 }) / 1000;

/** Cells with one decimal are rounded by this share of five kilometres. */
const TOLERANCE = 0.02;

/** So many such rows are no chance, if they are more than half of all edited ones. */
const LEAST = 3;

/** A row that was edited since its workout was loaded. */
interface EditedRow {
  readonly seq: number;
  /** The distances in metres: as it was sent, and as it is now. */
  readonly was: number;
  readonly now: number;
}

/** The distance of a save body. */
interface SentDistance {
  readonly details?: { readonly distance?: Measure<"distance"> };
}

/** Holds such rows of a plan, after it was compared with the log. */
export async function holdOtherUnits(run: number, context: ComparisonContext): Promise<void> {
  const { journal, settings, options } = context;
  if (settings.allowImplausible === true) return;
  const edited: EditedRow[] = [];
  for await (const line of journal.lines(run, { state: ["planned"], kind: "workout" })) {
    if (line.kind !== "workout" || line.action !== "update" || isFixedByHand(line, context)) continue;
    const row = await editedRow(line, context);
    if (row !== undefined) edited.push(row);
  }
  const others = edited.filter(isOfOtherUnit);
  // A retry has none of the rows beside the one that waits.
  const isFew = options.retryOf === undefined && (others.length < LEAST || others.length * 2 <= edited.length);
  if (isFew) return;
  for (const { seq, was, now } of others)
    await journal.patchLine(run, seq, { state: "quarantined", action: "none", reason: reasonOf(was, now) });
}

/** Undefined for a row that is as it was loaded, whatever the mapping makes of it now: a corrected unit changes all rows of a table. */
async function editedRow(line: WorkoutLine, { journal }: ComparisonContext): Promise<EditedRow | undefined> {
  const { distance } = line.value;
  const record = distance && (await journal.remoteRecord(line.key));
  const sent = (record?.sent as SentDistance | undefined)?.details?.distance;
  if (record === undefined || sent === undefined || distance === undefined) return undefined;
  if ((await journal.lineWithKey(record.run, line.key)) !== undefined) return undefined;
  return { seq: line.seq, was: inMetres(sent), now: inMetres(distance) };
}

function isOfOtherUnit({ was, now }: EditedRow): boolean {
  const factor = Math.max(was, now) / Math.min(was, now);
  return Math.abs(factor / MILE - 1) <= TOLERANCE;
}

function reasonOf(was: number, now: number): string {
  const [before, after] = [was, now].map((metres) => `${Math.round(metres / 10) / 100} km`);
  return `plan/other-unit (it was ${before} and is ${after}, which is that ${now < was ? "over" : "times"} the length of a mile, as in most rows that were edited)`;
}
