/** A sender that says what no HTTP library would, byte for byte, over TCP. */
import { connect, type Socket } from "node:net";

/** A connection that has said this much. What it hears is kept; `over` resolves when it is closed. */
export interface Caller {
  readonly socket: Socket;
  heard(): string;
  readonly over: Promise<void>;
}

/** Connects to a service and says something. */
export function call(url: string, says: string | Buffer): Promise<Caller> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    const chunks: Buffer[] = [];
    socket.on("data", (chunk) => chunks.push(chunk));
    // A reset is one way of being closed.
    socket.on("error", () => undefined);
    const over = new Promise<void>((end) => socket.on("close", () => end()));
    socket.on("connect", () => {
      socket.write(says);
      resolve({ socket, heard: () => Buffer.concat(chunks).toString("latin1"), over });
    });
  });
}
