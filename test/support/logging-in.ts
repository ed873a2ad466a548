/**
 * `logferry login` as a person has it: a process, a home of its own, a browser (a program that follows redirects), and a service that gives codes and
 * tokens. That service is scripted here. test/login.test.ts does the same against the real one.
 */
import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterEach, beforeEach } from "vitest";
import { loginWith } from "../../cli/actions/login.ts";
import type { CommandContext } from "../../cli/arguments/command.ts";
import { EXIT_CODES, exitOf, UsageError } from "../../cli/errors/exit-codes.ts";
import { createOutput } from "../../cli/terminal/output.ts";
import { systemClock } from "../../connectors/api/clock.ts";
import { TransferError } from "../../connectors/errors.ts";
import {
  APPLICATION,
  type AuthorizationServer,
  browse,
  type Script,
  startAuthorizationServer,
} from "./authorization-server.ts";
import { runCli, type StartOptions } from "./cli.ts";
import { fakePrograms } from "./fake-programs.ts";
import type { Ran } from "./rehearsal.ts";

export let server: AuthorizationServer;
export const script: Script = {};

/** Begins each test with a service and a script of its own. */
export function withService(): void {
  beforeEach(async () => {
    for (const key of Object.keys(script)) delete script[key as keyof Script];
    server = await startAuthorizationServer(script);
  });
  afterEach(() => server.close());
}

export const SECRET = { LOGFERRY_CLIENT_SECRET: APPLICATION.secret };
export const SCREEN = { DISPLAY: ":99" };

/** The words of a login in the browser. */
export function words(...more: readonly string[]): string[] {
  return ["login", "--url", server.url, "--client-id", APPLICATION.id, ...more];
}

/** With a browser whose owner allows the request. */
export function withBrowser(home: string, more: readonly string[] = [], options: StartOptions = {}): Promise<Ran> {
  const { path } = fakePrograms(home);
  return runCli(home, words(...more), { ...options, env: { PATH: path, ...SCREEN, ...SECRET, ...options.env } });
}

export function credentialsIn(home: string, profile = "default"): string {
  return join(home, ".config", "logferry", "credentials", `${profile}.json`);
}

/** Waits until the standard error of a process contains a text. */
export function said(child: ChildProcess, pattern: RegExp): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    let text = "";
    child.stderr?.on("data", (chunk) => {
      text += chunk;
      const found = pattern.exec(text);
      if (found !== null) resolve(found);
    });
    child.on("close", () => reject(new Error(`it ended, having said: ${text}`)));
  });
}

/**
 * Runs a login that must fail in this process, with a browser of the test's own. When the browser has ended without success, five minutes pass at
 * once. A failed login stores nothing.
 */
export async function here(
  options: { readonly [K in keyof CommandContext["options"]]?: CommandContext["options"][K] | undefined },
  environment: Readonly<Record<string, string>> = SECRET,
): Promise<{ code: number; message: string; shown: string }> {
  let shown = "";
  const stream = { write: (text: string) => (shown += text) };
  let tooLate: () => void = () => undefined;
  const logIn = loginWith({
    openBrowser: (address) => {
      // A browser that brought the right answer has already ended the wait.
      void browse(address).then(({ status }) => status !== 200 && tooLate());
      return true;
    },
    sleep: () =>
      new Promise<void>((resolve) => {
        tooLate = resolve;
      }),
  });
  const given = { url: server.url, clientId: APPLICATION.id, profile: "nobody-logs-in-here", ...options };
  const error = await logIn({
    output: createOutput("normal", false, { out: stream, err: stream }),
    signal: new AbortController().signal,
    options: Object.fromEntries(
      Object.entries(given).filter(([, value]) => value !== undefined),
    ) as CommandContext["options"],
    arguments: [],
    tables: { sports: new Map(), activityIDs: {}, workoutIDs: {} },
    notify: {},
    environment,
    input: new PassThrough(),
    now: Date.now,
    sleep: systemClock.sleep,
  }).catch((reason: unknown) => reason);
  if (!(error instanceof TransferError || error instanceof UsageError)) throw error;
  return { code: EXIT_CODES[exitOf(error)].code, message: error.message, shown };
}

export const ADDRESS = /\n {2}(http\S+)\n/;
