/** The actions of `logferry operator`: their texts and options, for the help and for the checks of a command line. */
import type { OptionName } from "./options.ts";

/** One action of an operator. */
export interface OperatorAction {
  readonly name: string;
  readonly does: string;
  readonly needs: readonly OptionName[];
  readonly may: readonly OptionName[];
  /** True if the action creates a missing database. */
  readonly makes?: true;
}

/** All actions, in the order of the help. */
export const OPERATOR_ACTIONS = [
  {
    name: "add-user",
    does: "adds a user who can sign in, with the password from standard input",
    needs: ["login"],
    may: ["generatePassword", "screenName", "units", "utcOffset", "email", "givenName", "familyName"],
    makes: true,
  },
  {
    name: "set-password",
    does: "gives a user a new password, read from standard input, and signs every browser of theirs out",
    needs: ["login"],
    may: ["generatePassword"],
  },
  {
    name: "add-activity",
    does: "adds an activity of the user's own, and prints its activityID",
    needs: ["login", "name"],
    may: [],
  },
  {
    name: "add-application",
    does: "registers an application, and prints its key and its secret, once",
    needs: ["name", "redirectUri"],
    may: ["application"],
    makes: true,
  },
  {
    name: "suspend-application",
    does: "stops an application, and revokes what everybody granted to it",
    needs: ["application"],
    may: [],
  },
  {
    name: "resume-application",
    does: "lets a suspended application ask for access again",
    needs: ["application"],
    may: [],
  },
  {
    name: "add-plan",
    does: "adds a training plan to a user's log",
    needs: ["login", "name"],
    may: ["begin", "end", "weeks", "commercial", "private", "application"],
  },
  {
    name: "add-token",
    does: "grants an access token, and prints it, once",
    needs: ["login"],
    may: ["application", "noProfile"],
  },
  {
    name: "revoke",
    does: "takes back what a user granted to an application. Without --application it takes back the tokens that an operator added",
    needs: ["login"],
    may: ["application"],
  },
  {
    name: "retire-equipment",
    does: "takes a piece of equipment out of the everyday listing",
    needs: ["login", "equipment"],
    may: [],
  },
  {
    name: "move",
    does: "copies everything from one database to another, which must be empty, and compares both. Accounts, applications and tokens come along. Stop the services first: what they save afterwards stays in the old one",
    needs: ["from", "to"],
    may: [],
  },
  {
    name: "list",
    does: "lists users and applications, or with --login what that user granted",
    needs: [],
    may: ["login"],
  },
] as const satisfies readonly OperatorAction[];

/** Options of the actions. An option of another action is refused. */
export const OPERATOR_OPTIONS: readonly OptionName[] = [
  ...new Set(OPERATOR_ACTIONS.flatMap(({ needs, may }): readonly OptionName[] => [...needs, ...may])),
];
