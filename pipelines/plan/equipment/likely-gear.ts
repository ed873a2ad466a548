/**
 * Finds the same shoe or bike under two names in two sources, by the names and by the workouts in which both are worn. A person's word comes first
 * (`--same-gear`). A doubtful pair stays two, and the plan names it.
 */

import { compareNames, type NameLikeness } from "../../../transforms/model/gear-names.ts";
import { isSameEquipment } from "../../../transforms/model/identity.ts";
import { describeOrigin } from "../../../transforms/model/issue.ts";
import { SECOND_EQUIPMENT } from "../../../transforms/steps/keep-one-equipment.ts";
import type { LineOf } from "../../journal/line.ts";
import type { GearAnswer } from "../../journal/run.ts";
import type { ComparisonContext } from "../compare/comparison.ts";
import { answerAbout, nameOfPiece } from "./gear-answers.ts";
import { type GearEvidence, GearUse } from "./gear-evidence.ts";

type Piece = LineOf<"equipment">;

/** Workouts that prove a pair whose names say nothing, and those that prove one whose names agree. */
export const PROOF = { names: 1, others: 3 } as const;

/** The share of the workouts with a piece of both sources in which it must be these two. */
export const LEAST_SHARE = 0.8;

/** Most pairs that the remark names. */
const MOST_NAMED = 6;

interface GearPair {
  readonly one: Piece;
  readonly other: Piece;
  readonly evidence: GearEvidence;
  readonly isSaid: boolean;
}

/** Merges shoes and bikes of two sources that are surely one. Call it after the sources were linked, and before the plan is compared with the log. */
export async function mergeLikelyGear(run: number, context: ComparisonContext): Promise<void> {
  const { journal, isOfLog, options } = context;
  const pieces = new Map<string, Piece>();
  for await (const line of journal.lines(run, { state: ["planned"], kind: "equipment" }))
    if (line.kind === "equipment" && isOfLog?.(line.source) !== true) pieces.set(line.key, line);
  // One source keeps its pieces apart, unless a person says that two of its names are one.
  const isSaid = options.sameGear?.some(({ isSame }) => isSame) === true;
  if (!isSaid && new Set([...pieces.values()].map(({ source }) => source)).size < 2) return;
  const use = await GearUse.of(run, journal, pieces);
  const { sure, doubtful, later } = judgeAll([...pieces.values()], use, options.sameGear ?? []);
  const taken: Taken = new Map();
  for (const pair of sure) await merge(pair, taken, context);
  if (taken.size > 0) await dropSecondPieces(run, taken, context);
  await tellBoughtLater(later, context);
  await tellDoubtful(
    doubtful.filter(({ one, other }) => !taken.has(one.key) && !taken.has(other.key)),
    context,
  );
}

function judgeAll(pieces: readonly Piece[], use: GearUse, answers: readonly GearAnswer[]) {
  const sure: GearPair[] = [];
  const doubtful: GearPair[] = [];
  const later: GearPair[] = [];
  for (const [index, one] of pieces.entries())
    for (const other of pieces.slice(index + 1)) {
      if (one.value.activity !== other.value.activity) continue;
      const said = answerAbout(one, other, answers);
      // One source keeps its pieces apart, unless a person says that two of its names are one.
      if (one.source === other.source && (said?.isSame !== true || nameOfPiece(one) === nameOfPiece(other))) continue;
      const evidence = use.between(one, other);
      const verdict = said === undefined ? judge(one, other, evidence) : said.isSame ? "one" : "two";
      if (verdict === "one") sure.push({ one, other, evidence, isSaid: said !== undefined });
      if (verdict === "doubtful") doubtful.push({ one, other, evidence, isSaid: false });
      if (verdict === "two" && said === undefined && isTwoOfOneName(one, other, evidence))
        later.push({ one, other, evidence, isSaid: false });
    }
  // A piece with two likely partners in a source is sure of neither, unless a person said so.
  const isUnclear = (pair: GearPair) => !pair.isSaid && sure.some((rival) => areRivals(pair, rival));
  return {
    sure: sure.filter((pair) => !isUnclear(pair)).toSorted((a, b) => Number(b.isSaid) - Number(a.isSaid)),
    later,
    doubtful: [...sure.filter(isUnclear), ...doubtful].toSorted((a, b) => b.evidence.together - a.evidence.together),
  };
}

/** Whether only the day of purchase keeps two pieces of one name apart. */
function isTwoOfOneName({ value: one }: Piece, { value: other }: Piece, { boughtLater }: GearEvidence): boolean {
  return boughtLater !== undefined && isSameEquipment(one, other) && compareNames(one, other) === "same";
}

/** Whether two pairs give one piece two partners of one source. */
function areRivals(a: GearPair, b: GearPair): boolean {
  if (a === b) return false;
  const [ofA, ofB] = [
    [a.one, a.other],
    [b.one, b.other],
  ];
  return ofA.some((piece, index) => {
    const partner = ofA[1 - index];
    const at = ofB.indexOf(piece);
    return at >= 0 && ofB[1 - at]?.source === partner?.source;
  });
}

function judge(
  one: Piece,
  other: Piece,
  { together, of, overlap, boughtLater }: GearEvidence,
): "one" | "doubtful" | "two" {
  if (!isSameEquipment(one.value, other.value) || (boughtLater !== undefined && together === 0)) return "two";
  const names: NameLikeness = compareNames(one.value, other.value);
  const isWornTogether = together > 0 && together / of >= LEAST_SHARE;
  if (names === "two") return isWornTogether && together >= PROOF.others ? "doubtful" : "two";
  if (isWornTogether) return together >= (names === "other" ? PROOF.others : PROOF.names) ? "one" : "doubtful";
  // In the workouts that both sources have, they name other pieces.
  if (of > 0) return together > 0 ? "doubtful" : "two";
  if (names === "other") return "two";
  return names === "same" && overlap ? "one" : "doubtful";
}

/** The pieces that were merged, by their keys, each with the one that stays. */
type Taken = Map<string, { readonly piece: Piece; kept: Piece }>;

async function merge(pair: GearPair, taken: Taken, { journal }: ComparisonContext): Promise<void> {
  const { isSaid } = pair;
  const [one, other] = [pair.one, pair.other].map((piece) => taken.get(piece.key)?.kept ?? piece) as [Piece, Piece];
  const sourcesOf = (stays: Piece) =>
    new Set(
      [stays, ...[...taken.values()].flatMap(({ piece, kept }) => (kept === stays ? piece : []))].map(
        ({ source }) => source,
      ),
    );
  // Two pieces of one source stay two, also where a third source has them under one name, unless a person says that all three are one.
  const theirs = sourcesOf(other);
  if (one === other || (!isSaid && [...sourcesOf(one)].some((source) => theirs.has(source)))) return;
  const [ofOne, ofOther] = [await journal.remoteRecord(one.key), await journal.remoteRecord(other.key)];
  // Both are in the log, which can delete nothing.
  if (ofOne !== undefined && ofOther !== undefined && ofOne.remoteId !== ofOther.remoteId) return;
  const isOtherLoaded = ofOther !== undefined && ofOther.key === other.key && ofOne?.key !== one.key;
  const [kept, dropped] = isOtherLoaded ? [other, one] : [one, other];
  for (const line of await journal.mergedInto(dropped.run, dropped.key))
    await journal.patchLine(dropped.run, line.seq, { duplicateOf: kept.key });
  await journal.patchLine(dropped.run, dropped.seq, {
    ...{ state: "merged", action: "none", duplicateOf: kept.key },
    reason: `the same equipment (${isSaid ? "you said so: --same-gear" : describeEvidence(pair)}) as ${nameOfPiece(kept)} in ${describeOrigin(kept.origin)}`,
  });
  for (const other of taken.values()) if (other.kept === dropped) other.kept = kept;
  taken.set(dropped.key, { piece: dropped, kept });
}

function describeEvidence({ one, other, evidence }: GearPair): string {
  const { together, of } = evidence;
  const names = compareNames(one.value, other.value);
  const worn =
    of === 0
      ? "no workout in both sources names a piece"
      : `worn in ${together} of ${of} workouts that both sources have`;
  return names === "same" ? `the same model and number, ${worn}` : names === "like" ? `the same model, ${worn}` : worn;
}

/** A workout that named both pieces has one piece now. */
async function dropSecondPieces(run: number, taken: Taken, { journal }: ComparisonContext): Promise<void> {
  const stays = (key: string | undefined) => (key === undefined ? undefined : (taken.get(key)?.kept.key ?? key));
  for await (const line of journal.lines(run, { state: ["planned"], kind: "workout" })) {
    if (line.kind !== "workout") continue;
    const { unsupported = [], equipment } = line.value;
    const rest = unsupported.filter(
      ({ field, value }) => field !== SECOND_EQUIPMENT || stays(value) !== stays(equipment?.[0]),
    );
    if (rest.length < unsupported.length)
      await journal.patchLine(run, line.seq, { value: { ...line.value, unsupported: rest } });
  }
}

async function tellDoubtful(pairs: readonly GearPair[], { report }: ComparisonContext): Promise<void> {
  const [first] = pairs;
  if (first === undefined) return;
  const sentences = pairs
    .slice(0, MOST_NAMED)
    .map(
      (pair) =>
        `${nameOfPiece(pair.one)} (${describeOrigin(pair.one.origin)}) and ${nameOfPiece(pair.other)} (${describeOrigin(pair.other.origin)}): ${describeEvidence(pair)}`,
    );
  const rest = pairs.length > MOST_NAMED ? [`and ${pairs.length - MOST_NAMED} more`] : [];
  const [a, b] = [nameOfPiece(first.one), nameOfPiece(first.other)];
  const others = pairs
    .slice(1, MOST_NAMED)
    .map(({ one, other }) => `--same-gear "${nameOfPiece(one)}=${nameOfPiece(other)}"`)
    .join(" ");
  await report({
    severity: "warning",
    rule: "plan/doubtful-gear",
    found: `perhaps one piece of equipment: ${[...sentences, ...rest].join("; ")}`,
    expected: `a name for each piece: these stay two. To decide, plan again with --same-gear "${a}=${b}" or --same-gear "${a}!=${b}"${others === "" ? "" : `. For the others: ${others}`}`,
  });
}

/** Names shoes of one name that are two, because one was bought after the last use of the other. Once both are in the log, nothing is left to decide. */
async function tellBoughtLater(pairs: readonly GearPair[], { journal, report }: ComparisonContext): Promise<void> {
  const open: GearPair[] = [];
  for (const pair of pairs) {
    const loaded = [await journal.remoteRecord(pair.one.key), await journal.remoteRecord(pair.other.key)];
    if (loaded.includes(undefined)) open.push(pair);
  }
  const [first] = open;
  if (first === undefined) return;
  const sentences = open.slice(0, MOST_NAMED).map(({ one, other, evidence: { boughtLater } }) => {
    const [later, earlier] = boughtLater?.isFirst === true ? [one, other] : [other, one];
    return `${nameOfPiece(later)} of ${describeOrigin(later.origin)} was bought on ${boughtLater?.bought}, and that of ${describeOrigin(earlier.origin)} was last used on ${boughtLater?.lastUse}`;
  });
  const rest = open.length > MOST_NAMED ? [`and ${open.length - MOST_NAMED} more`] : [];
  await report({
    severity: "warning",
    rule: "plan/gear-bought-later",
    found: [...sentences, ...rest].join("; "),
    expected: `one piece of each name: these stay two. If the first is one, plan again with --same-gear "${nameOfPiece(first.one)}=${nameOfPiece(first.other)}"`,
  });
}
