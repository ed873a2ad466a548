/** A network that swallows everything, also the goodbye of a connection: no socket may keep a worker or a service alive for ever. */
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { openFleetDatabase } from "../../pipelines/fleet/database.ts";
import { openPostgres } from "../store/postgres.ts";
import { STORES } from "./stores.ts";

/** A way to a server that swallows what comes from either side, once told so, and closes nothing. */
async function openSwallowing(address: string) {
  const url = new URL(address);
  const [host, port] = [url.hostname, Number(url.port)];
  const near = new Set<Socket>();
  let swallows = false;
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const far = connect(port, host);
    near.add(socket.on("close", () => near.delete(socket)).on("error", () => undefined));
    far.on("error", () => undefined).on("data", (bytes) => void (swallows || socket.write(bytes)));
    socket.on("data", (bytes) => void (swallows || far.write(bytes)));
    onTestFinished(() => void far.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  url.port = String((server.address() as { port: number }).port);
  const swallow = () => {
    swallows = true;
  };
  return { address: url.href, near, swallow };
}

const USERS = {
  "a fleet": async (address: string) => {
    const database = await openFleetDatabase(address, new AbortController().signal);
    await database.query("SELECT 1");
    return database;
  },
  "the service": (address: string) => openPostgres(address),
};

test.each(Object.entries(USERS))(
  "connections of %s that the other side never closes are cut after a while",
  async (_, open) => {
    const way = await openSwallowing(await STORES.PostgreSQL());
    const database = await open(way.address);
    expect(way.near.size).toBeGreaterThan(0);
    way.swallow();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const closing = database.close();
    await vi.advanceTimersByTimeAsync(5_000);
    await closing;
    await vi.advanceTimersByTimeAsync(5_000);
    vi.useRealTimers();
    // A socket that is still open takes what comes. One that is gone answers with a reset, which the second write sees.
    while (way.near.size > 0) {
      for (const socket of way.near) socket.write("?");
      await setImmediate();
    }
    expect(way.near.size).toBe(0);
  },
);
