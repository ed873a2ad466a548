import { expect, test } from "vitest";
import { type Reply, startServer } from "../../test/support/http-server.ts";
import { openHttpBytes } from "./http-bytes.ts";

// The tries of one range come without their waits here.
const noWait = async () => undefined;

test("a server that isn't there is told of in words, and the code is last", async () => {
  const server = await startServer(() => ({ status: 200 }));
  await server.close();
  await expect(openHttpBytes(`${server.url}/export.zip?key=1`, "export.zip", noWait)).rejects.toThrow(
    /^Cannot read export\.zip: nobody answers at its address \(ECONNREFUSED\)$/,
  );
});

test.each<[what: string, fault: Reply["fault"]]>([
  ["before its answer", "reset"],
  ["within its answer", "cut"],
])("a server that ends the connection %s is told of in words", async (_what, fault) => {
  const server = await startServer(() => ({
    status: 206,
    headers: { "content-range": "bytes 0-3/1000" },
    body: "PK12",
    ...(fault !== undefined && { fault }),
  }));
  await expect(openHttpBytes(`${server.url}/export.zip`, "export.zip", noWait)).rejects.toThrow(
    /^Cannot read export\.zip: its server ended the connection before the answer was complete \((UND_ERR_SOCKET|ECONNRESET)\)$/,
  );
  await server.close();
});
