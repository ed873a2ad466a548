/** Options of the included service: its database, its users, its faults. */
import { DAY, UTC_OFFSET, whole } from "./option-checks.ts";
import type { OptionSpec } from "./option-spec.ts";

/** A part of the table of options. */
export const HOSTING_OPTIONS = {
  run: {
    type: "number",
    check: whole(1),
    metavar: "N",
    flagOnly: true,
    help: "number of the run (default: the last one)",
  },
  database: {
    type: "string",
    metavar: "DATABASE",
    secret: /^postgres(ql)?:\/\/[^@:]*:[^@]*@|[?&]password=/i,
    help: "where the service keeps its logs: a file, or postgres://user@host:5432/name (default: service.db in the data folder)",
  },
  host: { type: "string", default: "127.0.0.1", metavar: "ADDRESS", help: "address to listen on" },
  port: {
    type: "number",
    check: whole(0, 65_535),
    default: 8080,
    metavar: "N",
    help: "port to listen on; 0 for any free one",
  },
  https: { type: "boolean", help: "browsers come by https, which a proxy in front of the service ends" },
  trustProxy: {
    type: "string",
    metavar: "ADDRESSES",
    help: "proxies whose word is taken for where a request came from: 10.0.0.1, or 10.0.0.0/8",
  },
  log: { type: "boolean", help: "write the service's own log to standard error, one JSON object a line" },
  demoUser: {
    type: "boolean",
    flagOnly: true,
    help: "make a user to try things with, and print its token and its password",
  },
  units: {
    type: "string",
    choices: ["metric", "imperial"],
    default: "metric",
    flagOnly: true,
    help: "units of the user who is made",
  },
  fault: {
    type: "strings",
    metavar: "SPEC",
    flagOnly: true,
    help: "make the service misbehave, to rehearse what happens then: --fault reset-after-commit:nth=3",
  },
  faultSeed: {
    type: "number",
    check: whole(0, 2 ** 31 - 1),
    metavar: "N",
    flagOnly: true,
    help: "chooses which requests a fault's rate hits (default: 1)",
  },
  login: { type: "string", metavar: "LOGIN", flagOnly: true, help: "whose log: what the user types to sign in" },
  generatePassword: {
    type: "boolean",
    flagOnly: true,
    help: "make a password and print it once, instead of reading one from standard input",
  },
  screenName: {
    type: "string",
    metavar: "NAME",
    flagOnly: true,
    help: "the user's name in the log (default: the login)",
  },
  email: { type: "string", metavar: "ADDRESS", flagOnly: true, help: "the user's e-mail address" },
  givenName: { type: "string", metavar: "NAME", flagOnly: true, help: "the user's given name" },
  familyName: { type: "string", metavar: "NAME", flagOnly: true, help: "the user's family name" },
  utcOffset: {
    type: "number",
    check: UTC_OFFSET,
    metavar: "HOURS",
    flagOnly: true,
    help: "the user's hours from UTC, which imports are shifted by (default: 0)",
  },
  name: {
    type: "string",
    metavar: "NAME",
    flagOnly: true,
    help: "name of what is added; of an application, as users see it when it asks for access",
  },
  redirectUri: {
    type: "strings",
    metavar: "ADDRESS",
    flagOnly: true,
    help: "where users are sent back to: https://..., http://localhost with any port, or urn:ietf:wg:oauth:2.0:oob",
  },
  application: { type: "string", metavar: "KEY", flagOnly: true, help: "the key (client_id) of an application" },
  noProfile: { type: "boolean", flagOnly: true, help: "without access to private information, the user's profile" },
  begin: { type: "string", check: DAY, metavar: "DATE", flagOnly: true, help: "first day of the plan" },
  end: { type: "string", check: DAY, metavar: "DATE", flagOnly: true, help: "last day of the plan" },
  weeks: { type: "number", check: whole(1, 1000), metavar: "N", flagOnly: true, help: "weeks the plan takes" },
  commercial: {
    type: "boolean",
    flagOnly: true,
    help: "the plan is commercial: of applications, only its own sees it",
  },
  private: { type: "boolean", flagOnly: true, help: "the plan is private" },
  equipment: { type: "string", metavar: "ID", flagOnly: true, help: "id of a piece of equipment" },
} as const satisfies Record<string, OptionSpec>;
