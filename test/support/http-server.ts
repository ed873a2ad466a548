/**
 * A real HTTP server on a free port that answers as a test says, badly if it likes, and remembers what it was asked.
 */
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

/** What to answer. */
export interface Reply {
  /** 200 unless said otherwise. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as it is. */
  readonly body?: string | Uint8Array;
  /**
   * What goes wrong: `reset` ends the connection before any answer, `cut` after half of the body, `silence` never answers,
   * `drip` sends the body a byte at a time without an end.
   */
  readonly fault?: "reset" | "cut" | "silence" | "drip";
}

export interface ScriptedServer {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  readonly requests: readonly Received[];
  close(): Promise<void>;
}

/** Answers each request with what the script says, given the request and how many came before it. */
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
