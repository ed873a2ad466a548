/**
 * Lists every value of a run's sources that its log doesn't hold, from the journal alone. The lines come one by one, so memory doesn't grow with
 * the archive.
 */
import { RECORDING_NOTES } from "../../transforms/duplicates.ts";
import { type CopyAsRead, findOtherValues, type OtherValue } from "../../transforms/merge/other-copy.ts";
import { describeOrigin, type Origin } from "../../transforms/model/issue.ts";
import { LOSS_WORDS, lossCauseOf } from "../../transforms/model/loss-cause.ts";
import type { UnsupportedValue } from "../../transforms/model/workout.ts";
import { SECOND_EQUIPMENT } from "../../transforms/steps/keep-one-equipment.ts";
import { unitSpelt } from "../../transforms/units.ts";
import type { LossRow } from "../journal/counts.ts";
import type { JournalReader } from "../journal/journal.ts";
import { keptLine } from "../journal/kept-line.ts";
import { dayOf, isRecord, type Line, type LineOf, type LineState, type RecordLine } from "../journal/line.ts";
import type { Run } from "../journal/run.ts";
import { nameEquipment } from "./name-equipment.ts";

/**
 * Why a value is not in the log:
 * - `no field`: the log can't hold it.
 * - `other copy`: a duplicate has it otherwise than the record that is kept.
 * - `not added`: the log had the workout already, and keeps what it has.
 */
export type LossKind = "no field" | "other copy" | "not added";

/** A value that the log doesn't hold. */
export interface Loss extends OtherValue {
  readonly loss: LossKind;
  /** The record with the value. */
  readonly line: Line;
  /** The place of the value. Of a merged record, the kept one may have taken it from the other. */
  readonly origin: Origin;
  /** `YYYY-MM-DD`; undefined for a record without a day. */
  readonly date: string | undefined;
  /** The title of a workout as its source has it, or the name of a course or a piece of equipment. */
  readonly title: string | undefined;
  /** The reason in words. */
  readonly why: string;
}

/** What one line loses, before its date and title are known. */
type Found = OtherValue & Pick<Loss, "loss" | "origin" | "why">;

/** All losses of a run, in loading order. */
export async function* readLosses(journal: JournalReader, run: Run): AsyncIterable<Loss> {
  const mayHaveChosen = await hasChoices(journal, run);
  for await (const line of journal.lines(run.id, {})) {
    if (!isRecord(line)) {
      yield* ofSkipped(line);
      continue;
    }
    const found =
      line.state === "merged"
        ? await ofCopy(journal, line)
        : [...(await ofLine(journal, line)), ...(mayHaveChosen ? await ofKept(journal, line) : [])];
    if (found.length === 0) continue;
    const record = { line, date: dayOf(line), title: await titleOf(journal, line) };
    for (const one of found) yield { ...record, ...one };
  }
}

/** The values of a run's duplicates that differ from the kept ones, by field, the most frequent first. */
export async function countOtherCopies(journal: JournalReader, run: Run): Promise<readonly LossRow[]> {
  const counts = new Map<string, number>();
  const mayHaveChosen = await hasChoices(journal, run);
  for await (const line of journal.lines(run.id, mayHaveChosen ? {} : { state: ["merged"] })) {
    if (!isRecord(line)) continue;
    const found = line.state === "merged" ? await ofCopy(journal, line) : await ofKept(journal, line);
    for (const { field } of found) counts.set(field, (counts.get(field) ?? 0) + 1);
  }
  return [...counts]
    .map(([field, count]) => ({ field, count }))
    .toSorted((a, b) => b.count - a.count || (a.field < b.field ? -1 : 1));
}

/** The values of a row that is no workout. */
function* ofSkipped(line: LineOf<"set-aside">): Iterable<Loss> {
  for (const one of line.value?.unsupported ?? []) {
    const { origin } = line;
    yield { loss: "no field", line, origin, date: undefined, title: undefined, why: whyUnsupported(one), ...one };
  }
}

/** States in which the log has the workout already, or gets it. The count of the values that are not added takes the same. */
const ON_ITS_WAY: readonly LineState[] = ["planned", "in-flight", "done", "unchanged"];

async function ofLine(journal: JournalReader, line: RecordLine): Promise<readonly Found[]> {
  const { run, key, origin, value } = line;
  const lost = value.unsupported ?? [];
  const copies = lost.length === 0 ? [] : await journal.mergedInto(run, key);
  const found: Found[] = [];
  for (const one of lost) {
    found.push({
      loss: "no field",
      field: one.field,
      value: await shownValue(journal, run, one),
      origin: copies.find((copy) => hasValue(copy, one))?.origin ?? origin,
      why: whyUnsupported(one),
    });
  }
  if (line.kind !== "workout" || !ON_ITS_WAY.includes(line.state)) return found;
  const notAdded = line.value.notAdded?.values ?? [];
  return [
    ...found,
    ...notAdded.map(({ field, value: own, inLog, isUnknown = false }) => ({
      loss: "not added" as const,
      field,
      value: own,
      kept: inLog,
      origin,
      why: isUnknown ? `${HAD_ALREADY}. A listing doesn't show whether it has this` : HAD_ALREADY,
    })),
  ];
}

const HAD_ALREADY = "your log had this workout already, and keeps what it has";

/** Whether the kept record may have the value from this copy of it. The copy has the value either way. */
function hasValue(copy: Line, { field, value }: UnsupportedValue): boolean {
  if (copy.kind === "workout" && field === RECORDING_NOTES) return copy.value.notes === value;
  if (copy.kind === "workout" && field === SECOND_EQUIPMENT && copy.value.equipment?.[0] === value) return true;
  return copy.value?.unsupported?.some((one) => one.field === field && one.value === value) === true;
}

async function ofCopy(journal: JournalReader, line: RecordLine): Promise<readonly Found[]> {
  const kept = await keptFor(journal, line);
  if (kept === undefined) return [];
  const { asRead } = await journal.auditTrail.details(line.run, line.seq);
  const values = [...findOtherValues(line, kept, readCopy(asRead)), ...(await ofReferences(journal, line, kept))];
  const why = `another copy of it is kept: ${describeOrigin(kept.origin)}`;
  const found: Found[] = [];
  for (const one of values) {
    const value = await shownValue(journal, line.run, one);
    found.push({ ...one, value, loss: "other copy", origin: line.origin, why });
  }
  return found;
}

/** Whether a person chose values of other copies, by `--prefer` or in `plan review`. */
async function hasChoices(journal: JournalReader, { options }: Run): Promise<boolean> {
  if (options.prefer !== undefined) return true;
  return (await journal.links.answers()).some(({ take }) => Object.keys(take).length > 0);
}

/** The own values of a kept workout, where a person chose those of another copy. */
async function ofKept(journal: JournalReader, line: RecordLine): Promise<readonly Found[]> {
  if (line.kind !== "workout" || (await journal.mergedInto(line.run, line.key)).length === 0) return [];
  const own = await journal.links.ownValue(line.run, line.seq);
  if (own === undefined) return [];
  const { asRead } = await journal.auditTrail.details(line.run, line.seq);
  const copy = { ...line, value: own };
  const values = [...findOtherValues(copy, line, readCopy(asRead)), ...(await ofReferences(journal, copy, line))];
  const why = "another copy of it has the value that you chose";
  return values.map((one) => ({ ...one, loss: "other copy", origin: line.origin, why }));
}

/** The record that stays, of those that a line was merged into one after another. Undefined if this run doesn't have it. */
async function keptFor(journal: JournalReader, line: RecordLine): Promise<RecordLine | undefined> {
  const kept = await keptLine(journal, line);
  return kept !== undefined && isRecord(kept) ? kept : undefined;
}

/** A workout names its course and its equipment by their keys. Two keys may stand for one piece, which both sources have. */
async function ofReferences(
  journal: JournalReader,
  copy: RecordLine,
  kept: RecordLine,
): Promise<readonly OtherValue[]> {
  if (copy.kind !== "workout" || kept.kind !== "workout") return [];
  const [piece, keptPiece] = [copy.value.equipment?.[0], kept.value.equipment?.[0]];
  const isCounted = kept.value.unsupported?.some(({ field, value }) => field === SECOND_EQUIPMENT && value === piece);
  const pairs = [
    ["course", copy.value.course, kept.value.course],
    ["equipment", isCounted === true ? undefined : piece, keptPiece],
  ] as const;
  const found: OtherValue[] = [];
  for (const [field, own, other] of pairs) {
    if (own === undefined || own === other) continue;
    const [one, two] = [await namedBy(journal, copy.run, own), await namedBy(journal, copy.run, other)];
    if (one?.seq !== two?.seq) found.push({ field, value: nameOf(one) ?? own, kept: nameOf(two) });
  }
  return found;
}

/** The course or the piece of equipment that stays for a key. */
async function namedBy(journal: JournalReader, run: number, key: string | undefined): Promise<RecordLine | undefined> {
  const line = key === undefined ? undefined : await journal.lineWithKey(run, key);
  if (line === undefined || !isRecord(line)) return undefined;
  return line.state === "merged" ? ((await keptFor(journal, line)) ?? line) : line;
}

/** A second piece of equipment is counted by its key, which says nothing to a person. */
async function shownValue(journal: JournalReader, run: number, { field, value }: UnsupportedValue): Promise<string> {
  return field === SECOND_EQUIPMENT ? (nameOf(await namedBy(journal, run, value)) ?? value) : value;
}

async function titleOf(journal: JournalReader, line: RecordLine): Promise<string | undefined> {
  if (line.kind !== "workout") return nameOf(line);
  return readCopy((await journal.auditTrail.details(line.run, line.seq)).asRead).name;
}

function nameOf(line: RecordLine | undefined): string | undefined {
  if (line?.kind === "equipment") return nameEquipment(line.value);
  return line?.kind === "course" ? line.value.name : undefined;
}

/** The source's own values, as far as the journal has them in the expected form. */
function readCopy({ sport, name, distance }: Readonly<Record<string, unknown>> = {}): CopyAsRead {
  return { sport: textIn(sport), name: textIn(name), distance: distanceIn(distance) };
}

function textIn(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function distanceIn(value: unknown): CopyAsRead["distance"] {
  if (typeof value !== "object" || value === null || !("unit" in value) || !("value" in value)) return undefined;
  const unit = unitSpelt("distance", String(value.unit));
  return unit === undefined ? undefined : { unit, value: Number(value.value) };
}

const WHY: Readonly<Record<string, string>> = {
  [SECOND_EQUIPMENT]: "the log keeps one piece of equipment a workout",
  [RECORDING_NOTES]: "they are a device's own words, and the notes of the other copy are kept",
  workoutName: "your log has no such type of workout",
};

function whyUnsupported(unsupported: UnsupportedValue): string {
  return (unsupported.isUnread ? undefined : WHY[unsupported.field]) ?? LOSS_WORDS[lossCauseOf(unsupported)].one;
}
