/**
 * What a rehearsal can't do without, in a process of its own: our service without its wait for the disk, and a bare loop that sends the four requests
 * for each device file. The loop imports it, reads the workout, saves it and reads it again. It plans, compares and writes down nothing. It prints the
 * milliseconds. Started by `commands.ts`.
 */
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { gzipSync } from "node:zlib";
import { Pool } from "undici";
import { makeManyFits } from "../fixtures/make/many.ts";
import { addDemoUser } from "../service/demo.ts";
import { startService } from "../service/server.ts";

const [count, inFlight, folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("usage: rehearsal-child.ts FILES IN-FLIGHT FOLDER");
// As `logferry rehearse` has it.
setFlagsFromString("--semi-space-growth-factor=2");

const WORKOUTS = "/rest/logs/me/workouts";
const files: Uint8Array[] = [];
for await (const [, bytes] of makeManyFits(Number(count), 7)) files.push(gzipSync(bytes, { level: 1 }));
const service = await startService({ database: join(folder, `bare-${process.pid}.db`), isRehearsal: true });
const { token } = await addDemoUser(service, { units: "kilometres" });
const pool = new Pool(service.url, { connections: Number(inFlight) });
const ms = await loaded();
await pool.close();
await service.close();
console.log(JSON.stringify({ ms }));

async function loaded(): Promise<number> {
  const startedAt = performance.now();
  const worker = async () => {
    for (let file = files.pop(); file !== undefined; file = files.pop()) {
      const headers = { "content-type": "application/octet-stream", "content-encoding": "gzip" };
      const { ids = [] } = await ask<{ ids: string[] }>("POST", `${WORKOUTS}/fit`, file, headers);
      const path = `${WORKOUTS}/${ids[0]}`;
      const { workout } = await ask<{ workout: { activityID: number; date: string; details: object } }>("GET", path);
      const { activityID, date, details } = workout ?? {};
      const body = JSON.stringify({ activityID, date, details, notes: "An hour along the river." });
      await ask("PUT", path, body, { "content-type": "application/json" });
      await ask("GET", path);
    }
  };
  await Promise.all(Array.from({ length: Number(inFlight) }, worker));
  return performance.now() - startedAt;
}

async function ask<T>(
  method: "GET" | "POST" | "PUT",
  path: string,
  body: Uint8Array | string | null = null,
  headers: Record<string, string> = {},
): Promise<Partial<T>> {
  const answer = await pool.request({ method, path: `${path}?access_token=${token}`, body, headers });
  const text = await answer.body.text();
  if (answer.statusCode !== 200) throw new Error(`Cannot measure: the answer is ${answer.statusCode} ${text}`);
  return (JSON.parse(text) as { data: T }).data;
}
