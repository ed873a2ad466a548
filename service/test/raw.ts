/** A sender that sends bytes over TCP exactly as given. No HTTP library would send them. */
import { connect, type Socket } from "node:net";

/** A connection that has sent its first bytes. It keeps the bytes it gets. `over` resolves when it is closed. */
export interface Caller {
  readonly socket: Socket;
  heard(): string;
  readonly over: Promise<void>;
}

/** Connects to a service and sends something. */
export function call(url: string, says: string | Buffer): Promise<Caller> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    const chunks: Buffer[] = [];
    socket.on("data", (chunk) => chunks.push(chunk));
    // A reset also closes the connection.
    socket.on("error", () => undefined);
    const over = new Promise<void>((end) => socket.on("close", () => end()));
    socket.on("connect", () => {
      socket.write(says);
      resolve({ socket, heard: () => Buffer.concat(chunks).toString("latin1"), over });
    });
  });
}
