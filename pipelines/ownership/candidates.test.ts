import { hash } from "node:crypto";
import { expect, test } from "vitest";
import { blocksOf } from "../../test/support/blocks.ts";
import { SEED } from "../../test/support/random.ts";
import { type RandomRoster, randomRoster } from "../../test/support/random-evidence.ts";
import type { Block, Suspect } from "./block.ts";
import { ARCHIVE_RULES, contradictions } from "./contradictions.ts";
import type { ArchiveEvidence } from "./evidence.ts";
import { MarkSet } from "./mark-set.ts";
import { isCalled, isElsewhere, isOwn, merged, OTHER_LOG, type Trace, toTrace } from "./memory.ts";
import { ofOwner } from "./rules/owners.ts";
import { MOST_BLOCKS, type Other } from "./rules/rule.ts";
import { sharing } from "./shared-marks.ts";
import { turnsByClock } from "./turns.ts";

// Only athletes who share something are compared. Here everybody is compared with everybody, by the same rules, and the blocks must be equal.

const ROSTERS = 20;

/** The sentence of `other-log` has no numbers, and `memory.test.ts` holds the rule. */
const shown = (block: Block): Block => (block.rule === OTHER_LOG ? { ...block, says: "" } : block);

/** Everybody with everybody: no index, no order of reading, no shortcut. */
function plainBlocks({ suspects, memory }: RandomRoster): readonly Block[] {
  const all = suspects.map((suspect) => {
    const { athlete, account, evidence = { archives: [] } } = suspect;
    const own = memory.filter((one) => account !== undefined && isOwn(one, athlete, account));
    const before = own
      .map(({ trace }) => trace)
      .reduce<Trace | undefined>((sum, one) => (sum ? merged(sum, one) : one), undefined);
    const now = toTrace(evidence);
    const trusted = new Set(own.flatMap((one) => one.trusted));
    return {
      suspect,
      archives: evidence.archives,
      before,
      all: before === undefined ? now : merged(before, now),
      trusted,
    };
  });
  const strangers = memory.filter(
    (one) => !suspects.some(({ athlete, account }) => account && isOwn(one, athlete, account)),
  );
  return all.flatMap((known) => {
    const { suspect, trusted } = known;
    const { athlete, account } = suspect;
    const others: readonly Other[] = [
      ...all
        .filter((one) => one !== known)
        .map((one) => ({ athlete: one.suspect.athlete, trace: one.all, suspect: one.suspect })),
      ...strangers.filter((one) => one.baseUrl === account?.baseUrl && !isElsewhere(one, suspect, account)),
    ];
    const everybody = () => others;
    const everyOther = {
      withDigest: everybody,
      withWorkouts: everybody,
      withDevice: everybody,
      withPerson: everybody,
      near: everybody,
    };
    const isElse = account !== undefined && memory.some((one) => isElsewhere(one, suspect, account));
    const isKnown =
      account !== undefined && memory.some((one) => isOwn(one, athlete, account) && isCalled(one.athlete, athlete));
    const otherLog: Block = { athlete, rule: OTHER_LOG, says: "", key: OTHER_LOG };
    const blocks = [
      ...ofOwner(
        suspect,
        suspects.filter((one) => one !== suspect),
      ),
      ...(isElse && !isKnown ? [otherLog] : []),
      ...known.archives.flatMap((archive) => ARCHIVE_RULES.flatMap((rule) => rule(known, archive, everyOther))),
    ];
    const each = new Map(blocks.map((block) => [`${block.key} ${block.with ?? ""}`, block]));
    return [...each.values()].filter((block) => block.final === true || !trusted.has(block.key));
  });
}

test(`athletes who share something are found among all, as if everybody were compared with everybody (seed ${SEED})`, async () => {
  const rules = new Set<string>();
  for (let number = 0; number < ROSTERS; number++) {
    const made = randomRoster(SEED + number);
    const blocks = await blocksOf(made.suspects, made.memory);
    for (const { rule } of blocks) rules.add(rule);
    expect(blocks.map(shown), `roster ${SEED + number}`).toEqual(plainBlocks(made));
  }
  // Random rosters that hold nobody would prove nothing.
  expect(rules.size).toBe(11);
});

/** An athlete of the roster with one archive. */
function suspectWith(number: number, archive: Partial<ArchiveEvidence>): Suspect {
  const nothing = {
    name: "a.zip",
    workouts: 20,
    sample: { marks: [] },
    devices: [],
    persons: [],
    areas: [],
    placed: 0,
  };
  const athlete = `athlete ${number}`;
  return {
    ...{ athlete, expects: { screenName: athlete }, owner: { screenName: athlete } },
    account: { baseUrl: "log.example", userHash: athlete, name: athlete },
    evidence: { archives: [{ ...nothing, ...archive }] },
  };
}

test("one archive for hundreds holds each of them, with as many reasons as are of use", async () => {
  const marks = ["1", "2", "3"].map((digit) => digit.repeat(16));
  // Half have the very same archive, and half a part of it.
  const suspects = Array.from({ length: 230 }, (_, number) =>
    suspectWith(
      number,
      number % 2 === 0 ? { digest: "3:1", sample: { marks } } : { sample: { marks: marks.slice(1) } },
    ),
  );
  const alone = suspectWith(9_999, { sample: { marks: ["4".repeat(16)] } });
  const counts = new Map<string, number>();
  for await (const blocks of contradictions([...suspects, alone])) {
    const rules = [...Map.groupBy(blocks, ({ rule }) => rule)].map(([rule, of]) => `${of.length} ${rule}`).join(", ");
    counts.set(rules, (counts.get(rules) ?? 0) + 1);
  }
  expect(Object.fromEntries(counts)).toEqual({
    "114 same-archive, 115 same-workouts": 115,
    [`${MOST_BLOCKS} same-workouts`]: 115,
    "": 1,
  });
});

test("who shares fingerprints is found in order, also far apart", () => {
  const shared = new Map([
    ["a", [0, 5, 2_047, 2_048, 9_000]],
    ["b", [5, 2_048, 2_049, 9_000]],
    ["c", [9_000]],
  ]);
  const found = (marks: string[], least: number) => [...sharing(shared, marks, least)].map((one) => Object.values(one));
  expect(found(["a", "b", "c", "none"], 2)).toEqual([
    [5, 2],
    [2_048, 2],
    [9_000, 3],
  ]);
  expect(found(["c"], 1)).toEqual([[9_000, 1]]);
  expect(found(["c", "none"], 2)).toEqual([]);
});

test("a comparison gives way to what else waits in its process", async () => {
  const suspects = Array.from({ length: 50 }, (_, number) => suspectWith(number, { digest: `${number}` }));
  let [given, isOther] = [0, false];
  const turns = { isDue: () => true, give: async () => void given++ };
  for await (const _blocks of contradictions(suspects, [], turns));
  // At least once for each athlete while the roster is prepared, and once for each when they are compared.
  expect(given).toBeGreaterThanOrEqual(2 * suspects.length);
  setImmediate(() => {
    isOther = true;
  });
  await turnsByClock().give();
  expect(isOther).toBe(true);
});

test("a set of fingerprints finds each that was added, and no other one of many", () => {
  const set = new MarkSet(5_000);
  const mark = (number: number) => hash("sha256", `${number}`).slice(0, 16);
  for (let number = 0; number < 5_000; number++) set.add(mark(number));
  const found = Array.from({ length: 10_000 }, (_, number) => set.has(mark(number)));
  expect(found.slice(0, 5_000).every(Boolean)).toBe(true);
  expect(found.slice(5_000).filter(Boolean)).toEqual([]);
});
