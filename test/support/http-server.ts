/** A real HTTP server on a free port. It answers as a test says, also badly, and remembers its requests. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request, as it arrived. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

/** The answer to a request. */
export interface Reply {
  /** Default 200. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent unchanged. */
  readonly body?: string | Uint8Array;
  /**
   * The fault of the answer. `reset` ends the connection before any answer, and `cut` ends it after half of the body. `silence` never answers. `drip`
   * sends the body a byte at a time without an end.
   */
  readonly fault?: "reset" | "cut" | "silence" | "drip";
}

export interface ScriptedServer {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  readonly requests: readonly Received[];
  close(): Promise<void>;
}

/** Sends a request on to a service, and gives its answer. @param url the address of the service */
export async function passOn(url: string, { method, path, query, headers, body }: Received): Promise<Reply> {
  const answer = await fetch(`${url}${path}?${query}`, {
    method,
    headers: { ...(headers["content-type"] !== undefined && { "content-type": headers["content-type"] }) },
    ...(method !== "GET" && { body: new Uint8Array(body) }),
  });
  return { status: answer.status, body: await answer.text() };
}

/** Answers each request as the script says. The script gets the request and the number of requests before it. */
export async function startServer(
  script: (request: Received, index: number) => Reply | Promise<Reply>,
): Promise<ScriptedServer> {
  const requests: Received[] = [];
  const server = createServer(async (message, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of message) chunks.push(chunk as Buffer);
    const url = new URL(message.url ?? "/", "http://server");
    const request = {
      method: message.method ?? "",
      path: message.url?.split("?")[0] ?? "",
      query: url.searchParams,
      headers: message.headers,
      body: Buffer.concat(chunks),
    };
    requests.push(request);
    answer(response, await script(request, requests.length - 1));
  });
  // By default, Node closes a connection that was idle for 6 s. If the process of the test stands still meanwhile, it does so although the next request is
  // already there, and the client takes that for a lost answer. A test that wants lost answers says so in its script.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A script that gives these replies one after the other, and the last for ever. */
export function inTurn(...replies: readonly Reply[]): (request: Received, index: number) => Reply {
  return (_request, index) => replies[Math.min(index, replies.length - 1)] ?? { status: 500 };
}

function answer(response: ServerResponse, reply: Reply): void {
  const body = Buffer.from(
    reply.body === undefined ? (reply.json === undefined ? "" : JSON.stringify(reply.json)) : reply.body,
  );
  if (reply.fault === "silence") return;
  if (reply.fault === "reset") {
    response.socket?.resetAndDestroy();
    return;
  }
  const isDrip = reply.fault === "drip";
  response.writeHead(reply.status ?? 200, {
    "content-type": "application/json",
    ...(!isDrip && { "content-length": String(body.length) }),
    ...reply.headers,
  });
  if (reply.fault === "cut") {
    response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.destroy());
  } else if (isDrip) {
    const timer = setInterval(() => response.write(" "), 10);
    response.on("close", () => clearInterval(timer));
  } else response.end(body);
}
