import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { expectDone, expectEachOnce, openWorld } from "./matrix/world.ts";

test("an answer that comes byte by byte and never ends is given up after twice --timeout, and its workout is looked up", async () => {
  await using world = await openWorld();
  let drops = 0;
  let isGivenUp = false;
  const server = createServer(async (request, response) => {
    const { method = "GET", url = "/", headers } = request;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const answer = await fetch(`${world.service.url}${url}`, {
      method,
      headers: { "content-type": headers["content-type"] ?? "text/plain" },
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    response.writeHead(answer.status, { "content-type": "application/json" });
    if (method !== "POST" || drops > 0) {
      response.end(await answer.text());
      return;
    }
    const drip = setInterval(() => response.write(drops++ === 0 ? "{" : " "), 100);
    response.on("close", () => {
      clearInterval(drip);
      isGivenUp = true;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const env = { LOGFERRY_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  expectDone([await world.import({ env, flags: ["--concurrency", "1", "--timeout", "1"] })]);
  expect(isGivenUp).toBe(true);
  // One drop each tenth of a second, for two seconds. A slow machine has fewer drops.
  expect(drops).toBeGreaterThan(1);
  expect(drops).toBeLessThanOrEqual(25);
  await expectEachOnce(world, false);
  server.closeAllConnections();
  server.close();
});
