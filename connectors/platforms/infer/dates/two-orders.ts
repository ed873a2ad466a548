/**
 * Finds a column whose dates change their order on the way: 28/02/2020 with the day first, and 03/04/2020 for March 4 some rows later. A phone or a new
 * computer does that. Days up to the 12th can be read both ways, so one order for all would load them months away in silence.
 */
import type { NoProposal } from "../choices/no-proposal.ts";

/** A column with its days in two orders; undefined for a cell that is no date so. */
export interface TwoOrders {
  readonly name: string;
  readonly cells: readonly string[];
  readonly dmy: readonly (string | undefined)[];
  readonly mdy: readonly (string | undefined)[];
}

/** Each part of the table must have so many dates. */
const LEAST = 5;

/** One order must cost at least this, in dates that it can't read and rows that jump back. A slip costs two. */
const LEAST_COST = 2;

/** Both parts together may cost this share of the best single order. */
const SHARE = 0.25;

const WORDS = { dmy: "the day first", mdy: "the month first" } as const;

type Order = keyof typeof WORDS;

/** Why the table waits; undefined for dates that one order reads as well as two. */
export function changedOrder({ name, cells, dmy, mdy }: TwoOrders): NoProposal | undefined {
  const rows = [...cells.keys()].filter((row) => dmy[row] !== undefined || mdy[row] !== undefined);
  if (rows.length < 2 * LEAST) return undefined;
  const upward = { dmy: rows.map((row) => dmy[row]), mdy: rows.map((row) => mdy[row]) };
  const downward = { dmy: upward.dmy.toReversed(), mdy: upward.mdy.toReversed() };
  const [up, down] = [bestChange(upward), bestChange(downward)];
  const isUp = (up?.cost ?? Number.POSITIVE_INFINITY) <= (down?.cost ?? Number.POSITIVE_INFINITY);
  const found = isUp ? up : down;
  if (found === undefined) return undefined;
  const [first, then] = isUp ? [found.first, found.then] : [found.then, found.first];
  const at = isUp ? found.at : rows.length - found.at;
  const example = JSON.stringify(cells[rows[at] ?? -1]);
  const unread = (order: Order) => upward[order].filter((day) => day === undefined).length;
  return {
    isOfSheet: true,
    problem: `the dates in the column ${JSON.stringify(name)} change their order on the way: the first ${at} are in their order with ${WORDS[first]}, and those from ${example} on with ${WORDS[then]}. With ${WORDS.dmy}, ${unread("dmy")} of ${rows.length} can't be read, and with ${WORDS.mdy} ${unread("mdy")}`,
    next: `Write all of them in one order, such as ${upward[then][at] ?? "2020-03-04"} for ${example}, and propose again. Or split the table before ${example} into two, and propose for each. If one order is right for all, run this again with --set dates.order=${first}`,
  };
}

interface Change {
  readonly first: Order;
  readonly then: Order;
  /** The number of dates before the change. */
  readonly at: number;
  readonly cost: number;
}

type Days = Readonly<Record<Order, readonly (string | undefined)[]>>;

/** The change that leaves the fewest dates unread and rows jumping back; undefined where a single order is about as good. */
function bestChange(days: Days): Change | undefined {
  const [dmy, mdy] = [costs(days.dmy), costs(days.mdy)];
  const all = { dmy, mdy };
  const single = Math.min(dmy.at(-1) ?? 0, mdy.at(-1) ?? 0);
  if (single < LEAST_COST) return undefined;
  let best: Change | undefined;
  for (const [first, then] of [
    ["dmy", "mdy"],
    ["mdy", "dmy"],
  ] as const) {
    for (let at = LEAST; at <= days.dmy.length - LEAST; at++) {
      const [before, after] = [days[first][at - 1], days[then][at]];
      if (before === undefined || after === undefined || after < before) continue;
      const cost = (all[first][at - 1] ?? 0) + (all[then].at(-1) ?? 0) - (all[then][at] ?? 0);
      if (cost <= single * SHARE && (best === undefined || cost < best.cost)) best = { first, then, at, cost };
    }
  }
  return best;
}

/** For each date: how many up to it can't be read, or lie before the date above. */
function costs(days: readonly (string | undefined)[]): readonly number[] {
  let cost = 0;
  let last: string | undefined;
  return days.map((day) => {
    if (day === undefined || (last !== undefined && day < last)) cost++;
    last = day ?? last;
    return cost;
  });
}
