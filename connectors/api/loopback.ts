/**
 * Waits on this machine until the browser comes back from the log's page: "an `http://localhost` address with a port". Other calls at the
 * port (from a web page, another program, a browser looking for an icon) are refused and change nothing. The one expected answer is taken
 * once, and then the port is closed.
 *
 * Source: RFC 8252, sections 7.3 and 8.3.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { FatalError } from "../errors.ts";
import { type Clock, systemClock } from "./clock.ts";

/** Milliseconds that a person may take to sign in and decide. */
export const LONGEST_LOGIN_MS = 300_000;

/** The path of the redirect. Calls to other paths on the port are refused. */
const PATH = "/";

/** Most ports to try, until one is free under both addresses of this machine. */
const PORTS_TRIED = 20;

/**
 * Listens on a free port.
 *
 * @throws FatalError `login/no-port` when this machine has no free port
 */
export async function openLoopback(clock: Pick<Clock, "sleep"> = systemClock): Promise<LoopbackReceiver> {
  const receiver = new LoopbackReceiver(clock);
  await receiver.listen();
  return receiver;
}

/** The checked parts of a call at the port. */
export interface Call {
  readonly remoteAddress: string | undefined;
  readonly method: string | undefined;
  /** Path and query. */
  readonly url: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** The answer to a refused call. */
interface Refusal {
  readonly status: number;
  readonly says: string;
}

/** Reasons why a call is not the browser coming back. The first matching row counts. */
const REFUSALS: readonly (Refusal & { readonly isSo: (call: Call, port: number) => boolean })[] = [
  {
    isSo: ({ remoteAddress }) => !/^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/.test(remoteAddress ?? ""),
    status: 403,
    says: "This address is for this machine alone.",
  },
  {
    // Another host name that leads here belongs to a web site that pointed it at this machine.
    isSo: ({ headers }, port) => !HOSTS.some((host) => headers.host === `${host}:${port}`),
    status: 421,
    says: "Nothing is served under this name.",
  },
  { isSo: ({ method }) => method !== "GET", status: 405, says: "Only a browser that comes back is waited for." },
  {
    // A browser sends no origin when it follows a redirect. A script of a page sends one.
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

/** The reason to refuse a call; undefined for a call that may hold the answer. */
export function refusalOf(call: Call, port: number): Refusal | undefined {
  return REFUSALS.find(({ isSo }) => isSo(call, port));
}

const TAKEN = { status: 200, heading: "logferry has its answer", says: "You can close this window and go back to it." };
const FOREIGN = { status: 400, says: "This is not the answer to the login that is under way." };
const OVER = { status: 410, says: "The login is over. You can close this window." };

/** Waits for one answer. */
export class LoopbackReceiver {
  readonly #clock: Pick<Clock, "sleep">;
  #servers: Server[] = [];
  #port = 0;
  #state: "idle" | "waiting" | "over" = "idle";
  #isOurs: (answer: URLSearchParams) => boolean = () => false;
  #onForeign: (() => void) | undefined;
  #take: (answer: URLSearchParams) => void = () => undefined;
  /** Number of refused calls that held an answer, but not to this login: with another `state`, or none. */
  foreign = 0;

  constructor(clock: Pick<Clock, "sleep">) {
    this.#clock = clock;
  }

  /** `http://localhost:PORT/`: the redirect address of the login. */
  get redirectUri(): string {
    return `http://localhost:${this.#port}${PATH}`;
  }

  /**
   * The addresses that we listen on: `127.0.0.1`, and `::1` if this machine has it, so that no other program can answer for `localhost`.
   */
  get addresses(): readonly string[] {
    return this.#servers.map((server) => (server.address() as AddressInfo).address);
  }

  async listen(): Promise<void> {
    for (let tried = 0; tried < PORTS_TRIED; tried++) {
      const first = await this.#listenOn("127.0.0.1", 0);
      if (typeof first === "string") break;
      const { port } = first.address() as AddressInfo;
      // A browser may use either address for `localhost`. If another program has the port under one of them, that program would get the
      // answer.
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

  /**
   * Waits for the answer. Call it once.
   *
   * @param isOurs whether an answer belongs to the login
   * @param onForeign called at the first answer that doesn't
   * @returns the query of the answer, with all its parameters
   * @throws FatalError `login/timeout` when none came within `LONGEST_LOGIN_MS`; the signal's reason when it is aborted
   */
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

  /** Closes the port. Safe to call twice. */
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
    // The body is not read. The connection ends with the answer.
    request.resume();
    const { method, url, headers, socket } = request;
    const answer = new URLSearchParams(url?.split("?").slice(1).join("?"));
    const refusal =
      refusalOf({ remoteAddress: socket.remoteAddress, method, url, headers }, this.#port) ?? this.#refuse(answer);
    if (refusal === undefined) {
      this.#state = "over";
      // Waits until the browser has the page or is gone. Then all other connections at the port are cut off.
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

/** Takes no more calls, cuts off open ones, and closes the port. */
function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** Sends a page of fixed words. It holds no part of the call, and may load and run nothing. */
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
