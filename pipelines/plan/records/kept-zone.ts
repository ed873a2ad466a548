/**
 * The time zone that a person named for the sources of a journal. A nightly job that leaves `--zone` out means the same zone as before: without it, all
 * starts that rest on the zone would move.
 */
import type { Issue } from "../../../transforms/model/issue.ts";
import type { JournalReader } from "../../journal/journal.ts";
import type { Run } from "../../journal/run.ts";

/** A zone, and the run that a person named it for. */
interface KeptZone {
  readonly zone: string;
  readonly run: number;
}

/** The states of runs that sent something. A plan that nobody carried out is no answer. */
const CARRIED_OUT: readonly Run["state"][] = ["running", "stopped", "finished"];

/**
 * Finds the zone of the first run that was carried out for one of these platforms. Another zone takes its place where a person let it move starts, or
 * loaded records again with it.
 *
 * @param connectors the names of the connectors of the sources
 */
export async function keptZone(
  journal: Pick<JournalReader, "runs">,
  connectors: ReadonlySet<string>,
): Promise<KeptZone | undefined> {
  let kept: KeptZone | undefined;
  const runs = [...(await journal.runs())].sort((a, b) => a.id - b.id);
  for (const { id, options, sources, state } of runs) {
    const { zone, allowMoved, again } = options;
    if (zone === undefined || zone === kept?.zone || !CARRIED_OUT.includes(state)) continue;
    if (!sources.some(({ connector }) => connectors.has(connector))) continue;
    if (kept === undefined || allowMoved === true || again === true) kept = { zone, run: id };
  }
  return kept;
}

/** The remark on a plan that takes such a zone. */
export function keptZoneIssue({ zone, run }: KeptZone): Issue {
  return {
    severity: "info",
    rule: "plan/zone-kept",
    found: `no --zone, and run ${run} of this journal had --zone ${zone}`,
    expected: `nothing to do: ${zone} counts for this plan, too. Another zone needs its own --zone`,
  };
}
