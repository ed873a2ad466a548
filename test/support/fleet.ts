/** A service, the database of a fleet, and its athletes, for tests that have workers. */
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, inject } from "vitest";
import { jsonLines } from "./cli.ts";
import { passOn, startServer } from "./http-server.ts";
import { type Rehearsal, rehearse } from "./rehearsal.ts";
import { addMember, daysOf, type Member } from "./team.ts";

/** The service and its commands. Each file that calls `useFleet` has its own. */
export let rehearsal: Rehearsal;
/** The environment of commands on the file's own fleet. */
export let env: Record<string, string>;
/** What is closed at the end of the file. */
export const ways: { close(): Promise<void> }[] = [];

/** Starts the service of a file of tests and an empty fleet, and ends them after the last test. */
export function useFleet(): void {
  beforeAll(async () => {
    rehearsal = await rehearse();
    env = { LOGFERRY_FLEET: await newFleet() };
  });
  afterAll(async () => {
    for (const way of ways.splice(0)) await way.close();
    await rehearsal.close();
  });
}

/** The days of an athlete's log, as the service has them. */
export const logOf = ({ token }: Member) => daysOf({ url: rehearsal.service.url, token });
/** The JSON lines of a type. */
export const ofType = (out: string, type: string) => jsonLines(out).filter((line) => line.type === type);

/** Athletes with archives of their own. @param from the number of the first */
export async function team(from: number, count: number): Promise<readonly Member[]> {
  const made: Member[] = [];
  for (let number = from; number < from + count; number++)
    made.push(await addMember(rehearsal.service, join(rehearsal.folder, "team"), number));
  return made;
}

/** The address of an empty database. */
export const newFleet = async () => (await fetch(inject("newDatabases"))).text();

/** The rows of a statement, asked by the test itself. */
export async function asked(address: string, text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

/** Every row of every table that a fleet made, as text. */
export async function allTables(address = env.LOGFERRY_FLEET): Promise<string> {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  try {
    const tables = await client.query(
      "SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables WHERE table_schema LIKE 'logferry%' AND table_type = 'BASE TABLE'",
    );
    const texts: string[] = [];
    for (const { name } of tables.rows) {
      const { rows } = await client.query(`SELECT t::text AS row FROM ${name} t`);
      texts.push(`${name}: ${rows.map(({ row }) => row).join("\n")}`);
    }
    return texts.join("\n");
  } finally {
    await client.end();
  }
}

/** A way to the service that knows whether the service has done everything that came along it. */
export async function openWay(): Promise<{
  readonly url: string;
  isQuiet(): Promise<void>;
  /** Requests with a token. */
  sentWith(token: string): number;
  /** The tokens whose requests get no answer. */
  readonly cut: Set<string>;
}> {
  let [open, lastAt] = [0, performance.now()];
  const queries: string[] = [];
  const cut = new Set<string>();
  const way = await startServer(async (request) => {
    const { query } = request;
    open++;
    queries.push(String(query));
    try {
      if (cut.has(query.get("access_token") ?? "")) return { fault: "reset" };
      return await passOn(rehearsal.service.url, request);
    } finally {
      open--;
      lastAt = performance.now();
    }
  });
  const isQuiet = () => until(async () => open === 0 && performance.now() - lastAt > 500);
  ways.push(way);
  const sentWith = (token: string) => queries.filter((query) => query.includes(token)).length;
  return { url: way.url, isQuiet, sentWith, cut };
}

/** Settles once something holds. */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
}
