/**
 * One pace of a host for all workers of a fleet. Its state is a row of PostgreSQL, which one worker at a time reads and writes. Workers lease
 * slots from it: moments at which one request may start.
 *
 * A slot lies at most `AHEAD_MS` in the future, so a pause reaches every worker that soon, and a worker that dies takes no more than its slots of that
 * time with it: the next lease begins behind them. This file only computes. Callers pass the time: milliseconds by the clock of the database.
 */
import { GUARD } from "../../connectors/api/pace.ts";

/** Slots are leased for the next quarter second at the most. */
export const AHEAD_MS = 250;

/** A worker that asked within this time counts when slots are shared out. */
const ACTIVE_MS = 3_000;

/** A service counts requests within a second. */
const WINDOW_MS = 1_000;

/** Unused slots are kept for as long as leased ones are counted. */
const LATELY_UNUSED_MS = 3 * WINDOW_MS;

/** The refusals within this time decide together. */
const LATELY_MS = 30_000;

/** If two accounts are turned away within this time, they met the limit of the host. One account alone may have met its own. */
const TOGETHER_MS = 10_000;

/** Refusals of a full second come from the pace if there are so many of them, and they are this share of all starts. */
const SUSPICIOUS = { refused: 3, share: 0.03 } as const;

/**
 * A service that took more in a second than this share allows, and turns fewer away now, refuses some requests at any pace. After so many refusals of
 * that kind, the pace from before comes back. For a while then only a burst lowers it.
 */
const NOISE = { share: 0.9, slack: 2, slackFrom: 6, refused: 2, forMs: 600_000 } as const;

/**
 * A service that asked for a pause so many times in a row, each time after about the same number of requests in a second, has a limit. Only a
 * number from `least` on counts: after a pause, chance makes small numbers alike. And only one below this share of the pace counts: near the pace,
 * each second has about the same number, whatever the service does.
 */
const LIMIT = { times: 5, least: 4, apart: 1, share: 0.75 } as const;

/** A service is full, or down, when it turns so many requests of a second away, and this share of them. */
const BURST = { refused: 4, share: 0.25 } as const;

/** After a breakdown the pace doubles after this time without a refusal. */
const RECOVERED_MS = 5_000;

/** A pace that the service took for so long rises: by this factor, never above the limit. After a failed try it waits longer. */
const PROBE = { firstMs: 120_000, longestMs: 960_000, factor: 1.07 } as const;

/** A pace counts as slower than another one if it is below this share of it. */
const SLOWER = 0.98;

/** Slowest pace, in starts a second. */
const SLOWEST = 0.5;

/** A worker that asks for slots. */
export interface Asker {
  readonly at: number;
  /** The requests of the worker that wait. Slots are shared out by this number: each athlete has the same few under way. */
  readonly waiting: number;
  /** The highest pace that the batch of the worker allows. */
  readonly ceiling: number;
}

/** The state of a host, as JSON. Times are milliseconds since 1970. */
export interface PaceState {
  /** The current pace in starts a second, before the guard. */
  readonly rate: number;
  /** When the next slot is free. */
  readonly next: number;
  /** Nothing starts before this time. */
  readonly notBefore: number;
  /** Since when the pace is as it is, without a refusal that counts. */
  readonly since: number;
  /** Leased slots of the last seconds: the first one, their number, and the milliseconds between two. */
  readonly leased: readonly (readonly [start: number, slots: number, spacing: number])[];
  /** Those of these slots that passed without a request. */
  readonly unused?: readonly number[];
  /** The late refusals, with the account that met each. */
  readonly refused: readonly (readonly [at: number, account: string])[];
  readonly workers: Readonly<Record<string, Asker>>;
  readonly probeMs: number;
  /** The pace before it was raised to try whether the service takes more. */
  readonly probedFrom?: number;
  /** The most requests in a second of which the service turned none away, and when that was. */
  readonly proved?: { readonly starts: number; readonly at: number };
  /** The pace before it was lowered, and the refusals since then that a slower pace can't explain. */
  readonly lowered?: { readonly from: number; readonly noise: number };
  /** Until then only a burst of refusals lowers the pace: the service refuses some at any pace. */
  readonly noisyUntil?: number;
  /** How many requests the service took in the second before it turned one away: the last times, one for each pause. */
  readonly heights?: readonly number[];
  /** The pace before a breakdown of the service. */
  readonly aim?: number;
  /** The highest pace that a batch allowed so far. */
  readonly allowed?: number;
}

/** What a worker asks for. */
export interface Asking extends Omit<Asker, "at"> {
  readonly worker: string;
  readonly slots: number;
  /** Slots of earlier leases that passed without a request. Without them, what the service took would be overestimated. */
  readonly unused?: readonly number[];
  /** The pace to begin with where the service was never asked as fast, in starts a second. Without it, the ceiling. */
  readonly start?: number;
}

/** Slots that a worker got. */
export interface Lease {
  /** Empty if the next slot lies too far ahead. */
  readonly slots: readonly number[];
  /** When to ask again, if there was nothing. */
  readonly askAt: number;
  /** The current pace, in starts a second. */
  readonly rate: number;
  readonly notBefore: number;
}

/** The state of a host that nobody asked before. @param start first pace, in starts a second */
export function newPace(start: number, now: number): PaceState {
  const state = { rate: start, next: now, notBefore: 0, since: now, probeMs: PROBE.firstMs };
  return { ...state, leased: [], refused: [], workers: {} };
}

/** Leases slots to a worker. @returns the new state and the lease */
export function lease(earlier: PaceState, now: number, asking: Asking): readonly [PaceState, Lease] {
  const { worker, slots, waiting, ceiling, start = ceiling } = asking;
  const before = withUnused(earlier, now, asking.unused);
  const asked = { ...before.workers, [worker]: { at: now, waiting, ceiling } };
  const workers = Object.fromEntries(Object.entries(asked).filter(([, { at }]) => now - at < ACTIVE_MS));
  const most = Math.min(...Object.values(workers).map((one) => one.ceiling));
  const state = raised(proven({ ...allowing(before, start, ceiling), workers }, now), now, most);
  const rate = Math.min(state.rate, most);
  const spacing = (1_000 * GUARD) / rate;
  const first = Math.max(state.next, state.notBefore, now);
  const free = Math.floor((now + AHEAD_MS - first) / spacing) + 1;
  const all = Object.values(workers).reduce((sum, one) => sum + one.waiting, 0);
  const share = Math.max(1, Math.ceil(((AHEAD_MS / spacing) * waiting) / Math.max(1, all)));
  const number = Math.max(0, Math.min(slots, free, share));
  const leased = state.leased.filter(([start, count, gap]) => start + count * gap > now - 2 * WINDOW_MS);
  const refused = state.refused.filter(([at]) => now - at < LATELY_MS);
  const next = first + number * spacing;
  return [
    { ...state, refused, ...(number > 0 ? { next, leased: [...leased, [first, number, spacing]] } : { leased }) },
    {
      slots: Array.from({ length: number }, (_, index) => first + index * spacing),
      askAt: Math.max(now + 1, first - AHEAD_MS),
      rate,
      notBefore: state.notBefore,
    },
  ];
}

/** Notes slots that passed without a request, as long as they matter. */
function withUnused(state: PaceState, now: number, more: readonly number[] = []): PaceState {
  if (more.length === 0 && state.unused === undefined) return state;
  const { unused = [], ...rest } = state;
  const kept = [...unused, ...more].filter((at) => at > now - LATELY_UNUSED_MS);
  return kept.length === 0 ? rest : { ...rest, unused: kept };
}

/**
 * Notes the ceiling of a batch. A pace that stands at the highest ceiling so far was set by a person, and the service said nothing against it. So a
 * batch that allows more begins as if nobody had asked before.
 */
function allowing(state: PaceState, start: number, ceiling: number): PaceState {
  const { allowed, rate } = state;
  if (allowed !== undefined && ceiling <= allowed) return state;
  const isFree = allowed !== undefined && rate >= allowed;
  return { ...state, allowed: ceiling, ...(isFree && { rate: Math.max(rate, Math.min(start, ceiling)) }) };
}

/** Raises a pace that the service took for long. */
function raised(state: PaceState, now: number, ceiling: number): PaceState {
  const { aim, ...rest } = state;
  const { rate, since, probeMs } = state;
  const cleanMs = now - since;
  if (rate >= ceiling || now < state.notBefore) return state;
  if (aim !== undefined && cleanMs >= RECOVERED_MS) {
    const next = Math.min(aim, ceiling, 2 * rate);
    return { ...rest, rate: next, since: now, ...(next < Math.min(aim, ceiling) && { aim }) };
  }
  if (cleanMs < probeMs) return state;
  return { ...rest, rate: Math.min(ceiling, rate * PROBE.factor), since: now, probedFrom: rate };
}

/** Notes how many requests the service took in a second without turning one away. The answers of that second are all here. */
function proven(state: PaceState, now: number): PaceState {
  const until = now - 2 * AHEAD_MS;
  if (state.refused.some(([at]) => at > until - WINDOW_MS)) return state;
  const starts = startsBefore(state, until) + 1;
  const { proved } = state;
  const isBetter = proved === undefined || starts >= proved.starts || now - proved.at > NOISE.forMs;
  return isBetter ? { ...state, proved: { starts, at: now } } : state;
}

/** A request that the service turned away. */
export interface Refusal {
  /** When it started, by the clock of the database. */
  readonly startedAt: number;
  /** See `Asking`. */
  readonly unused?: readonly number[];
  /** Milliseconds of the pause that the service asked for; 0 for none. */
  readonly pauseMs: number;
  /** The account, or any other text that is the same for the requests of one account. */
  readonly account: string;
}

/** Notes a refusal. All workers start nothing during the pause, and the pace is lower where it was the cause. */
export function turnedAway(earlier: PaceState, now: number, refusal: Refusal): PaceState {
  const { startedAt, pauseMs, account } = refusal;
  const before = withUnused(earlier, now, refusal.unused);
  const refused = [...before.refused.filter(([at]) => now - at < LATELY_MS), [startedAt, account] as const];
  const state = { ...before, refused };
  // Requests that left before the pace was lowered, or by slots of before a pause, say nothing of the pace of now.
  if (startedAt < Math.max(before.since, before.notBefore)) return paused(state, now, account, pauseMs);
  if (refused.length > 1 && refused.every(([, one]) => one === account)) return state;
  if (state.probedFrom !== undefined) {
    const { probedFrom, ...rest } = state;
    const probeMs = Math.min(PROBE.longestMs, 2 * state.probeMs);
    return paused({ ...rest, rate: probedFrom, since: now, probeMs }, now, account, pauseMs);
  }
  const slower = slowed(pauseMs > 0 ? withHeight(state, startedAt) : state, now, startedAt);
  // A service that counts our requests of a second needs that second to forget them.
  return paused(slower, now, account, slower.rate < state.rate ? Math.max(pauseMs, WINDOW_MS) : pauseMs);
}

/** Notes how many requests the service took in the second before a refusal, if it is the first one since the last pause. */
function withHeight(state: PaceState, startedAt: number): PaceState {
  const { heights = [] } = state;
  if (refusedBefore(state, startedAt) > 0) return state;
  return { ...state, heights: [...heights, startsBefore(state, startedAt)].slice(-LIMIT.times) };
}

/** The limit of a service that took about the same number of requests before each of the last refusals; undefined where the numbers differ. */
function limitOf({ heights = [] }: PaceState): number | undefined {
  const [lowest, highest] = [Math.min(...heights), Math.max(...heights)];
  if (heights.length < LIMIT.times || lowest < LIMIT.least) return undefined;
  return highest - lowest <= Math.max(LIMIT.apart, 0.1 * highest) ? lowest : undefined;
}

/** The pace after a refusal. */
function slowed(state: PaceState, now: number, startedAt: number): PaceState {
  const limit = limitOf(state);
  if (limit === undefined || limit >= LIMIT.share * state.rate) return slowedByThis(state, now, startedAt);
  // It took more in a second once. But it has this limit now, so what it took earlier says nothing any more.
  const { heights: _used, noisyUntil: _mistaken, aim: _aim, ...rest } = state;
  const from = Math.max(state.rate, state.lowered?.from ?? 0);
  return { ...rest, rate: limit, since: now, lowered: { from, noise: 0 }, proved: { starts: limit, at: now } };
}

/** The pace after a refusal that stands for itself. */
function slowedByThis(state: PaceState, now: number, startedAt: number): PaceState {
  const { rate, proved, lowered } = state;
  const starts = startsBefore(state, startedAt);
  const refused = refusedBefore(state, startedAt);
  const taken = starts - refused;
  const isBurst = refused >= BURST.refused && refused > BURST.share * starts;
  if (isBurst && taken < 1) return { ...state, rate: Math.max(SLOWEST, rate / 2), since: now, aim: state.aim ?? rate };
  const isNoisy = now < (state.noisyUntil ?? 0);
  // Of a service that refuses some at any pace, a burst may be chance.
  const back = isNoisy && { aim: state.aim ?? rate };
  if (isBurst) return { ...state, rate: Math.max(SLOWEST, Math.min(rate, taken)), since: now, ...back };
  if (isNoisy) return state;
  if (proved !== undefined && isFewer(taken, proved.starts)) {
    if (lowered === undefined) return state;
    if (lowered.noise + 1 < NOISE.refused) return { ...state, lowered: { ...lowered, noise: lowered.noise + 1 } };
    const { lowered: _vain, ...rest } = state;
    return { ...rest, rate: lowered.from, since: now, noisyUntil: now + NOISE.forMs };
  }
  const from = Math.max(rate, lowered?.from ?? 0);
  if (taken >= 1 && taken < SLOWER * rate) return { ...state, rate: taken, since: now, lowered: { from, noise: 0 } };
  return isSuspicious(state, now)
    ? { ...state, rate: Math.max(SLOWEST, 0.95 * rate), since: now, lowered: { from, noise: 0 } }
    : state;
}

/** Whether a service took so much fewer requests in a second than once before that its limit was not the reason. Requests on their way move by one or two. */
function isFewer(taken: number, proved: number): boolean {
  const share = NOISE.share * proved;
  return taken < (proved < NOISE.slackFrom ? share : Math.min(share, proved - NOISE.slack));
}

/** A pause that one account alone met holds the others for a moment only: the limit may be the account's. */
function paused(state: PaceState, now: number, account: string, pauseMs: number): PaceState {
  const together = state.refused.some(([at, one]) => one !== account && now - at < TOGETHER_MS);
  const ms = together ? pauseMs : Math.min(pauseMs, TOGETHER_MS);
  return { ...state, notBefore: Math.max(state.notBefore, now + ms) };
}

/** Whether so many requests were turned away lately that even a pace that seemed right is too fast. */
function isSuspicious({ refused, since: began, rate }: PaceState, now: number): boolean {
  const since = Math.max(now - LATELY_MS, began);
  const count = refused.filter(([at]) => at >= since).length;
  const starts = (rate / GUARD) * ((now - since) / 1_000);
  return count >= SUSPICIOUS.refused && count >= SUSPICIOUS.share * starts;
}

/** Slots that lay in the second before a request, without its own. A request starts at its slot, or a little later. */
function startsBefore({ leased, unused = [] }: PaceState, at: number): number {
  const empty = unused.filter((one) => one > at - WINDOW_MS && one <= at).length;
  return leased.reduce((sum, [start, count, spacing]) => {
    const from = Math.max(0, Math.floor((at - WINDOW_MS - start) / spacing) + 1);
    const to = Math.min(count, Math.floor((at - start) / spacing) + 1);
    return sum + Math.max(0, to - from);
  }, -1 - empty);
}

function refusedBefore({ refused }: PaceState, at: number): number {
  return refused.filter(([one]) => one < at && one > at - WINDOW_MS).length;
}
