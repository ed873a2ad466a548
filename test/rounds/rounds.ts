/** The rounds. Each has its own problems between the command line and the service, drawn by a seed. */
import { randomOf } from "../support/random.ts";
import type { CacheRule } from "./cache.ts";
import type { Fate, Passing } from "./proxy.ts";

/** One round. */
export interface Round {
  readonly name: string;
  readonly fate?: (chance: () => number) => (request: Passing) => Fate;
  readonly cache?: CacheRule;
  /**
   * Happens once half of the saves are in. The clock is set back an hour, or records are taken out of the service's database. Or the database is put
   * back to its state at a quarter, or the command is killed and goes on without its journal.
   */
  readonly half?: {
    readonly clockBack?: true;
    readonly deletes?: "some" | "all";
    readonly putBack?: true;
    readonly kills?: "and the journal is deleted" | "and another journal is used";
  };
  /** Set when the act of the proxy or of the log's owner can't be undone. Then the closing sentence and the exit must say so. */
  readonly ends?: "doubled" | "lost";
}

const PASS: Fate = { kind: "pass" };
const isSave = ({ method, path }: Passing) => method === "POST" && path.endsWith("/workouts");
const isListing = ({ method, path }: Passing) => method === "GET" && /\/(workouts|equipment|courses)$/.test(path);

/** Gives a fate to a share of the chosen requests. The first of them always gets it. */
function some(share: number, meant: (request: Passing) => boolean, fate: () => Fate): NonNullable<Round["fate"]> {
  return (chance) => {
    let met = 0;
    return (request) => (meant(request) && (chance() < share || met === 0) && ++met > 0 ? fate() : PASS);
  };
}

/**
 * How late a request may come, in milliseconds, and how long a run is told to wait for it, in seconds. The suite takes 0.3 s of 1 s, in place of 20 s
 * of a minute. `LOGFERRY_TEST_LATE=5000,30000,35` plays the real times.
 */
const [LEAST_LATE = 300, MOST_LATE = 300, SETTLE = 1] = (process.env.LOGFERRY_TEST_LATE ?? "300,300,1")
  .split(",")
  .map(Number);
export const SETTLE_SECONDS = String(SETTLE);

const late = (chance: () => number): Fate => ({
  kind: "late",
  ms: LEAST_LATE + Math.round(chance() * (MOST_LATE - LEAST_LATE)),
});

/** Some saves come late. */
const LATE: NonNullable<Round["fate"]> = (chance) => some(0.2, isSave, () => late(chance))(chance);

/** A tenth of the saves goes wrong, in any way that can be repaired. */
const ANY: NonNullable<Round["fate"]> = (chance) => {
  const fates: readonly Fate[] = [
    { kind: "drop" },
    late(chance),
    { kind: "half" },
    { kind: "bad-gzip" },
    { kind: "turned-away", status: 429 },
    { kind: "turned-away", status: 503 },
  ];
  return (request) =>
    isSave(request) && chance() < 0.15 ? (fates[Math.floor(chance() * fates.length)] ?? PASS) : PASS;
};

/** Every round, in order. */
export const ROUNDS: readonly Round[] = [
  { name: "answers are dropped", fate: some(0.2, isSave, () => ({ kind: "drop" })) },
  { name: "saves arrive after their sender gave up", fate: LATE },
  { name: "a proxy sends saves twice", fate: some(0.1, isSave, () => ({ kind: "twice" })), ends: "doubled" },
  {
    name: "a cache keeps listings, and answers are dropped",
    fate: some(0.2, isSave, () => ({ kind: "drop" })),
    cache: { ms: 60_000, by: "address" },
  },
  {
    name: "listings come in another order, and answers are dropped",
    fate: (chance) => {
      const drop = some(0.2, isSave, () => ({ kind: "drop" }))(chance);
      return (request) => (isListing(request) ? { kind: "reordered" } : drop(request));
    },
  },
  { name: "answers are cut off", fate: some(0.2, isSave, () => ({ kind: "half" })) },
  { name: "answers say a length that is not theirs", fate: some(0.2, isSave, () => ({ kind: "wrong-length" })) },
  { name: "answers say that they are packed, and are not", fate: some(0.2, isSave, () => ({ kind: "bad-gzip" })) },
  {
    name: "a 429 now and then",
    fate: some(
      0.1,
      () => true,
      () => ({ kind: "turned-away", status: 429 }),
    ),
  },
  { name: "a 503 now and then", fate: some(0.1, isSave, () => ({ kind: "turned-away", status: 503 })) },
  {
    name: "the clock is set back an hour",
    fate: some(0.1, isSave, () => ({ kind: "drop" })),
    half: { clockBack: true },
  },
  { name: "some records are deleted in the service's database", half: { deletes: "some" }, ends: "lost" },
  { name: "the database is as it was before the run", half: { deletes: "all" }, ends: "lost" },
  { name: "an older database is put back", half: { putBack: true }, ends: "lost" },
  {
    name: "killed, with requests still on their way, and the journal is deleted",
    fate: LATE,
    half: { kills: "and the journal is deleted" },
  },
  {
    name: "killed, with requests still on their way, and another journal is used",
    fate: LATE,
    half: { kills: "and another journal is used" },
  },
  {
    name: "pages are stale and fresh by turns, and answers are dropped",
    fate: (chance) => {
      const drop = some(0.2, isSave, () => ({ kind: "drop" }))(chance);
      return (request) => (isListing(request) && chance() < 0.3 ? { kind: "shifted" } : drop(request));
    },
  },
  { name: "everything at once", fate: ANY, half: { clockBack: true } },
];

/** Chance for one round: the same seed plays the same round. */
export function chanceOf(seed: number, round: Round): () => number {
  return randomOf(seed + 7919 * (ROUNDS.indexOf(round) + 1));
}
