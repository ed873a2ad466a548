/**
 * Loading. It measures how soon a large run that was killed goes on, and whether memory grows with the plan. It also compares the loader, which
 * writes down every intent and receipt, with a bare loop that writes down nothing. The command line is a process of its own, and so is the loop. The
 * log they send to is made here, as small as it can be, so that the sender alone is measured. Last, it counts the requests for workouts with device
 * files, by the log of our own service.
 */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { makeManyFits } from "../fixtures/make/many.ts";
import { writeZip, type ZipEntry } from "../fixtures/make/zip.ts";
import { addDemoUser } from "../service/demo.ts";
import { startService } from "../service/server.ts";
import { requestLog } from "../test/support/request-log.ts";
import { workout } from "./load-plan.ts";
import { asRatio, pairs, peakOf, spread } from "./measure.ts";

const ROOT = join(import.meta.dirname, "..");
const LOGFERRY = join(ROOT, "bin", "logferry.js");
const CHILD = join(import.meta.dirname, "load-child.ts");
const MB = 1e6;

/** What the project promises: docs/loading.md names these. */
const PROMISES = { resumeMs: 2000, growthBytes: 20 * MB };

const PLANS = { small: 1_000, large: 100_000 } as const;
const STARTS = 3;
const THROUGHPUT_PAIRS = 5;
const IN_FLIGHT = 8;
/** Workouts that are sent to measure throughput and memory. */
const SENT = 2_000;
/** Device files whose requests are counted, and the numbers of requests in flight. */
const TRACKS = { files: 300, atOnce: [1, 8] } as const;

/** Measures and prints. @returns the promises that are broken */
export async function benchLoad(): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), "logferry-bench-load-"));
  const broken: string[] = [];
  try {
    const peaks: number[] = [];
    for (const size of [PLANS.small, PLANS.large]) {
      const starts: Sent[] = [];
      for (let start = 0; start < STARTS; start++) {
        const path = join(folder, `resume-${size}-${start}.db`);
        await child("journal", path, String(size), String(size / 2));
        starts.push(await resume(path, size / 2, start === 0 ? Math.min(SENT, size / 2) : 1));
      }
      const first = spread(starts.map(({ firstMs }) => firstMs));
      const firstPost = spread(starts.map(({ firstPostMs }) => firstPostMs));
      console.log(`Go on with a plan of ${size}, half done and killed (${size / 2} workouts in the log):`);
      console.log(
        `  first request after ${first.median.toFixed(0)} ms (${first.least.toFixed(0)} to ${first.most.toFixed(0)}); first workout after ${firstPost.median.toFixed(0)} ms`,
      );
      if (size === PLANS.large && firstPost.median > PROMISES.resumeMs)
        broken.push(`a run of ${size} goes on within ${PROMISES.resumeMs / 1000} s`);
      peaks.push(starts[0]?.peakBytes ?? Number.NaN);
    }
    const [small = 0, large = 0] = peaks;
    console.log(
      `  memory at most ${(small / MB).toFixed(0)} MB for ${PLANS.small}, ${(large / MB).toFixed(0)} MB for ${PLANS.large}: ${((large - small) / MB).toFixed(0)} MB more`,
    );
    if (large - small > PROMISES.growthBytes)
      broken.push(`going on with ${PLANS.large} takes at most 20 MB more than with ${PLANS.small}`);
    await throughput(folder);
    broken.push(...(await requestsForTracks(folder)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  console.log();
  return broken;
}

/** The loader beside a loop that sends the same bodies and writes down nothing. */
async function throughput(folder: string): Promise<void> {
  let number = 0;
  const found = await pairs(
    THROUGHPUT_PAIRS,
    async () => {
      const path = join(folder, `throughput-${number++}.db`);
      await child("journal", path, String(SENT), "0");
      return 1000 / (await resume(path, 0, SENT)).perSecond;
    },
    async () => {
      const log = await smallLog(0);
      try {
        await child("bare", log.url, String(SENT), String(IN_FLIGHT));
        return 1000 / log.perSecond();
      } finally {
        await log.close();
      }
    },
  );
  console.log(
    `Load ${SENT} workouts, ${IN_FLIGHT} requests in flight: ${(1000 / found.a.median).toFixed(0)} a second; ${asRatio(found.ratio)} the time of a bare undici loop (${(1000 / found.b.median).toFixed(0)} a second)`,
  );
}

/** Loads device files into our own service, and counts the requests beside those that the plan states. @returns the promises that are broken */
async function requestsForTracks(folder: string): Promise<readonly string[]> {
  const zip = join(folder, "watch.zip");
  await writeZip(zip, filesOfWatch());
  const broken: string[] = [];
  for (const atOnce of TRACKS.atOnce) {
    const asked = requestLog();
    const service = await startService({ database: join(folder, `tracks-${atOnce}.db`), log: asked });
    try {
      const { token } = await addDemoUser(service, { units: "kilometres", utcOffset: 1 });
      const words = ["--json", "--journal", join(folder, `tracks-${atOnce}-journal.db`)];
      const logferry = async (...more: readonly string[]) => {
        const env = { PATH: process.env.PATH ?? "", HOME: folder, LOGFERRY_URL: service.url, LOGFERRY_TOKEN: token };
        const { stdout } = await execute(process.execPath, [LOGFERRY, ...more, ...words], { env });
        return stdout.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as PrintedLine]));
      };
      const stated = (await logferry("plan", zip)).find(({ type }) => type === "plan")?.cost?.requests ?? Number.NaN;
      const before = asked.all.length;
      const startedAt = performance.now();
      await logferry("apply", "--rate", "0", "--concurrency", String(atOnce));
      const perSecond = (1000 * TRACKS.files) / (performance.now() - startedAt);
      const sent = asked.all.length - before;
      console.log(
        `Load ${TRACKS.files} device files, ${atOnce} in flight: ${(sent / TRACKS.files).toFixed(2)} requests a workout (${sent}; the plan states ${stated}); ${perSecond.toFixed(0)} workouts a second`,
      );
      if (!(Math.abs(sent - stated) <= 0.02 * stated)) broken.push("a load sends the requests that its plan states");
    } finally {
      await service.close();
    }
  }
  return broken;
}

const execute = promisify(execFile);

/** What the bench reads of a line that a command prints with `--json`. */
interface PrintedLine {
  readonly type: string;
  readonly cost?: { readonly requests: number };
}

async function* filesOfWatch(): AsyncGenerator<ZipEntry> {
  for await (const [name, bytes] of makeManyFits(TRACKS.files, 16)) yield { name, bytes };
}

interface Sent {
  /** Milliseconds from the start of the process. */
  readonly firstMs: number;
  readonly firstPostMs: number;
  readonly perSecond: number;
  readonly peakBytes: number;
}

/** Runs `apply` on a journal until so many workouts were sent, then kills it. */
async function resume(path: string, there: number, count: number): Promise<Sent> {
  const log = await smallLog(there);
  const startedAt = performance.now();
  const words = ["apply", "--quiet", "--journal", path, "--rate", "0", "--concurrency", String(IN_FLIGHT)];
  const process_ = spawn(process.execPath, [LOGFERRY, ...words], {
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      PATH: process.env.PATH ?? "",
      HOME: join(path, "..", "home"),
      LOGFERRY_URL: log.url,
      LOGFERRY_TOKEN: "bench",
    },
  });
  const ended = once(process_, "exit");
  await Promise.race([log.reached(count), ended]);
  const peakBytes = peakOf(process_.pid ?? 0);
  process_.kill("SIGKILL");
  await ended;
  await log.close();
  return {
    firstMs: log.firstAt() - startedAt,
    firstPostMs: log.firstPostAt() - startedAt,
    perSecond: log.perSecond(),
    peakBytes,
  };
}

/** A log that takes every workout and lists those that were there, newest first. */
async function smallLog(there: number) {
  let firstAt = Number.NaN;
  let firstPostAt = Number.NaN;
  let lastPostAt = Number.NaN;
  let posts = 0;
  const waiting = new Map<number, () => void>();
  const server = createServer(async (request, response) => {
    if (Number.isNaN(firstAt)) firstAt = performance.now();
    await drained(request);
    const url = new URL(request.url ?? "", "http://localhost");
    if (request.method === "POST") {
      lastPostAt = performance.now();
      if (++posts === 1) firstPostAt = lastPostAt;
    }
    const data = request.method === "POST" ? { id: `new-${posts}` } : answerTo(url, there);
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify({ code: 0, data }));
    waiting.get(posts)?.();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    firstAt: () => firstAt,
    firstPostAt: () => firstPostAt,
    perSecond: () => (1000 * (posts - 1)) / (lastPostAt - firstPostAt),
    reached: (count: number) => new Promise<void>((resolve) => waiting.set(count, resolve)),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function drained(request: IncomingMessage): Promise<void> {
  for await (const _piece of request);
}

function answerTo({ pathname, searchParams }: URL, there: number): unknown {
  if (pathname.endsWith("/preference"))
    return { preference: { distanceUnit: "km", weightUnit: "kg", temperatureUnit: "C" } };
  if (pathname.endsWith("/users/me")) return { user: { screenName: "bench" } };
  if (!pathname.endsWith("/workouts")) return { entries: [], numEntries: 0 };
  const offset = Number(searchParams.get("offset") ?? 0);
  const length = Math.max(0, Math.min(Number(searchParams.get("limit") ?? 100), there - offset));
  const entries = Array.from({ length }, (_, index) => ({
    id: `id-${offset + index}`,
    activityID: 10,
    // The plan has twice as many workouts. Its newer half is done.
    date: workout(2 * there - 1 - offset - index).start.date,
  }));
  return { entries, numEntries: there };
}

async function child(...words: readonly string[]): Promise<void> {
  const running = spawn(process.execPath, [CHILD, ...words], { stdio: ["ignore", "inherit", "inherit"] });
  const [code] = await once(running, "exit");
  if (code !== 0) throw new Error(`${words[0]} ended with ${code}`);
}
