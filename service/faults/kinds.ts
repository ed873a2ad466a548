/**
 * The table of every kind of fault: what it does, its settings, and the requests it hits unless a spec says otherwise. The help and
 * docs/faults.md are made from it. This file holds no acts, so a help text loads no service.
 */

/** A setting of a kind: `ms=500`. */
export interface Parameter {
  readonly name: string;
  /** For messages and the docs: `milliseconds, 0 or more`. */
  readonly expected: string;
  /** @returns the value; undefined for text that isn't a valid value */
  readonly read: (text: string) => number | string | undefined;
  /** The value when a spec gives none. A parameter without a default must be set, unless it is optional. */
  readonly default?: number | string;
  readonly isOptional?: true;
}

/** Whether a setting must be made: `needed`, `optional` or `default 17`. */
export function needOf({ default: value, isOptional }: Parameter): string {
  if (value !== undefined) return `default ${value}`;
  return isOptional === true ? "optional" : "needed";
}

/** A kind of fault. */
export interface FaultKind {
  readonly name: FaultName;
  /** What happens to a request that it hits, as a sentence without its subject. */
  readonly does: string;
  /** The requests it hits when a spec names none, written as in a spec. */
  readonly target: string;
  readonly parameters: readonly Parameter[];
}

function whole(name: string, unit: string, least: number, more: Partial<Parameter> = {}): Parameter {
  const read = (text: string) => (/^-?\d{1,10}$/.test(text) && Number(text) >= least ? Number(text) : undefined);
  const range = least === Number.NEGATIVE_INFINITY ? "a whole number" : `a whole number, ${least} or more`;
  return { name, expected: unit === "" ? range : `${range}, of ${unit}`, read, ...more };
}

function oneOf(name: string, words: readonly string[], more: Partial<Parameter> = {}): Parameter {
  const read = (text: string) => (words.includes(text) ? text : undefined);
  return { name, expected: `one of ${words.join(", ")}`, read, ...more };
}

const MS = whole("ms", "milliseconds", 0, { default: 1000 });
const CODE = whole("code", "", 1, { default: 17 });
const STATUS: Parameter = {
  name: "status",
  expected: "an HTTP status from 400 to 599",
  read: (text) => (/^[45]\d\d$/.test(text) ? Number(text) : undefined),
};
/** Also takes values that no server should send. It is worth knowing what a client does with `soon`, `-5` and `999999`. */
const RETRY_AFTER: Parameter = {
  name: "retry-after",
  expected: "the text of the header",
  read: (text) => (/^[\x21-\x7e]{1,40}$/.test(text) ? text : undefined),
  isOptional: true,
};
const RETRY_AFTER_DATE = whole("retry-after-date", "seconds from the service's now, sent as a date", 0, {
  isOptional: true,
});
const MEBIBYTES = whole("mebibytes", "mebibytes", 1);

const EVERYTHING = "* /rest/**";
const WORKOUTS = "/rest/logs/me/workouts";

/** The table, in alphabetical order. */
const KINDS = [
  {
    name: "bad-id",
    does: "is done, and answered with an id that is none",
    target: EVERYTHING,
    parameters: [oneOf("id", ["none", "number", "empty", "long"], { default: "none" })],
  },
  {
    name: "clock-skew",
    does: "is served by a clock that is wrong: the `Date` header, and what the service reckons with",
    target: "* /**",
    parameters: [whole("seconds", "seconds", Number.NEGATIVE_INFINITY)],
  },
  {
    name: "close-idle",
    does: "is done and answered; then its kept connection is closed without a word",
    target: EVERYTHING,
    parameters: [whole("ms", "milliseconds after the answer", 0, { default: 0 })],
  },
  {
    name: "code-after-commit",
    does: "is done, and answered with status 200 and a `code` that is not 0",
    target: EVERYTHING,
    parameters: [CODE],
  },
  {
    name: "code-before-commit",
    does: "is not done, and answered with status 200 and a `code` that is not 0",
    target: EVERYTHING,
    parameters: [CODE],
  },
  {
    name: "cut-body",
    does: "is done, and answered in part: the connection ends in the middle of the body",
    target: EVERYTHING,
    parameters: [whole("bytes", "bytes that are sent; half of them when left out", 0, { isOptional: true })],
  },
  {
    name: "gzip-answer",
    does: "is done, and answered with a small packed body that unpacks to a huge one",
    target: EVERYTHING,
    parameters: [{ ...MEBIBYTES, default: 1024 }],
  },
  { name: "hang-after-commit", does: "is done, and never answered", target: EVERYTHING, parameters: [] },
  { name: "hang-before-commit", does: "is not done, and never answered", target: EVERYTHING, parameters: [] },
  {
    name: "html-after-commit",
    does: "is done, and answered with a page of HTML and status 200",
    target: EVERYTHING,
    parameters: [],
  },
  {
    name: "html-before-commit",
    does: "is not done, and answered with a page of HTML and status 200",
    target: EVERYTHING,
    parameters: [],
  },
  {
    name: "huge-answer",
    does: "is done, and answered with a body that hardly ends",
    target: EVERYTHING,
    parameters: [{ ...MEBIBYTES, default: 2048 }],
  },
  {
    name: "import-ids",
    does: "is done, and answered with fewer ids than workouts were made, with more, or with one of them twice",
    target: `POST ${WORKOUTS}/*`,
    parameters: [oneOf("ids", ["fewer", "more", "repeated"], { default: "fewer" })],
  },
  {
    name: "insert-workout",
    does: "finds one workout more than there was: its user made it a moment before",
    target: `GET ${WORKOUTS}`,
    parameters: [],
  },
  {
    name: "latency",
    does: "waits, and is done afterwards even where its sender has gone",
    target: EVERYTHING,
    parameters: [MS],
  },
  {
    name: "part-import",
    does: "is done in part: the first workouts of the file are kept, then it is answered 500",
    target: `POST ${WORKOUTS}/*`,
    parameters: [whole("keep", "workouts", 0, { default: 1 })],
  },
  {
    name: "rate-limit",
    does: "is not done, and answered 429, when so many of its kind were let through in the second before it",
    target: EVERYTHING,
    parameters: [whole("per-second", "requests", 1), RETRY_AFTER, RETRY_AFTER_DATE],
  },
  {
    name: "reset-after-commit",
    does: "is done, and its connection is reset before a byte of the answer",
    target: EVERYTHING,
    parameters: [],
  },
  {
    name: "reset-before-commit",
    does: "is not done, and its connection is reset",
    target: EVERYTHING,
    parameters: [],
  },
  {
    name: "revoke-token",
    does: "is refused, as is from then on everything with its token: as if the user had revoked it",
    target: EVERYTHING,
    parameters: [oneOf("status", ["401", "403"], { default: "401" })],
  },
  {
    name: "save-twice",
    does: "is done twice: the log holds a second, equal workout, as if its user had typed it too",
    target: `POST ${WORKOUTS}`,
    parameters: [],
  },
  {
    name: "stale-listing",
    does: "is answered as the same page was answered before, when that is less than so long ago",
    target: "GET /rest/**",
    parameters: [whole("seconds", "seconds", 1, { default: 10 })],
  },
  {
    name: "status-after-commit",
    does: "is done, and answered with a status of the spec's",
    target: EVERYTHING,
    parameters: [STATUS, RETRY_AFTER, RETRY_AFTER_DATE],
  },
  {
    name: "status-before-commit",
    does: "is not done, and answered with a status of the spec's",
    target: EVERYTHING,
    parameters: [STATUS, RETRY_AFTER, RETRY_AFTER_DATE],
  },
] as const satisfies readonly (Omit<FaultKind, "name"> & { readonly name: string })[];

/** Name of a kind of fault. */
export type FaultName = (typeof KINDS)[number]["name"];

/** Every kind of fault. */
export const FAULT_KINDS: readonly FaultKind[] = KINDS;

/** How a spec picks some of the matching requests. A spec without a condition hits all of them. */
export const CONDITIONS: readonly { readonly form: string; readonly means: string }[] = [
  { form: "nth=3", means: "the third; `nth=3..5` the third to the fifth, `nth=3..` every one from the third on" },
  { form: "every=10", means: "the tenth, the twentieth and so on" },
  { form: "rate=0.05", means: "each with this probability, the same ones for the same seed" },
  { form: "times=2", means: "two at the most, besides any of the above" },
  {
    form: "from=10",
    means: "none before this many seconds after the start; `to=70` none after; both besides any of the above",
  },
];

/** The form of a spec. */
export const SPEC_FORM = "KIND[:METHOD PATH][:NAME=VALUE,NAME=VALUE...]";
