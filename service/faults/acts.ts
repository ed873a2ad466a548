/**
 * What each kind of fault does, and when it does it. A fault acts at one of five moments: on arrival, before the request is carried out,
 * meanwhile, before the answer leaves, or after the answer. "Before the commit" comes after the request was read, admitted and checked.
 * So such a fault stops only requests that the service would have carried out.
 */
import { STATUS_CODES } from "node:http";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import { hashOf, newId } from "../http/ids.ts";
import { Refusal } from "../http/refusals.ts";
import { toWorkout } from "../model/workout.ts";
import type { LogStore } from "../store/log-store.ts";
import type { FaultName } from "./kinds.ts";

/** The things that acts may use besides the request. */
export interface World {
  readonly store: LogStore;
  /** Milliseconds since 1970, by the service's clock. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

/** The changes in force while a request is served. */
export interface Changes {
  skewMs: number;
  /** How many workouts an import keeps before it fails. The smallest number counts. */
  readonly keeps: { readonly workouts: number; readonly hit: () => void }[];
}

/** One fault meeting one request. */
export interface Moment {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly world: World;
  readonly changes: Changes;
  /** This fault's memory from one request to the next. */
  readonly memory: Map<string, unknown>;
  readonly number: (name: string) => number | undefined;
  readonly text: (name: string) => string | undefined;
  /** Counts a hit: the fault made a difference. */
  readonly hit: () => void;
  /** Leaves the request without an answer until its sender goes or the service closes. */
  readonly leave: () => void;
}

/** What is sent in place of the answer. Undefined means nothing at all: the act has dealt with the connection. */
export type Leaving = string | Buffer | Readable | undefined;

/** Whether an act answered a request in place of the service. */
export type Before = "answered" | undefined;

/** The acts of a kind. A missing member does nothing. */
export interface Act {
  /** Sees every request, even one that the fault doesn't hit. An earlier hit may still have an effect. */
  readonly always?: (moment: Moment) => void;
  /** Before the request is checked. */
  readonly arrive?: (moment: Moment) => void;
  /** Can answer in place of carrying out the request. @returns "answered" when it did: the request must not be carried out any more */
  readonly before?: (moment: Moment) => Before | Promise<Before>;
  /** @returns the bytes to send; `body` to change nothing */
  readonly answer?: (moment: Moment, body: Buffer) => Leaving | Promise<Leaving>;
  /** After the answer. */
  readonly after?: (moment: Moment) => void | Promise<void>;
}

/** The acts of each kind of fault. */
export const ACTS: Record<FaultName, Act> = {
  "bad-id": { answer: badId },
  "clock-skew": {
    arrive({ changes, number, hit }) {
      changes.skewMs += (number("seconds") ?? 0) * 1000;
      hit();
    },
  },
  "close-idle": {
    async after({ request, world, number, hit }) {
      const { socket } = request.raw;
      hit();
      await world.sleep(number("ms") ?? 0);
      socket.destroy();
    },
  },
  "code-after-commit": { answer: (moment) => nonZero(moment) },
  "code-before-commit": {
    before(moment) {
      moment.reply.send(nonZero(moment));
      return "answered";
    },
  },
  "cut-body": { answer: cut },
  "gzip-answer": {
    answer({ reply, number, hit }) {
      hit();
      reply.header("Content-Encoding", "gzip");
      // Gzip members joined end to end are one gzip file (RFC 1952 2.2).
      return Readable.from(repeated(gzipSync(Buffer.alloc(MEBIBYTE, " ")), number("mebibytes") ?? 1));
    },
  },
  "hang-after-commit": {
    answer({ hit, leave }) {
      hit();
      leave();
      return undefined;
    },
  },
  "hang-before-commit": {
    before({ reply, hit, leave }) {
      hit();
      leave();
      reply.hijack();
      return undefined;
    },
  },
  "html-after-commit": { answer: (moment) => page(moment, 200) },
  "html-before-commit": {
    before(moment) {
      moment.reply.send(page(moment, 200));
      return "answered";
    },
  },
  "huge-answer": {
    answer({ number, hit }) {
      hit();
      return Readable.from(repeated(Buffer.alloc(MEBIBYTE, " "), number("mebibytes") ?? 1));
    },
  },
  "import-ids": { answer: importIds },
  "insert-workout": {
    async before({ request, world, hit }) {
      if (request.caller === undefined) return undefined;
      hit();
      const date = new Date(world.now()).toISOString().slice(0, 10);
      await world.store.addWorkout(request.caller.userId, { activityID: 10, date, notes: "made by a fault" });
      return undefined;
    },
  },
  latency: {
    async before({ world, number, hit }) {
      hit();
      await world.sleep(number("ms") ?? 0);
      return undefined;
    },
  },
  "part-import": {
    before({ changes, number, hit }) {
      changes.keeps.push({ workouts: number("keep") ?? 0, hit });
      return undefined;
    },
  },
  "rate-limit": { before: limit },
  "reset-after-commit": {
    answer({ reply, hit }) {
      hit();
      reply.raw.socket?.resetAndDestroy();
      return undefined;
    },
  },
  "reset-before-commit": {
    before({ reply, hit }) {
      hit();
      reply.hijack();
      reply.raw.socket?.resetAndDestroy();
      return undefined;
    },
  },
  "revoke-token": {
    arrive({ request, memory }) {
      const token = tokenOf(request);
      if (token !== undefined) memory.set(token, true);
    },
    always({ request, memory, text, hit }) {
      if (!memory.has(tokenOf(request) ?? "")) return;
      hit();
      throw new Refusal(
        text("status") === "403" ? "forbidden" : "unauthorized",
        "access_token: not a token of this service",
      );
    },
  },
  "save-twice": {
    async answer({ request, reply, world, hit }, body) {
      const isSave = request.method === "POST" && request.routeOptions.url === "/rest/logs/me/workouts";
      // A request that another fault stopped is not repeated.
      if (!isSave || reply.statusCode !== 200 || dataOf(body)?.id === undefined) return body;
      hit();
      await world.store.addWorkout(request.caller.userId, toWorkout(request.body as Parameters<typeof toWorkout>[0]));
      return body;
    },
  },
  "stale-listing": { before: answerAsBefore, answer: keepAnswer },
  "status-after-commit": { answer: (moment) => page(moment, moment.number("status") ?? 500) },
  "status-before-commit": {
    before(moment) {
      moment.reply.send(page(moment, moment.number("status") ?? 500));
      return "answered";
    },
  },
};

/** The store as `part-import` changes it. `changes` gives the changes for the request that is being served. */
export function storeUnderFaults(store: LogStore, changes: () => Changes | undefined): LogStore {
  const addImport: LogStore["addImport"] = async (userId, file, workouts) => {
    const keeps = changes()?.keeps ?? [];
    if (keeps.length === 0) return store.addImport(userId, file, workouts);
    for (const { hit } of keeps) hit();
    const kept = workouts.slice(0, Math.min(...keeps.map((keep) => keep.workouts)));
    await store.addImport(userId, file, kept);
    throw new Refusal("failed", "The service failed in the middle of an import");
  };
  return new Proxy(store, {
    get(target, name) {
      if (name === "addImport") return addImport;
      const member = Reflect.get(target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

const MEBIBYTE = 2 ** 20;

function* repeated(chunk: Buffer, times: number): Generator<Buffer> {
  for (let sent = 0; sent < times; sent++) yield chunk;
}

function nonZero({ reply, number, hit }: Moment): string {
  hit();
  const code = number("code");
  reply.code(200).type("application/json");
  return JSON.stringify({ code, message: `A fault answers code ${code}` });
}

/** The error page of a proxy, or the login page of a hotel's network, in place of the service's answer. */
function page({ reply, number, text, world, changes, hit }: Moment, status: number): string {
  hit();
  const title = status === 200 ? "Welcome" : `${status} ${STATUS_CODES[status] ?? "Unknown"}`;
  reply.code(status).type("text/html");
  const inSeconds = number("retry-after-date");
  const retryAfter =
    inSeconds === undefined
      ? text("retry-after")
      : new Date(world.now() + changes.skewMs + inSeconds * 1000).toUTCString();
  if (retryAfter !== undefined) reply.header("Retry-After", retryAfter);
  return `<!doctype html><title>${title}</title><h1>${title}</h1>`;
}

function limit(moment: Moment): Before {
  const { memory, world, number } = moment;
  const now = world.now();
  const letIn = ((memory.get("let in") as number[] | undefined) ?? []).filter((at) => at > now - 1000);
  memory.set("let in", letIn);
  if (letIn.length < (number("per-second") ?? 1)) {
    letIn.push(now);
    return undefined;
  }
  moment.reply.send(page(moment, 429));
  return "answered";
}

function cut({ reply, number, hit }: Moment, body: Buffer): undefined {
  hit();
  reply.raw.writeHead(reply.statusCode, { ...reply.getHeaders(), "content-length": body.length } as Record<
    string,
    string | number
  >);
  reply.raw.write(body.subarray(0, Math.min(number("bytes") ?? body.length / 2, body.length - 1)), () =>
    reply.raw.destroy(),
  );
}

const BAD_IDS: Readonly<Record<string, unknown>> = { none: undefined, number: 17, empty: "", long: "f".repeat(10_000) };

function badId({ text, hit }: Moment, body: Buffer): Leaving {
  const answer = dataOf(body);
  if (answer?.id === undefined) return body;
  hit();
  return JSON.stringify({ code: 0, data: { ...answer, id: BAD_IDS[text("id") ?? ""] } });
}

const IMPORT_IDS: Readonly<Record<string, (ids: readonly unknown[]) => readonly unknown[]>> = {
  fewer: (ids) => ids.slice(0, -1),
  more: (ids) => [...ids, newId()],
  repeated: (ids) => [...ids, ids[0]],
};

function importIds({ text, hit }: Moment, body: Buffer): Leaving {
  const ids = dataOf(body)?.ids;
  if (!Array.isArray(ids) || ids.length === 0) return body;
  hit();
  return JSON.stringify({ code: 0, data: { ids: IMPORT_IDS[text("ids") ?? ""]?.(ids) } });
}

/** `data` of a successful answer. */
function dataOf(body: Buffer): Record<string, unknown> | undefined {
  try {
    return JSON.parse(body.toString()).data ?? undefined;
  } catch {
    return undefined;
  }
}

interface Kept {
  readonly at: number;
  readonly body: string;
}

/** The path and the parameters that the service reads. Other parameters of the query don't make a new address for a stale copy. */
function askedFor({ url, query, routeOptions }: FastifyRequest): string {
  const { properties = {} } = (routeOptions.schema?.querystring ?? {}) as { properties?: Record<string, unknown> };
  const read = Object.entries(query as Record<string, unknown>).filter(([name]) => name in properties);
  return JSON.stringify([url.split("?")[0], read.toSorted(([a], [b]) => (a < b ? -1 : 1)), tokenOf({ query })]);
}

function answerAsBefore({ request, reply, memory, world, number, hit }: Moment): Before {
  const kept = memory.get(hashOf(askedFor(request))) as Kept | undefined;
  if (kept === undefined || world.now() - kept.at >= (number("seconds") ?? 0) * 1000) return undefined;
  hit();
  reply.type("application/json").send(kept.body);
  return "answered";
}

function keepAnswer({ request, reply, memory, world, number }: Moment, body: Buffer): Leaving {
  const address = hashOf(askedFor(request));
  const kept = memory.get(address) as Kept | undefined;
  const isOld = kept === undefined || world.now() - kept.at >= (number("seconds") ?? 0) * 1000;
  if (reply.statusCode === 200 && isOld) memory.set(address, { at: world.now(), body: body.toString() });
  return body;
}

/** Hashed, so that a heap dump holds no token for longer than necessary. */
function tokenOf({ query }: Pick<FastifyRequest, "query">): string | undefined {
  const { access_token: token } = query as { access_token?: unknown };
  return typeof token === "string" ? hashOf(token) : undefined;
}
