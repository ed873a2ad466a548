/**
 * A TCP proxy that does what well-meant machines on the way do. It sends a request again that was answered already, or delivers it long after its
 * sender is gone. It takes one request a connection, on sockets alone.
 */
import { type AddressInfo, createConnection, createServer, type Socket } from "node:net";

/**
 * The fate of a request. It goes through once, or twice, or twice without an answer. Or it goes through and is answered by a redirect. Or it goes
 * nowhere, and gets the answer of the earlier one of its kind. Or it waits until it is released.
 */
export type Delivery = "once" | "twice" | "twice, unanswered" | "redirected" | "replayed" | "held";

export interface RepeatingProxy extends AsyncDisposable {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  /** Requests that wait. */
  readonly held: () => number;
  /** Delivers the requests that wait, even when their senders are gone. @returns when each was answered */
  letGo(): Promise<void>;
}

const REDIRECT =
  "HTTP/1.1 302 Found\r\nlocation: https://elsewhere.example/login\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";

/** Starts a proxy. `deliver` is asked once a request, with its method, its path without the query, and its number among those of its kind. */
export async function startRepeatingProxy(
  target: string,
  deliver: (method: string, path: string, index: number) => Delivery,
): Promise<RepeatingProxy> {
  const { port: targetPort, hostname } = new URL(target);
  const counts = new Map<string, number>();
  const answers = new Map<string, Buffer>();
  const waiting: (() => Promise<void>)[] = [];
  const sockets = new Set<Socket>();

  /** Sends a whole request on a connection of its own. @returns the whole answer */
  const carry = (request: Buffer): Promise<Buffer> =>
    new Promise((resolve) => {
      const chunks: Buffer[] = [];
      const upstream = createConnection(Number(targetPort), hostname, () => upstream.write(request));
      upstream.on("data", (chunk) => chunks.push(chunk));
      upstream.on("error", () => undefined);
      upstream.on("close", () => resolve(Buffer.concat(chunks)));
    });

  const serve = async (client: Socket, request: Buffer, method: string, path: string) => {
    const name = `${method} ${path}`;
    const index = counts.get(name) ?? 0;
    counts.set(name, index + 1);
    const delivery = deliver(method, path, index);
    const answer = async () => {
      const before = delivery === "replayed" ? answers.get(name) : undefined;
      if (before !== undefined) {
        client.end(before);
        return;
      }
      const isTwice = delivery === "twice" || delivery === "twice, unanswered";
      const [first] = await Promise.all(isTwice ? [carry(request), carry(request)] : [carry(request)]);
      if (delivery === "twice, unanswered") {
        client.destroy();
        return;
      }
      answers.set(name, first);
      if (!client.destroyed) client.end(delivery === "redirected" ? REDIRECT : first);
    };
    if (delivery === "held") waiting.push(answer);
    else await answer();
  };

  const server = createServer((client) => {
    sockets.add(client);
    client.on("error", () => undefined);
    client.on("close", () => sockets.delete(client));
    let received = Buffer.alloc(0);
    client.on("data", (chunk) => {
      received = Buffer.concat([received, chunk]);
      const request = wholeRequest(received);
      if (request === undefined) return;
      received = Buffer.alloc(0);
      void serve(client, request.bytes, request.method, request.path);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    held: () => waiting.length,
    letGo: async () => {
      await Promise.all(waiting.splice(0).map((answer) => answer()));
    },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** A request once all of it is there, told to end its connection. */
function wholeRequest(received: Buffer) {
  const end = received.indexOf("\r\n\r\n");
  if (end === -1) return undefined;
  const head = received.subarray(0, end).toString("latin1");
  const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
  if (received.length < end + 4 + length) return undefined;
  const [, method = "", path = ""] = /^([A-Z]+) ([^ ?]+)/.exec(head) ?? [];
  const closing = `${head.replace(/\r\nconnection:[^\r]*/i, "")}\r\nconnection: close\r\n\r\n`;
  const body = received.subarray(end + 4, end + 4 + length);
  return { bytes: Buffer.concat([Buffer.from(closing, "latin1"), body]), method, path };
}
