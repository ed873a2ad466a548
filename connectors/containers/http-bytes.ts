/**
 * The bytes of a file behind an address, read by HTTP ranges. Of a zip of 5 GB only its list and the entries that are wanted cross the network. Every
 * answer must belong to the file that was found first: same size, same ETag. A failure is a FatalError, because it concerns every entry: nothing is
 * rejected for a network that is down.
 *
 * Source: RFC 9110, sections 13.1.1 (If-Match), 14.2 (Range) and 14.4 (Content-Range).
 */
import { setTimeout as sleepFor } from "node:timers/promises";
import { Agent } from "undici";
import { printable } from "../../transforms/text/printable.ts";
import { FatalError } from "../errors.ts";
import { isSafeAddress } from "./address.ts";
import type { FillingBytes } from "./bytes.ts";
import { type Answer, bodyOf, clockTime, rangeOf, remedyOf, textOf, waitOf, wordsOf } from "./http-answers.ts";
import type { OpenOptions } from "./options.ts";
import { ReceivedParts } from "./received-parts.ts";
import { roughSize } from "./sizes.ts";
import { WEB_PAGE } from "./web-page.ts";

/** Times in milliseconds. */
const LIMITS = { connectMs: 10_000, headersMs: 60_000, bodyMs: 30_000 } as const;

/**
 * Tries in a row that bring no byte more. Between them logferry waits 1, 2, 4 and 8 seconds, or as long as the server says. The bytes of an answer that
 * was cut are kept, and the next try asks for the rest.
 */
const TRIES = 5;

/** Of a longer wait, the time at which it ends is said. */
const SHORT_WAIT_MS = 60_000;

/** The time that failed answers and the waits after them may take altogether, for one archive. */
const LONGEST_TROUBLE_MS = 10 * 60_000;

const MOST_REDIRECTS = 5;

/** Trouble between two lines about answers that were cut. */
const SAY_AGAIN_MS = 10_000;

/** A file behind an address. */
export interface HttpBytes extends FillingBytes {
  /** Its ETag, where the server gives one. It differs for a file that changed. */
  readonly etag: string | undefined;
  close(): Promise<void>;
}

/** The clock, who is told of a wait, and what ends it. */
type Waiting = Pick<OpenOptions, "sleep" | "now" | "onWait" | "signal">;

/**
 * Finds the file.
 *
 * @param address whole, with its query
 * @param name for messages, which never show the address
 * @param waiting by default the clock's time
 * @throws FatalError reason `source`: `archive/bad-address`, `archive/not-found`, `archive/no-ranges`, `archive/web-page`, `archive/unreadable`. The
 *   reason of the signal once it is aborted, here and at every read
 */
export async function openHttpBytes(address: string, name: string, waiting: Waiting = {}): Promise<HttpBytes> {
  const agent = new Agent({
    connect: { timeout: LIMITS.connectMs, rejectUnauthorized: true },
    headersTimeout: LIMITS.headersMs,
    bodyTimeout: LIMITS.bodyMs,
  });
  try {
    const file = new HttpFile(agent, checked(address, name), name, waiting);
    await file.find();
    return file;
  } catch (error) {
    await agent.destroy();
    throw error;
  }
}

function checked(address: string, name: string): URL {
  const url = URL.parse(address);
  if (url !== null && isSafeAddress(address)) return url;
  throw new FatalError(
    "archive/bad-address",
    "source",
    `Cannot open ${printable(name)}: its address must begin with https://`,
  );
}

class HttpFile implements HttpBytes {
  readonly #agent: Agent;
  readonly #name: string;
  readonly #waiting: Required<Waiting>;
  /** The user and password of the address, for its own host alone. */
  readonly #login: { readonly origin: string; readonly authorization: string } | undefined;
  /** The host of the address. A redirect may lead to another one. */
  readonly #host: string;
  #url: URL;
  #size = 0;
  #etag: string | undefined;
  readonly #received = new ReceivedParts();
  #troubleMs = 0;
  /** The moment up to which trouble is counted, by the clock `now`. */
  #countedUntil = Number.NEGATIVE_INFINITY;
  #saidAgainMs = 0;

  constructor(agent: Agent, url: URL, name: string, waiting: Waiting) {
    const { sleep = sleepByClock, now = () => performance.now(), onWait = () => undefined } = waiting;
    const { signal = new AbortController().signal } = waiting;
    this.#agent = agent;
    this.#url = url;
    this.#host = url.host;
    this.#login = loginOf(url);
    this.#name = name;
    this.#waiting = { sleep, now, onWait, signal };
  }

  get sizeBytes(): number {
    return this.#size;
  }

  get etag(): string | undefined {
    return this.#etag;
  }

  async find(): Promise<void> {
    // A signed address allows GET alone. So the size comes from the answer about the first bytes, and not from HEAD.
    const { headers, status } = await this.#ask(0, 4);
    const size = rangeOf(headers)?.total;
    if (status === 206 && size !== undefined && rangeOf(headers)?.from !== 0) throw this.#error(...OTHER_PART);
    if (status !== 206 || size === undefined)
      throw this.#error("archive/no-ranges", "its server doesn't give parts of files; download it and name the file");
    this.#size = size;
    this.#etag = textOf(headers.etag);
  }

  async read(offset: number, length: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for (let have = 0; have < length; ) {
      const answer = await this.#ask(offset + have, length - have);
      this.#checkPart(answer, offset + have, length - have);
      parts.push(answer.body);
      this.#received.add(offset + have, answer.body.length);
      have += answer.body.length;
      if (answer.failure !== undefined && have < length) await this.#goOn(answer, answer.failure);
    }
    return Buffer.concat(parts);
  }

  #checkPart({ status, headers, body, failure }: Answer, offset: number, length: number): void {
    const range = rangeOf(headers);
    const isSame = range?.total === this.#size && (this.#etag === undefined || textOf(headers.etag) === this.#etag);
    if (status === 412 || status === 416 || !isSame)
      throw this.#error("archive/changed", "it changed since logferry began to read it");
    if (status === 206 && (range.from !== offset || range.to !== offset + length - 1)) throw this.#error(...OTHER_PART);
    if (status !== 206 || (failure === undefined && body.length !== length))
      throw this.#error("archive/unreadable", `its server answered ${body.length} bytes in place of ${length}`);
  }

  async fill(target: Buffer, offset: number): Promise<void> {
    (await this.read(offset, target.length)).copy(target);
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }

  /** Asks for a range until there is an answer to keep: a whole one, or the beginning of one that was cut. */
  async #ask(offset: number, length: number): Promise<Answer> {
    for (let tried = 1; ; tried++) {
      const answer = await this.#unlessStopped(this.#once(offset, length));
      const isBusy = answer.status === 429 || answer.status >= 500;
      const failure = answer.failure ?? (isBusy ? `its server answers with ${answer.status}` : undefined);
      const asked = waitOf(answer, Date.now());
      if (failure === undefined || answer.body.length > 0) return this.#accepted(answer);
      if (tried === TRIES)
        throw this.#givenUp(failure, `logferry tried ${TRIES} times in a row without a byte more`, asked);
      const ms = asked ?? 1000 * 2 ** (tried - 1);
      const when =
        ms === 0 ? "" : ms > SHORT_WAIT_MS ? ` at ${until(ms)}, as the server asks` : ` in ${Math.ceil(ms / 1000)} s`;
      await this.#pause(answer, failure, ms, `logferry tries again${when} (try ${tried + 1} of ${TRIES})`);
    }
  }

  /** Waits a second before the rest of an answer that was cut. A server that cuts every answer is told of now and then. */
  async #goOn(answer: Answer, failure: string): Promise<void> {
    const received = `${roughSize(this.#received.bytes)} of ${roughSize(this.#size)}`;
    const isDue = this.#troubleMs >= this.#saidAgainMs;
    if (isDue) this.#saidAgainMs = this.#troubleMs + SAY_AGAIN_MS;
    const next = `logferry keeps what came and asks for the rest (received ${received})`;
    await this.#pause(answer, failure, 1000, isDue ? next : undefined);
  }

  /** Waits before the next try, and says what is `next`, if the archive has not taken too long already. */
  async #pause(answer: Answer, failure: string, ms: number, next: string | undefined): Promise<void> {
    // Several reads may be under way at once. A minute in which two of them wait is one minute.
    const now = this.#waiting.now();
    const [from, end] = [Math.max(now - answer.tookMs, this.#countedUntil), now + ms];
    this.#troubleMs += Math.max(0, end - from);
    this.#countedUntil = Math.max(this.#countedUntil, end);
    if (this.#troubleMs > LONGEST_TROUBLE_MS) {
      const minutes = LONGEST_TROUBLE_MS / 60_000;
      if (ms > SHORT_WAIT_MS)
        throw this.#givenUp(
          failure,
          `It asks to wait until ${until(ms)}. logferry waits ${minutes} minutes altogether`,
          ms,
        );
      throw this.#givenUp(failure, `Failed answers and the waits after them took more than ${minutes} minutes`);
    }
    if (next !== undefined) this.#waiting.onWait(`${printable(this.#name)}: ${this.#atHost(failure)}. ${next}`);
    const { sleep, signal } = this.#waiting;
    await this.#unlessStopped(sleep(ms, signal));
  }

  /** What comes of some work, or the reason of the signal: whatever was aborted says it in words of its own. */
  async #unlessStopped<T>(work: Promise<T>): Promise<T> {
    const { signal } = this.#waiting;
    return work.finally(() => signal.throwIfAborted());
  }

  /** One answer. A connection that failed is an answer without a status. */
  async #once(offset: number, length: number): Promise<Answer> {
    this.#waiting.signal.throwIfAborted();
    const startedAt = this.#waiting.now();
    try {
      return await this.#followed(offset, length, startedAt);
    } catch (error) {
      if (error instanceof FatalError) throw error;
      const remedy = remedyOf(error);
      if (remedy !== undefined)
        throw this.#error("archive/unreadable", `${wordsOf(error)}. ${remedy}, or download the file and name it`);
      const tookMs = this.#waiting.now() - startedAt;
      return { status: 0, headers: {}, body: Buffer.alloc(0), failure: wordsOf(error), tookMs };
    }
  }

  async #followed(offset: number, length: number, startedAt: number): Promise<Answer> {
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
      const { statusCode, headers, body } = await this.#agent.request({
        origin: this.#url.origin,
        path: `${this.#url.pathname}${this.#url.search}`,
        method: "GET",
        signal: this.#waiting.signal,
        headers: {
          range: `bytes=${offset}-${offset + length - 1}`,
          "accept-encoding": "identity",
          // A redirect may lead to another host, and that host gets no password.
          ...(this.#login?.origin === this.#url.origin && { authorization: this.#login.authorization }),
          // A weak ETag must not stand in If-Match.
          ...(this.#etag !== undefined && !this.#etag.startsWith("W/") && { "if-match": this.#etag }),
        },
      });
      if (statusCode >= 300 && statusCode < 400) {
        await body.dump();
        this.#follow(statusCode, textOf(headers.location));
        continue;
      }
      const { now } = this.#waiting;
      const received = await bodyOf(body, statusCode === 206 ? length : 0, now);
      return { status: statusCode, headers, ...received, tookMs: now() - startedAt };
    }
    const times = `more than ${MOST_REDIRECTS} times in a row`;
    throw this.#error(
      "archive/unreadable",
      `its server redirects without end, ${times}; download it and name the file`,
    );
  }

  #follow(status: number, location: string | undefined): void {
    const next = location === undefined ? null : URL.parse(location, this.#url.href);
    if (next === null)
      throw this.#error(
        "archive/unreadable",
        `its server redirects (${status}), and doesn't say where to; download it and name the file`,
      );
    // From https there is no way back to plain HTTP, not even to this machine.
    const isDowngrade = this.#url.protocol === "https:" && next.protocol !== "https:";
    if (isDowngrade || !isSafeAddress(next.href)) {
      const place = printable(`${next.protocol}//${next.host}`, 80);
      throw this.#error(
        "archive/unreadable",
        `its server redirects to ${place}. logferry follows to https:// alone, since others could change the file on its way; download it and name the file`,
      );
    }
    this.#url = next;
  }

  #accepted(answer: Answer): Answer {
    const { status } = answer;
    const isElsewhere = this.#url.host !== this.#host;
    if (status === 401) {
      const known = this.#login === undefined ? ASKS_FOR_LOGIN : REFUSES_LOGIN;
      throw this.#error("archive/unreadable", isElsewhere ? ASKS_ELSEWHERE : known);
    }
    if (status === 403) throw this.#error("archive/unreadable", isElsewhere ? REFUSES_ELSEWHERE : REFUSES);
    if (status === 404 || status === 410)
      throw this.#error("archive/not-found", `its server has no such file (${status})`);
    if (status === 200 && /^text\/html\b/i.test(textOf(answer.headers["content-type"]) ?? ""))
      throw this.#error("archive/web-page", WEB_PAGE);
    if (status === 200)
      throw this.#error("archive/no-ranges", "its server doesn't give parts of files; download it and name the file");
    return answer;
  }

  /** @param asked the wait that the server asks for, in milliseconds */
  #givenUp(failure: string, tries: string, asked = 0): FatalError {
    const size = roughSize(this.#size);
    const received = this.#size === 0 ? "nothing of the file" : `${roughSize(this.#received.bytes)} of ${size}`;
    const when = asked > SHORT_WAIT_MS ? `at ${until(asked)} or later` : "later";
    const advice = `Give the same command again ${when}, or download the file and name it`;
    return this.#error("archive/unreadable", `${failure}. ${tries}. It has received ${received}. ${advice}`);
  }

  #error(rule: string, state: string): FatalError {
    return new FatalError(rule, "source", `Cannot read ${printable(this.#name)}: ${this.#atHost(state)}`);
  }

  /** Names the host that a redirect led to, because the address shows another one. */
  #atHost(state: string): string {
    if (this.#url.host === this.#host) return state;
    const host = printable(this.#url.host, 80);
    return state
      .replace(/^its server\b/, `${host}, to which its server redirects,`)
      .replace(/ at its address\b/, ` at ${host}, to which its server redirects`);
  }
}

const sleepByClock = (ms: number, signal: AbortSignal) => sleepFor(ms, undefined, { signal });

/** The user and password before the host, as RFC 7617 sends them: https://user:password@files.example/export.zip */
function loginOf({ origin, username, password }: URL) {
  if (username === "" && password === "") return undefined;
  const [user, secret] = [username, password].map((part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      // People also write a bare % into a password.
      return part;
    }
  });
  return { origin, authorization: `Basic ${Buffer.from(`${user}:${secret}`).toString("base64")}` };
}

/** The end of a wait from now on, in whole minutes. Nobody should come back too early. */
function until(ms: number): string {
  const now = Date.now();
  return clockTime(Math.ceil((now + ms) / 60_000) * 60_000, now);
}

const REFUSES = "its server refuses it (403); the address may have expired, get a new one";
const REFUSES_ELSEWHERE =
  "its server refuses it (403). Such a redirect is often good for minutes only: give the same command again. If that fails too, the address may have expired: get a new one";
const ASKS_ELSEWHERE =
  "its server asks for a login (401). logferry sends the user and password of an address to its own host alone. Download the file and name it";
const ASKS_FOR_LOGIN =
  "its server asks for a login (401). The address may have expired: get a new one. Or write user and password into it: https://USER:PASSWORD@HOST/...";
const REFUSES_LOGIN =
  "its server refuses the user and password of the address (401). Check them. Write a special character in them as in an address: %40 for @";

/** A part that nobody asked for would be read as another one. */
const OTHER_PART = [
  "archive/unreadable",
  "its server answered with another part of the file than logferry asked for; download it and name the file",
] as const;
