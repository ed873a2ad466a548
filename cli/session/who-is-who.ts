/**
 * `--athlete`: ensures that a single import goes to the right person. The log must be the athlete's, and the archives must not contradict
 * that.
 */
import { join } from "node:path";
import { FatalError } from "../../connectors/errors.ts";
import { compareOwner, expectedOwner } from "../../pipelines/log/owner.ts";
import type { Block, Suspect } from "../../pipelines/ownership/block.ts";
import { contradictions, notTrusted, waysOut } from "../../pipelines/ownership/contradictions.ts";
import { createEvidenceCollector, type EvidenceCollector } from "../../pipelines/ownership/evidence.ts";
import { type Remembered, readMemory, remember } from "../../pipelines/ownership/memory.ts";
import type { CommandContext } from "../arguments/command.ts";
import { userFolders } from "../arguments/config.ts";
import { UsageError } from "../errors/exit-codes.ts";
import { cannotUse, onSystemError } from "../errors/system-errors.ts";
import type { LogSession } from "./session.ts";

/** The folder that remembers the evidence about athletes in their archives. */
export const memoryFolder = () => join(userFolders().data, "identity");

/**
 * The memory about all athletes.
 *
 * @throws UsageError or FatalError `identity/memory` when it can't be read, or has a wrong form
 */
export async function recall(): Promise<readonly Remembered[]> {
  return readMemory(memoryFolder()).catch(unusable);
}

const unusable = onSystemError((_problem, error) => cannotUse(memoryFolder(), error, "identity/memory"));

/** Guards one import. */
export interface Guard {
  readonly collector: EvidenceCollector;
  /** @throws UsageError with every reason to block the athlete */
  approve(): Promise<void>;
  /** Remembers the evidence of the archives once they go into the log. It remembers archives in doubt only on request. */
  remember(): Promise<void>;
}

/**
 * The guard of the named athlete; undefined if no athlete was named.
 *
 * @throws FatalError `identity/other-owner`, reason `login`, when the token opens somebody else's log; UsageError when options contradict
 */
export function guardOf({ options }: CommandContext, { view }: Pick<LogSession, "view">): Guard | undefined {
  const { trust = [], remember: isKept = false } = options;
  const athlete = options.athlete?.trim();
  if (athlete === undefined) {
    if (trust.length === 0 && !isKept) return undefined;
    throw new UsageError("Cannot use --trust or --remember: say whose log it must be, with --athlete");
  }
  if (isKept && trust.length === 0)
    throw new UsageError("Cannot use --remember: there is nothing to keep without --trust");
  const expects = expectedOwner(athlete);
  const { owner, account } = view;
  const verdict = compareOwner(owner, expects);
  if (verdict.is === "other") {
    throw new FatalError(
      "identity/other-owner",
      "login",
      `Cannot import for ${athlete}: ${verdict.says}. Log in as the athlete, perhaps with --profile NAME: nothing was changed`,
    );
  }
  const collector = createEvidenceCollector();
  let doubts: readonly Block[] = [];
  return {
    collector,
    async approve() {
      const suspect: Suspect = { athlete, called: [], expects, owner, account, evidence: collector.evidence() };
      const blocks: Block[] = [];
      for await (const some of contradictions([suspect], await recall())) blocks.push(...some);
      const left = notTrusted(blocks, trust);
      if (left.length > 0) throw blocked(athlete, left);
      doubts = blocks;
    },
    async remember() {
      if (doubts.length > 0 && !isKept) return;
      const trusted = doubts.map(({ key: mark }) => mark);
      await remember(memoryFolder(), { athlete, account, evidence: collector.evidence(), trusted }).catch(unusable);
    },
  };
}

function blocked(athlete: string, blocks: readonly Block[]): UsageError {
  const reasons = blocks.map(({ says, rule }) => `  ${says} (${rule})`);
  return new UsageError(`Held ${athlete}, nothing was changed:`, { more: [...reasons, ...waysOut(blocks)] });
}
