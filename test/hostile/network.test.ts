import { globSync, readFileSync } from "node:fs";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { inspect } from "node:util";
import { expect, test } from "vitest";
import { getUser } from "../../connectors/api/client.ts";
import { openConnection } from "../../connectors/api/connection.ts";
import { calm, errorOf, TOKEN } from "../support/api.ts";
import { selfSigned } from "../support/certificate.ts";
import { emptyHome, runCli } from "../support/cli.ts";
import { inTurn, startServer } from "../support/http-server.ts";
import { ROOT } from "../support/rehearsal.ts";

const USER = { json: { code: 0, data: { user: { screenName: "ann" } } } };

/** pg connects these sockets, to the database alone. */
const OF_DATABASE = "service/store/sockets.ts";

test("N4 the service never fetches an address: it imports no client, and calls none", () => {
  for (const path of globSync("service/**/*.ts", { cwd: ROOT })) {
    if (/(^|\/)test\//.test(path)) continue;
    const text = readFileSync(join(ROOT, path), "utf8").replaceAll(/^import (?:type .*|\{ isIPv?[46]? \} .*)$/gm, "");
    const found = text.match(/from "(?:undici|node:https|node:net|node:tls|node:dns)"|\bfetch\(/g);
    expect(found, path).toEqual(path === OF_DATABASE ? ['from "node:net"'] : null);
    if (path === OF_DATABASE) expect(text).not.toMatch(/connect\(|createConnection/);
    // These files take only types from node:http, and the functions that listen.
    expect(text.match(/\b(?:http|https)\.(?:get|request)\(/g), path).toBeNull();
  }
});

test("B2 of undici the client is its Pool, the heartbeat a bare request, and an address of a zip or for a report a bare Agent: no fetch, cache, retries or redirects, where its holes were", () => {
  const used = globSync("{bin,cli,connectors,pipelines,transforms}/**/*.ts", { cwd: ROOT })
    .filter((path) => !path.endsWith(".test.ts"))
    .flatMap((path) =>
      [...readFileSync(join(ROOT, path), "utf8").matchAll(/import (.*?) from "undici"/g)].map(
        ([, names]) => `${path}: ${names}`,
      ),
    );
  expect(used.toSorted()).toEqual([
    "cli/notify/heartbeat.ts: { request }",
    "connectors/api/exchange.ts: { buildConnector, type Dispatcher, Pool }",
    "connectors/containers/http-answers.ts: type { Dispatcher }",
    "connectors/containers/http-bytes.ts: { Agent }",
    "connectors/exports/put-file.ts: { Agent, request }",
  ]);
});

test("N5 a certificate that nobody signed is refused, and no variable of the environment changes that", async () => {
  const requests: unknown[] = [];
  const server = createSecureServer(selfSigned({ host: "127.0.0.1" }), (request, response) => {
    requests.push(request.url);
    response.end(JSON.stringify(USER.json));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    using home = emptyHome();
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { code, err } = await runCli(home.path, ["whoami", "--url", url], {
      env: { LOGFERRY_TOKEN: "c4naryT0ken", NODE_TLS_REJECT_UNAUTHORIZED: "0" },
    });
    expect({ code, err }).toMatchObject({
      code: 2,
      err: expect.stringMatching(
        /this computer does not trust the authority that signed its certificate \(DEPTH_ZERO_SELF_SIGNED_CERT\)\. Nothing was sent/,
      ),
    });
    expect(err).not.toContain("c4nary");
    expect(requests).toEqual([]);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test("N5 a server that speaks TLS 1.1 and no better is refused", async () => {
  const server = createSecureServer({
    ...selfSigned({ host: "127.0.0.1" }),
    minVersion: "TLSv1.1",
    maxVersion: "TLSv1.1",
    ciphers: "DEFAULT@SECLEVEL=0",
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const connection = openConnection({
      baseUrl: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
      token: TOKEN,
    });
    expect(await errorOf(getUser(connection, calm()))).toMatchObject({
      code: "api/tls",
      message: expect.stringMatching(/\(ERR_SSL_|\(EPROTO|ALERT_PROTOCOL_VERSION/),
    });
    await connection.close();
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test("N6 proxies that the environment names are not asked: the token goes to the log or nowhere", async () => {
  const log = await startServer(inTurn(USER));
  const proxy = await startServer(inTurn({ status: 200, json: { code: 0 } }));
  try {
    using home = emptyHome();
    const env = {
      HTTP_PROXY: proxy.url,
      HTTPS_PROXY: proxy.url,
      ALL_PROXY: proxy.url,
      http_proxy: proxy.url,
      NODE_USE_ENV_PROXY: "1",
    };
    await runCli(home.path, ["whoami", "--url", log.url], { env: { ...env, LOGFERRY_TOKEN: "c4naryT0ken" } });
    expect(proxy.requests).toEqual([]);
    expect(log.requests.length).toBeGreaterThan(0);
  } finally {
    await log.close();
    await proxy.close();
  }
});

test("S10 an error that is printed with all it holds, its causes too, holds no token", async () => {
  const log = await startServer(inTurn({ fault: "reset" }));
  const outcomes: Error[] = [];
  for (const baseUrl of [log.url, "http://127.0.0.1:9", log.url.replace("http:", "https:")]) {
    const connection = openConnection({
      baseUrl,
      token: TOKEN,
      rate: undefined,
      clock: { now: Date.now, date: Date.now, sleep: async () => {}, random: () => 0 },
    });
    outcomes.push(await errorOf(getUser(connection, calm())));
    await connection.close();
  }
  await log.close();
  expect(outcomes).toHaveLength(3);
  for (const error of outcomes) {
    const shown = inspect(error, { depth: 20, showHidden: true, getters: true });
    for (const spelling of [TOKEN, encodeURIComponent(TOKEN), Buffer.from(TOKEN).toString("base64"), "c4nary"])
      expect(shown).not.toContain(spelling);
  }
});
