import type { Command } from "../arguments/command.ts";
import { OPERATOR_ACTIONS, OPERATOR_OPTIONS, type OperatorAction } from "../arguments/operator-actions.ts";
import { kebab, type OptionName } from "../arguments/options.ts";

/** `logferry operator`: the tasks of a person who hosts a log, beside the interface. */
export const operator: Command = {
  name: "operator",
  details: [
    "Works on the database itself, whether the service is running or not. A change counts from the next request on.",
    "logferry reads a password from standard input, or asks for it without showing it. It ignores blanks around it. --generate-password makes one. It never takes passwords, secrets or tokens from the command line. It prints the ones it makes once, and stores only their hashes.",
  ],
  positional: { name: "action", help: "one of the actions below", atLeast: 1, atMost: 1 },
  options: ["database", ...OPERATOR_OPTIONS],
  examples: [
    { line: "logferry operator add-user --login ana --generate-password", does: "somebody who can sign in" },
    {
      line: "logferry operator add-application --name Routes --redirect-uri https://routes.example/back",
      does: "an application that may ask for access",
    },
    { line: "logferry operator revoke --login ana --application KEY", does: "take back what ana granted to it" },
    {
      line: "logferry operator move --from sqlite:service.db --to postgres://log@db/log",
      does: "from a file to PostgreSQL",
    },
    { line: "logferry operator list --json", does: "who and what there is, as JSON lines" },
  ],
  tables: [{ title: "Actions", rows: OPERATOR_ACTIONS.map((action) => [action.name, describeAction(action)]) }],
  run: async (context) => (await import("../actions/operator.ts")).act(context),
};

function describeAction({ does, needs, may }: OperatorAction): string {
  const flags = (names: readonly OptionName[]) => names.map((name) => `--${kebab(name)}`).join(", ");
  return [does, needs.length > 0 && `Needs ${flags(needs)}`, may.length > 0 && `Takes ${flags(may)}`]
    .filter((part) => part !== false)
    .join(". ");
}
