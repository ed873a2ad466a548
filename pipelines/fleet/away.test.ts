/** A database of a fleet that goes away and comes back. */
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { TLSSocket } from "node:tls";
import { expect, inject, test } from "vitest";
import { wireTo } from "../../service/test/cut-off.ts";
import { selfSigned } from "../../test/support/certificate.ts";
import { openFleetDatabase } from "./database.ts";
import { sayAtWork, sayEnded, workersAtWork } from "./workers.ts";

test("a database that is away is told once, and once that it is back; a worker counts while it gives signs of life", async () => {
  const wire = await wireTo(await (await fetch(inject("newDatabases"))).text());
  try {
    const told: (string | undefined)[] = [];
    const away = Promise.withResolvers<void>();
    await using database = await openFleetDatabase(wire.address, new AbortController().signal, (reason) => {
      told.push(reason);
      away.resolve();
    });
    wire.cut();
    const asked = ["a", "b", "c"].map((name) => sayAtWork(database, name));
    await away.promise;
    wire.mend();
    await Promise.all(asked);
    expect(told).toEqual([expect.stringMatching(/./), undefined]);

    await database.query(
      "CREATE SCHEMA logferry_queue; CREATE TABLE logferry_queue.job (state text, heartbeat_on timestamptz)",
    );
    expect(await workersAtWork(database)).toBe(3);
    await sayEnded(database, "a");
    await database.query("UPDATE logferry_fleet.workers SET seen = seen - interval '16 seconds' WHERE name = 'b'");
    expect(await workersAtWork(database)).toBe(1);
    // A worker of an older logferry is known by its job alone.
    await sayEnded(database, "c");
    expect(await workersAtWork(database)).toBe(0);
    await database.query("INSERT INTO logferry_queue.job VALUES ('active', now()), ('active', now())");
    expect(await workersAtWork(database)).toBe(1);
  } finally {
    await wire.close();
  }
});

test("a try that began while the database was away, and fails after it is back, is no news", async () => {
  const told: (string | undefined)[] = [];
  const address = await (await fetch(inject("newDatabases"))).text();
  await using database = await openFleetDatabase(address, new AbortController().signal, (reason) => told.push(reason));
  let tries = 0;
  const answer = await database.transaction(async ({ query }) => {
    tries++;
    // Meanwhile others get their answers.
    if (tries === 2) await database.query("SELECT 1");
    if (tries < 3) throw new Error("Connection terminated unexpectedly");
    return await query("SELECT 2 AS two");
  });
  expect([answer, tries, told]).toEqual([[{ two: 2 }], 3, []]);
});

test("a database whose certificate nobody here knows is named with what to write in the address", async () => {
  const server = createServer((socket) => {
    // PostgreSQL answers a request for TLS with an S, and speaks TLS from then on.
    socket.once("data", () => {
      socket.write("S");
      new TLSSocket(socket, { isServer: true, ...selfSigned({ host: "127.0.0.1" }) }).on("error", () => undefined);
    });
    socket.on("error", () => undefined);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const opened = openFleetDatabase(
    `postgres://me:hush@127.0.0.1:${port}/fleet?sslmode=verify-full`,
    new AbortController().signal,
  );
  await expect(opened).rejects.toMatchObject({
    code: "fleet/database",
    message: expect.stringMatching(/signed by itself\. Name .*: \?sslmode=verify-full&sslrootcert=/),
  });
  server.close();
});

test("a role that may not connect for a while waits, and it is told once; at the first contact it is an error", async () => {
  const wire = await wireTo(await (await fetch(inject("newDatabases"))).text());
  try {
    const told: (string | undefined)[] = [];
    await using database = await openFleetDatabase(wire.address, new AbortController().signal, (reason) => {
      told.push(reason);
      wire.mend();
    });
    wire.refuse();
    expect(await database.query("SELECT 1 AS one")).toEqual([{ one: 1 }]);
    expect(told).toEqual(['permission denied for database "fleet"', undefined]);
    wire.refuse();
    const first = openFleetDatabase(wire.address, new AbortController().signal);
    await expect(first).rejects.toMatchObject({ code: "fleet/database", message: expect.stringContaining("denied") });
    wire.mend();
  } finally {
    await wire.close();
  }
});

test("a database that is starting is waited for from the first contact, and told", async () => {
  const wire = await wireTo(await (await fetch(inject("newDatabases"))).text());
  try {
    wire.start();
    const told: (string | undefined)[] = [];
    const opening = openFleetDatabase(wire.address, new AbortController().signal, (reason) => {
      told.push(reason);
      wire.mend();
    });
    await using database = await opening;
    expect(told).toEqual(["the database system is starting up", undefined]);
    expect(await database.query("SELECT 1 AS one")).toEqual([{ one: 1 }]);
  } finally {
    await wire.close();
  }
});
