/**
 * What all test files share: one PostgreSQL, one browser, and processes that run command lines. They start when the first file asks for them, and stop when the
 * last is done. Test files run in other processes, so they ask over HTTP. There is also one folder for databases in files.
 */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import type { BrowserServer } from "playwright-core";
import type { TestProject } from "vitest/node";
import { endPool, runInPool } from "../../test/support/warm-pool.ts";
import { type Postgres, startPostgres } from "./postgres.ts";

type Job = Parameters<typeof runInPool>[0];

declare module "vitest" {
  interface ProvidedContext {
    /** Address where a test asks for a new PostgreSQL database. The answer's text is the database's address. */
    readonly newDatabases: string;
    /** Address where a test asks for the browser. The answer's text is the address to join it at. */
    readonly browser: string;
    /** Address where a test posts a command line. The answer is its result. */
    readonly commands: string;
    /** A folder that is removed after the last test file. */
    readonly folder: string;
  }
}

/** Vitest runs this before the first test file. @returns the function to run after the last */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let postgres: Promise<Postgres> | undefined;
  let browser: Promise<BrowserServer> | undefined;
  const newDatabase = async () => {
    postgres ??= startPostgres();
    return (await postgres).newDatabase();
  };
  const browserAddress = async () => {
    // Loaded by the first file that asks: most runs by name need no browser.
    browser ??= import("./browser.ts").then(({ startBrowserServer }) => startBrowserServer());
    return (await browser).wsEndpoint();
  };
  const answers: Readonly<Record<string, (body: IncomingMessage) => Promise<string>>> = {
    "/commands": async (body) => JSON.stringify(await runInPool((await json(body)) as Job)),
    "/databases": newDatabase,
    "/browser": browserAddress,
  };
  const server = createServer(async (request, response) => {
    try {
      const answer = await answers[request.url ?? ""]?.(request);
      response.end(answer);
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  project.provide("newDatabases", `${address}/databases`);
  project.provide("browser", `${address}/browser`);
  project.provide("commands", `${address}/commands`);
  const folder = mkdtempSync(join(tmpdir(), "logferry-tests-"));
  project.provide("folder", folder);
  return async () => {
    server.close();
    endPool();
    rmSync(folder, { recursive: true, force: true });
    await Promise.all([postgres?.then((one) => one.stop()), browser?.then((one) => one.close())]);
  };
}
