/**
 * The HTTP side: the rules for every request, and the list of routes. A request passes the token check first. Then its headers are
 * checked, then its body is read and checked. Only then does a route see it.
 */
import helmet from "@fastify/helmet";
import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { TObject, TSchema } from "typebox";
import { browserSide } from "./browser.ts";
import { armFaults, type Faults } from "./faults/faults.ts";
import { healthRoute } from "./health.ts";
import { readBodies, refuseHeaders } from "./http/body.ts";
import { HEADERS } from "./http/envelope.ts";
import { LIMITS, type Limits, limitConnections, serverOptions } from "./http/limits.ts";
import { hearSendersOut } from "./http/linger.ts";
import { type LogSink, loggerTo } from "./http/log.ts";
import { answerOddRequests, malformedAnswers } from "./http/malformed.ts";
import { refuseForeignHost } from "./http/own-host.ts";
import { pathCheckOf, queryCheckOf } from "./http/parameters.ts";
import { asRefusal, REFUSALS, Refusal, type RefusalName } from "./http/refusals.ts";
import { checkOf } from "./model/check.ts";
import { CHALLENGE, callerOf } from "./oauth/caller.ts";
import { tokenRoutes } from "./oauth/token.ts";
import { describeRoutes } from "./openapi/describe.ts";
import type { Decisions } from "./pages/decisions.ts";
import type { PageStores } from "./pages/routes.ts";
import { showProblem } from "./pages/show.ts";
import { activityTypeRoutes } from "./routes/activity-types.ts";
import { courseRoutes } from "./routes/courses.ts";
import { equipmentRoutes } from "./routes/equipment.ts";
import { importRoutes } from "./routes/imports.ts";
import type { App, Routes } from "./routes/route.ts";
import { trainingPlanRoutes } from "./routes/training-plans.ts";
import { userRoutes } from "./routes/user.ts";
import { workoutRoutes } from "./routes/workouts.ts";
import { headersOf } from "./sign-in/headers.ts";
import type { OnceKeys } from "./sign-in/once.ts";

/** The routes of the interface document come first, in its order. Routes that the document doesn't show follow. */
const ROUTES: readonly Routes[] = [
  userRoutes,
  workoutRoutes,
  importRoutes,
  courseRoutes,
  equipmentRoutes,
  trainingPlanRoutes,
  activityTypeRoutes,
];

/** While closing: how often the service looks for connections that fell idle without a goodbye. */
const IDLE_SWEEP_MS = 100;

/** The HTTP methods that a route can have. */
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

const NO_SUCH_ADDRESS = "There is no such address";

/** Options of the app. */
export interface AppOptions {
  /** Gets one JSON line an event, without any token; default nothing is logged. */
  readonly log?: LogSink | undefined;
  /** Milliseconds since 1970; default the machine's clock. */
  readonly now?: (() => number) | undefined;
  /** Browsers come by https, which a proxy in front ends; default https only where the request itself says so. */
  readonly https?: boolean | undefined;
  /** Addresses of the proxies that the service trusts to send `X-Forwarded-For` and `X-Forwarded-Proto`; default none. */
  readonly trustProxy?: string | undefined;
  /** Every page says that this log is a rehearsal. It answers to the names of this computer alone. */
  readonly isRehearsal?: boolean | undefined;
  /** Keys that sign a browser in once; default there are none. */
  readonly onceKeys?: OnceKeys | undefined;
  /** A page of decisions about what the log holds; default there is none. */
  readonly decisions?: Decisions | undefined;
  /** The limits of a connection; default `LIMITS`. */
  readonly limits?: Limits | undefined;
  /** Whether the service is about to stop, so that a balancer should turn to another one; default it never is. */
  readonly isDraining?: (() => boolean) | undefined;
}

/** Builds the app over its stores. It doesn't listen yet. */
export function appOver(
  stores: PageStores,
  options: AppOptions = {},
  faults: Faults = armFaults(undefined, options.now),
): App {
  const { log, https = false, trustProxy = false, limits = LIMITS, isRehearsal = false, onceKeys, decisions } = options;
  const { isDraining = () => false } = options;
  const { now } = faults;
  const { store } = stores;
  const app = fastify({
    logger: log === undefined ? false : loggerTo(log),
    ...serverOptions(limits),
    trustProxy,
    // A request that comes on a kept connection while the service closes is answered like any other.
    return503OnClosing: false,
    clientErrorHandler: malformedAnswers(limits),
    // An address that can't be decoded never reaches the hooks. Fastify's own message would repeat the address, token and all.
    frameworkErrors: (error, _request, reply) => {
      reply.headers(HEADERS);
      const isTooLong = error.code === "FST_ERR_MAX_PARAM_LENGTH";
      answer(reply, isTooLong ? "not-found" : "bad-request", isTooLong ? NO_SUCH_ADDRESS : "The address can't be read");
    },
  }).withTypeProvider<TypeBoxTypeProvider>();

  hearSendersOut(app, limits);
  answerOddRequests(app.server, limits);
  app.addHook("onRequest", async ({ raw }, reply) => {
    const { httpVersion, headers } = raw;
    reply.headers(HEADERS);
    if (isRehearsal) refuseForeignHost(raw);
    if (httpVersion !== "1.1" || headers.host !== undefined) return;
    reply.header("Connection", "close");
    throw new Refusal("bad-request", "Host: is required");
  });
  faults.hookInto(app, store);
  limitConnections(app.server, limits);
  sayGoodbye(app, isDraining);
  app.setErrorHandler(answerError);
  app.register(helmet, { global: false });
  app.setNotFoundHandler(async (request, reply) => {
    if (isForProgram(request)) return answer(reply, "not-found", NO_SUCH_ADDRESS);
    await reply.helmet(headersOf({ https: https || request.protocol === "https" }));
    return showProblem(reply, 404, "Nothing here", `${NO_SUCH_ADDRESS}.`);
  });
  describeRoutes(app);
  healthRoute(app, { store, faults, isDraining });
  app.register(async (rest) => {
    readBodies(rest);
    checkBySchemas(rest);
    rest.decorateRequest("caller");
    rest.addHook("onRequest", async (request) => {
      request.caller = await callerOf(request, store);
      refuseHeaders(request);
    });
    const addresses = addressesOf(rest);
    for (const routes of ROUTES) routes(rest.withTypeProvider<TypeBoxTypeProvider>(), faults.over(store));
    refuseOtherMethods(rest, [...addresses.values()]);
  });
  app.register((exchange) => tokenRoutes(exchange, { accounts: stores.accounts, now }));
  app.register((browser) => browserSide(browser, stores, { now, https, isRehearsal, onceKeys, decisions }));
  return app;
}

/** The type provider's own compiler coerces parameters, and its messages are written for programmers. Answers are sent as the routes give them. */
function checkBySchemas(app: FastifyInstance): void {
  app.setValidatorCompiler<TSchema>(({ schema, httpPart }) => {
    if (httpPart === "querystring") return queryCheckOf(schema as TObject);
    if (httpPart === "params") return pathCheckOf(schema as TObject);
    const check = checkOf(schema);
    return (value: unknown) => {
      const error = check(value);
      return error === undefined ? { value } : { error };
    };
  });
  app.setSerializerCompiler(() => JSON.stringify);
}

/**
 * Lets a close end as soon as the requests already received are answered. Each of those answers tells its sender that the connection
 * ends, and so does each answer while the service drains. Node alone keeps a connection that was busy at the close open until it has been
 * idle for a minute.
 */
function sayGoodbye(app: FastifyInstance, isDraining: () => boolean): void {
  let sweep: NodeJS.Timeout | undefined;
  app.addHook("preClose", async () => {
    if (!app.server.listening) return;
    sweep = setInterval(() => app.server.closeIdleConnections(), IDLE_SWEEP_MS);
    app.server.once("close", () => clearInterval(sweep));
  });
  app.addHook("onSend", async (_request, reply) => {
    if (sweep !== undefined || isDraining()) reply.header("Connection", "close");
  });
}

/** An address, and the methods it takes. */
interface Address {
  readonly url: string;
  readonly methods: Set<string>;
}

/** The map fills itself while routes are added. To a sender, `/workouts/:id` and `/workouts/:type` are one address. */
function addressesOf(app: FastifyInstance): ReadonlyMap<string, Address> {
  const addresses = new Map<string, Address>();
  app.addHook("onRoute", ({ url, method }) => {
    const key = url.replace(/:\w+/g, ":");
    const address = addresses.get(key) ?? { url, methods: new Set() };
    for (const one of [method].flat()) address.methods.add(one);
    addresses.set(key, address);
  });
  return addresses;
}

function refuseOtherMethods(app: FastifyInstance, addresses: readonly Address[]): void {
  for (const { url, methods } of addresses) {
    const allowed = [...methods].join(", ");
    app.route({
      method: METHODS.filter((method) => !methods.has(method)),
      url,
      schema: { hide: true },
      handler: (_request, reply) => {
        reply.header("Allow", allowed);
        answer(reply, "bad-method", `Only ${allowed} can be asked of this address`);
      },
    });
  }
}

function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const { refusal, message, statusCode } = asRefusal(error);
  if (refusal === "unauthorized") reply.header("WWW-Authenticate", CHALLENGE);
  if (statusCode >= 500) request.log.error(error);
  answer(reply, refusal, message);
}

function answer(reply: FastifyReply, refusal: RefusalName, message: string): FastifyReply {
  const { status, code } = REFUSALS[refusal];
  return reply.code(status).send({ code, message });
}

/** Whether a program sent the request: its address is one of the interface's own, or it doesn't ask for HTML. */
function isForProgram({ url, headers }: FastifyRequest): boolean {
  return url.startsWith("/rest/") || !(headers.accept ?? "").includes("text/html");
}
