/**
 * Judges an outcome: it is a value, or an error that tells the caller what to do next. One table has the statuses, one the remedies. This
 * file sends nothing, waits for nothing and doesn't know the token.
 */
import { ERROR_TEXT_PLACES } from "../../transforms/assumptions.ts";
import { printable } from "../../transforms/text/printable.ts";
import {
  FatalError,
  ItemError,
  OAuthRefusal,
  RetryableError,
  type TransferError,
  UnknownOutcomeError,
} from "../errors.ts";
import type { Answer, Outcome } from "./exchange.ts";
import { at, isRecord, type Parsed, parseJson } from "./json.ts";
import type { Operation } from "./operations.ts";
import type { Redact } from "./redact.ts";
import { retryAfterMs } from "./retry-after.ts";

/** A JSON object from the service, with nothing checked. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A value, or an error with the pause that the service asked for. */
export type Verdict = { readonly kind: "value"; readonly value: JsonObject } | Failure;

/** The service is busy: all requests to it wait, for `waitMs` milliseconds if it named a time. */
export interface Busy {
  readonly waitMs: number | undefined;
}

interface Failure {
  readonly kind: "error";
  readonly error: TransferError;
  /** Undefined if the answer does not say that the service is busy. */
  readonly busy?: Busy;
}

/** The meaning of a status, without the body. */
type Meaning = "answered" | "moved" | "login" | "gone" | "conflict" | "busy" | "lost" | "refused";

/**
 * "HTTP status codes for any endpoint: not shown", so these are the meanings of RFC 9110. The first matching row counts. 408, 421, 425 and
 * 5xx leave open whether the server acted: a proxy's 503 and a 503 after the commit look alike.
 */
export const STATUSES: readonly { readonly from: number; readonly to: number; readonly means: Meaning }[] = [
  { from: 200, to: 299, means: "answered" },
  { from: 300, to: 399, means: "moved" },
  { from: 401, to: 401, means: "login" },
  { from: 403, to: 403, means: "login" },
  { from: 404, to: 404, means: "gone" },
  { from: 408, to: 408, means: "lost" },
  { from: 409, to: 409, means: "conflict" },
  { from: 421, to: 421, means: "lost" },
  { from: 425, to: 425, means: "lost" },
  { from: 429, to: 429, means: "busy" },
  { from: 400, to: 499, means: "refused" },
];

/**
 * Judges an outcome.
 *
 * @param now milliseconds since 1970 UTC, for `Retry-After`
 */
export function judge(operation: Operation, outcome: Outcome, redact: Redact, now: number): Verdict {
  const cannot = `Cannot ${operation.action}`;
  switch (outcome.kind) {
    case "never-sent":
      return failed(
        outcome.isTrust
          ? new FatalError("api/tls", "service", `${cannot}: ${outcome.found}`)
          : new RetryableError("api/not-sent", `${cannot}: ${outcome.found}`),
      );
    case "withheld":
      return failed(new RetryableError("api/not-sent", `${cannot}: it might not leave any more`));
    case "lost":
      return failed(lost(operation, "api/answer-lost", `${cannot}: ${outcome.found}`));
    case "stopped":
      return failed(
        outcome.isSent
          ? lost(operation, "api/stopped", `${cannot}: stopped while it was under way`)
          : new RetryableError("api/stopped", `${cannot}: stopped before it was sent`),
      );
    case "answer":
      return judgeAnswer(operation, outcome, redact, now);
  }
}

/**
 * The error for an unusable answer after a request that may have had its effect. A read is asked again. For a create or a replace, logferry
 * looks at the log.
 */
export function lost(operation: Operation, code: string, message: string): TransferError {
  return operation.method === "GET" ? new RetryableError(code, message) : new UnknownOutcomeError(code, message);
}

function judgeAnswer(operation: Operation, answer: Answer, redact: Redact, now: number): Verdict {
  const { status } = answer;
  const means = STATUSES.find(({ from, to }) => status >= from && status <= to)?.means ?? "lost";
  if (means === "answered") return judgeBody(operation, answer, redact);
  const parsed = parseJson(answer.body);
  const code = `api/http-${status}`;
  const message = `Cannot ${operation.action}: the service answered ${status}${saidOf(parsed, redact)}`;
  const waitMs = retryAfterMs(answer.retryAfter, answer.date, now);
  const isRefused = status >= 400 && status !== 429;
  const refusal = isRefused ? oauthRefusal(operation, answer, parsed, { redact, message }) : undefined;
  if (refusal !== undefined) return failed(refusal);
  switch (means) {
    case "moved":
      return failed(new FatalError("api/redirect", "service", `${message}${leadsTo(answer)}. It is not followed`));
    case "login":
      return failed(new FatalError(code, "login", message));
    case "gone":
      return failed(gone(operation, code, message));
    case "conflict":
      return failed(operation.repeatable ? new ItemError(code, message) : lost(operation, code, message));
    case "busy":
      return { ...failed(new RetryableError(code, message, { waitMs })), busy: { waitMs } };
    case "refused":
      return failed(refused(operation, code, message));
    case "lost":
      return {
        ...failed(
          operation.method === "GET" ? new RetryableError(code, message, { waitMs }) : lost(operation, code, message),
        ),
        ...(waitMs !== undefined && { busy: { waitMs } }),
      };
  }
}

/** 404: the record doesn't exist. If the path names no record, this address is not the service. */
function gone(operation: Operation, code: string, message: string): TransferError {
  if (operation.path.includes("{id}")) return new ItemError("api/gone", message);
  if (operation.method === "POST" && !isTokenEndpoint(operation)) return new ItemError(code, message);
  return new FatalError(code, "service", `${message}. Is the address right?`);
}

/** The token endpoint refuses a login. Every other operation refuses a record. */
function refused(operation: Operation, code: string, message: string): TransferError {
  return isTokenEndpoint(operation) ? new FatalError(code, "login", message) : new ItemError(code, message);
}

function judgeBody(operation: Operation, answer: Answer, redact: Redact): Verdict {
  const unreadable = (found: string) =>
    failed(lost(operation, "api/unreadable", `Cannot ${operation.action}: the service answered, but ${found}`));
  if (answer.cut !== undefined) return unreadable(answer.cut);
  // "No Content" is enough if the caller needs no id.
  if (answer.status === 204 && operation.method === "PUT") return { kind: "value", value: {} };
  const parsed = parseJson(answer.body);
  if (parsed.kind === "unreadable") return unreadable(`${parsed.found}. Is the address right?`);
  if (!isRecord(parsed.value)) return unreadable("not with an object");
  if (isTokenEndpoint(operation)) {
    const message = `Cannot ${operation.action}: the service answered ${answer.status}${saidOf(parsed, redact)}`;
    const refusal = oauthRefusal(operation, answer, parsed, { redact, message });
    if (refusal !== undefined) return failed(refusal);
  }
  const code = envelopeCode(parsed.value);
  if (code === undefined) return unreadable("its code is not a whole number");
  if (code === 0) return { kind: "value", value: parsed.value };
  return failed(
    refused(
      operation,
      `api/code-${code}`,
      `Cannot ${operation.action}: the service refused it with code ${code}${saidOf(parsed, redact)}`,
    ),
  );
}

/** "An object with integer `code` (0 means success)". No code is a success too, as at the token endpoint. */
function envelopeCode(body: JsonObject): number | undefined {
  const code = at(body, "code") ?? 0;
  const number = typeof code === "string" && /^-?\d{1,9}$/.test(code) ? Number(code) : code;
  return Number.isSafeInteger(number) ? (number as number) : undefined;
}

/** The service's own words about it, if there are any: one line, safe to show, without secrets. */
function saidOf(parsed: Parsed, redact: Redact): string {
  if (parsed.kind === "unreadable" || !isRecord(parsed.value)) return "";
  const said: string[] = [];
  for (const place of ERROR_TEXT_PLACES) {
    const text = at(parsed.value, place);
    if (typeof text === "string" && text.trim() !== "") said.push(text.trim());
  }
  // The OAuth form has two texts: the code, then its description.
  return said.length === 0 ? "" : ` (${printable(redact(said.slice(0, 2).join(": ")), 200)})`;
}

/**
 * "Error: a JSON object with `error` and `error_description`": the token endpoint's error. The document doesn't show its status, so any
 * status may come with it. Even with a 5xx it is an answer, and not a lost one.
 */
function oauthRefusal(
  operation: Operation,
  answer: Answer,
  parsed: Parsed,
  { redact, message }: { readonly redact: Redact; readonly message: string },
): OAuthRefusal | undefined {
  if (!isTokenEndpoint(operation) || answer.cut !== undefined) return undefined;
  const error = parsed.kind === "json" ? at(parsed.value, "error") : undefined;
  // RFC 6749, section 5.2. The code may have 64 characters, and the description is cut after 200.
  if (parsed.kind !== "json" || typeof error !== "string" || !/^[\w.-]{1,64}$/.test(error)) return undefined;
  const description = at(parsed.value, "error_description");
  const says = typeof description === "string" ? printable(redact(description.trim()), 200) : "";
  return new OAuthRefusal(`api/http-${answer.status}`, message, error, says === "" ? undefined : says);
}

/** The target of a redirect, without the path and query that may repeat the token. */
function leadsTo(answer: Answer): string {
  const origin = answer.location === undefined ? undefined : URL.parse(answer.location)?.origin;
  return origin === undefined || origin === "null" ? "" : `, which leads to ${origin}`;
}

function isTokenEndpoint(operation: Operation): boolean {
  return operation.path.startsWith("/oauth2/");
}

function failed(error: TransferError): Failure {
  return { kind: "error", error };
}
