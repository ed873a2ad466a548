/** Checks that the log belongs to the athlete, and to nobody else in the roster. */
import { NAMELESS } from "../../log/log-view.ts";
import { calledIn, compareOwner, quoted } from "../../log/owner.ts";
import type { Block, Suspect } from "../block.ts";

/** The blocks against the log that the athlete's token opens. */
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
    // Another athlete was given this athlete's token by mistake. Then the other athlete is blocked.
    if (verdict.is === "expected" && compareOwner(other.owner ?? {}, other.expects).is === "other") continue;
    const says = `the token opens the log of ${calledIn(owner)}, as the token of ${quoted(other.athlete)} does`;
    blocks.push({ athlete, rule: "same-log", says, key: "same-log", with: other.athlete, final: true });
  }
  return blocks;
}

/** Logs without a name look alike at one service. Only the token distinguishes them. */
function isSameLog({ account, tokenHash }: Suspect, other: Suspect): boolean {
  if (account === undefined || other.account?.baseUrl !== account.baseUrl) return false;
  if (tokenHash !== undefined && tokenHash === other.tokenHash) return true;
  return account.name !== NAMELESS && other.account.userHash === account.userHash;
}
