/**
 * Sends the spans of a worker to a collector of OpenTelemetry, by its own SDK. The packages of the SDK are heavy, and few need them: an operator who
 * wants traces installs them beside logferry.
 */
import http from "node:http";
import https from "node:https";
import type { Tracer } from "@opentelemetry/api";
import type { SpanExporter } from "@opentelemetry/sdk-trace";
import { UsageError } from "../errors/exit-codes.ts";
import { packageVersion } from "../system/version.ts";

/** The packages that an operator installs, as the tests have them. Other versions of them don't fit each other. docs/fleet.md names them too. */
export const TRACE_PACKAGES = [
  "@opentelemetry/sdk-trace@3.1.0",
  "@opentelemetry/resources@3.1.0",
  "@opentelemetry/exporter-trace-otlp-http@0.301.0",
] as const;

/** Where the spans of a worker go. */
export interface TraceExport extends AsyncDisposable {
  readonly tracer: Tracer;
  /** The address that gets the spans; undefined where nothing is sent, or where the operator registered an SDK of their own. */
  readonly address: string | undefined;
}

/** Milliseconds that an export has, its whole answer included. The SDK itself waits 10 seconds for the first byte. */
const ANSWER_MS = 12_000;

/** Milliseconds that the last spans have to arrive. */
const LAST_SPANS_MS = 3_000;

/** The path of traces below the address of a collector: https://opentelemetry.io/docs/specs/otlp/#otlphttp-request */
const TRACES_PATH = "/v1/traces";

/**
 * Begins to send spans.
 *
 * @param address of a collector that takes OTLP by HTTP, `http://localhost:4318`. Without one, spans go to the SDK that the operator registered by
 *   `node --import`, or nowhere
 * @param worker the name of the worker
 * @param say tells people when the collector takes nothing, and when it takes spans again
 * @throws UsageError for an address that can't be used, and where the packages are not installed
 */
export async function openTraceExport(
  address: string | undefined,
  worker: string,
  say: (text: string) => void,
): Promise<TraceExport> {
  const version = packageVersion();
  if (address === undefined) {
    const { trace } = await import("@opentelemetry/api");
    return {
      tracer: trace.getTracer("logferry", version),
      address: undefined,
      [Symbol.asyncDispose]: async () => undefined,
    };
  }
  const url = tracesAddress(address);
  const { sdk, resources, otlp } = await loadPackages();
  const { defaultResource, detectResources, resourceFromAttributes } = resources;
  const { resourceAttributesEnvDetector, serviceNameEnvDetector } = resources;
  const own = { "service.name": "logferry-worker", "service.version": version, "service.instance.id": worker };
  // What the operator says by OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES wins.
  const said = detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] });
  const agent = new (url.protocol === "https:" ? https : http).Agent({ keepAlive: true });
  const sender = new otlp.OTLPTraceExporter({ url: url.href, httpAgentOptions: () => agent });
  const exporter = saying(inTime(sender, agent), url.host, say);
  const provider = new sdk.TracerProvider({
    resource: defaultResource().merge(resourceFromAttributes(own)).merge(said),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter })],
  });
  return {
    tracer: provider.getTracer("logferry", version),
    address: url.href,
    async [Symbol.asyncDispose]() {
      const late = AbortSignal.timeout(LAST_SPANS_MS);
      const isLate = new Promise<void>((resolve) => late.addEventListener("abort", () => resolve()));
      await Promise.race([provider.shutdown().catch(() => undefined), isLate]);
      // A collector that answers by drips would keep the process alive.
      agent.destroy();
    },
  };
}

/** The address that gets the spans. @throws UsageError */
function tracesAddress(address: string): URL {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UsageError(
      "Cannot send traces: --traces takes the address of a collector, such as http://localhost:4318",
    );
  if (url.username !== "" || url.password !== "" || url.search !== "")
    throw new UsageError(
      "Cannot send traces: the address of --traces holds a password or a query, which other users of the machine can read. Put it into OTEL_EXPORTER_OTLP_HEADERS",
    );
  if (!url.pathname.endsWith(TRACES_PATH)) url.pathname = `${url.pathname.replace(/\/$/, "")}${TRACES_PATH}`;
  return url;
}

async function loadPackages() {
  try {
    const [sdk, resources, otlp] = await Promise.all([
      import("@opentelemetry/sdk-trace"),
      import("@opentelemetry/resources"),
      import("@opentelemetry/exporter-trace-otlp-http"),
    ]);
    return { sdk, resources, otlp };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new UsageError(
      `Cannot send traces: the packages for it are not installed. Install them beside logferry: npm install ${TRACE_PACKAGES.join(" ")}`,
    );
  }
}

/**
 * An exporter whose exports end in time. The SDK waits 10 seconds for an answer to begin, and for its end as long as anything comes: one slow answer
 * would stop all later exports.
 */
function inTime(exporter: SpanExporter, agent: http.Agent): SpanExporter {
  return {
    export(spans, done) {
      let isLate = false;
      const late = setTimeout(() => {
        isLate = true;
        // Its one connection is that of this export. The SDK then gives an answer.
        agent.destroy();
      }, ANSWER_MS);
      exporter.export(spans, (result) => {
        clearTimeout(late);
        done(isLate ? { code: 1, error: Object.assign(new Error("too late"), { code: "ETIMEDOUT" }) } : result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => await exporter.forceFlush?.(),
  };
}

/** An exporter that tells once when the collector takes nothing, and once when it takes spans again. Spans that it didn't take are lost. */
function saying(exporter: SpanExporter, host: string, say: (text: string) => void): SpanExporter {
  let isRefused = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const fails = result.code !== 0;
        if (fails && !isRefused)
          say(`The collector at ${host} takes no traces (${reasonOf(result.error)}). The work goes on without them.`);
        if (!fails && isRefused) say(`The collector at ${host} takes traces again.`);
        isRefused = fails;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => await exporter.forceFlush?.(),
  };
}

/** Why, in a code: a message may repeat what the collector answered. */
function reasonOf(error: Error | undefined): string {
  const { code } = (error ?? {}) as { code?: unknown };
  if (typeof code === "number") return `HTTP ${code}`;
  // The SDK keeps the status of such an answer to itself.
  if (error?.message === "Export failed with retryable status") return "it asks to wait: HTTP 429, 502, 503 or 504";
  return typeof code === "string" && /^[A-Z0-9_]{1,64}$/.test(code) ? code : "no answer";
}
