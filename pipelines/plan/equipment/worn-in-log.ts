/**
 * Finds what became of the workouts of a new shoe or bike. All of them may be there already, in another source or in the log, with another piece. If it
 * is the same piece each time, the two are one. If not, the new one ends with 0 km, and the plan says so.
 */
import { compareNames } from "../../../transforms/model/gear-names.ts";
import { isSameEquipment, namesInIdentity } from "../../../transforms/model/identity.ts";
import { describeOrigin } from "../../../transforms/model/issue.ts";
import type { LineOf, WorkoutLine } from "../../journal/line.ts";
import type { ClaimedEntry } from "../../journal/remote-record.ts";
import type { ComparisonContext } from "../compare/comparison.ts";
import { answerAbout, nameOfPiece } from "./gear-answers.ts";
import { LEAST_SHARE, PROOF } from "./likely-gear.ts";
import { partsOf, plannedEquipment, take } from "./same-equipment.ts";

type Piece = LineOf<"equipment">;

/** Most pieces that the remark names, and most other pieces that it names for one. */
const MOST_NAMED = 6;

/** Workouts of a new piece that are there already, by what they have in its place. */
interface Worn {
  count: number;
  /** By the ids of pieces of the log. */
  readonly inLog: Map<string, number>;
  /** By the names of pieces of the plan. */
  readonly inPlan: Map<string, number>;
}

/**
 * Takes a piece of the log for a new one that is worn in the same workouts, by the rule for two sources (`mergeLikelyGear`), and names new pieces that
 * would have no workout. Call it after all lines were compared with the log.
 */
export async function settleWornGear(run: number, context: ComparisonContext): Promise<void> {
  const wanted = new Map((await plannedEquipment(run, context)).map((piece) => [piece.key, piece]));
  if (wanted.size === 0) return;
  const worn = await wornElsewhere(run, wanted, context);
  if (worn.size === 0) return;
  const ofLog = new Map((await context.journal.logWithIdentity(run, "equipment")).map((entry) => [entry.id, entry]));
  await takeProven(wanted, worn, ofLog, context);
  const used = await usedPieces(run, context);
  const unused: Unused[] = [];
  for (const [key, its] of worn) {
    const piece = wanted.get(key);
    if (piece !== undefined && !used.has(key))
      unused.push({ piece, names: await namesOf(its, ofLog, context.journal), count: its.count });
  }
  await tellUnused(unused, context);
}

/** Reads the workouts that the plan doesn't make, because another source or the log has them. */
async function wornElsewhere(
  run: number,
  wanted: ReadonlyMap<string, Piece>,
  { journal }: ComparisonContext,
): Promise<Map<string, Worn>> {
  const all = new Map<string, Worn>();
  for await (const line of journal.lines(run, { state: ["merged", "unchanged"], kind: "workout" })) {
    const piece = line.kind === "workout" ? line.value.equipment?.[0] : undefined;
    if (line.kind !== "workout" || piece === undefined || !wanted.has(piece)) continue;
    const worn = all.get(piece) ?? { count: 0, inLog: new Map(), inPlan: new Map() };
    all.set(piece, worn);
    worn.count++;
    const kept = line.state === "merged" && line.duplicateOf !== undefined ? line.duplicateOf : undefined;
    const there = kept === undefined ? line : await journal.lineWithKey(run, kept);
    const id = there?.state === "unchanged" ? (there.remoteId ?? there.duplicateOf) : undefined;
    const own = there?.kind === "workout" && there !== line ? there.value.equipment?.[0] : undefined;
    const ofPlan = own === undefined || own === piece ? undefined : await journal.lineWithKey(run, own);
    const ofLog = id === undefined ? undefined : await pieceInLog(id, journal);
    if (ofLog !== undefined) add(worn.inLog, ofLog);
    else if (ofPlan?.kind === "equipment") add(worn.inPlan, nameOfPiece(ofPlan));
  }
  return all;
}

/** The piece of a workout of the log, as logferry loaded it. @returns its id; undefined for a workout that somebody else put there */
async function pieceInLog(id: string, journal: ComparisonContext["journal"]): Promise<string | undefined> {
  const loaded = (await journal.auditTrail.find({ remoteId: id })).filter(
    (line): line is WorkoutLine => line.kind === "workout" && line.state === "done",
  );
  const key = loaded.at(-1)?.value.equipment?.[0];
  return key === undefined ? undefined : (await journal.remoteRecord(key))?.remoteId;
}

async function takeProven(
  wanted: Map<string, Piece>,
  worn: ReadonlyMap<string, Worn>,
  ofLog: ReadonlyMap<string, ClaimedEntry>,
  context: ComparisonContext,
): Promise<void> {
  const proven = [...worn].flatMap(([key, { inLog }]) => {
    const piece = wanted.get(key);
    const of = [...inLog.values()].reduce((sum, count) => sum + count, 0);
    return piece === undefined
      ? []
      : [...inLog].flatMap(([id, together]) => {
          const entry = ofLog.get(id);
          return entry !== undefined && isProven(piece, entry, { together, of }, context)
            ? [{ piece, entry, together, of }]
            : [];
        });
  });
  for (const { piece, entry, together, of } of proven) {
    // Two pieces of one source stay two.
    if (proven.filter((other) => other.entry === entry).length > 1) continue;
    const name = await nameInLog(entry, context.journal);
    const why = `worn in ${together} of ${of} workouts that your log has with a shoe or a bike`;
    await take(piece, entry.id, `already in the log, as ${name}: ${why}`, context.journal);
    wanted.delete(piece.key);
    await context.report({
      ...{ severity: "warning", rule: "plan/equipment-reused", origin: piece.origin },
      found: `${nameOfPiece(piece)} is taken for ${name} in your log (${entry.id}): ${why}`,
      expected: `the same piece. If they are two, plan again with --same-gear "${nameOfPiece(piece)}!=${name}"`,
    });
  }
}

function isProven(
  piece: Piece,
  entry: ClaimedEntry,
  { together, of }: { readonly together: number; readonly of: number },
  { options, settings }: ComparisonContext,
): boolean {
  const named = namesInIdentity(entry.identity ?? "");
  const names = compareNames(piece.value, named);
  if (named.activityID !== settings.activityIDs[piece.value.activity] || names === "two") return false;
  if (!isSameEquipment(piece.value, partsOf(entry))) return false;
  if (answerAbout(piece, { value: named }, options.sameGear)?.isSame === false) return false;
  return together >= (names === "other" ? PROOF.others : PROOF.names) && together / of >= LEAST_SHARE;
}

/** The pieces that workouts name which the plan makes or changes, by their keys. */
async function usedPieces(run: number, { journal }: ComparisonContext): Promise<ReadonlySet<string>> {
  const used = new Set<string>();
  for await (const line of journal.lines(run, { state: ["planned"], kind: "workout" })) {
    const [key] = line.kind === "workout" ? (line.value.equipment ?? []) : [];
    if (key === undefined || used.has(key)) continue;
    used.add(key);
    const piece = await journal.lineWithKey(run, key);
    if (piece?.state === "merged" && piece.duplicateOf !== undefined) used.add(piece.duplicateOf);
  }
  return used;
}

/** What the workouts have in place of a piece: names with their counts, the most first. */
async function namesOf(
  { inLog, inPlan }: Worn,
  ofLog: ReadonlyMap<string, ClaimedEntry>,
  journal: ComparisonContext["journal"],
): Promise<readonly [string, number][]> {
  const names = new Map(inPlan);
  for (const [id, count] of inLog) {
    const entry = ofLog.get(id);
    if (entry === undefined) continue;
    const name = await nameInLog(entry, journal);
    names.set(name, (names.get(name) ?? 0) + count);
  }
  return [...names].toSorted(([, a], [, b]) => b - a);
}

/** The name of a piece of the log as a source had it. The log's identity has it in lower case. */
async function nameInLog({ id, identity = "" }: ClaimedEntry, journal: ComparisonContext["journal"]): Promise<string> {
  const loaded = (await journal.auditTrail.find({ remoteId: id })).find(({ kind }) => kind === "equipment");
  return nameOfPiece(loaded?.kind === "equipment" ? loaded : { value: namesInIdentity(identity) });
}

interface Unused {
  readonly piece: Piece;
  readonly names: readonly [string, number][];
  readonly count: number;
}

async function tellUnused(unused: readonly Unused[], { report }: ComparisonContext): Promise<void> {
  const [first] = unused;
  if (first === undefined) return;
  const sentences = unused.slice(0, MOST_NAMED).map(({ piece, names, count }) => {
    const workouts = count === 1 ? "its workout is" : `its ${count} workouts are`;
    const others = names.slice(0, MOST_NAMED).map(([name, its]) => `${name} in ${its}`);
    const with_ = others.length === 0 ? "" : `, with ${others.join(" and ")}`;
    return `${nameOfPiece(piece)} (${describeOrigin(piece.origin)}) gets 0 km: ${workouts} in another source or in your log already${with_}`;
  });
  const rest = unused.length > MOST_NAMED ? [`and ${unused.length - MOST_NAMED} more`] : [];
  const named = unused.find(({ names }) => names.length > 0);
  const advice =
    named === undefined
      ? "To fill it in where these workouts have none, plan again with --enrich"
      : `If it is ${named.names[0]?.[0]}, plan again with --same-gear "${nameOfPiece(named.piece)}=${named.names[0]?.[0]}"`;
  await report({
    ...{ severity: "warning", rule: "plan/gear-unused" },
    found: [...sentences, ...rest].join("; "),
    expected: `a shoe or a bike with workouts. ${advice}`,
  });
}

function add(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
