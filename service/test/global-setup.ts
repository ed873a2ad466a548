/**
 * One PostgreSQL for all test files. It starts when the first file asks for a database, and stops when the last is done. Test files run
 * in other processes, so they ask over HTTP. There is also one folder for databases in files.
 */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { type Postgres, startPostgres } from "./postgres.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Address where a test asks for a new PostgreSQL database. The answer's text is the database's address. */
    readonly newDatabases: string;
    /** A folder that is removed after the last test file. */
    readonly folder: string;
  }
}

/** Vitest runs this before the first test file. @returns the function to run after the last */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let postgres: Promise<Postgres> | undefined;
  const server = createServer(async (_request, response) => {
    try {
      postgres ??= startPostgres();
      response.end(await (await postgres).newDatabase());
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  project.provide("newDatabases", `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const folder = mkdtempSync(join(tmpdir(), "logferry-tests-"));
  project.provide("folder", folder);
  return async () => {
    server.close();
    rmSync(folder, { recursive: true, force: true });
    await (await postgres)?.stop();
  };
}
