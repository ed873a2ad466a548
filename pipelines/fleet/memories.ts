/** What a fleet remembers of the archives of its athletes, in its PostgreSQL. */
import { isElsewhere, isMoved, memoryName, type Passed, type Remembered, withPassed } from "../ownership/memory.ts";
import type { Queries } from "./database.ts";

/** Entries of one question. */
const CHUNK = 500;

const MEMORIES = `SELECT name, memory FROM logferry_fleet.memories WHERE name > $1 ORDER BY name LIMIT ${CHUNK}`;

/** Reads the memory in parts, so that it never has to fit into this process. */
export async function* memoriesIn(queries: Pick<Queries, "query">): AsyncGenerator<Remembered> {
  for (let after = ""; ; ) {
    const rows = await queries.query(MEMORIES, [after]);
    for (const { name, memory } of rows) yield { ...(memory as Omit<Remembered, "path">), path: String(name) };
    if (rows.length < CHUNK) return;
    after = String(rows.at(-1)?.name);
  }
}

/** Remembers an athlete whose archives are in their log, as a part of a transaction. */
export async function rememberIn(queries: Queries, passed: Passed): Promise<void> {
  const name = memoryName(passed);
  const moved: Remembered[] = [];
  if (isMoved(passed))
    for await (const one of memoriesIn(queries)) if (isElsewhere(one, passed, passed.account)) moved.push(one);
  const [own] = await queries.query("SELECT memory FROM logferry_fleet.memories WHERE name = $1 FOR UPDATE", [name]);
  const before = own === undefined ? moved : [...moved, { ...(own.memory as Omit<Remembered, "path">), path: name }];
  await queries.query(
    "INSERT INTO logferry_fleet.memories VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET memory = excluded.memory",
    [name, JSON.stringify(withPassed(passed, before))],
  );
  for (const { path } of moved) await queries.query("DELETE FROM logferry_fleet.memories WHERE name = $1", [path]);
}
