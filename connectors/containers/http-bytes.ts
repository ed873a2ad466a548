/**
 * The bytes of a file behind an address, read by HTTP ranges. Of a zip of 5 GB only its list and the entries that are wanted cross the network. Every
 * answer must belong to the file that was found first: same size, same ETag. A failure is a FatalError, because it concerns every entry: nothing is
 * rejected for a network that is down.
 *
 * Source: RFC 9110, sections 13.1.1 (If-Match), 14.2 (Range) and 14.4 (Content-Range).
 */
import { setTimeout as sleepFor } from "node:timers/promises";
import { Agent, type Dispatcher } from "undici";
import { isLoopbackHost } from "../../transforms/text/loopback-host.ts";
import { printable } from "../../transforms/text/printable.ts";
import { FatalError } from "../errors.ts";
import type { FillingBytes } from "./bytes.ts";

/** Times in milliseconds. */
const LIMITS = { connectMs: 10_000, headersMs: 60_000, bodyMs: 30_000 } as const;

/** Tries of one range. Between them logferry waits 1, 2, 4 and 8 seconds, or as long as the server says, up to a minute. */
const TRIES = 5;
const LONGEST_WAIT_MS = 60_000;

const MOST_REDIRECTS = 5;

/** A file behind an address. */
export interface HttpBytes extends FillingBytes {
  close(): Promise<void>;
}

/** One answer. */
interface Answer {
  readonly status: number;
  readonly headers: Dispatcher.ResponseData["headers"];
  readonly body: Buffer;
}

/**
 * Finds the file.
 *
 * @param address whole, with its query
 * @param name for messages, which never show the address
 * @param sleep waits between two tries
 * @throws FatalError reason `source`: `archive/bad-address`, `archive/not-found`, `archive/no-ranges`, `archive/unreadable`
 */
export async function openHttpBytes(
  address: string,
  name: string,
  sleep: (ms: number) => Promise<unknown> = sleepFor,
): Promise<HttpBytes> {
  const agent = new Agent({
    connect: { timeout: LIMITS.connectMs, rejectUnauthorized: true },
    headersTimeout: LIMITS.headersMs,
    bodyTimeout: LIMITS.bodyMs,
  });
  try {
    const file = new HttpFile(agent, checked(address, name), name, sleep);
    await file.find();
    return file;
  } catch (error) {
    await agent.destroy();
    throw error;
  }
}

function checked(address: string, name: string): URL {
  const url = URL.parse(address);
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopbackHost(url.hostname));
  if (url !== null && isSafe) return url;
  throw new FatalError(
    "archive/bad-address",
    "source",
    `Cannot open ${printable(name)}: its address must begin with https://`,
  );
}

class HttpFile implements HttpBytes {
  readonly #agent: Agent;
  readonly #name: string;
  readonly #sleep: (ms: number) => Promise<unknown>;
  #url: URL;
  #size = 0;
  #etag: string | undefined;

  constructor(agent: Agent, url: URL, name: string, sleep: (ms: number) => Promise<unknown>) {
    this.#agent = agent;
    this.#url = url;
    this.#name = name;
    this.#sleep = sleep;
  }

  get sizeBytes(): number {
    return this.#size;
  }

  async find(): Promise<void> {
    // A signed address allows GET alone. So the size comes from the answer about the first bytes, and not from HEAD.
    const { headers, status } = await this.#ask(0, 4);
    const size = totalOf(headers);
    if (status === 206 && size !== undefined && rangeOf(headers)?.from !== 0) throw this.#error(...OTHER_PART);
    if (status !== 206 || size === undefined)
      throw this.#error("archive/no-ranges", "its server doesn't give parts of files; download it and name the file");
    this.#size = size;
    this.#etag = textOf(headers.etag);
  }

  async read(offset: number, length: number): Promise<Buffer> {
    if (length === 0) return Buffer.alloc(0);
    const { status, headers, body } = await this.#ask(offset, length);
    const isSame = totalOf(headers) === this.#size && (this.#etag === undefined || textOf(headers.etag) === this.#etag);
    if (status === 412 || status === 416 || !isSame)
      throw this.#error("archive/changed", "it changed since logferry began to read it");
    const range = rangeOf(headers);
    if (status === 206 && (range?.from !== offset || range.to !== offset + length - 1))
      throw this.#error(...OTHER_PART);
    if (status !== 206 || body.length !== length)
      throw this.#error("archive/unreadable", `its server answered ${body.length} bytes in place of ${length}`);
    return body;
  }

  async fill(target: Buffer, offset: number): Promise<void> {
    (await this.read(offset, target.length)).copy(target);
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }

  /** Asks for a range until there is an answer to keep. */
  async #ask(offset: number, length: number): Promise<Answer> {
    for (let tried = 1; ; tried++) {
      const answer = await this.#once(offset, length).catch((error: unknown) => {
        if (error instanceof FatalError || tried === TRIES) throw this.#asFatal(error);
        return undefined;
      });
      if (answer !== undefined && answer.status !== 429 && answer.status < 500) return this.#accepted(answer);
      if (tried === TRIES) throw this.#error("archive/unreadable", `its server answers with ${answer?.status}`);
      await this.#sleep(Math.min(LONGEST_WAIT_MS, waitOf(answer) ?? 1000 * 2 ** (tried - 1)));
    }
  }

  async #once(offset: number, length: number): Promise<Answer> {
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
      const { statusCode, headers, body } = await this.#agent.request({
        origin: this.#url.origin,
        path: `${this.#url.pathname}${this.#url.search}`,
        method: "GET",
        headers: {
          range: `bytes=${offset}-${offset + length - 1}`,
          "accept-encoding": "identity",
          // A weak ETag must not stand in If-Match.
          ...(this.#etag !== undefined && !this.#etag.startsWith("W/") && { "if-match": this.#etag }),
        },
      });
      if (statusCode >= 300 && statusCode < 400) {
        await body.dump();
        this.#follow(textOf(headers.location));
        continue;
      }
      return { status: statusCode, headers, body: await bytesOf(body, statusCode === 206 ? length : 0) };
    }
    throw this.#error("archive/unreadable", "its server redirects without end");
  }

  #follow(location: string | undefined): void {
    const next = location === undefined ? null : URL.parse(location, this.#url.href);
    // From https there is no way back to plain HTTP, not even to this machine.
    const isDowngrade = this.#url.protocol === "https:" && next?.protocol !== "https:";
    if (next === null || isDowngrade)
      throw this.#error("archive/unreadable", "its server redirects to an unsafe place");
    this.#url = checked(next.href, this.#name);
  }

  #accepted(answer: Answer): Answer {
    const { status } = answer;
    if (status === 401 || status === 403)
      throw this.#error(
        "archive/unreadable",
        `its server refuses it (${status}); the address may have expired, get a new one`,
      );
    if (status === 404 || status === 410)
      throw this.#error("archive/not-found", `its server has no such file (${status})`);
    if (status === 200)
      throw this.#error("archive/no-ranges", "its server doesn't give parts of files; download it and name the file");
    return answer;
  }

  /** The error's own text may have the address, so only its code is used: in words, and small at the end. */
  #asFatal(error: unknown): FatalError {
    if (error instanceof FatalError) return error;
    const { code = "no answer" } = error as NodeJS.ErrnoException;
    const words = FAILURES.find(([theirs]) => theirs.test(code))?.[1] ?? "its server can't be reached";
    return this.#error("archive/unreadable", `${words} (${code})`);
  }

  #error(rule: string, state: string): FatalError {
    return new FatalError(rule, "source", `Cannot read ${printable(this.#name)}: ${state}`);
  }
}

/** Failed connections, in words, by the code of the error. */
const FAILURES: readonly (readonly [code: RegExp, words: string])[] = [
  [/^(UND_ERR_SOCKET|ECONNRESET|EPIPE)$/, "its server ended the connection before the answer was complete"],
  [/^(UND_ERR_\w*TIMEOUT|ETIMEDOUT)$/, "its server doesn't answer in time"],
  [/^ECONNREFUSED$/, "nobody answers at its address"],
  [/^(ENOTFOUND|EAI_AGAIN)$/, "the name of its server can't be found; check the address and your network"],
  [/^CERT_HAS_EXPIRED$/, "the certificate of its server has expired"],
  [/^CERT_NOT_YET_VALID$/, "the certificate of its server is not valid yet, or this computer's clock is wrong"],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, "the certificate of its server is for another host"],
  [
    /^(DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/,
    "this computer does not trust the authority that signed the certificate of its server",
  ],
];

/** A part that nobody asked for would be read as another one. */
const OTHER_PART = [
  "archive/unreadable",
  "its server answered with another part of the file than logferry asked for; download it and name the file",
] as const;

/** Reads at most `most` bytes. A server may send more than it was asked for. */
async function bytesOf(body: Dispatcher.ResponseData["body"], most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > most) break;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The size of the whole file: `bytes 0-3/12345`. */
function totalOf(headers: Answer["headers"]): number | undefined {
  return rangeOf(headers)?.total;
}

/** The part in an answer, its first and its last byte. */
function rangeOf(headers: Answer["headers"]) {
  const found = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/.exec(textOf(headers["content-range"]) ?? "");
  return found === null ? undefined : { from: Number(found[1]), to: Number(found[2]), total: Number(found[3]) };
}

function waitOf(answer: Answer | undefined): number | undefined {
  const seconds = /^\d{1,6}$/.exec(textOf(answer?.headers["retry-after"]) ?? "")?.[0];
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}

function textOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
