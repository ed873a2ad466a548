import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { OperatorConnection } from "../../service/operator-connection.ts";
import { defined } from "../../transforms/model/defined.ts";
import { didYouMean } from "../../transforms/text/suggestions.ts";
import type { Command, CommandContext } from "../arguments/command.ts";
import { userFolders } from "../arguments/config.ts";
import { kebab, type OptionName } from "../arguments/options.ts";
import { UsageError } from "../errors/exit-codes.ts";
import { asUsageError } from "../errors/service-errors.ts";
import { openAsker } from "../terminal/ask.ts";
import { table } from "../terminal/output.ts";
import { move } from "./operator-move.ts";

/** Everything that an action may use. */
interface Work {
  readonly connection: OperatorConnection;
  readonly context: CommandContext;
  /** Gives an option that the action needs. */
  readonly needed: (name: OptionName) => string;
}

/** One action of an operator. */
interface Action {
  readonly name: string;
  readonly does: string;
  readonly needs: readonly OptionName[];
  readonly may: readonly OptionName[];
  /** True if the action creates a missing database. */
  readonly makes?: true;
  readonly run: ((work: Work) => Promise<void>) | { readonly alone: (context: CommandContext) => Promise<void> };
}

const ACTIONS: readonly Action[] = [
  {
    name: "add-user",
    does: "adds a user who can sign in, with the password from standard input",
    needs: ["login"],
    may: ["generatePassword", "screenName", "units", "utcOffset", "email", "givenName", "familyName"],
    makes: true,
    run: addUser,
  },
  {
    name: "set-password",
    does: "gives a user a new password, read from standard input, and signs every browser of theirs out",
    needs: ["login"],
    may: ["generatePassword"],
    run: setPassword,
  },
  {
    name: "add-activity",
    does: "adds an activity of the user's own, and prints its activityID",
    needs: ["login", "name"],
    may: [],
    async run({ connection, context, needed }) {
      const name = needed("name");
      const activityID = await connection.operator.addActivity(await connection.userOf(needed("login")), name);
      context.output.emit("added", { what: "activity", name, activityID });
      context.output.conclude(`${name} has the activityID ${activityID}.`);
    },
  },
  {
    name: "add-application",
    does: "registers an application, and prints its key and its secret, once",
    needs: ["name", "redirectUri"],
    may: ["application"],
    makes: true,
    run: addApplication,
  },
  {
    name: "suspend-application",
    does: "stops an application, and revokes what everybody granted to it",
    needs: ["application"],
    may: [],
    async run({ connection, context, needed }) {
      await connection.operator.suspendApplication(needed("application"));
      context.output.conclude(`${needed("application")} is suspended, and nothing is granted to it any more.`);
    },
  },
  {
    name: "resume-application",
    does: "lets a suspended application ask for access again",
    needs: ["application"],
    may: [],
    async run({ connection, context, needed }) {
      await connection.operator.resumeApplication(needed("application"));
      context.output.conclude(`${needed("application")} may ask for access again.`);
    },
  },
  {
    name: "add-plan",
    does: "adds a training plan to a user's log",
    needs: ["login", "name"],
    may: ["begin", "end", "weeks", "commercial", "private", "application"],
    run: addPlan,
  },
  {
    name: "add-token",
    does: "grants an access token, and prints it, once",
    needs: ["login"],
    may: ["application", "noProfile"],
    run: addToken,
  },
  {
    name: "revoke",
    does: "takes back what a user granted to an application. Without --application it takes back the tokens that an operator added",
    needs: ["login"],
    may: ["application"],
    async run({ connection, context, needed }) {
      const { application = "" } = context.options;
      const tokens = await connection.operator.revoke(await connection.userOf(needed("login")), application);
      context.output.conclude(
        `${tokens === 1 ? "1 token is" : `${tokens} tokens are`} revoked, with the next request.`,
      );
    },
  },
  {
    name: "retire-equipment",
    does: "takes a piece of equipment out of the everyday listing",
    needs: ["login", "equipment"],
    may: [],
    async run({ connection, context, needed }) {
      await connection.operator.retireEquipment(await connection.userOf(needed("login")), needed("equipment"));
      context.output.conclude(`${needed("equipment")} is retired.`);
    },
  },
  {
    name: "move",
    does: "copies everything from one database to another, which must be empty, and compares both. Accounts, applications and tokens come along. Stop the services first: what they save afterwards stays in the old one",
    needs: ["from", "to"],
    may: [],
    run: { alone: move },
  },
  {
    name: "list",
    does: "lists users and applications, or with --login what that user granted",
    needs: [],
    may: ["login"],
    run: list,
  },
];

/** Options of the actions. An option of another action is refused. */
const OF_ACTIONS: readonly OptionName[] = [...new Set(ACTIONS.flatMap(({ needs, may }) => [...needs, ...may]))];

/** `logferry operator`: the tasks of a person who hosts a log, beside the interface. */
export const operator: Command = {
  name: "operator",
  details: [
    "Works on the database itself, whether the service is running or not. A change counts from the next request on.",
    "logferry reads a password from standard input, or asks for it without showing it. It ignores blanks around it. --generate-password makes one. It never takes passwords, secrets or tokens from the command line. It prints the ones it makes once, and stores only their hashes.",
  ],
  positional: { name: "action", help: "one of the actions below", atLeast: 1, atMost: 1 },
  options: ["database", ...OF_ACTIONS],
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
  tables: [{ title: "Actions", rows: ACTIONS.map((action) => [action.name, describeAction(action)]) }],
  async run(context) {
    const action = actionOf(context);
    const { database = join(userFolders().data, "service.db") } = context.options;
    const [{ connectAsOperator }, { nameOfDatabase }] = await Promise.all([
      import("../../service/operator-connection.ts"),
      import("../../service/store/open.ts"),
    ]);
    if (typeof action.run !== "function") {
      await action.run.alone(context);
      return "done";
    }
    let connection: OperatorConnection | undefined;
    let shown = "the database";
    try {
      shown = nameOfDatabase(database);
      connection = await connectAsOperator(database, action.makes === true);
      await action.run({ connection, context, needed: (name) => String(context.options[name]) });
    } catch (error) {
      throw asUsageError(error, `Cannot ${action.name}`, { database: shown, host: "", port: 0 });
    } finally {
      await connection?.close();
    }
    return "done";
  },
};

function describeAction({ does, needs, may }: Action): string {
  const flags = (names: readonly OptionName[]) => names.map((name) => `--${kebab(name)}`).join(", ");
  return [does, needs.length > 0 && `Needs ${flags(needs)}`, may.length > 0 && `Takes ${flags(may)}`]
    .filter((part) => part !== false)
    .join(". ");
}

/**
 * The requested action.
 *
 * @throws UsageError for an unknown action, for a missing option, or for an option of another action
 */
function actionOf({ arguments: [word = ""], options, typed = options }: CommandContext): Action {
  const names = ACTIONS.map(({ name }) => name);
  const action = ACTIONS.find(({ name }) => name === word);
  if (action === undefined) {
    throw new UsageError(`There is no action ${JSON.stringify(word)}${didYouMean(word, names)}`, {
      more: ["Try: logferry operator --help"],
    });
  }
  const missing = action.needs.filter((name) => options[name] === undefined || options[name] === "");
  if (missing.length > 0) {
    throw new UsageError(`Cannot ${action.name}: it needs ${missing.map((name) => `--${kebab(name)}`).join(" and ")}`);
  }
  const known: readonly OptionName[] = [...action.needs, ...action.may];
  const foreign = OF_ACTIONS.find((name) => typed[name] !== undefined && !known.includes(name));
  if (foreign !== undefined) throw new UsageError(`Cannot ${action.name}: it has no use for --${kebab(foreign)}`);
  return action;
}

/** The password: a generated one, or the one on standard input. */
async function passwordOf({ options, input, output, signal }: CommandContext): Promise<string> {
  if (options.generatePassword === true) return randomBytes(12).toString("base64url");
  const asker = openAsker(input, output, signal);
  try {
    return await asker.ask("Type the password and press Enter (it is not shown):", "the password");
  } finally {
    asker.close();
  }
}

/** The password for the output, only if it was generated here. */
function shownPassword({ options }: CommandContext, password: string): { password?: string } {
  return options.generatePassword === true ? { password } : {};
}

async function addUser({ connection, context, needed }: Work): Promise<void> {
  const { options, output } = context;
  const login = needed("login");
  // This check comes first, because a created user can't be removed when the login turns out to be taken.
  if ((await connection.userOf(login).catch(() => undefined)) !== undefined) {
    throw new UsageError(`Cannot add-user: somebody has the login ${login} already`);
  }
  const password = await passwordOf(context);
  const { userId } = await connection.operator.addUserWithAccount(
    {
      screenName: options.screenName ?? login,
      person: defined({ email: options.email, givenName: options.givenName, familyName: options.familyName }),
      preference: { utcOffset: options.utcOffset ?? 0, ...UNITS[options.units === "imperial" ? "imperial" : "metric"] },
    },
    login,
    password,
  );
  const shown = shownPassword(context, password);
  output.emit("added", { what: "user", userId, login, ...shown });
  if (shown.password !== undefined) output.say(`The password, shown this once: ${shown.password}`);
  output.conclude(`${login} can sign in.`);
}

const UNITS = {
  metric: { distanceUnit: "km", weightUnit: "kg", temperatureUnit: "C" },
  imperial: { distanceUnit: "mi", weightUnit: "lb", temperatureUnit: "F" },
} as const;

async function setPassword({ connection, context, needed }: Work): Promise<void> {
  const userId = await connection.userOf(needed("login"));
  const password = await passwordOf(context);
  await connection.operator.replacePassword(userId, password);
  const shown = shownPassword(context, password);
  context.output.emit("added", { what: "password", login: needed("login"), ...shown });
  if (shown.password !== undefined) context.output.say(`The password, shown this once: ${shown.password}`);
  context.output.conclude(`${needed("login")} has a new password, and is signed out everywhere.`);
}

async function addApplication({ connection, context, needed }: Work): Promise<void> {
  const { options, output } = context;
  const { clientId, clientSecret } = await connection.operator.addApplication({
    name: needed("name"),
    redirectURIs: options.redirectUri ?? [],
    ...defined({ id: options.application }),
  });
  output.emit("added", { what: "application", name: needed("name"), clientId, clientSecret });
  output.say(`client_id      ${clientId}`);
  output.say(`client_secret  ${clientSecret}   (shown this once)`);
  output.conclude(`${needed("name")} may ask users for access.`);
}

async function addPlan({ connection, context, needed }: Work): Promise<void> {
  const { begin, end, weeks, commercial, private: isPrivate, application } = context.options;
  if (commercial === true && isPrivate === true) {
    throw new UsageError("Cannot add-plan: a plan is commercial or private, not both");
  }
  if (begin !== undefined && end !== undefined && end < begin) {
    throw new UsageError(`Cannot add-plan: it ends on ${end}, before it begins`);
  }
  const attributes = defined({ commercial, private: isPrivate });
  const planId = await connection.operator.addTrainingPlan(await connection.userOf(needed("login")), {
    name: needed("name"),
    ...defined({ beginDate: begin, endDate: end, numWeeks: weeks, application }),
    ...(Object.keys(attributes).length > 0 && { attributes }),
  });
  context.output.emit("added", { what: "plan", name: needed("name"), planId });
  context.output.conclude(`The plan ${needed("name")} is in the log.`);
}

async function addToken({ connection, context, needed }: Work): Promise<void> {
  const { application, noProfile } = context.options;
  if (application !== undefined && (await connection.accounts.application(application)) === undefined) {
    throw new UsageError(`Cannot add-token: there is no application ${JSON.stringify(application)}`);
  }
  const token = await connection.operator.addToken(await connection.userOf(needed("login")), {
    ...defined({ application }),
    readsProfile: noProfile !== true,
  });
  context.output.emit("added", { what: "token", login: needed("login"), token });
  context.output.say("The access token, shown this once:");
  context.output.conclude(token);
}

async function list({ connection, context }: Work): Promise<void> {
  const { output, options } = context;
  if (options.login !== undefined) {
    const grants = await connection.accounts.grants(await connection.userOf(options.login));
    for (const grant of grants) output.emit("grant", { login: options.login, ...grant });
    output.say(
      ...table(grants.map(({ applicationId, name, readsProfile }) => [applicationId, name, scope(readsProfile)])),
    );
    output.conclude(`${options.login} granted access to ${grants.length} applications.`);
    return;
  }
  const users = await connection.accounts.users();
  for (const user of users) output.emit("user", { ...user });
  const applications = await connection.accounts.applications();
  for (const { id, name, redirectURIs, isSuspended } of applications) {
    output.emit("application", { clientId: id, name, redirectURIs, isSuspended });
  }
  output.say(...table(users.map(({ login, screenName }) => [login ?? "(can't sign in)", screenName])));
  output.say(
    ...table(
      applications.map((one) => [one.id, one.name, one.isSuspended ? "suspended" : "", one.redirectURIs.join(" ")]),
    ),
  );
  output.conclude(`${users.length} users, ${applications.length} applications.`);
}

function scope(readsProfile: boolean): string {
  return readsProfile ? "with private information" : "";
}
