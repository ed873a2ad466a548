/** Answers malformed requests, and HTTP that this service doesn't speak, in the form of the interface. Such requests reach no route. */
import { type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { HEADERS } from "./envelope.ts";
import type { Limits } from "./limits.ts";
import { hearOut } from "./linger.ts";
import { REFUSALS, type RefusalName } from "./refusals.ts";

/** Node's codes for malformed requests, with our refusal for each. Any other code is a request that can't be read. */
const PROBLEMS: ReadonlyMap<string | undefined, readonly [RefusalName, string]> = new Map([
  ["HPE_HEADER_OVERFLOW", ["headers-too-large", "The headers are too long"]],
  ["ERR_HTTP_REQUEST_TIMEOUT", ["too-slow", "The request didn't arrive in time"]],
]);

const UNREADABLE = ["bad-request", "The request can't be read"] as const;

/** Answers requests that can't be understood, for fastify's `clientErrorHandler`. */
export function malformedAnswers(limits: Limits): (error: Error & { code?: string }, socket: Socket) => void {
  const answered = new WeakSet<Socket>();
  return (error, socket) => {
    if (error.code === "ECONNRESET" || socket.destroyed) return void socket.destroy();
    // The rest of such a connection can't be understood either.
    if (answered.has(socket)) return;
    answered.add(socket);
    const lastWords = answerText(...(PROBLEMS.get(error.code) ?? UNREADABLE));
    const inFlight = answerInFlight(socket);
    if (inFlight === undefined) hearOut(socket, limits, lastWords);
    else if (inFlight.req.complete) inFlight.once("close", () => hearOut(socket, limits, lastWords));
    else hearOut(socket, limits, inFlight.headersSent ? undefined : lastWords);
  };
}

/** Refuses a request for a tunnel. A request with an unknown expectation is answered as if it had none (RFC 9110, 10.1.1). */
export function answerOddRequests(server: Server, limits: Limits): void {
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
  server.on("connect", (_request, socket: Duplex) => {
    socket.on("error", () => undefined).resume();
    hearOut(socket as Socket, limits, answerText("bad-method", "This is no proxy"));
  });
}

/** The unfinished answer of a connection. Node keeps it in a member without a public name, and reads it the same way. */
function answerInFlight(socket: Socket): ServerResponse | undefined {
  return (socket as Socket & { readonly _httpMessage?: ServerResponse | null })._httpMessage ?? undefined;
}

function answerText(refusal: RefusalName, message: string): string {
  const { status, code } = REFUSALS[refusal];
  const body = JSON.stringify({ code, message });
  const headers = {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": Buffer.byteLength(body),
    Connection: "close",
    ...HEADERS,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`;
}
