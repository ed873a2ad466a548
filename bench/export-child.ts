/**
 * Writes a million workouts to a file in a process of its own: with a writer of an export, or their rows with fast-csv alone. It prints a JSON line:
 * milliseconds, bytes of the file, and the most memory the process ever had. Started by `scale.ts`.
 */
import { createWriteStream, mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { format } from "fast-csv";
import type { LogRecord } from "../connectors/api/source.ts";
import { EVERYTHING } from "../connectors/exports/choose.ts";
import { FORMATS } from "../connectors/exports/formats.ts";
import { TABLES, toHeader, toRows } from "../connectors/exports/tables.ts";
import { randomFrom } from "../fixtures/make/random.ts";

const [how, count, folder] = process.argv.slice(2);
if (folder === undefined || (how !== "csv" && how !== "ndjson" && how !== "fast-csv"))
  throw new Error("usage: export-child.ts csv|ndjson|fast-csv COUNT FOLDER");

/** Different workouts. They are written again and again, so that making them takes no time. */
const DISTINCT = 10_000;
const random = randomFrom("export");
const workouts = Array.from({ length: DISTINCT }, (_, index): LogRecord & { readonly kind: "workout" } => {
  const date = new Date(Date.UTC(2000, 0, 1 + index)).toISOString().slice(0, 10);
  return {
    kind: "workout",
    id: `w${index}`,
    value: {
      ...{ id: `w${index}`, activityID: 10, activityName: "Run", date, timeOfDay: "06:30:00" },
      details: { distance: { unit: "km", value: random.between(5, 20) }, duration: random.between(1500, 6500) },
      health: { avgHR: random.whole(120, 170) },
      notes: `Run ${index}, "easy", a little wind on the way home.`,
    },
  };
});
const all = Number(count);
mkdirSync(folder, { recursive: true });
const path = join(folder, how === "ndjson" ? "log.ndjson" : "workouts.csv");
const startedAt = performance.now();
if (how === "fast-csv") await writeRows();
else await writeLog(how);
const ms = performance.now() - startedAt;
console.log(JSON.stringify({ ms, bytes: statSync(path).size, peakBytes: process.resourceUsage().maxRSS * 1024 }));

async function writeLog(name: "csv" | "ndjson"): Promise<void> {
  const options = {
    folder: folder as string,
    choice: EVERYTHING,
    rawCsv: false,
    gzip: false,
    now: 0,
    report: () => {},
  };
  const writer = await FORMATS[name].open(options);
  for (let index = 0; index < all; index++) await writer.write(workouts[index % DISTINCT] as LogRecord);
  await writer.finish();
}

/** The same rows, made before, by the way of the manual of fast-csv. */
async function writeRows(): Promise<void> {
  const table = TABLES.find(({ name }) => name === "workouts");
  if (table === undefined) throw new Error("Cannot measure: there is no table of workouts");
  const rows = workouts.map(({ value }) => toRows(table, value)[0]);
  function* cells() {
    yield toHeader(table as NonNullable<typeof table>);
    for (let index = 0; index < all; index++) yield rows[index % DISTINCT];
  }
  const out = format({ writeBOM: true, headers: false, includeEndRowDelimiter: true });
  await pipeline(Readable.from(cells()), out, createWriteStream(path));
}
