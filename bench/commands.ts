/**
 * Whole commands, as a person waits for them: from the start of the process to its end. It measures the first lines beside bare Node, a rehearsal of
 * watch files, and reading a whole log beside a bare loop that reads the same workouts. `node bench/commands.ts` runs this part alone.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Pool } from "undici";
import { makeManyActivities, makeManyFits } from "../fixtures/make/many.ts";
import { writeZip, type ZipEntry } from "../fixtures/make/zip.ts";
import { addDemoUser } from "../service/demo.ts";
import { startService } from "../service/server.ts";
import { runAsLogferry } from "./as-logferry.ts";
import { asRatio, pairs, timed } from "./measure.ts";

const LOGFERRY = join(import.meta.dirname, "..", "bin", "logferry.js");
/** Device files of the rehearsal, and workouts of the log that is read. */
const FILES = 1000;
const ROWS = 1000;
const START_PAIRS = 11;
const READ_PAIRS = 3;
const IN_FLIGHT = 8;

const run = promisify(execFile);

/** Measures and prints. */
export async function benchCommands(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "logferry-bench-commands-"));
  try {
    await readALog(folder);
    await rehearse(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  console.log();
}

/** Runs a command line to its end. */
async function logferry(folder: string, words: readonly string[], env: Record<string, string> = {}): Promise<void> {
  const all = { PATH: process.env.PATH ?? "", HOME: join(folder, "home"), ...env };
  await run(process.execPath, [LOGFERRY, ...words], { env: all, maxBuffer: 1 << 26 });
}

/** Loads an export into our own service, then reads them by each command that reads a whole log. */
async function readALog(folder: string): Promise<void> {
  const service = await startService({ database: join(folder, "log.db") });
  try {
    const { token } = await addDemoUser(service, { units: "kilometres" });
    const env = { LOGFERRY_URL: service.url, LOGFERRY_TOKEN: token };
    const zip = join(folder, "rows.zip");
    await makeManyActivities(zip, ROWS);
    await logferry(folder, ["import", zip, "--rate", "0"], env);
    await firstLines(folder, env);
    const pool = new Pool(service.url, { connections: IN_FLIGHT });
    const bare = () => timed(() => readBare(pool, token));
    let number = 0;
    const commands: Readonly<Record<string, () => readonly string[]>> = {
      verify: () => ["verify"],
      export: () => ["export", "--out", join(folder, `export-${number++}`)],
      backup: () => ["backup", "--repository", join(folder, `backup-${number++}`)],
    };
    for (const [name, words] of Object.entries(commands)) {
      const paced = () => [...words(), "--rate", "0", "--concurrency", String(IN_FLIGHT)];
      const both = await pairs(READ_PAIRS, () => timed(() => logferry(folder, paced(), env)), bare);
      console.log(
        `${name} of ${ROWS} workouts, ${IN_FLIGHT} in flight: ${(both.a.median / 1000).toFixed(1)} s with its start, ${perSecond(ROWS, both.a.median)} reads a second; ${asRatio(both.ratio)} the time of a bare undici loop (${perSecond(ROWS, both.b.median)} a second)`,
      );
    }
    await pool.close();
  } finally {
    await service.close();
  }
}

const perSecond = (count: number, ms: number) => (count / (ms / 1000)).toFixed(0);

/** The first line of commands beside a Node that does nothing. */
async function firstLines(folder: string, env: Record<string, string>): Promise<void> {
  for (const words of [["--help"], ["import", "--help"], ["status"]]) {
    const both = await pairs(
      START_PAIRS,
      () => timed(() => logferry(folder, words, env)),
      () => timed(() => run(process.execPath, ["-e", "0"])),
    );
    console.log(
      `logferry ${words.join(" ")}: ${both.a.median.toFixed(0)} ms; ${asRatio(both.ratio)} the time of a Node that does nothing (${both.b.median.toFixed(0)} ms)`,
    );
  }
}

/** Reads each workout of a log: the listing, and each one whole. */
async function readBare(pool: Pool, token: string): Promise<void> {
  const get = async (path: string) => {
    const { body } = await pool.request({ method: "GET", path: `${path}access_token=${token}` });
    return (await body.json()) as { data: { entries: { id: string }[] } };
  };
  const ids: string[] = [];
  for (let offset = 0; offset < ROWS; offset += 100) {
    const { data } = await get(`/rest/logs/me/workouts?limit=100&offset=${offset}&`);
    ids.push(...data.entries.map(({ id }) => id));
  }
  if (ids.length !== ROWS) throw new Error(`Cannot measure: the log has ${ids.length} workouts`);
  const worker = async () => {
    for (let id = ids.pop(); id !== undefined; id = ids.pop()) await get(`/rest/logs/me/workouts/${id}?`);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
}

/** Plans, loads and verifies device files in a private log. */
async function rehearse(folder: string): Promise<void> {
  const zip = join(folder, "watch.zip");
  await writeZip(zip, files());
  const words = ["rehearse", zip, "--no-pages", "--quiet", "--out", join(folder, "rehearsal")];
  const ms = await timed(() => logferry(folder, words));
  const bare = await runAsLogferry<{ ms: number }>("rehearsal-child.ts", [String(FILES), String(IN_FLIGHT), folder]);
  console.log(
    `Rehearse ${FILES} FIT files, planned, loaded and verified: ${(ms / 1000).toFixed(1)} s, ${perSecond(FILES, ms)} files a second; ${(ms / bare.ms).toFixed(1)}x the time of a bare loop that sends the same four requests for each file to the same service (${perSecond(FILES, bare.ms)} files a second)`,
  );
}

async function* files(): AsyncGenerator<ZipEntry> {
  for await (const [name, bytes] of makeManyFits(FILES, 7)) yield { name, bytes };
}

if (import.meta.main) await benchCommands();
