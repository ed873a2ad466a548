/** Whether the log is the athlete's, and nobody else's. */
import { NAMELESS } from "../../log/log-view.ts";
import { calledIn, compareOwner, quoted } from "../../log/owner.ts";
import type { Block, Suspect } from "../block.ts";

/** What stands against the log that the athlete's token opens. */
export function ofOwner(suspect: Suspect, all: readonly Suspect[]): readonly Block[] {
  const { athlete, owner, expects } = suspect;
  if (owner === undefined) return [];
  const verdict = compareOwner(owner, expects);
  const blocks: Block[] = [];
  if (verdict.is === "other")
    blocks.push({ athlete, rule: "other-owner", says: verdict.says, key: "other-owner", final: true });
  if (verdict.is === "unknown")
    blocks.push({ athlete, rule: "unknown-owner", says: verdict.says, key: "unknown-owner" });
  for (const other of all) {
    if (other === suspect || !isSameLog(suspect, other)) continue;
    // Somebody else was given the athlete's own token: that one is held.
    if (verdict.is === "expected" && compareOwner(other.owner ?? {}, other.expects).is === "other") continue;
    const says = `the token opens the log of ${calledIn(owner)}, as the token of ${quoted(other.athlete)} does`;
    blocks.push({ athlete, rule: "same-log", says, key: "same-log", with: other.athlete, final: true });
  }
  return blocks;
}

/** Nameless logs at one service all look alike: there, only the token tells. */
function isSameLog({ account, tokenHash }: Suspect, other: Suspect): boolean {
  if (account === undefined || other.account?.baseUrl !== account.baseUrl) return false;
  if (tokenHash !== undefined && tokenHash === other.tokenHash) return true;
  return account.name !== NAMELESS && other.account.userHash === account.userHash;
}
