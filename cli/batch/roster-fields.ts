/** The columns of a roster: those that identify an athlete, and the options that a row may set. */
import { ARCHIVE_OPTIONS, READING_OPTIONS } from "../arguments/option-lists.ts";
import { kebab, type OptionName } from "../arguments/options.ts";

/** The columns besides options. */
export const ATHLETE_FIELDS = {
  athlete: { means: "the athlete's name, as you say it; each name once" },
  "screen-name": { means: "the name that the log knows its owner by: the token must be theirs" },
  email: { means: "or the e-mail address of the log's owner. One of the two is needed" },
  profile: { means: "where the token is: the profile of `logferry login --profile NAME`" },
  "token-file": { means: "or a file with the token, as seen from the roster" },
  "token-command": { means: "or a command that prints the token, such as `pass show ana`" },
  "token-variable": { means: "or an environment variable that holds the token" },
  archives: {
    means: "what to import: paths as seen from the roster, or https:// addresses of zips; several with | between them",
  },
  "report-to": { means: "with --fleet: an https:// address to which the worker puts the athlete's report" },
} as const satisfies Record<string, { readonly means: string }>;

/** The name of a column that is not an option. */
export type AthleteField = keyof typeof ATHLETE_FIELDS;

/** Exactly one of these columns must give the place of the token. */
export const TOKEN_FIELDS = ["profile", "token-file", "token-command", "token-variable"] as const;

/** Options that change the decisions of a plan. */
export const DECIDING = ["url", ...READING_OPTIONS] as const satisfies readonly OptionName[];

/** Options that change the decisions too, and count in an athlete's fingerprint only where they are set. */
export const DECIDING_WHERE_SET = [
  "enrich",
  "distanceUnit",
  "dateOrder",
  "noPrivateNotes",
  "linkCourses",
  "accept",
] as const satisfies readonly OptionName[];

/** The options that a row may set. On the command line they apply to all athletes whose row leaves them out. */
export const ROW_OPTIONS = [
  ...DECIDING,
  ...DECIDING_WHERE_SET,
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

/** Other names that people use for a column. */
const ALSO: Readonly<Record<string, AthleteField>> = {
  name: "athlete",
  "e-mail": "email",
  screenname: "screen-name",
  archive: "archives",
  "token-env": "token-variable",
};

/** The folded form of a column's header: `Screen name` is `screen-name`. */
export function foldedField(header: string): string {
  const folded = header
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, "-");
  return ALSO[folded] ?? folded;
}

/** All columns, as people write them. */
export const FIELDS: readonly string[] = [...Object.keys(ATHLETE_FIELDS), ...ROW_OPTIONS.map(kebab)];

/** The option of a column; undefined for a column that is not an option. */
export function optionOfField(field: string): (typeof ROW_OPTIONS)[number] | undefined {
  return ROW_OPTIONS.find((name) => kebab(name) === field);
}
