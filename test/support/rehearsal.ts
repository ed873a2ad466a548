/**
 * A training log for a test of its own, and the command line that runs against it as for a person: a real process, real HTTP, a real journal. An
 * independent client reads the log.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addDemoUser } from "../../service/demo.ts";
import type { FaultOptions } from "../../service/faults/faults.ts";
import type { LogSink } from "../../service/http/log.ts";
import { type Service, startService } from "../../service/server.ts";
import { COMPILED } from "./compiled.ts";
import { canBeWarm, runWarm } from "./warm-cli.ts";

/** The repository. */
export const ROOT = join(import.meta.dirname, "..", "..");
const CLI = join(ROOT, "bin", "logferry.js");

/** The result of a command. */
export interface Ran {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

/** A user of a running service, with a folder for journals and exports. */
export interface Rehearsal {
  readonly service: Service;
  readonly userId: string;
  readonly token: string;
  readonly folder: string;
  /** `--activity` flags for the activities the demo user made for themselves. */
  readonly activities: readonly string[];
  /** Runs `logferry WORDS` to its end, in a process of its own only where the options ask for one. */
  run(words: readonly string[], options?: RunOptions): Promise<Ran>;
  /** Starts it and gives the process, for killing. */
  start(words: readonly string[], options?: RunOptions): { child: ChildProcess; ended: Promise<Ran> };
  /** GETs a path of the interface as plain `fetch`. @returns the envelope's `data` */
  get(path: string): Promise<Record<string, unknown>>;
  /** Every entry of a listing, page by page. */
  listed(path: string): Promise<readonly Record<string, unknown>[]>;
  /** Ends the commands that still run, and the service. */
  close(): Promise<void>;
}

/** The settings of a rehearsal that may differ from the usual ones. */
export interface RehearsalOptions {
  readonly utcOffset?: number;
  /** Default a file in the rehearsal's folder. */
  readonly database?: string;
  readonly faults?: FaultOptions;
  /** Gets the service's own log. */
  readonly log?: LogSink;
  /** The service's clock. */
  readonly now?: () => number;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly journal?: string;
  /** A program and its words that start the command: `/bin/sh -c 'ulimit ...; exec "$0" "$@"'`. */
  readonly through?: readonly string[];
}

/** Starts a service with a user in it. */
export async function rehearse(
  units: "miles" | "kilometres" = "kilometres",
  options: RehearsalOptions = {},
): Promise<Rehearsal> {
  const folder = mkdtempSync(join(tmpdir(), "logferry-test-"));
  const service = await startService({
    database: options.database ?? join(folder, "service.db"),
    ...(options.faults !== undefined && { faults: options.faults }),
    ...(options.log !== undefined && { log: options.log }),
    ...(options.now !== undefined && { now: options.now }),
  });
  const user = await addDemoUser(service, {
    units,
    utcOffset: options.utcOffset ?? 1,
    activities: ["walk", "hike", "elliptical", "row", "ski", "yoga", "other"],
  });
  const activities = Object.entries(user.activityIDs).flatMap(([name, id]) => ["--activity", `${name}=${id}`]);

  const environmentOf = ({ env = {}, journal = join(folder, "journal.db") }: RunOptions): Record<string, string> => ({
    PATH: process.env.PATH ?? "",
    HOME: folder,
    ...COMPILED,
    LOGFERRY_URL: service.url,
    LOGFERRY_TOKEN: user.token,
    LOGFERRY_JOURNAL: journal,
    LOGFERRY_RATE: "0",
    LOGFERRY_HOST_RATE: "0",
    // By default a test does not wait for a failing service to recover.
    LOGFERRY_PATIENCE: "0",
    ...env,
  });
  const running = new Set<ChildProcess>();
  const start: Rehearsal["start"] = (words, options = {}) => {
    const { input, through = [] } = options;
    const [program = process.execPath, ...rest] = [...through, process.execPath, CLI, ...words];
    const child = spawn(program, rest, {
      stdio: ["pipe", "pipe", "pipe"],
      env: environmentOf(options),
    });
    child.stdin.end(input ?? "");
    let out = "";
    let err = "";
    child.stdout.on("data", (chunk) => (out += chunk));
    child.stderr.on("data", (chunk) => (err += chunk));
    running.add(child);
    const ended = once(child, "close").then(([code, signal]) => {
      running.delete(child);
      return { code, signal, out, err };
    });
    return { child, ended };
  };
  const get: Rehearsal["get"] = async (path) => {
    const separator = path.includes("?") ? "&" : "?";
    const answer = await fetch(`${service.url}${path}${separator}access_token=${user.token}`);
    const { code, data } = (await answer.json()) as { code: number; data: Record<string, unknown> };
    if (code !== 0) throw new Error(`GET ${path} answered code ${code}`);
    return data;
  };
  return {
    service,
    userId: user.userId,
    token: user.token,
    folder,
    activities,
    start,
    run(words, runOptions = {}) {
      const { env = {}, input, through } = runOptions;
      const isWarm = through === undefined && canBeWarm(env);
      return isWarm ? runWarm(words, environmentOf(runOptions), input) : start(words, runOptions).ended;
    },
    get,
    async listed(path) {
      const entries: Record<string, unknown>[] = [];
      for (;;) {
        const page = await get(`${path}?limit=100&offset=${entries.length}`);
        const more = page.entries as Record<string, unknown>[];
        entries.push(...more);
        if (more.length === 0 || entries.length >= Number(page.numEntries)) return entries;
      }
    },
    async close() {
      // A test that failed may have left a process behind, even a stopped one.
      for (const child of running) child.kill("SIGKILL");
      await service.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
