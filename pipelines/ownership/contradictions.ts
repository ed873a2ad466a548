/**
 * Checks that an athlete's archives belong into the log that their token opens. Each rule takes a few lines in `rules/`. Each block names
 * its numbers, so that a coach can judge it. docs/who-is-who.md gives the reason for each threshold.
 */
import { trustOption } from "../../transforms/text/shell.ts";
import { quoted } from "../log/owner.ts";
import type { Block, BlockRule, Suspect } from "./block.ts";
import { findCandidates } from "./candidates.ts";
import { type Earlier, readEarlier } from "./earlier.ts";
import { isCalled, merged, OTHER_LOG, type Remembered, toTrace } from "./memory.ts";
import { sameArchive, sameWorkouts } from "./rules/archives.ts";
import { otherHeart, otherWeight } from "./rules/bodies.ts";
import { sharedDevice } from "./rules/devices.ts";
import { otherHome } from "./rules/homes.ts";
import { findSameLogs, ofOwner } from "./rules/owners.ts";
import { otherPerson } from "./rules/persons.ts";
import type { ArchiveRule, Known } from "./rules/rule.ts";
import { type Turns, turnsByClock } from "./turns.ts";

/** The most certain rules come first. */
export const ARCHIVE_RULES: readonly ArchiveRule[] = [
  sameArchive,
  sameWorkouts,
  otherPerson,
  sharedDevice,
  otherWeight,
  otherHeart,
  otherHome,
];

/**
 * Compares all athletes with their logs, with each other, and with earlier runs. The time grows with the number of athletes, and with what they share.
 * Others in this process have their turns meanwhile.
 *
 * @param memory the memory of earlier runs, which is read once; for each service, only its own entries count
 * @returns for each athlete, in their order, every reason for a block, without the contradictions that a person trusted for good. One rule gives at
 * most `MOST_BLOCKS` reasons against others for an archive
 */
export async function* contradictions(
  suspects: readonly Suspect[],
  memory: AsyncIterable<Remembered> | Iterable<Remembered> = [],
  turns: Turns = turnsByClock(),
): AsyncGenerator<readonly Block[]> {
  const { athletes, others } = await readEarlier(suspects, memory, turns);
  const roster: (Known & { readonly earlier: Earlier })[] = [];
  for (const [at, suspect] of suspects.entries()) {
    roster.push(knownOf(suspect, athletes[at] ?? NOTHING_EARLIER));
    if (turns.isDue()) await turns.give();
  }
  const othersOf = await findCandidates(roster, others, turns);
  const sameLogs = findSameLogs(suspects);
  for (const [at, known] of roster.entries()) {
    const { suspect, archives, trusted, earlier } = known;
    const blocks = [...ofOwner(suspect, sameLogs(at)), ...ofBefore(suspect, earlier)];
    for (const archive of archives)
      for (const rule of ARCHIVE_RULES) {
        blocks.push(...rule(known, archive, othersOf(at)));
        if (turns.isDue()) await turns.give();
      }
    yield onePerKey(blocks).filter(({ key, final }) => final === true || !trusted.has(key));
  }
}

const NOTHING_EARLIER: Earlier = { trusted: new Set(), isKnown: false, isElsewhere: false };

/** The blocks that remain after a person trusted some athletes. Names are compared without case and blanks. */
export function notTrusted(blocks: readonly Block[], trust: readonly string[]): readonly Block[] {
  return blocks.filter(({ athlete, final }) => final === true || !trust.some((name) => isCalled(name, athlete)));
}

/** The remedies for all blocks of one athlete. If a block is final, only the remedies for final blocks are named, because no flag helps. */
export function waysOut(blocks: readonly Block[]): readonly string[] {
  const final = blocks.filter((block) => block.final === true);
  return [...new Set((final.length > 0 ? final : blocks).map(wayOut))].filter((way) => way !== "");
}

function wayOut({ athlete, rule, final }: Block): string {
  return final === true ? (WAYS_OUT[rule] ?? "") : `If all is well with it: ${trustOption(athlete)}`;
}

const WAYS_OUT: Partial<Record<BlockRule, string>> = {
  "other-owner": "Log in as the athlete, or correct whose log it should be",
  "same-log": "Give each athlete the token of their own log",
  "same-archive": "Give each athlete their own archive",
};

function knownOf(suspect: Suspect, earlier: Earlier): Known & { readonly earlier: Earlier } {
  const { before, trusted } = earlier;
  const evidence = suspect.evidence ?? { archives: [] };
  const now = toTrace(evidence);
  const all = before === undefined ? now : merged(before, now);
  return { suspect, archives: evidence.archives, all, before, trusted, earlier };
}

/** Blocks an athlete whose archives went to another log of the service before. The rows of the roster may have shifted. */
function ofBefore({ athlete }: Suspect, { isKnown, isElsewhere }: Earlier): readonly Block[] {
  if (isKnown || !isElsewhere) return [];
  const says = `the archives of ${quoted(athlete)} went to another log of this service up to now, or its owner has another name or address since`;
  return [{ athlete, rule: "other-log", says, key: OTHER_LOG }];
}

function onePerKey(blocks: readonly Block[]): readonly Block[] {
  return [...new Map(blocks.map((block) => [`${block.key} ${block.with ?? ""}`, block])).values()];
}
