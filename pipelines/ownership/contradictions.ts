/**
 * Checks that an athlete's archives belong into the log that their token opens. Each rule takes a few lines in `rules/`. Each block names
 * its numbers, so that a coach can judge it. docs/who-is-who.md gives the reason for each threshold.
 */
import { trustOption } from "../../transforms/text/shell.ts";
import { quoted } from "../log/owner.ts";
import type { Block, BlockRule, Suspect } from "./block.ts";
import { isCalled, isElsewhere, isOwn, merged, OTHER_LOG, type Remembered, type Trace, toTrace } from "./memory.ts";
import { sameArchive, sameWorkouts } from "./rules/archives.ts";
import { otherHeart, otherWeight } from "./rules/bodies.ts";
import { sharedDevice } from "./rules/devices.ts";
import { otherHome } from "./rules/homes.ts";
import { ofOwner } from "./rules/owners.ts";
import { otherPerson } from "./rules/persons.ts";
import type { ArchiveRule, Known, Other } from "./rules/rule.ts";
import { inSeveral } from "./sample.ts";

/** The most certain rules come first. */
const ARCHIVE_RULES: readonly ArchiveRule[] = [
  sameArchive,
  sameWorkouts,
  otherPerson,
  sharedDevice,
  otherWeight,
  otherHeart,
  otherHome,
];

/**
 * Compares all athletes with their logs, with each other, and with earlier runs.
 *
 * @param memory the memory of earlier runs; for each service, only its own entries count
 * @returns every reason for a block, in the order of the athletes, without the contradictions that a person trusted for good
 */
export function contradictions(suspects: readonly Suspect[], memory: readonly Remembered[] = []): readonly Block[] {
  const all = suspects.map((suspect) => knownOf(suspect, memory));
  const common = inSeveral([...all.map((one) => one.all.sample), ...memory.map(({ trace }) => trace.sample)]);
  return all.flatMap((one) => {
    const known: Known = { ...one, common };
    const { suspect, archives, trusted } = known;
    const others = othersOf(one, all, memory);
    const blocks = [
      ...ofOwner(suspect, suspects),
      ...ofBefore(suspect, memory),
      ...archives.flatMap((archive) => ARCHIVE_RULES.flatMap((rule) => rule(known, archive, others))),
    ];
    return onePerKey(blocks).filter(({ key, final }) => final === true || !trusted.has(key));
  });
}

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

function knownOf(suspect: Suspect, memory: readonly Remembered[]): Omit<Known, "common"> {
  const { athlete, account, evidence } = suspect;
  const own = account === undefined ? [] : memory.filter((one) => isOwn(one, athlete, account));
  const before = own
    .map(({ trace }) => trace)
    .reduce<Trace | undefined>((sum, one) => (sum ? merged(sum, one) : one), undefined);
  const now = toTrace(evidence ?? { archives: [] });
  return {
    suspect,
    archives: evidence?.archives ?? [],
    all: before === undefined ? now : merged(before, now),
    before,
    trusted: new Set(own.flatMap(({ trusted }) => trusted)),
  };
}

/** All other athletes at the same service. The memory adds only athletes that are not in the roster. */
function othersOf(
  { suspect }: Pick<Known, "suspect">,
  all: readonly Omit<Known, "common">[],
  memory: readonly Remembered[],
): readonly Other[] {
  const { athlete, account } = suspect;
  const here = all.filter((one) => one.suspect !== suspect);
  const isHere = (one: Remembered) =>
    here.some(({ suspect: each }) => each.account !== undefined && isOwn(one, each.athlete, each.account));
  const remembered =
    account === undefined
      ? []
      : memory.filter(
          (one) =>
            one.baseUrl === account.baseUrl &&
            !isOwn(one, athlete, account) &&
            !isHere(one) &&
            !isElsewhere(one, suspect, account),
        );
  return [
    ...here.map((one) => ({
      athlete: one.suspect.athlete,
      trace: one.all,
      suspect: one.suspect,
    })),
    ...remembered.map(({ athlete: name, trace }) => ({ athlete: name, trace })),
  ];
}

/** Blocks an athlete whose archives went to another log of the service before. The rows of the roster may have shifted. */
function ofBefore(suspect: Suspect, memory: readonly Remembered[]): readonly Block[] {
  const { athlete, account } = suspect;
  if (account === undefined || memory.some((one) => isOwn(one, athlete, account) && isCalled(one.athlete, athlete)))
    return [];
  if (!memory.some((one) => isElsewhere(one, suspect, account))) return [];
  const says = `the archives of ${quoted(athlete)} went to another log of this service up to now, or its owner has another name or address since`;
  return [{ athlete, rule: "other-log", says, key: OTHER_LOG }];
}

function onePerKey(blocks: readonly Block[]): readonly Block[] {
  return [...new Map(blocks.map((block) => [`${block.key} ${block.with ?? ""}`, block])).values()];
}
