/** Options for many athletes at once, and for access to a log. */
import { CLIENT_ID, NOT_NEGATIVE, whole } from "./option-checks.ts";
import type { OptionSpec } from "./option-spec.ts";

/** A part of the table of options. */
export const ACCESS_OPTIONS = {
  parallel: {
    type: "number",
    check: whole(1, 64),
    default: 4,
    metavar: "N",
    help: "athletes who are worked on at once",
  },
  hostRate: {
    type: "number",
    check: NOT_NEGATIVE,
    metavar: "N",
    help: "requests a second at the most for all athletes of a service together, 0 for no limit. The default begins with 10, and reaches 20 while the service keeps up. A service on this machine has no limit",
  },
  trust: {
    type: "strings",
    metavar: "ATHLETE",
    flagOnly: true,
    help: "you looked, and what contradicts is all right: this athlete is not held",
  },
  noVerify: { type: "boolean", help: "read nothing back once it is loaded" },
  retryFailed: {
    type: "boolean",
    flagOnly: true,
    help: "only athletes who failed, were held or stopped, or of whom records were refused or not sent",
  },
  template: { type: "boolean", flagOnly: true, help: "print a roster to begin with, and do nothing else" },
  tokenFile: {
    type: "string",
    metavar: "FILE",
    help: "read the access token from a file instead of the stored one",
  },
  tokenCommand: {
    type: "string",
    metavar: "COMMAND",
    help: "take the access token from the first line that a command prints: --token-command 'pass show log/ana'",
  },
  athlete: {
    type: "string",
    metavar: "OWNER",
    flagOnly: true,
    help: "whose log it must be, by screen name or e-mail address: any other is refused, and archives of somebody else are held",
  },
  remember: {
    type: "boolean",
    flagOnly: true,
    help: "with --trust: what spoke for somebody else doesn't count from now on either",
  },
  tokenStdin: { type: "boolean", flagOnly: true, help: "read the access token from standard input" },
  clientId: {
    type: "string",
    check: CLIENT_ID,
    metavar: "ID",
    help: "the application's key (client_id), as the log gave it when logferry was registered there",
  },
  clientSecretFile: {
    type: "string",
    metavar: "FILE",
    help: "read the application's secret from a file instead of asking for it",
  },
  authUrl: {
    type: "string",
    metavar: "URL",
    help: "address of the log's page where access is allowed, where it is not below --url",
  },
  oob: {
    type: "boolean",
    flagOnly: true,
    help: "for machines without a browser: print the address, and ask for the code that the page shows",
  },
  noKeyring: { type: "boolean", help: "store the token in a file even where there is a system keyring" },
  all: { type: "boolean", flagOnly: true, help: "list every profile that was logged in to, without asking a log" },
} as const satisfies Record<string, OptionSpec>;
