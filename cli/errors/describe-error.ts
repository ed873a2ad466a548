/** Describes an error for a person: the exit code, the problem, and the next step. */
import { FatalError, RetryableError, TransferError } from "../../connectors/errors.ts";
import { shellWord } from "../../transforms/text/shell.ts";
import { type ExitName, exitOf, UsageError } from "./exit-codes.ts";

/** An error in words. */
export interface Problem {
  readonly exit: ExitName;
  readonly message: string;
  /** The lines below the message: each mistake, or the next step. */
  readonly more: readonly string[];
}

/** The last error: what went wrong while something was closed comes after the error that led there. */
function lastOf(error: unknown): unknown {
  return error instanceof SuppressedError ? error.error : error;
}

/**
 * An error in words; undefined for a bug of ours.
 *
 * @param url the address of the log, for the command that logs in again. Without it, the person puts it in
 */
export function describeError(thrown: unknown, url = "URL"): Problem | undefined {
  const error = lastOf(thrown);
  if (!(error instanceof TransferError || error instanceof UsageError)) return undefined;
  const goOn = error instanceof FatalError && error.goOn !== undefined ? `Then resume with: ${error.goOn}` : undefined;
  const below = error instanceof UsageError || error instanceof FatalError ? error.more : [];
  const more = [...below, remedyOf(error, url), goOn].filter((line) => line !== undefined);
  return { exit: exitOf(error), message: error.message, more };
}

/** Whether the log refused the token, so that the next step is a login. */
export function isLoginNeeded(thrown: unknown): boolean {
  const error = lastOf(thrown);
  return error instanceof FatalError && error.reason === "login" && error.code.startsWith("api/");
}

/** Whether an error only comes from a stop by Ctrl-C, in a request or a wait, before anything was changed. */
export function isStop(thrown: unknown, signal: AbortSignal): boolean {
  if (!signal.aborted) return false;
  const error = lastOf(thrown);
  return (error instanceof TransferError && error.code === "api/stopped") || error === signal.reason;
}

/** A bug with its stack, one item for each line, for a report. */
export function bugLines(thrown: unknown): readonly string[] {
  const error = lastOf(thrown);
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  // Our own errors never contain the token. But a bug is unexpected, so its text may.
  const redacted = text.replaceAll(/\b(access_token|client_secret|code|code_verifier)=[^&\s"'`]*/g, "$1=[redacted]");
  return `This is a bug in logferry, please report it: ${redacted}`.split(/\n(?= {4}at )/);
}

/** The next step when the service accepts the token, but refuses the request. */
const FORBIDDEN = "The access token does not allow this: it may have been taken back in part.";

/** The next step when the service is not well, before anything was done. */
const LATER = "Nothing was changed. Try again later. If it stays so, tell the people who run the service.";

/** The next step when the service doesn't accept the token. */
const REFUSED = "The access token may be mistyped or cut short, or it was revoked.";

/** The next step when the service redirects us. A redirect may depend on the requested path, so it proves nothing. */
const MOVED =
  "A redirect doesn't say whether the log took the record. The next run looks it up before it sends it again. First check the address of your log: logferry doctor --url URL";

function remedyOf(error: TransferError | UsageError, url: string): string | undefined {
  if (error instanceof TransferError && isLoginNeeded(error)) {
    const why = error.code === "api/http-403" ? FORBIDDEN : REFUSED;
    return `${why} Log in again: logferry login --url ${url === "URL" ? url : shellWord(url)}`;
  }
  if (error instanceof FatalError && error.code === "api/redirect") return MOVED;
  // During a run, the loader names the next step itself.
  return error instanceof RetryableError && error.code.startsWith("api/") ? LATER : undefined;
}
