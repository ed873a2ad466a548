/**
 * Sends one request and returns one outcome, over undici's `Pool.request()`. It follows no redirects, retries nothing, unpacks nothing,
 * caches nothing and never throws. Only this file sees the socket, so it decides what a failed request proves.
 */
import { buildConnector, type Dispatcher, Pool } from "undici";
import type { WireRequest } from "./request.ts";

/** An answer, complete or cut off. */
export interface Answer {
  readonly kind: "answer";
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** The time of the server's own clock. */
  readonly date: string | undefined;
  /** Seconds since the answer was made, if a cache says so. */
  readonly age?: string | undefined;
  /** Headers in which caches describe themselves: `Cache-Status`, `X-Cache` and its kin. */
  readonly cacheStatus?: readonly string[];
  readonly location: string | undefined;
  readonly body: Uint8Array;
  /** Why the body is incomplete: cut off, too slow, too long. Undefined when it is complete. */
  readonly cut: string | undefined;
}

/** The result of a request. */
export type Outcome =
  | Answer
  /**
   * No byte of it left: nothing listens there, the host does not exist, or it is not trusted. `isTrust`: TLS failed, perhaps because of the
   * host's certificate.
   */
  | { readonly kind: "never-sent"; readonly code: string; readonly found: string; readonly isTrust: boolean }
  /** It left, or may have left, and no answer came. */
  | { readonly kind: "lost"; readonly code: string; readonly found: string }
  /** No byte of it left, because it might not leave any more when its turn came (`WireRequest.mayLeave`). */
  | { readonly kind: "withheld" }
  /** The caller's signal stopped it. `isSent`: whether it may have left. */
  | { readonly kind: "stopped"; readonly isSent: boolean };

/** Carries requests. The default is `poolFetcher`. A test may use another one. */
export interface Fetcher {
  /** Never throws and never repeats. Settles soon after the signal is aborted. */
  exchange(request: WireRequest, signal: AbortSignal): Promise<Outcome>;
  /** Closes the sockets. */
  close(): Promise<void>;
}

/** Time limits, in milliseconds. */
export interface Timeouts {
  /** For a connection, TLS included. */
  readonly connectMs: number;
  /** From the request to the answer's headers. A server needs a while to import a large file. */
  readonly headersMs: number;
  /** Between two chunks of the answer. */
  readonly bodyMs: number;
  /** From the headers to the end of the answer. It ends an answer that sends a byte now and then without end. */
  readonly answerMs: number;
}

/** The defaults. */
export const TIMEOUTS: Timeouts = { connectMs: 10_000, headersMs: 60_000, bodyMs: 30_000, answerMs: 120_000 };

/**
 * Time limits for an answer that may take `headersMs` to begin. The whole answer may take twice as long, and no chunk may take longer than
 * `headersMs`.
 */
export function timeoutsFor(headersMs: number): Timeouts {
  return { ...TIMEOUTS, headersMs, bodyMs: Math.min(TIMEOUTS.bodyMs, headersMs), answerMs: 2 * headersMs };
}

/**
 * Sends requests to one origin over a few kept connections.
 *
 * @param origin `https://log.example`
 * @param connections most connections at once
 */
export function poolFetcher(origin: string, connections: number, timeouts: Timeouts): Fetcher {
  // An error of the connector means that there never was a connection. This proves that the request did not leave.
  const unconnected = new WeakSet<Error>();
  // Set here, so that NODE_TLS_REJECT_UNAUTHORIZED can't change it. The token goes only to the host that the certificate names.
  const connector = buildConnector({
    timeout: timeouts.connectMs,
    allowH2: false,
    rejectUnauthorized: true,
    minVersion: "TLSv1.2",
  });
  const sockets = new Pool(origin, {
    connections,
    pipelining: 1,
    allowH2: false,
    headersTimeout: timeouts.headersMs,
    bodyTimeout: timeouts.bodyMs,
    connect: (options, callback) =>
      connector(options, (...result) => {
        if (result[0] !== null) unconnected.add(result[0]);
        callback(...result);
      }),
  });
  const pool = sockets.compose(withPermits);
  return {
    exchange: async (request, signal) => {
      if (signal.aborted) return { kind: "stopped", isSent: false };
      let response: Dispatcher.ResponseData;
      try {
        response = await pool.request({
          ...(request.mayLeave !== undefined && { mayLeave: request.mayLeave }),
          method: request.method,
          path: request.path,
          headers: request.headers,
          body: request.body ?? null,
          idempotent: request.method !== "POST",
          signal,
        });
      } catch (error) {
        return failure(error, unconnected, signal);
      }
      return await answerOf(response, request.answerCap, timeouts.answerMs);
    },
    close: () => sockets.destroy(),
  };
}

/** Stops a request that has no permit any more. */
class WithheldError extends Error {}

/**
 * Asks for the permit of a request right before its first byte is written. Before that, a connection may have to be made, and this process may have
 * stood still.
 */
function withPermits(dispatch: Dispatcher["dispatch"]): Dispatcher["dispatch"] {
  return (options, handler) => {
    const { mayLeave } = options as Pick<WireRequest, "mayLeave">;
    if (mayLeave === undefined) return dispatch(options, handler);
    return dispatch(options, {
      onRequestStart(controller, context) {
        if (!mayLeave()) throw new WithheldError();
        handler.onRequestStart?.(controller, context);
      },
      onRequestUpgrade: (...words) => handler.onRequestUpgrade?.(...words),
      onResponseStart: (...words) => handler.onResponseStart?.(...words),
      onResponseData: (...words) => handler.onResponseData?.(...words),
      onResponseEnd: (...words) => handler.onResponseEnd?.(...words),
      onResponseError: (...words) => handler.onResponseError?.(...words),
    });
  };
}

async function answerOf(response: Dispatcher.ResponseData, cap: number, answerMs: number): Promise<Answer> {
  const { headers } = response;
  const { bytes, cut } = await bytesOf(response.body, cap, answerMs);
  return {
    kind: "answer",
    status: response.statusCode,
    retryAfter: headerOf(headers, "retry-after"),
    date: headerOf(headers, "date"),
    age: headerOf(headers, "age"),
    cacheStatus: CACHE_HEADERS.flatMap((name) => headers[name] ?? []),
    location: headerOf(headers, "location"),
    body: bytes,
    cut,
  };
}

/** Reads a body to its end, or up to a limit. It listens to the events, because an iterator takes three times as long. */
function bytesOf(
  body: Dispatcher.ResponseData["body"],
  cap: number,
  answerMs: number,
): Promise<Pick<Answer, "cut"> & { readonly bytes: Uint8Array }> {
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    const settle = (cut: string | undefined) => {
      clearTimeout(deadline);
      resolve({ bytes: chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks), cut });
    };
    const give = (cut: string) => {
      settle(cut);
      body.destroy();
    };
    const deadline = setTimeout(() => give(`its answer was not over after ${answerMs / 1000} s`), answerMs);
    body.on("data", (chunk: Uint8Array) => {
      size += chunk.length;
      if (size > cap) give(`its answer is longer than ${cap} bytes`);
      else chunks.push(chunk);
    });
    body.once("end", () => settle(undefined));
    body.once("close", () => settle("the connection ended in the middle of its answer"));
    body.on("error", (error) => {
      const code = codeOf(error);
      settle(
        LOST[code] === undefined
          ? `its answer was cut off (${code})`
          : "the connection ended in the middle of its answer",
      );
    });
  });
}

function failure(error: unknown, unconnected: WeakSet<Error>, signal: AbortSignal): Outcome {
  if (error instanceof WithheldError) return { kind: "withheld" };
  if (signal.aborted) return { kind: "stopped", isSent: true };
  const code = codeOf(error);
  if (!(error instanceof Error && unconnected.has(error))) {
    return { kind: "lost", code, found: LOST[code] ?? `the connection failed (${code})` };
  }
  const isTrust = /^(CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|EPROTO)/.test(code);
  return {
    kind: "never-sent",
    code,
    isTrust,
    found: isTrust
      ? `${UNTRUSTED[code] ?? "no connection that can be trusted"} (${code})`
      : (UNREACHED[code] ?? `the service can't be reached (${code})`),
  };
}

const LOST: Readonly<Record<string, string>> = {
  UND_ERR_HEADERS_TIMEOUT: "no answer came in time",
  UND_ERR_SOCKET: "the connection ended without an answer",
  ECONNRESET: "the connection was reset",
  EPIPE: "the connection was closed",
};

const BY_UNKNOWN_AUTHORITY = "this computer does not trust the authority that signed its certificate";

const UNTRUSTED: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "its certificate has expired",
  CERT_NOT_YET_VALID: "its certificate is not valid yet, or this computer's clock is wrong",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another host",
  DEPTH_ZERO_SELF_SIGNED_CERT: BY_UNKNOWN_AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: BY_UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: BY_UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: BY_UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: BY_UNKNOWN_AUTHORITY,
};

const UNREACHED: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nobody listens at the address of the service",
  ENOTFOUND: "the name of the service's host can't be resolved",
  EAI_AGAIN: "the name of the service's host can't be resolved",
  UND_ERR_CONNECT_TIMEOUT: "no connection could be made in time",
};

/** The stable code of a library's error. Only the code is known to hold no secret, so the message and the properties stay here. */
function codeOf(error: unknown): string {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return typeof code === "string" && /^[A-Z0-9_]{1,64}$/.test(code) ? code : "no code";
}

/** Headers in which caches say whether they had an answer. */
const CACHE_HEADERS = ["cache-status", "x-cache", "x-cache-status", "x-proxy-cache", "cf-cache-status"] as const;

function headerOf(headers: Dispatcher.ResponseData["headers"], name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}
