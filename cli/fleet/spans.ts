/**
 * Spans of OpenTelemetry for what a worker does: one for a step of an athlete, in it one for each part of the step, and in those one for each request.
 * No span has an address: that of a request holds the access token. Nor has it words of an error, which may hold a person's data. The athlete is there by
 * their key in the fleet.
 *
 * Source: https://opentelemetry.io/docs/specs/semconv/http/http-spans/ (the names of attributes of requests)
 */
import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import type { Fetcher, Outcome } from "../../connectors/api/exchange.ts";
import { ATHLETE_STATUSES } from "../../pipelines/batch/outcome.ts";
import type { TakenAthlete } from "../../pipelines/fleet/athletes.ts";
import type { Trace } from "../session/trace.ts";
import type { Done } from "./work.ts";

/**
 * Does a step of an athlete within a span: `load athlete`.
 *
 * @param tracer makes the spans
 * @param body does the step. What it gives to the trace becomes spans below
 * @throws what the body throws
 */
export function traceStep(
  tracer: Tracer,
  { step, key, batch, attempt }: TakenAthlete,
  body: (trace: Trace) => Promise<Done>,
): Promise<Done> {
  const attributes = { "logferry.athlete": key, "logferry.batch": batch, "logferry.attempt": attempt };
  const how = { name: `${step} athlete`, kind: SpanKind.CONSUMER, attributes };
  const sent = { requests: 0 };
  const end = (done: Done) => endOf(done, sent.requests);
  return within(tracer, ROOT_CONTEXT, how, (context) => body(traceOf(tracer, context, sent)), end);
}

/** What a span is to be. */
interface SpanOf {
  readonly name: string;
  readonly kind: SpanKind;
  readonly attributes?: Attributes;
}

/** What is known at the end of a span. */
interface End {
  readonly attributes: Attributes;
  readonly isError: boolean;
}

/** How a step ended: by its outcome, or handed back. @param requests those of this step: the outcome counts all of the athlete so far */
function endOf(done: Done, requests: number): End {
  const attributes = { "logferry.result": done.is, "logferry.requests": requests };
  if (done.is !== "ended") return { attributes, isError: false };
  const { status } = done.outcome;
  return {
    attributes: { ...attributes, "logferry.status": status },
    isError: !ATHLETE_STATUSES[status].isGood,
  };
}

/** Counts requests. */
interface Sent {
  requests: number;
}

function traceOf(tracer: Tracer, step: Context, sent: Sent): Trace {
  // Parts follow each other, so the part under way is known without a context that travels along.
  let current = step;
  return {
    part: (name, body) =>
      within(tracer, step, { name, kind: SpanKind.INTERNAL }, async (context) => {
        current = context;
        try {
          return await body();
        } finally {
          current = step;
        }
      }),
    requests: (fetcher, url) => tracedFetcher(tracer, counting(fetcher, sent), URL.parse(url), () => current),
  };
}

function counting(fetcher: Fetcher, sent: Sent): Fetcher {
  return {
    exchange(request, signal) {
      sent.requests++;
      return fetcher.exchange(request, signal);
    },
    close: () => fetcher.close(),
  };
}

function tracedFetcher(tracer: Tracer, fetcher: Fetcher, url: URL | null, parent: () => Context): Fetcher {
  const server = {
    "server.address": url?.hostname ?? "",
    "server.port": Number(url?.port || (url?.protocol === "http:" ? 80 : 443)),
  };
  return {
    exchange(request, signal) {
      const { method, template } = request;
      const attributes = { "http.request.method": method, "url.template": template, ...server };
      const how = { name: `${method} ${template}`, kind: SpanKind.CLIENT, attributes };
      return within(tracer, parent(), how, () => fetcher.exchange(request, signal), endOfRequest);
    },
    close: () => fetcher.close(),
  };
}

function endOfRequest(outcome: Outcome): End {
  if (outcome.kind === "answer") {
    const { status } = outcome;
    const isError = status >= 400;
    return {
      attributes: { "http.response.status_code": status, ...(isError && { "error.type": String(status) }) },
      isError,
    };
  }
  const type = "code" in outcome ? outcome.code : outcome.kind;
  return { attributes: { "error.type": type }, isError: outcome.kind !== "stopped" };
}

/**
 * Does something within a span. The message of an error stays out of it. An operator may have an SDK of their own, and what that throws must not decide
 * about an athlete: the work goes on without the span.
 */
async function within<T>(
  tracer: Tracer,
  parent: Context,
  { name, ...options }: SpanOf,
  body: (context: Context) => Promise<T>,
  end?: (value: T) => End,
): Promise<T> {
  const span = unlessItThrows(() => tracer.startSpan(name, options, parent));
  const context = span === undefined ? parent : (unlessItThrows(() => trace.setSpan(parent, span)) ?? parent);
  const close = ({ attributes, isError }: End) => {
    unlessItThrows(() => span?.setAttributes(attributes));
    if (isError) unlessItThrows(() => span?.setStatus({ code: SpanStatusCode.ERROR }));
    unlessItThrows(() => span?.end());
  };
  try {
    const value = await body(context);
    close(end?.(value) ?? { attributes: {}, isError: false });
    return value;
  } catch (error) {
    close({ attributes: { "error.type": codeOf(error) }, isError: true });
    throw error;
  }
}

/** What a call gives; undefined where it throws. */
function unlessItThrows<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch {
    return undefined;
  }
}

/** The stable code of an error: `api/http-401`, `ECONNRESET`. */
function codeOf(error: unknown): string {
  const { code } = error instanceof Error ? (error as { code?: unknown }) : {};
  return typeof code === "string" && /^[\w/-]{1,64}$/.test(code) ? code : "Error";
}
