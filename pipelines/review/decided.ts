/** The records that a person decided about and that a run obeyed, so that they can be taken back: they are rejected no longer. */
import type { Origin } from "../../transforms/model/issue.ts";
import type { ManualDecision } from "../journal/audit-trail.ts";
import type { JournalReader } from "../journal/journal.ts";
import type { Line } from "../journal/line.ts";
import { shortId } from "../journal/short-id.ts";
import { describeFix } from "../plan/records/overrides.ts";
import type { Quarantined } from "./quarantine.ts";

/** A record with the decision that counts for it: of a fix and a drop, the drop. */
export interface Decided extends Pick<ManualDecision, "key" | "origin" | "decision" | "at" | "fix"> {
  /** The name for the record, which is the same in every run. */
  readonly id: string;
  /** The values of its source, where they could be read, for people. */
  readonly asRead: Readonly<Record<string, unknown>>;
}

/** All of them, oldest first. @param rejected the records that are still rejected, which stand elsewhere with their decisions */
export async function findDecided(
  { auditTrail }: JournalReader,
  rejected: readonly Quarantined[],
): Promise<readonly Decided[]> {
  const shown = new Set(rejected.map(({ line }) => line.key));
  const found = new Map<string, Decided>();
  for (const { key, origin, decision, at, fix } of await auditTrail.manualDecisions()) {
    if (decision === "undone" || shown.has(key)) continue;
    if (found.get(key)?.decision !== "dropped")
      found.set(key, {
        id: shortId(key),
        key,
        origin,
        decision,
        at,
        fix,
        asRead: await valuesAt(auditTrail, key, origin),
      });
  }
  return [...found.values()];
}

/** A record whose decision was taken back after a run had obeyed it. The run shows it as it was decided. */
export interface TakenBack extends Pick<Decided, "id" | "asRead"> {
  readonly origin: Origin;
}

/**
 * The records whose decisions a run obeyed, and that nothing is decided about any more.
 *
 * @param before the places of the records that were decided about when the run began, by their keys
 * @param rejected the records that are still rejected, which stand elsewhere
 */
export async function findTakenBack(
  { auditTrail }: JournalReader,
  before: Readonly<Record<string, Origin>>,
  rejected: readonly Quarantined[],
): Promise<readonly TakenBack[]> {
  const others = new Set(
    [...(await auditTrail.manualDecisions()), ...rejected.map(({ line }) => line)].map(({ key }) => key),
  );
  const found: TakenBack[] = [];
  for (const [key, origin] of Object.entries(before))
    if (!others.has(key)) found.push({ id: shortId(key), origin, asRead: await valuesAt(auditTrail, key, origin) });
  return found;
}

/** The values of the record at a place. With a typed value a row has another key. */
async function valuesAt(
  auditTrail: JournalReader["auditTrail"],
  key: string,
  { entry, locator }: ManualDecision["origin"],
): Promise<Decided["asRead"]> {
  const own = (await auditTrail.linesWithKey(key)).at(-1);
  const line = own ?? (await auditTrail.find({ place: entry, locator })).at(-1);
  if (line === undefined) return {};
  const { asRead } = await auditTrail.details(line.run, line.seq);
  return asRead ?? (line.kind === "workout" ? { ...line.value } : {});
}

/** What a person decided about a record, also before the date that they typed gave it another key: its place in the source is the same. */
export async function decisionsAbout({ auditTrail }: JournalReader, line: Line): Promise<readonly ManualDecision[]> {
  const date = line.kind === "workout" ? line.value.start.date : undefined;
  const isThere = ({ entry, locator }: Origin) => entry === line.origin.entry && locator === line.origin.locator;
  return (await auditTrail.manualDecisions()).filter(
    ({ key, fix, origin }) => key === line.key || (date !== undefined && fix?.date === date && isThere(origin)),
  );
}

/** What a person decided about a record, in words: `You leave it out.` */
export function describeDecision({ decision, fix }: Pick<Decided, "decision" | "fix">): string {
  if (decision === "dropped") return "You leave it out.";
  if (fix === undefined || Object.keys(fix).join() === "implausible") return "You keep it as it is.";
  return `You said: ${describeFix(fix)}.`;
}
