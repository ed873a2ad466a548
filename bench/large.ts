/**
 * `npm run bench:large` plans or reads archives of gigabytes, each in a process of its own. It prints the most memory that process ever had. It makes
 * the archives when they are needed, which takes minutes and 8 GB of disk.
 */
import { once } from "node:events";
import { createWriteStream, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { makeManyFits } from "../fixtures/make/many.ts";
import { writeZip, type ZipEntry } from "../fixtures/make/zip.ts";
import { runAsLogferry } from "./as-logferry.ts";

const MB = 1e6;
/** What the project promises (docs/platforms.md). */
const MOST_BYTES = 300 * MB;

const folder = mkdtempSync(join(tmpdir(), "logferry-large-"));

/** Writes texts to a file, as fast as the disk takes them. @returns bytes */
async function write(path: string, texts: Iterable<string>): Promise<number> {
  mkdirSync(dirname(path), { recursive: true });
  const out = createWriteStream(path);
  let bytes = 0;
  for (const text of texts) {
    bytes += text.length;
    if (!out.write(text)) await once(out, "drain");
  }
  out.end();
  await once(out, "finish");
  return bytes;
}

/** Two gigabytes of Apple Health: heart rates by the million, and a workout for each twenty thousand of them. */
function* appleHealth(records: number): Generator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<HealthData locale="en_GB">\n <ExportDate value="2026-01-01 10:00:00 +0100"/>\n';
  const time = (minute: number) =>
    `${new Date(Date.UTC(2015, 0, 1) + minute * 60_000).toISOString().slice(0, 19).replace("T", " ")} +0000`;
  let text = "";
  for (let at = 0; at < records; at++) {
    const minute = at % 5_000_000;
    text += ` <Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Watch" sourceVersion="9.${at % 7}" device="&lt;&lt;HKDevice: 0x28&gt;, name:Watch&gt;" unit="count/min" creationDate="${time(minute)}" startDate="${time(minute)}" endDate="${time(minute)}" value="${60 + (at % 90)}"/>\n`;
    if (at % 20_000 === 0)
      text += ` <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="${30 + (at % 60)}" durationUnit="min" totalDistance="${5 + (at % 9)}" totalDistanceUnit="km" sourceName="Watch" startDate="${time(at / 4)}" endDate="${time(at / 4 + 40)}"/>\n`;
    if (text.length > 1 << 20) {
      yield text;
      text = "";
    }
  }
  yield `${text}</HealthData>\n`;
}

/** A list of a million sessions of Polar's kind. Each thousandth is long enough to be a workout. */
function* sessions(count: number): Generator<string> {
  yield "[";
  let text = "";
  for (let at = 0; at < count; at++) {
    const start = new Date(Date.UTC(1990, 0, 1) + at * 900_000).toISOString().slice(0, 19);
    text += `${at === 0 ? "" : ","}{"activityId":${at + 1},"activityType":"running","startTimeLocal":"${start}","startTimeGmt":"${start}","duration":1800000,"distance":${500_000 + at},"avgHr":150}`;
    if (text.length > 1 << 20) {
      yield text;
      text = "";
    }
  }
  yield `${text}]`;
}

async function* copies(count: number, times: number, seed: number): AsyncGenerator<ZipEntry> {
  for await (const [name, bytes] of makeManyFits(count, seed))
    for (let copy = 0; copy < times; copy++) yield { name: `jo_${seed}${copy}${name}`, bytes, store: true };
}

async function measured(what: string, how: "plan" | "read", path: string, sizeBytes: number): Promise<boolean> {
  const script = how === "plan" ? "plan-child.ts" : "read-child.ts";
  const { ms, read, peakBytes } = await runAsLogferry<{ ms: number; read: number; peakBytes: number }>(script, [
    path,
    folder,
  ]);
  console.log(
    `${how === "plan" ? "Plan" : "Read"} ${what} (${(sizeBytes / MB).toFixed(0)} MB): ${read} records in ${(ms / 1000).toFixed(1)} s, at most ${(peakBytes / MB).toFixed(0)} MB`,
  );
  return peakBytes <= MOST_BYTES;
}

const held: boolean[] = [];
try {
  const apple = join(folder, "apple_health_export");
  held.push(
    await measured(
      "an Apple Health export",
      "plan",
      apple,
      await write(join(apple, "export.xml"), appleHealth(7_600_000)),
    ),
  );
  rmSync(apple, { recursive: true });

  const list = join(folder, "list");
  const name = "DI_CONNECT/DI-Connect-Fitness/jo_0_summarizedActivities.json";
  held.push(
    await measured("a list of a million activities", "read", list, await write(join(list, name), sessions(1_000_000))),
  );
  rmSync(list, { recursive: true });

  const garmin = join(folder, "garmin", "DI_CONNECT");
  mkdirSync(join(garmin, "DI-Connect-Uploaded-Files"), { recursive: true });
  let bytes = await write(join(garmin, "DI-Connect-Fitness", "jo_0_summarizedActivities.json"), sessions(1000));
  for (const part of [1, 2, 3])
    bytes += await writeZip(
      join(garmin, "DI-Connect-Uploaded-Files", `UploadedFiles_0-_Part${part}.zip`),
      copies(2000, 10, part),
    );
  held.push(await measured("a Garmin account with 60,000 files, ten of each", "plan", join(folder, "garmin"), bytes));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (held.includes(false)) console.log(`BROKEN: an archive of any size takes at most ${MOST_BYTES / MB} MB`);
process.exitCode = held.includes(false) ? 1 : 0;
