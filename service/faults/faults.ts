/**
 * Faults on request: the service misbehaves as it was told to, for tests and rehearsals. Faults are off unless you ask for them at the
 * start. While they are off, no fault code runs. faults/kinds.ts lists the kinds, and faults/acts.ts holds their acts.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { Readable } from "node:stream";
import { setTimeout as sleepFor } from "node:timers/promises";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { LogStore } from "../store/log-store.ts";
import { ACTS, type Changes, type Moment, storeUnderFaults, type World } from "./acts.ts";
import { type Condition, type Fault, readFault } from "./spec.ts";

/** The faults that a service starts with. */
export interface FaultOptions {
  /** Specs as in docs/faults.md: `reset-after-commit:POST /rest/logs/me/workouts:nth=3`. */
  readonly armed: readonly string[];
  /** Seed of the random choice for `rate`; default 1. */
  readonly seed?: number;
  /** How faults wait; default with the system's clock. */
  readonly sleep?: (ms: number) => Promise<void>;
}

/** How often a fault made a difference. */
export interface FaultHits {
  readonly fault: string;
  readonly hits: number;
}

/** The faults of a service. */
export interface Faults {
  /** The hits of each fault, in the order the faults were armed. Empty for a service without faults. */
  hits(): readonly FaultHits[];
  /** The service's clock as a request under a fault sees it. */
  now(): number;
  /** The store as a request under a fault sees it. */
  over(store: LogStore): LogStore;
  /** Adds the faults as hooks to an app that has no routes yet. */
  hookInto(app: FastifyInstance, store: LogStore): void;
}

/**
 * Arms faults; none without options.
 *
 * @param now the service's clock, in milliseconds since 1970
 * @throws BadFault for a spec that can't be read
 */
export function armFaults(options?: FaultOptions, now: () => number = Date.now): Faults {
  if (options === undefined || options.armed.length === 0) {
    return { hits: () => [], now, over: (store) => store, hookInto: () => undefined };
  }
  const { seed = 1, sleep = sleepUnlessOver } = options;
  const armed = options.armed.map((spec, index) => arm(readFault(spec), seed + index, now));
  const serving = new AsyncLocalStorage<Changes>();
  return {
    hits: () => armed.map(({ fault, hits }) => ({ fault: fault.spec, hits })),
    now: () => now() + (serving.getStore()?.skewMs ?? 0),
    over: (store) => storeUnderFaults(store, () => serving.getStore()),
    hookInto: (app, store) => hookInto(app, { armed, serving, world: { store, now, sleep } }),
  };
}

/** The wait lets the process end. */
async function sleepUnlessOver(ms: number): Promise<void> {
  await sleepFor(ms, undefined, { ref: false });
}

/** A fault that waits for its requests. */
interface Armed {
  readonly fault: Fault;
  readonly memory: Map<string, unknown>;
  /** Counts a matching request. @returns whether the fault hits it */
  readonly isNext: () => boolean;
  hits: number;
}

function arm(fault: Fault, seed: number, now: () => number): Armed {
  const random = randomOf(seed);
  const start = now();
  let matched = 0;
  let chosen = 0;
  const isNext = () => {
    matched++;
    const { times = Number.POSITIVE_INFINITY, from = 0, to = Number.POSITIVE_INFINITY } = fault.condition;
    const seconds = (now() - start) / 1000;
    // Drawn for every request, so that the seed's choice doesn't depend on the other conditions.
    const isChosen = isOneOf(fault.condition, matched, random()) && seconds >= from && seconds <= to;
    return isChosen && ++chosen <= times;
  };
  return { fault, memory: new Map(), isNext, hits: 0 };
}

function isOneOf({ nth, every, rate }: Condition, matched: number, drawn: number): boolean {
  if (nth !== undefined) return matched >= nth[0] && matched <= nth[1];
  if (every !== undefined) return matched % every === 0;
  return rate === undefined || drawn < rate;
}

/** Mulberry32, as numbers from 0 to 1. The same seed gives the same numbers on every machine. */
function randomOf(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Hooked {
  readonly armed: readonly Armed[];
  readonly serving: AsyncLocalStorage<Changes>;
  readonly world: World;
}

/** The faults that hit a request. */
interface Struck {
  readonly changes: Changes;
  readonly moments: readonly { readonly armed: Armed; readonly moment: Moment }[];
}

function hookInto(app: FastifyInstance, { armed, serving, world }: Hooked): void {
  const struck = new WeakMap<FastifyRequest, Struck>();
  const left = new Set<FastifyReply>();
  const leave = (reply: FastifyReply) => {
    left.add(reply);
    reply.raw.once("close", () => left.delete(reply));
  };
  const actsOn = (request: FastifyRequest) =>
    (struck.get(request)?.moments ?? []).map(({ armed: one, moment }) => ({ act: ACTS[one.fault.kind.name], moment }));

  app.addHook("onRequest", (request, reply, done) => {
    const changes: Changes = { skewMs: 0, keeps: [] };
    const path = request.url.split("?")[0] ?? "";
    const here = armed.map((one) => ({
      armed: one,
      moment: momentOf(one, { request, reply, changes, world, leave: () => leave(reply) }),
    }));
    const moments = here.filter(({ armed: one }) => one.fault.matches(request.method, path) && one.isNext());
    struck.set(request, { changes, moments });
    for (const { act, moment } of actsOn(request)) act.arrive?.(moment);
    // These acts refuse by throwing. So the service adds everything that it adds to its own refusals.
    for (const { armed: one, moment } of here) ACTS[one.fault.kind.name].always?.(moment);
    serving.run(changes, done);
  });
  // Set a second time, because reading a body leaves the context that a request arrived in.
  app.addHook("preHandler", (request, _reply, done) => serving.run(struck.get(request)?.changes as Changes, done));
  app.addHook("preHandler", async (request, reply) => {
    for (const { act, moment } of actsOn(request)) {
      const done = await act.before?.(moment);
      // A reply counts as sent once its last byte is out, and another fault may delay or cut it. So the request never goes further.
      if (done === "answered") return new Promise<never>(() => undefined);
      if (reply.sent) return undefined;
    }
    return undefined;
  });
  app.addHook("onSend", async (request, reply, payload) => {
    const { skewMs = 0 } = struck.get(request)?.changes ?? {};
    if (skewMs !== 0) reply.header("Date", new Date(world.now() + skewMs).toUTCString());
    let leaving: unknown = payload;
    for (const { act, moment } of actsOn(request)) {
      if (act.answer === undefined || leaving instanceof Readable) continue;
      leaving = await act.answer(moment, Buffer.from((leaving as string | Buffer | null | undefined) ?? ""));
      // This promise never settles, because fastify would send its value.
      if (leaving === undefined) return new Promise(() => undefined);
    }
    return leaving;
  });
  app.addHook("onResponse", async (request) => {
    for (const { act, moment } of actsOn(request)) await act.after?.(moment);
  });
  // A request that is never answered must not keep the service from closing.
  app.addHook("preClose", async () => {
    for (const reply of left) reply.raw.destroy();
  });
}

function momentOf(armed: Armed, parts: Omit<Moment, "memory" | "number" | "text" | "hit">): Moment {
  const { values } = armed.fault;
  return {
    ...parts,
    memory: armed.memory,
    number: (name) => values[name] as number | undefined,
    text: (name) => values[name] as string | undefined,
    hit: () => {
      armed.hits++;
    },
  };
}
