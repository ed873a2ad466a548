/** Names the answers of `--same-gear` that have no effect: with a name that is no shoe and no bike, and those that can't be obeyed. */
import { namesInIdentity } from "../../../transforms/model/identity.ts";
import type { Journal } from "../../journal/journal.ts";
import type { LineOf } from "../../journal/line.ts";
import type { GearAnswer } from "../../journal/run.ts";
import type { ComparisonContext } from "../compare/comparison.ts";
import { isCalled, type Named } from "./gear-answers.ts";

type Context = Pick<ComparisonContext, "journal" | "options" | "report">;

/** A shoe or a bike of a source or of the log, as the plan leaves it. */
interface Piece {
  readonly value: Named;
  /** The log's id of it, or the key of the line that stays. Pieces that are one have the same. */
  readonly root: string;
  readonly isInLog: boolean;
  /** The activity in the source; undefined for a piece that only the log has. */
  readonly activity: string | undefined;
}

/**
 * Reports each name that neither a source of the run nor the log has, and each answer that the plan doesn't follow. Call it after the plan was compared
 * with the log.
 */
export async function tellUnknownGear(run: number, context: Context): Promise<void> {
  const { options, report } = context;
  if (options.sameGear === undefined) return;
  const pieces = await allPieces(run, context);
  for (const word of new Set(options.sameGear.flatMap(({ names }) => names))) {
    if (pieces.some((piece) => isCalled(piece, word))) continue;
    await report({
      severity: "warning",
      rule: "plan/unknown-gear",
      found: `--same-gear: no shoe or bike of your sources or of your log is called ${JSON.stringify(word)}`,
      expected: "a name as `logferry inspect` shows it for a source, or as your log has it: this answer had no effect",
    });
  }
  for (const answer of options.sameGear) {
    const why = whyNotObeyed(answer, pieces);
    if (why === undefined) continue;
    const said = answer.names.join(answer.isSame ? "=" : "!=");
    await report({
      severity: "warning",
      rule: "plan/gear-answer-not-used",
      found: `--same-gear ${JSON.stringify(said)} had no effect: ${why}`,
      expected: "an answer that the plan can follow: leave this one out",
    });
  }
}

async function allPieces(run: number, { journal }: Context): Promise<readonly Piece[]> {
  const pieces: Piece[] = [];
  const ofLog = new Map((await journal.logWithIdentity(run, "equipment")).map((entry) => [entry.id, entry]));
  for await (const line of journal.lines(run, { kind: "equipment" })) {
    if (line.kind !== "equipment") continue;
    const stays = await lineThatStays(line, journal);
    const { remoteId } = stays;
    const isInLog = remoteId !== undefined;
    pieces.push({ value: line.value, root: remoteId ?? stays.key, isInLog, activity: line.value.activity });
    const entry = remoteId === undefined ? undefined : await journal.logEntry("equipment", remoteId);
    if (entry !== undefined) ofLog.set(entry.id, entry);
  }
  for (const { id, identity = "" } of ofLog.values())
    pieces.push({ value: namesInIdentity(identity), root: id, isInLog: true, activity: undefined });
  return pieces;
}

/** The line that a merged one became, from piece to piece. */
async function lineThatStays(line: LineOf<"equipment">, journal: Journal): Promise<LineOf<"equipment">> {
  const seen = new Set<string>();
  let stays = line;
  while (stays.state === "merged" && stays.duplicateOf !== undefined && !seen.has(stays.key)) {
    seen.add(stays.key);
    const next = await journal.lineWithKey(stays.run, stays.duplicateOf);
    if (next?.kind !== "equipment") break;
    stays = next;
  }
  return stays;
}

/** Why a plan doesn't follow an answer, for people; undefined where it does, or where a name is unknown. */
function whyNotObeyed({ names: [a, b], isSame }: GearAnswer, pieces: readonly Piece[]): string | undefined {
  const [ones, others] = [a, b].map((word) => pieces.filter((piece) => isCalled(piece, word)));
  if (ones?.[0] === undefined || others?.[0] === undefined) return undefined;
  const roots = new Set(ones.map(({ root }) => root));
  if (!isSame) {
    // Two pieces may have one name: then they are two where any two of them are.
    const all = new Set([...ones, ...others].map(({ root }) => root));
    const fromSources = new Set([...ones, ...others]);
    return all.size === 1 && fromSources.size > 1 && ones[0].isInLog
      ? "they are one piece in your log already, and a log can't divide one"
      : undefined;
  }
  if (others.some(({ root }) => roots.has(root))) return undefined;
  if (ones.some(({ isInLog }) => isInLog) && others.some(({ isInLog }) => isInLog))
    return "your log has both already, and a log can delete nothing. Each workout keeps its piece there";
  const sports = (some: readonly Piece[]) => new Set(some.flatMap(({ activity }) => activity ?? []));
  const [ours, theirs] = [sports(ones), sports(others)];
  if (ours.size > 0 && theirs.size > 0 && ![...ours].some((sport) => theirs.has(sport)))
    return `one is for ${[...ours].join(" and ")}, and the other one for ${[...theirs].join(" and ")}`;
  return "their serial numbers or days of purchase differ, or several pieces have one of these names";
}
