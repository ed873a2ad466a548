/**
 * An address that never accepts a connection. A server listens and is stopped, and its queue of connections is full, so the system drops new ones.
 */
import { spawn } from "node:child_process";
import { createConnection, type Socket } from "node:net";

const LISTENER = `const server = require("node:net").createServer();
server.listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => process.stdout.write(String(server.address().port)));`;

/** A connection that waits so many milliseconds without being accepted was dropped. */
const UNHEARD_MS = 400;

/** Starts one. */
export async function startDeafServer(): Promise<AsyncDisposable & { readonly url: string }> {
  const child = spawn(process.execPath, ["-e", LISTENER], { stdio: ["ignore", "pipe", "ignore"] });
  const ended = new Promise((resolve) => child.on("exit", resolve));
  const port = Number(await new Promise<Buffer>((resolve) => child.stdout.once("data", resolve)));
  child.kill("SIGSTOP");
  const knocks: Socket[] = [];
  for (let isHeard = true; isHeard; ) {
    const knock = createConnection(port, "127.0.0.1");
    knock.on("error", () => undefined);
    knocks.push(knock);
    isHeard = await new Promise<boolean>((resolve) => {
      knock.once("connect", () => resolve(true));
      setTimeout(() => resolve(false), UNHEARD_MS);
    });
  }
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      for (const knock of knocks) knock.destroy();
      child.kill("SIGKILL");
      await ended;
    },
  };
}
