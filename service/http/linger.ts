/**
 * Lets a refusal arrive. A system throws an answer away when its connection is closed while bytes of the other side lie unread (RFC 9112,
 * section 9.6). A sender in the middle of a long body often reads only after it has sent everything. So the service reads on for a
 * limited time before a connection ends, and drops the bytes it reads.
 */
import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import type { Limits } from "./limits.ts";

/** How often the bytes of a lingering connection are counted. */
const COUNT_EVERY_MS = 50;

/** Sends these last bytes, then reads on until the other side is done, or the limits are reached. */
export function hearOut(socket: Socket, { lingerMs, lingerBytes }: Limits, lastWords?: string): void {
  if (socket.writable) socket.end(lastWords ?? "");
  const most = socket.bytesRead + lingerBytes;
  const end = () => void socket.destroy();
  const deadline = setTimeout(end, lingerMs).unref();
  const count = setInterval(() => socket.bytesRead > most && end(), COUNT_EVERY_MS).unref();
  socket.once("close", () => {
    clearTimeout(deadline);
    clearInterval(count);
  });
}

/** Reads on for every sender that was answered before its whole request arrived. Later requests on that connection are not carried out. */
export function hearSendersOut(app: FastifyInstance, limits: Limits): void {
  const server: Server = app.server;
  const newest = new WeakMap<Socket, IncomingMessage>();
  const over = new WeakSet<Socket>();
  server.prependListener("request", (request: IncomingMessage) => newest.set(request.socket, request));
  server.on("connection", (socket: Socket) => {
    const destroySoon = socket.destroySoon.bind(socket);
    // Node calls this after the last answer of a connection.
    socket.destroySoon = () => {
      const request = newest.get(socket);
      if (request === undefined || request.complete || request.destroyed) return destroySoon();
      over.add(socket);
      request.once("end", destroySoon).resume();
      hearOut(socket, limits);
    };
  });
  app.addHook("onRequest", async (request, reply) => {
    if (over.has(request.raw.socket)) reply.hijack();
  });
}
