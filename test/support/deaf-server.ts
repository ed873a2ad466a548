/**
 * An address where connections are never made: somebody listens, is stopped, and the queue of those who knock is full, so that the
 * system drops what comes after.
 */
import { spawn } from "node:child_process";
import { createConnection, type Socket } from "node:net";

const LISTENER = `const server = require("node:net").createServer();
server.listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => process.stdout.write(String(server.address().port)));`;

/** A knock that nobody heard for so long was dropped, in milliseconds. */
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
