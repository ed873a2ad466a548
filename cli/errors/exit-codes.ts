/** The meaning of the exit codes, for scripts. This table is also in the README, and a test compares the two. */
import { FatalError, type FatalReason, type TransferError } from "../../connectors/errors.ts";

/** Name, number and meaning of every exit code. */
export const EXIT_CODES = {
  done: { code: 0, meaning: "done" },
  bug: { code: 1, meaning: "a bug of ours: please report it" },
  usage: { code: 2, meaning: "the command or the configuration is wrong; nothing was done" },
  setAside: { code: 3, meaning: "done, but some items need your attention" },
  login: { code: 4, meaning: "login needed" },
  source: { code: 5, meaning: "a source can't be read" },
  service: { code: 6, meaning: "the service refused or broke its contract" },
  differs: { code: 7, meaning: "verification found differences, a check damage, or a backup is too old" },
  locked: { code: 8, meaning: "another run holds the journal or the repository, or works on the same log" },
  stopped: { code: 75, meaning: "stopped early, resumable" },
  killed: { code: 130, meaning: "stopped by a signal, resumable" },
} as const;

/** The name of an exit code. */
export type ExitName = keyof typeof EXIT_CODES;

/** The exit code of a run that a FatalError ended. If the journal can't be written, the run can be resumed. */
const EXIT_OF_FATAL: Readonly<Record<FatalReason, ExitName>> = {
  login: "login",
  service: "service",
  source: "source",
  journal: "stopped",
  locked: "locked",
};

/**
 * Errors before anything was done, because a setting names something that can't be used; and a run that a dead service
 * stopped, which goes on when the service is back.
 */
const EXIT_OF_CODE: Readonly<Record<string, ExitName>> = {
  "api/bad-url": "usage",
  "drill/differs": "differs",
  "export/in-the-way": "usage",
  "export/too-large": "usage",
  "export/too-many-rows": "usage",
  "fleet/none": "usage",
  "api/untrusted": "usage",
  "identity/memory": "usage",
  "journal/cannot-open": "usage",
  "journal/damaged": "usage",
  "journal/newer": "usage",
  "journal/not-a-journal": "usage",
  "journal/on-network": "usage",
  "journal/other-account": "usage",
  "load/answers-lost": "stopped",
  "load/service-unwell": "stopped",
  "login/bad-code": "usage",
  "repository/clock": "usage",
  "repository/damaged": "differs",
  "repository/key-damaged": "differs",
  "repository/needs-key": "usage",
  "repository/newer": "usage",
  "repository/none": "usage",
  "repository/other-key": "usage",
  "repository/other-log": "usage",
  "repository/wrong-key": "usage",
  "settle/postponed": "stopped",
};

/** The exit code for an error. */
export function exitOf(error: TransferError | UsageError): ExitName {
  if (error instanceof UsageError) return "usage";
  return EXIT_OF_CODE[error.code] ?? (error instanceof FatalError ? EXIT_OF_FATAL[error.reason] : "service");
}

/** A mistake in the command or its configuration: a line for the person, and perhaps more lines below it; exit code 2. */
export class UsageError extends Error {
  /** The lines below the message. */
  readonly more: readonly string[];

  constructor(message: string, { more = [], ...options }: ErrorOptions & { readonly more?: readonly string[] } = {}) {
    super(message, options);
    this.name = "UsageError";
    this.more = more;
  }
}
