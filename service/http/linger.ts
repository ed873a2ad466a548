/**
 * Lets a refusal arrive. Whoever closes a connection while bytes of the other side lie unread tells its system to throw the answer
 * away (RFC 9112, section 9.6), and a sender in the middle of a long body often reads only when it is out. So a connection that is to end
 * is read on for a bounded while, and what is read is forgotten.
 */
import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import type { Limits } from "./limits.ts";

/** How often the bytes of a connection that is heard out are counted. */
const COUNT_EVERY_MS = 50;

/** Says goodbye to a connection, with these bytes, and reads on until the other side is done, or the limits are reached. */
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

/** Hears everybody out who was answered before the whole request was in; nothing else they send is done. */
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
