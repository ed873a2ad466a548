/**
 * A failed action is a TransferError, sorted by the one question its caller asks: what may I do next? Anything else
 * that is thrown is our bug and is thrown through. (Bad data is not an action: it is an Issue.)
 *
 * Messages say the action, a colon, and the state found. None of them ever holds a URL's query, where the token is.
 */

/** The parent of the four. `code` is stable, for scripts and tests: `api/http-503`, `api/refused`. */
export abstract class TransferError extends Error {
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
  }
}

/** The action provably had no effect (never sent, or the server said it did not act): do it again, after `waitMs`. */
export class RetryableError extends TransferError {
  /** Milliseconds the server asked for; undefined when it didn't say. */
  readonly waitMs: number | undefined;

  constructor(code: string, message: string, options?: ErrorOptions & { waitMs?: number | undefined }) {
    super(code, message, options);
    this.waitMs = options?.waitMs;
  }
}

/** This item can't be written; the reason goes into the journal and the run goes on. */
export class ItemError extends TransferError {}

/** Whether an error says that the log has no record with the id that was asked for. Any other ItemError is a refusal: the record may be there. */
export function saysGone(error: unknown): boolean {
  return error instanceof ItemError && error.code === "api/gone";
}

/** The action may or may not have happened (the answer was lost or can't be read): look, never resend blindly. */
export class UnknownOutcomeError extends TransferError {}

/** What a FatalError means for the exit code. */
export type FatalReason = "login" | "service" | "source" | "journal" | "locked";

/** The run must stop, cleanly and resumable: token refused, disk full, not this API. */
export class FatalError extends TransferError {
  readonly reason: FatalReason;
  /** The command that goes on with what was under way, once the cause is mended. */
  readonly goOn: string | undefined;
  /** The lines below the message: further mistakes of the same file. */
  readonly more: readonly string[];

  constructor(
    code: string,
    reason: FatalReason,
    message: string,
    options?: ErrorOptions & { goOn?: string; more?: readonly string[] },
  ) {
    super(code, message, options);
    this.reason = reason;
    this.goOn = options?.goOn;
    this.more = options?.more ?? [];
  }
}

/** The token endpoint refused, in the words of OAuth. */
export class OAuthRefusal extends FatalError {
  /** "A JSON object with `error` and `error_description`": `unauthorized_client`, or an RFC's own. */
  readonly error: string;
  /** "For debugging": one harmless line. */
  readonly description: string | undefined;

  constructor(code: string, message: string, error: string, description: string | undefined) {
    super(code, "login", message);
    this.error = error;
    this.description = description;
  }
}
