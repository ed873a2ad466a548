/** What an error means to a person: the exit it deserves, what to say, and what to do about it. */
import { FatalError, RetryableError, TransferError } from "../../connectors/errors.ts";
import { type ExitName, exitOf, UsageError } from "./exit-codes.ts";

/** An error in words. */
export interface Problem {
  readonly exit: ExitName;
  readonly message: string;
  /** The lines below the message: each mistake, or what to do. */
  readonly more: readonly string[];
}

/** An error in words; undefined for a bug of ours. */
export function describeError(error: unknown): Problem | undefined {
  if (!(error instanceof TransferError || error instanceof UsageError)) return undefined;
  const goOn = error instanceof FatalError && error.goOn !== undefined ? `Then resume with: ${error.goOn}` : undefined;
  const below = error instanceof UsageError || error instanceof FatalError ? error.more : [];
  const more = [...below, remedyOf(error), goOn].filter((line) => line !== undefined);
  return { exit: exitOf(error), message: error.message, more };
}

/** Whether an error is no more than our own stopping, by Ctrl-C, before anything was changed: a request's, or that of a wait. */
export function isStop(error: unknown, signal: AbortSignal): boolean {
  if (!signal.aborted) return false;
  return (error instanceof TransferError && error.code === "api/stopped") || error === signal.reason;
}

/** A bug with its stack, a line each, for a report. */
export function bugLines(error: unknown): readonly string[] {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  // No error of ours holds the token. A bug is what we didn't expect.
  const redacted = text.replaceAll(/\b(access_token|client_secret|code|code_verifier)=[^&\s"'`]*/g, "$1=[redacted]");
  return `This is a bug in logferry, please report it: ${redacted}`.split(/\n(?= {4}at )/);
}

/** What to do where the service takes the token and refuses what is asked with it. */
const FORBIDDEN =
  "The access token does not allow this: it may have been taken back in part. Log in again: logferry login --url URL";

/** What to do where the service is not well before anything was done. */
const LATER = "Nothing was changed. Try again later. If it stays so, tell the people who run the service.";

/** What to do where the service doesn't take the token at all. */
const REFUSED =
  "The access token may be mistyped or cut short, or it was revoked. Log in again: logferry login --url URL";

/** What to do where the service sends us elsewhere. A redirect may follow what was asked for, so it proves nothing. */
const MOVED =
  "A redirect doesn't say whether the log took the record. The next run looks it up before it sends it again. First check the address of your log: logferry doctor --url URL";

function remedyOf(error: TransferError | UsageError): string | undefined {
  if (error instanceof FatalError && error.reason === "login" && error.code.startsWith("api/"))
    return error.code === "api/http-403" ? FORBIDDEN : REFUSED;
  if (error instanceof FatalError && error.code === "api/redirect") return MOVED;
  // Where a run was under way, the loader says it.
  return error instanceof RetryableError && error.code.startsWith("api/") ? LATER : undefined;
}
