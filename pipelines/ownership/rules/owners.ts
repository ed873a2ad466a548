/** Checks that the log belongs to the athlete, and to nobody else in the roster. */
import { NAMELESS } from "../../log/log-view.ts";
import { calledIn, compareOwner, quoted } from "../../log/owner.ts";
import type { Block, Suspect } from "../block.ts";
import { ascending, Positions } from "../positions.ts";
import { MOST_BLOCKS } from "./rule.ts";

/**
 * The blocks against the log that the athlete's token opens.
 *
 * @param others at least everybody else in the roster whose token opens the same log, in the order of the roster
 */
export function ofOwner(suspect: Suspect, others: Iterable<Suspect>): readonly Block[] {
  const { athlete, owner, expects } = suspect;
  if (owner === undefined) return [];
  const verdict = compareOwner(owner, expects);
  const blocks: Block[] = [];
  if (verdict.is === "other")
    blocks.push({ athlete, rule: "other-owner", says: verdict.says, key: "other-owner", final: true });
  if (verdict.is === "unknown")
    blocks.push({ athlete, rule: "unknown-owner", says: verdict.says, key: "unknown-owner" });
  for (const other of others) {
    if (!isSameLog(suspect, other)) continue;
    // Another athlete was given this athlete's token by mistake. Then the other athlete is blocked.
    if (verdict.is === "expected" && compareOwner(other.owner ?? {}, other.expects).is === "other") continue;
    const says = `the token opens the log of ${calledIn(owner)}, as the token of ${quoted(other.athlete)} does`;
    blocks.push({ athlete, rule: "same-log", says, key: "same-log", with: other.athlete, final: true });
    if (blocks.length >= MOST_BLOCKS) break;
  }
  return blocks;
}

/** Finds, for each athlete of a roster, those whose token may open the same log. */
export function findSameLogs(suspects: readonly Suspect[]): (position: number) => Iterable<Suspect> {
  const index = new Positions<number>();
  for (const [at, { account, tokenHash = "" }] of suspects.entries()) {
    if (account === undefined) continue;
    index.add(["token", account.baseUrl, tokenHash], at);
    index.add(["log", account.baseUrl, account.userHash], at);
  }
  return function* (position) {
    const { account, tokenHash } = suspects[position] ?? {};
    if (account === undefined) return;
    const byToken = tokenHash === undefined ? [] : index.at(["token", account.baseUrl, tokenHash]);
    const byName = account.name === NAMELESS ? [] : index.at(["log", account.baseUrl, account.userHash]);
    for (const at of ascending([byToken, byName])) {
      const other = suspects[at];
      if (at !== position && other !== undefined) yield other;
    }
  };
}

/** Logs without a name look alike at one service. Only the token distinguishes them. */
function isSameLog({ account, tokenHash }: Suspect, other: Suspect): boolean {
  if (account === undefined || other.account?.baseUrl !== account.baseUrl) return false;
  if (tokenHash !== undefined && tokenHash === other.tokenHash) return true;
  return account.name !== NAMELESS && other.account.userHash === account.userHash;
}
