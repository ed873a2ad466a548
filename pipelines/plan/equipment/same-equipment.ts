/**
 * Finds the same shoe in two sources, when only one source knows its date of purchase. The rule of `equipmentIdentity` treats them as two
 * shoes, because people own several pairs of one model. If each side has exactly one pair of this name, it is the same pair.
 */
import { equipmentName, isSameEquipment, namesInIdentity } from "../../../transforms/model/identity.ts";
import { describeOrigin } from "../../../transforms/model/issue.ts";
import type { Journal } from "../../journal/journal.ts";
import type { LineOf } from "../../journal/line.ts";
import type { ClaimedEntry } from "../../journal/remote-record.ts";
import type { ComparisonContext } from "../compare/comparison.ts";
import { placeAgain } from "../compare/found-again.ts";
import { answerAbout, isSaidToBe, nameOfPiece } from "./gear-answers.ts";
import { GearUse } from "./gear-evidence.ts";

type EquipmentLine = LineOf<"equipment">;

/**
 * Merges equipment that several sources of a run contain, if each source has exactly one of this name. Call this before the plan is
 * compared with the log.
 */
export async function mergeSameEquipment(run: number, context: ComparisonContext): Promise<void> {
  const { journal } = context;
  const pieces = await plannedEquipment(run, context);
  const byKey = new Map(pieces.map((piece) => [piece.key, piece]));
  let use: GearUse | undefined;
  for (const lines of groupsOf(pieces, (line) => nameOf(line, context))) {
    if (lines.length < 2 || new Set(lines.map(({ source }) => source)).size < lines.length) continue;
    // An earlier run may have merged several pieces into one record. Only the piece with the record's key counts as loaded.
    const loaded: EquipmentLine[] = [];
    const ids = new Set<string>();
    for (const line of lines) {
      const record = await journal.remoteRecord(line.key);
      if (record !== undefined) ids.add(record.remoteId);
      if (record?.key === line.key) loaded.push(line);
    }
    // If two pieces are in the log already, they stay two: the log can't delete one.
    if (loaded.length > 1 || ids.size > 1) continue;
    const kept = loaded[0] ?? lines[0];
    for (const line of lines) {
      if (kept === undefined || line === kept || !isSameEquipment(kept.value, line.value)) continue;
      // Two pairs of one name: the old one in this source, the new one in that.
      const said = answerAbout(kept, line, context.options.sameGear);
      if (said?.isSame === false) continue;
      // Whether they are one after all is decided by the workouts of both sources (`mergeLikelyGear`).
      if (said === undefined && isBoughtOnce(kept, line)) {
        use ??= await GearUse.of(run, journal, byKey);
        if (use.between(kept, line).boughtLater !== undefined) continue;
      }
      await journal.patchLine(run, line.seq, {
        state: "merged",
        action: "none",
        duplicateOf: kept.key,
        reason: `the same equipment (one of this name in each source) as in ${describeOrigin(kept.origin)}`,
      });
    }
  }
}

/** Whether one of two pieces alone has a day of purchase. */
function isBoughtOnce({ value: one }: EquipmentLine, { value: other }: EquipmentLine): boolean {
  return (one.purchaseDate === undefined) !== (other.purchaseDate === undefined);
}

/**
 * Uses equipment of the log in place of a new piece, if each side has exactly one of this name. Call this after all other lines were
 * recognised.
 */
export async function reuseEquipmentOfLog(run: number, context: ComparisonContext): Promise<void> {
  const { journal, report } = context;
  await reuseAsSaid(run, context);
  const wanted = await plannedEquipment(run, context);
  if (wanted.length === 0) return;
  const free = groupsOf(await journal.logWithIdentity(run, "equipment"), ({ identity = "" }) => nameIn(identity));
  const byName = new Map(free.map((entries) => [nameIn(entries[0]?.identity ?? ""), entries]));
  for (const [line, ...others] of groupsOf(wanted, (one) => nameOf(one, context))) {
    const [entry, ...more] = (line && byName.get(nameOf(line, context) ?? "")) ?? [];
    if (line === undefined || entry === undefined || others.length > 0 || more.length > 0) continue;
    // A person asked for pieces that are made again, so the log's other equipment doesn't replace them.
    if ((await journal.remoteRecord(line.key)) !== undefined || !isSameEquipment(line.value, partsOf(entry))) continue;
    await take(line, entry.id, "already in the log: the only one of this name and activity", journal);
    await report({
      severity: "warning",
      rule: "plan/equipment-reused",
      origin: line.origin,
      found: `${[line.value.brandName, line.value.modelName].filter(Boolean).join(" ")} is taken for the one of this name in your log (${entry.id})`,
      expected: "the same piece; if you own two, give both a serial number or a day of purchase",
    });
  }
}

/** Uses the log's piece for those of which a person said with `--same-gear` that they are it. */
async function reuseAsSaid(run: number, context: ComparisonContext): Promise<void> {
  const { journal, options, settings } = context;
  if (options.sameGear === undefined) return;
  for (const line of await plannedEquipment(run, context)) {
    if ((await journal.remoteRecord(line.key)) !== undefined) continue;
    const activityID = settings.activityIDs[line.value.activity];
    const [entry, ...more] = (await journal.logWithIdentity(run, "equipment")).filter((one) => {
      const named = namesInIdentity(one.identity ?? "");
      return (
        named.activityID === activityID &&
        isSaidToBe(line, named, options.sameGear) &&
        isSameEquipment(line.value, partsOf(one))
      );
    });
    // Of two pieces of one name in the log, nobody knows which is meant.
    if (entry === undefined || more.length > 0) continue;
    await take(
      line,
      entry.id,
      `already in the log, as ${nameOfPiece({ value: namesInIdentity(entry.identity ?? "") })} (you said so: --same-gear)`,
      journal,
    );
  }
}

/** Notes that the log has a piece already: under this id, and for this reason. */
export async function take(line: EquipmentLine, id: string, reason: string, journal: Journal): Promise<void> {
  await journal.claimLog("equipment", id, line.key);
  await placeAgain(line, [], id, journal);
  await journal.patchLine(line.run, line.seq, {
    state: "unchanged",
    action: "none",
    duplicateOf: id,
    remoteId: id,
    reason,
  });
}

/** The pieces that a plan would make. */
export async function plannedEquipment(run: number, { journal }: ComparisonContext): Promise<readonly EquipmentLine[]> {
  const lines: EquipmentLine[] = [];
  for await (const line of journal.lines(run, { state: ["planned"], kind: "equipment" }))
    if (line.kind === "equipment" && line.action === "create") lines.push(line);
  return lines;
}

/** Groups things by name. It leaves out things without a name. */
function groupsOf<T>(all: readonly T[], nameIt: (one: T) => string | undefined): readonly (readonly T[])[] {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const name = nameIt(one);
    if (name === undefined) continue;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [one]);
    else group.push(one);
  }
  return [...groups.values()];
}

function nameOf({ value }: EquipmentLine, { settings }: ComparisonContext): string | undefined {
  return equipmentName(value, settings.activityIDs[value.activity]);
}

/** The name in an identity, as `equipmentIdentity` writes it: in lower case. */
function nameIn(identity: string): string | undefined {
  const { activityID, ...names } = namesInIdentity(identity);
  return equipmentName(names, activityID);
}

/** The serial number and the day of purchase of a piece of the log. */
export function partsOf({ identity = "" }: ClaimedEntry) {
  const [, , , serial, purchaseDate] = identity.split("\u0000");
  return { serial, purchaseDate };
}
