/**
 * A proxy between the command line and the service. It does to requests and answers what networks, caches and overloaded machines do. A seed draws
 * this, request by request. Plain TCP.
 */
import { type AddressInfo, createServer, type Socket } from "node:net";
import { Cache, type CacheRule } from "./cache.ts";
import { ask, bytesOf, type Message, Reader, withBody, withHeaders } from "./wire.ts";

/** The fate of one request. */
export type Fate =
  | { readonly kind: "pass" }
  /** It is done, and the connection is reset in place of the answer. */
  | { readonly kind: "drop" }
  /** The connection is reset at once, and the request reaches the service so much later. */
  | { readonly kind: "late"; readonly ms: number }
  /** It is sent on twice, as by a proxy that lost the first answer. */
  | { readonly kind: "twice" }
  /** It never reaches the service. */
  | { readonly kind: "turned-away"; readonly status: 429 | 503; readonly retryAfter?: string }
  /** It is done, and only half of the answer arrives. */
  | { readonly kind: "half" }
  /** It is done, and the answer states a wrong length. */
  | { readonly kind: "wrong-length" }
  /** It is done, and the answer claims to be packed, but isn't. */
  | { readonly kind: "bad-gzip" }
  /** Of a listing: in another order. */
  | { readonly kind: "reordered" }
  /** Of a listing: the page before or after, by one entry. */
  | { readonly kind: "shifted" };

/** The parts of a request that decide its fate. */
export interface Passing {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The number of requests before it. */
  readonly index: number;
}

export interface ProxyOptions {
  /** Called once a request. Without it every request passes. */
  readonly fate?: (request: Passing) => Fate;
  /** A cache of listings, if there is one in between. */
  readonly cache?: CacheRule;
  /** Chooses how a page is mixed up. */
  readonly random?: () => number;
}

export interface Proxy extends AsyncDisposable {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  /** How often each fate was met, and answers out of the cache as `cached`. */
  readonly met: ReadonlyMap<string, number>;
  readonly requests: readonly Passing[];
  /** Settles when every held-back request has reached the service. */
  settled(): Promise<void>;
}

/** Starts a proxy in front of a service on this machine. */
export async function startProxy(target: string, options: ProxyOptions = {}): Promise<Proxy> {
  const proxy = new TcpProxy(Number(new URL(target).port), options);
  await proxy.listen();
  return proxy;
}

class TcpProxy implements Proxy {
  readonly met = new Map<string, number>();
  readonly requests: Passing[] = [];
  readonly #port: number;
  readonly #options: ProxyOptions;
  readonly #cache: Cache | undefined;
  readonly #sockets = new Set<Socket>();
  readonly #heldBack = new Set<Promise<unknown>>();
  readonly #server = createServer((client) => this.#serve(client));

  constructor(port: number, options: ProxyOptions) {
    this.#port = port;
    this.#options = options;
    this.#cache = options.cache && new Cache(options.cache);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  listen(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
  }

  async settled(): Promise<void> {
    while (this.#heldBack.size > 0) await Promise.all(this.#heldBack);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.settled();
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #serve(client: Socket): void {
    const reader = new Reader();
    let turn = Promise.resolve();
    this.#sockets.add(client);
    client.on("error", () => undefined);
    client.on("close", () => this.#sockets.delete(client));
    client.on("data", (bytes) => {
      reader.add(bytes);
      for (let request = reader.next(); request !== undefined; request = reader.next()) {
        const one = request;
        turn = turn.then(() => this.#pass(one, client));
      }
    });
  }

  async #pass(request: Message, client: Socket): Promise<void> {
    const passing = this.#passing(request);
    const kept = this.#cache?.find(request, passing);
    if (kept !== undefined) {
      this.#count("cached");
      client.write(bytesOf(kept));
      return;
    }
    const fate = this.#options.fate?.(passing) ?? { kind: "pass" };
    if (fate.kind !== "pass") this.#count(fate.kind);
    await FATES[fate.kind](
      {
        client,
        passing,
        random: this.#options.random ?? Math.random,
        send: async (other = request) => {
          const answer = await ask(this.#port, other, this.#sockets);
          if (answer !== undefined && other === request) this.#cache?.keep(passing, answer);
          return answer;
        },
        later: (ms) => this.#holdBack(request, ms),
        request,
      },
      fate,
    );
  }

  #passing({ first }: Message): Passing {
    const [method = "", address = ""] = first.split(" ");
    const [path = "", query] = address.split("?");
    const passing = { method, path, query: new URLSearchParams(query), index: this.requests.length };
    this.requests.push(passing);
    return passing;
  }

  #holdBack(request: Message, ms: number): void {
    const over = new Promise((resolve) => setTimeout(resolve, ms)).then(() => ask(this.#port, request, this.#sockets));
    this.#heldBack.add(over);
    over.finally(() => this.#heldBack.delete(over));
  }

  #count(what: string): void {
    this.met.set(what, (this.met.get(what) ?? 0) + 1);
  }
}

/** The parts that a fate works with. */
interface Moment {
  readonly client: Socket;
  readonly passing: Passing;
  readonly request: Message;
  readonly random: () => number;
  /** Sends the request on, or another in its place. */
  readonly send: (other?: Message) => Promise<Message | undefined>;
  /** Sends it on after a while, when its client no longer waits for the answer. */
  readonly later: (ms: number) => void;
}

/** Passes on an answer as it is. Without an answer the connection ends. */
function give(client: Socket, answer: Message | undefined): void {
  if (answer === undefined) client.resetAndDestroy();
  else client.write(bytesOf(withHeaders(answer, { connection: "keep-alive" })));
}

const REASONS = { 429: "Too Many Requests", 503: "Service Unavailable" } as const;

const FATES: { [K in Fate["kind"]]: (moment: Moment, fate: Fate) => Promise<void> } = {
  pass: async ({ client, send }) => give(client, await send()),
  drop: async ({ client, send }) => {
    await send();
    client.resetAndDestroy();
  },
  late: async ({ client, later }, fate) => {
    if (fate.kind === "late") later(fate.ms);
    client.resetAndDestroy();
  },
  twice: async ({ client, send }) => {
    await send();
    give(client, await send());
  },
  "turned-away": async ({ client }, fate) => {
    const { status, retryAfter } = fate as Extract<Fate, { kind: "turned-away" }>;
    const headers: [string, string][] = retryAfter === undefined ? [] : [["Retry-After", retryAfter]];
    give(
      client,
      withBody(
        { first: `HTTP/1.1 ${status} ${REASONS[status]}`, headers, body: Buffer.alloc(0) },
        Buffer.from(REASONS[status]),
      ),
    );
  },
  half: async ({ client, send }) => {
    const answer = await send();
    if (answer === undefined) return client.resetAndDestroy() && undefined;
    const bytes = bytesOf(answer);
    client.end(bytes.subarray(0, bytes.length - Math.ceil(answer.body.length / 2)));
  },
  "wrong-length": async ({ client, send }) => {
    const answer = await send();
    if (answer === undefined) return client.resetAndDestroy() && undefined;
    // The length is too short. The client ends the body in its middle, and the rest stands where the next answer should be.
    const short = withHeaders(answer, { "content-length": String(Math.floor(answer.body.length / 2)) });
    client.end(bytesOf(short));
  },
  "bad-gzip": async ({ client, send }) => {
    const answer = await send();
    give(client, answer && withHeaders(answer, { "content-encoding": "gzip" }));
  },
  reordered: async ({ client, send, random }) => {
    const answer = await send();
    give(client, answer && entriesOf(answer, (entries) => entries.toSorted(() => random() - 0.5)));
  },
  shifted: async ({ client, passing, request, send, random }) => {
    const offset = Math.max(0, Number(passing.query.get("offset") ?? 0) + (random() < 0.5 ? -1 : 1));
    const query = new URLSearchParams(passing.query);
    query.set("offset", String(offset));
    give(client, await send({ ...request, first: `GET ${passing.path}?${query} HTTP/1.1` }));
  },
};

/** A listing with its entries changed. Another answer stays as it is. */
function entriesOf(answer: Message, change: (entries: readonly unknown[]) => readonly unknown[]): Message {
  const envelope = JSON.parse(answer.body.toString("utf8")) as { data?: { entries?: unknown } };
  const entries = envelope.data?.entries;
  if (!Array.isArray(entries)) return answer;
  const changed = { ...envelope, data: { ...envelope.data, entries: change(entries) } };
  return withBody(answer, Buffer.from(JSON.stringify(changed)));
}
