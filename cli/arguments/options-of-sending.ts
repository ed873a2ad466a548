/** Options for the requests to a log: the pace, the patience, and the end. */
import { DURATION, NOT_NEGATIVE, ON_ERRORS, whole } from "./option-checks.ts";
import type { OptionSpec } from "./option-spec.ts";

/** A part of the table of options. */
export const SENDING_OPTIONS = {
  noTracks: { type: "boolean", help: "save the workouts without sending their device files" },
  rate: {
    type: "number",
    check: NOT_NEGATIVE,
    metavar: "N",
    help: "requests a second at the most; 0 for no limit (default: 10 to begin with, up to 20 while the service keeps up; no limit on this machine)",
  },
  concurrency: {
    type: "number",
    check: whole(1, 64),
    metavar: "N",
    help: "requests under way at once at the most",
  },
  networkJournal: {
    type: "boolean",
    help: "keep the journal on a network file system all the same: no other machine uses it",
  },
  settle: {
    type: "number",
    check: NOT_NEGATIVE,
    metavar: "SECONDS",
    help: "how long the service may take to finish a request whose answer was lost, before it counts as not done (default: 60)",
  },
  trustList: {
    type: "boolean",
    flagOnly: true,
    help: "believe the log's list where its total says another number each time (docs/loading.md)",
  },
  timeout: {
    type: "number",
    check: { isRight: (value) => Number(value) > 0, expected: "a number above 0" },
    metavar: "SECONDS",
    help: "how long to wait for an answer of the service. All of it may take twice as long (default: 60)",
  },
  patience: {
    type: "string",
    check: DURATION,
    metavar: "DURATION",
    help: "how long to wait for a service that fails before the run stops, 0 for not at all (default: 10m)",
  },
  maxRequests: {
    type: "number",
    check: whole(1),
    metavar: "N",
    help: "stop, resumable, before more than N requests were sent",
  },
  maxDuration: {
    type: "string",
    check: DURATION,
    metavar: "DURATION",
    help: "stop, resumable, after so long: 90m, 2h30m or 3600s",
  },
  onErrors: {
    type: "string",
    check: ON_ERRORS,
    metavar: "stop|continue|N",
    help: "what to do when the log refuses a record, or one can't be sent: stop at the first, go on, or stop when there are more than N (default: continue)",
  },
} as const satisfies Record<string, OptionSpec>;
