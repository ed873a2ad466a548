/**
 * A TCP proxy in front of a service, for faults between two machines. An address has no listener, a connection is reset before a byte was read, bytes
 * never arrive, or an answer drips.
 */

import type { AddressInfo } from "node:net";
import { createConnection, createServer, type Server, type Socket } from "node:net";

/** The fate of a request on its way. */
export type Fate =
  | "pass"
  /** The connection is reset, and the service sees nothing of the request. */
  | "reset"
  /** Its bytes go nowhere, and the connection stays. */
  | "swallow"
  /** It is done, and the connection is reset in place of the answer. */
  | "reset-answer"
  /** It is done, and answered a byte at a time, `DRIP_MS` apart. */
  | "drip";

const DRIP_MS = 50;

export interface FaultProxy extends AsyncDisposable {
  /** `http://127.0.0.1:PORT`, the same while it lives. */
  readonly url: string;
  /** Bytes of bodies and heads that the proxy passed to the service. */
  readonly forwarded: () => number;
  /** Stops listening, and closes open connections. */
  down(): Promise<void>;
  /** Listens again, at the same address. */
  up(): Promise<void>;
  /** Resets every connection that is open. */
  resetAll(): void;
}

/** Starts a proxy. `fate` is asked once a request, with its method and its path without the query. */
export async function startProxy(
  target: string,
  fate: (method: string, path: string) => Fate = () => "pass",
): Promise<FaultProxy> {
  const { port: targetPort, hostname } = new URL(target);
  const sockets = new Set<Socket>();
  let forwarded = 0;

  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
  };
  const serve = (client: Socket) => {
    const upstream = createConnection(Number(targetPort), hostname);
    keep(client);
    keep(upstream);
    let now: Fate = "pass";
    client.on("data", (bytes) => {
      const head = /^(GET|POST|PUT) ([^ ?]+)/.exec(bytes.subarray(0, 300).toString("latin1"));
      if (head !== null) now = fate(head[1] ?? "", head[2] ?? "");
      if (now === "reset") client.resetAndDestroy();
      if (now === "reset" || now === "swallow") return;
      forwarded += bytes.length;
      upstream.write(bytes);
    });
    upstream.on("data", (bytes) => {
      if (now === "reset-answer") client.resetAndDestroy();
      else if (now === "drip") drip(client, bytes);
      else client.write(bytes);
    });
    client.on("close", () => upstream.destroy());
    upstream.on("close", () => client.destroy());
  };

  const listen = (at: number) =>
    new Promise<Server>((resolve) => {
      const one = createServer(serve).listen(at, "127.0.0.1", () => resolve(one));
    });
  let server = await listen(0);
  const { port } = server.address() as AddressInfo;
  const resetAll = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  const down = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  return {
    url: `http://127.0.0.1:${port}`,
    forwarded: () => forwarded,
    down,
    async up() {
      server = await listen(port);
    },
    resetAll,
    [Symbol.asyncDispose]: down,
  };
}

function drip(client: Socket, bytes: Buffer): void {
  let at = 0;
  const timer = setInterval(() => {
    if (at >= bytes.length) clearInterval(timer);
    else client.write(bytes.subarray(at, ++at));
  }, DRIP_MS);
  client.on("close", () => clearInterval(timer));
}
