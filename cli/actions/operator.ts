import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { OperatorConnection } from "../../service/operator-connection.ts";
import { defined } from "../../transforms/model/defined.ts";
import { didYouMean } from "../../transforms/text/suggestions.ts";
import type { CommandContext } from "../arguments/command.ts";
import { userFolders } from "../arguments/config.ts";
import { OPERATOR_ACTIONS, OPERATOR_OPTIONS, type OperatorAction } from "../arguments/operator-actions.ts";
import { kebab, type OptionName } from "../arguments/options.ts";
import { type ExitName, UsageError } from "../errors/exit-codes.ts";
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

/** The work of an action, with the connection to the database or alone. */
type Run = ((work: Work) => Promise<void>) | { readonly alone: (context: CommandContext) => Promise<void> };

/** What each action does. */
const RUNS: Readonly<Record<(typeof OPERATOR_ACTIONS)[number]["name"], Run>> = {
  "add-user": addUser,
  "set-password": setPassword,
  "add-activity": async ({ connection, context, needed }) => {
    const name = needed("name");
    const activityID = await connection.operator.addActivity(await connection.userOf(needed("login")), name);
    context.output.emit("added", { what: "activity", name, activityID });
    context.output.conclude(`${name} has the activityID ${activityID}.`);
  },
  "add-application": addApplication,
  "suspend-application": async ({ connection, context, needed }) => {
    await connection.operator.suspendApplication(needed("application"));
    context.output.conclude(`${needed("application")} is suspended, and nothing is granted to it any more.`);
  },
  "resume-application": async ({ connection, context, needed }) => {
    await connection.operator.resumeApplication(needed("application"));
    context.output.conclude(`${needed("application")} may ask for access again.`);
  },
  "add-plan": addPlan,
  "add-token": addToken,
  revoke: async ({ connection, context, needed }) => {
    const { application = "" } = context.options;
    const tokens = await connection.operator.revoke(await connection.userOf(needed("login")), application);
    context.output.conclude(`${tokens === 1 ? "1 token is" : `${tokens} tokens are`} revoked, with the next request.`);
  },
  "retire-equipment": async ({ connection, context, needed }) => {
    await connection.operator.retireEquipment(await connection.userOf(needed("login")), needed("equipment"));
    context.output.conclude(`${needed("equipment")} is retired.`);
  },
  move: { alone: move },
  list: list,
};

/** `logferry operator`: the tasks of a person who hosts a log, beside the interface. */
export async function act(context: CommandContext): Promise<ExitName> {
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
}

/**
 * The requested action.
 *
 * @throws UsageError for an unknown action, for a missing option, or for an option of another action
 */
function actionOf({
  arguments: [word = ""],
  options,
  typed = options,
}: CommandContext): OperatorAction & { readonly run: Run } {
  const names = OPERATOR_ACTIONS.map(({ name }) => name);
  const action = OPERATOR_ACTIONS.find(({ name }) => name === word);
  if (action === undefined) {
    throw new UsageError(`There is no action ${JSON.stringify(word)}${didYouMean(word, names)}`, {
      more: ["Try: logferry operator --help"],
    });
  }
  const { needs }: OperatorAction = action;
  const missing = needs.filter((name) => options[name] === undefined || options[name] === "");
  if (missing.length > 0) {
    throw new UsageError(`Cannot ${action.name}: it needs ${missing.map((name) => `--${kebab(name)}`).join(" and ")}`);
  }
  const known: readonly OptionName[] = [...needs, ...action.may];
  const foreign = OPERATOR_OPTIONS.find((name) => typed[name] !== undefined && !known.includes(name));
  if (foreign !== undefined) throw new UsageError(`Cannot ${action.name}: it has no use for --${kebab(foreign)}`);
  return { ...action, run: RUNS[action.name] };
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
