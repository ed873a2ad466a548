/**
 * An HTTP proxy that carries every request to the service, and gives the answers to saves to the wrong senders. It is a machine on the way that mixes
 * up its connections.
 */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** A request that the service answered, before its sender has the answer. */
export interface Answered {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** Its number among the requests that `isMeant` chose, from 0. */
  readonly index: number;
  /** The body of the service's answer. */
  readonly body: string;
}

/** The body that the sender gets. */
export type Confused = string | undefined;

export interface ConfusingProxy extends AsyncDisposable {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
}

/**
 * Starts a proxy.
 *
 * @param isMeant chooses requests by method and path. All others pass
 * @param confuse gives the body that the sender of a chosen request gets; undefined where its connection is cut without an answer
 * @param headers are put into an answer
 */
export async function startConfusingProxy(
  target: string,
  isMeant: (method: string, path: string) => boolean,
  confuse: (answered: Answered) => Confused | Promise<Confused>,
  headers: (method: string, path: string) => Readonly<Record<string, string>> = () => ({}),
): Promise<ConfusingProxy> {
  let count = 0;
  const server = createServer(async (request, response) => {
    const { method = "GET", url = "/" } = request;
    const path = url.split("?")[0] ?? "";
    const index = isMeant(method, path) ? count++ : undefined;
    const { host: _host, connection: _connection, ...asked } = request.headers;
    const body = await bytesOf(request);
    const answer = await fetch(`${target}${url}`, {
      method,
      headers: asked as Record<string, string>,
      ...(body.length > 0 && { body }),
    });
    const own = await answer.text();
    const given = index === undefined ? own : await confuse({ method, path, index, body: own });
    if (given === undefined) {
      request.socket.destroy();
      return;
    }
    response.writeHead(answer.status, {
      "content-type": "application/json",
      date: answer.headers.get("date") ?? "",
      ...headers(method, path),
    });
    response.end(given);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function bytesOf(request: IncomingMessage): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Gives two neighbouring answers to each other's senders. `pairs` chooses by the number of the first. */
export function swapping(pairs: (first: number) => boolean): (answered: Answered) => Promise<string> {
  const waiting = new Map<number, (body: string) => void>();
  const bodies = new Map<number, Promise<string>>();
  const bodyOf = (index: number) => {
    const known = bodies.get(index);
    if (known !== undefined) return known;
    const { promise, resolve } = Promise.withResolvers<string>();
    waiting.set(index, resolve);
    bodies.set(index, promise);
    return promise;
  };
  return ({ index, body }) => {
    const first = index - (index % 2);
    if (!pairs(first)) return Promise.resolve(body);
    void bodyOf(index);
    waiting.get(index)?.(body);
    return bodyOf(index === first ? first + 1 : first);
  };
}

/** How often answers are confused at random, as shares of 1. */
export interface Shares {
  readonly swapped: number;
  readonly ofAnother: number;
  readonly dropped: number;
}

/** A swap without a partner in so many milliseconds does not happen: the last answers of a run have no other answer to swap with. */
const PARTNER_MS = 300;

/**
 * Confuses answers at random. Two answers under way together are exchanged, one names a record that was made before, or one is dropped after the
 * service did its work. At most one of these happens to an answer.
 */
export function mixing(random: () => number, shares: Shares): (answered: Answered) => Confused | Promise<Confused> {
  const made: string[] = [];
  let waiting: ((body: string) => string) | undefined;
  return ({ body }) => {
    const chance = random();
    const earlier = made[Math.floor(random() * made.length)];
    made.push(/"id":"([^"]+)"/.exec(body)?.[1] ?? "");
    if (chance < shares.dropped) return undefined;
    if (chance < shares.dropped + shares.ofAnother)
      return earlier === undefined ? body : body.replace(/"id":"[^"]+"/, `"id":"${earlier}"`);
    if (chance > shares.dropped + shares.ofAnother + shares.swapped) return body;
    if (waiting !== undefined) {
      const theirs = waiting(body);
      waiting = undefined;
      return theirs;
    }
    const { promise, resolve } = Promise.withResolvers<string>();
    const alone = setTimeout(() => {
      waiting = undefined;
      resolve(body);
    }, PARTNER_MS);
    waiting = (other) => {
      clearTimeout(alone);
      resolve(other);
      return body;
    };
    return promise;
  };
}
