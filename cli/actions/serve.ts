import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Service } from "../../service/server.ts";
import { ACTIVITY_NAMES } from "../../transforms/activities.ts";
import { ACTIVITY_IDS } from "../../transforms/assumptions.ts";
import type { CommandContext } from "../arguments/command.ts";
import { userFolders } from "../arguments/config.ts";
import type { ExitName } from "../errors/exit-codes.ts";
import { asUsageError } from "../errors/service-errors.ts";

/** `logferry serve`: the included training log, for rehearsals and for people who host their own log. */
export async function act(context: CommandContext): Promise<ExitName> {
  const { options, output, signal } = context;
  const { service, place } = await start(context);
  try {
    output.emit("listening", { url: service.url, ...place });
    output.say(`The training log listens at ${service.url}`);
    output.say(describePlace(place));
    warnOfFaults(context, service);
    if (options.demoUser === true) await makeDemoUser(context, service);
    if (!signal.aborted) await once(signal, "abort");
    await drain(context, service);
  } finally {
    await service.close();
  }
  for (const { fault, hits } of service.faults.hits()) {
    output.emit("fault", { fault, hits });
    output.say(`Hit ${hits} times: ${fault}`);
  }
  output.conclude("Stopped.");
  return "done";
}

/** The database of a service, in its printable form. */
interface Place {
  readonly database: string;
  /** Whether this start made the file. */
  readonly isNew: boolean;
}

/** Says where the log is, so that a wrong setting is seen before anybody saves into it. */
function describePlace({ database, isNew }: Place): string {
  if (database === ":memory:") return "It is in memory, and gone when the service stops";
  if (database.startsWith("postgres://")) return `It is on ${database}`;
  return `It is in ${database}${isNew ? ", a new file" : ""}`;
}

/** Serves on for a while and tells balancers to turn away. */
async function drain({ options, output, sleep }: CommandContext, service: Service): Promise<void> {
  const { drain: seconds = 0 } = options;
  if (seconds === 0) return;
  service.drain();
  output.say(`Draining for ${seconds} s: /health answers 503, so that a balancer turns to another service.`);
  // The command's own signal is aborted already. A second one ends the process.
  await sleep(seconds * 1000, new AbortController().signal);
}

/** The service's packages take half of a command's start time, so only this function loads them. */
async function start({ options }: CommandContext): Promise<{ service: Service; place: Place }> {
  const { host = "127.0.0.1", port = 0, database = join(userFolders().data, "service.db") } = options;
  const [{ startService }, { nameOfDatabase }, { isFile, pathOf }] = await Promise.all([
    import("../../service/server.ts"),
    import("../../service/store/open.ts"),
    import("../../service/store/address.ts"),
  ]);
  const { fault: armed = [], faultSeed: seed, https, trustProxy, log } = options;
  let shown = "the database";
  try {
    shown = nameOfDatabase(database);
    const isNew = isFile(database) && !existsSync(pathOf(database));
    const service = await startService({
      database,
      host,
      port,
      https,
      trustProxy,
      faults: { armed, ...(seed !== undefined && { seed }) },
      ...(log === true && { log: { write: (line) => void process.stderr.write(line) } }),
    });
    return { service, place: { database: shown, isNew } };
  } catch (error) {
    throw asUsageError(error, "Cannot serve", { database: shown, host, port });
  }
}

/** Warns clearly about faults, because a record that is saved here may be saved twice, or not at all. */
function warnOfFaults({ output, options }: CommandContext, service: Service): void {
  const armed = service.faults.hits();
  if (armed.length === 0) return;
  output.remark(`THIS SERVICE MISBEHAVES ON PURPOSE. It is for rehearsals (seed ${options.faultSeed ?? 1}):`);
  for (const { fault, hits } of armed) {
    output.emit("fault", { fault, hits });
    output.remark(`  ${fault}`);
  }
}

async function makeDemoUser({ output, options }: CommandContext, service: Service): Promise<void> {
  const own = ACTIVITY_NAMES.filter((name) => ACTIVITY_IDS[name] === undefined);
  const { addDemoUser } = await import("../../service/demo.ts");
  const password = randomBytes(12).toString("base64url");
  const user = await addDemoUser(service, {
    units: options.units === "imperial" ? "miles" : "kilometres",
    activities: own,
    password,
  });
  const activities = Object.entries(user.activityIDs).map(([name, id]) => `--activity ${name}=${id}`);
  output.emit("demo-user", { token: user.token, login: user.login, password, activityIDs: user.activityIDs });
  output.say(`A demo user was made. Its access token, shown this once: ${user.token}`);
  output.say(`Log in to it:  echo ${user.token} | logferry login --token-stdin --url ${service.url}`);
  output.say(`Its own activities:  ${activities.join(" ")}`);
  output.say(`Look at its log:  ${service.url}/ as ${user.login} with the password ${password}`);
}
