/** The columns of a roster: what says who an athlete is, and the options that may be theirs alone. */
import { ARCHIVE_OPTIONS } from "../arguments/archive-limits.ts";
import { kebab, type OptionName } from "../arguments/options.ts";
import { READING_OPTIONS } from "../session/session.ts";

/** What a row says besides options. */
export const ATHLETE_FIELDS = {
  athlete: { means: "the athlete's name, as you say it; each name once" },
  "screen-name": { means: "the name that the log knows its owner by: the token must be theirs" },
  email: { means: "or the e-mail address of the log's owner. One of the two is needed" },
  profile: { means: "where the token is: the profile of `logferry login --profile NAME`" },
  "token-file": { means: "or a file with the token, as seen from the roster" },
  "token-command": { means: "or a command that prints the token, such as `pass show ana`" },
  "token-variable": { means: "or an environment variable that holds the token" },
  archives: { means: "what to import, as seen from the roster; several with | between them" },
} as const satisfies Record<string, { readonly means: string }>;

/** The name of a column that is no option. */
export type AthleteField = keyof typeof ATHLETE_FIELDS;

/** Columns of which exactly one says where the token is. */
export const TOKEN_FIELDS = ["profile", "token-file", "token-command", "token-variable"] as const;

/** Options that decide what a plan says. */
export const DECIDING = ["url", ...READING_OPTIONS] as const satisfies readonly OptionName[];

/** The options that a row may set; on the command line they are for every athlete whose row doesn't. */
export const ROW_OPTIONS = [
  ...DECIDING,
  "rate",
  "concurrency",
  "timeout",
  "patience",
  "settle",
  "maxRequests",
  "maxDuration",
  "onErrors",
  ...ARCHIVE_OPTIONS,
] as const satisfies readonly OptionName[];

/** Other words people use for a column. */
const ALSO: Readonly<Record<string, AthleteField>> = {
  name: "athlete",
  "e-mail": "email",
  screenname: "screen-name",
  archive: "archives",
  "token-env": "token-variable",
};

/** A column's header as it is compared: `Screen name` is `screen-name`. */
export function foldedField(header: string): string {
  const folded = header
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, "-");
  return ALSO[folded] ?? folded;
}

/** The columns there are, as they are written. */
export const FIELDS: readonly string[] = [...Object.keys(ATHLETE_FIELDS), ...ROW_OPTIONS.map(kebab)];

/** The option of a column; undefined for one that is none. */
export function optionOfField(field: string): (typeof ROW_OPTIONS)[number] | undefined {
  return ROW_OPTIONS.find((name) => kebab(name) === field);
}
