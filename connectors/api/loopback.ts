/**
 * Waits on this machine for the browser to come back from the log's page: "an `http://localhost` address with a port". Whatever
 * else calls at the port (a page of some web site, another program, a browser looking for an icon) is turned away and changes
 * nothing; the one answer that is waited for is taken once, and the port is let go of.
 *
 * Source: RFC 8252, sections 7.3 and 8.3.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { FatalError } from "../errors.ts";
import { type Clock, systemClock } from "./clock.ts";

/** How long a person may take to sign in and decide, in milliseconds. */
export const LONGEST_LOGIN_MS = 300_000;

/** Where the browser is sent back to; nothing else on the port answers. */
const PATH = "/";

/** Free ports tried until one is free under both addresses of this machine. */
const PORTS_TRIED = 20;

/** Waits for one answer. */
export interface LoopbackReceiver {
  /** `http://localhost:PORT/`: the redirect address of the login. */
  readonly redirectUri: string;
  /** What is listened on: `127.0.0.1`, and `::1` where this machine has it, so that `localhost` is nobody else's. */
  readonly addresses: readonly string[];
  /** How many calls were turned away that held an answer, but not to this login: another `state`, or none. */
  readonly foreign: number;
  /**
   * Waits for the answer; to be called once.
   *
   * @param isOurs says whether an answer belongs to the login
   * @param onForeign is told of the first answer that doesn't
   * @returns the query of the answer, whatever else it holds
   * @throws FatalError `login/timeout` when none came within `LONGEST_LOGIN_MS`; the signal's reason when it is aborted
   */
  answer(
    isOurs: (answer: URLSearchParams) => boolean,
    signal: AbortSignal,
    onForeign?: () => void,
  ): Promise<URLSearchParams>;
  /** Lets go of the port. Safe to call twice. */
  close(): Promise<void>;
}

/**
 * Listens on a free port.
 *
 * @throws FatalError `login/no-port` when this machine gives none
 */
export async function openLoopback(clock: Pick<Clock, "sleep"> = systemClock): Promise<LoopbackReceiver> {
  const receiver = new Receiver(clock);
  await receiver.listen();
  return receiver;
}

/** A call at the port, as far as it is looked at. */
export interface Call {
  readonly remoteAddress: string | undefined;
  readonly method: string | undefined;
  /** Path and query. */
  readonly url: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** A call that is turned away. */
interface Refusal {
  readonly status: number;
  readonly says: string;
}

/** Why a call is not the browser coming back; first row wins. */
const REFUSALS: readonly (Refusal & { readonly isSo: (call: Call, port: number) => boolean })[] = [
  {
    isSo: ({ remoteAddress }) => !/^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/.test(remoteAddress ?? ""),
    status: 403,
    says: "This address is for this machine alone.",
  },
  {
    // Another name that leads here is a web site's, which had it point at this machine.
    isSo: ({ headers }, port) => !HOSTS.some((host) => headers.host === `${host}:${port}`),
    status: 421,
    says: "Nothing is served under this name.",
  },
  { isSo: ({ method }) => method !== "GET", status: 405, says: "Only a browser that comes back is waited for." },
  {
    // A browser that follows a redirect sends none; a script of a page does.
    isSo: ({ headers }) => headers.origin !== undefined,
    status: 403,
    says: "Pages can't call here.",
  },
  {
    isSo: ({ headers }) => (headers["sec-fetch-mode"] ?? "navigate") !== "navigate",
    status: 403,
    says: "Pages can't call here.",
  },
  { isSo: ({ url }) => url?.split("?")[0] !== PATH, status: 404, says: "There is nothing here." },
];

const HOSTS = ["localhost", "127.0.0.1", "[::1]"] as const;

/** Why a call is turned away; undefined for one that may hold the answer. */
export function refusalOf(call: Call, port: number): Refusal | undefined {
  return REFUSALS.find(({ isSo }) => isSo(call, port));
}

const TAKEN = { status: 200, heading: "logferry has its answer", says: "You can close this window and go back to it." };
const FOREIGN = { status: 400, says: "This is not the answer to the login that is under way." };
const OVER = { status: 410, says: "The login is over. You can close this window." };

class Receiver implements LoopbackReceiver {
  readonly #clock: Pick<Clock, "sleep">;
  #servers: Server[] = [];
  #port = 0;
  #state: "idle" | "waiting" | "over" = "idle";
  #isOurs: (answer: URLSearchParams) => boolean = () => false;
  #onForeign: (() => void) | undefined;
  #take: (answer: URLSearchParams) => void = () => undefined;
  foreign = 0;

  constructor(clock: Pick<Clock, "sleep">) {
    this.#clock = clock;
  }

  get redirectUri(): string {
    return `http://localhost:${this.#port}${PATH}`;
  }

  get addresses(): readonly string[] {
    return this.#servers.map((server) => (server.address() as AddressInfo).address);
  }

  async listen(): Promise<void> {
    for (let tried = 0; tried < PORTS_TRIED; tried++) {
      const first = await this.#listenOn("127.0.0.1", 0);
      if (typeof first === "string") break;
      const { port } = first.address() as AddressInfo;
      // A browser may take `localhost` for either address: where another program has the port under one, it would get the answer.
      const second = await this.#listenOn("::1", port);
      if (second === "EADDRINUSE") {
        await closed(first);
        continue;
      }
      this.#servers = typeof second === "string" ? [first] : [first, second];
      this.#port = port;
      return;
    }
    throw new FatalError("login/no-port", "login", "Cannot wait for the browser: no port is free. Try --oob");
  }

  async answer(
    isOurs: (answer: URLSearchParams) => boolean,
    signal: AbortSignal,
    onForeign?: () => void,
  ): Promise<URLSearchParams> {
    const over = new AbortController();
    const arrived = new Promise<URLSearchParams>((resolve) => {
      this.#take = resolve;
    });
    this.#isOurs = isOurs;
    this.#onForeign = onForeign;
    this.#state = "waiting";
    const tooLate = this.#clock.sleep(LONGEST_LOGIN_MS, AbortSignal.any([signal, over.signal])).then(() => {
      throw new FatalError("login/timeout", "login", this.#timeoutMessage());
    });
    try {
      return await Promise.race([arrived, tooLate]);
    } finally {
      this.#state = "over";
      tooLate.catch(() => undefined);
      over.abort();
      await this.close();
    }
  }

  async close(): Promise<void> {
    this.#state = "over";
    const servers = this.#servers;
    this.#servers = [];
    await Promise.all(servers.map(closed));
  }

  #listenOn(host: string, port: number): Promise<Server | string> {
    const server = createServer({ maxHeaderSize: 16_384, headersTimeout: 10_000, requestTimeout: 10_000 });
    server.maxConnections = 64;
    server.on("request", (request: IncomingMessage, response: ServerResponse) => this.#respond(request, response));
    return new Promise((resolve) => {
      server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? "unknown"));
      server.listen({ host, port, exclusive: true, ipv6Only: host === "::1" }, () => resolve(server));
    });
  }

  #respond(request: IncomingMessage, response: ServerResponse): void {
    // What a caller sends besides is not read; its connection ends with the answer.
    request.resume();
    const { method, url, headers, socket } = request;
    const answer = new URLSearchParams(url?.split("?").slice(1).join("?"));
    const refusal =
      refusalOf({ remoteAddress: socket.remoteAddress, method, url, headers }, this.#port) ?? this.#refuse(answer);
    if (refusal === undefined) {
      this.#state = "over";
      // Once the page is with the browser, or the browser is gone: then everything else at the port is cut off.
      response.once("close", () => this.#take(answer));
    }
    show(response, refusal ?? TAKEN);
  }

  #refuse(answer: URLSearchParams): Refusal | undefined {
    if (this.#state === "over") return OVER;
    if (this.#state === "waiting" && this.#isOurs(answer)) return undefined;
    if (answer.size > 0 && this.foreign++ === 0) this.#onForeign?.();
    return FOREIGN;
  }

  #timeoutMessage(): string {
    const foreign = this.foreign === 0 ? "" : `; what came (${this.foreign}) was not the answer to this login`;
    return `Cannot log in: the browser didn't come back within ${LONGEST_LOGIN_MS / 60_000} minutes${foreign}. Begin again, or use --oob where there is no browser`;
  }
}

/** Takes no more calls, cuts off those that are under way, and gives the port back. */
function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** A page of fixed words: nothing of the call is in it, and it may load and do nothing. */
function show(response: ServerResponse, page: Refusal & { readonly heading?: string }): void {
  const heading = page.heading ?? "logferry";
  const body =
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
    `<meta name="color-scheme" content="light dark"><title>${heading}</title><h1>${heading}</h1><p>${page.says}</p></html>\n`;
  response.writeHead(page.status, {
    "content-type": "text/html; charset=utf-8",
    "content-length": String(Buffer.byteLength(body)),
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    connection: "close",
    ...(page.status === 405 && { allow: "GET" }),
  });
  response.end(body);
}
