/**
 * HTTP/1.1 as bytes on a TCP connection, as far as a proxy in the middle must read it. It is written for the proxy of this folder alone, over
 * `node:net`. It shares nothing with the service, its faults, or the way logferry's client reads answers.
 */
import { createConnection, type Socket } from "node:net";

/** A request or an answer. */
export interface Message {
  /** `GET /path HTTP/1.1`, `HTTP/1.1 200 OK` */
  readonly first: string;
  /** In order, as they came. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

const END_OF_HEAD = "\r\n\r\n";

/** The value of a header. */
export function header({ headers }: Message, name: string): string | undefined {
  return headers.find(([one]) => one.toLowerCase() === name)?.[1];
}

/** The same message with other headers. Each of these replaces the header of its name, and undefined removes it. */
export function withHeaders(message: Message, others: Readonly<Record<string, string | undefined>>): Message {
  const kept = message.headers.filter(([name]) => !(name.toLowerCase() in others));
  const added = Object.entries(others).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return { ...message, headers: [...kept, ...added] };
}

/** The same message with another body, and its right length. */
export function withBody(message: Message, body: Buffer): Message {
  const plain = withHeaders(message, { "transfer-encoding": undefined, "content-length": String(body.length) });
  return { ...plain, body };
}

/** Its bytes. */
export function bytesOf({ first, headers, body }: Message): Buffer {
  const head = [first, ...headers.map(([name, value]) => `${name}: ${value}`)].join("\r\n");
  return Buffer.concat([Buffer.from(`${head}${END_OF_HEAD}`, "latin1"), body]);
}

/** Takes messages out of the bytes of a connection, one after the other. */
export class Reader {
  #bytes = Buffer.alloc(0);

  add(bytes: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, bytes]);
  }

  /**
   * The next message, once all of it is there.
   *
   * @param isOver whether the connection brings nothing more: then a body without a length is whole
   */
  next(isOver = false): Message | undefined {
    const end = this.#bytes.indexOf(END_OF_HEAD);
    if (end === -1) return undefined;
    const [first = "", ...lines] = this.#bytes.subarray(0, end).toString("latin1").split("\r\n");
    const headers = lines.map((line): [string, string] => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    });
    const rest = this.#bytes.subarray(end + END_OF_HEAD.length);
    const found = bodyOf({ first, headers, body: Buffer.alloc(0) }, rest, isOver);
    if (found === undefined) return undefined;
    this.#bytes = rest.subarray(found.length);
    return { first, headers, body: found.body };
  }
}

/** A body at the beginning of these bytes, and the number of bytes it takes. */
function bodyOf(head: Message, bytes: Buffer, isOver: boolean): { body: Buffer; length: number } | undefined {
  if (header(head, "transfer-encoding")?.toLowerCase() === "chunked") return chunksOf(bytes);
  const length = header(head, "content-length");
  if (length === undefined && head.first.startsWith("HTTP/"))
    return isOver ? { body: bytes, length: bytes.length } : undefined;
  const size = Number(length ?? 0);
  return bytes.length < size ? undefined : { body: Buffer.from(bytes.subarray(0, size)), length: size };
}

function chunksOf(bytes: Buffer): { body: Buffer; length: number } | undefined {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const line = bytes.indexOf("\r\n", at);
    if (line === -1) return undefined;
    const size = Number.parseInt(bytes.subarray(at, line).toString("latin1"), 16);
    const end = line + 2 + size + 2;
    if (bytes.length < end) return undefined;
    chunks.push(bytes.subarray(line + 2, line + 2 + size));
    if (size === 0) return { body: Buffer.concat(chunks), length: end };
    at = end;
  }
}

/** Sends a request over a connection of its own and reads the whole answer; undefined when none came. */
export function ask(port: number, request: Message, sockets: Set<Socket>): Promise<Message | undefined> {
  return new Promise((resolve) => {
    const socket = createConnection(port, "127.0.0.1");
    const reader = new Reader();
    sockets.add(socket);
    socket.on("data", (bytes) => reader.add(bytes));
    socket.on("error", () => undefined);
    socket.on("close", () => {
      sockets.delete(socket);
      resolve(reader.next(true));
    });
    socket.write(bytesOf(withHeaders(request, { connection: "close" })));
  });
}
