import { memoryArchive } from "../../connectors/containers/memory.ts";
import type { Answers } from "../../connectors/platforms/infer/choices/choice.ts";
import { inferMapping, type Proposal } from "../../connectors/platforms/infer/infer.ts";

/** No workout of these tables is later. */
const TODAY = "2026-03-01";

/**
 * The mapping that is proposed for a table.
 *
 * @param table the text of `log.csv`
 * @param answers a person's answers, by place: `defaults.activity`
 * @throws Error with the reason where nothing can be proposed
 */
export async function proposalFor(table: string, answers: Answers): Promise<Proposal> {
  const archive = memoryArchive("log", { "log.csv": table });
  const [entry] = archive.entries();
  if (entry === undefined) throw new Error("no table");
  const proposal = await inferMapping(archive, entry, answers, TODAY);
  if ("problem" in proposal) throw new Error(proposal.problem);
  return proposal;
}
