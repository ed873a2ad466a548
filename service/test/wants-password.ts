/** A PostgreSQL that wants a password, as far as the sign-in goes. It never hangs up by itself. */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer, type Socket } from "node:net";

/**
 * Starts one on this machine.
 *
 * @returns its address without a password, the number of open connections, and a function that stops it
 */
export async function startWantingPassword(): Promise<{
  readonly address: string;
  readonly open: () => number;
  readonly close: () => Promise<void>;
}> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined).once("close", () => sockets.delete(socket));
    // The first message asks to sign in, the second one begins to. https://www.postgresql.org/docs/current/protocol-message-formats.html
    socket.once("data", () => {
      socket.write(authentication(10, "SCRAM-SHA-256\0\0"));
      socket.once("data", () => socket.write(authentication(11, "r=abc,s=c2FsdA==,i=4096")));
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    address: `postgres://fleet@127.0.0.1:${port}/fleet`,
    open: () => sockets.size,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

function authentication(kind: number, text: string): Buffer {
  const body = Buffer.from(text);
  const head = Buffer.alloc(9);
  head.write("R");
  head.writeInt32BE(8 + body.length, 1);
  head.writeInt32BE(kind, 5);
  return Buffer.concat([head, body]);
}
